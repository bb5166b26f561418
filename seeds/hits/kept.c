#include "seeds/hits/kept.h"
#include "base/mem.h"

#include <stdlib.h>

/* --- links */

/* The first leaf that hangs on this row or a later one. O(log leaves). */
static uint32_t first_leaf(const struct fold_side *s, uint32_t row)
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

/* Of a row; `node` are those of the other side. */
static struct links links_of_row(const struct fold_side *other, const uint32_t *node, uint32_t row,
	const uint32_t *target, uint32_t length)
{
	const uint32_t *leaves = node + other->rows;

	return (struct links){target, target + length, node, leaves + first_leaf(other, row),
		leaves + first_leaf(other, row + 1)};
}

static struct links links_of(const struct fold_side *s, const struct fold_side *other,
	const uint32_t *node, uint32_t member)
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

struct links kept_out(const struct kept *k, const struct parts *p, uint32_t u)
{
	if (k->part == PARTS_NONE || p->hub_part[u] != k->part)
		return links_in(&p->pruned->graph, u);
	const struct part *part = &p->part[k->part];
	return links_of(&k->fold.hubs, &k->fold.authorities, p->authority + part->authorities.at,
		p->hub_place[u] - part->hubs.at);
}

struct links kept_in(const struct kept *k, const struct parts *p, uint32_t v)
{
	if (k->part == PARTS_NONE || p->authority_part[v] != k->part)
		return links_in(&p->pruned->reverse, v);
	const struct part *part = &p->part[k->part];
	return links_of(&k->fold.authorities, &k->fold.hubs, p->hub + part->hubs.at,
		p->authority_place[v] - part->authorities.at);
}

void kept_remove(struct kept *k, const struct parts *p, uint32_t node)
{
	if (k->part == PARTS_NONE)
		return;
	const struct part *part = &p->part[k->part];
	if (p->hub_part[node] == k->part)
		fold_drop_hub(&k->fold, p->hub_place[node] - part->hubs.at);
	if (p->authority_part[node] == k->part)
		fold_drop_authority(&k->fold, p->authority_place[node] - part->authorities.at);
}

/* --- taking */

/* The graph without the rows of one part, and of nodes that were removed. */
static void leave_out(struct graph *g, const uint32_t *part_of, uint32_t part, const uint8_t *dead)
{
	uint64_t *offset = mem_new((size_t)g->nodes + 1, sizeof *offset), arcs = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		offset[u] = arcs;
		if (part_of[u] != part && !dead[u])
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

void kept_take(struct kept *k, struct parts *p, struct pruned *pruned, uint32_t part)
{
	k->part = part;
	fold_plan(&k->fold, p, &p->part[part]);
	fold_forget_plan(&k->fold);
	fold_fill_hubs(&k->fold, p, &p->part[part]);
	leave_out(&pruned->graph, p->hub_part, part, p->dead);
	fold_fill_authorities(&k->fold, p, &p->part[part]);
	leave_out(&pruned->reverse, p->authority_part, part, p->dead);
	fold_forget_lengths(&k->fold);
}

/* --- giving back */

struct side {
	const struct fold_side *own, *other;
	const uint32_t *node, *other_node; /* of their members */
};

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Adds what is left of a member's links, in ascending order, at `to`; without `to` it is counted
 * only. */
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

/* The rows of all members: how long they are into offset[node + 1] or, with `target`, the rows from
 * offset[node] on. */
static void spell_rows(
	const struct side *s, const uint8_t *dead, uint64_t *offset, uint32_t *target)
{
	const uint32_t *row = s->own->sweep.target;
	uint32_t member = 0;

	for (size_t i = 0; i < s->own->sweep.runs; i++) {
		const struct sweep_run run = s->own->sweep.run[i];
		for (uint32_t r = 0; r < run.rows; r++, member++, row += run.length) {
			const uint32_t u = s->node[member];
			if (dead[u])
				continue;
			const struct links l =
				links_of_row(s->other, s->other_node, member, row, run.length);
			const uint32_t n = spell_out(l, dead, target ? target + offset[u] : NULL);
			if (!target)
				offset[u + 1] = n;
		}
	}
	for (; member < s->own->members; member++) {
		const uint32_t u = s->node[member],
			       v = s->other_node[s->own->on[member - s->own->rows]];
		if (dead[u] || dead[v])
			continue;
		if (target)
			target[offset[u]] = v;
		else
			offset[u + 1] = 1;
	}
}

/* Puts the rows of a side between those that are there. */
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

void kept_give_back(struct kept *k, const struct parts *p, struct pruned *pruned)
{
	const struct part *part = &p->part[k->part];
	const uint32_t *hub = p->hub + part->hubs.at,
		       *authority = p->authority + part->authorities.at;
	struct fold *f = &k->fold;

	put_back(
		&pruned->graph, &(struct side){&f->hubs, &f->authorities, hub, authority}, p->dead);
	sweep_release(&f->hubs.sweep);
	put_back(&pruned->reverse, &(struct side){&f->authorities, &f->hubs, authority, hub},
		p->dead);
	kept_release(k);
}

void kept_release(struct kept *k)
{
	fold_release(&k->fold);
	k->part = PARTS_NONE;
}
