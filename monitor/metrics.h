/* The metrics of a running crawl, in Prometheus' format. The coordinator thread updates them as an observer of the crawl;
 * any thread may read them. Counters start at 0 with the process; gauges describe the whole crawl.
 *
 *	struct metrics *m = metrics_new();
 *	metrics_of(m, frontier, source);
 *	observers[n++] = metrics_observer(m);
 *	metrics_text(m, &out);                               from any thread, at any time */
#ifndef MONITOR_METRICS_H
#define MONITOR_METRICS_H

#include "base/buf.h"
#include "crawler/crawl.h"
#include "monitor/tally.h"
#include "storage/store.h"

#include <stdatomic.h>

struct metrics;

/* Returns metrics that are all 0; the caller frees them with metrics_free(). */
struct metrics *metrics_new(void);

/* Frees metrics. NULL is allowed. No other thread may read them any more. */
void metrics_free(struct metrics *);

/* Sets the frontier and the source whose counts the gauges show, before the first event. Both must outlive the crawl, and
 * the frontier's policy must outlive the metrics. */
void metrics_of(struct metrics *, struct frontier *, const struct source *);

/* Adds the hosts with the most requests of the sitting, which are looked up every METRICS_TOP_MS. The tally is updated before
 * the metrics, and both must outlive the crawl. */
#define METRICS_TOP    10
#define METRICS_TOP_MS 5000
void metrics_hosts_of(struct metrics *, const struct tally *, struct store *);

/* Adds the sizes of the store in this folder, and of the archive with this prefix (NULL: there is none), which are read
 * when somebody asks. Both texts must outlive the metrics. */
void metrics_files_of(struct metrics *, const char *store, const char *warc);

/* Makes each sample say of which crawl of several agents it is, and of which agent, by the labels `crawl` and `agent`, and adds the
 * number of messages that the agent has put aside, which must outlive the metrics. */
void metrics_agent_of(struct metrics *, const char *crawl, unsigned agent, const _Atomic uint64_t *aside);

/* Returns the observer that updates the metrics. */
struct observer metrics_observer(struct metrics *);

/* Hosts by what they do now; each is counted once. */
struct metrics_hosts {
	uint64_t ready;
	uint64_t waiting;  /* for their turn */
	uint64_t silent;   /* they have stopped answering, and are tried again */
	uint64_t given_up; /* for this sitting */
};

/* Counts the hosts that have pages queued. Only the coordinator thread may call. */
void metrics_count_hosts(const struct frontier *, const struct source *, struct metrics_hosts *out);

/* The media type of the text that metrics_text() makes. */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Appends all metrics in Prometheus' text format 0.0.4. Any thread may call. */
void metrics_text(struct metrics *, struct buf *out);

/* Appends the value of a label: a backslash, a quote and a line feed are escaped, and bytes that are not UTF-8 become
 * '?'. */
void metrics_label(struct buf *out, const char *value);

#endif
