/* PageRank of the known part of the graph: the crawled pages with their links, and all other
 * discovered pages, which have no links yet (they dangle).
 *
 * The values are unnormalised: y_v = 1 + d * sum over crawled u -> v of y_u / O(u). This y_v is
 * PageRank (graph/kernels/pagerank.h) up to the factor `sum`. New pages therefore leave the old
 * values unchanged, and a solve only has to distribute the values of the pages that were crawled
 * since the last solve.
 *
 * The field `open` of a page is the part of its value that the page has not yet distributed. The value of a page that is not
 * crawled is 1 + open. Once the page is crawled, it distributes this value: a sweep visits the crawled pages and moves d * w * open
 * / O(u) to each target (Gauss-Seidel on the residual, over-relaxed by w > 1, so that `open` may be negative; w = 1 once a sweep
 * brings little). A solve ends when a Jacobi sweep over the normalised values would change them by less than the tolerance in total
 * (L1). Nothing is lost: a later solve distributes the values that are still open. */
#ifndef POLICIES_CRAWLED_RANK_H
#define POLICIES_CRAWLED_RANK_H

#include "frontier/policy.h"

/* The state that a policy keeps for one page. Only the policy partial-pagerank uses `temp`, which is the part that other agents
 * of a crawl are sent (CRAWLED_RANK_SENT). For a page of another agent, `open` is the value that the page has
 * received here and that has not been sent to its owner yet. */
struct rank_page {
	double temp;
	double open;
};

#define CRAWLED_RANK_SENT sizeof(double)

struct crawled_rank {
	double tolerance;
	double held;  /* the sum of the values of all pages, less 1 for each page not yet crawled */
	double sum;   /* the sum of all values at the last solve; the number of seeds before the
			 first solve */
	double pages; /* the discovered pages at the last solve; the number of seeds before the
			 first solve */
};

/* The row for a policy's option table. */
#define CRAWLED_RANK_TOL \
	{ \
		"tol", OPT_REAL, 1e-9, 1e-300, 1, NULL, "PageRank stops at this L1 change" \
	}

/* Starts with no pages. */
void crawled_rank_init(struct crawled_rank *, const struct policy_view *);

/* Takes account of n more seeds. */
void crawled_rank_seed(struct crawled_rank *, const struct policy_view *, size_t n);
/* Begins with the pages that other agents have discovered, if there were no seeds here. */
void crawled_rank_begin(struct crawled_rank *, const struct policy_view *);
/* Takes account of page u, which has just been crawled. A page of another agent distributes its value there. */
void crawled_rank_crawled(struct crawled_rank *, const struct policy_view *, uint32_t u);
/* Solves for the values of all discovered pages, up to the tolerance. The state of the policy begins with a struct crawled_rank. */
void crawled_rank_solve(const struct policy_call *);

/* The hooks take_mass and add_mass of a policy whose page_size is that of struct rank_page and whose state begins with a
 * struct crawled_rank. What a page of another agent has received is sent once it is CRAWLED_RANK_WORTH of the base of 1
 * that every page has. */
#define CRAWLED_RANK_WORTH 1e-3
double crawled_rank_take_mass(const struct policy_call *, uint32_t u);
void crawled_rank_add_mass(const struct policy_call *, uint32_t u, double mass);

/* Returns the PageRank of a page that had been discovered but not crawled at the last solve. Before
 * the first solve, the PageRank of a seed is one over the number of seeds. */
static inline double crawled_rank_of(const struct crawled_rank *r, const struct rank_page *v)
{
	return (1 + v->open) / r->sum;
}

/* Returns the key of a value: floor(value * n * 1e8 + 0.5), where n is the number of pages that had
 * been discovered at the last solve. */
double crawled_rank_key(const struct crawled_rank *, double value);

#endif
