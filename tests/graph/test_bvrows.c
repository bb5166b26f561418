#include "tests/graph/bvfiles.h"

#include "graph/formats/bits.h"
#include "graph/formats/bvproperties.h"

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

/* Blocks, and what is left of row[d] when they are copied, into rest[]; returns how much that is.
 */
static size_t put_reference(struct slow *s, const uint32_t *row, size_t d, const uint32_t *list, size_t n, uint32_t *rest)
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
		put(s, s->p->codes.interval, i ? left[i] - left[i - 1] - length[i - 1] - 1 : bits_unsigned((int64_t)left[0] - x));
		put(s, s->p->codes.interval, length[i] - s->p->min_interval);
	}
	for (size_t i = 0; i < singles; i++)
		put(s, s->p->codes.residual, i ? single[i] - single[i - 1] - 1 : bits_unsigned((int64_t)single[0] - x));
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

/* Writes g by these properties, and reads it by one thread and by several. */
static void assert_is_read(const struct graph *g, const char *wanted, struct rng *r)
{
	struct bvproperties p;
	struct buf properties = BUF_EMPTY;
	struct slow rows = {BUF_EMPTY, &p, r}, places = {BUF_EMPTY, &p, r};
	struct err_note why = {""};
	struct graph got;
	char base[128];

	buf_format(&properties,
		"#x\n%snodes=%u\narcs=%llu\nversion=0\n"
		"graphclass=it.unimi.dsi.webgraph.BVGraph\n",
		wanted, g->nodes, (unsigned long long)g->arcs);
	if (bvproperties_parse(&p, "x", properties.at, properties.used, &why))
		fail_msg("%s", why.text);
	put(&places, p.codes.offset, 0);
	for (uint32_t x = 0; x < g->nodes; x++) {
		const size_t before = rows.text.used;
		slow_row(&rows, g, x);
		put(&places, p.codes.offset, rows.text.used - before);
	}
	snprintf(base, sizeof base, "%s/g", scratch());
	write_file(base, ".properties", properties.at, properties.used);
	write_bits(base, ".graph", &rows.text);
	write_bits(base, ".offsets", &places.text);
	for (int round = 0; round < 3; round++) {
		load(base, round ? &three : &one, &got);
		assert_true(graph_fingerprint(&got) == graph_fingerprint(g));
		graph_release(&got);
		/* wrong offsets mislead nobody */
		if (round == 1 && places.text.used > 1000) {
			places.text.at[1000] ^= 1;
			write_bits(base, ".offsets", &places.text);
		}
	}
	buf_release(&rows.text);
	buf_release(&places.text);
	buf_release(&properties);
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
		struct graph g;
		make_graph(&g, table[t].nodes, &r);
		assert_is_read(&g, table[t].properties, &r);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_parameters_and_codes_are_read),
	};

	return cmocka_run_group_tests_name("bvrows", tests, NULL, NULL);
}
