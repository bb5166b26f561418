#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "graph/formats/formats.h"
#include "graph/formats/format.h"

static const struct graph_load one = {.threads = 1}, three = {.threads = 3}, tight = {.threads = 1, .space = {.memory = 1}};

/* What a format consists of, beside the path itself. */
static const struct {
	const char *name;
	const char *tail[3];
	int keeps_labels;
	const char *sample[3]; /* of each of its files, where it is only read */
} parts[] = {
	{"csr", {""}, 1, {NULL}},
	{"mtx", {""}, 0, {NULL}},
	{"bvgraph", {".graph", ".properties", ".offsets"}, 0, {NULL}},
	{"edges", {""}, 1, {NULL}},
	{"asciigraph", {""}, 0, {NULL}},
	{"adjacency", {""}, 0, {"0: 1 2 -1\n1:0\n# x\n7: 30 -1\n"}},
	{"dated", {""}, 0, {"201001\ta.ca\tb.ca\t3\n201002\tb.ca\tb.ca\t1\n"}},
	{"table", {""}, 0, {"source,target,weight\na.test,b.test,3\nb.test,c.test,1\n"}},
	{"cc", {"-vertices.txt", "-edges.txt"}, 0, {"5\tcom.a\n7\tcom.b.www\n", "5\t7\n7\t5\n"}},
	{"kleinberg", {""}, 0, {"n 0 http://a/\nn 1 u\ne 0 1\ne 7 30\n"}},
};

static size_t part_of(const char *name)
{
	size_t i = 0;

	while (strcmp(parts[i].name, name) != 0)
		assert_true(++i < sizeof parts / sizeof *parts);
	return i;
}

static void assert_is_graph(const struct graph *g)
{
	assert_int_equal(g->offset[0], 0);
	assert_int_equal(g->offset[g->nodes], g->arcs);
	for (uint32_t u = 0; u < g->nodes; u++) {
		assert_true(g->offset[u] <= g->offset[u + 1]);
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			assert_true(g->target[a] < g->nodes);
			if (g->flags & GRAPH_ORDERED && a > g->offset[u])
				assert_true(g->target[a] > g->target[a - 1]);
		}
		assert_true(!g->label || u == 0 || g->label[u] > g->label[u - 1]);
	}
}

enum labels { NO_LABELS, FROM_ONE, SPARSE };

struct shape {
	uint32_t nodes;
	uint64_t arcs;
	uint32_t hubs; /* half of the arcs touch one of so many nodes; 0: none */
	enum labels labels;
};

static const struct shape shapes[] = {
	{0, 0, 0, NO_LABELS},
	{1, 0, 0, NO_LABELS},
	{1, 1, 0, NO_LABELS},
	{2, 4, 0, NO_LABELS},
	{5, 0, 0, NO_LABELS},
	{30, 900, 0, NO_LABELS},
	{100, 300, 2, NO_LABELS},
	{100, 20, 0, NO_LABELS},
	{3000, 30000, 5, NO_LABELS},
	{5, 0, 0, FROM_ONE},
	{100, 300, 2, FROM_ONE},
	{1, 0, 0, SPARSE},
	{100, 300, 2, SPARSE},
	{100, 20, 0, SPARSE},
	{20000, 120000, 20, NO_LABELS},
};

static void make(struct graph *g, const struct shape *s, struct rng *r)
{
	uint32_t *from = mem_new(s->arcs, 4), *to = mem_new(s->arcs, 4);

	for (uint64_t a = 0; a < s->arcs; a++) {
		const uint64_t side = s->hubs ? rng_below(r, 4) : 3;
		from[a] = (uint32_t)rng_below(r, side == 0 ? s->hubs : s->nodes);
		to[a] = rng_below(r, 8) == 0 ? from[a] : (uint32_t)rng_below(r, side == 1 ? s->hubs : s->nodes);
	}
	graph_take_arcs(g, s->nodes, from, to, s->arcs);
	if (s->labels == NO_LABELS)
		return;
	uint64_t *label = mem_new(s->nodes, sizeof *label);
	for (uint32_t u = 0; u < s->nodes; u++)
		label[u] = s->labels == FROM_ONE ? u + 1 : (uint64_t)u * u * 1000000 + 3;
	graph_take_labels(g, label);
}

static void every_format_returns_what_it_was_given(void **state)
{
	struct rng r = {31};

	(void)state;
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		for (size_t s = 0; f->load && f->save && s < sizeof shapes / sizeof *shapes; s++) {
			const struct graph_format *used = NULL;
			const size_t part = part_of(f->name);
			struct err_note why = {""};
			struct graph g, again;
			char path[128];
			make(&g, &shapes[s], &r);
			snprintf(path, sizeof path, "%s/x", scratch());
			if (f->save(&g, path, &why))
				fail_msg("%s", why.text);
			for (int how = 0; how < 3; how++) {
				const struct graph_load *const hows[] = {&one, &three, &tight};
				if (graph_open(path, hows[how], &again, &used, &why))
					fail_msg("%s", why.text);
				assert_string_equal(used->name, f->name);
				assert_is_graph(&again);
				assert_true(graph_fingerprint(&again) == graph_fingerprint(&g));
				for (uint32_t u = 0; u < g.nodes && parts[part].keeps_labels; u++)
					assert_true(graph_label(&again, u) == graph_label(&g, u));
				graph_release(&again);
			}
			graph_release(&g);
		}
	}
}

static char *slurp(const char *path, const char *tail, size_t *n)
{
	char whole[160], *bytes = mem_new(1 << 16, 1);

	snprintf(whole, sizeof whole, "%s%s", path, tail);
	FILE *f = fopen(whole, "rb");
	assert_non_null(f);
	*n = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	return bytes;
}

static void spill(const char *path, const char *tail, const char *bytes, size_t n)
{
	char whole[160];

	snprintf(whole, sizeof whole, "%s%s", path, tail);
	unlink(whole); /* a file cut to nothing and written again may be flushed to the disk each
			  time */
	FILE *f = fopen(whole, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* An error with its reason and nothing else, or a graph. */
static void load_damaged(const struct graph_format *f, const char *path)
{
	struct err_note why = {""};
	struct graph g = {.nodes = 1};
	static int turn;

	turn = !turn;
	if (f->load(path, turn ? &one : &tight, &g, &why)) {
		assert_true(strlen(why.text) > 10);
		assert_null(g.offset);
		assert_null(g.free_arrays);
		return;
	}
	assert_is_graph(&g);
	graph_release(&g);
}

/* A file of the format at `path`. */
static void put_sample(const struct graph_format *f, const char *path, const struct shape *shape, struct rng *r)
{
	struct err_note why;
	struct graph g;

	if (!f->save) {
		const size_t part = part_of(f->name);
		for (size_t i = 0; i < 3 && parts[part].tail[i]; i++)
			spill(path, parts[part].tail[i], parts[part].sample[i], strlen(parts[part].sample[i]));
		return;
	}
	make(&g, shape, r);
	assert_int_equal(f->save(&g, path, &why), 0);
	graph_release(&g);
}

/* Every beginning of a file, and some bits of each byte turned around. */
static void damage_file(const struct graph_format *f, const char *path, const char *tail)
{
	static const int bit[] = {0, 1, 4, 7};
	size_t n;
	char *bytes = slurp(path, tail, &n);

	for (size_t cut = 0; cut < n; cut++) {
		spill(path, tail, bytes, cut);
		load_damaged(f, path);
	}
	for (size_t i = 0; i < n * 4; i++) {
		const char old = bytes[i / 4];
		bytes[i / 4] = (char)(old ^ 1 << bit[i % 4]);
		spill(path, tail, bytes, n);
		load_damaged(f, path);
		bytes[i / 4] = old;
	}
	spill(path, tail, bytes, n);
	free(bytes);
}

static void damage_gives_an_error_or_a_graph(void **state)
{
	static const struct shape small[] = {{9, 25, 1, NO_LABELS}, {6, 9, 0, SPARSE}};
	struct rng r = {32};

	(void)state;
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		for (size_t s = 0; f->load && s < 2; s++) {
			char path[128];
			snprintf(path, sizeof path, "%s/x", scratch());
			put_sample(f, path, &small[s], &r);
			for (size_t t = 0; t < 3 && parts[part_of(f->name)].tail[t]; t++)
				damage_file(f, path, parts[part_of(f->name)].tail[t]);
		}
	}
}

static void every_format_reads_every_others_bytes_without_harm(void **state)
{
	static const struct shape shape = {40, 200, 2, SPARSE};
	struct rng r = {33};

	(void)state;
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		char path[128];
		snprintf(path, sizeof path, "%s/x", scratch());
		put_sample(f, path, &shape, &r);
		for (const struct graph_format *other = graph_formats; other->name; other++)
			if (other->load)
				load_damaged(other, path);
	}
}

static void what_cannot_be_opened_is_told(void **state)
{
	static const struct {
		const char *name, *content; /* NULL: not there */
		int err;
		const char *wrong; /* %s: the path */
	} table[] = {
		{"x", NULL, ERR_FILE, "cannot open '%s': no such file, and no '%s.graph'"},
		{"x.graph", "\x80", ERR_FILE, "cannot open '%s': no .properties file beside it"},
		{"x", "\x01\x02\x03", ERR_FORMAT,
			"'%s' is in none of the formats that can be read: "
			"cc, csr, mtx, bvgraph, edges, asciigraph, adjacency, kleinberg, dated, table"},
		{"x.txt", "", ERR_FORMAT, "'%s' is empty"},
		{"x.txt", "0 1\n1 foo\n", ERR_FORMAT, "%s:2: 'foo' is no node id"},
		{"x.txt", "Dear reader,\nthis is a letter.\n", ERR_FORMAT, "%s:2: 'this' is no node id"},
		{"x.csr", "\x89LYCSR\r\n", ERR_FORMAT, "'%s' is cut short: 8 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct graph g = {.nodes = 3};
		char path[128], want[512];
		snprintf(path, sizeof path, "%s/%s", scratch(), table[i].name);
		if (table[i].content)
			spill(path, "", table[i].content, strlen(table[i].content));
		assert_int_equal(graph_open(path, &one, &g, NULL, &why), table[i].err);
		char *to = want;
		for (const char *c = table[i].wrong; *c; c++) {
			if (c[0] == '%' && c[1] == 's') {
				to = stpcpy(to, path);
				c++;
			} else {
				*to++ = *c;
			}
		}
		*to = 0;
		assert_string_equal(why.text, want);
		assert_int_equal(g.nodes, 0);
	}
	struct err_note why = {""};
	struct graph g;
	assert_int_equal(graph_open("/tmp", &one, &g, NULL, &why), ERR_FILE);
	assert_string_equal(why.text, "cannot read '/tmp': a folder that is no store, and has no WARC, WAT or WACZ file");
}

/* gzip's 0 1 2 ... */
static void a_packed_list_cut_short_is_called_so(void **state)
{
	char path[128], command[400];
	struct err_note why;
	struct graph g;
	size_t n;

	(void)state;
	snprintf(path, sizeof path, "%s/x.gz", scratch());
	snprintf(command, sizeof command,
		"i=0; while [ $i -lt 3000 ]; do echo \"$i $((i * 7919 %% 3000))\"; "
		"i=$((i + 1)); done | gzip -9 >'%s'",
		path);
	if (system(command) != 0)
		skip_because("no gzip");
	assert_int_equal(graph_open(path, &one, &g, NULL, &why), 0);
	assert_int_equal(g.arcs, 3000);
	graph_release(&g);
	char *bytes = slurp(path, "", &n);
	assert_true(n > 2000);
	for (size_t cut = 30; cut < n; cut += 97) {
		spill(path, "", bytes, cut);
		assert_int_equal(graph_open(path, &one, &g, NULL, &why), ERR_FORMAT);
		if (!strstr(why.text, "cannot unpack '") || !strstr(why.text, "cut short"))
			fail_msg("cut at %zu: %s", cut, why.text);
	}
	free(bytes);
}

static void formats_are_found_by_name(void **state)
{
	(void)state;
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		assert_ptr_equal(graph_format_named(f->name), f);
		assert_true(strlen(f->summary) > 10 && strlen(f->summary) < 80);
		assert_true(f->load || f->save);
		assert_true(!f->load == !f->detect);
	}
	assert_null(graph_format_named("nothing"));
}

static void tables_and_graphml_are_as_others_read_them(void **state)
{
	static const uint32_t from[] = {0, 2}, to[] = {1, 2};
	static const uint64_t label[] = {4, 5, 70};
	struct err_note why;
	struct graph g;
	char path[128];
	size_t n;

	(void)state;
	graph_from_arcs(&g, 3, from, to, 2);
	graph_take_labels(&g, mem_copy(label, sizeof label));
	snprintf(path, sizeof path, "%s/x", scratch());
	assert_int_equal(csv_save(&g, path, &why), 0);
	char *bytes = slurp(path, "", &n);
	bytes[n] = 0;
	assert_string_equal(bytes, "Source,Target\n4,5\n70,70\n");
	free(bytes);
	assert_int_equal(graphml_save(&g, path, &why), 0);
	bytes = slurp(path, "", &n);
	bytes[n] = 0;
	assert_string_equal(bytes,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
		"<graph edgedefault=\"directed\">\n"
		"<node id=\"n4\"/>\n<node id=\"n5\"/>\n<node id=\"n70\"/>\n"
		"<edge source=\"n4\" target=\"n5\"/>\n<edge source=\"n70\" target=\"n70\"/>\n"
		"</graph>\n</graphml>\n");
	free(bytes);
	graph_release(&g);
}

static void tables_and_graphml_have_the_urls_of_nodes(void **state)
{
	static const uint32_t from[] = {0, 2}, to[] = {1, 2};
	static char text[] = "http://a/?x=1&y=<2>\0http://b/a,\"b\"\0\0\x01\xff\xef\xbf\xbe\xef\xbf\xbf\xc3\xa9";
	static uint64_t start[] = {0, 20, 35};
	static uint64_t start_of_odd[] = {0, 20, 36};
	const struct names odd = {.nodes = 3, .text = text, .start = start_of_odd};
	const struct names names = {.nodes = 3, .text = text, .start = start};
	struct err_note why;
	struct graph g, again;
	char path[128];
	size_t n;

	(void)state;
	graph_from_arcs(&g, 3, from, to, 2);
	snprintf(path, sizeof path, "%s/x.csv", scratch());
	assert_int_equal(csv_save_urls(&g, &names, path, &why), 0);
	char *bytes = slurp(path, "", &n);
	bytes[n] = 0;
	assert_string_equal(bytes,
		"Source,Target,SourceURL,TargetURL\n"
		"0,1,http://a/?x=1&y=<2>,\"http://b/a,\"\"b\"\"\"\n"
		"2,2,,\n");
	free(bytes);
	/* and an edge list as before */
	const struct graph_load load = {.threads = 1};
	assert_int_equal(graph_open(path, &load, &again, NULL, &why), 0);
	assert_int_equal(again.arcs, 2);
	graph_release(&again);
	assert_int_equal(graphml_save_urls(&g, &names, path, &why), 0);
	bytes = slurp(path, "", &n);
	bytes[n] = 0;
	assert_non_null(strstr(bytes, "<key id=\"url\" for=\"node\" attr.name=\"url\" attr.type=\"string\"/>\n"));
	assert_non_null(strstr(bytes, "<node id=\"n0\"><data key=\"url\">http://a/?x=1&amp;y=&lt;2&gt;</data></node>\n"));
	assert_non_null(strstr(bytes, "<node id=\"n2\"/>\n"));
	free(bytes);
	assert_int_equal(graphml_save_urls(&g, &odd, path, &why), 0);
	bytes = slurp(path, "", &n);
	bytes[n] = 0;
	assert_non_null(strstr(bytes, ">\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9</data>"));
	free(bytes);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_returns_what_it_was_given),
		cmocka_unit_test(damage_gives_an_error_or_a_graph),
		cmocka_unit_test(every_format_reads_every_others_bytes_without_harm),
		cmocka_unit_test(what_cannot_be_opened_is_told),
		cmocka_unit_test(a_packed_list_cut_short_is_called_so),
		cmocka_unit_test(formats_are_found_by_name),
		cmocka_unit_test(tables_and_graphml_are_as_others_read_them),
		cmocka_unit_test(tables_and_graphml_have_the_urls_of_nodes),
	};

	return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
