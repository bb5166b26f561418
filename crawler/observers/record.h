/* The recorder: the observer that writes every event of a live crawl into the store (result, links, log) and commits.
 *
 *	recorder_init(&r, store, frontier, observers, n);
 *	observers[n++] = recorder_observer(&r);              the recorder is the last observer
 *	... crawl_run() ...
 *	code = recorder_finish(&r, why); */
#ifndef CRAWLER_RECORD_H
#define CRAWLER_RECORD_H

#include "crawler/crawl.h"
#include "storage/store.h"

struct recorder {
	struct store *store;
	const struct frontier *frontier;
	const struct observer *before; /* the n_before observers that are synced before each commit */
	size_t n_before;
	int64_t committed; /* ms of clock_ms() at which the last commit ended */
	int64_t cost;      /* ms that the last commit took */
	unsigned pages;    /* events since the last commit */
	int64_t scrub_at;  /* ms of clock_ms() from which on the store may be scrubbed */
};

/* Prepares a recorder. Each commit first calls the `sync` hook of the n_before observers that are called before the recorder
 * (archive, log): a page that is committed is not fetched again, so what these have not written by then would be missing for ever.
 * The frontier says by which rule pages are taken; NULL: it is not kept. Store, frontier and observers must outlive the
 * recorder. */
void recorder_init(struct recorder *, struct store *, const struct frontier *, const struct observer *before, size_t n_before);

/* Returns the observer. While fewer than 32 events wait, it commits at the first event that comes a second or more after the last
 * commit. Once 32 events wait, it commits as soon as ten times the duration of the last commit has passed, which may be sooner or
 * later than a second. So commits take about a tenth of the time at most. With 64 MB that are not committed, by the estimate of
 * store_uncommitted(), it commits at once.
 *
 * When the crawl waits, the recorder scrubs the store: 128 KB of it every 100 ms at most, and a round every minute at most. Damage
 * ends the crawl with ERR_DAMAGED, and nothing is committed any more. */
struct observer recorder_observer(struct recorder *);

/* Writes the event of a page that had not been crawled, and does not commit it. Returns 0 or an error of the store. */
int recorder_put(struct store *, const struct result *, struct err_note *why) MUST_USE;

/* Reads back the event that an entry of the log tells of: 1 and *event, or 0 if the entry tells of no event. The log keeps
 * the page, its state and outcome, the target of a redirect and the time before which the page must not be taken;
 * the request is taken to have ended at `now`, in no time. The links of a crawled page stand in the store; the sitemaps
 * and the skipped pages that are queued stand in entries of their own. */
int recorder_event_of(const struct log_entry *, int64_t now, struct result *);

/* Commits everything that is not committed yet. Returns 0 or an error of the store or of an observer. */
int recorder_finish(struct recorder *, struct err_note *why) MUST_USE;

#endif
