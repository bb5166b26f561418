/* What a live crawl writes down: every event, in order, into the store. An observer. */
#ifndef CRAWLER_RECORD_H
#define CRAWLER_RECORD_H

#include "crawler/crawl.h"
#include "storage/store.h"

struct recorder {
	struct store *store;
	int64_t committed; /* ms: when the last commit ended */
	int64_t cost;      /* ms that it took */
	unsigned pages;    /* events since */
};

/* Both must outlive the observer. */
void recorder_init(struct recorder *, struct store *);
struct observer recorder_observer(struct recorder *);

/* Writes the rest and makes it last. */
int recorder_finish(struct recorder *, struct err_note *why) MUST_USE;

#endif
