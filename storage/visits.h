/* What a store has of the later visits of its crawled pages (lycosa crawl --refresh). The result and the links of a page stay those
 * of its crawl. Beside them the store has, for each page that was visited again, a record of what the page is now, which each visit
 * replaces; and a record for each change that a visit has found, which stays: the history of the page.
 *
 *	struct store_visited v;
 *	if (!store_visited(s, id, &v))                       the page has not been visited again
 *		...
 *	v.visits++, v.last = now;
 *	err = store_put_visited(s, id, &v, why);
 *	if (!err && it has changed)
 *		err = store_put_change(s, id, v.changes++, &change, why);
 *
 * The calls are those of a store (storage/store.h): its commits, lifetimes, threads and errors hold here, too. */
#ifndef STORAGE_VISITS_H
#define STORAGE_VISITS_H

#include "storage/store.h"

/* What a visit has found in the place of a page. Stores contain the numbers: append only. */
enum store_presence {
	STORE_THERE,
	STORE_GONE, /* the server says that there is no such page (404, 410) */
	STORE_MOVED /* a redirect leads elsewhere */
};

/* Returns the word for it: "there", "gone" or "moved". */
const char *store_presence_word(enum store_presence);

struct store_visited {
	uint8_t now;       /* enum store_presence */
	uint16_t status;   /* of the last visit; 0: there was no answer */
	uint32_t visits;   /* after the crawl of the page, failed ones included */
	uint32_t changes;  /* the records of changes */
	uint32_t failures; /* the last so many visits have shown nothing */
	int64_t first;     /* when the page was crawled, ms since 1970 */
	int64_t last;      /* the last visit that has shown what the page is, ms since 1970 */
	/* of the page as it was seen last, and kept while it is gone or has moved */
	uint64_t digest[2];
	int64_t modified; /* s since 1970; 0: unknown */
	const char *etag; /* etag_length bytes; the store's until the next write */
	size_t etag_length;
	int is_undated; /* 1: Last-Modified has changed although the content had not, so it is no date of a change */
};

/* A change that a visit has found. */
struct store_change {
	uint8_t now; /* enum store_presence */
	uint16_t status;
	int64_t before;   /* the visit that saw the page as it was before, ms since 1970 */
	int64_t at;       /* the visit that found the change */
	int64_t modified; /* when the page says that it changed, s since 1970; 0: it does not, or not credibly */
	uint64_t digest[2];
	uint64_t bytes;  /* of the body, as transferred */
	uint32_t target; /* MOVED: where to; else STORE_NO_PAGE */
};

/* Reads what is known of a page from its later visits. Returns 1, or 0 if there was none. */
int store_visited(struct store *, uint32_t id, struct store_visited *out);

/* Reads what is known of a page from its later visits, or else from its crawl. Returns 1, or 0 if it has no result. */
int store_known(struct store *, uint32_t id, struct store_visited *out);

/* Writes what is known of a page, in place of what was there. Writers only. Returns 0 or ERR_TOO_BIG. */
int store_put_visited(struct store *, uint32_t id, const struct store_visited *, struct err_note *why) MUST_USE;

/* Reads change `number` of a page, counted from 0. Returns 1, or 0 if there is none. A reader that has let go of the store
 * (store_let_go()) may find changes that are later than its opening; their target is STORE_NO_PAGE if the page is later, too. */
int store_change(struct store *, uint32_t id, uint32_t number, struct store_change *out);

/* Adds change `number` of a page, which is the number of those before it. Writers only. Returns 0 or ERR_TOO_BIG. */
int store_put_change(struct store *, uint32_t id, uint32_t number, const struct store_change *, struct err_note *why) MUST_USE;

/* Calls `tell` for each page that the last commit has visits of, by ascending id, and behind it for each of its changes, in their
 * order (`change` is NULL for the page itself). Returns 0; the first other value that `tell` returned; or ERR_DAMAGED or
 * ERR_FILE. */
typedef int store_visits_fn(void *ctx, uint32_t id, const struct store_visited *, const struct store_change *change,
	struct err_note *why);
int store_visits_each(struct store *, store_visits_fn *tell, void *ctx, struct err_note *why) MUST_USE;

#endif
