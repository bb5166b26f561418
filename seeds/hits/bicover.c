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

void bicover_init(struct bicover *p, const struct pruned *pruned)
{
	const uint32_t n = pruned->nodes;

	*p = (struct bicover){.pruned = pruned, .dead = mem_zero(n, sizeof *p->dead)};
	add_component(p);
	p->component[0].whole = 0;
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		struct bicover_side *s = &p->side[side];
		s->node = mem_new(n, sizeof *s->node);
		s->component = mem_new(n, sizeof *s->component);
		s->place = mem_new(n, sizeof *s->place);
		for (uint32_t u = 0; u < n; u++) {
			s->component[u] = BICOVER_NONE;
			if (graph_outdegree(&pruned->rows[side], u))
				s->node[p->component[0].members[side].n++] = u;
		}
	}
	changed(p, 0);
}

void bicover_release(struct bicover *p)
{
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		free(p->side[side].node);
		free(p->side[side].component);
		free(p->side[side].place);
	}
	free(p->dead);
	free(p->component);
	free(p->changed);
	*p = (struct bicover){0};
}

void bicover_remove(struct bicover *p, uint32_t node)
{
	p->dead[node] = 1;
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		uint32_t *component = &p->side[side].component[node];
		if (*component != BICOVER_NONE) {
			p->component[*component].lost++;
			changed(p, *component);
		}
		*component = BICOVER_NONE;
	}
}

/* Puts all copies that are connected to hub u into component `name`. `queue` has room for all hubs. */
static void fill(struct bicover *p, uint32_t u, uint32_t name, uint32_t *queue)
{
	const struct graph *out = &p->pruned->rows[HUBS], *in = &p->pruned->rows[AUTHORITIES];
	uint32_t *hub_component = p->side[HUBS].component, *authority_component = p->side[AUTHORITIES].component;
	size_t n = 0;

	hub_component[u] = name;
	queue[n++] = u;
	while (n) {
		u = queue[--n];
		for (uint64_t a = out->offset[u]; a < out->offset[u + 1]; a++) {
			const uint32_t v = out->target[a];
			if (p->dead[v] || authority_component[v] == name)
				continue;
			authority_component[v] = name;
			for (uint64_t b = in->offset[v]; b < in->offset[v + 1]; b++) {
				const uint32_t w = in->target[b];
				if (p->dead[w] || hub_component[w] == name)
					continue;
				hub_component[w] = name;
				queue[n++] = w;
			}
		}
	}
}

static int has_target(const struct bicover *p, uint32_t u)
{
	const struct graph *g = &p->pruned->rows[HUBS];

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		if (!p->dead[g->target[a]])
			return 1;
	return 0;
}

/* Finds the connected components among the members of component `old`, and sets the component of each member: the first one
 * found keeps the number `old`, the others get new numbers. Copies without arcs get none. `queue` has room for the hubs. */
static void name_components(struct bicover *p, uint32_t old, uint32_t *queue)
{
	const struct bicover_component was = p->component[old];
	int reused = 0;

	for (enum side side = HUBS; side <= AUTHORITIES; side++)
		for (uint32_t i = 0; i < was.members[side].n; i++)
			p->side[side].component[p->side[side].node[was.members[side].at + i]] = BICOVER_NONE;
	for (uint32_t i = 0; i < was.members[HUBS].n; i++) {
		const uint32_t u = p->side[HUBS].node[was.members[HUBS].at + i];
		if (p->dead[u] || p->side[HUBS].component[u] != BICOVER_NONE || !has_target(p, u))
			continue;
		fill(p, u, reused ? add_component(p) : old, queue);
		reused = 1;
	}
}

/* Gives a component the places from *at on, and no members yet. */
static void place(struct bicover_members *m, uint32_t *at)
{
	m->at = *at;
	*at += m->n;
	m->n = 0;
}

/* Rearranges one side of a component that was split. The component `old` was split into itself, with fewer members, and the new
 * components `first` to p->n - 1; the side already names the component of each member. The function divides the range of node[]
 * that `old` had among these components, moves each member into its component's range, and leaves out members without a component.
 * `copy` is scratch memory for all members of the old range. */
static void deal(struct bicover *p, uint32_t old, size_t first, enum side side, uint32_t *copy)
{
	const struct bicover_members was = p->component[old].members[side];
	struct bicover_side *s = &p->side[side];
	uint32_t at = was.at;

	if (was.n)
		memcpy(copy, s->node + was.at, was.n * sizeof *copy);
	p->component[old].members[side].n = 0;
	for (uint32_t i = 0; i < was.n; i++)
		if (s->component[copy[i]] != BICOVER_NONE)
			p->component[s->component[copy[i]]].members[side].n++;
	place(&p->component[old].members[side], &at);
	for (size_t k = first; k < p->n; k++)
		place(&p->component[k].members[side], &at);
	for (uint32_t i = 0; i < was.n; i++) {
		if (s->component[copy[i]] == BICOVER_NONE)
			continue;
		struct bicover_members *m = &p->component[s->component[copy[i]]].members[side];
		s->place[copy[i]] = m->at + m->n;
		s->node[m->at + m->n++] = copy[i];
	}
}

static void split(struct bicover *p, uint32_t old)
{
	const size_t first = p->n;
	const uint32_t hubs = p->component[old].members[HUBS].n, authorities = p->component[old].members[AUTHORITIES].n;
	AUTO_FREE uint32_t *scratch = mem_new(hubs > authorities ? hubs : authorities, sizeof *scratch);

	name_components(p, old, scratch);
	deal(p, old, first, HUBS, scratch);
	deal(p, old, first, AUTHORITIES, scratch);
	p->component[old].lost = 0;
	p->component[old].whole = 1;
}

static int is_worth_keeping(const struct bicover_component *p)
{
	return p->whole && bicover_component_is_large(p) && (uint64_t)p->lost * BICOVER_PATIENCE < bicover_component_copies(p);
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

	p->nodes = n;
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
	graph_take_rows(&p->rows[HUBS], n, offset, target, g->flags & GRAPH_ORDERED);
	graph_transpose(&p->rows[HUBS], &p->rows[AUTHORITIES], threads);
}

void pruned_release(struct pruned *p)
{
	graph_release(&p->rows[AUTHORITIES]);
	graph_release(&p->rows[HUBS]);
	free(p->id);
	*p = (struct pruned){.nodes = 0};
}
