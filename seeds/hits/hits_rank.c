#include "seeds/hits/hits_rank.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"
#include "seeds/hits/degree_one.h"

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

/* --- links */

/* Returns the first leaf that is linked to this row or a later one. Time: O(log leaves). */
static uint32_t first_leaf(const struct degree_one_side *s, uint32_t row)
{
	uint32_t low = 0, high = s->members - s->rows;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (s->on[middle] < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the links of a row. node[] has the members of the other side. */
static struct links links_of_row(const struct degree_one_side *other, const uint32_t *node, uint32_t row, const uint32_t *target,
	uint32_t length)
{
	const uint32_t *leaves = node + other->rows;

	return (struct links){target, target + length, node, leaves + first_leaf(other, row), leaves + first_leaf(other, row + 1)};
}

static struct links links_of(const struct degree_one_side *s, const struct degree_one_side *other, const uint32_t *node,
	uint32_t member)
{
	uint32_t length;

	if (member >= s->rows) {
		const uint32_t *on = &s->on[member - s->rows];
		return (struct links){on, on + 1, node, NULL, NULL};
	}
	const uint32_t *target = sweep_row_at(&s->sweep, member, &length);
	return links_of_row(other, node, member, target, length);
}

static struct links links_in(const struct graph *g, uint32_t u)
{
	const uint32_t *row = graph_row(g, u);

	return (struct links){row, row + graph_outdegree(g, u), NULL, NULL, NULL};
}

struct links resident_out(const struct resident *k, const struct bicover *p, uint32_t u)
{
	if (k->component == BICOVER_NONE || p->hub_component[u] != k->component)
		return links_in(&p->pruned->graph, u);
	const struct bicover_component *component = &p->component[k->component];
	return links_of(&k->reduced.hubs, &k->reduced.authorities, p->authority + component->authorities.at,
		p->hub_place[u] - component->hubs.at);
}

struct links resident_in(const struct resident *k, const struct bicover *p, uint32_t v)
{
	if (k->component == BICOVER_NONE || p->authority_component[v] != k->component)
		return links_in(&p->pruned->reverse, v);
	const struct bicover_component *component = &p->component[k->component];
	return links_of(&k->reduced.authorities, &k->reduced.hubs, p->hub + component->hubs.at,
		p->authority_place[v] - component->authorities.at);
}

void resident_remove(struct resident *k, const struct bicover *p, uint32_t node)
{
	if (k->component == BICOVER_NONE)
		return;
	const struct bicover_component *component = &p->component[k->component];
	if (p->hub_component[node] == k->component)
		degree_one_drop_hub(&k->reduced, p->hub_place[node] - component->hubs.at);
	if (p->authority_component[node] == k->component)
		degree_one_drop_authority(&k->reduced, p->authority_place[node] - component->authorities.at);
}

/* --- taking */

/* Removes the rows of one component and of removed nodes from the graph. */
static void leave_out(struct graph *g, const uint32_t *component_of, uint32_t component, const uint8_t *dead)
{
	uint64_t *offset = mem_new((size_t)g->nodes + 1, sizeof *offset), arcs = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		offset[u] = arcs;
		if (component_of[u] != component && !dead[u])
			arcs += graph_outdegree(g, u);
	}
	offset[g->nodes] = arcs;
	uint32_t *target = mem_new(arcs, sizeof *target);
	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *row = graph_row(g, u);
		for (uint64_t a = offset[u]; a < offset[u + 1]; a++)
			target[a] = *row++;
	}
	const uint32_t nodes = g->nodes;
	const unsigned flags = g->flags;
	graph_release(g);
	graph_take_rows(g, nodes, offset, target, flags);
}

void resident_take(struct resident *k, struct bicover *p, struct pruned *pruned, uint32_t component)
{
	k->component = component;
	degree_one_plan(&k->reduced, p, &p->component[component]);
	degree_one_forget_plan(&k->reduced);
	degree_one_fill_hubs(&k->reduced, p, &p->component[component]);
	leave_out(&pruned->graph, p->hub_component, component, p->dead);
	degree_one_fill_authorities(&k->reduced, p, &p->component[component]);
	leave_out(&pruned->reverse, p->authority_component, component, p->dead);
	degree_one_forget_lengths(&k->reduced);
}

/* --- giving back */

struct side {
	const struct degree_one_side *own, *other;
	const uint32_t *node, *other_node; /* of their members */
};

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Writes the links of a member that lead to nodes which were not removed, in ascending order, to to[], unless it is NULL.
 * Returns their number. */
static uint32_t spell_out(struct links l, const uint8_t *dead, uint32_t *to)
{
	uint32_t n = 0, v;

	while (links_next(&l, &v)) {
		if (dead[v])
			continue;
		if (to)
			to[n] = v;
		n++;
	}
	if (to)
		qsort(to, n, sizeof *to, ascending);
	return n;
}

/* Sets offset[u + 1] to the number of links of each member u, if `target` is NULL; else writes the links of each member u from
 * target[offset[u]] on. */
static void spell_rows(const struct side *s, const uint8_t *dead, uint64_t *offset, uint32_t *target)
{
	const uint32_t *row = s->own->sweep.target;
	uint32_t member = 0;

	for (size_t i = 0; i < s->own->sweep.runs; i++) {
		const struct sweep_run run = s->own->sweep.run[i];
		for (uint32_t r = 0; r < run.rows; r++, member++, row += run.length) {
			const uint32_t u = s->node[member];
			if (dead[u])
				continue;
			const struct links l = links_of_row(s->other, s->other_node, member, row, run.length);
			const uint32_t n = spell_out(l, dead, target ? target + offset[u] : NULL);
			if (!target)
				offset[u + 1] = n;
		}
	}
	for (; member < s->own->members; member++) {
		const uint32_t u = s->node[member], v = s->other_node[s->own->on[member - s->own->rows]];
		if (dead[u] || dead[v])
			continue;
		if (target)
			target[offset[u]] = v;
		else
			offset[u + 1] = 1;
	}
}

/* Merges the rows of a side into the graph. */
static void put_back(struct graph *g, const struct side *s, const uint8_t *dead)
{
	uint64_t *offset = mem_new((size_t)g->nodes + 1, sizeof *offset);

	offset[0] = 0;
	for (uint32_t u = 0; u < g->nodes; u++)
		offset[u + 1] = graph_outdegree(g, u);
	spell_rows(s, dead, offset, NULL);
	for (uint32_t u = 0; u < g->nodes; u++)
		offset[u + 1] += offset[u];
	uint32_t *target = mem_new(offset[g->nodes], sizeof *target);
	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			target[offset[u] + (a - g->offset[u])] = g->target[a];
	spell_rows(s, dead, offset, target);
	const uint32_t nodes = g->nodes;
	const unsigned flags = g->flags;
	graph_release(g);
	graph_take_rows(g, nodes, offset, target, flags);
}

void resident_give_back(struct resident *k, const struct bicover *p, struct pruned *pruned)
{
	const struct bicover_component *component = &p->component[k->component];
	const uint32_t *hub = p->hub + component->hubs.at, *authority = p->authority + component->authorities.at;
	struct degree_one *f = &k->reduced;

	put_back(&pruned->graph, &(struct side){&f->hubs, &f->authorities, hub, authority}, p->dead);
	sweep_release(&f->hubs.sweep);
	put_back(&pruned->reverse, &(struct side){&f->authorities, &f->hubs, authority, hub}, p->dead);
	resident_release(k);
}

void resident_release(struct resident *k)
{
	degree_one_release(&k->reduced);
	k->component = BICOVER_NONE;
}
