/* What the tests of the BVGraph reader and writer share. */
#ifndef TESTS_BVFILES_H
#define TESTS_BVFILES_H

#include "tests/test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/formats/bvgraph.h"

static const struct graph_load one = {.threads = 1}, three = {.threads = 3};

static inline void load(const char *path, const struct graph_load *how, struct graph *g)
{
	struct err_note why = {""};

	if (bvgraph_load(path, how, g, &why))
		fail_msg("%s", why.text);
}

/* A graph for tests: rows that resemble those before, runs, hubs, loops and empty rows. */
static inline void make_graph(struct graph *g, uint32_t n, struct rng *r)
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
	graph_from_arcs(g, n, (uint32_t *)(void *)from.at, (uint32_t *)(void *)to.at, from.used / sizeof(uint32_t));
	buf_release(&from);
	buf_release(&to);
}

static inline void write_file(const char *base, const char *tail, const void *bytes, size_t n)
{
	char path[200];

	snprintf(path, sizeof path, "%s%s", base, tail);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void write_bits(const char *base, const char *tail, const struct buf *text)
{
	uint8_t *bytes = mem_zero(text->used / 8 + 1, 1);

	for (size_t i = 0; i < text->used; i++)
		if (text->at[i] == '1')
			bytes[i / 8] = (uint8_t)(bytes[i / 8] | 0x80 >> i % 8);
	write_file(base, tail, bytes, (text->used + 7) / 8);
	free(bytes);
}

#endif
