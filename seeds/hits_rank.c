#include "seeds/hits_rank.h"
#include "base/mem.h"

#include <stdlib.h>

void hits_rank_init(
	struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads)
{
	const uint32_t n = p->graph.nodes;

	*r = (struct hits_rank){.pruned = p,
		.iterations = iterations,
		.arcs = p->graph.arcs,
		.dead = mem_zero(n, sizeof *r->dead),
		.hub = mem_new(n, sizeof *r->hub),
		.authority = mem_new(n, sizeof *r->authority)};
	hits_init(&r->hits, &p->graph, &p->reverse, threads);
}

void hits_rank_release(struct hits_rank *r)
{
	hits_release(&r->hits);
	free(r->dead);
	free(r->hub);
	free(r->authority);
	*r = (struct hits_rank){0};
}

static uint64_t count_alive(const struct hits_rank *r, const struct graph *g, uint32_t u)
{
	uint64_t alive = 0;

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		alive += !r->dead[g->target[a]];
	return alive;
}

void hits_rank_remove(struct hits_rank *r, uint32_t node)
{
	r->arcs -= count_alive(r, &r->pruned->graph, node);
	r->arcs -= count_alive(r, &r->pruned->reverse, node);
	r->dead[node] = 1;
}

static double greatest(const double *value, uint32_t n)
{
	double max = 0.0;

	for (uint32_t v = 0; v < n; v++)
		max = value[v] > max ? value[v] : max;
	return max;
}

void hits_rank_update(struct hits_rank *r)
{
	const uint32_t n = r->pruned->graph.nodes;

	hits_run(&r->hits, r->iterations, r->dead, r->hub, r->authority);
	r->hub_max = greatest(r->hub, n);
	r->authority_max = greatest(r->authority, n);
}

static uint64_t key_of(double value, double max)
{
	return max > 0.0 ? (uint64_t)(value / max * (double)HITS_KEY_MAX + 0.5) : 0;
}

uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u)
{
	return key_of(r->hub[u], r->hub_max);
}

uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v)
{
	return key_of(r->authority[v], r->authority_max);
}

uint32_t hits_rank_top(const struct hits_rank *r)
{
	uint32_t v = 0;

	while (hits_rank_authority(r, v) != HITS_KEY_MAX)
		v++;
	return v;
}
