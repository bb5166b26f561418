#include "tests/test.h"

#include "graph/formats/bvproperties.h"

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
		{"nodes=5\narcs=7\nwindowsize=3\nx=1\nx=2\nwindowsize: 3\n=\n:\n\\\n", NULL},
		{"nodes=5\narcs=7\nwindowsize=9\nwindowsize=3\n", "'p' contradicts itself: windowsize is '9' and '3'"},
		{"nodes=5\nnodes=55\n", "'p' contradicts itself: nodes is '5' and '55'"},
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
		{"compressionflags=RESIDUALS_GOLOMB\n", "'p': compression flag 'RESIDUALS_GOLOMB' is not known"},
		{"compressionflags=X\n", "'p': compression flag 'X' is not known"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct bvproperties p;
		struct err_note why = {""};
		const int err = bvproperties_parse(&p, "p", table[i].text, strlen(table[i].text), &why);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(properties_are_read_as_java_writes_them),
	};

	return cmocka_run_group_tests_name("bvproperties", tests, NULL, NULL);
}
