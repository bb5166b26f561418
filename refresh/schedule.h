/* Which known page is visited next, and when.
 *
 *	schedule_new(&s, &settings);
 *	schedule_add(s, id, &page);                          for each page that was crawled
 *	if (schedule_next(s, now, host_time, ctx, &id)) {    id is the page to visit now
 *		schedule_out(s, id);
 *		... visit it; some time later:
 *		schedule_visited(s, id, now, SCHEDULE_SAME, 0);
 *	}
 *	wait_until(schedule_time(s, now));                   when schedule_next() returned 0
 *
 * The way of a page:
 *
 *	AHEAD --its time comes--> DUE --schedule_out()--> OUT --schedule_visited()--> AHEAD
 *	                           ^                       |
 *	                           +-- LATER <-- schedule_put_back(): there was no visit yet
 *
 * The pages that are due wait in a lane for each host, the one with the earliest time first; of the hosts that may be asked, the
 * one whose first page has the earliest time is next. So a host that must rest keeps no other host waiting, and a page costs O(log
 * n).
 *
 * A page is due when a visit of it is worth the price at which the budget is spent (refresh/allocation.h), by what is known of its
 * rate: from its own visits (refresh/changes.h), and from those of its host and of all hosts (refresh/rates.h). A share
 * SCHEDULE_EVEN of the budget goes to all pages alike, so that a page whose habits change is found out. All this is computed again
 * after visits of an eighth of the pages, and at the beginning whenever the visits have doubled.
 *
 * In a round (SCHEDULE_ROUND) all pages are due at once, those first whose visit is worth most, and each is visited once.
 *
 * Times are in ms of the caller's clock; they may be before 1970. One thread calls all functions. */
#ifndef REFRESH_SCHEDULE_H
#define REFRESH_SCHEDULE_H

#include "base/result.h"
#include "refresh/changes.h"

#include <stddef.h>
#include <stdint.h>

#define SCHEDULE_NEVER INT64_MAX
#define SCHEDULE_DAY   86400000.0 /* ms */
#define SCHEDULE_EVEN  0.01

enum schedule_how {
	SCHEDULE_OPTIMAL,     /* by the allocation */
	SCHEDULE_UNIFORM,     /* all pages alike */
	SCHEDULE_PROPORTIONAL /* as often as they change */
};

enum schedule_course {
	SCHEDULE_FOR_EVER,
	SCHEDULE_ROUND /* each page once */
};

struct schedule_settings {
	enum schedule_how how;
	enum schedule_course course;
	double visits; /* a day, of all pages; > 0; a round ignores it */
	int64_t least; /* ms between two visits of a page at least */
	double prior;  /* changes a day of a page of which nothing is known; > 0 */
};

struct schedule_page {
	uint32_t host;
	double importance; /* > 0; of all pages 1 in the mean */
	int64_t last;      /* the last visit, or when the page was crawled */
	struct changes changes;
	int is_sitemap; /* it is visited before all pages that are no sitemaps */
};

struct schedule;

void schedule_new(struct schedule **, const struct schedule_settings *);

/* Frees the schedule. NULL is allowed. */
void schedule_free(struct schedule *);

/* Adds a page that the schedule does not have (asserted). */
void schedule_add(struct schedule *, uint32_t id, const struct schedule_page *);

/* Says when the host of a page may be asked: `now` or earlier for at once, SCHEDULE_NEVER for not in this sitting. */
typedef int64_t schedule_host_time(void *ctx, uint32_t id);

/* Returns 1 with the page to visit at the time `now`, or 0 if no page is due whose host may be asked. `time` is called
 * within this call. */
int schedule_next(struct schedule *, int64_t now, schedule_host_time *time, void *ctx, uint32_t *id);

/* Returns what a visit of a page is worth at a time (refresh/allocation.h). */
double schedule_worth(const struct schedule *, uint32_t id, int64_t now);

/* Returns what the first visit of a page of a host is worth. */
double schedule_worth_new(const struct schedule *, uint32_t host, double importance);

/* Begins the visit of the page that schedule_next() has returned last (asserted). */
void schedule_out(struct schedule *, uint32_t id);

/* Ends an attempt that was no visit; the page is due again at the time `not_before`. */
void schedule_put_back(struct schedule *, uint32_t id, int64_t not_before);

enum schedule_found {
	SCHEDULE_SAME,    /* the page is as it was */
	SCHEDULE_CHANGED, /* it has changed, or is gone, or there again */
	SCHEDULE_FAILED   /* the visit has shown nothing */
};

/* Ends a visit at a time. `changed` is the time of the page's last change, if the visit has found a change and its time is known;
 * else 0. After a failed visit the next one comes after an hour, two, four ..., if it is not due earlier. */
void schedule_visited(struct schedule *, uint32_t id, int64_t now, enum schedule_found, int64_t changed);

/* Takes what a sitemap of a host, which was read at the time `now`, claims of the host's pages; claims of other hosts' pages, and
 * of pages that the schedule does not have, are ignored. A page that claims a change since its last visit is visited first: in a
 * round behind the sitemaps only, else as soon as settings.least allows. The visit of a page that claims to have not changed is put
 * off: in a round it comes last; else the page is due as if it had been visited at `now`, but after SCHEDULE_PUT_OFF times its
 * interval at the latest. One in SCHEDULE_SAMPLE such pages, others each day, is visited as if it claimed nothing.
 *
 * Nothing is believed that only says when the sitemap was made: a sitemap of whose dates nine in ten lie within a minute of one
 * another, or a date more than two days ahead. A host is not believed any more, and its pages are visited as if it had claimed
 * nothing, once a visit shows a change of a page that claimed none, or SCHEDULE_FALSE_NEWS changes were claimed that there were
 * not. */
void schedule_claims(struct schedule *, uint32_t host, const struct claim *, size_t n, int64_t now);

#define SCHEDULE_PUT_OFF    4
#define SCHEDULE_SAMPLE     16
#define SCHEDULE_FALSE_NEWS 8

/* Returns the earliest time at which schedule_next() may return a page, or SCHEDULE_NEVER if no page becomes due without a
 * further call: the remaining pages are being visited, or, in a round, have been visited or belong to hosts that are not asked
 * any more. */
int64_t schedule_time(const struct schedule *, int64_t now);

/* Says whether each page of a round has been visited, or has a host that is not asked in this sitting. */
int schedule_is_over(const struct schedule *);

#endif
