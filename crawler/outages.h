/* Outages: hosts that have answered before and do not answer now, and a network that is gone. The pages asked
 * for meanwhile are not at fault, so they go back to the queue without a try being counted.
 *
 *   struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
 *   outages_answered(o, host, now);                          each time a host answers, whatever it says
 *   if (outages_failed(o, host, outcome, started, ended, &until))
 *       ...                                                  the page goes back; the host rests until then
 *
 *            an answer                          an answer
 *   +-----------------------+    +------------------------------------------+
 *   v                       |    v                                          |
 *   answers --a failure--> backs off --another: twice the rest, up to 30 s--+
 *                               |
 *                               +-- no answer for `give_up_ms` --> given up: its queue is kept for a later sitting
 *
 * A host is *known* once it has answered. What happens to pages of a host that never answered is the fetchers'
 * affair (their tries are counted, and they fail in the end), except during an outage of the network.
 *
 * The network is taken to be gone when OUTAGE_FAILURES requests in a row failed, none answered between them, and one of
 * these asked a known host, or this machine has no network. (Hosts that never answered are no evidence: the dead ones
 * of a crawl come together at its end.) Then a single page at a time probes whether the network is back, at growing
 * intervals; the first answer ends the outage. The network is given up after `give_up_ms`. Meanwhile no host is given
 * up by itself.
 *
 * Memory: a byte a host, and 40 to 80 bytes for each that ever failed. One thread; time is in ms. */
#ifndef CRAWLER_OUTAGES_H
#define CRAWLER_OUTAGES_H

#include "base/outcome.h"

#include <stdint.h>

#define OUTAGE_FAILURES     3     /* in a row, before the network is taken to be gone */
#define OUTAGE_FIRST_REST   1000  /* ms: the rest after the first failure of a host */
#define OUTAGE_LONGEST_REST 30000 /* ms */
#define OUTAGE_PROBE_MS     1000  /* the first interval between two probes of the network */
#define OUTAGE_LONGEST_PROBE_MS 10000

/* The rest of a host that is given up: for the whole sitting. */
#define OUTAGE_FOR_GOOD (INT64_MAX / 2)

struct outages;

/* How long a crawl is patient with silence unless the user says otherwise: 15 minutes. */
#define OUTAGE_GIVE_UP_MS 900000

/* `give_up_ms`: how long a known host, or the network, may be silent before it is given up. */
struct outages *outages_new(int64_t give_up_ms);
void outages_free(struct outages *);

/* A host answered a request, be it with an error status. */
void outages_answered(struct outages *, uint32_t host, int64_t now);

/* Whether an outcome may be an outage's: the host's name was not resolved, or no connection came about. */
int outages_is_silence(enum outcome);

/* A request that began at `started` ended at `ended` in silence. Returns 1 where the page is not at fault: it goes
 * back to the queue, no try is counted, and the host rests until *until (OUTAGE_FOR_GOOD where it is given up); or 0
 * where the fetchers' judgement of the page holds. */
int outages_failed(struct outages *, uint32_t host, enum outcome, int64_t started, int64_t ended, int64_t *until);

/* How many of `room` more pages may be asked for now, `in_flight` being asked for: all of them, or at most one
 * while the network is gone. */
size_t outages_room(const struct outages *, size_t room, size_t in_flight, int64_t now);

/* While the network is gone, the time of the next probe, which is at hand or to come; else INT64_MAX. */
int64_t outages_next_probe(const struct outages *);

/* Whether the network was given up: nothing more is asked for in this sitting. */
int outages_over(const struct outages *);

/* Hosts given up so far. */
uint64_t outages_given_up(const struct outages *);

#endif
