#include "policies/crawled_rank.h"
#include "base/paged.h"
#include "graph/kernels/pagerank.h"
#include "policies/rerank.h"

#include <math.h>

#define DAMPING 0.85

/* The least tolerance: open values below this share of the sum are lost in rounding. */
#define ROUNDING 1e-17

/* A sweep leaves out pages whose open value is less than this share of the mean open value. */
#define WORTHWHILE 0.7

/* From the second sweep on, a page distributes so much more than its open value, and is left with a negative one, since part of
 * what it distributes comes back to it (successive over-relaxation; Young 1954). With less than 1 / DAMPING a page passes on less
 * than it received, so that no way through many pages makes an error grow. A solve goes on without it once a sweep has left more
 * than this share of what was open. */
#define OVER_RELAXED 1.15
#define SLOW         0.9

/* A sweep visits each BLOCK crawled pages PASSES times before the next ones: most links lead to pages nearby, whose values are
 * still in the cache. */
#define BLOCK  256
#define PASSES 4

void crawled_rank_init(struct crawled_rank *r, const struct policy_view *view)
{
	r->tolerance = fmax(opt_number(view->opts, "tol"), ROUNDING);
}

void crawled_rank_seed(struct crawled_rank *r, const struct policy_view *view, size_t n)
{
	if (view->crawled)
		return; /* the next solve counts these seeds among the discovered pages */
	r->sum += (double)n;
	r->pages += (double)n;
}

void crawled_rank_crawled(struct crawled_rank *r, const struct policy_view *view, uint32_t u)
{
	struct rank_page *page = view->private_pages;

	if (view->state[u] == PAGE_REMOTE)
		return;
	page[u].open += 1;
	r->held += 1;
}

void crawled_rank_begin(struct crawled_rank *r, const struct policy_view *view)
{
	if (r->sum > 0)
		return;
	r->sum = fmax(1, (double)view->seen);
	r->pages = r->sum;
}

double crawled_rank_take_mass(const struct policy_call *c, uint32_t u)
{
	struct rank_page *page = c->view->private_pages;
	struct crawled_rank *r = c->state;
	const double mass = page[u].open;

	if (mass < CRAWLED_RANK_WORTH)
		return 0;
	page[u].open = 0;
	r->held -= mass;
	return mass;
}

void crawled_rank_add_mass(const struct policy_call *c, uint32_t u, double mass)
{
	struct rank_page *page = c->view->private_pages;
	struct crawled_rank *r = c->state;

	page[u].open += mass;
	r->held += mass;
}

/* A solve in progress. It works on copies of the open values (see crawled_rank.h) and of the list of crawled pages, which lie
 * close together in memory, since they are read in every sweep. */
struct solve {
	const struct policy_view *view;
	double *open;      /* of each page, by id */
	uint32_t *crawled; /* n: rerank_crawled() */
	uint32_t n;
	double relaxed; /* what a page distributes of its open value */
	double least;   /* a sweep leaves out pages with less open */
};

/* Distributes the value `given` of the crawled page u to its n targets. Returns the sum of what they got. */
static inline double hand_on(double *open, uint32_t u, double given, const uint32_t *target, size_t n)
{
	const double share = n ? DAMPING * given / (double)n : 0;

	open[u] = n ? open[u] - given : 0;
	for (size_t i = 0; i < n; i++)
		open[target[i]] += share;
	return share * (double)n;
}

/* Distributes the open value of each of crawled[first] to crawled[end - 1] that has enough. Returns the sum of what all targets
 * got. */
static double pass(const struct solve *s, uint32_t first, uint32_t end)
{
	uint64_t pages = 0, arcs = 0;
	double moved = 0;

	for (uint32_t i = first; i < end; i++) {
		const uint32_t *target, u = s->crawled[i];
		if (!(fabs(s->open[u]) > s->least))
			continue;
		const size_t n = view_links(s->view, u, &target);
		moved += hand_on(s->open, u, s->relaxed * s->open[u], target, n);
		pages++;
		arcs += n;
	}
	s->view->work->pages += pages;
	s->view->work->arcs += arcs;
	return moved;
}

static void sweep(struct crawled_rank *r, const struct solve *s)
{
	for (uint32_t first = 0; first < s->n; first += BLOCK) {
		const uint32_t end = s->n - first < BLOCK ? s->n : first + BLOCK;
		double moved = 1;
		for (int i = 0; i < PASSES && moved != 0; i++)
			r->held += moved = pass(s, first, end);
	}
}

/* Returns the sum of the open values of all crawled pages, each without its sign. */
static double open_in_all(const struct solve *s)
{
	double open = 0;

	for (uint32_t i = 0; i < s->n; i++)
		open += fabs(s->open[s->crawled[i]]);
	return open;
}

static void load(struct solve *s, const struct policy_call *c)
{
	const struct policy_view *view = c->view;
	const struct rank_page *page = view->private_pages;

	*s = (struct solve){.view = view, .relaxed = 1, .open = paged_new(view->ids, sizeof *s->open)};
	s->crawled = rerank_crawled(c, &s->n);
	for (uint32_t u = 0; u < view->ids; u++)
		s->open[u] = page[u].open;
}

static void unload(struct solve *s)
{
	struct rank_page *page = s->view->private_pages;

	for (uint32_t u = 0; u < s->view->ids; u++)
		page[u].open = s->open[u];
	paged_free(s->open, s->view->ids, sizeof *s->open);
	paged_free(s->crawled, s->view->ids, sizeof *s->crawled);
}

void crawled_rank_solve(const struct policy_call *c)
{
	const struct policy_view *view = c->view;
	struct crawled_rank *r = c->state;
	const double crawled = (double)view->crawled, others = (double)view->seen - crawled;
	struct solve s;
	int is_slow = 0;

	load(&s, c);
	double open = open_in_all(&s);
	/* a Jacobi sweep would change the values by `open` in total, and normalising by as much again */
	while (open * 2 >= r->tolerance * (r->held + others)) {
		s.least = WORTHWHILE * open / crawled;
		sweep(r, &s);
		const double left = open_in_all(&s);
		is_slow |= left > SLOW * open;
		s.relaxed = is_slow ? 1 : OVER_RELAXED;
		open = left;
	}
	unload(&s);
	r->sum = r->held + others;
	r->pages = (double)view->seen;
	view->work->pages += view->queued; /* the policy now computes the keys of the queued pages */
	view->work->part = view->seen;
}

double crawled_rank_key(const struct crawled_rank *r, double value)
{
	return (double)pagerank_key(value, (uint32_t)r->pages);
}
