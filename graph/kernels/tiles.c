#include "graph/kernels/tiles.h"
#include "graph/memory/blocks.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* Rows of the sample, at equal distances. */
#define SAMPLE 4096

/* A link is near if its ends are less than this part of all pages apart: one link in sixteen, by chance. */
#define REACH 32

/* Tiles pay if less than this part of the links are near. In the order of a breadth-first search a fifth to a third are; tiles then
 * take less time to high tolerances only, or on some graphs. */
#define NEAR_PART 5

/* And if a tile has so many links: with fewer, the values of a strip are read for too few of them. */
#define TILE_LINKS 4096

struct build {
	struct tiles *t;
	const struct graph *g;
	const struct tiles_plan *plan;
	/* a bit for each page, so that those of many pages are in the cache; NULL: none */
	uint64_t *deferred;
};

/* The share of a block that a link into page v belongs to: twice the block, and 1 more for a deferred page. */
static inline uint32_t share_of(const struct build *b, uint32_t v)
{
	const uint32_t share = v >> b->t->block_bits << 1;

	return b->deferred ? share + (uint32_t)(b->deferred[v / 64] >> v % 64 & 1) : share;
}

/* Counts the links of each tile of strip s, at the place of the tile behind it. */
static void count_strip(void *ctx, uint32_t s)
{
	const struct build *b = ctx;
	const struct tiles *t = b->t;
	const uint32_t end = s + 1 < t->strips ? (s + 1) * TILES_STRIP : t->nodes;
	AUTO_FREE uint64_t *count = mem_zero(2 * (size_t)t->blocks, sizeof *count);

	for (uint32_t u = s * TILES_STRIP; u < end; u++) {
		const uint32_t *row = graph_row(b->g, u);
		for (uint32_t k = 0, n = graph_outdegree(b->g, u); k < n; k++) {
			if (row[k] == u && b->plan->loop)
				b->plan->loop[u] = 1;
			else
				count[share_of(b, row[k])]++;
		}
	}
	for (size_t k = 0; k < 2 * (size_t)t->blocks; k++)
		t->begin[k * t->strips + s + 1] = count[k];
}

static void place_strip(void *ctx, uint32_t s)
{
	const struct build *b = ctx;
	const struct tiles *t = b->t;
	const uint32_t first = s * TILES_STRIP;
	const uint32_t end = s + 1 < t->strips ? first + TILES_STRIP : t->nodes;
	const uint32_t mask = (UINT32_C(1) << t->block_bits) - 1;
	struct tile_link **to = mem_new(2 * (size_t)t->blocks, sizeof *to);

	for (size_t k = 0; k < 2 * (size_t)t->blocks; k++)
		to[k] = t->link + t->begin[k * t->strips + s];
	for (uint32_t u = first; u < end; u++) {
		const uint32_t *row = graph_row(b->g, u);
		for (uint32_t k = 0, n = graph_outdegree(b->g, u); k < n; k++)
			if (row[k] != u || !b->plan->loop)
				*to[share_of(b, row[k])]++ = (struct tile_link){(uint16_t)(u - first), (uint16_t)(row[k] & mask)};
	}
	free(to);
}

static void pack_deferred(struct build *b)
{
	const uint32_t n = b->g->nodes;

	b->deferred = b->plan->deferred ? mem_zero((size_t)n / 64 + 1, sizeof *b->deferred) : NULL;
	for (uint32_t v = 0; b->deferred && v < n; v++)
		b->deferred[v / 64] |= (uint64_t)b->plan->deferred[v] << v % 64;
}

void tiles_build(struct tiles *t, const struct graph *g, const struct tiles_plan *plan)
{
	struct build b = {.t = t, .g = g, .plan = plan};

	assert(plan->block_bits <= 16);
	*t = (struct tiles){.nodes = g->nodes, .block_bits = plan->block_bits};
	t->blocks = (uint32_t)(((uint64_t)g->nodes + (UINT64_C(1) << plan->block_bits) - 1) >> plan->block_bits);
	t->strips = (uint32_t)(((uint64_t)g->nodes + TILES_STRIP - 1) / TILES_STRIP);
	const size_t tiles = 2 * (size_t)t->blocks * t->strips;
	t->begin = mem_zero(tiles + 1, sizeof *t->begin);
	pack_deferred(&b);
	blocks_run(plan->threads, t->strips, count_strip, &b);
	for (size_t k = 0; k < tiles; k++)
		t->begin[k + 1] += t->begin[k];
	t->link = mem_big(t->begin[tiles], sizeof *t->link);
	blocks_run(plan->threads, t->strips, place_strip, &b);
	free(b.deferred);
}

void tiles_release(struct tiles *t)
{
	if (t->link)
		mem_big_free(t->link, t->begin[2 * (size_t)t->blocks * t->strips], sizeof *t->link);
	free(t->begin);
	*t = (struct tiles){0};
}

static inline __attribute__((always_inline)) void add_share(const struct tiles *t, size_t share, const void *x,
	enum gather_numbers kind, double *sum)
{
	const uint64_t *begin = t->begin + share * t->strips;

	for (uint32_t s = 0; s < t->strips; s++, x = gather_at(x, kind, TILES_STRIP))
		for (const struct tile_link *l = t->link + begin[s], *end = t->link + begin[s + 1]; l < end; l++)
			sum[l->to] += gather_value(x, kind, l->from);
}

void tiles_add(const struct tiles *t, uint32_t b, enum tiles_share share, const void *x, enum gather_numbers kind, double *sum)
{
	if (kind == GATHER_SINGLES)
		add_share(t, 2 * (size_t)b + share, x, GATHER_SINGLES, sum);
	else
		add_share(t, 2 * (size_t)b + share, x, GATHER_DOUBLES, sum);
}

int tiles_pay(const struct graph *g)
{
	const uint64_t strips = g->nodes / TILES_STRIP, reach = g->nodes / REACH;
	uint64_t links = 0, near = 0;

	if (g->nodes < TILES_PAGES || strips * strips * TILE_LINKS > g->arcs)
		return 0;
	for (uint32_t i = 0; i < SAMPLE; i++) {
		const uint32_t u = (uint32_t)((uint64_t)g->nodes * i / SAMPLE);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t k = 0, n = graph_outdegree(g, u); k < n; k++)
			near += (row[k] < u ? u - row[k] : row[k] - u) < reach;
		links += graph_outdegree(g, u);
	}
	return near * NEAR_PART < links;
}
