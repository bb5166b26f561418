/* Hub and authority scores component by component, against a cold run of the whole. */
#include "tests/test.h"

#include "base/mem.h"
#include "graph/kernels/hits.h"
#include "seeds/hits/hits_rank.h"
#include "tests/graph/shapes.h"

/* A key may be one off where the value lies between two, since sums are done in another order. */
static void near_key(uint64_t got, uint64_t want)
{
	assert_in_range(got + 1, want, want + 2);
}

static void same_as_cold(const struct hits_rank *r, const struct hits *hits, unsigned iterations)
{
	const uint32_t n = r->pruned->nodes;
	double *hub = mem_new(n, sizeof *hub), *authority = mem_new(n, sizeof *authority);
	uint64_t *key = mem_new(n, sizeof *key);
	uint32_t top = 0;

	hits_run(hits, iterations, r->bicover.dead, hub, authority);
	hits_keys(hub, n, key);
	for (uint32_t u = 0; u < n; u++)
		near_key(hits_rank_key(r, HUBS, u), key[u]);
	hits_keys(authority, n, key);
	for (uint32_t v = 0; v < n; v++) {
		near_key(hits_rank_key(r, AUTHORITIES, v), key[v]);
		top = key[v] > key[top] ? v : top;
	}
	if (r->arcs)
		assert_int_equal(hits_rank_top(r), top);
	free(hub);
	free(authority);
	free(key);
}

/* The invariants of the components, and the number of links. */
static void parts_are_sound(const struct hits_rank *r)
{
	const struct bicover *p = &r->bicover;
	const struct graph *g = &r->pruned->rows[HUBS];
	uint64_t arcs = 0, hubs = 0, members = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		int has_arcs = 0;
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			if (p->dead[u] || p->dead[g->target[a]])
				continue;
			assert_int_equal(p->side[HUBS].component[u], p->side[AUTHORITIES].component[g->target[a]]);
			has_arcs = 1;
			arcs++;
		}
		hubs += p->side[HUBS].component[u] != BICOVER_NONE;
		assert_true(!has_arcs || p->side[HUBS].component[u] != BICOVER_NONE);
	}
	assert_int_equal(arcs, r->arcs);
	for (size_t i = 0; i < p->n; i++) {
		const uint32_t *hub = p->side[HUBS].node + p->component[i].members[HUBS].at;
		uint32_t left = 0;
		for (uint32_t k = 0; k < p->component[i].members[HUBS].n; k++) {
			if (p->dead[hub[k]])
				continue;
			assert_int_equal(p->side[HUBS].component[hub[k]], i);
			left++;
			assert_int_equal(p->side[HUBS].place[hub[k]], p->component[i].members[HUBS].at + k);
		}
		assert_true(bicover_component_is_large(&p->component[i]) || left == p->component[i].members[HUBS].n);
		members += left;
	}
	assert_int_equal(members, hubs);
}

static void after_removals_scores_are_those_of_a_cold_run(void **state)
{
	static const struct {
		uint32_t n, arcs, near;
	} shapes[] = {{30, 40, 0}, {200, 300, 3}, {500, 400, 0}, {2, 1, 0}, {40000, 60000, 0}, {40000, 44000, 5},
		{60000, 110000, 0}};
	struct rng r = {61};

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		const unsigned iterations = i % 2 ? 60 : 7;
		struct pruned p;
		struct graph g;
		struct hits hits;
		struct hits_rank rank;
		shape_random(&g, shapes[i].n, shapes[i].arcs, shapes[i].near, &r);
		prune(&p, &g, NULL, 1);
		hits_init(&hits, &p.rows[HUBS], 1);
		hits_rank_init(&rank, &p, iterations, 1 + (unsigned)i % 3);
		for (unsigned round = 0; round < 4; round++) {
			/* many, so that all falls apart; few, so that a large component stays reduced */
			const uint32_t most = (p.nodes + 19) / (round == 3 ? 20 : 400);
			for (uint32_t k = 0; round && k < most; k++) {
				const uint32_t v = (uint32_t)rng_below(&r, p.nodes);
				if (hits_rank_has(&rank, v))
					hits_rank_remove(&rank, v);
			}
			hits_rank_update(&rank);
			parts_are_sound(&rank);
			same_as_cold(&rank, &hits, iterations);
		}
		hits_rank_release(&rank);
		hits_release(&hits);
		pruned_release(&p);
		graph_release(&g);
	}
}

/* Two components: only the one that lost an arc is run again. */
static void what_lost_no_arc_is_not_run_again(void **state)
{
	static const uint32_t from[] = {0, 0, 1, 1, 4, 4, 5, 5, 8, 8}, to[] = {2, 3, 2, 3, 6, 7, 6, 7, 6, 7};
	struct hits_rank rank;
	struct pruned p;
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 9, from, to, 10);
	prune(&p, &g, NULL, 1);
	hits_rank_init(&rank, &p, 60, 1);
	hits_rank_update(&rank);
	const uint64_t first = rank.visits;
	hits_rank_update(&rank);
	assert_int_equal(rank.visits, first);
	hits_rank_remove(&rank, 5);
	hits_rank_update(&rank);
	assert_in_range(rank.visits, first + 1, first + first / 2);
	assert_int_equal(rank.arcs, 8);
	hits_rank_release(&rank);
	pruned_release(&p);
	graph_release(&g);
}

/* Large stars, so that a component stays reduced and is not split: what is removed may be a centre, a leaf, or all
 * that a leaf hung on. */
static void a_reduced_component_may_lose_all_its_links(void **state)
{
	enum { LEAVES = 20000, CENTRES = 2 };
	uint32_t *from = mem_new(CENTRES * LEAVES, sizeof *from);
	uint32_t *to = mem_new(CENTRES * LEAVES, sizeof *to);
	struct hits_rank rank;
	struct hits hits;
	struct pruned p;
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < CENTRES * LEAVES; i++) {
		from[i] = CENTRES + i;
		to[i] = i % CENTRES;
	}
	from[0] = from[1]; /* one hub has both, so that there is one component */
	graph_from_arcs(&g, CENTRES + CENTRES * LEAVES, from, to, CENTRES * LEAVES);
	prune(&p, &g, NULL, 1);
	hits_init(&hits, &p.rows[HUBS], 1);
	hits_rank_init(&rank, &p, 60, 2);
	const uint32_t order[] = {40, 0, 41, 1, 43};
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		hits_rank_update(&rank);
		same_as_cold(&rank, &hits, 60);
		hits_rank_remove(&rank, order[i]);
	}
	hits_rank_update(&rank);
	assert_int_equal(rank.arcs, 0);
	assert_int_equal(hits_rank_key(&rank, HUBS, 77), 0);
	assert_int_equal(hits_rank_top(&rank), UINT32_MAX);
	hits_rank_release(&rank);
	hits_release(&hits);
	pruned_release(&p);
	graph_release(&g);
	free(from);
	free(to);
}

/* A star of many links beside a larger component of few: the star loses authorities, too few to be split,
 * and those that went must not be taken for its greatest. */
static void of_two_large_parts_the_smaller_loses_its_best(void **state)
{
	enum { HEAVY = 8, STAR = 30000, OTHERS = 60000, ARCS = 2 * (STAR + OTHERS) };
	uint32_t *from = mem_new(ARCS, sizeof *from), *to = mem_new(ARCS, sizeof *to);
	struct rng r = {63};
	struct hits_rank rank;
	struct hits hits;
	struct pruned p;
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < ARCS; i++) {
		const uint32_t hub = i / 2;
		from[i] = HEAVY + hub;
		to[i] = hub < STAR ? (uint32_t)rng_below(&r, HEAVY) : HEAVY + STAR + OTHERS + (hub - STAR + i % 2) % OTHERS;
	}
	graph_from_arcs(&g, HEAVY + STAR + 2 * OTHERS, from, to, ARCS);
	prune(&p, &g, NULL, 1);
	hits_init(&hits, &p.rows[HUBS], 1);
	hits_rank_init(&rank, &p, 20, 1);
	for (uint32_t i = 0; i < 5; i++) {
		hits_rank_update(&rank);
		same_as_cold(&rank, &hits, 20);
		hits_rank_remove(&rank, hits_rank_top(&rank));
	}
	hits_rank_release(&rank);
	hits_release(&hits);
	pruned_release(&p);
	graph_release(&g);
	free(from);
	free(to);
}

static void threads_change_no_bit(void **state)
{
	struct rng r = {62};
	struct pruned p, q;
	struct graph g;
	struct hits_rank one, more;

	(void)state;
	shape_random(&g, 100000, 180000, 0, &r);
	prune(&p, &g, NULL, 1);
	prune(&q, &g, NULL, 2);
	hits_rank_init(&one, &p, 20, 1);
	hits_rank_init(&more, &q, 20, 3);
	for (unsigned round = 0; round < 2; round++) {
		hits_rank_update(&one);
		hits_rank_update(&more);
		assert_memory_equal(one.score[HUBS], more.score[HUBS], p.nodes * sizeof *one.score[HUBS]);
		assert_memory_equal(one.score[AUTHORITIES], more.score[AUTHORITIES], p.nodes * sizeof *one.score[HUBS]);
		assert_true(one.log[HUBS] == more.log[HUBS] && one.visits == more.visits);
		hits_rank_remove(&one, hits_rank_top(&one));
		hits_rank_remove(&more, hits_rank_top(&more));
	}
	hits_rank_release(&one);
	hits_rank_release(&more);
	pruned_release(&p);
	pruned_release(&q);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_removals_scores_are_those_of_a_cold_run),
		cmocka_unit_test(what_lost_no_arc_is_not_run_again),
		cmocka_unit_test(a_reduced_component_may_lose_all_its_links),
		cmocka_unit_test(of_two_large_parts_the_smaller_loses_its_best),
		cmocka_unit_test(threads_change_no_bit),
	};

	return cmocka_run_group_tests_name("hits_rank", tests, NULL, NULL);
}
