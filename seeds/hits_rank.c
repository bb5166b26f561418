#include "seeds/hits_rank.h"
#include "base/mem.h"
#include "graph/blocks.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BLOCK 16384 /* rows of a large part that are one piece of work */
#define BATCH 256   /* small parts that are */

void hits_rank_init(
	struct hits_rank *r, const struct pruned *p, unsigned iterations, unsigned threads)
{
	*r = (struct hits_rank){.pruned = p,
		.iterations = iterations,
		.threads = threads,
		.arcs = p->graph.arcs};
	parts_init(&r->parts, p);
	r->hub = mem_zero(p->graph.nodes, sizeof *r->hub);
	r->authority = mem_zero(p->graph.nodes, sizeof *r->authority);
}

void hits_rank_release(struct hits_rank *r)
{
	parts_release(&r->parts);
	free(r->hub);
	free(r->authority);
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
	r->hub[node] = r->authority[node] = 0.0;
	parts_remove(&r->parts, node);
}

/* --- half an iteration: y = the sums of x over the rows of the members, times `scale` */

struct half {
	const struct graph *rows;
	const uint32_t *member;
	uint32_t n;
	const double *x;
	double scale, *y;
	/* out, a place a block: the squares of y, and whether no bit of y changed */
	double *square;
	uint8_t *same;
};

static void half_block(void *ctx, uint32_t block)
{
	const struct half *h = ctx;
	const uint32_t first = block * BLOCK, end = h->n - first > BLOCK ? first + BLOCK : h->n;
	double square = 0.0;
	int same = 1;

	for (uint32_t i = first; i < end; i++) {
		const uint32_t v = h->member[i];
		double sum = 0.0;
		for (uint64_t a = h->rows->offset[v], z = h->rows->offset[v + 1]; a < z; a++)
			sum += h->x[h->rows->target[a]];
		sum *= h->scale;
		same &= sum == h->y[v];
		h->y[v] = sum;
		square += sum * sum;
	}
	h->square[block] = square;
	h->same[block] = (uint8_t)same;
}

static uint32_t blocks_in(uint32_t members)
{
	return (members + BLOCK - 1) / BLOCK;
}

/* Returns the norm of y. */
static double half_run(struct half *h, unsigned threads, int *same)
{
	const uint32_t blocks = blocks_in(h->n);

	blocks_run(threads, blocks, half_block, h);
	for (uint32_t b = 0; b < blocks; b++)
		*same &= h->same[b];
	return sqrt(blocks_sum(h->square, blocks));
}

/* --- a part */

/* Members relative to the greatest; returns its logarithm. */
static double divide(double *y, const uint32_t *member, uint32_t n)
{
	double max = 0.0;

	for (uint32_t i = 0; i < n; i++)
		max = y[member[i]] > max ? y[member[i]] : max;
	for (uint32_t i = 0; i < n; i++)
		y[member[i]] /= max;
	return log(max);
}

static uint64_t arcs_of(const struct half *h)
{
	uint64_t arcs = 0;

	for (uint32_t i = 0; i < h->n; i++)
		arcs += graph_outdegree(h->rows, h->member[i]);
	return arcs;
}

/* So many iterations from all ones. A vector is divided by its norm where the next half reads it;
 * what it was divided by so far, in logarithms, is `log_norm` at the end. */
static void run_part(struct hits_rank *r, struct part *part, unsigned threads, double *square,
	uint8_t *same_block)
{
	const uint32_t *hub = r->parts.hub + part->hubs.at;
	const uint32_t *authority = r->parts.authority + part->authorities.at;
	struct half to_authority = {&r->pruned->reverse, authority, part->authorities.n, r->hub,
		1.0, r->authority, square, same_block};
	struct half to_hub = {&r->pruned->graph, hub, part->hubs.n, r->authority, 1.0, r->hub,
		square, same_block};
	const uint64_t arcs = arcs_of(&to_authority) + arcs_of(&to_hub);
	double log_norm = 0.0, log_authority = 0.0, log_hub = 0.0;
	unsigned done = 0;
	int same = 0;

	for (uint32_t i = 0; i < part->hubs.n; i++)
		r->hub[hub[i]] = 1.0;
	for (uint32_t i = 0; i < part->authorities.n; i++)
		r->authority[authority[i]] = 0.0;
	for (; done < r->iterations && !same; done++) {
		same = 1;
		log_norm += log_authority + log_hub;
		const double authority_norm = half_run(&to_authority, threads, &same);
		to_hub.scale = 1.0 / authority_norm;
		const double hub_norm = half_run(&to_hub, threads, &same);
		to_authority.scale = 1.0 / hub_norm;
		log_authority = log(authority_norm);
		log_hub = log(hub_norm);
	}
	log_norm += (r->iterations - done) * (log_authority + log_hub);
	part->authority_log = log_norm + divide(r->authority, authority, part->authorities.n);
	part->hub_log = log_norm + log_authority + divide(r->hub, hub, part->hubs.n);
	atomic_fetch_add_explicit(&r->visits, arcs * done, memory_order_relaxed);
}

/* --- all that has changed */

static int is_large(const struct part *p)
{
	return p->hubs.n > BLOCK || p->authorities.n > BLOCK;
}

static void run_small(void *ctx, uint32_t batch)
{
	struct hits_rank *r = ctx;
	const struct parts *p = &r->parts;
	const size_t first = (size_t)batch * BATCH;
	const size_t end = p->n_changed - first > BATCH ? first + BATCH : p->n_changed;
	double square;
	uint8_t same;

	for (size_t i = first; i < end; i++) {
		struct part *part = &p->part[p->changed[i]];
		if (part->hubs.n && !is_large(part))
			run_part(r, part, 1, &square, &same);
	}
}

static void run_large(struct hits_rank *r, struct part *part)
{
	const uint32_t blocks = blocks_in(
		part->hubs.n > part->authorities.n ? part->hubs.n : part->authorities.n);
	double *square = mem_new(blocks, sizeof *square);
	uint8_t *same = mem_new(blocks, sizeof *same);

	run_part(r, part, r->threads, square, same);
	free(square);
	free(same);
}

void hits_rank_update(struct hits_rank *r)
{
	struct parts *p = &r->parts;

	parts_split(p);
	blocks_run(r->threads, (uint32_t)((p->n_changed + BATCH - 1) / BATCH), run_small, r);
	for (size_t i = 0; i < p->n_changed; i++)
		if (is_large(&p->part[p->changed[i]]))
			run_large(r, &p->part[p->changed[i]]);
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

	return part == PARTS_NONE ? 0
				  : key_of(r->hub[u], r->parts.part[part].hub_log, r->hub_log);
}

uint64_t hits_rank_authority(const struct hits_rank *r, uint32_t v)
{
	const uint32_t part = r->parts.authority_part[v];

	return part == PARTS_NONE ? 0
				  : key_of(r->authority[v], r->parts.part[part].authority_log,
					    r->authority_log);
}

/* The lowest member with the greatest key, UINT32_MAX where there is none. */
static uint32_t top_of(const struct hits_rank *r, const struct part *part)
{
	const uint32_t *authority = r->parts.authority + part->authorities.at;

	for (uint32_t i = 0; i < part->authorities.n; i++)
		if (hits_rank_authority(r, authority[i]) >= HITS_KEY_MAX)
			return authority[i];
	return UINT32_MAX;
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
