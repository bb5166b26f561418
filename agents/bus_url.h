/* The URL by which the agents of a crawl find each other: nats://[USER:PASSWORD@]HOST[:PORT]/NAME, or tls:// for a connection by
 * TLS. NAME is the crawl's: letters, digits, '-' and '_'. */
#ifndef AGENTS_BUS_URL_H
#define AGENTS_BUS_URL_H

#include "base/err.h"

#define BUS_NAME_MAX 64 /* bytes of the name of a crawl, and of a key, with their ends */

struct bus_url {
	char server[512];        /* as NATS takes it, with user and password */
	char place[300];         /* host and port, for messages */
	char name[BUS_NAME_MAX]; /* of the crawl */
	int is_tls, has_user;
};

/* Reads the URL. Returns 0 or ERR_USAGE. The note has no password. */
int bus_url_read(struct bus_url *, const char *text, struct err_note *why) MUST_USE;

#endif
