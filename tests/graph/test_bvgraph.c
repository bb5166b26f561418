#include "tests/graph/bvfiles.h"

#include "base/input.h"
#include "graph/formats/bvrows.h"
#include "graph/formats/formats.h"

/* Rows written by hand, as zeros and ones, and what is wrong with them. */
static void damage_is_named_with_node_and_bit(void **state)
{
	static const struct {
		const char *bits; /* blanks do not count */
		unsigned nodes, arcs;
		const char *wrong;
	} table[] = {
		{"00111", 1, 6, "node 0, bit 0: its outdegree is too large"},
		{"1 010", 2, 1, "node 1, bit 1: the bits run out"},
		{"1 1 1 010 1", 4, 0, "node 3, bit 3: there are too many arcs"},
		{"010 1 1 100", 1, 2, "has 1 arcs, but its .properties file says 2"},
		{"010 01 1 1", 1, 1, "node 0, bit 0: its reference goes back too far"},
		{"1 010 001", 2, 1, "node 1, bit 1: its reference goes back too far"},
		/* copies a row of one whole; a block of one of it, of two; three blocks */
		{"010 1 1 100 010 01 1", 2, 2, NULL},
		{"010 1 1 100 010 01 010 010", 2, 2, NULL},
		{"010 1 1 100 010 01 010 011", 2, 2, "node 1, bit 8: it copies more than there is"},
		{"010 1 1 100 010 01 00100 1 1 1", 2, 2, "node 1, bit 8: it copies more than there is"},
		/* one arc: to -1, to node 2 of 2 */
		{"010 1 1 1010", 1, 1, "node 0, bit 0: an arc leads to no node"},
		{"1 010 1 1 1011", 2, 1, "node 1, bit 1: an arc leads to no node"},
		/* an interval of 4 from -1, from 0 with room for 2, from 0, from 1; two of them */
		{"00101 1 010 010 1", 4, 4, "node 0, bit 0: its intervals do not fit"},
		{"011 1 010 1 1", 4, 2, "node 0, bit 0: its intervals do not fit"},
		{"00101 1 010 1 1 1 1 1", 4, 4, NULL},
		{"00101 1 010 011 1", 4, 4, "node 0, bit 0: its intervals do not fit"},
		{"00101 1 011 1 1 1 1", 4, 4, "node 0, bit 0: its intervals do not fit"},
		/* copies node 0, and adds it */
		{"010 1 1 100 011 01 1 1 1010", 2, 3, "node 1, bit 8: it has an arc twice"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct buf text = BUF_EMPTY, properties = BUF_EMPTY;
		struct err_note why = {""};
		struct graph g;
		char base[128];
		for (const char *c = table[i].bits; *c; c++)
			if (*c != ' ')
				buf_byte(&text, *c);
		while (text.used % 8) /* so that no padding is read as rows */
			buf_byte(&text, '0');
		buf_format(&properties, "nodes=%u\narcs=%u\n", table[i].nodes, table[i].arcs);
		snprintf(base, sizeof base, "%s/g", scratch());
		write_file(base, ".properties", properties.at, properties.used);
		write_bits(base, ".graph", &text);
		const int err = bvgraph_load(base, &one, &g, &why);
		if (table[i].wrong && !strstr(why.text, table[i].wrong))
			fail_msg("%s: '%s' instead of '%s'", table[i].bits, why.text, table[i].wrong);
		if (!table[i].wrong && err)
			fail_msg("%s: '%s'", table[i].bits, why.text);
		assert_int_equal(err, table[i].wrong ? ERR_FORMAT : 0);
		graph_release(&g);
		buf_release(&text);
		buf_release(&properties);
	}
}

static void numbers_no_file_can_hold_are_refused_early(void **state)
{
	struct err_note why = {""};
	struct graph g;
	char base[128];

	(void)state;
	snprintf(base, sizeof base, "%s/g", scratch());
	write_file(base, ".graph", "\xff\xff", 2);
	write_file(base, ".properties", "nodes=17\narcs=0\n", 16);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "17 nodes cannot be in 2 bytes"));
	write_file(base, ".properties", "nodes=16\narcs=999999999\n", 24);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), ERR_TOO_BIG);
	assert_non_null(strstr(why.text, "999999999 arcs are more than is credible of 2 bytes"));
	write_file(base, ".properties", "nodes=16\narcs=0\n", 16);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), 0);
	assert_int_equal(g.nodes, 16);
	graph_release(&g);
}

static void missing_files_are_named(void **state)
{
	struct err_note why = {""};
	struct graph g;
	char base[128], want[300];

	(void)state;
	snprintf(base, sizeof base, "%s/g", scratch());
	write_file(base, ".graph", "", 0);
	snprintf(want, sizeof want, "cannot open '%s.graph': no .properties file beside it", base);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), ERR_FILE);
	assert_string_equal(why.text, want);
	assert_int_equal(bvgraph_detect(base), 1);
	snprintf(base, sizeof base, "%s/g", scratch());
	write_file(base, ".properties", "nodes=0\narcs=0\n", 15);
	snprintf(want, sizeof want, "cannot open '%s.properties': no .graph file beside it", base);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), ERR_FILE);
	assert_string_equal(why.text, want);
	write_file(base, ".graph", "", 0);
	assert_int_equal(bvgraph_load(base, &one, &g, &why), 0);
	assert_int_equal(g.nodes, 0);
	graph_release(&g);
}

static void written_graphs_come_back(void **state)
{
	struct rng r = {2};

	(void)state;
	for (uint32_t n = 0; n < 120; n++) {
		struct graph g, got;
		struct err_note why = {""};
		char base[128], path[140];
		make_graph(&g, n, &r);
		snprintf(base, sizeof base, "%s/g", scratch());
		snprintf(path, sizeof path, "%s%s", base, n % 3 == 0 ? "" : n % 3 == 1 ? ".graph" : ".properties");
		if (bvgraph_save(&g, path, &why))
			fail_msg("%s", why.text);
		load(path, &one, &got);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&g));
		graph_release(&got);
		graph_release(&g);
	}
}

static void real_graphs_are_what_they_are_known_to_be(void **state)
{
	struct graph g, other;
	char copy[300];

	(void)state;
	load(shared("data/cnr-2000/cnr-2000.properties"), &one, &g);
	assert_int_equal(g.nodes, 325557);
	assert_int_equal(g.arcs, 3216152);
	uint64_t loops = 0, dangling = 0, most = 0;
	for (uint32_t u = 0; u < g.nodes; u++) {
		for (uint32_t i = 0; i < graph_outdegree(&g, u); i++)
			loops += graph_row(&g, u)[i] == u;
		dangling += !graph_outdegree(&g, u);
		most = graph_outdegree(&g, u) > most ? graph_outdegree(&g, u) : most;
	}
	assert_int_equal(loops, 87442);
	assert_int_equal(dangling, 78056);
	assert_int_equal(most, 2716);
	load(shared("data/cnr-2000/cnr-2000.graph"), &three, &other);
	assert_true(graph_fingerprint(&g) == graph_fingerprint(&other));
	graph_release(&other);

	struct graph reverse;
	graph_transpose(&g, &reverse, 2);
	load(shared("data/cnr-2000/cnr-2000-t.graph"), &three, &other);
	assert_true(graph_fingerprint(&reverse) == graph_fingerprint(&other));
	graph_release(&reverse);
	graph_release(&other);

	/* written again it takes as many bits as LAW's own */
	struct err_note why = {""};
	struct input *in;
	char *line;
	size_t n;
	int found = 0;
	snprintf(copy, sizeof copy, "%s/again", scratch());
	assert_int_equal(bvgraph_save(&g, copy, &why), 0);
	load(copy, &three, &other);
	assert_true(graph_fingerprint(&g) == graph_fingerprint(&other));
	graph_release(&other);
	graph_release(&g);
	strcat(copy, ".properties");
	assert_int_equal(input_open(&in, copy, &why), 0);
	while (input_line(in, &line, &n, &why) > 0)
		found |= strcmp(line, "length=9318741") == 0;
	input_close(in);
	assert_true(found);
}

/* That threads read the rows, and do not leave it to one: 1 where they did. */
static int reads_in_parallel(const char *base, const struct graph *want)
{
	struct bvloading l = {.path = bvgraph_path(base, ".graph")};
	char *properties = bvgraph_path(base, ".properties");
	struct err_note why;
	struct graph got;

	assert_int_equal(bvproperties_read(&l.properties, properties, &why), 0);
	assert_int_equal(mapping_open(&l.bits, l.path, &why), 0);
	l.offset = mem_new((size_t)l.properties.nodes + 1, sizeof *l.offset);
	const int did = bvloading_in_parallel(&l, 2);
	if (did) {
		graph_take_rows(&got, want->nodes, l.offset, l.target, GRAPH_ORDERED);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(want));
		graph_release(&got);
	} else {
		free(l.offset);
		free(l.target);
	}
	mapping_close(&l.bits);
	free(properties);
	free(l.path);
	return did;
}

static char *slurp(const char *path, const char *tail, size_t *n)
{
	char whole[400], *bytes = mem_new(1 << 20, 1);

	snprintf(whole, sizeof whole, "%s%s", path, tail);
	FILE *f = fopen(whole, "rb");
	assert_non_null(f);
	*n = fread(bytes, 1, 1 << 20, f);
	assert_int_equal(fclose(f), 0);
	return bytes;
}

/* A .properties file cut anywhere is refused, or says all that matters. */
static void assert_cuts_are_harmless(const char *base, const char *source)
{
	static const char *const tails[] = {".graph", ".properties", ".offsets"};
	struct err_note why;
	struct graph g;
	char *bytes;
	size_t n, refused = 0;

	for (size_t t = 0; source && t < 2; t++) {
		bytes = slurp(source, tails[t], &n);
		write_file(base, tails[t], bytes, n);
		free(bytes);
	}
	load(base, &one, &g);
	const uint64_t print = graph_fingerprint(&g);
	graph_release(&g);
	bytes = slurp(base, ".properties", &n);
	for (size_t cut = 0; cut < n; cut++) {
		write_file(base, ".properties", bytes, cut);
		if (bvgraph_load(base, cut % 2 ? &one : &three, &g, &why)) {
			refused++;
			continue;
		}
		if (graph_fingerprint(&g) != print)
			fail_msg("cut at byte %zu of %zu: another graph", cut, n);
		graph_release(&g);
	}
	assert_true(refused > 50 && refused < n);
	free(bytes);
}

static void properties_cut_short_are_refused_or_harmless(void **state)
{
	struct rng r = {70};
	struct err_note why;
	struct graph g;
	char base[100];

	(void)state;
	for (uint32_t nodes = 10; nodes < 2000; nodes = nodes * 12 + 7) {
		snprintf(base, sizeof base, "%s/x", scratch());
		make_graph(&g, nodes, &r);
		assert_int_equal(bvgraph_save(&g, base, &why), 0);
		graph_release(&g);
		assert_cuts_are_harmless(base, NULL);
	}
}

static void so_are_those_of_a_real_graph(void **state)
{
	char base[100], source[300];

	(void)state;
	snprintf(source, sizeof source, "%s", shared("data/cs-stanford/wb-cs.stanford.graph"));
	source[strlen(source) - strlen(".graph")] = 0;
	snprintf(base, sizeof base, "%s/x", scratch());
	assert_cuts_are_harmless(base, source);
}

static void offsets_are_written_as_with_the_graph(void **state)
{
	struct rng r = {71};
	struct err_note why = {""};
	struct graph g, again;
	char base[100];

	(void)state;
	for (uint32_t nodes = 1; nodes < 40000; nodes = nodes * 11 + 3) {
		size_t n, m;
		snprintf(base, sizeof base, "%s/x", scratch());
		make_graph(&g, nodes, &r);
		assert_int_equal(bvgraph_save(&g, base, &why), 0);
		char *want = slurp(base, ".offsets", &n);
		write_file(base, ".offsets", "", 0);
		if (bvgraph_write_offsets(base, &why))
			fail_msg("%s", why.text);
		char *got = slurp(base, ".offsets", &m);
		assert_int_equal(n, m);
		assert_memory_equal(want, got, n);
		load(base, &three, &again);
		assert_true(graph_fingerprint(&again) == graph_fingerprint(&g));
		free(want);
		free(got);
		graph_release(&again);
		graph_release(&g);
	}
	write_file(base, ".graph", "\xff\xff", 2);
	assert_int_equal(bvgraph_write_offsets(base, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "is damaged"));
	assert_int_equal(bvgraph_write_offsets("/nowhere", &why), ERR_FILE);
}

/* Offsets of a real graph: as its writer had them. */
static void offsets_of_a_real_graph_come_out(void **state)
{
	static const char *const tails[] = {".graph", ".properties"};
	char base[100], source[300];
	struct err_note why = {""};
	size_t n, m;

	(void)state;
	snprintf(source, sizeof source, "%s", shared("data/cnr-2000/cnr-2000.graph"));
	source[strlen(source) - strlen(".graph")] = 0;
	snprintf(base, sizeof base, "%s/x", scratch());
	for (size_t t = 0; t < 2; t++) {
		char whole[400], link[128];
		snprintf(whole, sizeof whole, "%s%s", source, tails[t]);
		snprintf(link, sizeof link, "%s%s", base, tails[t]);
		assert_int_equal(symlink(whole, link), 0);
	}
	assert_false(bvgraph_has_offsets(base));
	if (bvgraph_write_offsets(base, &why))
		fail_msg("%s", why.text);
	assert_true(bvgraph_has_offsets(base));
	char *want = slurp(source, ".offsets", &n), *got = slurp(base, ".offsets", &m);
	assert_true(m <= n); /* the writer of the original fills up words */
	assert_memory_equal(want, got, m);
	free(want);
	free(got);
}

static void threads_read_where_there_are_offsets_and_only_then(void **state)
{
	struct rng r = {14};
	struct err_note why;
	struct graph g;
	char base[128], offsets[140];

	(void)state;
	make_graph(&g, 40000, &r);
	assert_true(g.arcs > 150000);
	snprintf(base, sizeof base, "%s/g", scratch());
	snprintf(offsets, sizeof offsets, "%s.offsets", base);
	assert_int_equal(bvgraph_save(&g, base, &why), 0);
	assert_int_equal(reads_in_parallel(base, &g), 1);
	/* one byte off; cut short; not there */
	FILE *f = fopen(offsets, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, 5000, SEEK_SET), 0);
	fputc(0x55, f);
	fclose(f);
	assert_int_equal(reads_in_parallel(base, &g), 0);
	assert_int_equal(truncate(offsets, 5000), 0);
	assert_int_equal(reads_in_parallel(base, &g), 0);
	unlink(offsets);
	assert_int_equal(reads_in_parallel(base, &g), 0);
	graph_release(&g);
}

static void a_graph_equals_its_text(void **state)
{
	struct err_note why = {""};
	struct input *in;
	struct graph g, other;
	char *line;
	size_t n;

	(void)state;
	load(shared("data/cnr-2000-java/cnr-2000.properties"), &three, &g);
	assert_int_equal(input_open(&in, shared("data/cnr-2000-java/cnr-2000.graph-txt.gz"), &why), 0);
	assert_int_equal(input_line(in, &line, &n, &why), 1);
	assert_int_equal(atoi(line), g.nodes);
	for (uint32_t u = 0; u < g.nodes; u++) {
		uint32_t k = 0;
		assert_int_equal(input_line(in, &line, &n, &why), 1);
		for (char *end; (line += strspn(line, " "))[0]; line = end, k++) {
			const unsigned long v = strtoul(line, &end, 10);
			assert_true(k < graph_outdegree(&g, u) && graph_row(&g, u)[k] == v);
		}
		assert_int_equal(k, graph_outdegree(&g, u));
	}
	input_close(in);
	graph_release(&g);

	load(shared("data/cs-stanford/wb-cs.stanford.graph"), &three, &g);
	assert_int_equal(edges_load(shared("data/cs-stanford/cs-stanford.txt.gz"), &one, &other, &why), 0);
	assert_true(graph_fingerprint(&g) == graph_fingerprint(&other));
	graph_release(&g);
	graph_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_is_named_with_node_and_bit),
		cmocka_unit_test(numbers_no_file_can_hold_are_refused_early),
		cmocka_unit_test(missing_files_are_named),
		cmocka_unit_test(written_graphs_come_back),
		cmocka_unit_test(real_graphs_are_what_they_are_known_to_be),
		cmocka_unit_test(properties_cut_short_are_refused_or_harmless),
		cmocka_unit_test(so_are_those_of_a_real_graph),
		cmocka_unit_test(offsets_are_written_as_with_the_graph),
		cmocka_unit_test(offsets_of_a_real_graph_come_out),
		cmocka_unit_test(threads_read_where_there_are_offsets_and_only_then),
		cmocka_unit_test(a_graph_equals_its_text),
	};

	return cmocka_run_group_tests_name("bvgraph", tests, NULL, NULL);
}
