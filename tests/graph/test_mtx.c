#include "tests/test.h"

#include "base/buf.h"
#include "graph/formats/formats.h"

static const struct graph_load one = {.threads = 1};

#define BANNER "%%MatrixMarket matrix coordinate "

static void entries_are_arcs(void **state)
{
	static const struct {
		const char *text;
		uint32_t nodes;
		const char *rows;
	} table[] = {
		{BANNER "pattern general\n3 3 2\n1 2\n3 1\n", 3, "0>1 2>0 "},
		{BANNER "Real General\r\n% x\r\n\r\n3 3 3\r\n3 3 1e-5\r\n1 2 0\r\n1 2 7\r\n", 3, "0>1 2>2 "},
		{"%%matrixmarket MATRIX coordinate integer symmetric\n3 3 3\n2 1 5\n3 3 1\n3 1 "
		 "-2\n",
			3, "0>1 0>2 1>0 2>0 2>2 "},
		{BANNER "complex hermitian\n2 2 1\n2 1 0.5 0.5\n", 2, "0>1 1>0 "},
		{BANNER "real skew-symmetric\n2 2 1\n2 1 3\n", 2, "0>1 1>0 "},
		{BANNER "pattern general\n0 0 0\n", 0, ""},
		{BANNER "pattern general\n4 4 0\n", 4, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct buf rows = BUF_EMPTY;
		struct err_note why = {""};
		struct graph g;
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(mtx_detect(path), 1);
		if (mtx_load(path, &one, &g, &why))
			fail_msg("%s", why.text);
		assert_int_equal(g.nodes, table[i].nodes);
		buf_text(&rows, "");
		for (uint32_t u = 0; u < g.nodes; u++) {
			assert_int_equal(graph_label(&g, u), u + 1);
			for (uint32_t k = 0; k < graph_outdegree(&g, u); k++)
				buf_format(&rows, "%u>%u ", u, graph_row(&g, u)[k]);
		}
		assert_string_equal(rows.at, table[i].rows);
		buf_release(&rows);
		graph_release(&g);
	}
}

static void what_is_no_square_coordinate_matrix_is_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *wrong;
	} table[] = {
		{"3 3 1\n1 2\n", ERR_FORMAT, ":1: does not begin with %%MatrixMarket"},
		{"\n" BANNER "pattern general\n1 1 0\n", ERR_FORMAT, ":1: does not begin with"},
		{"%%MatrixMarket vector coordinate real general\n", ERR_FORMAT, ":1: 'vector' is no kind of"},
		{"%%MatrixMarket matrix array real general\n", ERR_FORMAT, "'array' is no kind of"},
		{BANNER "strange general\n", ERR_FORMAT, "'strange' is no kind of"},
		{BANNER "real\n", ERR_FORMAT, "'' is no kind of"},
		{BANNER "real general\n", ERR_FORMAT, "' is cut short: no size of the matrix"},
		{BANNER "real general\n3 3\n", ERR_FORMAT, ":2: rows, columns and entries are missing"},
		{BANNER "real general\n3 4 1\n1 1\n", ERR_FORMAT, ":2: a matrix of 3 x 4 is no graph"},
		{BANNER "real general\n3 3 2\n1 1\n", ERR_FORMAT, ":2: announces 2 entries, but there are 1"},
		{BANNER "real general\n3 3 1\n1 4\n", ERR_FORMAT, ":3: '1 4' is outside of 1..3"},
		{BANNER "real general\n3 3 1\n0 1\n", ERR_FORMAT, ":3: '0 1' is outside of 1..3"},
		{BANNER "real general\n%\n3 3 3\n1 1\n\n% x\n3,3 7\n 2 9 1\n", ERR_FORMAT, ":8: '2 9 1' is outside of 1..3"},
		{BANNER "real general\n3 3 1\n1 x\n", ERR_FORMAT, ":3: 'x' is no node id"},
		{BANNER "real general\n4294967295 4294967295 0\n", ERR_TOO_BIG, "the most is"},
		{BANNER "real general\n4294967294 4294967294 0\n", ERR_TOO_BIG, "incredible"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g;
		assert_int_equal(mtx_load(scratch_file(table[i].text, strlen(table[i].text)), &one, &g, &why), table[i].err);
		if (!strstr(why.text, table[i].wrong))
			fail_msg("'%s' instead of '%s'", why.text, table[i].wrong);
		assert_null(g.offset);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_arcs),
		cmocka_unit_test(what_is_no_square_coordinate_matrix_is_refused),
	};

	return cmocka_run_group_tests_name("mtx", tests, NULL, NULL);
}
