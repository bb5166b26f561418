/* Sums over the links into each page, tile by tile. */
#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/tiles.h"

struct sums {
	const struct graph *g;
	const uint8_t *deferred;
	uint8_t *loop;
	void *x;
	enum gather_numbers kind;
};

/* The slow second method: the links one by one. The values are whole numbers, so that no order of summing counts. */
static double plain_sum(const struct sums *s, uint32_t page)
{
	double sum = 0.0;

	for (uint32_t u = 0; u < s->g->nodes; u++)
		for (uint32_t k = 0; k < graph_outdegree(s->g, u); k++)
			if (graph_row(s->g, u)[k] == page && !(s->loop && u == page))
				sum += gather_value(s->x, s->kind, u);
	return sum;
}

/* Each share has the sums of its own pages, and leaves those of the others alone. */
static void assert_sums(const struct tiles *t, const struct sums *s, const double *want)
{
	double *sum = mem_new(TILES_STRIP, sizeof *sum);

	for (uint32_t b = 0; b < t->blocks; b++) {
		const uint32_t first = tiles_first(t, b), end = tiles_first(t, b + 1);
		for (int share = TILES_KEPT; share <= TILES_DEFERRED; share++) {
			for (uint32_t v = first; v < end; v++)
				sum[v - first] = 7.0;
			tiles_add(t, b, (enum tiles_share)share, s->x, s->kind, sum);
			for (uint32_t v = first; v < end; v++) {
				const int mine = (s->deferred && s->deferred[v]) == (share == TILES_DEFERRED);
				assert_true(sum[v - first] == 7.0 + (mine ? want[v] : 0.0));
			}
		}
	}
	assert_int_equal(tiles_first(t, t->blocks), s->g->nodes);
	free(sum);
}

/* All that a plan can ask for, on a graph whose last strip has few pages. */
static void tiles_have_the_sums_of_the_links_one_by_one(void **state)
{
	enum { N = 700 };
	double doubles[N], want[N];
	float singles[N];
	uint8_t deferred[N], loop[N];
	struct rng r = {3};
	struct graph g;

	(void)state;
	shape_random(&g, N, 5000, 0, &r);
	for (uint32_t v = 0; v < N; v++) {
		doubles[v] = (double)rng_below(&r, 1000);
		singles[v] = (float)doubles[v];
		deferred[v] = rng_below(&r, 3) == 0;
	}
	for (int k = 0; k < 16; k++) {
		const enum gather_numbers kind = k & 1 ? GATHER_SINGLES : GATHER_DOUBLES;
		struct sums s = {&g, k & 2 ? deferred : NULL, k & 4 ? loop : NULL, k & 1 ? (void *)singles : (void *)doubles, kind};
		const struct tiles_plan plan = {k & 8 ? 5 : 16, 1, s.deferred, s.loop};
		struct tiles t;
		memset(loop, 0, sizeof loop);
		tiles_build(&t, &g, &plan);
		for (uint32_t v = 0; v < N; v++)
			want[v] = plain_sum(&s, v);
		assert_sums(&t, &s, want);
		for (uint32_t v = 0; s.loop && v < N; v++) {
			int links_to_itself = 0;
			for (uint32_t i = 0; i < graph_outdegree(&g, v); i++)
				links_to_itself += graph_row(&g, v)[i] == v;
			assert_int_equal(loop[v], links_to_itself);
		}
		tiles_release(&t);
	}
	graph_release(&g);
}

/* Pages on both sides of the ends of strips, where the 16 bits begin anew. */
static void links_across_strips_keep_their_ends(void **state)
{
	static const uint32_t page[] = {0, TILES_STRIP - 1, TILES_STRIP, 2 * TILES_STRIP - 1, 2 * TILES_STRIP, 2 * TILES_STRIP + 9};
	enum { N = 2 * TILES_STRIP + 10, PAGES = sizeof page / sizeof *page };
	double *x = mem_new(N, sizeof *x), *sum = mem_zero(TILES_STRIP, sizeof *sum);
	struct shape a = {0};
	struct graph g;
	struct tiles t;

	(void)state;
	for (int from = 0; from < PAGES; from++)
		for (int to = from; to < PAGES; to++)
			shape_add(&a, page[from], page[to]);
	shape_end(&a, N, &g);
	for (uint32_t v = 0; v < N; v++)
		x[v] = 1000.0 * PAGES;
	for (int k = 0; k < PAGES; k++)
		x[page[k]] = 1 << k;
	tiles_build(&t, &g, &(struct tiles_plan){.block_bits = 16, .threads = 1});
	assert_int_equal(t.strips, 3);
	for (int k = 0; k < PAGES; k++) {
		const uint32_t b = page[k] / TILES_STRIP;
		memset(sum, 0, TILES_STRIP * sizeof *sum);
		tiles_add(&t, b, TILES_KEPT, x, GATHER_DOUBLES, sum);
		assert_true(sum[page[k] - tiles_first(&t, b)] == (2 << k) - 1);
	}
	tiles_release(&t);
	graph_release(&g);
	free(x);
	free(sum);
}

static void tiles_are_the_same_for_any_number_of_threads(void **state)
{
	struct rng r = {4};
	struct tiles one, many;
	struct graph g;

	(void)state;
	shape_random(&g, 200000, 600000, 0, &r);
	tiles_build(&one, &g, &(struct tiles_plan){.block_bits = 13, .threads = 1});
	tiles_build(&many, &g, &(struct tiles_plan){.block_bits = 13, .threads = 3});
	const size_t tiles = 2 * (size_t)one.blocks * one.strips;
	assert_int_equal(one.begin[tiles], g.arcs);
	assert_memory_equal(one.begin, many.begin, (tiles + 1) * sizeof *one.begin);
	assert_memory_equal(one.link, many.link, g.arcs * sizeof *one.link);
	tiles_release(&one);
	tiles_release(&many);
	graph_release(&g);
}

static void a_graph_of_nothing_has_no_tiles(void **state)
{
	struct graph g;
	struct tiles t;

	(void)state;
	shape_empty(&g, 0);
	tiles_build(&t, &g, &(struct tiles_plan){.block_bits = 16, .threads = 2});
	assert_int_equal(t.blocks, 0);
	assert_int_equal(tiles_pay(&g), 0);
	tiles_release(&t);
	graph_release(&g);
}

static void tiles_pay_where_links_lead_anywhere(void **state)
{
	const uint32_t n = TILES_PAGES;
	struct rng r = {5};
	struct graph far, near, small, sparse;

	(void)state;
	shape_random(&far, n, 4 * (uint64_t)n, 0, &r);
	shape_random(&near, n, 4 * (uint64_t)n, n / 100, &r);
	shape_random(&small, n - 1, 4 * (uint64_t)n, 0, &r);
	shape_empty(&sparse, 4 * n);
	assert_int_equal(tiles_pay(&far), 1);
	assert_int_equal(tiles_pay(&near), 0);
	assert_int_equal(tiles_pay(&small), 0);
	assert_int_equal(tiles_pay(&sparse), 0);
	graph_release(&far);
	graph_release(&near);
	graph_release(&small);
	graph_release(&sparse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiles_have_the_sums_of_the_links_one_by_one),
		cmocka_unit_test(links_across_strips_keep_their_ends),
		cmocka_unit_test(tiles_are_the_same_for_any_number_of_threads),
		cmocka_unit_test(a_graph_of_nothing_has_no_tiles),
		cmocka_unit_test(tiles_pay_where_links_lead_anywhere),
	};

	return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
