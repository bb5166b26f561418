#include "graph/memory/blocks.h"
#include "graph/kernels/gather.h"
#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The values of far targets are prefetched this many targets before they are used, and far[] is padded by as many. They are
 * prefetched into the second-level cache, which can have three times as many outstanding lines as the first. */
#define AHEAD 64

/* Ids that 16 bits reach, with the window in the middle. */
#define REACH 65536

/* Rows of so many targets and more have a class each. */
#define LONG 512

/* Below this many nodes and arcs a thread is not worth while. */
#define LEAST_ARCS 200000

/* A number of `count` has two parts: near targets in the low NEAR_BITS bits, far targets above. The 2048 rows of a window have
 * at most 2^27 near targets. */
#define NEAR_BITS 28
#define NEAR_MASK ((UINT64_C(1) << NEAR_BITS) - 1)

/* What a window's rows must know to tell near from far. */
struct span {
	uint32_t origin, width;          /* ids origin..origin + width - 1 are near */
	uint32_t block_begin, block_end; /* ids of its block */
	uint32_t phase_begin, phase_end; /* and of its phase */
	uint64_t near, far;              /* where its targets begin */
};

struct build {
	struct gather *p;
	const struct graph *g;
	const struct gather_plan *plan;
	struct span *span; /* of each window */
	/* of each row: its near and far targets; after lay_out() the positions for its next ones, relative to its window */
	uint64_t *count;
	struct blocks part;    /* of the rows, a part a thread */
	_Atomic uint64_t *bit; /* a bit for each node: 1 if the node is a ghost; NULL if there is one block */
	uint32_t *rank;        /* for each word of `bit`, the number of ghosts before it */
};

enum side { NEAR, FAR };

/* Returns the part that contains `at`: begin[part] <= at < begin[part + 1]. */
static uint32_t part_of(const uint32_t *begin, uint32_t at)
{
	uint32_t part = 0;

	while (begin[part + 1] <= at)
		part++;
	return part;
}

static void set_spans(struct build *b)
{
	const uint32_t margin = (REACH - GATHER_WINDOW) / 2;
	const struct gather *p = b->p;

	for (uint32_t w = 0; w < p->windows; w++) {
		struct span *s = &b->span[w];
		const uint32_t first = gather_first(p, w), block = part_of(p->block, w);
		const uint32_t phase = part_of(p->phase, block);
		s->block_begin = gather_first(p, p->block[block]);
		s->block_end = gather_first(p, p->block[block + 1]);
		s->phase_begin = gather_first(p, p->block[p->phase[phase]]);
		s->phase_end = gather_first(p, p->block[p->phase[phase + 1]]);
		s->origin = first - s->block_begin < margin ? s->block_begin : first - margin;
		p->origin[w] = s->origin;
		s->width = s->block_end - s->origin < REACH ? s->block_end - s->origin : REACH;
	}
}

/* Where arcs go; copied, so that it stays in registers. */
struct arc_sink {
	const struct span *span;
	uint64_t *count;
	uint16_t *near;
	uint32_t *far;
	uint8_t *loop;
};

static inline void count_arc(struct arc_sink p, uint32_t row, uint32_t target)
{
	const struct span *s = &p.span[row / GATHER_WINDOW];
	const uint64_t is_far = target - s->origin >= s->width;

	if (row == target && p.loop)
		p.loop[row] = 1;
	else
		p.count[row] += 1 + is_far * NEAR_MASK;
}

static inline void place_arc(struct arc_sink p, uint32_t row, uint32_t target)
{
	const struct span *s = &p.span[row / GATHER_WINDOW];
	const uint64_t at = p.count[row];

	if (row == target && p.loop)
		return;
	if (target - s->origin < s->width) {
		p.count[row] = at + 1;
		p.near[s->near + (at & NEAR_MASK)] = (uint16_t)(target - s->origin);
	} else {
		p.count[row] = at + 1 + NEAR_MASK;
		p.far[s->far + (at >> NEAR_BITS)] = target;
	}
}

/* Calls arc() for every arc of the rows of part i, each row's arcs in order. For GATHER_IN, each part reads all arcs of the
 * graph, so that no transposed graph has to be made. */
static inline __attribute__((always_inline)) void each_arc(const struct build *b, uint32_t i,
	void (*arc)(struct arc_sink p, uint32_t row, uint32_t target))
{
	const uint32_t nodes = b->g->nodes, low = b->part.cut[i], end = b->part.cut[i + 1];
	const uint64_t *offset = b->g->offset;
	const uint32_t *target = b->g->target;
	const struct arc_sink p = {b->span, b->count, b->p->near, b->p->far, b->plan->loop};

	if (b->plan->rows == GATHER_OUT) {
		for (uint32_t u = low; u < end; u++)
			for (uint64_t a = offset[u], stop = offset[u + 1]; a < stop; a++)
				arc(p, u, target[a]);
		return;
	}
	for (uint32_t u = 0; u < nodes; u++) {
		for (uint64_t a = offset[u], stop = offset[u + 1]; a < stop; a++) {
			const uint32_t v = target[a];
			if (v - low < end - low)
				arc(p, v, u);
		}
	}
}

static void count_part(void *ctx, uint32_t i)
{
	each_arc(ctx, i, count_arc);
}

static void place_part(void *ctx, uint32_t i)
{
	each_arc(ctx, i, place_arc);
}

static uint32_t is_deferred(const struct build *b, uint32_t v)
{
	return b->plan->deferred && b->plan->deferred[v];
}

/* Histograms of row lengths in one window: bin[deferred][side][n + 1] is the number of rows with n targets on this side, where
 * LONG stands for LONG and more. Rows without far targets are not counted on the side FAR. */
struct bins {
	uint32_t bin[2][2][LONG + 2]; /* of rows that are not deferred and that are, of either side */
};

static void count_rows(const struct build *b, uint32_t w, struct bins *bins)
{
	memset(bins, 0, sizeof *bins);
	for (uint32_t v = gather_first(b->p, w); v < gather_first(b->p, w + 1); v++) {
		const uint64_t near = b->count[v] & NEAR_MASK, far = b->count[v] >> NEAR_BITS;
		const uint32_t deferred = is_deferred(b, v);
		bins->bin[deferred][NEAR][(near < LONG ? near : LONG) + 1]++;
		if (far)
			bins->bin[deferred][FAR][(far < LONG ? far : LONG) + 1]++;
	}
}

/* Counts the rows and the classes of one side: a class for each length below LONG that occurs, and one for each longer row. */
static void measure_side(const uint32_t *bin, uint32_t *rows, uint64_t *classes)
{
	*rows = bin[LONG + 1];
	*classes = bin[LONG + 1];
	for (uint32_t n = 0; n < LONG; n++) {
		*rows += bin[n + 1];
		*classes += bin[n + 1] != 0;
	}
}

/* Computes the sizes of the two shares of window w, and stores each in the share after it, so that place_shares() gets the
 * positions by adding them up. */
static void measure(void *ctx, uint32_t w)
{
	const struct build *b = ctx;
	struct gather_share *size = &b->p->share[2 * w + 1];
	struct bins bins;

	count_rows(b, w, &bins);
	for (uint32_t deferred = 0; deferred < 2; deferred++) {
		measure_side(bins.bin[deferred][NEAR], &size[deferred].near_row, &size[deferred].near_class);
		measure_side(bins.bin[deferred][FAR], &size[deferred].far_row, &size[deferred].far_class);
	}
	for (uint32_t v = gather_first(b->p, w); v < gather_first(b->p, w + 1); v++) {
		const uint32_t deferred = is_deferred(b, v);
		size[deferred].near += b->count[v] & NEAR_MASK;
		size[deferred].far += b->count[v] >> NEAR_BITS;
	}
}

/* Writes the classes of one share and side for rows shorter than LONG, and turns bin[n] into the index of the first row of n
 * targets. Returns the position for the classes of long rows. */
static struct gather_class *list_classes(uint32_t *bin, struct gather_class *kind)
{
	for (uint32_t n = 0; n <= LONG; n++) {
		if (n < LONG && bin[n + 1])
			*kind++ = (struct gather_class){n, bin[n + 1]};
		bin[n + 1] += bin[n];
	}
	return kind;
}

/* Puts row i, of n targets, behind those of its length. */
static inline void put_row(uint32_t *bin, struct gather_class **kind, uint16_t *id, uint64_t n, uint32_t i)
{
	if (n >= LONG)
		*(*kind)++ = (struct gather_class){(uint32_t)n, 1};
	id[bin[n < LONG ? n : LONG]++] = (uint16_t)i;
}

/* Sorts the rows of window w into classes, by counting. */
static void sort_rows(const struct build *b, uint32_t w)
{
	const struct gather *p = b->p;
	const uint32_t first = gather_first(p, w);
	const struct gather_share *at = &p->share[2 * w];
	struct gather_class *near_kind[2], *far_kind[2];
	struct bins bins;

	count_rows(b, w, &bins);
	for (uint32_t k = 0; k < 2; k++) {
		near_kind[k] = list_classes(bins.bin[k][NEAR], p->near_class + at[k].near_class);
		far_kind[k] = list_classes(bins.bin[k][FAR], p->far_class + at[k].far_class);
	}
	for (uint32_t v = first; v < gather_first(p, w + 1); v++) {
		const uint64_t near = b->count[v] & NEAR_MASK, far = b->count[v] >> NEAR_BITS;
		const uint32_t k = is_deferred(b, v);
		put_row(bins.bin[k][NEAR], &near_kind[k], p->near_row + at[k].near_row, near, v - first);
		if (far)
			put_row(bins.bin[k][FAR], &far_kind[k], p->far_row + at[k].far_row, far, v - first);
	}
}

/* Sorts the rows of window w, and turns their counts into positions. */
static void lay_out(void *ctx, uint32_t w)
{
	const struct build *b = ctx;
	const struct gather *p = b->p;
	const struct gather_share *at = &p->share[2 * w];
	uint64_t *const count = b->count + gather_first(p, w), near = 0, far = 0;
	uint64_t position[GATHER_WINDOW];

	sort_rows(b, w);
	b->span[w].near = at->near;
	b->span[w].far = at->far;
	for (uint32_t r = at->near_row; r < at[2].near_row; r++) {
		position[p->near_row[r]] = near;
		near += count[p->near_row[r]] & NEAR_MASK;
	}
	for (uint32_t r = at->far_row; r < at[2].far_row; r++) {
		position[p->far_row[r]] |= far << NEAR_BITS;
		far += count[p->far_row[r]] >> NEAR_BITS;
	}
	memcpy(count, position, (gather_first(p, w + 1) - gather_first(p, w)) * sizeof *position);
}

/* Says whether a far target is in another block of the same phase. */
static int is_ghost(const struct span *s, uint32_t t)
{
	return t - s->phase_begin < s->phase_end - s->phase_begin && !(t - s->block_begin < s->block_end - s->block_begin);
}

static void mark_ghosts(void *ctx, uint32_t w)
{
	const struct build *b = ctx;

	for (uint64_t a = b->p->share[2 * w].far; a < b->p->share[2 * w + 2].far; a++) {
		const uint32_t t = b->p->far[a];
		_Atomic uint64_t *word = &b->bit[t / 64];
		const uint64_t bit = UINT64_C(1) << t % 64;
		if (is_ghost(&b->span[w], t) && !(atomic_load_explicit(word, memory_order_relaxed) & bit))
			atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
	}
}

/* Replaces each far target that is a ghost by the id under which it is read, nodes + its index among the ghosts. */
static void name_ghosts(void *ctx, uint32_t w)
{
	const struct build *b = ctx;

	for (uint64_t a = b->p->share[2 * w].far; a < b->p->share[2 * w + 2].far; a++) {
		const uint32_t t = b->p->far[a];
		if (!is_ghost(&b->span[w], t))
			continue;
		const uint64_t below = b->bit[t / 64] & ((UINT64_C(1) << t % 64) - 1);
		b->p->far[a] = b->p->nodes + b->rank[t / 64] + (uint32_t)__builtin_popcountll(below);
	}
}

/* Divides the windows into blocks of about equal work, and the blocks into phases. The work of a row is estimated by its
 * out-links also for GATHER_IN, since a web has about as many in-links. */
static void cut_blocks(struct gather *p, const struct graph *g, const struct gather_plan *plan)
{
	struct blocks part;

	assert(plan->blocks == 1 || p->nodes < UINT32_C(1) << 31);
	blocks_cut(&part, g->offset, g->nodes, 1, plan->blocks);
	p->blocks = part.count;
	p->block = mem_new((size_t)p->blocks + 1, sizeof *p->block);
	for (uint32_t l = 0; l < p->blocks; l++)
		p->block[l] = (part.cut[l] + GATHER_WINDOW / 2) / GATHER_WINDOW;
	p->block[p->blocks] = p->windows;
	blocks_release(&part);

	p->phases = (p->blocks + plan->abreast - 1) / plan->abreast;
	p->phase = mem_new((size_t)p->phases + 1, sizeof *p->phase);
	for (uint32_t r = 0; r < p->phases; r++)
		p->phase[r] = r * plan->abreast;
	p->phase[p->phases] = p->blocks;
}

/* Lists the ghosts in ascending order, from their bits, and where the ghosts of each phase begin. */
static void list_ghosts(struct build *b)
{
	struct gather *p = b->p;
	const size_t words = (size_t)p->nodes / 64 + 1;
	uint32_t n = 0;

	b->rank = mem_new(words, sizeof *b->rank);
	for (size_t i = 0; i < words; i++) {
		b->rank[i] = n;
		n += (uint32_t)__builtin_popcountll(b->bit[i]);
	}
	p->ghost = mem_new(n, sizeof *p->ghost);
	n = 0;
	for (size_t i = 0; i < words; i++)
		for (uint64_t bits = b->bit[i]; bits; bits &= bits - 1)
			p->ghost[n++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(bits));
	for (uint32_t r = 0, k = 0; r <= p->phases; r++) {
		const uint32_t first = gather_first(p, p->block[p->phase[r]]);
		while (k < n && p->ghost[k] < first)
			k++;
		p->phase_ghosts[r] = k;
	}
}

/* Turns the sizes of the shares into their positions, and allocates the arrays. */
static void place_shares(struct gather *p)
{
	for (uint32_t k = 0; k < 2 * p->windows; k++) {
		struct gather_share *next = &p->share[k + 1], *mine = &p->share[k];
		next->near += mine->near;
		next->far += mine->far;
		next->near_row += mine->near_row;
		next->far_row += mine->far_row;
		next->near_class += mine->near_class;
		next->far_class += mine->far_class;
	}
	const struct gather_share *end = gather_end(p);
	p->near = mem_big(end->near, sizeof *p->near);
	p->far = mem_big(end->far + AHEAD, sizeof *p->far);
	p->near_row = mem_big(end->near_row, sizeof *p->near_row);
	p->far_row = mem_big(end->far_row, sizeof *p->far_row);
	p->near_class = mem_zero(end->near_class, sizeof *p->near_class);
	p->far_class = mem_zero(end->far_class, sizeof *p->far_class);
}

static void make_ghosts(struct build *b)
{
	const size_t words = (size_t)b->p->nodes / 64 + 1;

	b->p->phase_ghosts = mem_zero((size_t)b->p->phases + 1, sizeof *b->p->phase_ghosts);
	if (b->p->blocks == 1)
		return;
	b->bit = mem_big(words, sizeof *b->bit);
	blocks_run(b->plan->threads, b->p->windows, mark_ghosts, b);
	list_ghosts(b);
	blocks_run(b->plan->threads, b->p->windows, name_ghosts, b);
	mem_big_free((void *)b->bit, words, sizeof *b->bit);
	free(b->rank);
}

void gather_build(struct gather *p, const struct graph *g, const struct gather_plan *plan)
{
	struct build b = {.p = p, .g = g, .plan = plan};

	assert(g->arcs < UINT64_C(1) << (64 - NEAR_BITS));
	*p = (struct gather){.nodes = g->nodes, .has_deferred = plan->deferred != NULL};
	p->windows = (uint32_t)(((uint64_t)g->nodes + GATHER_WINDOW - 1) / GATHER_WINDOW);
	p->share = mem_zero(2 * (size_t)p->windows + 1, sizeof *p->share);
	p->origin = mem_new(p->windows, sizeof *p->origin);
	cut_blocks(p, g, plan);
	b.span = mem_new(p->windows, sizeof *b.span);
	set_spans(&b);
	b.count = plan->scratch ? plan->scratch : mem_big(g->nodes, sizeof *b.count);
	memset(b.count, 0, (size_t)g->nodes * sizeof *b.count);
	blocks_cut(&b.part, g->offset, g->nodes, LEAST_ARCS, plan->threads);
	blocks_run(plan->threads, b.part.count, count_part, &b);
	blocks_run(plan->threads, p->windows, measure, &b);
	place_shares(p);
	blocks_run(plan->threads, p->windows, lay_out, &b);
	blocks_run(plan->threads, b.part.count, place_part, &b);
	make_ghosts(&b);
	if (!plan->scratch)
		mem_big_free(b.count, g->nodes, sizeof *b.count);
	blocks_release(&b.part);
	free(b.span);
}

void gather_release(struct gather *p)
{
	if (p->share) {
		const struct gather_share *end = gather_end(p);
		mem_big_free(p->near, end->near, sizeof *p->near);
		mem_big_free(p->far, end->far + AHEAD, sizeof *p->far);
		mem_big_free(p->near_row, end->near_row, sizeof *p->near_row);
		mem_big_free(p->far_row, end->far_row, sizeof *p->far_row);
	}
	free(p->near_class);
	free(p->far_class);
	free(p->share);
	free(p->origin);
	free(p->block);
	free(p->phase);
	free(p->ghost);
	free(p->phase_ghosts);
	*p = (struct gather){0};
}

void gather_copy_ghosts(const struct gather *p, uint32_t r, void *x, enum gather_numbers kind)
{
	double *doubles = x;
	float *singles = x;

	for (uint32_t k = p->phase_ghosts[r]; k < p->phase_ghosts[r + 1]; k++)
		if (kind == GATHER_SINGLES)
			singles[(size_t)p->nodes + k] = singles[p->ghost[k]];
		else
			doubles[(size_t)p->nodes + k] = doubles[p->ghost[k]];
}

static inline __attribute__((always_inline)) void sum_far(const struct gather *p, uint32_t k, const void *x,
	enum gather_numbers kind, double *sum)
{
	const struct gather_share *at = &p->share[k];
	const uint32_t *t = p->far + at->far;
	const uint16_t *id = p->far_row + at->far_row;

	for (uint64_t c = at->far_class; c < at[1].far_class; c++) {
		const uint32_t n = p->far_class[c].length;
		for (uint32_t rows = p->far_class[c].rows; rows; rows--) {
			double s = 0.0;
			for (uint32_t i = 0; i < n; i++) {
				__builtin_prefetch(gather_at(x, kind, t[i + AHEAD]), 0, 2);
				s += gather_value(x, kind, t[i]);
			}
			t += n;
			sum[*id++] = s;
		}
	}
}

void gather_far(const struct gather *p, uint32_t w, const void *x, enum gather_numbers kind, double *sum)
{
	memset(sum, 0, (gather_first(p, w + 1) - gather_first(p, w)) * sizeof *sum);
	if (kind == GATHER_SINGLES)
		sum_far(p, 2 * w, x, GATHER_SINGLES, sum);
	else
		sum_far(p, 2 * w, x, GATHER_DOUBLES, sum);
}

static void add_near(void *ctx, uint32_t i, double s)
{
	double *sum = ctx;

	sum[i] += s;
}

void gather_sum(const struct gather *p, uint32_t w, const double *x, double *sum)
{
	gather_far(p, w, x, GATHER_DOUBLES, sum);
	gather_near_share(p, 2 * w, x, GATHER_DOUBLES, add_near, sum);
	if (p->has_deferred) {
		sum_far(p, 2 * w + 1, x, GATHER_DOUBLES, sum);
		gather_near_share(p, 2 * w + 1, x, GATHER_DOUBLES, add_near, sum);
	}
}
