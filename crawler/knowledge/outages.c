#include "crawler/knowledge/outages.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "fetch/answer.h"

#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_SPARED 1 /* the number of failures in a row at an address that cause no back-off yet */

#define FRESH_WEAK    3     /* the least K for weak signs */
#define PRIOR_GOOD    8     /* so many pages of a new host count as in order */
#define LONGEST_TURNS 60000 /* ms: the most that a page waits for the turns of other pages */
#define MOST_PASSED   16    /* at most 2^MOST_PASSED pages pass before a probe */
#define LOOK_MS       1000  /* a page of an ill host that is being probed is looked at again after this time */

/* A host, or an address, that has failed. */
struct ailing {
	uint64_t key;        /* host_key(), address_key() */
	int64_t since;       /* when its first failure after its last answer began, or when it fell ill */
	int64_t backoff_end; /* of its last back-off; a request that began earlier adds no failure */
	uint32_t failures;   /* after its last answer; 0: it answers */
	/* of a host: */
	uint32_t epoch;     /* the number of times that it was well again */
	uint32_t fresh;     /* the fresh pages that have failed */
	uint32_t weak;      /* those of them that had a weak sign first */
	int64_t weak_since; /* when the first of these failed */
	uint32_t probe;     /* 1 + the page that it is probed with; 0: none */
	uint32_t draws;     /* how often it was drawn how many pages are let pass before a probe */
	uint32_t pass;      /* pages that are let pass before the next probe */
	uint32_t passed;    /* pages that were since the last one */
	uint32_t queued;    /* so many pages were seen to be queued when all of them had passed; 0: it is not known */
	uint32_t bad, good; /* pages that have failed while it was well, and not been served since; answers */
	uint16_t healed;    /* pages that were served after a failure, at most OUTAGE_HEALED */
	uint8_t is_ill;
	uint8_t given_up; /* of an address, too */
};

enum sign { SIGN_STRONG, SIGN_WEAK };

/* A page that has failed by a fault that may be its host's, or was let pass. */
struct suspect {
	uint64_t key;   /* the page */
	uint32_t epoch; /* of its host, at the first failure */
	uint32_t asks;  /* failures; 0: it has none, or has been served since */
	uint32_t draw;  /* the draws of its host when it was let pass last */
};

static uint64_t host_key(struct endpoint endpoint)
{
	return (uint64_t)endpoint.host << 16 | endpoint.port;
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
	struct map ailing;      /* struct ailing */
	struct map suspects;    /* struct suspect */
	uint64_t given_up, ill; /* hosts, at a port each; those given up are not counted as ill */
	int any_answer;         /* something has answered in this crawl */
	int is_quiet;           /* the user is told nothing */
	int has_changed;        /* see outages_has_changed() */

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
	map_init(&o->ailing, sizeof(struct ailing));
	map_init(&o->suspects, sizeof(struct suspect));
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
	map_release(&o->ailing);
	map_release(&o->suspects);
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
static struct ailing *find(const struct outages *o, uint64_t key)
{
	return o->ailing.used ? map_find(&o->ailing, key) : NULL;
}

/* --- a host or an address */

static void fall_ill(struct outages *o, struct ailing *host)
{
	o->ill += !host->is_ill && !host->given_up;
	host->is_ill = 1;
}

static void give_up(struct outages *o, struct ailing *host)
{
	if (host->given_up)
		return;
	host->given_up = 1;
	o->has_changed = 1;
	o->given_up++;
	o->ill -= host->is_ill;
}

/* Returns 1 s, 2 s, 4 s ... 30 s. */
static int64_t growing(uint32_t failures)
{
	return failures < 5 ? (int64_t)OUTAGE_FIRST_BACKOFF << failures : OUTAGE_LONGEST_BACKOFF;
}

static void recover(struct outages *o, struct ailing *host)
{
	o->has_changed |= host->failures > 0;
	o->ill -= host->is_ill && !host->given_up;
	host->is_ill = 0;
	host->failures = host->pass = host->queued = 0;
}

/* Counts one more failure of a host or an address, which ends its back-off *later* than before; the first `spared` failures in a
 * row cause none. Returns whether the host or address has been silent for so long that it is given up. */
static int back_off(struct outages *o, struct ailing *a, uint32_t spared, int64_t started, int64_t ended)
{
	if (!a->failures || a->since < o->last_end)
		a->since = started >= o->last_end ? started : ended; /* not during an outage of the network */
	else if (started < a->backoff_end)
		return 0; /* this request began before the failure that the present back-off is for, so it adds nothing */
	if (!o->gone && a->failures >= OUTAGE_FAILURES && ended - a->since >= o->give_up_ms)
		return 1;
	o->has_changed = 1;
	a->backoff_end = ended + (a->failures < spared ? 0 : growing(a->failures - spared));
	if (a->failures < UINT32_MAX)
		a->failures++;
	return 0;
}

/* --- answers */

/* Notes that a host has answered, with any status: neither the network nor the host's address is gone. */
static void hear(struct outages *o, struct endpoint endpoint, int64_t now)
{
	struct ailing *address = endpoint.address ? find(o, address_key(endpoint)) : NULL;

	if (!is_known(o, endpoint))
		make_known(o, endpoint);
	o->any_answer = 1;
	o->failures = 0;
	o->evidence = 0;
	if (address)
		address->failures = 0;
	if (!o->gone)
		return;
	if (!o->is_quiet)
		log_say("hosts answer again after %.1f s: the crawl goes on", (double)(now - o->gone_since) / 1000);
	o->gone = 0;
	o->next_probe = INT64_MAX;
	o->last_end = now;
}

void outages_remember(struct outages *o, struct endpoint endpoint)
{
	hear(o, endpoint, 0);
}

/* Takes a page that its host has served from the suspects, and says whether it was one. */
static int clear(struct outages *o, struct ailing *host, uint32_t page)
{
	struct suspect *s = o->suspects.used ? map_find(&o->suspects, page) : NULL;

	if (!s || !s->asks)
		return 0;
	if (s->epoch == host->epoch)
		host->fresh--;
	else
		host->bad -= host->bad > 0;
	s->asks = 0;
	return 1;
}

/* Notes that the host has served a page: it is well, and the pages that have failed before are no longer fresh. A robots.txt that
 * came says nothing of pages that have failed. */
static void serve(struct outages *o, struct endpoint endpoint, enum outage_subject subject, uint32_t page)
{
	struct ailing *host = find(o, host_key(endpoint));

	if (!host || (subject == OUTAGE_OF_ROBOTS && host->fresh))
		return;
	if (subject == OUTAGE_OF_PAGE && clear(o, host, page) && host->healed < OUTAGE_HEALED)
		host->healed++;
	host->good += subject == OUTAGE_OF_PAGE;
	host->bad += host->fresh;
	host->fresh = host->weak = 0;
	host->epoch++;
	recover(o, host);
}

/* --- failures */

/* Says whether an outcome means that the name of the host was not resolved, or that there was no connection. */
static int is_silence(enum outcome outcome)
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

/* Says whether an outage of the host, of its address (NULL: it has never failed) or of the network may explain that a request had
 * no answer. */
static int is_explained(const struct outages *o, struct endpoint endpoint, const struct ailing *address)
{
	return is_known(o, endpoint) || (address && address->failures) || (o->gone && !outages_over(o));
}

/* Queues a page again whose host is at fault, without a try being counted. */
static void excuse(struct result *r)
{
	r->outcome = r->status ? OUTCOME_BUSY : OUTCOME_UNREACHABLE;
	r->state = PAGE_QUEUED;
}

static int64_t end_of(const struct ailing *host)
{
	return host->given_up ? OUTAGE_FOR_GOOD : host->backoff_end;
}

/* Leaves the host of a result alone until the end of its back-off. */
static void leave_alone(const struct ailing *host, struct result *r)
{
	r->host_pause = end_of(host) > r->host_pause ? end_of(host) : r->host_pause;
}

static void judge_silence(struct outages *o, struct endpoint endpoint, struct result *r)
{
	const int at_address = endpoint.address && is_of_address(r->outcome);
	const struct ailing *address = at_address ? find(o, address_key(endpoint)) : NULL;

	struct ailing *host = find(o, host_key(endpoint));
	suspect_network(o, is_known(o, endpoint) && !(host && host->is_ill), r->outcome, r->ended);
	if (!is_explained(o, endpoint, address))
		return;
	if (at_address) {
		struct ailing *a = map_at(&o->ailing, address_key(endpoint));
		if (back_off(o, a, ADDRESS_SPARED, r->started, r->ended))
			a->given_up = 1;
	}
	host = map_at(&o->ailing, host_key(endpoint));
	fall_ill(o, host);
	if (back_off(o, host, 0, r->started, r->ended))
		give_up(o, host);
	excuse(r);
	r->not_before = r->ended;
	r->host_pause = end_of(host);
}

/* Judges a page that failed without a request of its own, because an earlier request for robots.txt had failed. */
static void judge_earlier(struct outages *o, struct endpoint endpoint, struct result *r)
{
	struct ailing *host = find(o, host_key(endpoint));
	const struct ailing *address = endpoint.address ? find(o, address_key(endpoint)) : NULL;

	/* a host that has never answered is not excused by an outage that is over */
	if ((r->state != PAGE_FAILED && r->outcome != OUTCOME_ROBOTS_UNAVAILABLE) || !host || !host->is_ill ||
		!is_explained(o, endpoint, address))
		return;
	excuse(r);
	r->not_before = r->ended;
	leave_alone(host, r);
	if (r->host_pause <= r->ended)
		r->host_pause = r->ended + OUTAGE_FIRST_BACKOFF;
}

/* Returns K: how many fresh pages in a row have to fail before the host is ill. */
static uint32_t fresh_needed(const struct ailing *host, enum sign sign)
{
	const double q = (double)host->bad / ((double)host->bad + (double)host->good + PRIOR_GOOD);
	uint32_t k = 2;

	for (double chance = q * q; chance > OUTAGE_CHANCE && k < OUTAGE_MOST_FRESH; chance *= q)
		k++;
	return sign == SIGN_WEAK && k < FRESH_WEAK ? FRESH_WEAK : k;
}

/* Says whether weak signs alone make the host ill: K fresh pages have had one, the first of them less than OUTAGE_DOUBT_MS ago. */
static int is_burst(const struct ailing *host, int64_t now)
{
	return host->weak >= fresh_needed(host, SIGN_WEAK) && now - host->weak_since < OUTAGE_DOUBT_MS;
}

/* Returns the record of a page that fails. A failure while its host is ill is not counted, beyond the first. */
static struct suspect *suspect_page(struct outages *o, struct ailing *host, uint32_t page)
{
	struct suspect *s = map_at(&o->suspects, page);

	if (!s->asks) {
		s->epoch = host->epoch;
		s->asks = 1;
		host->fresh++;
	} else if (!host->is_ill) {
		s->asks++;
	}
	return s;
}

/* Lets a page that is queued again wait longer than its host, and the longer the more often it has failed, so that other pages of
 * the host are asked for first. Where several pages have failed, each waits for further turns of its host: else they would take all
 * turns among themselves. */
static void put_off(const struct ailing *host, const struct suspect *page, struct result *r)
{
	const int64_t own = r->ended + growing(page->asks - 1);
	const int64_t pause = r->host_pause > r->ended && r->host_pause < OUTAGE_FOR_GOOD ? r->host_pause - r->ended : 0;
	const int64_t others = (int64_t)host->fresh + host->bad - 1, wait = others > 0 ? 2 * others * pause : 0;
	const int64_t turns = wait < LONGEST_TURNS ? wait : LONGEST_TURNS;
	const int64_t behind = pause ? r->ended + pause + OUTAGE_FIRST_BACKOFF + turns : r->ended;

	r->not_before = own > r->not_before ? own : r->not_before;
	r->not_before = behind > r->not_before ? behind : r->not_before;
}

/* Draws how many pages are let pass before the next probe, after one that has failed. */
static void draw_probe(struct ailing *host)
{
	struct rng r = {host->key << 20 ^ ++host->draws};
	const uint32_t most = host->failures < MOST_PASSED ? 1u << host->failures : 1u << MOST_PASSED;

	host->pass = (uint32_t)rng_below(&r, host->queued && host->queued < most ? host->queued : most);
	host->passed = 0;
}

/* Says whether a page of an ill host is let pass. When a page comes for the second time, all queued ones have passed, and it is the
 * probe. */
static int passes(struct outages *o, struct ailing *host, uint32_t page)
{
	if (!host->pass)
		return 0;
	struct suspect *s = map_at(&o->suspects, page);
	if (s->draw == host->draws) {
		host->queued = host->passed;
		host->pass = 0;
		return 0;
	}
	s->draw = host->draws;
	host->pass--;
	host->passed++;
	return 1;
}

/* Judges a page with a strong or a weak sign. */
static void judge_page(struct outages *o, struct endpoint endpoint, int is_weak, struct result *r)
{
	struct ailing *host = map_at(&o->ailing, host_key(endpoint));
	const int is_last = r->state != PAGE_QUEUED;
	const struct suspect *page = suspect_page(o, host, r->id);
	const int is_fresh = page->epoch == host->epoch, was_ill = host->is_ill;
	const uint32_t failures = host->failures;

	if (!r->status && is_fresh && !is_weak)
		suspect_network(o, !host->is_ill, r->outcome, r->ended);
	if (is_weak && is_fresh && page->asks == 1 && !host->weak++)
		host->weak_since = r->ended;
	if (is_weak ? is_burst(host, r->ended) : host->fresh >= fresh_needed(host, SIGN_STRONG))
		fall_ill(o, host);
	else if (is_weak && r->status)
		recover(o, host); /* it answers, and has been silent, or was in doubt */
	if (host->is_ill || (is_fresh && !is_weak)) {
		const int is_over = back_off(o, host, 0, r->started, r->ended);
		if (r->host_pause > host->backoff_end)
			host->backoff_end = r->host_pause;
		if (!was_ill && host->is_ill && r->status)
			host->since = r->started; /* the time of doubt is no time of illness */
		if (was_ill && host->failures > failures)
			draw_probe(host);
		if (is_over && host->is_ill)
			give_up(o, host);
		leave_alone(host, r);
	}
	const int64_t patience = o->give_up_ms < OUTAGE_DOUBT_MS ? o->give_up_ms : OUTAGE_DOUBT_MS;
	const int in_doubt = host->failures && r->ended - host->since < patience;
	const int is_flapping = host->healed >= OUTAGE_HEALED && page->asks < OUTAGE_STEADY_ASKS;
	if (host->is_ill || (is_last && !is_weak && (in_doubt || is_flapping)))
		excuse(r);
	if (r->state == PAGE_QUEUED)
		put_off(host, page, r);
}

/* Judges a page whose host's robots.txt was answered with a strong sign: nothing of the host may be asked for. */
static void judge_robots(struct outages *o, struct endpoint endpoint, struct result *r)
{
	struct ailing *host = map_at(&o->ailing, host_key(endpoint));

	fall_ill(o, host);
	if (back_off(o, host, 0, r->started, r->ended))
		give_up(o, host);
	leave_alone(host, r);
}

void outages_judge(struct outages *o, struct endpoint endpoint, enum outage_subject subject, struct result *r)
{
	outages_unasked(o, endpoint, r->id);
	if (subject == OUTAGE_OF_EARLIER) {
		judge_earlier(o, endpoint, r);
	} else if (r->status) {
		hear(o, endpoint, r->ended);
		if (r->status < 500 && !answer_blames_host(r->status))
			serve(o, endpoint, subject, r->id);
		else if (subject == OUTAGE_OF_PAGE)
			judge_page(o, endpoint, !answer_blames_host(r->status), r);
		else if (answer_blames_host(r->status))
			judge_robots(o, endpoint, r);
	} else if (is_silence(r->outcome) || (r->outcome == OUTCOME_ROBOTS_TIMEOUT && is_known(o, endpoint))) {
		judge_silence(o, endpoint, r);
	} else if ((r->outcome == OUTCOME_TIMEOUT || r->outcome == OUTCOME_BROKEN) && is_known(o, endpoint)) {
		judge_page(o, endpoint, r->outcome == OUTCOME_BROKEN, r);
	}
}

void outages_unasked(struct outages *o, struct endpoint endpoint, uint32_t page)
{
	struct ailing *host = find(o, host_key(endpoint));

	if (host && host->probe == page + 1)
		host->probe = 0;
}

enum outage_leave outages_backs_off(struct outages *o, struct endpoint endpoint, uint32_t page, int64_t now, int64_t *until)
{
	const struct ailing *address = endpoint.address ? find(o, address_key(endpoint)) : NULL;
	struct ailing *host = find(o, host_key(endpoint));

	if (!host && address && address->given_up) {
		host = map_at(&o->ailing, host_key(endpoint));
		address = find(o, address_key(endpoint)); /* the records of the map may have moved */
	}
	if (o->gone)
		return OUTAGE_ASK;
	if (address && address->given_up)
		give_up(o, host);
	if (host && host->given_up) {
		*until = OUTAGE_FOR_GOOD;
		return OUTAGE_HOST_WAITS;
	}
	*until = address && address->failures ? address->backoff_end : INT64_MIN;
	if (host && host->failures && host->backoff_end > *until)
		*until = host->backoff_end;
	if (now < *until)
		return OUTAGE_HOST_WAITS;
	if (!host || !host->is_ill)
		return OUTAGE_ASK;
	*until = now + LOOK_MS;
	if (host->probe && host->probe != page + 1)
		return OUTAGE_HOST_WAITS;
	if (!host->probe && passes(o, host, page))
		return OUTAGE_PAGE_WAITS;
	host->probe = page + 1;
	return OUTAGE_ASK;
}

/* --- from one sitting to the next */

int outages_has_changed(const struct outages *o)
{
	return o->has_changed;
}

size_t outages_write(struct outages *o, struct buf *out)
{
	struct map_walk walk = {0};
	const struct ailing *a;
	size_t n = 0;

	o->has_changed = 0;
	while ((a = map_next(&o->ailing, &walk))) {
		if (!a->failures || a->given_up || a->key >> 63)
			continue;
		buf_format(out, "%llu %u %d %lld %lld\n", (unsigned long long)a->key, a->failures, a->is_ill, (long long)a->since,
			(long long)a->backoff_end);
		n++;
	}
	return n;
}

void outages_read(struct outages *o, const char *text, uint32_t most, int64_t now)
{
	unsigned long long key;
	long long since, end;
	unsigned failures;
	int is_ill, n;

	for (; text && sscanf(text, "%llu %u %d %lld %lld%n", &key, &failures, &is_ill, &since, &end, &n) == 5; text += n) {
		if (key >> 16 > most || !failures || since < 0 || since > end)
			continue;
		struct ailing *host = map_at(&o->ailing, key);
		make_known(o, (struct endpoint){.host = (uint32_t)(key >> 16), .port = (uint16_t)key});
		host->since = end < now ? since + now - end : since;
		host->failures = failures;
		host->backoff_end = end < now + ANSWER_MAX_DELAY ? end : now + ANSWER_MAX_DELAY;
		if (is_ill)
			fall_ill(o, host);
	}
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
	return o->ill;
}
