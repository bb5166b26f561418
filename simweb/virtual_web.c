#include "simweb/virtual_web.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define LONGEST_MS 1e12 /* of an outage, or between two: thirty years */

/* Each draw has a stream of the seed to itself. */
enum stream { LATENCY = 1, BANDWIDTH, SIZE, CRAWL_DELAY, DISALLOW, DEAD, OUTAGE };

static struct rng stream_of(const struct virtual_web_settings *set, enum stream which, uint32_t id)
{
	struct rng streams = {set->seed * 0x9e3779b97f4a7c15u + (uint64_t)which};

	return (struct rng){rng_next(&streams) ^ id};
}

static double draw(const struct virtual_web_settings *set, enum stream which, uint32_t id)
{
	struct rng r = stream_of(set, which, id);

	return rng_unit(&r);
}

/* Draws from a log-normal distribution; the normally distributed number is made by the method of Box and Muller. */
static double draw_spread(const struct virtual_web_settings *set, const struct spread *s, enum stream which, uint32_t id)
{
	if (s->spread == 0 || s->median == 0)
		return s->median;
	struct rng r = stream_of(set, which, id);
	const double radius = sqrt(-2 * log(1 - rng_unit(&r)));

	return s->median * exp(s->spread * radius * cos(2 * M_PI * rng_unit(&r)));
}

static int64_t exponential(struct rng *r, double mean)
{
	const double ms = -mean * log(1 - rng_unit(r));

	return ms < 1 ? 1 : ms < LONGEST_MS ? (int64_t)ms : (int64_t)LONGEST_MS;
}

/* Returns the mean length in ms of an outage, if the host is in one, else of the time until the next outage. */
static double mean_of(const struct virtual_web_settings *set, int is_silent)
{
	const double outage = (double)set->outage_ms;

	return is_silent ? outage : outage * (1 - set->outage) / set->outage;
}

/* Draws the speed of a host, whether it never answers, and its first outage. A host can begin within an outage. */
static struct virtual_host draw_host(const struct virtual_web_settings *set, uint32_t h)
{
	const double rate = draw_spread(set, &set->bandwidth, BANDWIDTH, h);
	struct virtual_host host = {.latency = draw_spread(set, &set->latency, LATENCY, h),
		.ms_per_byte = rate > 0 ? 1000 / rate : 0,
		.turn = INT64_MAX,
		.rng = stream_of(set, OUTAGE, h),
		.is_silent = draw(set, DEAD, h) < set->dead};

	if (!host.is_silent && set->outage > 0 && set->outage_ms > 0) {
		host.is_silent = rng_unit(&host.rng) < set->outage;
		if (set->outage < 1)
			host.turn = exponential(&host.rng, mean_of(set, host.is_silent));
	}
	return host;
}

void virtual_web_init(struct virtual_web *w, const struct virtual_web_settings *set, uint32_t hosts)
{
	w->set = set;
	w->host = mem_new(hosts, sizeof *w->host);
	for (uint32_t h = 0; h < hosts; h++)
		w->host[h] = draw_host(set, h);
}

void virtual_web_release(struct virtual_web *w)
{
	free(w->host);
	w->host = NULL;
}

uint32_t virtual_web_address(const struct virtual_web *w, uint32_t host)
{
	return 1 + (w->set->addresses ? host % w->set->addresses : host);
}

int virtual_web_answers(struct virtual_web *w, uint32_t host, int64_t now)
{
	struct virtual_host *h = &w->host[host];

	while (h->turn <= now) {
		h->is_silent = !h->is_silent;
		h->turn += exponential(&h->rng, mean_of(w->set, h->is_silent));
	}
	return !h->is_silent;
}

int64_t virtual_web_crawl_delay(const struct virtual_web *w, uint32_t host)
{
	return draw(w->set, CRAWL_DELAY, host) < w->set->crawl_delay ? w->set->crawl_delay_ms : -1;
}

int virtual_web_disallows(const struct virtual_web *w, uint32_t page)
{
	return w->set->disallow > 0 && draw(w->set, DISALLOW, page) < w->set->disallow;
}

uint64_t virtual_web_bytes(const struct virtual_web *w, uint32_t page)
{
	return w->set->bytes ? w->set->bytes[page] : (uint64_t)draw_spread(w->set, &w->set->size, SIZE, page);
}

int64_t virtual_web_ms(const struct virtual_web *w, uint32_t host, uint64_t bytes)
{
	const struct virtual_host *h = &w->host[host];
	const double ms = h->latency + h->ms_per_byte * (double)bytes;

	return ms < LONGEST_MS ? (int64_t)ms : (int64_t)LONGEST_MS;
}
