#include "tests/test.h"

#include "base/buf.h"
#include "graph/formats/formats.h"

static const struct graph_load one = {.threads = 1};

static void a_line_is_a_row(void **state)
{
	static const struct {
		const char *text, *rows;
		uint32_t nodes;
	} table[] = {
		{"3\n1 2 \n\n0 \n", "0>1 0>2 2>0 ", 3},
		{"\xef\xbb\xbf"
		 "2\n1\n\n",
			"0>1 ", 2},
		{"3\r\n1\t2\r\n\r\n0", "0>1 0>2 2>0 ", 3},
		{" 2 \n 0  1\n1\n\n \n", "0>0 0>1 1>1 ", 2},
		{"0\n", "", 0},
		{"2\n\n\n", "", 2},
		{"2\n001\n ", "0>1 ", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		struct buf rows = BUF_EMPTY;
		struct err_note why = {""};
		struct graph g;
		if (asciigraph_load(path, &one, &g, &why))
			fail_msg("%s: %s", table[i].text, why.text);
		assert_int_equal(g.nodes, table[i].nodes);
		assert_null(g.label);
		buf_text(&rows, "");
		for (uint32_t u = 0; u < g.nodes; u++)
			for (uint32_t k = 0; k < graph_outdegree(&g, u); k++)
				buf_format(&rows, "%u>%u ", u, graph_row(&g, u)[k]);
		assert_string_equal(rows.at, table[i].rows);
		buf_release(&rows);
		graph_release(&g);
	}
}

static void what_is_no_row_is_named_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *wrong;
	} table[] = {
		{"", ERR_FORMAT, ":1: the number of nodes is missing"},
		{"\n1\n", ERR_FORMAT, ":1: the number of nodes is missing"},
		{"3 1\n", ERR_FORMAT, ":1: the number of nodes stands alone"},
		{"3\n1\n\n", ERR_FORMAT, "' is cut short: the targets of 2 nodes, where 3 are"},
		{"3\n", ERR_FORMAT, "' is cut short: the targets of 0 nodes, where 3 are"},
		{"2\n1\n\n\n0\n", ERR_FORMAT, ":5: there are more lines than nodes"},
		{"2\n1\n2\n", ERR_FORMAT, ":3: a target is no node"},
		{"3\n1 2\n1 0\n\n", ERR_FORMAT, ":3: targets do not ascend"},
		{"3\n1 1\n\n\n", ERR_FORMAT, ":2: targets do not ascend"},
		{"3\n1,2\n\n\n", ERR_FORMAT, ":2: what is neither digit nor blank"},
		{"# x\n3\n", ERR_FORMAT, ":1: what is neither digit nor blank"},
		{"4294967295\n", ERR_FORMAT, ":1: a number is too large for a node"},
		{"2\n18446744073709551617\n\n", ERR_FORMAT, ":2: a number is too large"},
		{"4294967294\n0\n", ERR_FORMAT, "' is cut short"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g = {.nodes = 1};
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(asciigraph_load(path, &one, &g, &why), table[i].err);
		if (!strstr(why.text, table[i].wrong))
			fail_msg("'%s' instead of '%s'", why.text, table[i].wrong);
		assert_null(g.offset);
	}
}

/* The first line alone decides, so no other format's does. */
static void it_is_known_by_a_number_alone(void **state)
{
	static const struct {
		const char *text, *format;
	} table[] = {
		{"3\n1 2\n\n\n", "asciigraph"},
		{"3 \r\n1 2\n\n\n", "asciigraph"},
		{"\xef\xbb\xbf"
		 "3\n1 2\n\n\n",
			"asciigraph"},
		{"\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "mtx"},
		{"3 3\n1 2\n1 3\n2 3\n", "edges"},
		{"# 3\n1 2\n", "edges"},
		{"%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "mtx"},
		{"3:\n", "adjacency"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct graph_format *used = NULL;
		struct err_note why = {""};
		struct graph g;
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		if (graph_open(path, &one, &g, &used, &why))
			fail_msg("%s", why.text);
		assert_string_equal(used->name, table[i].format);
		graph_release(&g);
	}
}

static void an_order_of_links_is_not_lost_in_silence(void **state)
{
	const uint64_t offset[] = {0, 2, 2};
	const uint32_t target[] = {1, 0};
	const struct graph g = {.nodes = 2, .arcs = 2, .offset = offset, .target = target};
	struct err_note why = {""};

	(void)state;
	assert_int_equal(asciigraph_save(&g, "/dev/null", &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "has no order of links"));
}

/* The text and the BVGraph beside it are of the same graph. */
static void the_real_one_is_its_bvgraph(void **state)
{
	const struct graph_format *used;
	struct err_note why = {""};
	struct graph text, packed;

	(void)state;
	if (graph_open(shared("data/cnr-2000-java/cnr-2000.graph-txt.gz"), &one, &text, &used, &why))
		fail_msg("%s", why.text);
	assert_string_equal(used->name, "asciigraph");
	if (graph_open(shared("data/cnr-2000-java/cnr-2000.graph"), &one, &packed, &used, &why))
		fail_msg("%s", why.text);
	assert_string_equal(used->name, "bvgraph");
	assert_true(graph_fingerprint(&text) == graph_fingerprint(&packed));
	graph_release(&text);
	graph_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_row),
		cmocka_unit_test(what_is_no_row_is_named_with_its_line),
		cmocka_unit_test(it_is_known_by_a_number_alone),
		cmocka_unit_test(an_order_of_links_is_not_lost_in_silence),
		cmocka_unit_test(the_real_one_is_its_bvgraph),
	};

	return cmocka_run_group_tests_name("asciigraph", tests, NULL, NULL);
}
