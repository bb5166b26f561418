/* Which addresses are this machine's own. */
#ifndef CRAWLER_LOOPBACK_H
#define CRAWLER_LOOPBACK_H

#include <sys/socket.h>

/* Whether an address is of 127.0.0.0/8 or ::1, also written as IPv6-mapped IPv4. */
int loopback_address(const struct sockaddr *a);

#endif
