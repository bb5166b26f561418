#include "seeds/hits/bicover.h"
#include "base/mem.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

static void changed(struct bicover *p, uint32_t component)
{
	p->changed = mem_grow(p->changed, &p->changed_room, p->n_changed + 1, sizeof *p->changed);
	p->changed[p->n_changed++] = component;
}

static uint32_t add_component(struct bicover *p)
{
	p->component = mem_grow(p->component, &p->room, p->n + 1, sizeof *p->component);
	p->component[p->n] = (struct bicover_component){.whole = 1};
	return (uint32_t)p->n++; /* components have a hub each: there are no more than nodes */
}

#define LENGTHS 256 /* Rows are sorted by their length up to this one; longer ones are in the order of their ids. */

static uint32_t length_class(const struct graph *g, uint32_t u)
{
	const uint32_t n = graph_outdegree(g, u);

	return n < LENGTHS ? n : LENGTHS;
}

/* Lists the nodes with links in list[], by their length class and then by id. Returns their number. */
static uint32_t list_rows(const struct graph *g, uint32_t *list)
{
	uint32_t at[LENGTHS + 2] = {0};

	for (uint32_t u = 0; u < g->nodes; u++)
		at[length_class(g, u) + 1]++;
	at[1] = 0; /* empty rows are left out */
	for (uint32_t c = 1; c <= LENGTHS; c++)
		at[c + 1] += at[c];
	for (uint32_t u = 0; u < g->nodes; u++)
		if (graph_outdegree(g, u))
			list[at[length_class(g, u)]++] = u;
	return at[LENGTHS];
}

/* Sorts the nodes of list[] with a single target, which are its first ones, by the order in which their targets appear in
 * other[]. `rows` has the rows of list[], `g` those of the other side. */
static void follow(uint32_t *list, const struct graph *rows, const uint32_t *other, uint32_t n_other, const struct graph *g)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < n_other; i++)
		for (uint64_t a = g->offset[other[i]]; a < g->offset[other[i] + 1]; a++)
			if (graph_outdegree(rows, g->target[a]) == 1)
				list[at++] = g->target[a];
}

void bicover_init(struct bicover *p, const struct pruned *pruned)
{
	const uint32_t n = pruned->graph.nodes;

	*p = (struct bicover){.pruned = pruned,
		.dead = mem_zero(n, sizeof *p->dead),
		.hub = mem_new(n, sizeof *p->hub),
		.authority = mem_new(n, sizeof *p->authority),
		.hub_component = mem_new(n, sizeof *p->hub_component),
		.authority_component = mem_new(n, sizeof *p->authority_component),
		.hub_place = mem_new(n, sizeof *p->hub_place),
		.authority_place = mem_new(n, sizeof *p->authority_place)};
	for (uint32_t v = 0; v < n; v++)
		p->hub_component[v] = p->authority_component[v] = BICOVER_NONE;
	add_component(p);
	p->component[0].whole = 0;
	p->component[0].hubs.n = list_rows(&pruned->graph, p->hub);
	p->component[0].authorities.n = list_rows(&pruned->reverse, p->authority);
	follow(p->hub, &pruned->graph, p->authority, p->component[0].authorities.n, &pruned->reverse);
	follow(p->authority, &pruned->reverse, p->hub, p->component[0].hubs.n, &pruned->graph);
	changed(p, 0);
}

void bicover_release(struct bicover *p)
{
	free(p->dead);
	free(p->hub);
	free(p->authority);
	free(p->hub_component);
	free(p->authority_component);
	free(p->hub_place);
	free(p->authority_place);
	free(p->component);
	free(p->changed);
	*p = (struct bicover){0};
}

/* Counts a node that was removed from a component. */
static void count_removed(struct bicover *p, uint32_t component)
{
	p->component[component].lost++;
	changed(p, component);
}

void bicover_remove(struct bicover *p, uint32_t node)
{
	p->dead[node] = 1;
	if (p->hub_component[node] != BICOVER_NONE)
		count_removed(p, p->hub_component[node]);
	if (p->authority_component[node] != BICOVER_NONE)
		count_removed(p, p->authority_component[node]);
	p->hub_component[node] = p->authority_component[node] = BICOVER_NONE;
}

/* Puts all copies that are connected to hub u into component `name`. `queue` has room for all hubs. */
static void fill(struct bicover *p, uint32_t u, uint32_t name, uint32_t *queue)
{
	const struct graph *out = &p->pruned->graph, *in = &p->pruned->reverse;
	size_t n = 0;

	p->hub_component[u] = name;
	queue[n++] = u;
	while (n) {
		u = queue[--n];
		for (uint64_t a = out->offset[u]; a < out->offset[u + 1]; a++) {
			const uint32_t v = out->target[a];
			if (p->dead[v] || p->authority_component[v] == name)
				continue;
			p->authority_component[v] = name;
			for (uint64_t b = in->offset[v]; b < in->offset[v + 1]; b++) {
				const uint32_t w = in->target[b];
				if (p->dead[w] || p->hub_component[w] == name)
					continue;
				p->hub_component[w] = name;
				queue[n++] = w;
			}
		}
	}
}

static int has_target(const struct bicover *p, uint32_t u)
{
	const struct graph *g = &p->pruned->graph;

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		if (!p->dead[g->target[a]])
			return 1;
	return 0;
}

/* Takes the n nodes out of their component. */
static void forget(uint32_t *component_of, const uint32_t *node, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		component_of[node[i]] = BICOVER_NONE;
}

/* Finds the connected components among the members of component `old`, and sets the component of each member: the first one
 * found keeps the number `old`, the others get new numbers. Copies without arcs get none. `queue` has room for the hubs. */
static void name_components(struct bicover *p, uint32_t old, uint32_t *queue)
{
	const struct bicover_component was = p->component[old];
	int reused = 0;

	for (uint32_t i = 0; i < was.hubs.n; i++) {
		const uint32_t u = p->hub[was.hubs.at + i];
		if (p->dead[u] || p->hub_component[u] != BICOVER_NONE || !has_target(p, u))
			continue;
		fill(p, u, reused ? add_component(p) : old, queue);
		reused = 1;
	}
}

enum side { HUBS, AUTHORITIES };

static struct bicover_members *members(struct bicover *p, uint32_t component, enum side side)
{
	return side == HUBS ? &p->component[component].hubs : &p->component[component].authorities;
}

/* Gives a component the places from *at on, and no members yet. */
static void place(struct bicover_members *m, uint32_t *at)
{
	m->at = *at;
	*at += m->n;
	m->n = 0;
}

/* Rearranges one side, hubs or authorities, of a component that was split. The component `old` was split into itself, with
 * fewer members, and the new components `first` to p->n - 1; component_of[] already names the component of each member. The
 * function divides the range of hub[] or authority[] that `old` had among these components, moves each member into its
 * component's range, and leaves out members without a component. `copy` is scratch memory for all members of the old range. */
static void deal(struct bicover *p, uint32_t old, size_t first, enum side side, uint32_t *copy)
{
	const struct bicover_members was = *members(p, old, side);
	const uint32_t *component_of = side == HUBS ? p->hub_component : p->authority_component;
	uint32_t *place_of = side == HUBS ? p->hub_place : p->authority_place;
	uint32_t *node = side == HUBS ? p->hub : p->authority, at = was.at;

	if (was.n)
		memcpy(copy, node + was.at, was.n * sizeof *copy);
	members(p, old, side)->n = 0;
	for (uint32_t i = 0; i < was.n; i++)
		if (component_of[copy[i]] != BICOVER_NONE)
			members(p, component_of[copy[i]], side)->n++;
	place(members(p, old, side), &at);
	for (size_t k = first; k < p->n; k++)
		place(members(p, (uint32_t)k, side), &at);
	for (uint32_t i = 0; i < was.n; i++) {
		if (component_of[copy[i]] == BICOVER_NONE)
			continue;
		struct bicover_members *m = members(p, component_of[copy[i]], side);
		place_of[copy[i]] = m->at + m->n;
		node[m->at + m->n++] = copy[i];
	}
}

static void split(struct bicover *p, uint32_t old)
{
	const struct bicover_component was = p->component[old];
	const size_t first = p->n;
	uint32_t *scratch = mem_new(was.hubs.n > was.authorities.n ? was.hubs.n : was.authorities.n, sizeof *scratch);

	forget(p->hub_component, p->hub + was.hubs.at, was.hubs.n);
	forget(p->authority_component, p->authority + was.authorities.at, was.authorities.n);
	name_components(p, old, scratch);
	deal(p, old, first, HUBS, scratch);
	deal(p, old, first, AUTHORITIES, scratch);
	p->component[old].lost = 0;
	p->component[old].whole = 1;
	free(scratch);
}

static int is_worth_keeping(const struct bicover_component *p)
{
	const uint64_t copies = (uint64_t)p->hubs.n + p->authorities.n;

	return p->whole && bicover_component_is_large(p) && (uint64_t)p->lost * BICOVER_PATIENCE < copies;
}

int bicover_will_split(const struct bicover *p, uint32_t component)
{
	return p->component[component].lost && !is_worth_keeping(&p->component[component]);
}

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void bicover_split(struct bicover *p)
{
	const size_t before = p->n;
	size_t n = 0;

	qsort(p->changed, p->n_changed, sizeof *p->changed, ascending);
	for (size_t i = 0; i < p->n_changed; i++)
		if (i == 0 || p->changed[i] != p->changed[i - 1])
			p->changed[n++] = p->changed[i];
	p->n_changed = n;
	for (size_t i = 0; i < n; i++)
		if (!is_worth_keeping(&p->component[p->changed[i]]))
			split(p, p->changed[i]);
	for (size_t k = before; k < p->n; k++)
		changed(p, (uint32_t)k);
}

#define UNUSED UINT32_MAX

static int is_kept(const uint32_t *host, uint32_t u, uint32_t v)
{
	return host ? host[u] != host[v] : u != v;
}

/* Sets name[v] to the new id of each node that keeps an arc, and to UNUSED for all other nodes. Returns the number of nodes
 * kept, and that of arcs in *arcs. */
static uint32_t name_nodes(const struct graph *g, const uint32_t *host, uint32_t *name, uint64_t *arcs)
{
	uint32_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		name[u] = UNUSED;
	*arcs = 0;
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			if (!is_kept(host, u, g->target[a]))
				continue;
			name[u] = name[g->target[a]] = 0;
			++*arcs;
		}
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		if (name[u] != UNUSED)
			name[u] = n++;
	return n;
}

void prune(struct pruned *p, const struct graph *g, const uint32_t *host, unsigned threads)
{
	uint32_t *name = mem_new(g->nodes, sizeof *name);
	uint64_t arcs, at = 0;
	const uint32_t n = name_nodes(g, host, name, &arcs);
	uint64_t *offset = mem_new((size_t)n + 1, sizeof *offset);
	uint32_t *target = mem_new(arcs, sizeof *target);

	p->id = mem_new(n, sizeof *p->id);
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (name[u] == UNUSED)
			continue;
		p->id[name[u]] = u;
		offset[name[u]] = at;
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (is_kept(host, u, g->target[a]))
				target[at++] = name[g->target[a]];
	}
	offset[n] = at;
	free(name);
	graph_take_rows(&p->graph, n, offset, target, g->flags & GRAPH_ORDERED);
	graph_transpose(&p->graph, &p->reverse, threads);
}

void pruned_release(struct pruned *p)
{
	graph_release(&p->reverse);
	graph_release(&p->graph);
	free(p->id);
	*p = (struct pruned){0};
}
