/* Addresses on the fake web: splits URLs and the targets of HTTP requests into their parts, and finds the page
 * that a request means in a hash table over the URLs of all pages. The functions do no I/O and copy no text.
 *
 *	address_table_init(&t, (struct address_list){ctx, n, url});
 *	if (address_of_request(&a, "/a?b", "h.test") && address_table_find(&t, &a, &page)) ... */
#ifndef SIMWEB_ADDRESS_H
#define SIMWEB_ADDRESS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* The parts of a URL or of a request. They point into its text, which must outlive them. */
struct address {
	const char *origin; /* "scheme://user@host:port", which ends where `target` begins; NULL for a
			       request in origin form ("/a?b") */
	const char *host;   /* as written, without user and port, with the brackets of IPv6 */
	size_t host_length;
	unsigned port;      /* the port as written, or else the scheme's default */
	const char *target; /* path and query, without the fragment; empty, or begins with '/' or '?' */
	size_t target_length;
};

/* Splits an absolute URL; spaces and control characters around it are ignored. Returns 1, or 0 if the text is
 * no absolute URL, has no host, or has a port above 65535. */
int address_of_url(struct address *, const char *url);

/* Splits the target of a request. A target in origin form ("/a?b") gets its host from `host`, the value of the
 * Host header; if that is NULL or empty, the host is empty. A target in absolute form ("http://h/a?b") has its
 * own host. Returns 1, or 0 if the target has neither form. */
int address_of_request(struct address *, const char *target, const char *host);

/* Says whether the host equals `host`, without regard to case. */
int address_host_is(const struct address *, const char *host);

/* The pages 0 .. n-1 and a function that returns the URL of page i. A page for which it returns NULL, or no
 * absolute URL, is not in the table. */
struct address_list {
	const void *ctx;
	uint32_t n;
	const char *(*url)(const void *ctx, uint32_t i);
};

struct address_slot {
	uint32_t page; /* the page's number + 1; 0 is a free slot */
	uint32_t tag;  /* the upper half of the hash */
};

/* At most so many URLs that differ only in the parts that the table ignores are all found. */
#define ADDRESS_SAME 8

/* A hash table from addresses to pages. The table ignores the scheme, the port, whether a character is
 * percent-escaped, and dot segments, since clients treat these differently. If several pages differ only in
 * ignored parts, the table prefers the page whose path and query are exactly the address's, then the page with
 * the address's port, then the first page. Beyond ADDRESS_SAME such pages some are not found; this bound keeps
 * the time linear. In all other respects the URLs should be canonical: hosts in ASCII, bytes that are not UTF-8
 * escaped. A table is immutable once built, so threads may share it. It takes 16 to 32 bytes for each page. */
struct address_table {
	struct address_list list;
	struct address_slot *slot;
	uint64_t mask;
	uint64_t seed; /* of the hash, random, so that no list of URLs can be made to collide */
};

/* Builds a table. Everything that the list points to must outlive it. */
void address_table_init(struct address_table *, struct address_list list);

/* Frees the memory of a table. */
void address_table_release(struct address_table *);

/* Finds the page at an address. Returns 1 with its number in *i, or 0 if there is none. */
int address_table_find(const struct address_table *, const struct address *, uint32_t *i);

#endif
