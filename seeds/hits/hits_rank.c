#include "seeds/hits/hits_rank.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stdatomic.h>

#define BATCH 256 /* small components that are one piece of work for a thread */

void hits_rank_init(struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads)
{
	*r = (struct hits_rank){.pruned = p,
		.iterations = iterations,
		.threads = threads,
		.arcs = p->rows[HUBS].arcs,
		.kept_component = BICOVER_NONE};
	bicover_init(&r->bicover, p);
	for (enum side side = HUBS; side <= AUTHORITIES; side++)
		r->score[side] = mem_big((size_t)p->nodes + 1, sizeof *r->score[side]);
}

void hits_rank_release(struct hits_rank *r)
{
	degree_one_release(&r->kept);
	bicover_release(&r->bicover);
	for (enum side side = HUBS; side <= AUTHORITIES; side++)
		mem_big_free(r->score[side], (size_t)r->pruned->nodes + 1, sizeof *r->score[side]);
	*r = (struct hits_rank){0};
}

void hits_rank_remove(struct hits_rank *r, uint32_t node)
{
	const struct bicover *p = &r->bicover;
	const uint32_t kept = r->kept_component;

	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		const struct graph *rows = &r->pruned->rows[side];
		for (uint64_t a = rows->offset[node]; a < rows->offset[node + 1]; a++)
			r->arcs -= (uint64_t)hits_rank_has(r, rows->target[a]);
		if (kept != BICOVER_NONE && p->side[side].component[node] == kept)
			degree_one_drop(&r->kept, side, p->side[side].place[node] - p->component[kept].members[side].at);
	}
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
	const struct bicover_members *hubs = &component->members[HUBS], *authorities = &component->members[AUTHORITIES];
	double *hub = r->score[HUBS] + hubs->at, *authority = r->score[AUTHORITIES] + authorities->at;
	struct degree_one_norms norms;

	const unsigned done = degree_one_run(f, r->iterations, threads, hub, authority, &norms);
	component->log[AUTHORITIES] = norms.log_norm + divide(authority, authorities->n);
	component->log[HUBS] = norms.log_norm + norms.log_authority + divide(hub, hubs->n);
	atomic_fetch_add_explicit(&r->visits, 2 * f->side[HUBS].targets * done, memory_order_relaxed);
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
	AUTO(degree_one) f = {.saved = 0};

	for (size_t i = first; i < end; i++) {
		struct bicover_component *component = &p->component[p->changed[i]];
		if (!component->members[HUBS].n || bicover_component_is_large(component))
			continue;
		degree_one_build(&f, p, component);
		run_component(r, component, 1, &f);
	}
}

/* Returns the component with the most hubs and authorities. */
static uint32_t largest(const struct bicover *p)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < p->n; i++)
		if (bicover_component_copies(&p->component[i]) > bicover_component_copies(&p->component[best]))
			best = i;
	return best;
}

/* Runs the iterations on the large components, one after the other, each with all threads. The largest one is kept reduced; it
 * stays the largest until it is split, since components do not grow. */
static void run_large(struct hits_rank *r)
{
	struct bicover *p = &r->bicover;
	AUTO(degree_one) f = {.saved = 0};

	for (size_t i = 0; i < p->n_changed; i++) {
		const uint32_t c = p->changed[i];
		if (!bicover_component_is_large(&p->component[c]))
			continue;
		if (r->kept_component == BICOVER_NONE && c == largest(p)) {
			r->kept_component = c;
			degree_one_build(&r->kept, p, &p->component[c]);
		} else if (c != r->kept_component) {
			degree_one_build(&f, p, &p->component[c]);
		}
		run_component(r, &p->component[c], r->threads, c == r->kept_component ? &r->kept : &f);
	}
}

void hits_rank_update(struct hits_rank *r)
{
	struct bicover *p = &r->bicover;

	if (r->kept_component != BICOVER_NONE && bicover_will_split(p, r->kept_component)) {
		degree_one_release(&r->kept);
		r->kept_component = BICOVER_NONE;
	}
	bicover_split(p);
	blocks_run(r->threads, (uint32_t)((p->n_changed + BATCH - 1) / BATCH), run_small, r);
	run_large(r);
	p->n_changed = 0;
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		r->log[side] = -INFINITY;
		for (size_t i = 0; i < p->n; i++)
			if (p->component[i].members[HUBS].n && p->component[i].log[side] > r->log[side])
				r->log[side] = p->component[i].log[side];
	}
}

/* --- keys */

static uint64_t key_of(double value, double component_log, double greatest_log)
{
	if (component_log == -INFINITY)
		return 0;
	return (uint64_t)(value * exp(component_log - greatest_log) * (double)HITS_KEY_MAX + 0.5);
}

uint64_t hits_rank_key(const struct hits_rank *r, enum side side, uint32_t node)
{
	const struct bicover_side *s = &r->bicover.side[side];
	const uint32_t component = s->component[node];

	if (component == BICOVER_NONE)
		return 0;
	return key_of(r->score[side][s->place[node]], r->bicover.component[component].log[side], r->log[side]);
}

/* Returns the member with the greatest key, the lowest of several; UINT32_MAX if there is none. */
static uint32_t top_of(const struct hits_rank *r, const struct bicover_members *members)
{
	const uint32_t *authority = r->bicover.side[AUTHORITIES].node + members->at;
	uint32_t top = UINT32_MAX;

	for (uint32_t i = 0; i < members->n; i++)
		if (authority[i] < top && hits_rank_key(r, AUTHORITIES, authority[i]) >= HITS_KEY_MAX)
			top = authority[i];
	return top;
}

uint32_t hits_rank_top(const struct hits_rank *r)
{
	uint32_t top = UINT32_MAX;

	for (size_t i = 0; i < r->bicover.n; i++) {
		const struct bicover_component *component = &r->bicover.component[i];
		/* the greatest score within a component is 1 */
		if (!component->members[HUBS].n || key_of(1.0, component->log[AUTHORITIES], r->log[AUTHORITIES]) < HITS_KEY_MAX)
			continue;
		const uint32_t v = top_of(r, &component->members[AUTHORITIES]);
		top = v < top ? v : top;
	}
	return top;
}
