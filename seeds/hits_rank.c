#include "seeds/hits_rank.h"
#include "base/mem.h"
#include "graph/blocks.h"
#include "seeds/sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BATCH 256 /* small parts that are one piece of work for a thread */

void hits_rank_init(
	struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads)
{
	*r = (struct hits_rank){
		.pruned = p, .iterations = iterations, .threads = threads, .arcs = p->graph.arcs};
	parts_init(&r->parts, p);
	r->hub = mem_big(p->graph.nodes, sizeof *r->hub);
	r->authority = mem_big(p->graph.nodes, sizeof *r->authority);
}

void hits_rank_release(struct hits_rank *r)
{
	parts_release(&r->parts);
	mem_big_free(r->hub, r->pruned->graph.nodes, sizeof *r->hub);
	mem_big_free(r->authority, r->pruned->graph.nodes, sizeof *r->authority);
	*r = (struct hits_rank){0};
}

static uint64_t count_left(const struct hits_rank *r, const struct graph *g, uint32_t u)
{
	uint64_t left = 0;

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		left += (uint64_t)hits_rank_is_left(r, g->target[a]);
	return left;
}

void hits_rank_remove(struct hits_rank *r, uint32_t node)
{
	r->arcs -= count_left(r, &r->pruned->graph, node);
	r->arcs -= count_left(r, &r->pruned->reverse, node);
	parts_remove(&r->parts, node);
}

/* --- a part */

struct sweeps {
	struct sweep to_hub, to_authority;
};

static void release_sweeps(struct sweeps *s)
{
	sweep_release(&s->to_hub);
	sweep_release(&s->to_authority);
}

/* y relative to its greatest; returns the logarithm of that. */
static double divide(double *y, uint32_t n)
{
	double max = 0.0;

	for (uint32_t i = 0; i < n; i++)
		max = y[i] > max ? y[i] : max;
	for (uint32_t i = 0; i < n; i++)
		y[i] /= max;
	return log(max);
}

static void build(const struct hits_rank *r, const struct part *part, struct sweeps *s)
{
	const struct parts *p = &r->parts;
	const struct sweep_of hubs = {&r->pruned->graph, p->hub + part->hubs.at, part->hubs.n,
		p->dead, p->authority_place, part->authorities.at};
	const struct sweep_of authorities = {&r->pruned->reverse,
		p->authority + part->authorities.at, part->authorities.n, p->dead, p->hub_place,
		part->hubs.at};

	sweep_build(&s->to_hub, &hubs);
	sweep_build(&s->to_authority, &authorities);
}

/* So many iterations from all ones. A vector is divided by its norm where the next half reads it;
 * what it was divided by so far, in logarithms, is `log_norm` at the end. */
static void run_part(struct hits_rank *r, struct part *part, unsigned threads, struct sweeps *s)
{
	double *hub = r->hub + part->hubs.at, *authority = r->authority + part->authorities.at;
	double log_norm = 0.0, log_authority = 0.0, log_hub = 0.0, scale = 1.0;
	unsigned done = 0;
	int same = 0;

	build(r, part, s);
	for (uint32_t i = 0; i < part->hubs.n; i++)
		hub[i] = 1.0;
	for (uint32_t i = 0; i < part->authorities.n; i++)
		authority[i] = 0.0;
	for (; done < r->iterations && !same; done++) {
		same = 1;
		log_norm += log_authority + log_hub;
		double norm = sweep_sum(&s->to_authority, hub, scale, authority, threads, &same);
		log_authority = log(norm);
		norm = sweep_sum(&s->to_hub, authority, 1.0 / norm, hub, threads, &same);
		log_hub = log(norm);
		scale = 1.0 / norm;
	}
	log_norm += (r->iterations - done) * (log_authority + log_hub);
	part->authority_log = log_norm + divide(authority, part->authorities.n);
	part->hub_log = log_norm + log_authority + divide(hub, part->hubs.n);
	atomic_fetch_add_explicit(&r->visits, 2 * s->to_hub.targets * done, memory_order_relaxed);
}

/* --- all that has changed */

static int is_large(const struct part *p)
{
	return p->hubs.n > SWEEP_BLOCK || p->authorities.n > SWEEP_BLOCK;
}

static void run_small(void *ctx, uint32_t batch)
{
	struct hits_rank *r = ctx;
	const struct parts *p = &r->parts;
	const size_t first = (size_t)batch * BATCH;
	const size_t end = p->n_changed - first > BATCH ? first + BATCH : p->n_changed;
	struct sweeps s = {.to_hub = {0}};

	for (size_t i = first; i < end; i++) {
		struct part *part = &p->part[p->changed[i]];
		if (part->hubs.n && !is_large(part))
			run_part(r, part, 1, &s);
	}
	release_sweeps(&s);
}

static void run_large(struct hits_rank *r)
{
	struct sweeps s = {.to_hub = {0}};

	for (size_t i = 0; i < r->parts.n_changed; i++) {
		struct part *part = &r->parts.part[r->parts.changed[i]];
		if (is_large(part))
			run_part(r, part, r->threads, &s);
	}
	release_sweeps(&s);
}

void hits_rank_update(struct hits_rank *r)
{
	struct parts *p = &r->parts;

	parts_split(p);
	blocks_run(r->threads, (uint32_t)((p->n_changed + BATCH - 1) / BATCH), run_small, r);
	run_large(r);
	p->n_changed = 0;
	r->hub_log = r->authority_log = -INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		const struct part *part = &p->part[i];
		if (part->hubs.n && part->hub_log > r->hub_log)
			r->hub_log = part->hub_log;
		if (part->hubs.n && part->authority_log > r->authority_log)
			r->authority_log = part->authority_log;
	}
}

/* --- keys */

static uint64_t key_of(double value, double part_log, double greatest_log)
{
	return (uint64_t)(value * exp(part_log - greatest_log) * (double)HITS_KEY_MAX + 0.5);
}

uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u)
{
	const uint32_t part = r->parts.hub_part[u];

	if (part == PARTS_NONE)
		return 0;
	return key_of(r->hub[r->parts.hub_place[u]], r->parts.part[part].hub_log, r->hub_log);
}

uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v)
{
	const uint32_t part = r->parts.authority_part[v];

	if (part == PARTS_NONE)
		return 0;
	return key_of(r->authority[r->parts.authority_place[v]], r->parts.part[part].authority_log,
		r->authority_log);
}

/* The lowest member with the greatest key, UINT32_MAX where there is none. */
static uint32_t top_of(const struct hits_rank *r, const struct part *part)
{
	const uint32_t *authority = r->parts.authority + part->authorities.at;
	uint32_t top = UINT32_MAX;

	for (uint32_t i = 0; i < part->authorities.n; i++)
		if (authority[i] < top && hits_rank_authority(r, authority[i]) >= HITS_KEY_MAX)
			top = authority[i];
	return top;
}

uint32_t hits_rank_top(const struct hits_rank *r)
{
	uint32_t top = UINT32_MAX;

	for (size_t i = 0; i < r->parts.n; i++) {
		const struct part *part = &r->parts.part[i];
		/* its greatest is 1 */
		if (!part->hubs.n ||
			key_of(1.0, part->authority_log, r->authority_log) < HITS_KEY_MAX)
			continue;
		const uint32_t v = top_of(r, part);
		top = v < top ? v : top;
	}
	return top;
}
