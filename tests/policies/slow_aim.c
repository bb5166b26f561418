/* Aim from its definition, for pages of which no words are seen: linear scans, sums over all pages anew, least squares by Gauss's
 * elimination. */
#include "base/mem.h"
#include "tests/policies/slow_policies.h"

#include <math.h>
#include <stdlib.h>

#define N 6 /* without the prediction of words, which is 0 */

struct page {
	double key, f[N], y; /* f and y: its row, once it is crawled */
	float x;
	uint32_t finder;
	int is_seen, is_crawled;
};

struct work {
	const struct slow *s;
	const struct graph *g;
	struct page *p;
	uint32_t *seen, n_seen, ranked;
	double w[N], errors[3]; /* of the regression, the mean, and the highest score of the pages that link to a page */
};

static double mean(const struct work *w)
{
	double sum = 0;

	for (uint32_t i = 0; i < w->s->n; i++)
		sum += w->s->target[w->s->order[i]];
	return w->s->n ? sum / w->s->n : 0;
}

static int links(const struct graph *g, uint32_t u, uint32_t v)
{
	for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
		if (graph_row(g, u)[i] == v)
			return 1;
	return 0;
}

/* The means over the crawled pages that link to v, or that were found on `finder`, with the mean of all once more. */
static double mean_of(const struct work *w, uint32_t v, uint32_t finder, uint32_t *n)
{
	float sum = 0;

	*n = 0;
	for (uint32_t i = 0; i < w->s->n; i++) {
		const uint32_t u = w->s->order[i];
		if (finder ? w->p[u].finder == finder : links(w->g, u, v)) {
			sum += (float)w->s->target[u];
			++*n;
		}
	}
	return ((double)sum + mean(w)) / (*n + 1.0);
}

static void look(const struct work *w, uint32_t v, double f[N])
{
	const struct page *p = &w->p[v];
	const double unit = mean(w) > 0 ? mean(w) : 1;
	uint32_t in, n;

	f[0] = 1;
	f[1] = fmin(mean_of(w, v, 0, &in) / unit, 10);
	f[2] = fmin((p->finder ? (double)(float)w->s->target[p->finder - 1] : mean(w)) / unit, 10);
	f[3] = fmin((p->finder ? mean_of(w, v, p->finder, &n) : mean(w)) / unit, 10);
	f[4] = log(1 + (double)in);
	f[5] = log(1 + (double)p->x);
}

/* What the committee predicts of page v, which has these figures. */
static void predict(const struct work *w, uint32_t v, const double f[N], double k[3])
{
	const double unit = mean(w) > 0 ? mean(w) : 1;
	float sum = 0, highest = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->s->n; i++)
		if (links(w->g, w->s->order[i], v)) {
			const float score = (float)w->s->target[w->s->order[i]];
			highest = n++ ? fmaxf(highest, score) : score;
			sum += score;
		}
	k[0] = 0;
	for (int i = 0; i < N; i++)
		k[0] += w->w[i] * f[i];
	k[1] = n ? fmin((double)sum / n / unit, 10) : 1;
	k[2] = n ? fmin((double)highest / unit, 10) : 1;
}

/* Adds the errors for page u, which is about to be crawled. */
static void judge(struct work *w, uint32_t u, const double f[N])
{
	const double y = fmin(w->s->target[u] / (mean(w) > 0 ? mean(w) : 1), 10);
	double k[3];

	predict(w, u, f, k);
	for (int i = 0; i < 3; i++)
		w->errors[i] = 0.99 * w->errors[i] + (k[i] - y) * (k[i] - y);
}

static void rank(struct work *w)
{
	double a[N][N + 1] = {{0}};

	for (uint32_t k = 0; k < w->s->n; k++) {
		const struct page *p = &w->p[w->s->order[k]];
		for (int i = 0; i < N; i++) {
			for (int j = 0; j < N; j++)
				a[i][j] += p->f[i] * p->f[j];
			a[i][N] += p->f[i] * p->y;
		}
	}
	for (int i = 0; i < N; i++)
		a[i][i] += 1;
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			const double share = a[k][i] / a[i][i];
			for (int j = i; k != i && j <= N; j++)
				a[k][j] -= share * a[i][j];
		}
	for (int i = 0; i < N; i++)
		w->w[i] = a[i][N] / a[i][i];
	w->ranked = w->s->n;
}

static void give_key(struct work *w, uint32_t v)
{
	double f[N], k[3], key = 0, weights = 0;
	uint32_t n;

	if (w->ranked) {
		look(w, v, f);
		predict(w, v, f, k);
		for (int i = 0; i < 3; i++) {
			key += k[i] / (w->errors[i] * w->errors[i] + 1e-9);
			weights += 1 / (w->errors[i] * w->errors[i] + 1e-9);
		}
		key /= weights;
	} else {
		key = mean_of(w, v, 0, &n);
	}
	w->p[v].key = floor(key / 1e-6 + 0.5);
}

static void discover(struct work *w, uint32_t v, uint32_t finder)
{
	w->p[v].is_seen = 1;
	w->p[v].finder = finder;
	w->seen[w->n_seen++] = v;
}

static void crawl(struct work *w, uint32_t u)
{
	struct page *p = &w->p[u];
	struct slow *s = (struct slow *)w->s;
	const uint32_t O = graph_outdegree(w->g, u);

	look(w, u, p->f);
	if (w->ranked)
		judge(w, u, p->f);
	s->key[s->n] = p->key;
	s->order[s->n++] = u;
	p->y = mean(w) > 0 ? fmin(s->target[u] / mean(w), 10) : 0;
	p->is_crawled = 1;
	for (uint32_t i = 0; i < O; i++) {
		const uint32_t v = graph_row(w->g, u)[i];
		if (!w->p[v].is_seen)
			discover(w, v, u + 1);
		if (w->p[v].is_crawled)
			continue;
		w->p[v].x = (float)(w->p[v].x + 0.85 * (1 + (double)p->x) / O);
		if (w->p[v].key != 1e12)
			give_key(w, v);
	}
	if (s->n % s->batch == 0 && 40 * (s->n - w->ranked) >= s->n) {
		rank(w);
		for (uint32_t i = 0; i < w->n_seen; i++)
			if (!w->p[w->seen[i]].is_crawled)
				give_key(w, w->seen[i]);
	}
}

void slow_aim(struct slow *s)
{
	struct work w = {.s = s, .g = s->g};

	w.p = mem_zero(s->g->nodes, sizeof *w.p);
	w.seen = mem_new(s->g->nodes, sizeof *w.seen);
	s->order = mem_new(s->g->nodes, sizeof *s->order);
	s->key = mem_new(s->g->nodes, sizeof *s->key);
	s->n = 0;
	for (size_t i = 0; i < s->n_seeds; i++) {
		discover(&w, s->seeds[i], 0);
		w.p[s->seeds[i]].key = 1e12;
	}
	for (;;) {
		uint32_t best = w.n_seen;
		for (uint32_t i = 0; i < w.n_seen; i++)
			if (!w.p[w.seen[i]].is_crawled && (best == w.n_seen || w.p[w.seen[i]].key > w.p[w.seen[best]].key))
				best = i;
		if (best == w.n_seen)
			break;
		crawl(&w, w.seen[best]);
	}
	free(w.p);
	free(w.seen);
}
