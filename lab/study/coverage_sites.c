#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/generate.h"
#include "lab/study/coverage_study.h"
#include "seeds/attributes.h"

#include <math.h>
#include <stdlib.h>

/* Returns for each host whether a page of another host links to it. */
static uint8_t *find_entered(const struct coverage_sites *s, uint32_t hosts)
{
	uint8_t *entered = mem_zero(hosts, 1);

	for (uint32_t u = 0; u < s->graph->nodes; u++)
		for (uint64_t a = s->graph->offset[u]; a < s->graph->offset[u + 1]; a++)
			if (s->host[s->graph->target[a]] != s->host[u])
				entered[s->host[s->graph->target[a]]] = 1;
	return entered;
}

/* Returns how many of node[begin] to node[end - 1] were fetched. */
static uint32_t count_fetched(const struct coverage_sites *s, uint32_t begin, uint32_t end, const uint8_t *fetched)
{
	uint32_t n = 0;

	for (uint32_t at = begin; at < end; at++)
		n += !fetched || fetched[s->node[at]];
	return n;
}

void coverage_sites_init(struct coverage_sites *s, const struct graph *g, const uint32_t *host, uint32_t hosts,
	const int64_t *value, const uint8_t *fetched)
{
	*s = (struct coverage_sites){.graph = g,
		.host = host,
		.value = value,
		.site = mem_new(hosts, sizeof *s->site),
		.first = mem_zero((size_t)hosts + 2, sizeof *s->first),
		.node = mem_new(g->nodes, sizeof *s->node),
		.number = mem_new(g->nodes, sizeof *s->number)};
	uint8_t *entered = find_entered(s, hosts);
	for (uint32_t v = 0; v < g->nodes; v++)
		s->first[host[v] + 2]++;
	for (uint32_t i = 0; i < hosts; i++)
		s->first[i + 2] += s->first[i + 1];
	for (uint32_t v = 0; v < g->nodes; v++)
		s->node[s->first[host[v] + 1]++] = v;
	for (uint32_t i = 0; i < hosts; i++) {
		const uint32_t begin = s->first[i], end = s->first[i + 1];
		for (uint32_t at = begin; at < end; at++)
			s->number[s->node[at]] = at - begin;
		if (entered[i] && count_fetched(s, begin, end, fetched) >= COVERAGE_SITE_PAGES)
			s->site[s->n++] = i;
	}
	free(entered);
}

void coverage_sites_release(struct coverage_sites *s)
{
	free(s->site);
	free(s->first);
	free(s->node);
	free(s->number);
	*s = (struct coverage_sites){0};
}

void coverage_sites_make(void *ctx, uint32_t i, struct coverage_site *site)
{
	const struct coverage_sites *s = ctx;
	const struct graph *g = s->graph;
	const uint32_t *node = s->node + s->first[s->site[i]];
	const uint32_t n = s->first[s->site[i] + 1] - s->first[s->site[i]];
	uint64_t *offset = mem_new((size_t)n + 1, sizeof *offset), arcs = 0, room = 0;

	for (uint32_t k = 0; k < n; k++)
		room += graph_outdegree(g, node[k]);
	uint32_t *target = mem_new(room, sizeof *target);
	for (uint32_t k = 0; k < n; k++) {
		offset[k] = arcs;
		for (uint64_t a = g->offset[node[k]]; a < g->offset[node[k] + 1]; a++)
			if (s->host[g->target[a]] == s->host[node[k]])
				target[arcs++] = s->number[g->target[a]];
	}
	offset[n] = arcs;
	graph_take_rows(&site->graph, n, offset, target, g->flags & GRAPH_ORDERED);
	site->value = s->value ? mem_new(n, sizeof *site->value) : NULL;
	for (uint32_t k = 0; s->value && k < n; k++)
		site->value[k] = s->value[node[k]];
}

void coverage_made_site(void *ctx, uint32_t i, struct coverage_site *site)
{
	const uint64_t seed = *(const uint64_t *)ctx;
	struct rng rng = {seed + ((uint64_t)i << 32)};
	struct generate with = GENERATE_DEFAULT;

	with.nodes = (uint32_t)(COVERAGE_SITE_PAGES * pow(10, rng_unit(&rng) * rng_unit(&rng)));
	with.arcs_per_node = 2 + 10 * rng_unit(&rng);
	with.intra_host = 0.5 + 0.5 * rng_unit(&rng); /* its hosts stand for sections */
	with.rng_seed = rng_next(&rng);
	generate(&with, &site->graph);
	site->value = mem_new(with.nodes, sizeof *site->value);
	const struct uniqueness p = {rng_below(&rng, 1000001), 1000000};
	for (uint32_t v = 0; v < with.nodes; v++) {
		const int spam = rng_below(&rng, 20) == 0, clicked = rng_below(&rng, 20) == 0;
		const uint64_t uncrawled = rng_below(&rng, 3) ? 0 : rng_below(&rng, 10);
		site->value[v] = attributes_value(spam, clicked, uncrawled, p);
	}
}
