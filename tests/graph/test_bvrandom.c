#include "tests/graph/bvfiles.h"

#include "graph/formats/bvrandom.h"

static struct bvrandom *open_random(const char *base)
{
	struct bvrandom *g;
	struct err_note why = {""};

	if (bvrandom_open(&g, base, &why))
		fail_msg("%s", why.text);
	return g;
}

static void assert_row(struct bvrandom *g, const struct graph *want, uint32_t x)
{
	const uint32_t *row;
	uint32_t n;
	struct err_note why = {""};

	if (bvrandom_row(g, x, &row, &n, &why))
		fail_msg("%s", why.text);
	assert_int_equal(n, graph_outdegree(want, x));
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(row[i], graph_row(want, x)[i]);
}

static void rows_in_any_order_are_those_read_in_order(void **state)
{
	struct rng r = {31};

	(void)state;
	for (uint32_t nodes = 1; nodes < 5000; nodes = nodes * 3 + 1) {
		struct err_note why = {""};
		struct graph want;
		char base[128];
		make_graph(&want, nodes, &r);
		snprintf(base, sizeof base, "%s/g", scratch());
		assert_int_equal(bvgraph_save(&want, base, &why), 0);
		struct bvrandom *g = open_random(base);
		assert_int_equal(bvrandom_nodes(g), nodes);
		assert_true(bvrandom_arcs(g) == want.arcs);
		for (uint32_t i = 0; i < 2 * nodes; i++)
			assert_row(g, &want, (uint32_t)rng_below(&r, nodes));
		bvrandom_close(g);
		graph_release(&want);
	}
}

static void every_row_of_a_real_graph_is_there(void **state)
{
	struct graph want;
	char path[300];

	(void)state;
	snprintf(path, sizeof path, "%s", shared("data/cnr-2000/cnr-2000.graph"));
	load(path, &one, &want);
	struct bvrandom *g = open_random(path);
	for (uint32_t x = want.nodes; x--;)
		assert_row(g, &want, x);
	bvrandom_close(g);
	graph_release(&want);
}

/* Each row refers to the one before, all of which are the same: copied through the whole chain. */
static void chains_of_any_length_are_followed(void **state)
{
	enum { N = 20000 };
	struct buf text = BUF_EMPTY, places = BUF_EMPTY, properties = BUF_EMPTY;
	struct err_note why = {""};
	const uint32_t *row;
	uint32_t n;
	char base[128];

	(void)state;
	/* node 0: one arc, no reference, no intervals, residual 0; the others: one arc, one back, no
	 * blocks. Offsets: 0, 8, then gaps of 6 bits */
	buf_text(&text,
		"010"
		"1"
		"1"
		"100");
	buf_text(&places,
		"1"
		"0001001");
	for (int i = 1; i < N; i++) {
		buf_text(&text,
			"010"
			"01"
			"1");
		buf_text(&places, "00111");
	}
	buf_format(&properties, "nodes=%u\narcs=%u\n", N, N);
	snprintf(base, sizeof base, "%s/g", scratch());
	write_file(base, ".properties", properties.at, properties.used);
	write_bits(base, ".graph", &text);
	write_bits(base, ".offsets", &places);
	struct bvrandom *g = open_random(base);
	assert_int_equal(bvrandom_row(g, N - 1, &row, &n, &why), 0);
	assert_int_equal(n, 1);
	assert_int_equal(row[0], 0);
	bvrandom_close(g);
	buf_release(&text);
	buf_release(&places);
	buf_release(&properties);
}

static void offsets_that_are_not_there_or_wrong_are_named(void **state)
{
	struct rng r = {4};
	struct err_note why = {""};
	struct bvrandom *g;
	struct graph want;
	const uint32_t *row;
	uint32_t n, refused = 0;
	char base[128], path[140];

	(void)state;
	make_graph(&want, 2000, &r);
	snprintf(base, sizeof base, "%s/g", scratch());
	snprintf(path, sizeof path, "%s.offsets", base);
	assert_int_equal(bvgraph_save(&want, base, &why), 0);
	/* two gaps exchanged: rows between them begin elsewhere */
	FILE *f = fopen(path, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, 900, SEEK_SET), 0);
	const int byte = fgetc(f);
	assert_int_equal(fseek(f, 900, SEEK_SET), 0);
	fputc(byte ^ 4, f);
	fclose(f);
	if (bvrandom_open(&g, base, &why) == 0) {
		for (uint32_t x = 0; x < want.nodes; x++)
			refused += bvrandom_row(g, x, &row, &n, &why) == ERR_FORMAT;
		assert_true(refused > 0);
		bvrandom_close(g);
	} else {
		assert_null(g);
	}
	write_file(base, ".offsets", "\0\0\0", 3);
	assert_int_equal(bvrandom_open(&g, base, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, ".offsets file"));
	unlink(path);
	assert_int_equal(bvrandom_open(&g, base, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "no .offsets file"));
	graph_release(&want);
}

/* Any byte changed: each row is what it was, or refused, or at least a row. */
static void damaged_rows_are_refused_or_rows(void **state)
{
	struct rng r = {9};
	struct err_note why = {""};
	struct graph want;
	char base[128], path[140];
	uint32_t refused = 0;

	(void)state;
	make_graph(&want, 300, &r);
	snprintf(base, sizeof base, "%s/g", scratch());
	snprintf(path, sizeof path, "%s.graph", base);
	assert_int_equal(bvgraph_save(&want, base, &why), 0);
	for (long at = 0; at < 200; at++) {
		FILE *f = fopen(path, "r+b");
		assert_non_null(f);
		assert_int_equal(fseek(f, at, SEEK_SET), 0);
		const int byte = fgetc(f);
		assert_int_equal(fseek(f, at, SEEK_SET), 0);
		fputc(byte ^ (1 << at % 8), f);
		assert_int_equal(fflush(f), 0);
		struct bvrandom *g = open_random(base);
		for (uint32_t x = 0; x < want.nodes; x++) {
			const uint32_t *row;
			uint32_t n;
			if (bvrandom_row(g, x, &row, &n, &why)) {
				refused++;
				continue;
			}
			for (uint32_t i = 0; i < n; i++)
				assert_true(row[i] < want.nodes && (i == 0 || row[i] > row[i - 1]));
		}
		bvrandom_close(g);
		assert_int_equal(fseek(f, at, SEEK_SET), 0);
		fputc(byte, f);
		fclose(f);
	}
	assert_true(refused > 0);
	graph_release(&want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_in_any_order_are_those_read_in_order),
		cmocka_unit_test(every_row_of_a_real_graph_is_there),
		cmocka_unit_test(chains_of_any_length_are_followed),
		cmocka_unit_test(offsets_that_are_not_there_or_wrong_are_named),
		cmocka_unit_test(damaged_rows_are_refused_or_rows),
	};

	return cmocka_run_group_tests_name("bvrandom", tests, NULL, NULL);
}
