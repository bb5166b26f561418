/* What `lycosa crawl` shows while it runs: the progress line, a line a page under -v, the page logs (--log, --log-to),
 * the metrics server (--metrics) and the monitor (--monitor); and the process that extracts seeds meanwhile (--seeds-out). All are
 * observers of the crawl loop.
 *
 *   struct crawl_watch w = {.n = 0};
 *   int err = crawl_watch_open(&w, command, &decision, &stop, why);
 *   live_observe(live, w.observers, w.n, &w.coming_back);
 *   ... live_open() ...
 *   err = crawl_watch_begin(&w, live, why);
 *   ... live_run() ...
 *   crawl_seed_file_close(&w.seeds, CRAWL_SEEDS_LAST);
 *   err = crawl_watch_close(&w, why); */
#ifndef CLI_CRAWL_CRAWL_WATCH_H
#define CLI_CRAWL_CRAWL_WATCH_H

#include "cli/crawl/crawl_monitor.h"
#include "cli/verb.h"
#include "crawler/crawl.h"
#include "crawler/live/live.h"
#include "crawler/observers/page_log.h"

#include <signal.h>
#include <sys/types.h>

/* --- the seeds of the next crawl */

/* The file with the seeds of the next crawl (--seeds-out), which a crawl renews every so many pages (--seeds-every), as `lycosa
 * seeds --method hits` extracts them from the store. A process of its own extracts them, so that the crawl does not wait, and the
 * file gets its name, in place of the earlier one, when it is whole. */

#define CRAWL_SEEDS_EVERY 10000 /* pages, by default */
#define CRAWL_SEEDS_COUNT "100" /* the most seeds */

struct crawl_seed_file {
	const char *store, *path; /* borrowed; path is NULL if there is no such file */
	struct output *making;    /* while a child writes it */
	uint64_t every, pages;    /* crawled or visited since the last extraction began */
	pid_t child;              /* that extracts; 0: there is none */
};

/* What becomes of the pages since the last extraction. */
enum crawl_seed_last {
	CRAWL_SEEDS_LAST, /* the seeds are extracted once more, and the call waits for them */
	CRAWL_SEEDS_NONE  /* the crawl was interrupted: an extraction that runs is killed */
};

/* Ends the extractions and frees the memory. A second call has no effect. */
void crawl_seed_file_close(struct crawl_seed_file *, enum crawl_seed_last);

/* --- the watch */

struct crawl_watch {
	struct observer observers[LIVE_OBSERVERS];
	size_t n;
	struct progress coming_back; /* the progress of reading the store's log */
	int paused;                  /* for live_settings.paused */
	/* private */
	struct progress progress;
	int64_t max_time;
	uint64_t max_bytes, bytes, visits;
	int has_first; /* the first request of the sitting has come to its end */
	struct frontier *frontier;
	const struct source *source;
	struct store *store;
	struct page_log *log, *reader; /* of --log and of --log-to */
	const volatile sig_atomic_t *stop;
	volatile sig_atomic_t *reopen; /* see crawl_watch_reopens() */
	struct metrics *metrics;
	struct tally *tally;
	struct monitor *server; /* of --metrics */
	struct crawl_monitor monitor;
	struct crawl_seed_file seeds;
};

/* Opens the log and the ports of the metrics server and the monitor, before a store is created, so that an error leaves no store
 * behind. `stop` is the flag of live_settings.stop. Returns 0, ERR_USAGE, ERR_FILE or ERR_OTHER. The caller calls
 * crawl_watch_close() in each case. */
int crawl_watch_open(struct crawl_watch *, const struct command *, const struct live_decision *, volatile sig_atomic_t *stop,
	struct err_note *why) MUST_USE;

/* Makes the metrics say of which agent of which crawl they are (a URL of agents/bus_access.h). */
void crawl_watch_agent(struct crawl_watch *, const char *url, const struct live_join *);

/* Makes the watch open the log again whenever a signal handler has set *reopen, which the watch then sets to 0.
 * Returns 1, or 0 if there is no log. */
int crawl_watch_reopens(struct crawl_watch *, volatile sig_atomic_t *reopen);

/* Sets the crawl that is shown, after live_open(). Returns 0, or an error of the monitor. */
int crawl_watch_begin(struct crawl_watch *, struct live *, struct err_note *why) MUST_USE;

/* Clears the progress line, and closes log and servers, before live_close(). Returns 0, ERR_FILE if the log
 * could not be written, or ERR_OTHER if the command of --log-to has failed. */
int crawl_watch_close(struct crawl_watch *, struct err_note *why) MUST_USE;

#endif
