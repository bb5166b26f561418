/* Copies, and what they lead to.
 *
 * A page is a copy where another of the crawl has the same bytes, or says the same (parser/fingerprint.h);
 * where that is asked for, also where its simhash is near to that of one of the last of its shape. A
 * URL that was found on copies only is doubtful: programs that make pages without end say the same
 * again and again, and lead to nothing but more of it. Once `most` doubtful pages in a row that a host
 * has in one folder at its root (or there, in none) were copies with links, the doubtful URLs of the
 * folder are left; those of the host are after COPIES_HOST times as many. What is found on a page that
 * says something new is no concern of this; and a doubtful page that does starts the count again, of its
 * folder and of the folder that it was found in, whose copies led to it.
 *
 * Farms have a host for each page: the first pages of new hosts count for their registrable domain
 * as pages do for their folder, and the first pages of new domains for the web. Where any name below
 * a domain shows the same site, that is seldom long: after COPIES_HOST times as many doubtful copies in
 * a row in a domain, those of its hosts are left of which next to all pages were copies. */
#ifndef TRAPS_COPIES_H
#define TRAPS_COPIES_H

#include "base/map.h"
#include "parser/url.h"

#define COPIES_HOST 4 /* times as many close a host, or a domain's hosts of copies */
#define COPIES_OWN  4 /* of so many pages of such a host one is its own, at most */

struct copies {
	uint32_t most; /* 0: nothing is ever left */
	uint32_t near; /* bits in which simhashes of copies differ at most, and one; 0: no matter */
	size_t closed; /* places whose doubtful URLs are left */
	struct map contents, places;
	struct map led;    /* from doubtful pages to the folders that they were found in */
	uint64_t reading;  /* the folder of the page that came last */
	struct map shapes; /* where `near` is not 0 */
};

/* What tells a page's content from another's; 0 says nothing. */
struct page_marks {
	uint64_t digest[2];
	uint64_t gist, simhash;
};

struct page_came {
	uint32_t id;
	int is_doubtful;
	size_t links;
};

/* What it is a copy of: the first page with its content, itself where it is new. */
struct page_copied {
	int is_copy;
	uint32_t first;
};

void copies_init(struct copies *, uint32_t most, uint32_t near);
void copies_release(struct copies *);

/* A page has come. */
struct page_copied copies_add(
	struct copies *, const struct url *, const struct page_marks *, const struct page_came *);

/* A page was found first on the one that came last, which was a copy. */
void copies_led(struct copies *, uint32_t id);

/* Whether a doubtful URL is left. */
int copies_leave(const struct copies *, const struct url *);

#endif
