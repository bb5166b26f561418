/* Echo and scout from their definitions: dense arrays, linear scans, sets by nested loops, Jacobi with two arrays. */
#include "base/mem.h"
#include "base/rng.h"
#include "tests/policies/slow_policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define D 0.85

struct page {
	double key;
	float x, e, nx, ne, t; /* t: the temporary value; sums are in float, as the definition says */
	float same, back;
	uint32_t children, in, found, seq;
	uint32_t when, link; /* the crawled pages at its discovery, and the index of the link that led to it */
	int is_seen, is_crawled;
	char name[64]; /* the file name, with 0 for each number */
	int cohort;
	double then, prior;
	int by;         /* who chose it: 0 echo, 1 clusters, 2 chance, 3 the oldest */
	int is_own;     /* a page that echo chose links to it */
	uint32_t place; /* in the order of the crawl */
};

struct work {
	struct slow *s;
	const struct graph *g;
	struct page *p;
	uint32_t *seen, n_seen, crawled, fixed, ranked;
	double lambda, S, B, m, self[2], n[2], links[2], hits, expected;
	int live, reranked, cohort;
	uint64_t end; /* the crawled pages at which the batch ends */
	double share[4], due[4];
	double base; /* of pages that are no seeds */
	uint32_t looked, looks;
};

static double steps(double k)
{
	return floor(k / 1e-5 + 0.5);
}

static int has_link(const struct graph *g, uint32_t u, uint32_t v)
{
	for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
		if (graph_row(g, u)[i] == v)
			return 1;
	return 0;
}

static double K(const struct work *w, const struct page *v)
{
	double r = log((w->links[0] + 1) / (w->n[0] + 1) / ((w->links[1] + 1) / (w->n[1] + 1)));
	double bonus = w->self[0] - w->self[1] + (fabs(r) > log(3) ? 0.1 * r : 0);

	return steps((1 - w->m) * log(w->base + (double)v->x) + w->m * log(w->base + (double)v->e) + w->lambda * v->prior +
		(!v->found && !v->in ? bonus : 0));
}

/* Writes the file name of a URL, with 0 in place of each number. */
static void name_of(const char *url, char *name)
{
	const char *at = strrchr(url, '/') + 1;

	for (; *at; at++)
		if (!strchr("0123456789", *at))
			*name++ = *at;
		else if (!strchr("0123456789", at[1]) || !at[1])
			*name++ = '0';
	*name = 0;
}

static void discover(struct work *w, uint32_t v, uint32_t found)
{
	if (w->s->url)
		name_of(w->s->url[v], w->p[v].name);
	w->p[v].is_seen = 1;
	w->p[v].seq = w->n_seen;
	w->p[v].found = found;
	w->seen[w->n_seen++] = v;
}

static void learn(struct work *w, uint32_t u, uint32_t p)
{
	const uint32_t O = graph_outdegree(w->g, u);
	double s = 0, b = 0, a = 1 / fmax(1, fmin(w->crawled, w->s->batch ? (double)w->s->batch : 250));

	for (uint32_t i = 0; i < O; i++) {
		uint32_t v = graph_row(w->g, u)[i];
		if (v == p)
			b += 1;
		else if (v != u && has_link(w->g, p, v))
			s += 1;
	}
	s /= O ? O : 1;
	b /= O ? O : 1;
	w->p[p].same += (float)s;
	w->p[p].back += (float)b;
	w->p[p].children++;
	w->S += a * (s - w->S);
	w->B += a * (b - w->B);
}

static double base_of(const struct work *w, const struct page *p)
{
	return p->seq < w->fixed ? 1 : w->base;
}

/* How far seeds are pages like others: whether the pages that were found on them link back. */
static double likeness(const struct work *w)
{
	double parents[2] = {0}, answered[2] = {0};

	for (uint32_t i = 0; i < w->n_seen; i++) {
		const struct page *p = &w->p[w->seen[i]];
		const int is_seed = p->seq < w->fixed;
		parents[is_seed] += p->children > 0;
		answered[is_seed] += p->back > 0;
	}
	return fmin(1, answered[1] / (parents[1] + 1) / ((answered[0] + 1) / (parents[0] + 1)));
}

static double sweep(struct work *w)
{
	double change = 0;

	for (uint32_t k = 0; k < w->n_seen; k++) {
		const uint32_t u = w->seen[k];
		struct page *p = &w->p[u];
		const uint32_t O = p->is_crawled ? graph_outdegree(w->g, u) : 0;
		double W = 0;
		if (!O)
			continue;
		for (uint32_t i = 0; i < O; i++) {
			const struct page *v = &w->p[graph_row(w->g, u)[i]];
			if (!v->is_crawled && v->in)
				W += (double)(float)((w->base + (double)v->e) / v->in);
		}
		double l = ((double)p->same + 2 * w->S) / (p->children + 2), t = ((double)p->back + 2 * w->B) / (p->children + 2);
		double q = pow(l, 1.5) / (pow(l, 1.5) + pow(1 - l, 1.5));
		p->ne = (float)((double)p->ne + (double)(float)(D * t * W));
		for (uint32_t i = 0; i < O; i++) {
			struct page *v = &w->p[graph_row(w->g, u)[i]];
			v->nx += (float)(D * (base_of(w, p) + (double)p->x) / O);
			v->ne += (float)(D * (base_of(w, p) + (double)p->e + q * W) / O);
		}
	}
	for (uint32_t v = 0; v < w->g->nodes; v++) {
		change += fabs((double)w->p[v].ne - (double)w->p[v].e);
		w->p[v].x = w->p[v].nx;
		w->p[v].e = w->p[v].ne;
		w->p[v].nx = w->p[v].ne = 0;
	}
	return change;
}

static double gain(const struct work *w, const struct page *p)
{
	double sum = 0, n = 0;

	for (uint32_t u = 0; u < w->g->nodes; u++)
		if (w->p[u].is_crawled && w->p[u].cohort == p->cohort) {
			sum += log(1 + (double)w->p[u].x) - w->p[u].then;
			n++;
		}
	return log(1 + (double)p->x) - p->then - sum / n;
}

static double prior(const struct work *w, const char *name)
{
	double sum = 0, n = 0;

	for (uint32_t u = 0; u < w->g->nodes; u++)
		if (w->p[u].is_crawled && strcmp(w->p[u].name, name) == 0) {
			sum += gain(w, &w->p[u]);
			n++;
		}
	return sum < 0 ? 0 : floor(sum / (n + 5) * 1024 + 0.5) / 1024;
}

static void learn_names(struct work *w)
{
	double pg = 0, pp = 0, gg = 0;

	for (uint32_t u = 0; u < w->g->nodes; u++) {
		const struct page *p = &w->p[u];
		if (!p->is_crawled)
			continue;
		const double g = gain(w, p);
		pg += p->prior * g;
		pp += p->prior * p->prior;
		gg += g * g;
	}
	const int sure = w->crawled >= (w->s->batch ? 3 * w->s->batch : 200) && pg >= 3 * sqrt(pp * gg / w->crawled);
	w->lambda = sure ? fmin(1, fmax(0, pg / (pp + 1))) : 0;
	w->s->most_lambda = fmax(w->s->most_lambda, w->lambda);
	for (uint32_t i = 0; i < w->n_seen; i++)
		if (!w->p[w->seen[i]].is_crawled)
			w->p[w->seen[i]].prior = prior(w, w->p[w->seen[i]].name);
	w->cohort++;
}

/* Orders all pages by K. */
static void order(struct work *w)
{
	w->live = 1;
	for (uint32_t i = 0; i < w->n_seen; i++)
		w->p[w->seen[i]].key = w->p[w->seen[i]].is_crawled ? 0 : K(w, &w->p[w->seen[i]]);
}

/* Puts seeds before all other pages, until there are as many crawled ones as there should be. */
static void send_seeds(struct work *w)
{
	double most = floor(0.25 * fmax(sqrt(w->crawled), likeness(w) * w->crawled)), n = 0;

	for (uint32_t i = 0; i < w->fixed; i++)
		n += w->p[w->seen[i]].is_crawled;
	for (uint32_t i = 0; i < w->fixed && n < most; i++)
		if (!w->p[w->seen[i]].is_crawled) {
			w->p[w->seen[i]].key = 1e12;
			n++;
		}
}

static void rerank(struct work *w)
{
	double share = (double)w->crawled / w->n_seen;

	if (!w->s->batch && w->fixed > 20)
		w->base = 1 - likeness(w) * (1 - share * share);
	for (uint32_t v = 0; v < w->g->nodes; v++)
		w->p[v].nx = w->p[v].ne = 0;
	for (int i = 0; i < (share < 0.5 && w->s->batch ? 4 : 2) && sweep(w) > 3e-3 * w->n_seen; i++)
		;
	w->m = 0.4 * (1 - share * share);
	if (w->s->url)
		learn_names(w);
	w->reranked = 1;
	w->ranked = w->crawled;
	order(w);
}

/* --- scout */

static int descending(const void *a, const void *b)
{
	const float x = *(const float *)a, y = *(const float *)b;

	return (x < y) - (x > y);
}

static double hot_value(const struct work *w)
{
	float *x = mem_new(w->n_seen, sizeof *x);

	for (uint32_t i = 0; i < w->n_seen; i++)
		x[i] = w->p[w->seen[i]].x;
	qsort(x, w->n_seen, sizeof *x, descending);
	const double hot = (double)x[w->crawled - 1] * (1 + 1e-9) + 1e-12;
	free(x);
	return hot;
}

static int is_later(const struct work *w, const struct page *p)
{
	return p->is_crawled && p->place >= w->crawled / 2;
}

static void learn_shares(struct work *w)
{
	const double hot = hot_value(w);
	double found[4] = {0}, pages[4] = {0};

	for (uint32_t i = 0; i < w->n_seen; i++) {
		const struct page *p = &w->p[w->seen[i]], *f = p->found ? &w->p[p->found - 1] : NULL;
		if (is_later(w, p)) {
			pages[p->by]++;
			found[p->by] += (double)p->x > hot && (!p->by || !p->is_own);
		}
		if (f && is_later(w, f))
			found[f->by] += (double)p->x > hot && (!f->by || !p->is_own);
	}
	const double own = (found[0] + 1) / (pages[0] + 1);
	for (int j = 1; j < 4; j++) {
		const double r = (found[j] + 2 * own) / (pages[j] + 2), next = r > own ? w->share[j] * 1.5 : w->share[j] / 1.5;
		if (pages[j] >= 3)
			w->share[j] = fmax(0.02 / 3, fmin(0.05, next));
	}
}

/* Counts the pages that were found on page f and are crawled, or are not. */
static uint32_t children(const struct work *w, uint32_t f, int is_crawled)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_seen; i++)
		n += w->p[w->seen[i]].found == f + 1 && w->p[w->seen[i]].is_crawled == is_crawled;
	return n;
}

static double stake(const struct work *w)
{
	double all = 0, untouched = 0;

	for (uint32_t i = 0; i < w->n_seen; i++) {
		const struct page *p = &w->p[w->seen[i]];
		const int is_alone = !p->is_crawled && !p->found;
		const uint32_t left = children(w, w->seen[i], 0);
		all += is_alone + (left > 0);
		untouched += is_alone + (left > 0 && !children(w, w->seen[i], 1));
	}
	return all > 0 ? untouched / all : 0;
}

/* Says whether page a of a family comes before page b. */
static int is_better(const struct page *a, const struct page *b)
{
	return a->key > b->key || (a->key >= b->key && a->seq < b->seq);
}

/* How much explorer j wants a queued page; -1: not at all. */
static double wish(const struct work *w, int j, uint32_t v)
{
	const struct page *p = &w->p[v];

	if (j == 2) {
		struct rng rng = {
			w->s->rng_seed ^ ((uint64_t)w->looks << 48 ^ (p->found ? (uint64_t)p->when << 16 ^ p->link : p->seq))};
		return 1 - rng_unit(&rng);
	}
	if (j == 3)
		return 1;
	if (!p->found)
		return -1;
	for (uint32_t i = 0; i < w->n_seen; i++) {
		const struct page *q = &w->p[w->seen[i]];
		if (q->found == p->found && !q->is_crawled && !q->by && is_better(q, p))
			return -1;
	}
	return (double)children(w, p->found - 1, 0) / (1 + (double)children(w, p->found - 1, 1));
}

/* All pages are chosen by what is so before the first of them is. */
static void send(struct work *w, int j, uint32_t k)
{
	double *want = mem_new(w->g->nodes, sizeof *want);

	for (uint32_t i = 0; i < w->n_seen; i++) {
		const struct page *p = &w->p[w->seen[i]];
		want[i] = p->is_crawled || p->by ? -1 : wish(w, j, w->seen[i]);
	}
	for (; k > 0; k--) {
		uint32_t best = w->n_seen;
		for (uint32_t i = 0; i < w->n_seen; i++)
			if (want[i] >= 0 && (best == w->n_seen || want[i] > want[best]))
				best = i;
		if (best == w->n_seen)
			break;
		want[best] = -1;
		w->p[w->seen[best]].by = j;
		w->p[w->seen[best]].key = 1e12;
	}
	free(want);
}

static void explore(struct work *w)
{
	for (uint32_t i = 0; i < w->n_seen; i++)
		if (!w->p[w->seen[i]].is_crawled)
			w->p[w->seen[i]].by = 0;
	if (w->crawled < 1.25 * w->looked)
		return;
	w->looked = w->crawled;
	w->looks++;
	learn_shares(w);
	const double span = fmax(1, cbrt(1000.0 / w->crawled)) * fmin(1, 2 * stake(w)) * 0.25 * w->crawled;
	for (int j = 1; j < 4; j++) {
		w->due[j] += w->share[j] * span;
		const double whole = floor(w->due[j]);
		w->due[j] -= whole;
		send(w, j, (uint32_t)whole);
	}
}

/* --- the crawl */

static void link_from(struct work *w, uint32_t u, uint32_t O, uint32_t i)
{
	const uint32_t target = graph_row(w->g, u)[i];
	struct page *v = &w->p[target], *p = &w->p[u];

	if (!v->is_seen) {
		discover(w, target, u + 1);
		v->when = w->crawled;
		v->link = i;
	}
	if (v->is_crawled)
		return;
	v->x = (float)(v->x + D * (base_of(w, p) + (double)p->x) / O);
	v->e = (float)(v->e + D * (base_of(w, p) + (double)p->e) / O);
	const double t = (double)p->t, base = p->seq < w->fixed ? 1.0 / O : w->s->batch ? 0 : fmin(1.0 / O, t / 2);
	v->t = (float)(v->t + base + (p->seq < w->fixed ? (double)p->x : t) / O);
	v->in++;
	if (!w->live && v->seq >= w->fixed)
		v->key = steps(log(fmax((double)v->t, 1e-12)));
	else if (v->key != 1e12)
		v->key = K(w, v);
}

/* Whether, of more than a batch of seeds, a tenth of the links lead to queued seeds that would if these were like others. */
static int seeds_are_roots(struct work *w, uint32_t u)
{
	const double n = (double)w->s->n_seeds;

	if (!w->s->batch || n <= (double)w->s->batch || n <= w->crawled)
		return 0;
	w->expected += graph_outdegree(w->g, u) * (n - w->crawled) / (double)w->s->total;
	for (uint32_t i = 0; i < graph_outdegree(w->g, u); i++)
		w->hits += w->p[graph_row(w->g, u)[i]].key == 1e12 && !w->p[graph_row(w->g, u)[i]].is_crawled;
	return w->expected >= 5 && 10 * w->hits <= w->expected;
}

static void crawl(struct work *w, uint32_t u)
{
	struct page *p = &w->p[u];
	const uint32_t O = graph_outdegree(w->g, u);
	const int f = p->found != 0;
	double g = has_link(w->g, u, u) ? -log(1 - D / O) : 0;

	p->is_crawled = 1;
	p->cohort = w->cohort;
	p->then = floor(log(1 + (double)p->x) * 1024 + 0.5) / 1024;
	p->place = w->crawled++;
	if (f && w->p[p->found - 1].children < 64)
		learn(w, u, p->found - 1);
	w->n[f]++;
	w->self[f] += (g - w->self[f]) / w->n[f];
	w->links[f] += O > 0;
	for (uint32_t i = 0; i < O; i++)
		link_from(w, u, O, i);
	const int are_roots = !w->live && seeds_are_roots(w, u), explores = strcmp(w->s->policy, "scout") == 0;
	for (uint32_t i = 0; i < O; i++)
		w->p[graph_row(w->g, u)[i]].is_own |= !p->by;
	const int is_end = w->crawled == w->end;
	if (is_end)
		w->end += w->s->batch ? w->s->batch : (uint64_t)fmax(1, floor((double)w->end * 0.1));
	if (is_end && 40 * (w->crawled - w->ranked) >= w->crawled)
		rerank(w);
	else if (are_roots)
		order(w);
	else
		return;
	if (!w->s->batch)
		send_seeds(w);
	if (explores)
		explore(w);
}

static uint32_t best(const struct work *w)
{
	uint32_t best = w->n_seen;

	for (uint32_t i = 0; i < w->n_seen; i++)
		if (!w->p[w->seen[i]].is_crawled && (best == w->n_seen || w->p[w->seen[i]].key > w->p[w->seen[best]].key))
			best = i;
	return best;
}

void slow_echo(struct slow *s)
{
	struct work w = {.s = s, .g = s->g};
	uint32_t next;

	w.p = mem_zero(s->g->nodes, sizeof *w.p);
	w.seen = mem_new(s->g->nodes, sizeof *w.seen);
	s->order = mem_new(s->g->nodes, sizeof *s->order);
	s->key = mem_new(s->g->nodes, sizeof *s->key);
	s->n = 0;
	for (size_t i = 0; i < s->n_seeds; i++) {
		discover(&w, s->seeds[i], 0);
		w.p[s->seeds[i]].key = 1e12;
	}
	w.fixed = w.n_seen;
	w.base = 1;
	w.end = s->batch ? s->batch : 20;
	w.share[1] = w.share[2] = 0.01;
	w.share[3] = s->n_seeds > 20 ? 0.01 : 0.05;
	if (!s->batch && s->n_seeds > 20)
		order(&w);
	while ((next = best(&w)) < w.n_seen) {
		s->key[s->n] = w.p[w.seen[next]].key;
		s->order[s->n++] = w.seen[next];
		crawl(&w, w.seen[next]);
	}
	free(w.p);
	free(w.seen);
}
