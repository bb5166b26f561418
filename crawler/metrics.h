/* A crawl in figures, for whoever asks while it runs. The coordinator writes the figures, as an observer of the crawl;
 * any thread may read them. Counters begin with the process, gauges are of the whole crawl.
 *
 *	struct metrics *m = metrics_new();
 *	metrics_of(m, frontier);
 *	observers[n++] = metrics_observer(m);
 *	metrics_text(m, &out);                        any thread, at any time */
#ifndef CRAWLER_METRICS_H
#define CRAWLER_METRICS_H

#include "base/buf.h"
#include "crawler/crawl.h"

struct metrics;

struct metrics *metrics_new(void);
void metrics_free(struct metrics *); /* NULL is allowed */

/* Says whose queue is told of; before the first event. The frontier must outlive the events, its policy the metrics. */
void metrics_of(struct metrics *, struct frontier *);

struct observer metrics_observer(struct metrics *);

/* Appends all of them in Prometheus' text format, 0.0.4. Any thread. */
void metrics_text(struct metrics *, struct buf *out);
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Appends a label's value: backslash, quote and line feed are escaped, bytes that are no UTF-8 become '?'. */
void metrics_label(struct buf *out, const char *value);

#endif
