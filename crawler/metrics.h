/* A crawl in figures, for whoever asks while it runs. The coordinator writes them, as an observer;
 * any thread may read. Counters begin with the process, gauges are of the whole crawl. */
#ifndef CRAWLER_METRICS_H
#define CRAWLER_METRICS_H

#include "base/buf.h"
#include "crawler/crawl.h"

struct metrics;

struct metrics *metrics_new(void);
void metrics_free(struct metrics *); /* NULL is allowed */

/* Whose queue; before the first event. It must outlive the events, and its policy the metrics. */
void metrics_of(struct metrics *, struct frontier *);

struct observer metrics_observer(struct metrics *);

/* Appends all of them in Prometheus' text format, 0.0.4. Any thread. */
void metrics_text(struct metrics *, struct buf *out);
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Appends a label's value: backslash, quote and line feed escaped, what is no UTF-8 as '?'. */
void metrics_label(struct buf *out, const char *value);

#endif
