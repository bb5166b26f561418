#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "graph/formats/formats.h"

static const struct graph_load one = {.threads = 1};

/* A saved graph of 5 nodes and 6 arcs with labels: its bytes. */
static char *saved(size_t *n)
{
	static const uint32_t from[] = {0, 0, 1, 3, 3, 4}, to[] = {1, 4, 1, 0, 2, 3};
	static const uint64_t label[] = {2, 3, 5, 7, 11};
	char path[128], *bytes = mem_new(4096, 1);
	struct err_note why;
	struct graph g;

	snprintf(path, sizeof path, "%s/x", scratch());
	graph_from_arcs(&g, 5, from, to, 6);
	graph_take_labels(&g, mem_copy(label, sizeof label));
	assert_int_equal(csr_save(&g, path, &why), 0);
	graph_release(&g);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	*n = fread(bytes, 1, 4096, f);
	fclose(f);
	return bytes;
}

static void the_layout_is_the_documented_one(void **state)
{
	size_t n;
	char *bytes = saved(&n);
	static const uint64_t want[][2] = {{16, 5}, {24, 6}, {40, 128}, {48, 192}, {56, 256}, {64, 296}, {128, 0}, {128 + 8, 2},
		{128 + 40, 6}, {256, 2}, {256 + 32, 11}};
	static const uint32_t targets[] = {1, 4, 1, 0, 2, 3};

	(void)state;
	assert_int_equal(n, 296);
	assert_memory_equal(bytes, "\x89LYCSR\r\n\x04\x03\x02\x01\x01\0\0\0", 16);
	assert_memory_equal(bytes + 32, "\x03\0\0\0\0\0\0\0", 8);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		assert_memory_equal(bytes + want[i][0], &want[i][1], 8);
	assert_memory_equal(bytes + 192, targets, sizeof targets);
	free(bytes);
}

static void a_damaged_header_is_refused_with_one_line(void **state)
{
	static const struct {
		size_t at;
		char byte;
		const char *wrong;
	} table[] = {
		{0, 'x', "is no CSR file of lycosa"},
		{8, 1, "is of another byte order"},
		{12, 2, "is of version 2; only 1 can be read"},
		{16, 6, "is damaged: wrong checksum of the header"},
		{90, 1, "is damaged: wrong checksum of the header"},
		{120, 0, "is damaged: wrong checksum of the header"},
	};
	size_t n;
	char *bytes = saved(&n);

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g;
		const char old = bytes[table[i].at];
		bytes[table[i].at] = old == table[i].byte ? (char)~old : table[i].byte;
		assert_int_equal(csr_load(scratch_file(bytes, n), &one, &g, &why), ERR_FORMAT);
		if (!strstr(why.text, table[i].wrong))
			fail_msg("'%s' instead of '%s'", why.text, table[i].wrong);
		bytes[table[i].at] = old;
	}
	for (size_t cut = 0; cut < n; cut += cut < 120 || cut > 130 ? 7 : 1) {
		struct err_note why = {""};
		struct graph g;
		assert_int_equal(csr_load(scratch_file(bytes, cut), &one, &g, &why), ERR_FORMAT);
		assert_non_null(strstr(why.text, cut < 8 ? "is no CSR file" : "is cut short: "));
	}
	bytes = mem_resize(bytes, n + 1, 1);
	bytes[n] = 0;
	struct err_note why = {""};
	struct graph g;
	assert_int_equal(csr_load(scratch_file(bytes, n + 1), &one, &g, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "is too long: 297 bytes, it should have 296"));
	free(bytes);
}

static void arrays_that_are_no_graph_are_refused(void **state)
{
	static const struct {
		size_t at;
		char byte;
	} table[] = {{128, 1}, {128 + 8, 7}, {128 + 16, 1}, {128 + 40, 5}, {128 + 47, 1}, {192, 5}, {192, 4}, {195, (char)0x80},
		{192 + 12, 2}, {256, 3}, {256 + 8, 1}, {256 + 39, 0}};
	size_t n;
	char *bytes = saved(&n);

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g;
		const char old = bytes[table[i].at];
		if (old == table[i].byte)
			continue;
		bytes[table[i].at] = table[i].byte;
		assert_int_equal(csr_load(scratch_file(bytes, n), &one, &g, &why), ERR_FORMAT);
		assert_non_null(strstr(why.text, "is damaged: its arrays are no graph"));
		assert_null(g.offset);
		bytes[table[i].at] = old;
	}
	free(bytes);
}

/* A byte that leaves a valid graph, but another one; a bounded load, which reads once, takes it. */
static void only_the_checksum_tells_one_graph_from_another(void **state)
{
	const struct graph_load bounded = {.threads = 1, .space.memory = 1 << 20};
	size_t n;
	char *bytes = saved(&n);
	struct err_note why = {""};
	struct graph g;

	(void)state;
	assert_int_equal(csr_load(scratch_file(bytes, n), &one, &g, &why), 0);
	graph_release(&g);
	bytes[192] = 0; /* 0 -> 0 instead of 0 -> 1 */
	const char *path = scratch_file(bytes, n);
	assert_int_equal(csr_load(path, &bounded, &g, &why), 0);
	assert_int_equal(graph_row(&g, 0)[0], 0);
	graph_release(&g);
	assert_int_equal(csr_load(path, &one, &g, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "is damaged: wrong checksum of the data"));
	assert_null(g.offset);
	free(bytes);
}

static void a_graph_whose_rows_have_an_order_of_their_own_keeps_it(void **state)
{
	uint64_t *offset = mem_zero(4, sizeof *offset);
	uint32_t *target = mem_zero(3, sizeof *target);
	struct err_note why;
	struct graph g, again;
	char path[128];

	(void)state;
	offset[1] = offset[2] = offset[3] = 3;
	target[0] = 2;
	target[2] = 1;
	graph_take_rows(&g, 3, offset, target, 0);
	snprintf(path, sizeof path, "%s/x", scratch());
	assert_int_equal(csr_save(&g, path, &why), 0);
	assert_int_equal(csr_load(path, &one, &again, &why), 0);
	assert_true(graph_fingerprint(&g) == graph_fingerprint(&again));
	assert_false(again.flags & GRAPH_ORDERED);
	/* a mapping outlives the file's name */
	unlink(path);
	assert_int_equal(graph_row(&again, 0)[2], 1);
	graph_release(&g);
	graph_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_is_the_documented_one),
		cmocka_unit_test(a_damaged_header_is_refused_with_one_line),
		cmocka_unit_test(arrays_that_are_no_graph_are_refused),
		cmocka_unit_test(only_the_checksum_tells_one_graph_from_another),
		cmocka_unit_test(a_graph_whose_rows_have_an_order_of_their_own_keeps_it),
	};

	return cmocka_run_group_tests_name("csr", tests, NULL, NULL);
}
