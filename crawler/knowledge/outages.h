/* Outages: detects hosts that have stopped answering, addresses at which no host answers, and a network that is gone. A
 * page that is requested during an outage is not at fault, so it goes back to the queue without a try being counted, and
 * its host backs off.
 *
 *   struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
 *   if (outages_backs_off(o, endpoint, now, &until))
 *       ... the page is not requested, and its host is not asked before `until` ...
 *   outages_answered(o, endpoint, now);                         each time a host answers
 *   if (outages_busy(o, endpoint, page, started, ended, &until))   but with 429 or 503
 *       ... the page is queued again, and its host is not asked before `until` ...
 *   if (outages_failed(o, endpoint, outcome, started, ended, &until))
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
 * A host is known at one port: that http://example.org answers says nothing of https://example.org. The pages of a host
 * that never answered are the fetchers' affair: their tries are counted, and they fail in the end, except during an outage
 * of their address or of the network.
 *
 * A host that answers 429 or 503 to one page after another backs off in the same way, and is asked for another page each time. It
 * is never given up.
 *
 * An address backs off as a host does, port by port, while connections to known hosts at it fail one after the other and
 * none of its hosts answers between. So a server with a thousand names is tried under one name at a time, not under each
 * of the thousand. The first failure costs the address no back-off, since --connect-to may lead two hosts of one address
 * to different servers.
 *
 * The network is taken to be gone when OUTAGE_FAILURES requests in a row failed, none was answered between them, and one
 * of them asked a known host, or this machine has no network. (Hosts that never answered are no evidence: the dead hosts
 * of a crawl come together at its end.) From then on a single page at a time probes the network, at growing intervals and
 * whichever address backs off, and the first answer ends the outage. The network is given up after `give_up_ms`. While the
 * network is gone, no host is given up.
 *
 * Memory: a byte a host, and 40 to 80 bytes for each host and each address that ever failed, by port. One thread; time is
 * in ms. */
#ifndef CRAWLER_OUTAGES_H
#define CRAWLER_OUTAGES_H

#include "base/outcome.h"
#include "frontier/frontier.h"

#include <stdint.h>

#define OUTAGE_FAILURES         3     /* in a row, before the network is taken to be gone */
#define OUTAGE_FIRST_BACKOFF    1000  /* ms: after the first failure of a host */
#define OUTAGE_LONGEST_BACKOFF  30000 /* ms */
#define OUTAGE_PROBE_MS         1000  /* the first interval between two probes of the network */
#define OUTAGE_LONGEST_PROBE_MS 10000

/* The end of the back-off of a host that is given up: it lasts for the whole sitting. */
#define OUTAGE_FOR_GOOD FRONTIER_FOR_GOOD

/* How long the answers 429 and 503 of a host cost its pages no try: 5 minutes. */
#define OUTAGE_BUSY_MS 300000

/* The default of give_up_ms: 15 minutes. */
#define OUTAGE_GIVE_UP_MS 900000

struct outages;

/* The host, address and port of a request. */
struct endpoint {
	uint32_t host;
	uint32_t address; /* its number, below 2^31, from 1; 0: it is not known */
	uint16_t port;
};

/* Returns a record without outages; the caller frees it with outages_free(). A known host, an address or the network is
 * given up when it has not answered for `give_up_ms`. */
struct outages *outages_new(int64_t give_up_ms);

/* Tells the user nothing from now on: the hosts are simulated. */
void outages_keep_quiet(struct outages *);

/* Frees the record. NULL is allowed. */
void outages_free(struct outages *);

/* Notes that a host answered a request, with any status but 429 and 503: the host is known from now on, and its outages end. */
void outages_answered(struct outages *, struct endpoint, int64_t now);

/* Notes that a host answered a request for a page, from `started` to `ended`, with 429 or 503: it answers, and is not known to
 * serve. Returns 1 if the fault is the host's: since its last answer with another status two pages were answered so, the first of
 * them less than OUTAGE_BUSY_MS (or `give_up_ms`) ago. The caller then queues the page again without counting a try. Returns 0 if
 * the page has failed, or is retried, as the fetchers have decided: so a page that alone is answered so uses up its tries, while
 * others are served, and so do all pages of a host that does not recover. The caller sets *until to the time before which the
 * answer forbids another request to the host. The function raises *until to the end of the host's back-off if this back-off, which
 * grows as that of a silent host does, ends later. A page that is queued again waits OUTAGE_FIRST_BACKOFF longer than its host, so
 * that another page of the host is asked for first. */
int outages_busy(struct outages *, struct endpoint, uint32_t page, int64_t started, int64_t ended, int64_t *until);

/* Says whether an outcome may be caused by an outage: the host's name was not resolved, or there was no connection. */
int outages_is_silence(enum outcome);

/* Notes that a request, from `started` to `ended`, failed with an outcome that outages_is_silence(). Returns 1 if an outage
 * explains the failure: the caller queues the page again without counting a try, and the host backs off until *until
 * (OUTAGE_FOR_GOOD if it is given up). Returns 0 if the page has failed, or is retried, as the fetchers have decided. */
int outages_failed(struct outages *, struct endpoint, enum outcome, int64_t started, int64_t ended, int64_t *until);

/* Answers as outages_failed() for a page that failed without a request of its own, because an earlier request to its host
 * (for robots.txt) had failed. No failure is counted. Returns 1 with *until if the host has failed since its last
 * answer and an outage still explains this, else 0. */
int outages_failed_before(struct outages *, struct endpoint, int64_t now, int64_t *until);

/* Says whether the address of a host backs off at `now`: 1 and the end of its back-off in *until (OUTAGE_FOR_GOOD if the
 * address is given up, and the host with it), or 0 if the host may be asked. */
int outages_backs_off(struct outages *, struct endpoint, int64_t now, int64_t *until);

/* Returns how many pages may be submitted now, when there is room for `room` and `in_flight` are in flight: `room`; but
 * while the network is gone, 1 if no page is in flight and the next probe is due, else 0. */
size_t outages_room(const struct outages *, size_t room, size_t in_flight, int64_t now);

/* Returns the time of the next probe, which may be past, while the network is gone; else INT64_MAX. */
int64_t outages_next_probe(const struct outages *);

/* Says whether the network was given up, so that no further page is requested in this sitting. */
int outages_over(const struct outages *);

/* Returns the number of hosts given up so far. */
uint64_t outages_given_up(const struct outages *);

/* Returns the number of hosts that back off now: they have failed since their last answer, and are not given up. A host
 * counts once for each port. */
uint64_t outages_silent(const struct outages *);

#endif
