/* What a live crawl writes down: every event, in order, into the store. An observer. */
#ifndef CRAWLER_RECORD_H
#define CRAWLER_RECORD_H

#include "crawler/crawl.h"
#include "storage/store.h"

struct recorder {
	struct store *store;
	const struct observer *before; /* synced before each commit: n_before */
	size_t n_before;
	int64_t committed; /* ms: when the last commit ended */
	int64_t cost;      /* ms that it took */
	unsigned pages;    /* events since */
};

/* A commit of the store counts on what the observers before the recorder have written: a page that is
 * committed is not fetched again, so that an archive or a log without it would stay without it. So each
 * commit syncs the n observers first. Store and observers must outlive the recorder. */
void recorder_init(
	struct recorder *, struct store *, const struct observer *before, size_t n_before);
struct observer recorder_observer(struct recorder *);

/* Writes the rest and makes it last. */
int recorder_finish(struct recorder *, struct err_note *why) MUST_USE;

#endif
