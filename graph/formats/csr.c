#include "graph/formats/formats.h"
#include "graph/memory/blocks.h"
#include "graph/memory/mapping.h"
#include "base/output.h"
#include "base/mem.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define VERSION         1
#define BYTE_ORDER_MARK 0x01020304u
#define HEADER          128
#define ALIGNMENT       64

static const char magic[8] = {(char)0x89, 'L', 'Y', 'C', 'S', 'R', '\r', '\n'};

enum { FLAG_ORDERED = 1, FLAG_LABELS = 2 };

struct header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t nodes, arcs;
	uint32_t flags, zero;
	uint64_t offsets, targets, labels, size;
	uint64_t data_sum;
	uint64_t reserved[5];
	uint64_t sum;
};

_Static_assert(sizeof(struct header) == HEADER, "the header has no gaps");

static uint64_t aligned(uint64_t place)
{
	return (place + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Computes the offsets of the sections in the file, which follow from the numbers of nodes and arcs and the flags. */
static void place_sections(struct header *h)
{
	h->offsets = HEADER;
	h->targets = aligned(h->offsets + 8 * (h->nodes + 1));
	h->size = h->targets + 4 * h->arcs;
	h->labels = 0;
	if (h->flags & FLAG_LABELS) {
		h->labels = aligned(h->size);
		h->size = h->labels + 8 * h->nodes;
	}
}

static uint64_t header_sum(const struct header *h)
{
	return XXH3_64bits(h, HEADER - sizeof h->sum);
}

/* Calls take(ctx, bytes, n) for the targets, in runs of 2^20 at most. */
static void each_run(const struct graph *g, void (*take)(void *ctx, const void *bytes, size_t n), void *ctx)
{
	for (uint64_t a = 0, n; a < g->arcs; a += n) {
		n = g->arcs - a < 1u << 20 ? g->arcs - a : 1u << 20;
		take(ctx, g->target + a, 4 * (size_t)n);
		graph_drop(g, a, a + n);
	}
}

static void add_to_sum(void *state, const void *bytes, size_t n)
{
	XXH3_64bits_update(state, bytes, n);
}

static void add_to_output(void *out, const void *bytes, size_t n)
{
	output_bytes(out, bytes, n);
}

static uint64_t data_sum(const struct graph *g)
{
	static const uint64_t none = 0;
	XXH3_state_t state;

	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, g->nodes ? g->offset : &none, 8 * ((size_t)g->nodes + 1));
	each_run(g, add_to_sum, &state);
	if (g->label && g->nodes)
		XXH3_64bits_update(&state, g->label, 8 * (size_t)g->nodes);
	return XXH3_64bits_digest(&state);
}

int csr_detect(const char *path)
{
	struct mapping m;

	if (mapping_open(&m, path, NULL))
		return 0;
	const int is = m.size >= sizeof magic && memcmp(m.at, magic, sizeof magic) == 0;
	mapping_close(&m);
	return is;
}

/* Refuses a header that is no header, is of another machine or version, is damaged, or does not go with the size of the file.
 * Afterwards all sections lie within the file. */
static int check_header(const struct header *h, uint64_t size, const char *path, struct err_note *why)
{
	struct header want = *h;

	if (size < sizeof magic || memcmp(h->magic, magic, sizeof magic) != 0)
		return err_set(why, ERR_FORMAT, "'%s' is no CSR file of lycosa", path);
	if (BYTE_ORDER != LITTLE_ENDIAN)
		return err_set(why, ERR_FORMAT, "'%s' needs a little-endian machine", path);
	if (size < HEADER)
		return err_set(why, ERR_FORMAT, "'%s' is cut short: %llu bytes", path, (unsigned long long)size);
	if (h->byte_order != BYTE_ORDER_MARK)
		return err_set(why, ERR_FORMAT, "'%s' is of another byte order", path);
	if (h->version != VERSION)
		return err_set(why, ERR_FORMAT, "'%s' is of version %u; only %d can be read", path, h->version, VERSION);
	if (h->sum != header_sum(h))
		return err_set(why, ERR_FORMAT, "'%s' is damaged: wrong checksum of the header", path);
	if (h->nodes > GRAPH_MAX_NODES || h->arcs > (uint64_t)1 << 48)
		return err_set(why, ERR_TOO_BIG, "'%s' has %llu nodes and %llu arcs", path, (unsigned long long)h->nodes,
			(unsigned long long)h->arcs);
	place_sections(&want);
	if ((h->flags & ~(uint32_t)(FLAG_ORDERED | FLAG_LABELS)) || memcmp(h, &want, sizeof want) != 0)
		return err_set(why, ERR_FORMAT, "'%s' is damaged: its header contradicts itself", path);
	if (size != h->size)
		return err_set(why, ERR_FORMAT, "'%s' is %s: %llu bytes, it should have %llu", path,
			size < h->size ? "cut short" : "too long", (unsigned long long)size, (unsigned long long)h->size);
	return 0;
}

/* The invariants of a graph, block by block. */
struct checking {
	const struct graph *g;
	struct blocks rows;
	uint8_t *is_bad; /* a block */
};

static int row_is_bad(const struct graph *g, uint32_t u)
{
	const uint32_t *row = graph_row(g, u), d = graph_outdegree(g, u);
	const unsigned ordered = g->flags & GRAPH_ORDERED;
	int is_bad = 0;

	for (uint32_t i = 0; i < d; i++)
		is_bad |= row[i] >= g->nodes;
	for (uint32_t i = 1; i < d && ordered; i++)
		is_bad |= row[i] <= row[i - 1];
	return is_bad;
}

static void check_rows(void *ctx, uint32_t b)
{
	const struct checking *c = ctx;

	for (uint32_t u = c->rows.cut[b]; u < c->rows.cut[b + 1]; u++)
		c->is_bad[b] |= row_is_bad(c->g, u) != 0;
	graph_drop(c->g, c->g->offset[c->rows.cut[b]], c->g->offset[c->rows.cut[b + 1]]);
}

static int offsets_are_bad(const struct graph *g)
{
	int is_bad = g->offset[0] != 0 || g->offset[g->nodes] != g->arcs;

	for (uint32_t u = 0; u < g->nodes; u++)
		is_bad |= g->offset[u + 1] < g->offset[u] || g->offset[u + 1] - g->offset[u] > UINT32_MAX;
	return is_bad;
}

static int labels_are_bad(const struct graph *g)
{
	int is_bad = 0;

	for (uint32_t u = 1; g->label && u < g->nodes; u++)
		is_bad |= g->label[u] <= g->label[u - 1];
	return is_bad;
}

/* Checks the arrays that the header promises, rows in parallel: offsets ascend, targets are nodes, and the order is as the flags
 * say. */
static int check_graph(const struct graph *g, const struct graph_load *load, const char *path, struct err_note *why)
{
	struct checking c = {.g = g};
	int is_bad = offsets_are_bad(g) || labels_are_bad(g);

	if (!is_bad && g->nodes) {
		blocks_cut(&c.rows, g->offset, g->nodes, 1u << 20, 1u << 16);
		c.is_bad = mem_zero(c.rows.count, 1);
		blocks_run(load->threads, c.rows.count, check_rows, &c);
		is_bad = memchr(c.is_bad, 1, c.rows.count) != NULL;
		free(c.is_bad);
		blocks_release(&c.rows);
	}
	return is_bad ? err_set(why, ERR_FORMAT, "'%s' is damaged: its arrays are no graph", path) : 0;
}

static void unmap(struct graph *g)
{
	mapping_close(g->arrays);
	free(g->arrays);
}

/* Maps the file and checks its header. *sum becomes the sum of the data that the header states. */
static int load_mapped(const char *path, const struct graph_load *load, struct graph *g, uint64_t *sum, struct err_note *why)
{
	struct mapping m;
	struct header h;

	*g = (struct graph){0};
	int err = mapping_open(&m, path, why);
	if (err)
		return err;
	memset(&h, 0, sizeof h);
	memcpy(&h, m.at, m.size < sizeof h ? m.size : sizeof h);
	err = check_header(&h, m.size, path, why);
	if (err) {
		mapping_close(&m);
		return err;
	}
	*sum = h.data_sum;
	*g = (struct graph){.nodes = (uint32_t)h.nodes,
		.arcs = h.arcs,
		.offset = (const uint64_t *)(const void *)(m.at + h.offsets),
		.target = (const uint32_t *)(const void *)(m.at + h.targets),
		.label = h.labels ? (const uint64_t *)(const void *)(m.at + h.labels) : NULL,
		.flags = (h.flags & FLAG_ORDERED ? GRAPH_ORDERED : 0u) | (load->space.memory ? GRAPH_BOUNDED : 0u),
		.free_arrays = unmap,
		.arrays = mem_copy(&m, sizeof m)};
	err = check_graph(g, load, path, why);
	if (err)
		graph_release(g);
	return err;
}

static int check_sum(const struct graph *g, uint64_t sum, const char *path, struct err_note *why)
{
	if (sum == data_sum(g))
		return 0;
	return err_set(why, ERR_FORMAT, "'%s' is damaged: wrong checksum of the data", path);
}

int csr_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	uint64_t sum;
	int err = load_mapped(path, load, g, &sum, why);

	if (!err && !load->space.memory)
		err = check_sum(g, sum, path, why);
	if (err)
		graph_release(g);
	return err;
}

static void fill_up(struct output *out, uint64_t place)
{
	static const char zeros[ALIGNMENT] = "";

	output_bytes(out, zeros, (size_t)(place - output_size(out)));
}

int csr_save(const struct graph *g, const char *path, struct err_note *why)
{
	static const uint64_t none = 0;
	struct header h = {.byte_order = BYTE_ORDER_MARK, .version = VERSION, .nodes = g->nodes, .arcs = g->arcs};
	struct output *out;

	if (BYTE_ORDER != LITTLE_ENDIAN)
		return err_set(why, ERR_OTHER, "cannot write '%s': this machine is not little-endian", path);
	int err = output_open(&out, path, why);
	if (err)
		return err;
	memcpy(h.magic, magic, sizeof magic);
	h.flags = (g->flags & GRAPH_ORDERED ? FLAG_ORDERED : 0) | (g->label ? FLAG_LABELS : 0);
	place_sections(&h);
	h.data_sum = data_sum(g);
	h.sum = header_sum(&h);
	output_bytes(out, &h, sizeof h);
	output_bytes(out, g->nodes ? g->offset : &none, 8 * ((size_t)g->nodes + 1));
	fill_up(out, h.targets);
	each_run(g, add_to_output, out);
	if (g->label) {
		fill_up(out, h.labels);
		output_bytes(out, g->label, 8 * (size_t)g->nodes);
	}
	return output_close(out, why);
}
