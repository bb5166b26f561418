/* More arcs than 32 bits count, in a file of 4 MB. */
#include "tests/test.h"

#include "graph/formats/bits.h"
#include "graph/formats/bvgraph.h"

#define DEGREE 8192u

/* Node x links to the DEGREE nodes from x (or the last ones there are) on: an interval each. */
static void write_intervals(const char *base, uint32_t nodes, uint64_t arcs)
{
	struct bits_out b = {0};
	struct err_note why;
	char path[128], text[300];

	snprintf(path, sizeof path, "%s.graph", base);
	assert_int_equal(output_open(&b.out, path, &why), 0);
	for (uint32_t x = 0; x < nodes; x++) {
		const uint32_t left = x < nodes - DEGREE ? x : nodes - DEGREE;
		bits_put_gamma(&b, DEGREE);
		bits_put_unary(&b, 0);
		bits_put_gamma(&b, 1);
		bits_put_gamma(&b, bits_unsigned((int64_t)left - x));
		bits_put_gamma(&b, DEGREE - 4);
	}
	bits_finish(&b);
	assert_int_equal(output_close(b.out, &why), 0);
	snprintf(path, sizeof path, "%s.properties", base);
	const int n = snprintf(text, sizeof text, "nodes=%u\narcs=%llu\nlength=%llu\n", nodes, (unsigned long long)arcs,
		(unsigned long long)b.written);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, (size_t)n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void arcs_are_counted_beyond_32_bits(void **state)
{
	const uint64_t least = (uint64_t)1 << 32;
	const uint32_t nodes = (uint32_t)(least / DEGREE) + 100;
	struct err_note why = {""};
	char base[100];

	(void)state;
	if (slowness() > 1)
		skip_because("a graph of 2^32 bits takes too long here");
	snprintf(base, sizeof base, "%s/x", scratch());
	write_intervals(base, nodes, (uint64_t)nodes * DEGREE);
	if (bvgraph_write_offsets(base, &why))
		fail_msg("%s", why.text);
	write_intervals(base, nodes, (uint64_t)nodes * DEGREE - least);
	assert_int_equal(bvgraph_write_offsets(base, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "there are too many arcs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arcs_are_counted_beyond_32_bits),
	};

	return cmocka_run_group_tests_name("bvhuge", tests, NULL, NULL);
}
