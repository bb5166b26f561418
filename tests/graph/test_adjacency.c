#include "tests/test.h"

#include "base/buf.h"
#include "graph/formats/formats.h"
#include "graph/formats/dated.h"

/* The lists that are only read, by the same tables. */
static const struct {
	const char *name;
	int (*detect)(const char *);
	int (*load)(const char *, const struct graph_load *, struct graph *, struct err_note *);
} lists[] = {{"adjacency", adjacency_detect, adjacency_load}, {"kleinberg", kleinberg_detect, kleinberg_load},
	{"dated", dated_detect, dated_load}};

enum { ADJACENCY, KLEINBERG, DATED, LISTS };

static void lists_become_rows(void **state)
{
	static const struct {
		int list;
		const char *text, *rows; /* labels, not places */
		uint32_t hint, nodes;
	} table[] = {
		{ADJACENCY, "0: -1\n1: 2 0 -1\n2: -1\n", "1>0 1>2 ", 0, 3},
		{ADJACENCY, "# x\r\n\r\n7 :9\t7\r\n9:\r\n", "7>7 7>9 ", 0, 2},
		{ADJACENCY, "1: 2 -1 ", "1>2 ", 3, 3},
		{KLEINBERG, "n 0 http://a/\nn 1 http://b/ x\nn 2\ne 1 0\ne 1 2\n", "1>0 1>2 ", 0, 3},
		{KLEINBERG, "e 7 9\r\n\r\nn\t7\tu\r\ne 7 7 5\r\n", "7>7 7>9 ", 0, 2},
		{KLEINBERG, "n 1 u", "", 3, 3},
		{DATED, "200510\tb.ca\ta.ca\t3\n200511\tb.ca\ta.ca \t4\n200511\ta.ca\tB.ca\n", "0>1 1>2 ", 0, 3},
		{DATED, "# x\n\n200501\tx y\tx y\t\r\n", "0>0 ", 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct graph_load load = {.nodes_hint = table[i].hint, .threads = 1};
		struct buf rows = BUF_EMPTY;
		struct err_note why = {""};
		struct graph g;
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		for (int list = 0; list < LISTS; list++)
			assert_int_equal(lists[list].detect(path), list == table[i].list);
		if (lists[table[i].list].load(path, &load, &g, &why))
			fail_msg("%s", why.text);
		assert_int_equal(g.nodes, table[i].nodes);
		buf_text(&rows, "");
		for (uint32_t u = 0; u < g.nodes; u++)
			for (uint32_t k = 0; k < graph_outdegree(&g, u); k++)
				buf_format(&rows, "%llu>%llu ", (unsigned long long)graph_label(&g, u),
					(unsigned long long)graph_label(&g, graph_row(&g, u)[k]));
		assert_string_equal(rows.at, table[i].rows);
		buf_release(&rows);
		graph_release(&g);
	}
}

static void what_is_no_list_is_named_with_its_line(void **state)
{
	static const struct {
		int list;
		const char *text, *wrong;
	} table[] = {
		{ADJACENCY, "0: 1 -1\n1 2\n", ":2: '2' belongs to no list"},
		{ADJACENCY, "0: 1 x\n", ":1: 'x' belongs to no list"},
		{ADJACENCY, "0: 1 -2\n", ":1: '-2' belongs to no list"},
		{ADJACENCY, "0: 1 -1 5\n", ":1: '5' belongs to no list"},
		{ADJACENCY, "0: 1-1\n", ":1: '-1' belongs to no list"},
		{ADJACENCY, "0: 18446744073709551616\n", ":1: '18446744073709551616' belongs"},
		{KLEINBERG, "n 0 u\ne 1\n", ":2: 'e 1' is neither 'n ID URL' nor 'e FROM TO'"},
		{KLEINBERG, "x 0 1\n", ":1: 'x 0 1' is neither"},
		{KLEINBERG, "e 0 1x\n", ":1: 'e 0 1x' is neither"},
		{KLEINBERG, "e0 1\n", ":1: 'e0 1' is neither"},
		{KLEINBERG, "n\n", ":1: 'n' is neither"},
		{DATED, "200510\ta\tb\n200513\ta\tb\n", ":2: '200513\?a\?b' is no 'YYYYMM FROM TO"},
		{DATED, "200510\ta\t\n", ":1: '200510"},
		{DATED, "200510\ta\n", ":1: '200510"},
		{DATED, "200510\t \tb\n", ":1: '200510"},
		{DATED, "20051\ta\tb\n", ":1: '20051"},
		{DATED, "200510\ta\tb\t3x\n", ":1: '200510"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct graph_load load = {.threads = 1};
		struct err_note why = {""};
		struct graph g;
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(lists[table[i].list].load(path, &load, &g, &why), ERR_FORMAT);
		if (!strstr(why.text, table[i].wrong))
			fail_msg("'%s' instead of '%s'", why.text, table[i].wrong);
		assert_null(g.offset);
	}
}

/* What of a file the months name. */
static void months_behind_a_path_name_a_part(void **state)
{
	static const char text[] = "200510\ta.ca\tb.ca\t3\n200512\tb.ca\tc.ca\t3\n"
				   "200601\tc.ca\ta.ca\t1\n200512\tc.ca\tb.ca\t1\n";
	static const struct {
		const char *months, *hosts; /* NULL: wrong */
		uint64_t arcs;
		int err;
	} table[] = {
		{"", "a.ca b.ca c.ca ", 4, 0},
		{"#200512", "b.ca c.ca ", 2, 0},
		{"#200512-200601", "b.ca c.ca a.ca ", 3, 0},
		{"#190001-300012", "a.ca b.ca c.ca ", 4, 0},
		{"#200511", NULL, 0, ERR_NOTHING},
		{"#200513", NULL, 0, ERR_USAGE},
		{"#200512-200511", NULL, 0, ERR_USAGE},
		{"#200512-", NULL, 0, ERR_USAGE},
		{"#2005121", NULL, 0, ERR_USAGE},
		{"#", NULL, 0, ERR_USAGE},
	};
	char file[100], path[128];

	(void)state;
	strcpy(file, scratch_file(text, sizeof text - 1));
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct names names = {0};
		const struct graph_load load = {.threads = 1, .names = &names};
		const struct graph_format *used;
		struct buf hosts = BUF_EMPTY;
		struct err_note why = {""};
		struct graph g;
		snprintf(path, sizeof path, "%s%s", file, table[i].months);
		assert_int_equal(graph_open(path, &load, &g, &used, &why), table[i].err);
		if (table[i].err) {
			assert_true(strlen(why.text) > 10);
			assert_null(g.offset);
			continue;
		}
		assert_string_equal(used->name, "dated");
		assert_int_equal(g.arcs, table[i].arcs);
		assert_int_equal(g.nodes, names.nodes);
		for (uint32_t u = 0; u < names.nodes; u++)
			buf_format(&hosts, "%s ", names_host(&names, u));
		assert_string_equal(hosts.at, table[i].hosts);
		buf_release(&hosts);
		names_release(&names);
		graph_release(&g);
	}
}

static void a_query_graph_names_its_nodes(void **state)
{
	static const char text[] = "n 40 http://b.org/x y\ne 3 40\nn\t3\thttp:/odd\nn 7\nn 40 http://c/\n";
	struct names names = {0};
	const struct graph_load load = {.threads = 1, .names = &names};
	const char *path = scratch_file(text, sizeof text - 1);
	struct err_note why = {""};
	struct graph g;

	(void)state;
	if (graph_open(path, &load, &g, NULL, &why))
		fail_msg("%s", why.text);
	assert_int_equal(names_arrange(&names, &g), 0);
	assert_int_equal(names.nodes, 3);
	assert_int_equal(names.hosts, 2);
	assert_string_equal(names_url(&names, 0), "http:/odd");
	assert_string_equal(names_url(&names, 1), "");
	assert_string_equal(names_url(&names, 2), "http://b.org/x");
	assert_string_equal(names_host(&names, 2), "b.org");
	names_release(&names);
	graph_release(&g);
}

static void real_lists_have_their_known_sizes(void **state)
{
	static const struct {
		const char *file, *format;
		uint32_t nodes;
		uint64_t arcs;
	} table[] = {
		{"data/toronto-Movies/adj_list", "adjacency", 7967, 28814},
		{"data/california/gr0.California", "kleinberg", 9664, 16150},
		{"data/canpol/sitelinks-fixed-May13.txt", "dated", 2800, 3644},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct graph_load load = {.threads = 1};
		const struct graph_format *used;
		struct err_note why = {""};
		struct graph g;
		if (graph_open(shared(table[i].file), &load, &g, &used, &why))
			fail_msg("%s", why.text);
		assert_string_equal(used->name, table[i].format);
		assert_int_equal(g.nodes, table[i].nodes);
		assert_int_equal(g.arcs, table[i].arcs);
		assert_null(g.label);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_become_rows),
		cmocka_unit_test(what_is_no_list_is_named_with_its_line),
		cmocka_unit_test(months_behind_a_path_name_a_part),
		cmocka_unit_test(a_query_graph_names_its_nodes),
		cmocka_unit_test(real_lists_have_their_known_sizes),
	};

	return cmocka_run_group_tests_name("adjacency", tests, NULL, NULL);
}
