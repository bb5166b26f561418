#include "seeds/hits/hits_rank.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BATCH 256 /* small components that are one piece of work for a thread */

void hits_rank_init(struct hits_rank *r, struct pruned *p, unsigned iterations, unsigned threads)
{
	*r = (struct hits_rank){.pruned = p,
		.iterations = iterations,
		.threads = threads,
		.arcs = p->graph.arcs,
		.resident = {.component = BICOVER_NONE}};
	bicover_init(&r->bicover, p);
	r->hub = mem_big((size_t)p->graph.nodes + 1, sizeof *r->hub);
	r->authority = mem_big((size_t)p->graph.nodes + 1, sizeof *r->authority);
}

void hits_rank_release(struct hits_rank *r)
{
	const size_t places = (size_t)r->pruned->graph.nodes + 1;

	resident_release(&r->resident);
	bicover_release(&r->bicover);
	mem_big_free(r->hub, places, sizeof *r->hub);
	mem_big_free(r->authority, places, sizeof *r->authority);
	*r = (struct hits_rank){0};
}

static uint64_t count_left(const struct hits_rank *r, struct links l)
{
	uint64_t left = 0;
	uint32_t v;

	while (links_next(&l, &v))
		left += (uint64_t)hits_rank_has(r, v);
	return left;
}

void hits_rank_remove(struct hits_rank *r, uint32_t node)
{
	r->arcs -= count_left(r, hits_rank_out(r, node));
	r->arcs -= count_left(r, hits_rank_in(r, node));
	resident_remove(&r->resident, &r->bicover, node);
	bicover_remove(&r->bicover, node);
}

/* --- a component */

/* Divides y by its greatest element. Returns the logarithm of that element, or -INFINITY if all are 0. */
static double divide(double *y, uint32_t n)
{
	double max = 0.0;

	for (uint32_t i = 0; i < n; i++)
		max = y[i] > max ? y[i] : max;
	if (max == 0.0)
		return -INFINITY;
	for (uint32_t i = 0; i < n; i++)
		y[i] /= max;
	return log(max);
}

static void run_component(struct hits_rank *r, struct bicover_component *component, unsigned threads, struct degree_one *f)
{
	double *hub = r->hub + component->hubs.at, *authority = r->authority + component->authorities.at;
	struct degree_one_norms norms;

	const unsigned done = degree_one_run(f, r->iterations, threads, hub, authority, &norms);
	component->authority_log = norms.log_norm + divide(authority, component->authorities.n);
	component->hub_log = norms.log_norm + norms.log_authority + divide(hub, component->hubs.n);
	atomic_fetch_add_explicit(&r->visits, 2 * f->hubs.sweep.targets * done, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->saved, 2 * f->saved * done, memory_order_relaxed);
}

/* --- all that has changed */

/* Runs the iterations on the small components of a batch, each in one thread. */
static void run_small(void *ctx, uint32_t batch)
{
	struct hits_rank *r = ctx;
	struct bicover *p = &r->bicover;
	const size_t first = (size_t)batch * BATCH;
	const size_t end = p->n_changed - first > BATCH ? first + BATCH : p->n_changed;
	struct degree_one f = {.saved = 0};

	for (size_t i = first; i < end; i++) {
		struct bicover_component *component = &p->component[p->changed[i]];
		if (!component->hubs.n || bicover_component_is_large(component))
			continue;
		degree_one_build(&f, p, component);
		run_component(r, component, 1, &f);
	}
	degree_one_release(&f);
}

/* Returns the component with the most hubs and authorities. */
static uint32_t largest(const struct bicover *p)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < p->n; i++)
		if ((uint64_t)p->component[i].hubs.n + p->component[i].authorities.n >
			(uint64_t)p->component[best].hubs.n + p->component[best].authorities.n)
			best = i;
	return best;
}

static int has_changed(const struct bicover *p, uint32_t component)
{
	for (size_t i = 0; i < p->n_changed; i++)
		if (p->changed[i] == component)
			return 1;
	return 0;
}

/* Makes the largest component resident if none is. It stays the largest until it is split, since components do not grow. */
static void make_largest_resident(struct hits_rank *r)
{
	struct bicover *p = &r->bicover;
	const uint32_t i = largest(p);

	if (r->resident.component == BICOVER_NONE && bicover_component_is_large(&p->component[i]) && has_changed(p, i))
		resident_take(&r->resident, p, r->pruned, i);
}

/* Runs the iterations on the large components, one after the other, each with all threads. */
static void run_large(struct hits_rank *r)
{
	struct degree_one f = {.saved = 0};

	make_largest_resident(r);
	for (size_t i = 0; i < r->bicover.n_changed; i++) {
		struct bicover_component *component = &r->bicover.component[r->bicover.changed[i]];
		if (!bicover_component_is_large(component))
			continue;
		if (r->bicover.changed[i] == r->resident.component) {
			run_component(r, component, r->threads, &r->resident.reduced);
			continue;
		}
		degree_one_build(&f, &r->bicover, component);
		run_component(r, component, r->threads, &f);
	}
	degree_one_release(&f);
}

void hits_rank_update(struct hits_rank *r)
{
	struct bicover *p = &r->bicover;

	if (r->resident.component != BICOVER_NONE && bicover_will_split(p, r->resident.component))
		resident_give_back(&r->resident, p, r->pruned);
	bicover_split(p);
	blocks_run(r->threads, (uint32_t)((p->n_changed + BATCH - 1) / BATCH), run_small, r);
	run_large(r);
	p->n_changed = 0;
	r->hub_log = r->authority_log = -INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		const struct bicover_component *component = &p->component[i];
		if (component->hubs.n && component->hub_log > r->hub_log)
			r->hub_log = component->hub_log;
		if (component->hubs.n && component->authority_log > r->authority_log)
			r->authority_log = component->authority_log;
	}
}

/* --- keys */

static uint64_t key_of(double value, double component_log, double greatest_log)
{
	if (component_log == -INFINITY)
		return 0;
	return (uint64_t)(value * exp(component_log - greatest_log) * (double)HITS_KEY_MAX + 0.5);
}

uint64_t hits_rank_hub(const struct hits_rank *r, uint32_t u)
{
	const uint32_t component = r->bicover.hub_component[u];

	if (component == BICOVER_NONE)
		return 0;
	return key_of(r->hub[r->bicover.hub_place[u]], r->bicover.component[component].hub_log, r->hub_log);
}

uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v)
{
	const uint32_t component = r->bicover.authority_component[v];

	if (component == BICOVER_NONE)
		return 0;
	return key_of(r->authority[r->bicover.authority_place[v]], r->bicover.component[component].authority_log, r->authority_log);
}

/* Returns the member with the greatest key, the lowest of several; UINT32_MAX if there is none. */
static uint32_t top_of(const struct hits_rank *r, const struct bicover_component *component)
{
	const uint32_t *authority = r->bicover.authority + component->authorities.at;
	uint32_t top = UINT32_MAX;

	for (uint32_t i = 0; i < component->authorities.n; i++)
		if (authority[i] < top && hits_rank_authority(r, authority[i]) >= HITS_KEY_MAX)
			top = authority[i];
	return top;
}

uint32_t hits_rank_top(const struct hits_rank *r)
{
	uint32_t top = UINT32_MAX;

	for (size_t i = 0; i < r->bicover.n; i++) {
		const struct bicover_component *component = &r->bicover.component[i];
		/* the greatest score within a component is 1 */
		if (!component->hubs.n || key_of(1.0, component->authority_log, r->authority_log) < HITS_KEY_MAX)
			continue;
		const uint32_t v = top_of(r, component);
		top = v < top ? v : top;
	}
	return top;
}
