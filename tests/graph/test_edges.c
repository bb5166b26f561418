#include "tests/test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/formats/formats.h"

static const struct graph_load plain = {.threads = 1};

static int load_text(const char *text, size_t n, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	return edges_load(scratch_file(text, n), load, g, why);
}

struct known {
	const char *text;
	uint32_t hint;
	uint32_t nodes;
	uint64_t arcs;
	const char *labels; /* NULL: none */
	const char *rows;   /* from>to of the nodes */
};

static void assert_reads_as(const struct known *want)
{
	const struct graph_load load = {.nodes_hint = want->hint, .threads = 1};
	struct buf labels = BUF_EMPTY, rows = BUF_EMPTY;
	struct err_note why = {""};
	struct graph g;

	if (load_text(want->text, strlen(want->text), &load, &g, &why))
		fail_msg("%s: %s", want->text, why.text);
	assert_int_equal(g.nodes, want->nodes);
	assert_int_equal(g.arcs, want->arcs);
	buf_text(&labels, "");
	buf_text(&rows, "");
	for (uint32_t u = 0; u < g.nodes; u++) {
		if (g.label)
			buf_format(&labels, "%llu ", (unsigned long long)g.label[u]);
		for (uint32_t k = 0; k < graph_outdegree(&g, u); k++)
			buf_format(&rows, "%u>%u ", u, graph_row(&g, u)[k]);
	}
	assert_string_equal(rows.at, want->rows);
	assert_int_equal(g.label != NULL, want->labels != NULL);
	if (g.label)
		assert_string_equal(labels.at, want->labels);
	buf_release(&labels);
	buf_release(&rows);
	graph_release(&g);
}

/* Which ids become nodes, and under which labels. */
static void ids_become_nodes_by_what_is_known_of_them(void **state)
{
	static const struct known table[] = {
		{"# Nodes: 4 Edges: 2\n0\t1\n1\t0\n", 0, 4, 2, NULL, "0>1 1>0 "},
		{"# Nodes: 2 Edges: 9\n1 2\n2 1\n2 1\n", 0, 2, 2, "1 2 ", "0>1 1>0 "},
		{"# Nodes: 3 Edges: 2\n1 3\n", 0, 3, 1, "1 2 3 ", "0>2 "},
		{"# Nodes: 3 Edges: 2\n1 2\n", 0, 3, 1, NULL, "1>2 "},
		{"# Nodes: 3 Edges: 2\n0 7\n7 5\n", 0, 3, 2, "0 5 7 ", "0>2 2>1 "},
		{"# Nodes: 3 Edges: 0\n", 0, 3, 0, NULL, ""},
		{"", 0, 0, 0, NULL, ""},
		{"", 5, 5, 0, NULL, ""},
		{"0 1\n", 3, 3, 1, NULL, "0>1 "},
		{"1 3\n", 3, 3, 1, "1 2 3 ", "0>2 "},
		{"1 4\n", 3, 2, 1, "1 4 ", "0>1 "},
		{"# Nodes: 2 Edges: 1\n0 1\n", 9, 2, 1, NULL, "0>1 "},
		{"2 0\n1 1\n", 0, 3, 2, NULL, "1>1 2>0 "},
		{"1 2\n", 0, 2, 1, "1 2 ", "0>1 "},
		{"18446744073709551615 0\n", 0, 2, 1, "0 18446744073709551615 ", "1>0 "},
		{"4294967295 4294967296\n", 0, 2, 1, "4294967295 4294967296 ", "0>1 "},
		{"# Nodes: 9 Edges: 1\n# Isolated: 40\n# Isolated: 3 77\n40 50\n", 0, 4, 1, "3 40 50 77 ", "1>2 "},
		{"Source,Target,Weight\n0,1,7\n", 0, 2, 1, NULL, "0>1 "},
		{"start end\n3 4\n", 0, 2, 1, "3 4 ", "0>1 "},
		{"\"Source\",\"Target\"\n0,1\n", 0, 2, 1, NULL, "0>1 "},
		{"\xef\xbb\xbf"
		 "0 1\n",
			0, 2, 1, NULL, "0>1 "},
		{"% konect\n\n \t\n0 1 5 17\r\n  1\t,\t0\r\n1  1\n%\n0,0", 0, 2, 4, NULL, "0>0 0>1 1>0 1>1 "},
		{"0 1\t0.5\n0\t1,x\n00000001 0000000000000000000000000\n", 0, 2, 2, NULL, "0>1 1>0 "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_reads_as(&table[i]);
}

/* What is odd about a file, and what is made of it: within any memory. */
struct odd_row {
	const char *text, *odd; /* "": nothing */
	uint32_t nodes;
	uint64_t arcs;
};

static void assert_is_odd(const struct odd_row *row, uint64_t memory)
{
	struct err_note why = {""}, odd = {""};
	const struct graph_load load = {.threads = 1, .space.memory = memory, .odd = &odd};
	const size_t n = strlen(row->text);
	struct graph g, silent;

	if (load_text(row->text, n, &load, &g, &why))
		fail_msg("%s: %s", row->text, why.text);
	if (g.nodes != row->nodes || g.arcs != row->arcs)
		fail_msg("%s: %u nodes, %llu arcs", row->text, g.nodes, (unsigned long long)g.arcs);
	if (!*row->odd)
		assert_string_equal(odd.text, "");
	else if (!strstr(odd.text, row->odd))
		fail_msg("%s: '%s'", row->text, odd.text);
	assert_int_equal(load_text(row->text, n, &plain, &silent, &why), 0);
	assert_true(graph_fingerprint(&silent) == graph_fingerprint(&g));
	graph_release(&silent);
	graph_release(&g);
}

static void a_first_line_of_sizes_is_a_heading_where_they_fit(void **state)
{
	static const struct odd_row table[] = {
		{"4 5\n0 1\n1 2\n2 3\n3 0\n3 1\n", "tells 4 nodes and 5 arcs", 4, 5},
		{"# x\r\n4 4\r\n\r\n0 1\r\n1 2\r\n2 3\r\n3 0", "tells 4 nodes and 4 arcs", 4, 4},
		{"9 9 3\n0 1\n1 2\n0 1\n", "tells 9 nodes and 3 arcs", 9, 2},
		{"3 4\n1 2\n2 3\n3 1\n1 3\n", "tells 3 nodes and 4 arcs", 3, 4},
		{"100 100 3\n0 1\n1 2\n2 3\n", "tells 100 nodes and 3 arcs", 100, 3},
		{"128 128 2\n0 1\n1 2\n", "tells 128 nodes and 2 arcs", 128, 2},
		/* too few arcs for so many nodes */
		{"128 128 1\n0 1\n", "is taken as an arc, 128 to 128", 3, 2},
		{"192 192 2\n0 1\n1 2\n", "is taken as an arc, 192 to 192", 4, 3},
		/* ids of the arcs themselves */
		{"2 1\n1 0\n", "is taken as an arc, 2 to 1", 3, 2},
		{"3 2\n2 1\n1 0\n", "is taken as an arc, 3 to 2", 4, 3},
		{"5 4\n0 1\n1 2\n2 3\n3 4\n", "is taken as an arc, 5 to 4", 6, 5},
		{"4 3\n3 2\n2 1\n1 4\n", "is taken as an arc, 4 to 3", 4, 4},
		{"400 900\n3 2\n2 1\n", "is taken as an arc, 400 to 900", 5, 3},
		{"3 4\n0 1\n1 2\n2 3\n3 0\n", "is taken as an arc, 3 to 4", 5, 5},
		{"3 2\n0 1\n1 3\n", "is taken as an arc, 3 to 2", 4, 3},
		{"5 3\n1 2\n2 3\n7 5\n", "", 5, 4},
		{"8 8\n", "", 1, 1},
		{"2 3\n1 3\n", "", 3, 2},
		{"0 3\n1 2\n2 1\n0 0\n", "", 4, 4},
		{"5 4 1\n0 1\n1 2\n2 3\n3 4\n", "1 of its 5", 6, 5},
		{"5 4 x\n0 1\n1 2\n2 3\n3 4\n", "1 of its 5", 6, 5},
		{"from to\n5 4\n0 1\n1 2\n2 3\n3 4\n", "", 6, 5},
		{"# Nodes: 6\n5 4\n0 1\n1 2\n2 3\n3 4\n", "", 6, 5},
		{"4294967296 3\n0 4294967298\n", "", 4, 2},
		{"4294967290 1\n0 1\n", "is taken as an arc, 4294967290 to 1", 3, 2},
		{"# Nodes: 6 Edges: 3\n0 1\n1 0\n", "announces 3 arcs, but has 2", 6, 2},
		{"# Edges: 3\n0 1\n1 0\n", "announces 3 arcs, but has 2", 2, 2},
		{"# Nodes: 6 Edges: 2\n0 1\n1 0\n0 1\n", "", 6, 2},
		{"#nodes: 6 edges: 3\n0 1\n1 0\n", "announces 3 arcs, but has 2", 6, 2},
		{"4, 4\n0,1\n1,2\n2,3\n3,0\n", "tells 4 nodes and 4 arcs", 4, 4},
		/* lines with more than an arc */
		{"0 1 5\n1 2 \n2 0\t\r\n", "1 of its 3 arcs have more behind", 3, 3},
		{"0 1\n1 2\n0 2 3 4\n1 0 x\n3 1  y\n", "3 of its 5 arcs have more behind", 4, 5},
		{"0 1 5\n1 2 7\n2 0 0.5\n", "", 3, 3},
		{"0 1 \n1 2\n2 0\t\n", "", 3, 3},
		{"9 9 8\n0 1 7\n1 2 7\n", "is taken as an arc, 9 to 9", 4, 3},
		{"2 2 9\n0 1 7\n1 2 7\n", "", 3, 3},
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof table / sizeof *table; i++)
		assert_is_odd(&table[i / 2], i % 2);
}

/* A file that ends anywhere before its first arc is an error, and one that ends later is odd. */
static void a_text_that_is_cut_short_is_no_empty_graph(void **state)
{
	static const char text[] = "# A crawl of 2021\n# Nodes: 300 Edges: 2\n# From\tTo\n10\t1\n2\t30\n";
	const size_t first = (size_t)(strstr(text, "10\t1") - text);
	struct err_note why;
	struct graph g;

	(void)state;
	for (size_t n = 1; n < first; n++) {
		why.text[0] = 0;
		assert_int_equal(load_text(text, n, &plain, &g, &why), ERR_FORMAT);
		assert_true(strlen(why.text) > 0);
	}
	for (size_t n = first + 4; n < sizeof text - 5; n++) {
		struct err_note odd = {""};
		const struct graph_load load = {.threads = 1, .odd = &odd};
		const struct graph_load whole = {.threads = 1, .care = GRAPH_WHOLE};
		if (load_text(text, n, &load, &g, &why) == 0)
			assert_non_null(strstr(odd.text, "announces 2 arcs, but has 1"));
		graph_release(&g);
		assert_int_equal(load_text(text, n, &whole, &g, &why), ERR_FORMAT);
	}
}

static void what_is_no_arc_is_named_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *tail;
	} table[] = {
		{"0 1\n1 foo\n", ERR_FORMAT, ":2: 'foo' is no node id"},
		{"0 1\n2 3\n\n# x\n-1 2\n", ERR_FORMAT, ":5: '-1' is no node id"},
		{"0 1\n7\n", ERR_FORMAT, ":2: one node id, where an arc has two"},
		{"0 1\n7\t \r\n", ERR_FORMAT, ":2: one node id, where an arc has two"},
		{"0 1.5\n", ERR_FORMAT, ":1: '1.5' is no node id"},
		{"18446744073709551616 1\n", ERR_FORMAT, ":1: '18446744073709551616' is no node id"},
		{"a b\nc d\n", ERR_FORMAT, ":2: 'c' is no node id"},
		{"id,source,target\n0,1,2\n", ERR_FORMAT,
			":1: 'source' is column 2, but the first two are taken as the arc, from "
			"and to"},
		{"\"To\" \"Weight\"\n0 1\n", ERR_FORMAT,
			":1: 'To' is column 1, but the first two are taken as the arc, from and to"},
		{"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n", ERR_FORMAT,
			":1: Matrix Market, not an edge list; a pipe can only be that"},
		{"a b\n", ERR_FORMAT, "' is no edge list: words, but no arcs"},
		{"200510\tacq.osd.mil\tx 96\n", ERR_FORMAT, ":1: 'acq.osd.mil' is no node id"},
		{"0 1\n1 2\r3\n", ERR_FORMAT, ":2: '2?3' is no node id"},
		{"0 1\n1 2x\n", ERR_FORMAT, ":2: '2x' is no node id"},
		{"0 1\n\x1f\x8b\x08\n", ERR_FORMAT,
			":2: '?"
			"?"
			"?' is no node id"},
		{"# Nodes: 4294967295 Edges: 1\n0 1\n", ERR_TOO_BIG, "' has 4294967295 nodes; the most is 4294967294"},
		{"# Nodes: 4294967294 Edges: 1\n0 1\n", ERR_TOO_BIG,
			"' announces 4294967294 nodes, which its 1 arcs make incredible"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g = {.nodes = 7};
		const int err = load_text(table[i].text, strlen(table[i].text), &plain, &g, &why);
		const size_t n = strlen(why.text), tail = strlen(table[i].tail);
		assert_int_equal(err, table[i].err);
		if (n < tail || strcmp(why.text + n - tail, table[i].tail) != 0)
			fail_msg("'%s' does not end in '%s'", why.text, table[i].tail);
		assert_int_equal(g.nodes, 0);
		assert_null(g.free_arrays);
	}
}

/* A line in one of many dresses; the ids are what counts. */
static void write_line(struct buf *text, struct rng *r, uint64_t from, uint64_t to)
{
	static const char *const between[] = {"\t", " ", ",", "  ", " \t", ", ", " , "};
	static const char *const behind[] = {"\n", "\n", "\n", "\r\n", "\t1\n", " 0.25 x\n", ",2\r\n", " \n", "\n\n", "\n# 5 6\n",
		"\n%\n"};

	if (rng_below(r, 40) == 0)
		buf_text(text, " ");
	buf_format(text, "%0*llu%s%0*llu%s", (int)(rng_below(r, 20) ? 1 : rng_below(r, 12)), (unsigned long long)from,
		between[rng_below(r, rng_below(r, 8) ? 1 : 7)], (int)(rng_below(r, 20) ? 1 : rng_below(r, 12)),
		(unsigned long long)to, behind[rng_below(r, rng_below(r, 8) ? 1 : 11)]);
}

/* Many lines, so that the chunks of the input end anywhere; ids of all lengths. */
static void every_dress_of_an_arc_is_read_alike(void **state)
{
	static const uint64_t span[] = {10, 1000, 200000, 99999999, 4294967296, UINT64_MAX};
	struct rng r = {9};

	(void)state;
	for (size_t s = 0; s < sizeof span / sizeof *span; s++) {
		struct buf text = BUF_EMPTY;
		const size_t arcs = 60000;
		uint64_t *id = mem_new(2 * arcs, sizeof *id);
		uint32_t *from = mem_new(arcs, 4), *to = mem_new(arcs, 4);
		struct graph g, want;
		struct err_note why = {""};
		for (size_t i = 0; i < arcs; i++) {
			id[2 * i] = rng_below(&r, span[s]);
			id[2 * i + 1] = rng_below(&r, span[s]);
			write_line(&text, &r, id[2 * i], id[2 * i + 1]);
			if (i == arcs / 2) { /* longer than a chunk */
				buf_text(&text, "#");
				for (int k = 0; k < 300000; k++)
					buf_byte(&text, 'x');
				buf_text(&text, "\n");
			}
		}
		if (load_text(text.at, text.used, &plain, &g, &why))
			fail_msg("%s", why.text);
		for (size_t i = 0; i < arcs; i++) {
			assert_int_equal(graph_find_label(&g, id[2 * i], &from[i]), 1);
			assert_int_equal(graph_find_label(&g, id[2 * i + 1], &to[i]), 1);
		}
		graph_take_arcs(&want, g.nodes, from, to, arcs);
		assert_true(graph_fingerprint(&g) == graph_fingerprint(&want));
		/* and no node too many: none without an arc, labels ascending */
		unsigned char *linked = mem_zero(g.nodes, 1);
		for (uint64_t a = 0; a < g.arcs; a++)
			linked[g.target[a]] = 1;
		for (uint32_t u = 0; u < g.nodes; u++) {
			assert_true(linked[u] || graph_outdegree(&g, u));
			assert_true(u == 0 || graph_label(&g, u) > graph_label(&g, u - 1));
		}
		free(linked);
		graph_release(&g);
		graph_release(&want);
		buf_release(&text);
		free(id);
	}
}

static void a_line_without_end_is_refused(void **state)
{
	const size_t n = ((size_t)1 << 20) + 10;
	char *text = mem_new(n, 1);
	struct err_note why;
	struct graph g;

	(void)state;
	memset(text, '#', n);
	assert_int_equal(load_text(text, n, &plain, &g, &why), ERR_TOO_BIG);
	assert_non_null(strstr(why.text, ":1: a line of more than 1048576 bytes"));
	memcpy(text + n - 20, "\n0 1\n", 5);
	assert_int_equal(load_text(text, n, &plain, &g, &why), 0);
	graph_release(&g);
	free(text);
}

static void what_is_saved_is_loaded_again(void **state)
{
	static const struct {
		uint32_t nodes;
		uint64_t arcs;
		uint64_t first_label, step; /* step 0: no labels */
	} table[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}, {50, 20, 0, 0}, {50, 20, 1, 1}, {50, 0, 1, 1}, {50, 20, 0, 2},
		{3, 2, 7, 1}, {1, 0, 9, 1}, {40, 30, 5, 400000000000}, {300, 4000, 0, 0}};
	struct rng r = {3};
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const uint32_t n = table[i].nodes;
		uint32_t *from = mem_new(table[i].arcs, 4), *to = mem_new(table[i].arcs, 4);
		struct graph g, again;
		struct err_note why = {""};
		for (uint64_t a = 0; a < table[i].arcs; a++) {
			from[a] = (uint32_t)rng_below(&r, n);
			to[a] = (uint32_t)rng_below(&r, n);
		}
		graph_take_arcs(&g, n, from, to, table[i].arcs);
		if (table[i].step) {
			uint64_t *label = mem_new(n, sizeof *label);
			for (uint32_t u = 0; u < n; u++)
				label[u] = table[i].first_label + table[i].step * u;
			graph_take_labels(&g, label);
		}
		snprintf(path, sizeof path, "%s/saved", scratch());
		assert_int_equal(edges_save(&g, path, &why), 0);
		if (edges_load(path, &plain, &again, &why))
			fail_msg("%s", why.text);
		assert_int_equal(again.nodes, n);
		assert_true(graph_fingerprint(&again) == graph_fingerprint(&g));
		for (uint32_t u = 0; u < n; u++)
			assert_true(graph_label(&again, u) == graph_label(&g, u));
		graph_release(&g);
		graph_release(&again);
		unlink(path);
	}
}

static void an_edge_list_is_known_by_its_first_arc(void **state)
{
	static const struct {
		const char *text;
		int is;
	} table[] = {{"0 1\n", 1}, {"0\t1", 1}, {"# x\n\n0,1\r\n", 1}, {"start end\n1 2\n", 1}, {"# Nodes: 4 Edges: 0\n", 1},
		{"", 0}, {"# nothing\n", 0}, {"start end\n", 0}, {"a b\nc d\n1 2\n", 0}, {"0 x\n", 0}, {"1.5 2\n", 0}, {"7\n", 0},
		{"200510\tacq.osd.mil\tx\n", 0},
		{"\x7f"
		 "ELF 1 2",
			0},
		{"0: 1 2 -1\n", 0}, {"n 0 http://x/\n", 0},
		{"\xef\xbb\xbf"
		 "1 2\n",
			1}};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_int_equal(edges_detect(scratch_file(table[i].text, strlen(table[i].text))), table[i].is);
	assert_int_equal(edges_detect("/nonexistent"), 0);
	assert_int_equal(edges_detect("/tmp"), 0);
}

static void real_edge_lists_have_their_known_sizes(void **state)
{
	static const struct {
		const char *file;
		uint32_t nodes;
		uint64_t arcs;
		uint64_t first_label;
	} table[] = {
		{"data/cs-stanford/cs-stanford.txt.gz", 9914, 36854, 0},
		{"data/uic-2021/uic-2021.txt.gz", 7751, 98267, 0},
		{"data/uci-ics-2016/uci-ics-2016.txt.gz", 8317, 42698, 0},
		{"data/uci-ics-2016-full/uci-ics-2016-full.txt.gz", 45142, 126185, 0},
		{"data/walk-hosts-old/walk-hosts-old.txt.gz", 38269, 62783, 0},
		{"data/walk-hosts-new/walk-hosts-new.txt.gz", 45687, 76031, 0},
		{"data/hollins/hollins.dat", 6012, 23875, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *path = shared(table[i].file);
		struct graph g;
		struct err_note why = {""};
		assert_int_equal(edges_detect(path), 1);
		if (edges_load(path, &plain, &g, &why))
			fail_msg("%s", why.text);
		assert_int_equal(g.nodes, table[i].nodes);
		assert_int_equal(g.arcs, table[i].arcs);
		assert_int_equal(graph_label(&g, 0), table[i].first_label);
		graph_release(&g);
	}
}

static void a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(void **state)
{
	struct err_note why;
	struct graph g;
	uint32_t zero = 0;

	(void)state;
	graph_from_arcs(&g, 1, &zero, &zero, 1);
	assert_int_equal(edges_save(&g, "/nonexistent/x", &why), ERR_FILE);
	assert_string_equal(why.text, "cannot write '/nonexistent/x': No such file or directory");
	if (access("/dev/full", W_OK) == 0) {
		assert_int_equal(edges_save(&g, "/dev/full", &why), ERR_FILE);
		assert_string_equal(why.text, "cannot write '/dev/full': No space left on device");
	}
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_become_nodes_by_what_is_known_of_them),
		cmocka_unit_test(a_first_line_of_sizes_is_a_heading_where_they_fit),
		cmocka_unit_test(a_text_that_is_cut_short_is_no_empty_graph),
		cmocka_unit_test(what_is_no_arc_is_named_with_its_line),
		cmocka_unit_test(every_dress_of_an_arc_is_read_alike),
		cmocka_unit_test(a_line_without_end_is_refused),
		cmocka_unit_test(what_is_saved_is_loaded_again),
		cmocka_unit_test(an_edge_list_is_known_by_its_first_arc),
		cmocka_unit_test(real_edge_lists_have_their_known_sizes),
		cmocka_unit_test(a_file_that_cannot_be_written_is_an_error_and_leaves_nothing),
	};

	return cmocka_run_group_tests_name("edges", tests, NULL, NULL);
}
