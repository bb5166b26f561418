#include "policies/expected_rank.h"
#include "base/paged.h"
#include "policies/rerank.h"

#include <math.h>

#define SWEEPS_EARLY 4 /* of fixed batches, until half of the discovered pages are crawled */
#define SWEEPS_LATE  2
#define RECENT       250  /* the pages over which S and B are means, if batches grow; otherwise a batch */
#define AHEAD        8    /* how far ahead pages are fetched */
#define ENOUGH       3e-3 /* the sweeps end when the mean change of e is at most this */

/* The new x and e of a page, summed up during a sweep; a vector, so that one addition serves both. */
typedef float sums __attribute__((vector_size(2 * sizeof(float))));
enum { X, E };

/* The memory of a solve, by id. */
struct solve {
	sums *next;        /* all zeros before and after a sweep */
	float *to_hand_on; /* of a queued page: (1 + e) / in; of any other 0 */
	uint32_t *crawled; /* n: rerank_crawled() */
	uint32_t n;
};

/* Returns the number of pages, other than p and u, to which both u and p link. *is_back becomes 1 if u links to p. */
static size_t links_in_common(const struct policy_view *view, uint32_t u, uint32_t p, int *is_back)
{
	struct expected_page *page = view->private_pages;
	const uint32_t *row;
	size_t n = view_links(view, u, &row), common = 0;

	for (size_t i = 0; i < n; i++)
		page[row[i]].is_marked = row[i] != u ? 1 : 0;
	*is_back = page[p].is_marked;
	page[p].is_marked = 0;
	n = view_links(view, p, &row);
	for (size_t i = 0; i < n; i++)
		common += page[row[i]].is_marked;
	n = view_links(view, u, &row);
	for (size_t i = 0; i < n; i++)
		page[row[i]].is_marked = 0;
	return common;
}

void expected_rank_missed(const struct policy_call *c, uint32_t u)
{
	struct expected_page *page = c->view->private_pages;

	page[u].is_missed = 1;
}

struct named_page *expected_rank_named(const struct policy_view *view, uint32_t u, double *value)
{
	struct expected_page *page = view->private_pages;

	*value = log(1 + (double)page[u].x);
	return &page[u].named;
}

void expected_rank_learn(struct expected_rank *r, const struct policy_view *view, uint32_t u, size_t outdegree)
{
	struct expected_page *page = view->private_pages;
	const uint32_t from = page[u].finder;
	struct expected_page *finder = from ? &page[from - 1] : NULL;
	const double recent = fmax(1, fmin((double)view->crawled, view->growth > 0 ? RECENT : (double)view->batch));
	double same = 0, back = 0;
	int is_back = 0;

	if (view->state[u] == PAGE_REMOTE)
		return;
	page[u].same = page[u].back = 0;
	if (!finder || view->state[from - 1] == PAGE_REMOTE || finder->children == EXPECTED_CHILDREN)
		return;
	if (outdegree) {
		same = (double)links_in_common(view, u, from - 1, &is_back) / (double)outdegree;
		back = is_back / (double)outdegree;
	}
	r->parents[finder->is_seed] += finder->children == 0;
	r->answered[finder->is_seed] += is_back && (double)finder->back <= 0;
	finder->same += (float)same;
	finder->back += (float)back;
	finder->children = (finder->children + 1u) & 127;
	r->S += (same - r->S) / recent;
	r->B += (back - r->B) / recent;
}

double expected_rank_likeness(const struct expected_rank *r)
{
	return fmin(1, r->answered[1] / (r->parents[1] + 1) / ((r->answered[0] + 1) / (r->parents[0] + 1)));
}

/* Returns what a queued page is expected to hand on for each crawled page that links to it. */
static inline float expectation(const struct expected_rank *r, const struct expected_page *p)
{
	return p->in && !p->is_missed ? (float)((1 - r->lack + (double)p->e) / p->in) : 0;
}

static int are_crawled(const struct policy_view *view, const uint32_t *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (view->state[row[i]] != PAGE_CRAWLED)
			return 0;
	return 1;
}

/* Returns W(u) of expected_rank.h; row[n] are the links of u. */
static double expected_of_queued(const struct policy_view *view, const float *to_hand_on, uint32_t u, const uint32_t *row, size_t n)
{
	struct expected_page *page = view->private_pages;
	double W = 0;

	if (page[u].is_closed)
		return 0;
	for (size_t i = 0; i < n; i++)
		W += (double)to_hand_on[row[i]];
	if (W <= 0)
		page[u].is_closed = are_crawled(view, row, n) ? 1 : 0;
	return W;
}

/* Adds a share to each of n distinct pages. Four are read before the first of them is written, so that no addition waits for
 * another. */
static inline void add_to_all(sums *next, const uint32_t *row, size_t n, sums share)
{
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		const sums a = next[row[i]] + share, b = next[row[i + 1]] + share;
		const sums c = next[row[i + 2]] + share, d = next[row[i + 3]] + share;
		next[row[i]] = a;
		next[row[i + 1]] = b;
		next[row[i + 2]] = c;
		next[row[i + 3]] = d;
	}
	for (; i < n; i++)
		next[row[i]] += share;
}

/* Adds the shares of page u, whose links are row[n], to x and e of its targets, and the expected links back to its own e. */
static void hand_on(const struct expected_rank *r, const struct policy_view *view, uint32_t u, const uint32_t *row, size_t n,
	const struct solve *s)
{
	const struct expected_page *p = (const struct expected_page *)view->private_pages + u;
	const double W = expected_of_queued(view, s->to_hand_on, u, row, n);
	const double base = expected_rank_base(r, p);
	double e = base + (double)p->e;

	if (W > 0) {
		const double children = p->children + 2.0;
		const double like = ((double)p->same + 2 * r->S) / children, back = ((double)p->back + 2 * r->B) / children;
		const double near = like * sqrt(like), far = (1 - like) * sqrt(1 - like);
		e += near / (near + far) * W;
		s->next[u][E] += (float)(EXPECTED_DAMPING * back * W);
	}
	const sums share = {(float)(EXPECTED_DAMPING * (base + (double)p->x) / (double)n),
		(float)(EXPECTED_DAMPING * e / (double)n)};
	add_to_all(s->next, row, n, share);
}

/* Computes x and e of all pages from their old values, in one Jacobi sweep. Returns the sum of the absolute changes of e. */
static double sweep(const struct expected_rank *r, const struct policy_view *view, const struct solve *s)
{
	struct expected_page *page = view->private_pages;
	double change = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t *row, u = s->crawled[i];
		if (i + AHEAD < s->n) { /* pages that were discovered together lie apart */
			const uint32_t next = s->crawled[i + AHEAD];
			__builtin_prefetch(&page[next]);
			__builtin_prefetch(&s->next[next]);
			if (view->row)
				__builtin_prefetch(&view->target[view->row[next]]);
		}
		size_t n = view_links(view, u, &row);
		if (n)
			hand_on(r, view, u, row, n, s);
		view->work->pages += n != 0;
		view->work->arcs += n;
	}
	for (uint32_t v = 0; v < view->ids; v++) {
		change += fabs((double)s->next[v][E] - (double)page[v].e);
		page[v].x = s->next[v][X];
		page[v].e = s->next[v][E];
		s->next[v] = (sums){0};
		if (view->state[v] == PAGE_QUEUED)
			s->to_hand_on[v] = expectation(r, &page[v]);
	}
	return change;
}

void expected_rank_solve(const struct expected_rank *r, const struct policy_call *c)
{
	const struct policy_view *view = c->view;
	struct solve s = {.next = paged_new(view->ids, sizeof *s.next), .to_hand_on = paged_new(view->ids, sizeof *s.to_hand_on)};
	const int most = view->growth <= 0 && 2 * view->crawled < view->seen ? SWEEPS_EARLY : SWEEPS_LATE;

	s.crawled = rerank_crawled(c, &s.n);
	for (uint32_t v = 0; v < view->ids; v++)
		if (view->state[v] == PAGE_QUEUED)
			s.to_hand_on[v] = expectation(r, (const struct expected_page *)view->private_pages + v);
	for (int i = 0; i < most; i++)
		if (sweep(r, view, &s) <= ENOUGH * (double)view->seen)
			break;
	paged_free(s.next, view->ids, sizeof *s.next);
	paged_free(s.to_hand_on, view->ids, sizeof *s.to_hand_on);
	paged_free(s.crawled, view->ids, sizeof *s.crawled);
	view->work->part = view->seen;
}
