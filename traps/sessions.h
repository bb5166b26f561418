/* Session ids: parts of a URL that look drawn at random, and do not decide which content the page has.
 *
 * A session id with a well-known name (parser/url_rules.h) is recognised by the URL alone, in traps/limits.h. A session id
 * with another name, or in another part of the URL, is learnt: two pages of a host have the same content, and their URLs
 * differ only in parts that look drawn at random (shape_drawn() in parser/shape.h). If this happens again and again for
 * URLs with such parts at the same positions, these parts are session ids. A session id comes with many pages, each of which has a
 * content of its own, and comes again; the hash of a commit, or the name of a picture, comes with no other page.
 *
 *	match = sessions_add(&s, &url, id, content);
 *	if (match.is_known && match.content == content) ...      the drawn parts have again made no difference
 *
 * One thread uses a struct sessions. */
#ifndef TRAPS_SESSIONS_H
#define TRAPS_SESSIONS_H

#include "base/map.h"
#include "parser/url.h"

struct sessions {
	/* by hash of a URL without its drawn parts: the first crawled page, its content, and how many came; by place: whether it is
	 * proved, in the place of the number */
	struct map forms;
};

/* A URL compared with the first crawled page whose URL differs from it in drawn parts only. */
struct sessions_match {
	int is_known;     /* 1: there is such a page */
	uint64_t place;   /* a hash of the host and of the positions of the drawn parts; 0: no part looks drawn */
	uint32_t first;   /* if is_known: this page */
	uint32_t content; /* if is_known: the first page with the content of page `first` */
	int is_proved;    /* sessions_proved() */
	int is_again;     /* 1: only page `first` has come before, and it was the first with its content */
};

/* Makes an empty table. */
void sessions_init(struct sessions *);

/* Frees the memory. */
void sessions_release(struct sessions *);

/* Compares a URL with the crawled pages. */
struct sessions_match sessions_find(const struct sessions *, const struct url *);

/* Notes whether the program at a `place` has shown the content of a page under an address with drawn parts that nobody had drawn
 * before (traps/sinks.h): then they are a session id. */
void sessions_proved(struct sessions *, uint64_t place, int is_proved);

/* Adds page `id`, which was crawled; `content` is the first page with the same content, or `id` itself. Returns the match
 * of its URL before it was added. */
struct sessions_match sessions_add(struct sessions *, const struct url *, uint32_t id, uint32_t content);

#endif
