/* Where a request wants to go, and the page that stands there: the parts of URLs and of HTTP
 * request lines, and a hash table over the URLs of a list of pages. Pure, no copies. */
#ifndef SIMWEB_ADDRESS_H
#define SIMWEB_ADDRESS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* Parts of a text, which must outlive it. */
struct address {
	const char *origin; /* "scheme://user@host:port", up to `target`; NULL where the request
			       names none */
	const char *host;   /* as written, without user and port; brackets of IPv6 included */
	size_t host_length;
	unsigned port;      /* the scheme's own where none is written */
	const char *target; /* path and query; may be empty or begin with '?'; no fragment */
	size_t target_length;
};

/* The parts of an absolute URL; spaces and controls around it do not count. 1, or 0 where it is
 * none, has no host or a port beyond 65535. */
int address_of_url(struct address *, const char *url);

/* The parts of a request: its target in origin form ("/a?b", then `host` decides, the value of the
 * Host header) or absolute form ("http://h/a?b", then the host within decides). 1, or 0 where it
 * is neither. `host` may be NULL or empty: the host is empty then. */
int address_of_request(struct address *, const char *target, const char *host);

/* Whether the host is this one; letters in either case. */
int address_host_is(const struct address *, const char *host);

/* Pages by number 0..n-1 and their URLs; NULL, or no absolute URL, for a page without. */
struct address_list {
	const void *ctx;
	uint32_t n;
	const char *(*url)(const void *ctx, uint32_t i);
};

struct address_slot {
	uint32_t page; /* + 1; 0 is a free slot */
	uint32_t tag;  /* upper half of the hash */
};

/* Which page an address is that of. Scheme and port do not count, nor which characters are
 * escaped, nor dot segments, as clients differ in what they do with these; among several pages
 * that are the same but for them, one with exactly the address's path and query is preferred, then
 * one with its port, then the first. Of more than ADDRESS_SAME such pages some are not found, which
 * keeps malice from costing quadratic time. URLs should be canonical otherwise: hosts in ASCII,
 * bytes that are no UTF-8 escaped. Immutable once built, so threads may share it. 16 to 32 bytes a
 * page. */
#define ADDRESS_SAME 8
struct address_table {
	struct address_list list;
	struct address_slot *slot;
	uint64_t mask;
	uint64_t seed; /* of the hash: not to be guessed by whoever makes the URLs */
};

/* What the list points to must outlive the table. */
void address_table_init(struct address_table *, struct address_list list);
void address_table_release(struct address_table *);

/* The page into *i: 1, or 0 where there is none. */
int address_table_find(const struct address_table *, const struct address *, uint32_t *i);

#endif
