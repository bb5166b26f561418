/* What a page costs with ten hosts and with a million, all of them ready or waiting for their delay,
 * on addresses of their own and a hundred to an address. In virtual time, no page fetched: the
 * frontier alone. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "frontier/frontier.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGES 1000000u /* taken; each leads to another one, of any host */
#define FIRST 1500000u /* queued at first */

/* A policy that scores by chance: half of the hosts have something good. */
static void score(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->page[seeds[i]].key = (double)rng_below(c->state, 1u << 20);
}

static const struct policy by_chance = {.name = "by-chance",
	.summary = "a random key",
	.source = "none",
	.order = POLICY_HIGHEST_FIRST,
	.state_size = sizeof(struct rng),
	.seed = score};

struct hosts {
	uint32_t n;
};

static uint32_t host_of(void *ctx, uint32_t id)
{
	return (uint32_t)(((uint64_t)(id * 2654435761u) * ((const struct hosts *)ctx)->n) >> 32);
}

/* A page of each host is taken, and put back with the address of the host, so many names to an address. */
static void find_addresses(struct frontier *f, struct hosts *hosts, uint32_t names)
{
	uint32_t *taken = mem_new(hosts->n, sizeof *taken), n = 0;

	while (names && n < hosts->n && frontier_take(f, 0, &taken[n]))
		n++;
	for (uint32_t i = 0; i < n; i++)
		if (frontier_ended(f, taken[i],
			    &(struct frontier_end){.state = PAGE_QUEUED,
				    .request = FRONTIER_NOT_ASKED,
				    .host = &(struct frontier_host_news){.address = 1 + host_of(hosts, taken[i]) / names,
					    .delay = -1}}))
			abort();
	free(taken);
}

static double run(uint32_t n, uint32_t names, int64_t delay)
{
	struct hosts hosts = {n};
	const struct frontier_world w = {.ctx = &hosts, .host = host_of};
	const struct opt_set none = {0};
	const struct frontier_settings s =
		{.policy = &by_chance, .opts = &none, .batch = 1, .ids = PAGES + FIRST, .delay_ms = delay, .per_host = 1};
	struct frontier *f;
	uint32_t *seeds = mem_new(FIRST, sizeof *seeds), next = FIRST, id;
	int64_t now = 0;

	if (frontier_new(&f, &s, &w, NULL))
		abort();
	for (uint32_t i = 0; i < FIRST; i++)
		seeds[i] = i;
	frontier_seed(f, seeds, FIRST);
	free(seeds);
	find_addresses(f, &hosts, names);
	int64_t begun = clock_cpu_ns();
	for (uint32_t i = 0; i < PAGES; i++) {
		while (!frontier_take(f, now, &id))
			now = frontier_next_time(f);
		frontier_seed(f, &(uint32_t){next++}, 1);
		if (frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = now}))
			abort();
	}
	const double ns = (double)(clock_cpu_ns() - begun) / PAGES;
	frontier_free(f);
	return ns;
}

int main(void)
{
	static const uint32_t hosts[] = {10, 1000, 1000000};

	printf("# ns a page, taken, queued and told of: %u pages, %u queued all the while\n", PAGES, FIRST);
	printf("hosts\tready\twaiting\thundred_to_an_address\n");
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		double ready = run(hosts[i], 0, 0), waiting = run(hosts[i], 0, 1000);
		fflush(stdout);
		printf("%u\t%.0f\t%.0f\t%.0f\n", hosts[i], ready, waiting, run(hosts[i], 100, 1000));
	}
	return 0;
}
