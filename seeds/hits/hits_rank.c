#include "seeds/hits/hits_rank.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BATCH 256 /* small parts that are one piece of work for a thread */

void hits_rank_init(struct hits_rank *r, struct pruned *p, unsigned iterations, unsigned threads)
{
	*r = (struct hits_rank){.pruned = p,
		.iterations = iterations,
		.threads = threads,
		.arcs = p->graph.arcs,
		.kept = {.part = PARTS_NONE}};
	parts_init(&r->parts, p);
	r->hub = mem_big((size_t)p->graph.nodes + 1, sizeof *r->hub);
	r->authority = mem_big((size_t)p->graph.nodes + 1, sizeof *r->authority);
}

void hits_rank_release(struct hits_rank *r)
{
	const size_t places = (size_t)r->pruned->graph.nodes + 1;

	kept_release(&r->kept);
	parts_release(&r->parts);
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
	kept_remove(&r->kept, &r->parts, node);
	parts_remove(&r->parts, node);
}

/* --- a part */

/* y relative to its greatest; returns the logarithm of that. */
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

static void run_part(struct hits_rank *r, struct part *part, unsigned threads, struct fold *f)
{
	double *hub = r->hub + part->hubs.at, *authority = r->authority + part->authorities.at;
	struct fold_norms norms;

	const unsigned done = fold_run(f, r->iterations, threads, hub, authority, &norms);
	part->authority_log = norms.log_norm + divide(authority, part->authorities.n);
	part->hub_log = norms.log_norm + norms.log_authority + divide(hub, part->hubs.n);
	atomic_fetch_add_explicit(
		&r->visits, 2 * f->hubs.sweep.targets * done, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->folded, 2 * f->folded * done, memory_order_relaxed);
}

/* --- all that has changed */

static void run_small(void *ctx, uint32_t batch)
{
	struct hits_rank *r = ctx;
	struct parts *p = &r->parts;
	const size_t first = (size_t)batch * BATCH;
	const size_t end = p->n_changed - first > BATCH ? first + BATCH : p->n_changed;
	struct fold f = {.folded = 0};

	for (size_t i = first; i < end; i++) {
		struct part *part = &p->part[p->changed[i]];
		if (!part->hubs.n || part_is_large(part))
			continue;
		fold_build(&f, p, part);
		run_part(r, part, 1, &f);
	}
	fold_release(&f);
}

/* The part of most hubs and authorities. */
static uint32_t largest(const struct parts *p)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < p->n; i++)
		if ((uint64_t)p->part[i].hubs.n + p->part[i].authorities.n >
			(uint64_t)p->part[best].hubs.n + p->part[best].authorities.n)
			best = i;
	return best;
}

static int has_changed(const struct parts *p, uint32_t part)
{
	for (size_t i = 0; i < p->n_changed; i++)
		if (p->changed[i] == part)
			return 1;
	return 0;
}

/* What is kept is the largest until it is split: no other grows. */
static void keep_largest(struct hits_rank *r)
{
	struct parts *p = &r->parts;
	const uint32_t i = largest(p);

	if (r->kept.part == PARTS_NONE && part_is_large(&p->part[i]) && has_changed(p, i))
		kept_take(&r->kept, p, r->pruned, i);
}

static void run_large(struct hits_rank *r)
{
	struct fold f = {.folded = 0};

	keep_largest(r);
	for (size_t i = 0; i < r->parts.n_changed; i++) {
		struct part *part = &r->parts.part[r->parts.changed[i]];
		if (!part_is_large(part))
			continue;
		if (r->parts.changed[i] == r->kept.part) {
			run_part(r, part, r->threads, &r->kept.fold);
			continue;
		}
		fold_build(&f, &r->parts, part);
		run_part(r, part, r->threads, &f);
	}
	fold_release(&f);
}

void hits_rank_update(struct hits_rank *r)
{
	struct parts *p = &r->parts;

	if (r->kept.part != PARTS_NONE && parts_will_split(p, r->kept.part))
		kept_give_back(&r->kept, p, r->pruned);
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
	if (part_log == -INFINITY)
		return 0;
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
