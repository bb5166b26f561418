/* What `lycosa crawl` shows of itself while it runs: the progress line, --log, --metrics. */
#ifndef CLI_CRAWL_CRAWL_WATCH_H
#define CLI_CRAWL_CRAWL_WATCH_H

#include "cli/verb.h"
#include "crawler/live.h"
#include "crawler/metrics_server.h"
#include "crawler/page_log.h"

#include <signal.h>

struct crawl_watch {
	struct observer observers[LIVE_OBSERVERS];
	size_t n;
	struct progress coming_back; /* from the store's log */
	/* its own */
	struct progress progress;
	int64_t max_time;
	uint64_t max_bytes, bytes;
	struct frontier *frontier;
	struct store *store;
	struct page_log *log;
	volatile sig_atomic_t *reopen; /* see crawl_watch_reopens() */
	struct metrics *metrics;
	struct metrics_server *server;
};

/* Before there is a store, so that a file or port that cannot be had leaves none behind. Follow with
 * crawl_watch_close() in any case. */
int crawl_watch_open(struct crawl_watch *, const struct command *, const struct live_config *,
	struct err_note *why) MUST_USE;

/* Whether there is a log that can be opened again; and from now on it is, where *reopen is not 0. */
int crawl_watch_reopens(struct crawl_watch *, volatile sig_atomic_t *reopen);

/* The crawl begins, or goes on. */
void crawl_watch_begin(struct crawl_watch *, struct live *);

/* It has ended; before the crawl is closed. ERR_FILE where the log could not be written. */
int crawl_watch_close(struct crawl_watch *, struct err_note *why) MUST_USE;

#endif
