/* Outages: detects hosts that have stopped answering, and a network that is gone. A page that is requested during an
 * outage is not at fault, so it goes back to the queue without a try being counted, and its host backs off.
 *
 *   struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
 *   outages_answered(o, host, now);                          each time a host answers, with any status
 *   if (outages_failed(o, host, outcome, started, ended, &until))
 *       ... the page is queued again, and its host is not asked before `until` ...
 *
 * The states of a host that has answered at least once (a *known* host):
 *
 *                   failure: back-off of 1 s          failure: the back-off doubles, up to 30 s
 *    +-----------+ -------------------------> +-----------+ ----+
 *    | answering |                            | backs off |     |
 *    +-----------+ <------------------------- +-----------+ <---+
 *                           answer                  |
 *                                                   | no answer for `give_up_ms`
 *                                                   v
 *                                               given up: its pages stay queued, for a later sitting
 *
 * Pages of a host that has never answered are not handled here, except during an outage of the network: their tries are
 * counted, and they fail in the end.
 *
 * The network is considered gone after OUTAGE_FAILURES failures in a row without an answer between them, if one of the
 * failures was of a known host or said that this machine has no network. (Failures of hosts that have never answered are
 * no evidence, because such hosts accumulate at the end of a crawl.) From then on one page at a time is requested as
 * a probe, at growing intervals; the first answer ends the outage. The network is given up after `give_up_ms`. During
 * an outage of the network no single host is given up.
 *
 * Memory: one byte for each host, and 40 to 80 bytes for each host that ever failed. One thread uses a struct; times are
 * in ms of the source's clock. */
#ifndef CRAWLER_OUTAGES_H
#define CRAWLER_OUTAGES_H

#include "base/outcome.h"

#include <stdint.h>

#define OUTAGE_FAILURES         3     /* failures in a row after which the network is considered gone */
#define OUTAGE_FIRST_BACKOFF    1000  /* ms: the back-off after a host's first failure */
#define OUTAGE_LONGEST_BACKOFF  30000 /* ms */
#define OUTAGE_PROBE_MS         1000  /* the first interval between two probes of the network */
#define OUTAGE_LONGEST_PROBE_MS 10000 /* the longest interval between two probes */

/* The end of the back-off of a host that is given up: never within this sitting. */
#define OUTAGE_FOR_GOOD (INT64_MAX / 2)

struct outages;

/* The default of `give_up_ms`: 15 minutes. */
#define OUTAGE_GIVE_UP_MS 900000

/* Returns a struct that knows no hosts. `give_up_ms` is how long a known host, or the network, may be silent before it is
 * given up. The caller frees it with outages_free(). */
struct outages *outages_new(int64_t give_up_ms);

/* Frees the struct. NULL is allowed. */
void outages_free(struct outages *);

/* Notes that a host has answered a request; an error status is an answer, too. */
void outages_answered(struct outages *, uint32_t host, int64_t now);

/* Says whether an outcome can be caused by an outage: the host's name was not resolved, or there was no connection. */
int outages_is_silence(enum outcome);

/* Notes that a request from `started` to `ended` had an outcome for which outages_is_silence() is 1. Returns 1 if the page
 * is not at fault: the caller queues the page again without counting a try, and does not ask the host before *until,
 * which is OUTAGE_FOR_GOOD if the host is given up. Returns 0 if the page is to be treated as the fetchers say. */
int outages_failed(struct outages *, uint32_t host, enum outcome, int64_t started, int64_t ended, int64_t *until);

/* Returns how many pages may be submitted now: `room`, or while the network is gone 1 if a probe is due and no page is in
 * flight, and else 0. */
size_t outages_room(const struct outages *, size_t room, size_t in_flight, int64_t now);

/* Returns the time of the next probe while the network is gone, which may be in the past; INT64_MAX otherwise. */
int64_t outages_next_probe(const struct outages *);

/* Says whether the network has been given up, so that nothing more is requested in this sitting. */
int outages_over(const struct outages *);

/* Returns the number of hosts that have been given up. */
uint64_t outages_given_up(const struct outages *);

#endif
