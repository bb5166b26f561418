#include "seeds/hits/cores.h"
#include "base/mem.h"

#include <stdlib.h>

enum mark { IS_HUB = 1, IS_AUTHORITY = 2, MET_AS_HUB = 4, MET_AS_AUTHORITY = 8 };

void core_init(struct core *c, const struct hits_rank *rank, const struct core_rules *rules)
{
	*c = (struct core){.rank = rank, .rules = rules, .mark = mem_zero(rank->pruned->graph.nodes, sizeof *c->mark)};
}

static void release_side(struct side *s)
{
	free(s->node);
	free(s->next.heap);
	free(s->next.met);
}

void core_release(struct core *c)
{
	release_side(&c->hubs);
	release_side(&c->authorities);
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
 * none. */
static int take(struct core *c, struct candidates *q, uint32_t *node)
{
	while (q->n) {
		*node = pop(q);
		if (!(c->mark[*node] & (IS_HUB | IS_AUTHORITY)))
			return 1;
	}
	return 0;
}

/* --- the two sides */

static void add_to_side(struct side *s, uint32_t node)
{
	s->node = mem_grow(s->node, &s->room, s->n + 1, sizeof *s->node);
	s->node[s->n++] = node;
}

/* Counts the linked nodes with this mark. Removed nodes have no marks. */
static uint64_t count(const struct core *c, struct links l, enum mark mark)
{
	uint64_t n = 0;
	uint32_t v;

	while (links_next(&l, &v))
		n += (c->mark[v] & mark) != 0;
	return n;
}

static void add_hub(struct core *c, uint32_t u)
{
	struct links l = hits_rank_out(c->rank, u);
	uint32_t v;

	add_to_side(&c->hubs, u);
	c->mark[u] |= IS_HUB;
	c->links += count(c, l, IS_AUTHORITY);
	while (links_next(&l, &v)) {
		if (!hits_rank_has(c->rank, v) || c->mark[v] & (MET_AS_AUTHORITY | IS_AUTHORITY))
			continue;
		c->mark[v] |= MET_AS_AUTHORITY;
		push(&c->authorities.next, (struct candidate){hits_rank_authority(c->rank, v), v});
	}
}

static void add_authority(struct core *c, uint32_t v)
{
	struct links l = hits_rank_in(c->rank, v);
	uint32_t u;

	add_to_side(&c->authorities, v);
	c->mark[v] |= IS_AUTHORITY;
	c->links += count(c, l, IS_HUB);
	while (links_next(&l, &u)) {
		if (!hits_rank_has(c->rank, u) || c->mark[u] & (MET_AS_HUB | IS_HUB))
			continue;
		c->mark[u] |= MET_AS_HUB;
		push(&c->hubs.next, (struct candidate){hits_rank_hub(c->rank, u), u});
	}
}

/* Removes the hub that was added last. The candidates that it added stay, since no node is added afterwards. */
static void drop_hub(struct core *c)
{
	const uint32_t u = c->hubs.node[--c->hubs.n];

	c->mark[u] &= (uint8_t)~IS_HUB;
	c->links -= count(c, hits_rank_out(c->rank, u), IS_AUTHORITY);
}

static void drop_authority(struct core *c)
{
	const uint32_t v = c->authorities.node[--c->authorities.n];

	c->mark[v] &= (uint8_t)~IS_AUTHORITY;
	c->links -= count(c, hits_rank_in(c->rank, v), IS_HUB);
}

static int is_open(const struct core *c)
{
	return c->hubs.n < c->rules->max_hubs;
}

/* --- density */

double core_density(const struct core *c)
{
	const double pairs = (double)c->hubs.n * (double)c->authorities.n;

	return pairs > 0 ? 100.0 * (double)c->links / pairs : 100.0;
}

static int is_thin(const struct core *c)
{
	return 100.0 * (double)c->links < c->rules->density * (double)c->hubs.n * (double)c->authorities.n;
}

/* Grows the core as the paper says: adds the best hub and the best authority by turns until the density is too low; then, which
 * the paper does not say, the last authority, and if necessary the last hub, is removed again. */
static void grow_until_thin(struct core *c)
{
	uint32_t u, v;

	for (;;) {
		const int hub = is_open(c) && take(c, &c->hubs.next, &u);
		if (hub)
			add_hub(c, u);
		const int authority = take(c, &c->authorities.next, &v);
		if (authority)
			add_authority(c, v);
		if (!hub && !authority)
			return;
		if (!is_thin(c))
			continue;
		if (authority)
			drop_authority(c);
		if (hub && is_thin(c))
			drop_hub(c);
		return;
	}
}

/* Says whether a hub can be added without making the density too low. This is asked before the hub is added, so that a hub which
 * does not fit adds no candidates. */
static int hub_fits(const struct core *c, uint32_t u)
{
	const double links = (double)(c->links + count(c, hits_rank_out(c->rank, u), IS_AUTHORITY));

	return 100.0 * links >= c->rules->density * (double)(c->hubs.n + 1) * (double)c->authorities.n;
}

static int authority_fits(const struct core *c, uint32_t v)
{
	const double links = (double)(c->links + count(c, hits_rank_in(c->rank, v), IS_HUB));

	return 100.0 * links >= c->rules->density * (double)c->hubs.n * (double)(c->authorities.n + 1);
}

/* Grows the core by trying the best candidate of each side in each round. After a candidate that does not fit, the side is
 * closed, or, with CORE_SKIP, goes on with its next candidate. */
static void grow_by_tries(struct core *c)
{
	int hubs_open = 1, authorities_open = 1, tried;
	uint32_t u, v;

	do {
		tried = 0;
		if (hubs_open && is_open(c) && take(c, &c->hubs.next, &u)) {
			tried = 1;
			if (hub_fits(c, u))
				add_hub(c, u);
			else
				hubs_open = c->rules->growth == CORE_SKIP;
		}
		if (authorities_open && take(c, &c->authorities.next, &v)) {
			tried = 1;
			if (authority_fits(c, v))
				add_authority(c, v);
			else
				authorities_open = c->rules->growth == CORE_SKIP;
		}
	} while (tried);
}

/* --- size */

static uint64_t room_left(const struct core *c)
{
	const uint64_t there = c->hubs.n + c->authorities.n;

	return there < c->rules->size ? c->rules->size - there : 0;
}

/* Grows the core in rounds of at most new_members hubs and as many authorities, until it has its size or no candidate is left. */
static void grow_to_size(struct core *c)
{
	const uint64_t members = c->rules->new_members;
	uint32_t node;
	size_t before;

	do {
		before = c->hubs.n + c->authorities.n;
		for (uint64_t m = 0; m < members && room_left(c) && is_open(c) && take(c, &c->hubs.next, &node); m++)
			add_hub(c, node);
		for (uint64_t m = 0; m < members && room_left(c) && take(c, &c->authorities.next, &node); m++)
			add_authority(c, node);
	} while (c->hubs.n + c->authorities.n > before);
}

/* --- the whole */

static void clear_side(struct core *c, struct side *s)
{
	for (size_t i = 0; i < s->next.n_met; i++)
		c->mark[s->next.met[i]] = 0;
	for (size_t i = 0; i < s->n; i++)
		c->mark[s->node[i]] = 0;
	s->n = s->next.n = s->next.n_met = 0;
}

void core_grow(struct core *c)
{
	clear_side(c, &c->hubs);
	clear_side(c, &c->authorities);
	c->links = 0;
	add_authority(c, hits_rank_top(c->rank));
	if (c->rules->size)
		grow_to_size(c);
	else if (c->rules->growth == CORE_STOP)
		grow_until_thin(c);
	else
		grow_by_tries(c);
}
