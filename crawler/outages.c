#include "crawler/outages.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

/* A host that has failed, by its number + 1. */
struct silent_host {
	uint64_t key;
	int64_t since;    /* its first failure after its last answer */
	int64_t backoff_end; /* of its last back-off; a request that began earlier adds no failure */
	uint32_t failures;   /* back-offs since its last answer; 0: it answers */
	uint32_t given_up;
};

struct outages {
	int64_t give_up_ms;
	unsigned char *is_known; /* by host */
	size_t hosts, room;
	struct map silent; /* struct silent_host */
	uint64_t given_up;
	int any_answer; /* something has answered in this crawl */

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
	map_init(&o->silent, sizeof(struct silent_host));
	return o;
}

void outages_free(struct outages *o)
{
	if (!o)
		return;
	map_release(&o->silent);
	free(o->is_known);
	free(o);
}

static int is_known(const struct outages *o, uint32_t host)
{
	return host < o->hosts && o->is_known[host];
}

static void make_known(struct outages *o, uint32_t host)
{
	if (host >= o->hosts) {
		o->is_known = mem_grow(o->is_known, &o->room, (size_t)host + 1, 1);
		while (o->hosts <= host)
			o->is_known[o->hosts++] = 0;
	}
	o->is_known[host] = 1;
}

void outages_answered(struct outages *o, uint32_t host, int64_t now)
{
	struct silent_host *h;

	if (!is_known(o, host))
		make_known(o, host);
	o->any_answer = 1;
	o->failures = 0;
	o->evidence = 0;
	if (o->gone) {
		log_say("hosts answer again after %.1f s: the crawl goes on",
			(double)(now - o->gone_since) / 1000);
		o->gone = 0;
		o->next_probe = INT64_MAX;
		o->last_end = now;
	}
	if (o->silent.used && (h = map_find(&o->silent, (uint64_t)host + 1)))
		h->failures = 0;
}

int outages_is_silence(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_DNS:
	case OUTCOME_DNS_LATER:
	case OUTCOME_CONNECT:
	case OUTCOME_NO_ROUTE:
	case OUTCOME_NO_NETWORK:
		return 1;
	default:
		return 0;
	}
}

/* Counts a failure towards an outage of the network, and begins one. */
static void suspect_network(struct outages *o, int known, enum outcome outcome, int64_t now)
{
	o->failures++;
	o->evidence |= known || (o->any_answer && outcome == OUTCOME_NO_NETWORK);
	if (o->gone) {
		o->interval = o->interval * 2 < OUTAGE_LONGEST_PROBE_MS ? o->interval * 2
									: OUTAGE_LONGEST_PROBE_MS;
		o->next_probe = now + o->interval;
	} else if (o->evidence && o->failures >= OUTAGE_FAILURES) {
		log_say("no host answers (%s): the crawl waits, and tries one page at a time",
			outcome_word(outcome));
		o->gone = 1;
		o->gone_since = now;
		o->interval = OUTAGE_PROBE_MS;
		o->next_probe = now + o->interval;
	}
}

/* The end of the host's back-off after one more failure. */
static int64_t back_off(struct outages *o, struct silent_host *h, int64_t started, int64_t ended)
{
	if (h->given_up)
		return OUTAGE_FOR_GOOD;
	if (h->failures && h->since < o->last_end)
		h->since = ended; /* the network's silence was not the host's */
	if (!h->failures)
		h->since = ended;
	else if (started < h->backoff_end)
		return h->backoff_end; /* it began before the failure that the host backs off from */
	if (!o->gone && h->failures >= OUTAGE_FAILURES && ended - h->since >= o->give_up_ms) {
		h->given_up = 1;
		o->given_up++;
		return OUTAGE_FOR_GOOD;
	}
	int64_t backoff = OUTAGE_LONGEST_BACKOFF;
	if (h->failures < 5)
		backoff = (int64_t)OUTAGE_FIRST_BACKOFF << h->failures;
	if (h->failures < UINT32_MAX)
		h->failures++;
	h->backoff_end = ended + (backoff < OUTAGE_LONGEST_BACKOFF ? backoff : OUTAGE_LONGEST_BACKOFF);
	return h->backoff_end;
}

int outages_failed(struct outages *o, uint32_t host, enum outcome outcome, int64_t started, int64_t ended,
	int64_t *until)
{
	const int known = is_known(o, host);

	suspect_network(o, known, outcome, ended);
	if (!known && (!o->gone || outages_over(o)))
		return 0;
	*until = back_off(o, map_at(&o->silent, (uint64_t)host + 1), started, ended);
	return 1;
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
