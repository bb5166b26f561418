/* What `lycosa crawl` shows while it runs: the progress line, a line a page under -v, the page log (--log)
 * and the metrics server (--metrics). All are observers of the crawl loop.
 *
 *   struct crawl_watch w = {.n = 0};
 *   int err = crawl_watch_open(&w, command, &decision.config, why);
 *   live_observe(live, w.observers, w.n, &w.coming_back);
 *   ... live_open() ...
 *   crawl_watch_begin(&w, live);
 *   ... live_run() ...
 *   err = crawl_watch_close(&w, why); */
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

/* Opens the log and the port, before a store is made: where they cannot be had, no store is left behind.
 * ERR_FILE. Follow with crawl_watch_close() in any case. */
int crawl_watch_open(struct crawl_watch *, const struct command *, const struct live_config *,
	struct err_note *why) MUST_USE;

/* From now on the log is opened again whenever *reopen is not 0, which becomes 0. Returns whether there
 * is a log at all. */
int crawl_watch_reopens(struct crawl_watch *, volatile sig_atomic_t *reopen);

/* Tells the watch which crawl it shows; after live_open(). */
void crawl_watch_begin(struct crawl_watch *, struct live *);

/* Clears the progress line, and closes log and server; before live_close(). ERR_FILE where the log could
 * not be written. */
int crawl_watch_close(struct crawl_watch *, struct err_note *why) MUST_USE;

#endif
