#include "crawler/loopback.h"

#include <netinet/in.h>

int loopback_address(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET) {
		const struct sockaddr_in *v4 = (const void *)a;
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	}
	if (a->sa_family != AF_INET6)
		return 0;
	const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
	return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
}
