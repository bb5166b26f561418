/* The settings of a crawl in virtual time: its politeness, and the web that it meets: what --politeness says.
 *
 *	err = virtual_time_parse(&m, "delay=2s,parallel=64,latency=100ms:0.5,404=0.01", why);
 *	replay.virtual_time = &m;
 *
 * A list has items name=value or name=value:value with commas or plus signs between; what is not given has its default:
 *
 *   store                  pages and settings of the store that is replayed: virtual_time_from_store()
 *   live                   all defaults, which are those of `lycosa crawl` where it has such a setting
 *   delay=TIME             between two requests to a host, and to an address (1s)
 *   delay-factor=F         a host that took t to answer rests for F * t (2)
 *   jitter=F               each rest is longer by a random share of it, up to F (0.2)
 *   per-host=N             the most requests to a host, and to an address, at once (1)
 *   parallel=N             the most requests at once in all (16)
 *   tries=N                the most tries of a page (3)
 *   timeout=TIME           the time limit of a request for a page; 0: none (60s)
 *   latency=TIME:SPREAD    until the first byte, by host (200ms:0.8); see simweb/virtual_web.h
 *   bandwidth=BYTES:SPREAD a second, by host; 0: no limit (1M:1)
 *   size=BYTES:SPREAD      of a page as transferred (12K:1.2)
 *   addresses=N            the hosts share N addresses in turn; 0: each has its own (0)
 *   crawl-delay=SHARE:TIME of the hosts, and their Crawl-delay, kept up to 1m (0:10s)
 *   disallow=SHARE         of the pages, which robots.txt disallows (0)
 *   dead=SHARE             of the hosts, which never answer (0)
 *   outage=SHARE:TIME      of a host's time, and the mean length of an outage (0:10m)
 *   change-rate=N          a page of the median host changes N times a day (simweb/changing.h); of an endless web, its own
 *                          `changes` is the default; 0: the web does not change (0)
 *   snapshot=TIME          each month of a list of links by month is the web for so long (0: the web does not change)
 *   clock=TIME             the time since 1970 at which the crawl begins, for changes (0)
 *   seed=N                 of all that is drawn for the web (0)
 *   404 500 503 redirect truncate drop transient-500 transient-truncate transient-drop slow
 *                          faults of pages, as `lycosa serve --faults` has them */
#ifndef LAB_STUDY_VIRTUAL_TIME_H
#define LAB_STUDY_VIRTUAL_TIME_H

#include "base/err.h"
#include "lab/study/dataset.h"
#include "simweb/changing.h"
#include "simweb/virtual_web.h"

#include <stdint.h>

struct virtual_time {
	int64_t delay_ms, timeout_ms;
	double slow_factor, jitter;
	uint64_t per_host, parallel, tries;
	double change_rate;  /* below 0: not given */
	int64_t snapshot_ms; /* 0: none */
	int64_t clock_ms;
	struct virtual_web_settings web;
	uint64_t *bytes; /* of each page, from a store; NULL: unknown */
};

/* Sets all defaults. */
void virtual_time_init(struct virtual_time *);

/* Frees the memory that virtual_time_from_store() has taken. A zeroed struct is allowed. */
void virtual_time_release(struct virtual_time *);

/* Gives the values of a list, and leaves the others as they are. Returns 0, or ERR_USAGE with the nearest name or the allowed
 * range in the note. */
int virtual_time_give(struct virtual_time *, const char *list, struct err_note *why) MUST_USE;

/* Sets all defaults, and then the values of a list: virtual_time_init() and virtual_time_give(). */
int virtual_time_parse(struct virtual_time *, const char *list, struct err_note *why) MUST_USE;

/* Says whether "store" is among the items of a list. */
int virtual_time_wants_store(const char *list);

/* Takes what the store of a crawl knows: the settings of its politeness, and the bytes of each page. (Which pages have failed
 * or were refused is the data set's affair.) The store has the pages of `data`. Returns 0 or an error of store_open(). */
int virtual_time_from_store(struct virtual_time *, const char *dir, const struct dataset *data, struct err_note *why) MUST_USE;

/* --- The changing web that a crawl in virtual time meets: what the data set and the settings of virtual time say of changes.
 *
 *	err = changing_web(&web, &data, path, &virtual_time, why);        *web is NULL if nothing ever changes
 *	...
 *	changing_free(web); */

/* Makes the web of a data set that was opened from `path`. With virtual_time->snapshot_ms it is a series of the months of a list of
 * links by month. Else it changes at virtual_time->change_rate, and a part of an endless web by its own `changes` if the settings
 * have no rate. Returns 0; ERR_USAGE if the settings ask for months of a graph that has none, or for changes of a store; or an
 * error of dated_snapshots(). The data set must outlive the web. */
int changing_web(struct changing **web, const struct dataset *, const char *path, const struct virtual_time *,
	struct err_note *why) MUST_USE;

#endif
