#include "crawler/knowledge/outages.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

#define ADDRESS_SPARED 1 /* the number of failures in a row at an address that cause no back-off yet */

/* A host, or an address, that has failed. */
struct silent {
	uint64_t key;        /* host_key(), address_key() */
	int64_t since;       /* its first failure after its last answer */
	int64_t backoff_end; /* of its last back-off; a request that began earlier adds no failure */
	uint32_t failures;   /* after its last answer; 0: it answers */
	uint32_t given_up;
	uint32_t page; /* of a busy host: the first page that was answered so */
	int is_of_all; /* of a busy host: another page was, too */
};

static uint64_t host_key(struct endpoint endpoint)
{
	return (uint64_t)endpoint.host << 16 | endpoint.port;
}

static uint64_t busy_key(struct endpoint endpoint)
{
	return (uint64_t)1 << 62 | host_key(endpoint);
}

static uint64_t address_key(struct endpoint endpoint)
{
	return (uint64_t)1 << 63 | (uint64_t)endpoint.address << 16 | endpoint.port;
}

/* Returns the bit of a port in is_known[]. A host with a port in its name has only this port; any other host has those of http
 * and https. */
static unsigned port_bit(struct endpoint endpoint)
{
	return endpoint.port == 443 ? 2 : 1;
}

struct outages {
	int64_t give_up_ms;
	unsigned char *is_known; /* by host: bits of the ports that have answered */
	size_t hosts, room;
	struct map silent;               /* struct silent */
	uint64_t given_up, silent_hosts; /* hosts, at a port each */
	int any_answer;                  /* something has answered in this crawl */
	int is_quiet;                    /* the user is told nothing */

	/* since the last answer: */
	unsigned failures; /* requests that failed */
	int evidence;      /* one of them was to a known host, or this machine has no network */

	int gone; /* the network is; then: */
	int64_t gone_since, next_probe, interval;
	int64_t last_end; /* when the last outage of the network ended */
};

struct outages *outages_new(int64_t give_up_ms)
{
	struct outages *o = mem_zero(1, sizeof *o);

	o->give_up_ms = give_up_ms;
	o->next_probe = INT64_MAX;
	map_init(&o->silent, sizeof(struct silent));
	return o;
}

void outages_keep_quiet(struct outages *o)
{
	o->is_quiet = 1;
}

void outages_free(struct outages *o)
{
	if (!o)
		return;
	map_release(&o->silent);
	free(o->is_known);
	free(o);
}

static int is_known(const struct outages *o, struct endpoint endpoint)
{
	return endpoint.host < o->hosts && (o->is_known[endpoint.host] & port_bit(endpoint));
}

static void make_known(struct outages *o, struct endpoint endpoint)
{
	if (endpoint.host >= o->hosts) {
		o->is_known = mem_grow(o->is_known, &o->room, (size_t)endpoint.host + 1, 1);
		while (o->hosts <= endpoint.host)
			o->is_known[o->hosts++] = 0;
	}
	o->is_known[endpoint.host] |= (unsigned char)port_bit(endpoint);
}

/* Returns the record of a host or an address that has failed, or NULL if it never has. */
static struct silent *find(const struct outages *o, uint64_t key)
{
	return o->silent.used ? map_find(&o->silent, key) : NULL;
}

/* Says whether the host is tried again at growing intervals: it has failed, and is not given up. */
static int is_silent(const struct silent *s)
{
	return s->failures && !s->given_up;
}

/* Returns whether the host, or the address, was silent. */
static int speaks(struct outages *o, uint64_t key)
{
	struct silent *s = find(o, key);
	const int was_silent = s && is_silent(s);

	if (s)
		s->failures = 0;
	return was_silent;
}

/* Counts one more failure of a host or an address, and returns the end of its back-off; the first `spared` failures in a row cause
 * none. Returns OUTAGE_FOR_GOOD if the host or address is given up. */
static int64_t back_off(const struct outages *o, struct silent *s, uint32_t spared, int64_t started, int64_t ended)
{
	if (s->given_up)
		return OUTAGE_FOR_GOOD;
	if (!s->failures || s->since < o->last_end)
		s->since = ended; /* failures during an outage of the network do not count for the host */
	else if (started < s->backoff_end)
		/* this request began before the failure that the present back-off is for, so it adds nothing */
		return s->backoff_end;
	if (!o->gone && s->failures >= OUTAGE_FAILURES && ended - s->since >= o->give_up_ms) {
		s->given_up = 1;
		return OUTAGE_FOR_GOOD;
	}
	int64_t backoff = OUTAGE_LONGEST_BACKOFF;
	if (s->failures < spared)
		backoff = 0;
	else if (s->failures - spared < 5)
		backoff = (int64_t)OUTAGE_FIRST_BACKOFF << (s->failures - spared);
	if (s->failures < UINT32_MAX)
		s->failures++;
	s->backoff_end = ended + (backoff < OUTAGE_LONGEST_BACKOFF ? backoff : OUTAGE_LONGEST_BACKOFF);
	return s->backoff_end;
}

static void hear(struct outages *o, struct endpoint endpoint, int64_t now)
{
	if (!is_known(o, endpoint))
		make_known(o, endpoint);
	o->any_answer = 1;
	o->failures = 0;
	o->evidence = 0;
	if (o->gone) {
		if (!o->is_quiet)
			log_say("hosts answer again after %.1f s: the crawl goes on", (double)(now - o->gone_since) / 1000);
		o->gone = 0;
		o->next_probe = INT64_MAX;
		o->last_end = now;
	}
	o->silent_hosts -= (uint64_t)speaks(o, host_key(endpoint));
	if (endpoint.address)
		(void)speaks(o, address_key(endpoint));
}

void outages_answered(struct outages *o, struct endpoint endpoint, int64_t now)
{
	hear(o, endpoint, now);
	(void)speaks(o, busy_key(endpoint));
}

int outages_busy(struct outages *o, struct endpoint endpoint, uint32_t page, int64_t started, int64_t ended, int64_t *until)
{
	const int64_t patience = o->give_up_ms < OUTAGE_BUSY_MS ? o->give_up_ms : OUTAGE_BUSY_MS;

	hear(o, endpoint, ended);
	struct silent *host = map_at(&o->silent, busy_key(endpoint));
	if (!host->failures) {
		host->page = page;
		host->is_of_all = 0;
	}
	host->is_of_all |= host->page != page;
	if (host->failures && ended - host->since >= patience)
		return 0;
	const int64_t end = back_off(o, host, 0, started, ended);
	*until = end > *until ? end : *until;
	return host->is_of_all;
}

int outages_is_silence(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_DNS:
	case OUTCOME_DNS_LATER:
	case OUTCOME_CONNECT:
	case OUTCOME_NO_ROUTE:
	case OUTCOME_NO_NETWORK:
	case OUTCOME_ROBOTS_DNS:
	case OUTCOME_ROBOTS_CONNECT:
		return 1;
	default:
		return 0;
	}
}

/* Counts a failure, and begins an outage of the network if enough requests in a row have failed, and either a known host is among
 * them, or the machine has no network and some host has answered before. */
static void suspect_network(struct outages *o, int known, enum outcome outcome, int64_t now)
{
	o->failures++;
	o->evidence |= known || (o->any_answer && outcome == OUTCOME_NO_NETWORK);
	if (o->gone) {
		o->interval = o->interval * 2 < OUTAGE_LONGEST_PROBE_MS ? o->interval * 2 : OUTAGE_LONGEST_PROBE_MS;
		o->next_probe = now + o->interval;
	} else if (o->evidence && o->failures >= OUTAGE_FAILURES) {
		if (!o->is_quiet)
			log_say("no host answers (%s): the crawl waits, and tries one page at a time", outcome_word(outcome));
		o->gone = 1;
		o->gone_since = now;
		o->interval = OUTAGE_PROBE_MS;
		o->next_probe = now + o->interval;
	}
}

/* Says whether an outcome means that no connection to the address was established. */
static int is_of_address(enum outcome outcome)
{
	return outcome == OUTCOME_CONNECT || outcome == OUTCOME_ROBOTS_CONNECT || outcome == OUTCOME_NO_ROUTE;
}

/* Says whether an outage of the host, of its address (NULL: it has never failed) or of the network may explain a failure. */
static int is_explained(const struct outages *o, struct endpoint endpoint, const struct silent *address)
{
	return is_known(o, endpoint) || (address && address->failures) || (o->gone && !outages_over(o));
}

int outages_failed(struct outages *o, struct endpoint endpoint, enum outcome outcome, int64_t started, int64_t ended,
	int64_t *until)
{
	const int at_address = endpoint.address && is_of_address(outcome);
	const struct silent *address = at_address ? find(o, address_key(endpoint)) : NULL;

	suspect_network(o, is_known(o, endpoint), outcome, ended);
	if (!is_explained(o, endpoint, address))
		return 0;
	if (at_address)
		back_off(o, map_at(&o->silent, address_key(endpoint)), ADDRESS_SPARED, started, ended);
	struct silent *host = map_at(&o->silent, host_key(endpoint));
	const uint32_t was_given_up = host->given_up;
	const int was_silent = is_silent(host);
	*until = back_off(o, host, 0, started, ended);
	o->given_up += host->given_up - was_given_up;
	o->silent_hosts += (uint64_t)is_silent(host) - (uint64_t)was_silent;
	return 1;
}

int outages_failed_before(struct outages *o, struct endpoint endpoint, int64_t now, int64_t *until)
{
	const struct silent *host = find(o, host_key(endpoint));
	const struct silent *address = endpoint.address ? find(o, address_key(endpoint)) : NULL;

	/* a host that has never answered is not excused by an outage that is over */
	if (!host || !host->failures || !is_explained(o, endpoint, address))
		return 0;
	*until = host->given_up ? OUTAGE_FOR_GOOD : host->backoff_end > now ? host->backoff_end : now + OUTAGE_FIRST_BACKOFF;
	return 1;
}

int outages_backs_off(struct outages *o, struct endpoint endpoint, int64_t now, int64_t *until)
{
	const struct silent *address = endpoint.address ? find(o, address_key(endpoint)) : NULL;

	if (!address || o->gone)
		return 0;
	if (address->given_up) {
		struct silent *host = map_at(&o->silent, host_key(endpoint));
		o->given_up += !host->given_up;
		o->silent_hosts -= (uint64_t)is_silent(host);
		host->given_up = 1;
		*until = OUTAGE_FOR_GOOD;
		return 1;
	}
	*until = address->backoff_end;
	return address->failures && now < address->backoff_end;
}

size_t outages_room(const struct outages *o, size_t room, size_t in_flight, int64_t now)
{
	if (!o->gone || !room)
		return room;
	return !in_flight && now >= o->next_probe && !outages_over(o);
}

int64_t outages_next_probe(const struct outages *o)
{
	return o->next_probe;
}

int outages_over(const struct outages *o)
{
	return o->gone && o->next_probe - o->gone_since > o->give_up_ms;
}

uint64_t outages_given_up(const struct outages *o)
{
	return o->given_up;
}

uint64_t outages_silent(const struct outages *o)
{
	return o->silent_hosts;
}
