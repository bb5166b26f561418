#include "seeds/hits/cores.h"
#include "base/mem.h"

#include <stdlib.h>

/* What a node is in the core, and as what it has been a candidate. */
enum mark { IS_HUB = 1, IS_AUTHORITY = 2, MET_AS_HUB = 4, MET_AS_AUTHORITY = 8 };

static const uint8_t is_member[] = {IS_HUB, IS_AUTHORITY}, has_met[] = {MET_AS_HUB, MET_AS_AUTHORITY};

void core_init(struct core *c, const struct hits_rank *rank, const struct core_rules *rules)
{
	*c = (struct core){.rank = rank, .rules = rules, .mark = mem_zero(rank->pruned->nodes, sizeof *c->mark)};
}

void core_release(struct core *c)
{
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		free(c->side[side].node);
		free(c->side[side].next.heap);
		free(c->side[side].next.met);
	}
	free(c->mark);
	*c = (struct core){0};
}

/* --- candidates: a binary heap */

static int is_better(const struct candidate *a, const struct candidate *b)
{
	return a->key != b->key ? a->key > b->key : a->node < b->node;
}

static void push(struct candidates *q, struct candidate joins)
{
	size_t i = q->n++;

	q->heap = mem_grow(q->heap, &q->room, q->n, sizeof *q->heap);
	for (; i && is_better(&joins, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = joins;
	q->met = mem_grow(q->met, &q->met_room, q->n_met + 1, sizeof *q->met);
	q->met[q->n_met++] = joins.node;
}

static uint32_t pop(struct candidates *q)
{
	const uint32_t best = q->heap[0].node;
	const struct candidate last = q->heap[--q->n];
	size_t i = 0;

	for (size_t child = 1; child < q->n; child = 2 * i + 1) {
		child += child + 1 < q->n && is_better(&q->heap[child + 1], &q->heap[child]);
		if (!is_better(&q->heap[child], &last))
			break;
		q->heap[i] = q->heap[child];
		i = child;
	}
	if (q->n)
		q->heap[i] = last;
	return best;
}

/* Takes the best candidate of a side that is neither a hub nor an authority of the core. Returns 1 with *node, or 0 if there is
 * none, or no room for it. */
static int take(struct core *c, enum side side, uint32_t *node)
{
	if (side == HUBS && c->side[HUBS].n >= c->rules->max_hubs)
		return 0;
	while (c->side[side].next.n) {
		*node = pop(&c->side[side].next);
		if (!(c->mark[*node] & (IS_HUB | IS_AUTHORITY)))
			return 1;
	}
	return 0;
}

/* --- the two sides */

/* Counts the links between a node of a side and the members of the other side. Removed nodes have no marks. */
static uint64_t links_to_core(const struct core *c, enum side side, uint32_t node)
{
	const struct graph *rows = &c->rank->pruned->rows[side];
	uint64_t n = 0;

	for (uint64_t a = rows->offset[node]; a < rows->offset[node + 1]; a++)
		n += (c->mark[rows->target[a]] & is_member[!side]) != 0;
	return n;
}

/* Adds a node to a side; the nodes that it is linked with become candidates of the other side. */
static void add(struct core *c, enum side side, uint32_t node)
{
	const struct graph *rows = &c->rank->pruned->rows[side];
	struct core_side *s = &c->side[side];

	s->node = mem_grow(s->node, &s->room, s->n + 1, sizeof *s->node);
	s->node[s->n++] = node;
	c->mark[node] |= is_member[side];
	c->links += links_to_core(c, side, node);
	for (uint64_t a = rows->offset[node]; a < rows->offset[node + 1]; a++) {
		const uint32_t v = rows->target[a];
		if (!hits_rank_has(c->rank, v) || c->mark[v] & (has_met[!side] | is_member[!side]))
			continue;
		c->mark[v] |= has_met[!side];
		push(&c->side[!side].next, (struct candidate){hits_rank_key(c->rank, !side, v), v});
	}
}

/* Removes the node that was added last to a side. The candidates that it added stay, since no node is added afterwards. */
static void drop(struct core *c, enum side side)
{
	const uint32_t node = c->side[side].node[--c->side[side].n];

	c->mark[node] &= (uint8_t)~is_member[side];
	c->links -= links_to_core(c, side, node);
}

/* --- density */

double core_density(const struct core *c)
{
	const double pairs = (double)c->side[HUBS].n * (double)c->side[AUTHORITIES].n;

	return pairs > 0 ? 100.0 * (double)c->links / pairs : 100.0;
}

static int is_thin(const struct core *c)
{
	return 100.0 * (double)c->links < c->rules->density * (double)c->side[HUBS].n * (double)c->side[AUTHORITIES].n;
}

/* Grows the core as the paper says: adds the best hub and the best authority by turns until the density is too low; then, which
 * the paper does not say, the last authority, and if necessary the last hub, is removed again. */
static void grow_until_thin(struct core *c)
{
	uint32_t u, v;

	for (;;) {
		const int hub = take(c, HUBS, &u);
		if (hub)
			add(c, HUBS, u);
		const int authority = take(c, AUTHORITIES, &v);
		if (authority)
			add(c, AUTHORITIES, v);
		if (!hub && !authority)
			return;
		if (!is_thin(c))
			continue;
		if (authority)
			drop(c, AUTHORITIES);
		if (hub && is_thin(c))
			drop(c, HUBS);
		return;
	}
}

/* Says whether a node can be added without making the density too low. This is asked before the node is added, so that one which
 * does not fit adds no candidates. */
static int fits(const struct core *c, enum side side, uint32_t node)
{
	const double links = (double)(c->links + links_to_core(c, side, node));

	return 100.0 * links >= c->rules->density * (double)(c->side[side].n + 1) * (double)c->side[!side].n;
}

/* Grows the core by trying the best candidate of each side in each round. After a candidate that does not fit, the side is
 * closed, or, with CORE_SKIP, goes on with its next candidate. */
static void grow_by_tries(struct core *c)
{
	int is_open[] = {1, 1}, tried;
	uint32_t node;

	do {
		tried = 0;
		for (enum side side = HUBS; side <= AUTHORITIES; side++) {
			if (!is_open[side] || !take(c, side, &node))
				continue;
			tried = 1;
			if (fits(c, side, node))
				add(c, side, node);
			else
				is_open[side] = c->rules->growth == CORE_SKIP;
		}
	} while (tried);
}

/* --- size */

static size_t size_of(const struct core *c)
{
	return c->side[HUBS].n + c->side[AUTHORITIES].n;
}

/* Grows the core in rounds of at most new_members hubs and as many authorities, until it has its size or no candidate is left. */
static void grow_to_size(struct core *c)
{
	uint32_t node;
	size_t before;

	do {
		before = size_of(c);
		for (enum side side = HUBS; side <= AUTHORITIES; side++)
			for (uint64_t m = 0; m < c->rules->new_members && size_of(c) < c->rules->size && take(c, side, &node); m++)
				add(c, side, node);
	} while (size_of(c) > before);
}

/* --- the whole */

void core_grow(struct core *c)
{
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		struct core_side *s = &c->side[side];
		for (size_t i = 0; i < s->next.n_met; i++)
			c->mark[s->next.met[i]] = 0;
		for (size_t i = 0; i < s->n; i++)
			c->mark[s->node[i]] = 0;
		s->n = s->next.n = s->next.n_met = 0;
	}
	c->links = 0;
	add(c, AUTHORITIES, hits_rank_top(c->rank));
	if (c->rules->size)
		grow_to_size(c);
	else if (c->rules->growth == CORE_STOP)
		grow_until_thin(c);
	else
		grow_by_tries(c);
}
