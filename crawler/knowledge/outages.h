/* The health of hosts: tells a page that is out of order from a host that is, from an address at which no host answers, and from a
 * network that is gone. A page that is requested while its host is ill is not at fault, so it goes back to the queue without a try
 * being counted, and its host is asked at growing distances.
 *
 *   struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
 *   if (outages_backs_off(o, endpoint, page, now, &until))
 *       ... the page is not requested, and its host is not asked before `until` ...
 *   outages_judge(o, endpoint, OUTAGE_OF_PAGE, &result);        each time a page comes back: the result is changed if the host is
 *                                                               at fault
 *
 * The signs of an answer, or of none:
 *   well     any status but those below: the host serves
 *   silence  no connection, or no address for the name of a host that has answered before: never the fault of a page
 *   strong   429, 502, 503 or 504; or, from a host that has answered before, no answer in time
 *   weak     any other 5xx, or a connection that ends without an answer: mostly the fault of the page
 *
 * The states of a host:
 *
 *              a strong sign of a fresh page             K fresh pages in a row have failed
 *   +------+ -------------------------------> +----------+ -------------------------------> +-----+ --+ a failure: the
 *   | well |                                  | in doubt |                                  | ill |   | back-off doubles,
 *   +------+ <------------------------------- +----------+                                  +-----+ <-+ 1 s to 30 s
 *     ^   |             an answer                                                            |   |
 *     |   |   silence; a strong sign of robots.txt; K fresh pages with weak signs            |   | not well for
 *     |   +------------------------------------------------------------------------------->  |   | `give_up_ms`
 *     +----------------------------------------------------------------------------------- --+   v
 *                                        an answer                                           given up: its pages stay queued
 *
 * A page is *fresh* until its host has served another page after the page's first failure. So a page that is out of order stops
 * being fresh as soon as its host is seen to be well, and proves nothing from then on: its failures count as tries, whatever the
 * state of other pages, and it fails when they are used up. K is 2 (weak signs: 3) for a host whose other pages are in order. If a
 * share q of its pages is known to be out of order, K fresh failures in a row would happen by chance with the probability q^K, so K
 * is the least number for which this is below OUTAGE_CHANCE.
 *
 *   well      a failure counts as a try, and the last try fails the page; except that a page of a host that has served
 *             OUTAGE_HEALED pages after their failures (a flapping host) has OUTAGE_STEADY_ASKS tries
 *   in doubt  a failure counts as a try, but the last try is not used up within OUTAGE_DOUBT_MS: so the one page that a chain of
 *             pages has at a time outlives a short illness
 *   ill       no try is counted, and one page at a time is asked for: a probe. After each failure the host is left alone for
 *             longer, and at least as long as Retry-After says; the next probe is another page. After a failed probe some pages are
 *             let pass before the next one, a number drawn below 2^failures: so a section of the site that is out of order, whose
 *             pages come one after another, is not taken for the whole site.
 *   given up  at the first failure after `give_up_ms` (and at least three failures), whatever the sign
 *
 * A host is known, and its health is recorded, at one port: that http://example.org answers says nothing of https://example.org.
 * The pages of a host that never answered, not even with an error, are the fetchers' affair: their tries are counted, and they fail
 * in the end, except during an outage of their address or of the network.
 *
 * An address backs off as a host does, port by port, while connections to known hosts at it fail one after the other and
 * none of its hosts answers between. So a server with a thousand names is tried under one name at a time, not under each
 * of the thousand. The first failure costs the address no back-off, since --connect-to may lead two hosts of one address
 * to different servers.
 *
 * The network is taken to be gone when OUTAGE_FAILURES requests in a row had no answer, and one of them asked a known host, or this
 * machine has no network. (Hosts that never answered are no evidence: the dead hosts of a crawl come together at its end.) From
 * then on a single page at a time probes the network, at growing intervals and whichever address backs off, and the first answer
 * ends the outage. The network is given up after `give_up_ms`. While the network is gone, no host is given up.
 *
 * Memory: a byte a host; 56 to 112 bytes for each host and each address that ever failed, by port; 24 to 48 for each page that ever
 * failed by a fault that may be its host's, or was let pass. One thread; time is in ms. */
#ifndef CRAWLER_OUTAGES_H
#define CRAWLER_OUTAGES_H

#include "base/buf.h"
#include "base/result.h"
#include "frontier/frontier.h"

#include <stdint.h>

#define OUTAGE_FAILURES         3     /* in a row, before the network is taken to be gone */
#define OUTAGE_FIRST_BACKOFF    1000  /* ms: after the first failure of a host */
#define OUTAGE_LONGEST_BACKOFF  30000 /* ms */
#define OUTAGE_PROBE_MS         1000  /* the first interval between two probes of the network */
#define OUTAGE_LONGEST_PROBE_MS 10000

/* The end of the back-off of a host that is given up: it lasts for the whole sitting. */
#define OUTAGE_FOR_GOOD FRONTIER_FOR_GOOD

/* see "in doubt" above: 2 minutes */
#define OUTAGE_DOUBT_MS 120000

#define OUTAGE_CHANCE      0.02 /* see K above */
#define OUTAGE_MOST_FRESH  10   /* the greatest K */
#define OUTAGE_HEALED      2    /* pages */
#define OUTAGE_STEADY_ASKS 10   /* failures of a page */

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

/* Notes that a host has answered in an earlier sitting, so that it is a known host. */
void outages_remember(struct outages *, struct endpoint);

/* What a result is about. */
enum outage_subject {
	OUTAGE_OF_PAGE,    /* a request for the page */
	OUTAGE_OF_ROBOTS,  /* a request for the robots.txt that the page waits for */
	OUTAGE_OF_EARLIER, /* no request: the page came back because of an earlier request to its host, for robots.txt */
};

/* Learns from a page that comes back how its host is, and judges whether the host is at fault. If so, and if the page's try is not
 * to be counted, the page is queued again: its state is PAGE_QUEUED, its outcome OUTCOME_BUSY if its host has answered and
 * OUTCOME_UNREACHABLE if not. If the host is to be left alone, host_pause is raised to the end of its back-off (OUTAGE_FOR_GOOD if
 * it is given up). A page that an answer has put off waits OUTAGE_FIRST_BACKOFF longer than its host, so that another page of the
 * host is asked for first. */
void outages_judge(struct outages *, struct endpoint, enum outage_subject, struct result *);

/* Whether a page may be requested: yes; not before its host may be asked; or not yet, but other pages of its host. */
enum outage_leave { OUTAGE_ASK, OUTAGE_HOST_WAITS, OUTAGE_PAGE_WAITS };

/* Says whether the page may be requested at `now`. Its host waits if it is ill, and backs off or is being probed with another page,
 * or if its address backs off; the page waits if it is let pass before the next probe. *until is the end of this wait
 * (OUTAGE_FOR_GOOD if host or address are given up). If it may be requested, and its host is ill, the page is the probe until
 * outages_judge() is told of its result, or outages_unasked() that it is not requested after all. */
enum outage_leave outages_backs_off(struct outages *, struct endpoint, uint32_t page, int64_t now, int64_t *until);

/* Takes back that a page is the probe of its host. */
void outages_unasked(struct outages *, struct endpoint, uint32_t page);

/* Says whether outages_write() would write another text than at its last call. */
int outages_has_changed(const struct outages *);

/* Appends a text from which outages_read() learns, in a later sitting, which hosts are in doubt or ill, and until when they are to
 * be left alone: a line for each. Returns the number of lines. */
size_t outages_write(struct outages *, struct buf *);

/* Reads the text of outages_write() before the first result. An illness goes on at `now` as if the time between the sittings had
 * not been, but a host is left alone until the time in the text. Lines that are none are left aside. Hosts with numbers above
 * `most`, which a damaged text may have, are left out. */
void outages_read(struct outages *, const char *text, uint32_t most, int64_t now);

/* Returns how many pages may be submitted now, when there is room for `room` and `in_flight` are in flight: `room`; but
 * while the network is gone, 1 if no page is in flight and the next probe is due, else 0. */
size_t outages_room(const struct outages *, size_t room, size_t in_flight, int64_t now);

/* Returns the time of the next probe, which may be past, while the network is gone; else INT64_MAX. */
int64_t outages_next_probe(const struct outages *);

/* Says whether the network was given up, so that no further page is requested in this sitting. */
int outages_over(const struct outages *);

/* Returns the number of hosts given up so far. */
uint64_t outages_given_up(const struct outages *);

/* Returns the number of hosts that are ill now and not given up. A host counts once for each port. */
uint64_t outages_silent(const struct outages *);

#endif
