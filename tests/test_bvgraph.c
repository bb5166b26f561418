#include "tests/test.h"

#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/bits.h"
#include "graph/bvgraph.h"
#include "graph/bvproperties.h"
#include "graph/edges.h"

static const struct graph_load one = {0, 1}, three = {0, 3};

static void load(const char *path, const struct graph_load *how, struct graph *g)
{
	struct err_note why = {""};

	if (bvgraph_load(path, how, g, &why))
		fail_msg("%s", why.text);
}

/* A graph for tests: rows that resemble those before, runs, hubs, loops and empty rows. */
static void make_graph(struct graph *g, uint32_t n, struct rng *r)
{
	struct buf from = BUF_EMPTY, to = BUF_EMPTY;

	for (uint32_t u = 0; u < n; u++) {
		uint64_t d = rng_below(r, 6) ? rng_below(r, 8) : 0;
		if (rng_below(r, 40) == 0)
			d = rng_below(r, n < 300 ? n : 300);
		for (uint64_t i = 0; i < d; i++) {
			uint32_t v = (uint32_t)rng_below(r, n);
			if (rng_below(r, 2))
				v = (u / 5 * 7 + (uint32_t)rng_below(r, 9)) % n;
			uint32_t run = rng_below(r, 5) ? 1 : 1 + (uint32_t)rng_below(r, 12);
			for (; run && v < n; run--, v++) {
				buf_add(&from, &u, sizeof u);
				buf_add(&to, &v, sizeof v);
			}
		}
	}
	graph_from_arcs(g, n, (uint32_t *)(void *)from.at, (uint32_t *)(void *)to.at,
		from.used / sizeof(uint32_t));
	buf_release(&from);
	buf_release(&to);
}

/* A second writer, which takes any reference and any intervals, in any codes, as bits in text. */
struct slow {
	struct buf text;
	const struct bvproperties *p;
	struct rng *r;
};

static void put(struct slow *s, enum bits_code code, uint64_t x)
{
	const unsigned n = 63 - (unsigned)__builtin_clzll(x + 1), k = s->p->codes.zeta;
	uint64_t bits = 0;
	unsigned count = 0;

	if (code == BITS_UNARY) {
		for (; x; x--)
			buf_byte(&s->text, '0');
		bits = count = 1;
	} else if (code == BITS_GAMMA || code == BITS_DELTA) {
		put(s, code == BITS_GAMMA ? BITS_UNARY : BITS_GAMMA, n);
		bits = x + 1;
		count = n;
	} else if (code == BITS_ZETA) {
		const unsigned h = n / k;
		const uint64_t least = (uint64_t)1 << h * k, y = x + 1 - least;
		put(s, BITS_UNARY, h);
		count = h * k + k - (y < least);
		bits = y < least ? y : y + least;
	} else {
		for (unsigned digit = n / 3 + 1; digit--;) {
			if (!digit || x >> 3 * digit) {
				buf_byte(&s->text, digit ? '0' : '1');
				for (unsigned i = 3; i--;)
					buf_byte(&s->text, x >> 3 * digit >> i & 1 ? '1' : '0');
			}
		}
	}
	while (count--)
		buf_byte(&s->text, bits >> count & 1 ? '1' : '0');
}

/* Blocks, and what is left of row[d] when they are copied, into rest[]; returns how much that is. */
static size_t put_reference(struct slow *s, const uint32_t *row, size_t d, const uint32_t *list,
	size_t n, uint32_t *rest)
{
	uint64_t *run = mem_zero(n + 2, sizeof *run);
	size_t runs = 0, left = 0, i = 0;
	int is_copying = 1;

	for (size_t k = 0; k < n; k++) {
		while (i < d && row[i] < list[k])
			rest[left++] = row[i++];
		/* what both have may be left out, too */
		int is_copied = i < d && row[i] == list[k];
		if (is_copied && rng_below(s->r, 8) == 0)
			is_copied = 0;
		if (is_copied != is_copying) {
			runs++;
			is_copying = is_copied;
		}
		run[runs]++;
		if (i < d && row[i] == list[k] && is_copied)
			i++;
	}
	while (i < d)
		rest[left++] = row[i++];
	put(s, s->p->codes.block_count, runs);
	for (size_t k = 0; k < runs; k++)
		put(s, s->p->codes.block, run[k] - (k > 0));
	free(run);
	return left;
}

static void put_rest(struct slow *s, uint32_t x, const uint32_t *rest, size_t n)
{
	uint32_t *single = mem_new(n, 4);
	uint64_t *left = mem_new(n, 8), *length = mem_new(n, 8);
	size_t intervals = 0, singles = 0;

	for (size_t i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && rest[i + run] == rest[i] + run; run++)
			;
		if (s->p->min_interval && run >= s->p->min_interval && rng_below(s->r, 3)) {
			left[intervals] = rest[i];
			length[intervals++] = run;
		} else {
			for (size_t k = 0; k < run; k++)
				single[singles++] = rest[i + k];
		}
	}
	if (s->p->min_interval)
		put(s, s->p->codes.interval, intervals);
	for (size_t i = 0; i < intervals; i++) {
		put(s, s->p->codes.interval, i ? left[i] - left[i - 1] - length[i - 1] - 1
					       : bits_unsigned((int64_t)left[0] - x));
		put(s, s->p->codes.interval, length[i] - s->p->min_interval);
	}
	for (size_t i = 0; i < singles; i++)
		put(s, s->p->codes.residual, i ? single[i] - single[i - 1] - 1
					       : bits_unsigned((int64_t)single[0] - x));
	free(single);
	free(left);
	free(length);
}

static void slow_row(struct slow *s, const struct graph *g, uint32_t x)
{
	const uint32_t d = graph_outdegree(g, x);
	uint32_t *rest = mem_new(d, 4);
	size_t left = d;
	uint64_t back = 0;

	put(s, s->p->codes.outdegree, d);
	if (d && s->p->window) {
		back = rng_below(s->r, (s->p->window < x ? s->p->window : x) + 1);
		put(s, s->p->codes.reference, back);
	}
	if (back)
		left = put_reference(s, graph_row(g, x), d, graph_row(g, x - (uint32_t)back),
			graph_outdegree(g, x - (uint32_t)back), rest);
	else
		memcpy(rest, graph_row(g, x), d * sizeof *rest);
	if (left)
		put_rest(s, x, rest, left);
	free(rest);
}

static void write_file(const char *base, const char *tail, const void *bytes, size_t n)
{
	char path[200];

	snprintf(path, sizeof path, "%s%s", base, tail);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void write_bits(const char *base, const char *tail, const struct buf *text)
{
	uint8_t *bytes = mem_zero(text->used / 8 + 1, 1);

	for (size_t i = 0; i < text->used; i++)
		if (text->at[i] == '1')
			bytes[i / 8] = (uint8_t)(bytes[i / 8] | 0x80 >> i % 8);
	write_file(base, tail, bytes, (text->used + 7) / 8);
	free(bytes);
}

static void any_parameters_and_codes_are_read(void **state)
{
	static const struct {
		const char *properties;
		uint32_t nodes;
	} table[] = {
		{"", 300},
		{"compressionflags=\nwindowsize=0\n", 100},
		{"minintervallength=0\n", 200},
		{"minintervallength=2\nwindowsize=1\nmaxrefcount=-1\n", 200},
		{"compressionflags=OUTDEGREES_DELTA|BLOCKS_UNARY|RESIDUALS_DELTA\n", 200},
		{"compressionflags: REFERENCES_GAMMA | BLOCK_COUNT_UNARY | BLOCKS_DELTA\nzetak 5\n", 200},
		{"zetak=1\nRESIDUALS=x\ncompressionflags=REFERENCES_DELTA|BLOCK_COUNT_DELTA\n", 200},
		{"compressionflags=RESIDUALS_NIBBLE|OUTDEGREES_NIBBLE|INTERVALS_ZETA\nzetak=2\n", 200},
		{"endianness=big\ncompressionflags=BLOCKS_DELTA|INTERVALS_DELTA|RESIDUALS_GAMMA\n", 200},
		{"windowsize=60\n", 400},
		{"compressionflags=OFFSETS_DELTA\n", 30000},
		{"minintervallength=3\n", 30000},
	};
	struct rng r = {12};

	(void)state;
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		struct bvproperties p;
		struct buf properties = BUF_EMPTY, offsets = BUF_EMPTY;
		struct graph g, got;
		struct err_note why = {""};
		char base[128];
		make_graph(&g, table[t].nodes, &r);
		buf_format(&properties, "#x\n%snodes=%u\narcs=%llu\nversion=0\n"
			"graphclass=it.unimi.dsi.webgraph.BVGraph\n", table[t].properties,
			g.nodes, (unsigned long long)g.arcs);
		if (bvproperties_parse(&p, "x", properties.at, properties.used, &why))
			fail_msg("%s", why.text);
		struct slow s = {BUF_EMPTY, &p, &r}, places = {BUF_EMPTY, &p, &r};
		put(&places, p.codes.offset, 0);
		for (uint32_t x = 0; x < g.nodes; x++) {
			const size_t before = s.text.used;
			slow_row(&s, &g, x);
			put(&places, p.codes.offset, s.text.used - before);
		}
		snprintf(base, sizeof base, "%s/g", scratch());
		write_file(base, ".properties", properties.at, properties.used);
		write_bits(base, ".graph", &s.text);
		write_bits(base, ".offsets", &places.text);
		load(base, &one, &got);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&g));
		graph_release(&got);
		load(base, &three, &got);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&g));
		graph_release(&got);
		/* wrong offsets mislead nobody */
		if (places.text.used > 1000)
			places.text.at[1000] ^= 1;
		write_bits(base, ".offsets", &places.text);
		load(base, &three, &got);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(&g));
		graph_release(&got);
		graph_release(&g);
		buf_release(&s.text);
		buf_release(&places.text);
		buf_release(&properties);
		buf_release(&offsets);
	}
}

static void properties_are_read_as_java_writes_them(void **state)
{
	static const struct {
		const char *text;
		const char *wrong; /* NULL: none; nodes are then 5, arcs 7, the window 3 */
	} table[] = {
		{"nodes=5\narcs=7\nwindowsize=3", NULL},
		{"#c\n! c\n\n  arcs : 7\n\tnodes 5\r\nwindowsize\\\n  =3\nbitspernode=\\u0031\n", NULL},
		{"no\\\n   des=5\rarcs=7\rwindowsize=\\\n\t3\r\nx\\:y\\ z=\\=\\t\nx=\\u00e9\n", NULL},
		{"nodes=5\narcs=7\nwindowsize=3\ngraphclass=class it.unimi.dsi.webgraph.BVGraph\n", NULL},
		{"nodes=5\narcs=7\nwindowsize=9\nwindowsize=3\n=\n:\n\\\n", NULL},
		{"nodes=5\n", "'p' does not say how many arcs there are"},
		{"arcs=5\n", "'p' does not say how many nodes there are"},
		{"", "'p' does not say how many nodes there are"},
		{"nodes=5\narcs=-7\n", "'p': arcs is '-7', which is no valid number"},
		{"nodes=4294967295\n", "'p': nodes is 4294967295; the most is 4294967294"},
		{"zetak=0\n", "'p': zetak is '0', which is no valid number"},
		{"zetak=17\n", "'p': zetak is 17; the most is 16"},
		{"version=1\n", "'p': version '1'; only 0 can be read"},
		{"endianness=little\n", "'p': endianness 'little'; only big can be read"},
		{"graphclass=it.unimi.dsi.webgraph.EFGraph\n",
			"'p': a graph of class 'it.unimi.dsi.webgraph.EFGraph', not a BVGraph"},
		{"compressionflags=RESIDUALS_GOLOMB\n",
			"'p': compression flag 'RESIDUALS_GOLOMB' is not known"},
		{"compressionflags=X\n", "'p': compression flag 'X' is not known"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct bvproperties p;
		struct err_note why = {""};
		const int err = bvproperties_parse(&p, "p", table[i].text, strlen(table[i].text),
			&why);
		assert_string_equal(why.text, table[i].wrong ? table[i].wrong : "");
		assert_int_equal(err != 0, table[i].wrong != NULL);
		if (err)
			continue;
		assert_int_equal(p.nodes, 5);
		assert_int_equal(p.arcs, 7);
		assert_int_equal(p.window, 3);
		assert_int_equal(p.min_interval, 4);
		assert_int_equal(p.codes.zeta, 3);
	}
}

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
		{"010 1 1 100 010 01 00100 1 1 1", 2, 2,
			"node 1, bit 8: it copies more than there is"},
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
		snprintf(path, sizeof path, "%s%s", base, n % 3 == 0 ? ""
			: n % 3 == 1 ? ".graph" : ".properties");
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
		cmocka_unit_test(any_parameters_and_codes_are_read),
		cmocka_unit_test(properties_are_read_as_java_writes_them),
		cmocka_unit_test(damage_is_named_with_node_and_bit),
		cmocka_unit_test(numbers_no_file_can_hold_are_refused_early),
		cmocka_unit_test(missing_files_are_named),
		cmocka_unit_test(written_graphs_come_back),
		cmocka_unit_test(real_graphs_are_what_they_are_known_to_be),
		cmocka_unit_test(a_graph_equals_its_text),
	};

	return cmocka_run_group_tests_name("bvgraph", tests, NULL, NULL);
}
