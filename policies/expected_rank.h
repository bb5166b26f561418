/* PageRank of the known part of the graph, twice: by the links of crawled pages alone (x), and with the links
 * that queued pages are expected to have (e).
 *
 * Both values are unnormalised and leave out the base b, which every page has. d = 0.85, O(u) is the number
 * of distinct links of u, and u runs over the crawled pages:
 *   x(v) = sum over u -> v of d (b(u) + x(u)) / O(u)
 *   e(v) = sum over u -> v of d (b(u) + e(u) + q(u) W(u)) / O(u)  +  d t(v) W(v)
 *   W(u) = sum over the queued targets w of u of (b + e(w)) / in(w)
 * W(u) is u's part of what its queued targets will hand on; in(w) is the number of crawled pages that link to w.
 * The share q(u) of W(u) is expected to reach the pages to which u links, and the share t(u) to return to u:
 *   l(u) = (same(u) + 2 S) / (children(u) + 2)      q = l^1.5 / (l^1.5 + (1 - l)^1.5)
 *   t(u) = (back(u) + 2 B) / (children(u) + 2)
 * The children of u are the crawled pages that were discovered on u. `same` and `back` are sums over the first
 * EXPECTED_CHILDREN of them; S and B are means over recent children of all pages, a prior worth two children.
 *
 * PageRank gives every page the same base, but a crawl does not know every page. Seeds that are pages like others stand for all
 * pages that nobody has seen yet: what these hand on comes in where the seeds lie, and not beside the pages that happen to be
 * known. So the first seeds have a base of 1, and all other pages, and queued seeds in W, have
 *   b = 1 - like (1 - (crawled / seen)^2)
 * like = min(1, answered(seeds) / (parents(seeds) + 1) / ((answered(others) + 1) / (parents(others) + 1)))
 * A parent is a page with a crawled child, and it is answered if a child links back to it. If no child of a seed links back, the
 * seeds are roots and stand for roots alone: like = 0, and b = 1 as in PageRank. The policy computes b (field `lack`).
 *
 *	expected_rank_learn(&r, view, u, outdegree);     page u was crawled
 *	expected_rank_solve(&r, c);                      at each reranking
 */
#ifndef POLICIES_EXPECTED_RANK_H
#define POLICIES_EXPECTED_RANK_H

#include "policies/name_prior.h"

#define EXPECTED_DAMPING  0.85
#define EXPECTED_CHILDREN 64
#define EXPECTED_LINKS    ((1u << 18) - 1)

/* The state that a policy keeps for one page: 28 bytes. Shares are computed in double, and summed up in float. A page keeps the
 * finder with which it was discovered until it is crawled, so a redirect's target has the finder of the page that
 * redirected. */
struct expected_page {
	float x, e;
	struct named_page named;
	union {
		uint32_t finder; /* page not crawled: the id of the page on which it was discovered, + 1; 0: it is a seed */
		float same;      /* crawled page: the sum over its children of the share of the child's links that are links
			       of this page as well, the child and this page left out */
	};
	float back;       /* crawled page: the sum over its children of the share of the child's links that lead to this page */
	uint32_t in : 18; /* the crawled pages that link to this page; stays at EXPECTED_LINKS */
	uint32_t children : 7;  /* up to EXPECTED_CHILDREN */
	uint32_t is_missed : 1; /* queued page: it was tried in vain, and is expected to hand nothing on */
	uint32_t is_closed : 1; /* crawled page: all of its targets are crawled, so W is 0 for good */
	uint32_t is_seed : 1;   /* one of the first seeds */
	uint32_t is_marked : 1; /* only within expected_rank_learn() */
	uint32_t chooser : 2;   /* of the policy scout */
	uint32_t is_own : 1;    /* of the policy scout */
	uint32_t place;         /* crawled page, of the policy scout: its place in the crawl, from 1 */
};

struct expected_rank {
	double S;                       /* the mean share of a child's links that its finder has, too */
	double B;                       /* the mean share of a child's links that lead to its finder */
	double parents[2], answered[2]; /* of pages that are no seeds, and of seeds */
	double lack;                    /* 1 - b */
};

/* Returns how much of the crawl is unknown, from 0 to 1: 1 - (crawled / seen)^2. */
static inline double expected_rank_unknown(const struct policy_view *view)
{
	const double share = (double)view->crawled / (double)view->seen;

	return 1 - share * share;
}

/* Returns `like` of the head of this file. */
double expected_rank_likeness(const struct expected_rank *);

/* Returns the base of a page whose value is distributed. */
static inline double expected_rank_base(const struct expected_rank *r, const struct expected_page *p)
{
	return p->is_seed ? 1 : 1 - r->lack;
}

/* Learns from page u, which has just been crawled, how the children of its finder link, and forgets this finder. Nothing is
 * learnt from a seed, from a page of another agent, and from a page that was discovered on one. `outdegree` is O(u). */
void expected_rank_learn(struct expected_rank *, const struct policy_view *, uint32_t u, size_t outdegree);

/* Counts one more crawled page that links to v. */
static inline void expected_rank_count_link(struct expected_page *v)
{
	if (v->in < EXPECTED_LINKS)
		v->in = (v->in + 1u) & EXPECTED_LINKS;
}

/* Notes that a page which was taken was not crawled: it is expected to distribute nothing, from its first failed try on, so that a
 * live crawl with retries and a replay, where a page fails at once, agree. The hook `missed` of a policy. */
void expected_rank_missed(const struct policy_call *, uint32_t u);

/* Gives page u to name_prior_learn(), with its value ln(1 + x). */
struct named_page *expected_rank_named(const struct policy_view *, uint32_t u, double *value);

/* Sweeps over the crawled pages (Jacobi) until e changes by less than 3e-3 for each discovered page on average: at
 * most twice, and four times if batches are fixed and less than half of the discovered pages are crawled. The sweeps begin with
 * the values that x and e have. A solve takes 16 more bytes for each id. */
void expected_rank_solve(const struct expected_rank *, const struct policy_call *);

#endif
