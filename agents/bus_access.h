/* Where the agents of a crawl find each other, and how an agent proves to a NATS server who it is, and how the server proves it:
 * what the users of NATS know from its own tools, which read the same files and the same variables of the environment.
 *
 *	struct bus_access access = {.creds = "user.creds"};
 *	bus_access_from_environment(&access);
 *	err = bus_open(&bus, url, &access, why); */
#ifndef AGENTS_BUS_ACCESS_H
#define AGENTS_BUS_ACCESS_H

#include "base/err.h"

#include <stdint.h>

struct bus_access {
	const char *creds;    /* a file of credentials: a JWT and the seed of an nkey; NATS_CREDS */
	const char *nkey;     /* a file with the seed of a user's nkey; NATS_NKEY */
	const char *cacert;   /* certificates to trust, instead of the system's; NATS_CA */
	const char *cert;     /* the agent's certificates, PEM; NATS_CERT */
	const char *key;      /* their private key, PEM; NATS_KEY */
	const char *user;     /* NATS_USER, where the URL of the crawl names none */
	const char *password; /* NATS_PASSWORD */
	uint64_t replicas;    /* servers of a cluster that keep bucket and logs; 0: as they are, which is one at first */
};

/* Fills in what is NULL from the environment. A variable that is empty counts as none. The texts belong to the environment. */
void bus_access_from_environment(struct bus_access *);

#define NKEY_PUBLIC 57 /* bytes of a public nkey with its NUL */

/* Computes the public key of the seed of a user's nkey ("SU...") that a file has in a line of its own. Returns 0, ERR_FILE, or
 * ERR_USAGE if the file has none. */
int nkey_read_public(const char *file, char public[NKEY_PUBLIC], struct err_note *why) MUST_USE;

/* --- the URL
 *
 * The URL by which the agents of a crawl find each other: nats://[USER:PASSWORD@]HOST[:PORT]/NAME, or tls:// for a connection by
 * TLS. NAME is the crawl's: letters, digits, '-' and '_'. */

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
