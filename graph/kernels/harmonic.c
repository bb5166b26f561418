#include "graph/kernels/harmonic.h"
#include "base/lanes.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/memory/blocks.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

uint32_t harmonic_registers(const struct graph *g)
{
	return (double)g->nodes * ((double)g->nodes + (double)g->arcs) <= HARMONIC_EXACT_WORK ? HARMONIC_EXACT : HARMONIC_REGISTERS;
}

/* The neighbourhood function that one run has found. */
struct course {
	double *pairs; /* steps + 1 */
	uint32_t steps;
};

/* Sets N(t) for the next t, with the number of pairs at distance t. */
static void append(struct course *c, uint32_t t, double pairs)
{
	size_t room = t ? mem_grown(0, t) : 0;

	c->pairs = mem_grow(c->pairs, &room, (size_t)t + 1, sizeof *c->pairs);
	c->pairs[t] = t ? c->pairs[t - 1] + pairs : pairs;
	c->steps = t;
}

/* --- exact */

#define CHUNK 256u /* nodes that one thread searches from before it takes others */

struct exact {
	const struct graph *reverse;
	double *score;
	_Atomic uint64_t *pairs; /* at distance t: a number for each t below the number of nodes */
};

/* Searches from v against the links. seen[u] is v + 1 if u was found. */
static double search(const struct graph *g, uint32_t v, uint32_t *seen, uint32_t *queue, _Atomic uint64_t *pairs)
{
	uint32_t level = 0, end = 1, n = 1;
	double score = 0.0;

	queue[0] = v;
	seen[v] = v + 1;
	for (uint32_t at = 0; at < n; end = n) {
		for (; at < end; at++) {
			const uint32_t *row = graph_row(g, queue[at]), degree = graph_outdegree(g, queue[at]);
			for (uint32_t i = 0; i < degree; i++) {
				if (seen[row[i]] == v + 1)
					continue;
				seen[row[i]] = v + 1;
				queue[n++] = row[i];
			}
		}
		level++;
		score += (double)(n - end) / level;
		if (n > end)
			atomic_fetch_add_explicit(&pairs[level], n - end, memory_order_relaxed);
	}
	return score;
}

static void search_chunk(void *ctx, uint32_t chunk)
{
	const struct exact *x = ctx;
	const uint32_t n = x->reverse->nodes, first = chunk * CHUNK, end = n - first < CHUNK ? n : first + CHUNK;
	AUTO_FREE uint32_t *seen = mem_zero(n, sizeof *seen), *queue = mem_new(n, sizeof *queue);

	for (uint32_t v = first; v < end; v++)
		x->score[v] = search(x->reverse, v, seen, queue, x->pairs);
}

static void run_exact(const struct harmonic *h, const struct graph *reverse, double *score, struct course *c)
{
	const uint32_t chunks = reverse->nodes / CHUNK + (reverse->nodes % CHUNK != 0);
	struct exact x = {reverse, score, mem_zero(reverse->nodes, sizeof *x.pairs)};

	blocks_run(h->threads, chunks, search_chunk, &x);
	for (uint32_t t = 1; t < reverse->nodes && x.pairs[t]; t++)
		append(c, t, (double)x.pairs[t]);
	free(x.pairs);
}

/* --- HyperBall */

/* How many counters have changed, and the sum of what their sizes grew by. */
struct growth {
	uint64_t changed;
	double size;
};

struct ball {
	const struct graph *reverse;
	struct blocks blocks;
	uint32_t m;           /* registers */
	uint8_t *now, *next;  /* m bytes for each node: the counters of this step, and of the next one */
	uint8_t *grew, *grow; /* a byte for each node: its counter changed in the last step, or in this one */
	float *size;          /* of the set of each node, as estimated */
	double *score;
	double power[65]; /* power[k] is 2^-k */
	double *vacancy;  /* vacancy[k]: what k empty registers add to the sum that estimates a size */
	uint32_t step;
	struct growth *growth; /* of each block */
};

/* Estimates the size of a set, which is not empty: Ertl's improved raw estimator, algorithm 6, whose registers never end. */
static double estimate(const struct ball *b, const uint8_t *counter)
{
	const double m = b->m;
	uint32_t empty = 0;
	double sum = 0.0;

	for (uint32_t i = 0; i < b->m; i++) {
		sum += b->power[counter[i]];
		empty += !counter[i];
	}
	return 0.5 / M_LN2 * m * m / (sum - empty + b->vacancy[empty]);
}

/* Returns Ertl's sigma, equation 14, for 0 <= x < 1: x + x^2 + 2 x^4 + 4 x^8 and so on. */
static double sigma(double x)
{
	double sum = x, before = -1.0;

	for (double factor = 1.0; sum > before; factor += factor) {
		before = sum;
		x *= x;
		sum += x * factor;
	}
	return sum;
}

/* Makes a counter that of its union with another one. Returns 1 if it has changed. */
static int unite(uint8_t *counter, const uint8_t *other, uint32_t m)
{
	lanes changes = {0};

	for (uint32_t i = 0; i < m; i += LANES) {
		const lanes a = lanes_load((const char *)counter + i), b = lanes_load((const char *)other + i);
		const lanes less = (lanes)(a < b), both = (a & ~less) | (b & less);
		changes |= less;
		memcpy(counter + i, &both, sizeof both);
	}
	return lanes_bits(changes) != 0;
}

static void step_block(void *ctx, uint32_t block)
{
	struct ball *b = ctx;
	struct growth growth = {0, 0.0};

	for (uint32_t v = b->blocks.cut[block]; v < b->blocks.cut[block + 1]; v++) {
		uint8_t *counter = b->next + (size_t)v * b->m;
		const uint32_t *row = graph_row(b->reverse, v), degree = graph_outdegree(b->reverse, v);
		int grows = 0;
		memcpy(counter, b->now + (size_t)v * b->m, b->m);
		for (uint32_t i = 0; i < degree; i++)
			if (b->grew[row[i]])
				grows |= unite(counter, b->now + (size_t)row[i] * b->m, b->m);
		b->grow[v] = (uint8_t)grows;
		if (!grows)
			continue;
		const double size = estimate(b, counter);
		if (size > (double)b->size[v]) {
			b->score[v] += (size - (double)b->size[v]) / b->step;
			growth.size += size - (double)b->size[v];
			b->size[v] = (float)size;
		}
		growth.changed++;
	}
	b->growth[block] = growth;
}

/* Puts each node into its own set. */
static void begin_sets(struct ball *b, uint64_t hash_seed)
{
	const int bits = __builtin_ctz(b->m);

	for (uint32_t v = 0; v < b->reverse->nodes; v++) {
		struct rng r = {hash_seed ^ (uint64_t)v << 24};
		rng_next(&r);
		const uint64_t hash = rng_next(&r), rest = hash >> bits;
		b->now[(size_t)v * b->m + (hash & (b->m - 1))] = (uint8_t)(rest ? __builtin_ctzll(rest) + 1 : 64 - bits);
		b->grew[v] = 1;
		b->size[v] = 1.0f;
		b->score[v] = 0.0;
	}
}

static void ball_init(struct ball *b, const struct harmonic *h, const struct graph *reverse, double *score)
{
	const uint32_t n = reverse->nodes, m = h->registers;

	*b = (struct ball){.reverse = reverse, .m = m, .score = score};
	b->vacancy = mem_new(m, sizeof *b->vacancy);
	for (uint32_t k = 0; k < m; k++)
		b->vacancy[k] = m * sigma((double)k / m);
	for (int k = 0; k <= 64; k++)
		b->power[k] = ldexp(1.0, -k);
	blocks_cut(&b->blocks, reverse->offset, n, 1 << 14, 1 << 12);
	b->growth = mem_zero(b->blocks.count, sizeof *b->growth);
	b->now = mem_big((size_t)n * m, 1);
	b->next = mem_big((size_t)n * m, 1);
	b->grew = mem_zero(n, 1);
	b->grow = mem_zero(n, 1);
	b->size = mem_new(n, sizeof *b->size);
	begin_sets(b, h->hash_seed);
}

static void ball_release(struct ball *b)
{
	mem_big_free(b->now, (size_t)b->reverse->nodes * b->m, 1);
	mem_big_free(b->next, (size_t)b->reverse->nodes * b->m, 1);
	blocks_release(&b->blocks);
	free(b->growth);
	free(b->vacancy);
	free(b->grew);
	free(b->grow);
	free(b->size);
}

/* Makes one step. */
static struct growth take_step(struct ball *b, unsigned threads)
{
	uint8_t *const counters = b->now, *const marks = b->grew;
	struct growth all = {0, 0.0};

	b->step++;
	blocks_run(threads, b->blocks.count, step_block, b);
	for (uint32_t i = 0; i < b->blocks.count; i++) {
		all.changed += b->growth[i].changed;
		all.size += b->growth[i].size;
	}
	b->now = b->next;
	b->next = counters;
	b->grew = b->grow;
	b->grow = marks;
	return all;
}

static void run(struct harmonic *h, const struct graph *reverse, double *score, struct course *c)
{
	struct ball b;

	if (h->registers == HARMONIC_BY_SIZE)
		h->registers = harmonic_registers(reverse);
	h->error = h->registers ? 1.06 / sqrt(h->registers) : 0.0;
	*c = (struct course){0};
	append(c, 0, reverse->nodes);
	if (!reverse->nodes)
		return;
	if (h->registers == HARMONIC_EXACT) {
		run_exact(h, reverse, score, c);
		return;
	}
	assert(h->registers >= LANES && h->registers <= HARMONIC_MOST && !(h->registers & (h->registers - 1)));
	ball_init(&b, h, reverse, score);
	for (struct growth all; (all = take_step(&b, h->threads)).changed;)
		append(c, b.step, all.size);
	ball_release(&b);
}

void harmonic_run(struct harmonic *h, const struct graph *reverse, double *score)
{
	struct course c;

	run(h, reverse, score, &c);
	h->steps = c.steps;
	free(c.pairs);
}

void harmonic_scores(struct harmonic *h, uint32_t runs, const struct graph *reverse, double *score, double *error)
{
	double *other = mem_new(reverse->nodes, sizeof *other);
	struct rng seeds = {h->hash_seed};
	uint32_t steps, made = 1;

	harmonic_run(h, reverse, score);
	for (uint32_t v = 0; v < reverse->nodes; v++)
		error[v] = 0.0;
	for (steps = h->steps; made < runs && h->registers != HARMONIC_EXACT; steps = h->steps > steps ? h->steps : steps) {
		h->hash_seed = rng_next(&seeds);
		harmonic_run(h, reverse, other);
		made++;
		for (uint32_t v = 0; v < reverse->nodes; v++) { /* sums of squares about the mean, as by Welford */
			const double change = other[v] - score[v];
			score[v] += change / made;
			error[v] += change * (other[v] - score[v]);
		}
	}
	h->steps = steps;
	h->error /= sqrt(made);
	for (uint32_t v = 0; v < reverse->nodes && h->registers != HARMONIC_EXACT; v++) {
		const double least = score[v] * score[v] / (2.0 * h->registers), runs_say = error[v] / (made - 1);
		error[v] = made == 1 ? h->error * score[v] : sqrt((runs_say > least ? runs_say : least) / made);
	}
	free(other);
}

/* --- distances */

/* Sets the figures by N(0) to N(steps). */
static void set_figures(const double *pairs, uint32_t steps, double *figure)
{
	const double n = pairs[0], all = n * (n - 1.0), most = 0.9 * pairs[steps], paths = pairs[steps] - n;
	double sum = 0.0, square = 0.0, inverse = 0.0;
	uint32_t t = 0;

	for (uint32_t i = 1; i <= steps; i++) {
		const double at = pairs[i] - pairs[i - 1];
		sum += at * i;
		square += at * i * i;
		inverse += at / i;
	}
	while (pairs[t] < most)
		t++;
	figure[DISTANCE_REACHABLE] = all > 0 ? paths / all : NAN;
	figure[DISTANCE_AVERAGE] = paths > 0 ? sum / paths : NAN;
	figure[DISTANCE_SPID] = paths > 0 ? square / sum - sum / paths : NAN;
	figure[DISTANCE_EFFECTIVE] = t ? t - (pairs[t] - most) / (pairs[t] - pairs[t - 1]) : 0.0;
	figure[DISTANCE_HARMONIC] = paths > 0 ? all / inverse : NAN;
}

/* Sets the values of enum distance, with N(0) to N(steps), by all runs but `without`, which may be none of them. */
static void set_all(const struct course *course, uint32_t runs, uint32_t without, uint32_t steps, double *all)
{
	double *pairs = all + DISTANCE_PAIRS;

	for (uint32_t t = 0; t <= steps; t++) {
		double sum = 0.0;
		for (uint32_t i = 0; i < runs; i++)
			if (i != without)
				sum += course[i].pairs[t < course[i].steps ? t : course[i].steps];
		pairs[t] = sum / (without < runs ? runs - 1 : runs);
	}
	set_figures(pairs, steps, all);
}

void harmonic_distances(struct harmonic *h, uint32_t runs, const struct graph *reverse, struct distances *d)
{
	struct rng seeds = {h->hash_seed};
	AUTO_FREE struct course *course = mem_new(runs, sizeof *course);
	AUTO_FREE double *score = mem_new(reverse->nodes, sizeof *score);

	d->runs = d->steps = 0;
	while (d->runs < runs && (!d->runs || h->registers != HARMONIC_EXACT)) {
		h->hash_seed = rng_next(&seeds);
		run(h, reverse, score, &course[d->runs]);
		d->steps = course[d->runs].steps > d->steps ? course[d->runs].steps : d->steps;
		d->runs++;
	}
	const size_t n = DISTANCE_PAIRS + (size_t)d->steps + 1;
	AUTO_FREE double *other = mem_new(n, sizeof *other);
	h->steps = d->steps;
	d->value = mem_new(n, sizeof *d->value);
	d->error = mem_zero(n, sizeof *d->error);
	set_all(course, d->runs, d->runs, d->steps, d->value);
	for (uint32_t i = 0; d->runs > 1 && i < d->runs; i++) {
		set_all(course, d->runs, i, d->steps, other);
		for (size_t j = 0; j < n; j++)
			d->error[j] += (other[j] - d->value[j]) * (other[j] - d->value[j]);
	}
	for (size_t j = 0; j < n && h->registers != HARMONIC_EXACT; j++)
		d->error[j] = d->runs > 1 ? sqrt(d->error[j] * (d->runs - 1) / d->runs) : NAN;
	for (uint32_t i = 0; i < d->runs; i++)
		free(course[i].pairs);
}

void harmonic_distances_release(struct distances *d)
{
	free(d->value);
	free(d->error);
}
