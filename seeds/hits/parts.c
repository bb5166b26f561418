#include "seeds/hits/parts.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void changed(struct parts *p, uint32_t part)
{
	p->changed = mem_grow(p->changed, &p->changed_room, p->n_changed + 1, sizeof *p->changed);
	p->changed[p->n_changed++] = part;
}

static uint32_t add_part(struct parts *p)
{
	p->part = mem_grow(p->part, &p->room, p->n + 1, sizeof *p->part);
	p->part[p->n] = (struct part){.whole = 1};
	return (uint32_t)p->n++; /* parts have a hub each: there are no more than nodes */
}

#define LENGTHS 256 /* rows that are longer are in the order of their ids alone */

static uint32_t length_class(const struct graph *g, uint32_t u)
{
	const uint32_t n = graph_outdegree(g, u);

	return n < LENGTHS ? n : LENGTHS;
}

/* Nodes with a row that is not empty into list[], by (length class, id); returns how many. */
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

/* Puts the nodes of list[] whose row is one target, which come first, into the order in which the
 * other side lists those targets; g has the rows of the other side. */
static void follow(uint32_t *list, const struct graph *rows, const uint32_t *other,
	uint32_t n_other, const struct graph *g)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < n_other; i++)
		for (uint64_t a = g->offset[other[i]]; a < g->offset[other[i] + 1]; a++)
			if (graph_outdegree(rows, g->target[a]) == 1)
				list[at++] = g->target[a];
}

void parts_init(struct parts *p, const struct pruned *pruned)
{
	const uint32_t n = pruned->graph.nodes;

	*p = (struct parts){.pruned = pruned,
		.dead = mem_zero(n, sizeof *p->dead),
		.hub = mem_new(n, sizeof *p->hub),
		.authority = mem_new(n, sizeof *p->authority),
		.hub_part = mem_new(n, sizeof *p->hub_part),
		.authority_part = mem_new(n, sizeof *p->authority_part),
		.hub_place = mem_new(n, sizeof *p->hub_place),
		.authority_place = mem_new(n, sizeof *p->authority_place)};
	for (uint32_t v = 0; v < n; v++)
		p->hub_part[v] = p->authority_part[v] = PARTS_NONE;
	add_part(p);
	p->part[0].whole = 0;
	p->part[0].hubs.n = list_rows(&pruned->graph, p->hub);
	p->part[0].authorities.n = list_rows(&pruned->reverse, p->authority);
	follow(p->hub, &pruned->graph, p->authority, p->part[0].authorities.n, &pruned->reverse);
	follow(p->authority, &pruned->reverse, p->hub, p->part[0].hubs.n, &pruned->graph);
	changed(p, 0);
}

void parts_release(struct parts *p)
{
	free(p->dead);
	free(p->hub);
	free(p->authority);
	free(p->hub_part);
	free(p->authority_part);
	free(p->hub_place);
	free(p->authority_place);
	free(p->part);
	free(p->changed);
	*p = (struct parts){0};
}

static void lose(struct parts *p, uint32_t part)
{
	p->part[part].lost++;
	changed(p, part);
}

void parts_remove(struct parts *p, uint32_t node)
{
	p->dead[node] = 1;
	if (p->hub_part[node] != PARTS_NONE)
		lose(p, p->hub_part[node]);
	if (p->authority_part[node] != PARTS_NONE)
		lose(p, p->authority_part[node]);
	p->hub_part[node] = p->authority_part[node] = PARTS_NONE;
}

/* Everything that hangs together with hub u becomes part `name`; `queue` has room for all hubs. */
static void fill(struct parts *p, uint32_t u, uint32_t name, uint32_t *queue)
{
	const struct graph *out = &p->pruned->graph, *in = &p->pruned->reverse;
	size_t n = 0;

	p->hub_part[u] = name;
	queue[n++] = u;
	while (n) {
		u = queue[--n];
		for (uint64_t a = out->offset[u]; a < out->offset[u + 1]; a++) {
			const uint32_t v = out->target[a];
			if (p->dead[v] || p->authority_part[v] == name)
				continue;
			p->authority_part[v] = name;
			for (uint64_t b = in->offset[v]; b < in->offset[v + 1]; b++) {
				const uint32_t w = in->target[b];
				if (p->dead[w] || p->hub_part[w] == name)
					continue;
				p->hub_part[w] = name;
				queue[n++] = w;
			}
		}
	}
}

static int has_target(const struct parts *p, uint32_t u)
{
	const struct graph *g = &p->pruned->graph;

	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		if (!p->dead[g->target[a]])
			return 1;
	return 0;
}

/* What the members of a range belong to is forgotten. */
static void forget(uint32_t *part_of, const uint32_t *node, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		part_of[node[i]] = PARTS_NONE;
}

/* Names anew what hangs together among the hubs of a part: the first bears the old name, the others
 * new ones. Copies without arcs bear none. `queue` has room for the hubs. */
static void name_parts(struct parts *p, uint32_t old, uint32_t *queue)
{
	const struct part was = p->part[old];
	int reused = 0;

	for (uint32_t i = 0; i < was.hubs.n; i++) {
		const uint32_t u = p->hub[was.hubs.at + i];
		if (p->dead[u] || p->hub_part[u] != PARTS_NONE || !has_target(p, u))
			continue;
		fill(p, u, reused ? add_part(p) : old, queue);
		reused = 1;
	}
}

enum side { HUBS, AUTHORITIES };

static struct part_members *members(struct parts *p, uint32_t part, enum side side)
{
	return side == HUBS ? &p->part[part].hubs : &p->part[part].authorities;
}

/* Gives a part the places from *at on, and no members yet. */
static void place(struct part_members *m, uint32_t *at)
{
	m->at = *at;
	*at += m->n;
	m->n = 0;
}

/* The members that one part had on a side are dealt out to those that they belong to now: `old` and
 * those from `first` on. `copy` has room for them. */
static void deal(struct parts *p, uint32_t old, size_t first, enum side side, uint32_t *copy)
{
	const struct part_members was = *members(p, old, side);
	const uint32_t *part_of = side == HUBS ? p->hub_part : p->authority_part;
	uint32_t *place_of = side == HUBS ? p->hub_place : p->authority_place;
	uint32_t *node = side == HUBS ? p->hub : p->authority, at = was.at;

	if (was.n)
		memcpy(copy, node + was.at, was.n * sizeof *copy);
	members(p, old, side)->n = 0;
	for (uint32_t i = 0; i < was.n; i++)
		if (part_of[copy[i]] != PARTS_NONE)
			members(p, part_of[copy[i]], side)->n++;
	place(members(p, old, side), &at);
	for (size_t k = first; k < p->n; k++)
		place(members(p, (uint32_t)k, side), &at);
	for (uint32_t i = 0; i < was.n; i++) {
		if (part_of[copy[i]] == PARTS_NONE)
			continue;
		struct part_members *m = members(p, part_of[copy[i]], side);
		place_of[copy[i]] = m->at + m->n;
		node[m->at + m->n++] = copy[i];
	}
}

static void split(struct parts *p, uint32_t old)
{
	const struct part was = p->part[old];
	const size_t first = p->n;
	uint32_t *scratch = mem_new(
		was.hubs.n > was.authorities.n ? was.hubs.n : was.authorities.n, sizeof *scratch);

	forget(p->hub_part, p->hub + was.hubs.at, was.hubs.n);
	forget(p->authority_part, p->authority + was.authorities.at, was.authorities.n);
	name_parts(p, old, scratch);
	deal(p, old, first, HUBS, scratch);
	deal(p, old, first, AUTHORITIES, scratch);
	p->part[old].lost = 0;
	p->part[old].whole = 1;
	free(scratch);
}

static int is_worth_keeping(const struct part *p)
{
	const uint64_t copies = (uint64_t)p->hubs.n + p->authorities.n;

	return p->whole && part_is_large(p) && (uint64_t)p->lost * PARTS_PATIENCE < copies;
}

int parts_will_split(const struct parts *p, uint32_t part)
{
	return p->part[part].lost && !is_worth_keeping(&p->part[part]);
}

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void parts_split(struct parts *p)
{
	const size_t before = p->n;
	size_t n = 0;

	qsort(p->changed, p->n_changed, sizeof *p->changed, ascending);
	for (size_t i = 0; i < p->n_changed; i++)
		if (i == 0 || p->changed[i] != p->changed[i - 1])
			p->changed[n++] = p->changed[i];
	p->n_changed = n;
	for (size_t i = 0; i < n; i++)
		if (!is_worth_keeping(&p->part[p->changed[i]]))
			split(p, p->changed[i]);
	for (size_t k = before; k < p->n; k++)
		changed(p, (uint32_t)k);
}
