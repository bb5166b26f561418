/* The tally of a sitting: what the events of a crawl add up to, by outcome, HTTP status and host, and how they ran over
 * time. An observer of the crawl loop; the monitor shows it.
 *
 *	struct tally *t = tally_new();
 *	tally_of(t, frontier, knowledge);                    before the first event
 *	observers[n++] = tally_observer(t);
 *
 * The history has a sample every so many seconds. When TALLY_SAMPLES are taken, each second one is dropped and the interval
 * doubles, so that the samples always cover the whole sitting.
 *
 * Memory: 32 bytes a host. Only the coordinator thread calls these functions. */
#ifndef MONITOR_TALLY_H
#define MONITOR_TALLY_H

#include "crawler/crawl.h"
#include "crawler/knowledge/knowledge.h"

#define TALLY_STATUSES 600
#define TALLY_SAMPLES  240
#define TALLY_FIRST_MS 1000 /* the first interval between two samples */

/* The requests to a host in this sitting. */
struct tally_host {
	uint64_t bytes;    /* of the bodies as transferred */
	uint64_t ms;       /* the time of all requests */
	uint32_t requests; /* that were answered, or failed */
	uint32_t failures;
	uint16_t status; /* the HTTP status of the last failure; 0: none */
	uint8_t outcome; /* the last failure; OUTCOME_NONE: there was none */
};

struct tally_sample {
	int64_t at;                                    /* ms of clock_ms(): the end of the interval */
	uint64_t crawled, failed, bytes;               /* of the sitting, up to then */
	uint64_t queued, deferred, seen;               /* of the crawl, then */
	uint64_t hosts_ready, hosts_waiting, resident; /* resident: bytes of memory */
	uint64_t taken;                                /* the pages taken in the interval */
	double key;                                    /* the mean key of these pages; NAN if there were none */
};

struct tally {
	uint64_t outcome[OUTCOMES], status[TALLY_STATUSES]; /* status: of pages, and not of their robots.txt */
	uint64_t crawled, failed, bytes, requests;
	struct tally_host *host; /* n_hosts; those beyond have had no request */
	size_t n_hosts, hosts_room;
	struct tally_sample sample[TALLY_SAMPLES]; /* n_samples, the oldest first */
	size_t n_samples;
	int64_t interval, started; /* ms */
	/* private */
	const struct frontier *frontier;
	const struct knowledge *knowledge;
	double key_sum;
	uint64_t taken;
};

/* Makes an empty tally; the caller frees it with tally_free(). */
struct tally *tally_new(void);

/* Frees a tally. NULL is allowed. */
void tally_free(struct tally *);

/* Sets the crawl that is observed. Both must outlive the crawl. */
void tally_of(struct tally *, const struct frontier *, const struct knowledge *);

/* Counts the last results of all pages of a store, in place of events. */
void tally_store(struct tally *, struct store *);

/* Returns the observer that updates the tally. */
struct observer tally_observer(struct tally *);

/* Takes a sample if one is due. The caller calls it often; `now` is in ms of clock_ms(). */
void tally_tick(struct tally *, int64_t now);

/* Returns the bytes of memory that the process holds (resident), or 0 if the system does not say. */
uint64_t tally_resident(void);

#endif
