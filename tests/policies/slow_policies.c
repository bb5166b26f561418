#include "tests/policies/slow_policies.h"
#include "base/mem.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-13

struct op_counts {
	struct slow *s;
	const struct graph *g;
	uint32_t *seen, n_seen; /* pages in the order of their discovery */
	unsigned char *is_seen, *crawled;
	uint32_t *seq;           /* by page */
	double *score;           /* what the order goes by; the lowest first if `lowest` */
	double *value, *truth;   /* the policy's own, and the true PageRank, by page */
	unsigned char *is_fixed; /* partial-pagerank */
	double share, n_ranked;
	double delta;
	uint32_t window; /* rankmass: pages of the window still to come */
	int lowest;
	struct rng rng;
};

static int is(const struct op_counts *w, const char *policy)
{
	return strcmp(w->s->policy, policy) == 0;
}

static uint32_t out(const struct op_counts *w, uint32_t u)
{
	return graph_outdegree(w->g, u);
}

static double rank_key(double value, double n)
{
	return floor(value * n * 1e8 + 0.5);
}

void slow_pagerank(const struct graph *g, const uint32_t *page, uint32_t n, const unsigned char *crawled, double *rank)
{
	double *next = mem_new(g->nodes, sizeof *next), change = 1;

	for (uint32_t i = 0; i < n; i++)
		rank[page[i]] = 1.0 / n;
	while (change >= TOLERANCE) {
		double lost = 0;
		change = 0;
		for (uint32_t i = 0; i < n; i++)
			next[page[i]] = 0;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t u = page[i], links = crawled[u] ? graph_outdegree(g, u) : 0;
			for (uint32_t k = 0; k < links; k++)
				next[graph_row(g, u)[k]] += rank[u] / links;
			lost += links ? 0 : rank[u];
		}
		for (uint32_t i = 0; i < n; i++) {
			double y = 0.15 / n + 0.85 * lost / n + 0.85 * next[page[i]];
			change += fabs(y - rank[page[i]]);
			rank[page[i]] = y;
		}
	}
	free(next);
}

/* --- discovery: seeds, then new targets */

static void discover(struct op_counts *w, uint32_t v)
{
	w->is_seen[v] = 1;
	w->seq[v] = w->n_seen;
	w->seen[w->n_seen++] = v;
}

static uint32_t indegree(const struct graph *g, uint32_t v)
{
	uint32_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint32_t k = 0; k < graph_outdegree(g, u); k++)
			n += graph_row(g, u)[k] == v && u != v;
	return n;
}

static double exponential(struct op_counts *w)
{
	return -log(1 - (double)(rng_next(&w->rng) >> 11) * 0x1p-53);
}

static void value_seed(struct op_counts *w, uint32_t v)
{
	double n = (double)w->s->n_seeds;

	if (is(w, "partial-pagerank")) {
		w->value[v] = 1 / n;
		w->is_fixed[v] = 1;
		w->n_ranked = n;
		w->score[v] = rank_key(1 / n, n);
	} else if (is(w, "opic")) {
		w->score[v] = 1;
	} else if (is(w, "ieca")) {
		w->score[v] = 0.3;
	} else if (is(w, "rankmass")) {
		w->score[v] = w->value[v] = (1 - 0.85) / n;
	} else if (is(w, "random")) {
		w->score[v] = exponential(w);
	}
}

/* Scores that hold from discovery on. */
static void value_any(struct op_counts *w, uint32_t v)
{
	if (is(w, "dfs"))
		w->score[v] = w->seq[v];
	else if (is(w, "omniscient"))
		w->score[v] = rank_key(w->truth[v], w->g->nodes);
	else if (is(w, "indegree-oracle"))
		w->score[v] = indegree(w->g, v);
	else if (is(w, "static") || is(w, "map"))
		w->score[v] = w->s->score[v];
}

/* --- a link from u to v, which is not crawled */

static double fl(double x)
{
	return fabs(x) >= 1e-9 ? x : (x >= 0 ? 1e-9 : -1e-9);
}

static double lf(double dj, double di)
{
	double f, l;

	dj = fl(dj);
	di = fl(di);
	f = (dj > 0) == (di > 0) ? dj / di : (dj - di) / fabs(di);
	if (f <= 0)
		return 0;
	l = log10(f);
	return l < -9 ? -9 : l > 9 ? 9 : l;
}

static double ieca(const struct op_counts *w, double d, double D, double weight, int is_new)
{
	double e = w->delta, alpha = exp(-0.1 * (double)(w->s->n / w->s->batch));
	int form = w->s->form ? w->s->form : 10;

	if (form == 10 && is_new)
		return (1 - e) * D + weight;
	if (form == 10)
		return (1 - e) * ((1 - alpha) * d + alpha * (weight + (1 - e) * D)) - e * lf(d, D);
	if (form == 9 && is_new)
		return (1 - e) * D + weight;
	if (form == 9)
		return (1 - alpha) * d + alpha * (weight + (1 - e) * D) - lf(d, D);
	if (is_new)
		return weight + 0.35 * D;
	return (1 - alpha) * d + alpha * (weight + 0.35 * D) - (form == 7 ? lf(d, D) : 0);
}

static void link_from(struct op_counts *w, uint32_t u, uint32_t v, int is_new)
{
	double alpha = exp(-0.1 * (double)(w->s->n / w->s->batch)), weight = log10(out(w, u));
	double *d = &w->score[v], D = w->score[u], c = weight + 0.5 * D;

	if (is_new)
		value_any(w, v);
	if (is(w, "backlink")) {
		w->value[v]++;
	} else if (is(w, "partial-pagerank") && !w->is_fixed[v]) {
		w->value[v] += w->share;
		*d = rank_key(w->value[v], w->n_ranked);
	} else if (is(w, "opic")) {
		*d = (is_new ? 1 : *d) + w->share;
	} else if (is(w, "fica")) {
		if (is_new)
			*d = c;
		else if (c < *d)
			*d = (1 - alpha) * *d + alpha * c;
	} else if (is(w, "ieca")) {
		*d = ieca(w, *d, D, weight, is_new);
	} else if (is(w, "random") && is_new) {
		*d = D + exponential(w);
	}
}

/* --- reorderings */

static void reorder(struct op_counts *w)
{
	int by_rank = is(w, "batch-pagerank") || is(w, "partial-pagerank");

	if (by_rank) {
		slow_pagerank(w->g, w->seen, w->n_seen, w->crawled, w->value);
		w->n_ranked = w->n_seen;
	}
	for (uint32_t i = 0; i < w->n_seen; i++) {
		uint32_t v = w->seen[i];
		w->is_fixed[v] = 1;
		if (w->crawled[v])
			continue;
		if (by_rank)
			w->score[v] = rank_key(w->value[v], w->n_ranked);
		else if (is(w, "backlink"))
			w->score[v] = w->value[v];
	}
}

/* The end of a window: all crawled pages, in crawl order, hand on what they have. */
static void hand_on(struct op_counts *w)
{
	for (uint32_t i = 0; i < w->s->n; i++) {
		uint32_t p = w->s->order[i];
		double m = w->value[p];
		w->value[p] = 0;
		for (uint32_t k = 0; k < out(w, p); k++)
			w->value[graph_row(w->g, p)[k]] += 0.85 / out(w, p) * m;
	}
	for (uint32_t i = 0; i < w->n_seen; i++)
		w->score[w->seen[i]] = w->value[w->seen[i]];
	w->window = w->n_seen - w->s->n;
	if (w->window > w->s->batch)
		w->window = (uint32_t)w->s->batch;
}

/* --- the loop */

static uint32_t pending(const struct op_counts *w, uint32_t host)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_seen; i++)
		n += !w->crawled[w->seen[i]] && w->s->host[w->seen[i]] == host;
	return n;
}

/* The place in seen[] of the best page not crawled; n_seen for none. */
static uint32_t choose(struct op_counts *w)
{
	uint32_t best = w->n_seen;

	for (uint32_t i = 0; i < w->n_seen; i++) {
		uint32_t v = w->seen[i];
		if (w->crawled[v])
			continue;
		if (is(w, "largest-site"))
			w->score[v] = pending(w, w->s->host[v]);
		if (best == w->n_seen ||
			(w->lowest ? w->score[v] < w->score[w->seen[best]] : w->score[v] > w->score[w->seen[best]]))
			best = i;
	}
	return best;
}

static void crawl(struct op_counts *w, uint32_t u)
{
	struct slow *s = w->s;

	w->crawled[u] = 1;
	s->key[s->n] = w->score[u];
	s->order[s->n++] = u;
	if (s->n % s->batch == 0)
		w->delta = -0.28 * fmin(1, (double)s->n / (double)s->total) + 0.35;
	w->share = (is(w, "opic") ? w->score[u] : w->value[u]) / out(w, u);
	for (uint32_t k = 0; k < out(w, u); k++) {
		uint32_t v = graph_row(w->g, u)[k];
		int is_new = !w->is_seen[v];
		if (is_new)
			discover(w, v);
		if (!w->crawled[v])
			link_from(w, u, v, is_new);
	}
	if (is(w, "rankmass")) {
		if (--w->window == 0)
			hand_on(w);
	} else if (s->n % s->batch == 0) {
		reorder(w);
	}
}

int slow_knows(const char *policy)
{
	static const char *const known[] = {"bfs", "backlink", "batch-pagerank", "partial-pagerank", "echo", "scout", "aim", "opic",
		"fica", "ieca", "dfs", "random", "largest-site", "rankmass", "omniscient", "indegree-oracle", "static", "map",
		"qfirst", "qmax", "qmin", "qmean"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i], policy) == 0)
			return 1;
	return 0;
}

void slow_crawl(struct slow *s)
{
	size_t n = s->g->nodes;
	struct op_counts w = {.s = s, .g = s->g, .delta = 0.35, .rng = {s->rng_seed}};
	uint32_t next;

	assert(slow_knows(s->policy));
	if (is(&w, "echo") || is(&w, "scout") || is(&w, "aim")) {
		(is(&w, "aim") ? slow_aim : slow_echo)(s);
		return;
	}
	if (*s->policy == 'q') {
		slow_quality(s);
		return;
	}
	w.seen = mem_new(n, sizeof *w.seen);
	w.is_seen = mem_zero(n, 1);
	w.crawled = mem_zero(n, 1);
	w.is_fixed = mem_zero(n, 1);
	w.seq = mem_new(n, sizeof *w.seq);
	w.score = mem_zero(n, sizeof *w.score);
	w.value = mem_zero(n, sizeof *w.value);
	w.truth = mem_zero(n, sizeof *w.truth);
	s->order = mem_new(n, sizeof *s->order);
	s->key = mem_new(n, sizeof *s->key);
	s->n = 0;
	w.lowest = is(&w, "bfs") || is(&w, "random") || is(&w, "fica") || is(&w, "ieca");
	if (is(&w, "omniscient")) {
		for (uint32_t v = 0; v < n; v++)
			w.seen[v] = v;
		memset(w.crawled, 1, n);
		slow_pagerank(s->g, w.seen, (uint32_t)n, w.crawled, w.truth);
		memset(w.crawled, 0, n);
	}
	for (size_t i = 0; i < s->n_seeds; i++)
		discover(&w, s->seeds[i]);
	for (size_t i = 0; i < s->n_seeds; i++) {
		value_any(&w, s->seeds[i]);
		value_seed(&w, s->seeds[i]);
	}
	w.window = (uint32_t)(s->n_seeds < s->batch ? s->n_seeds : s->batch);
	while ((next = choose(&w)) < w.n_seen)
		crawl(&w, w.seen[next]);
	free(w.seen);
	free(w.is_seen);
	free(w.crawled);
	free(w.is_fixed);
	free(w.seq);
	free(w.score);
	free(w.value);
	free(w.truth);
}

void slow_release(struct slow *s)
{
	free(s->order);
	free(s->key);
}
