/* Sinks: templates that a site shows, with the status of a page, for whatever it has no page for. Many addresses lead to one, and
 * it repeats nothing but the address. By its bytes a sink cannot be told from the stubs of a site that has little to say; it can by
 * an address that nobody has: the site answers that by its sink, too (Bar-Yossef et al., "Sic transit gloria telae", 2004). So once
 * many pages of a host have had the same words, the crawl *makes up* an address like theirs, and asks for it as for a page that the
 * last of them leads to. If the answer has the same words and about the same length, the pages of this host that are so are *junk*.
 *
 *	if (sinks_asks(&s, host, text, &like) && sinks_make_up(&url, &url_of_like, SINKS_DRAWN, &made_up))
 *		sinks_made(&s, host, text, id);                   page `id`, at the address `made_up`, is one more link of this page
 *	is_junk = sinks_add(&s, &page);                      a page was crawled that is a duplicate
 *
 * One thread uses a struct sinks. Memory: 24 to 28 bytes for each text of a host that pages have had again. */
#ifndef TRAPS_SINKS_H
#define TRAPS_SINKS_H

#include "base/map.h"
#include "parser/shape.h"

struct sinks {
	struct map texts; /* by host and a hash of the text: how many pages had this text, and the answer to an address made up */
	struct map made;  /* the pages whose addresses were made up */
};

/* A page that has the text of an earlier one. */
struct sinks_page {
	uint64_t host, text; /* hashes */
	uint64_t bytes;      /* of its body as transferred */
	uint32_t id, length; /* the bytes of its URL */
};

/* Makes an empty table. */
void sinks_init(struct sinks *);

/* Frees the memory. */
void sinks_release(struct sinks *);

/* Returns the key of the place of a URL for pages that add nothing: its family, the number of segments, and the form of the
 * last one, if that has digits; of a URL with a query, its form. */
uint64_t sinks_place(const struct url_traits *);

/* Adds a page, and says whether it is junk, as is every page at an address that was made up whose text another page has had. */
int sinks_add(struct sinks *, const struct sinks_page *);

/* Says whether an address that was made up on a host has not had a text of its pages, or not yet. */
int sinks_was_denied(const struct sinks *, uint64_t host);

/* Says whether addresses may still be made up on a host: those of 20 at most had no text of its pages. */
int sinks_may_ask(const struct sinks *, uint64_t host);

/* Says whether an address is to be made up from the URL of the page that is added next: of the 8th page with a text, or, where n
 * addresses of the host were made up and had no text of its pages, of page 8 * 2^n, of page 16 * 2^n and so on, until an address
 * has had this text. Returns 1, and in *like the last page that had the text; or 0. */
int sinks_asks(const struct sinks *, uint64_t host, uint64_t text, uint32_t *like);

enum sinks_names { SINKS_DRAWN, SINKS_FAR };

/* Writes an address that no page has into *out: the URL with other names where it differs from that of an earlier page of its
 * host; SINKS_FAR: a number becomes a higher one, of eight digits or more. A name is a segment, or a part of one beside a dot,
 * or the value of a parameter. The names are as long, have at least SINKS_NAME letters and digits, and are no numbers, so that
 * a program that knows its pages by number does not have them. Equal URLs give equal addresses, so a site could know them.
 * Returns 1, or 0 if there is no such name. */
int sinks_make_up(const struct url *, const struct url *like, enum sinks_names, struct buf *out);
#define SINKS_NAME 12

/* Says whether a URL may stand as far behind in its section as `made`, an address of SINKS_FAR: 0 if `made` has a number of eight
 * digits or more, and all numbers of the URL are shorter. */
int sinks_is_as_far(const struct url *, const struct url *made);

/* Notes that the address of a page was made up for a page with this text. */
void sinks_made(struct sinks *, uint64_t host, uint64_t text, uint32_t id);

/* Notes that the address of a page was made up for another reason: what it shows is not compared. */
void sinks_made_for_others(struct sinks *, uint32_t id);

/* Says whether the address of a page was made up. */
int sinks_is_made(const struct sinks *, uint32_t id);

#endif
