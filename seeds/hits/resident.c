#include "seeds/hits/resident.h"
#include "base/mem.h"

#include <stdlib.h>

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
