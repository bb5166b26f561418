/* PageRank of the part of the graph that is known: the crawled pages with their links, and all
 * others seen, which dangle.
 *
 * Values are kept unnormalised: y_v = 1 + d * sum over crawled u -> v of y_u / O(u), which is
 * PageRank (graph/kernels/pagerank.h) up to the factor `sum`. So new pages leave the old values alone, and
 * what a solve has to do is to hand on what the pages crawled since the last one hold.
 *
 * A page keeps what it has not handed on: `open`. Until it is crawled its value is 1 + open. Once
 * crawled it has that value to hand on; a sweep visits the crawled pages and moves d * open / O(u) to
 * each target (Gauss-Seidel on the residual). A solve ends when a Jacobi sweep over the normalised
 * values would change them by less than the tolerance in all (L1). Nothing is lost: what is still
 * open then is handed on by a later solve. */
#ifndef POLICIES_CRAWLED_RANK_H
#define POLICIES_CRAWLED_RANK_H

#include "frontier/policy.h"

/* Private to a page. */
struct rank_page {
	double open;
	double temp; /* partial-pagerank's alone */
};

struct crawled_rank {
	double tolerance;
	double held;  /* values of all pages, less 1 for each not yet crawled */
	double sum;   /* of all values, at the last solve; the number of seeds before the first */
	double pages; /* seen at the last solve; the number of seeds before the first */
};

/* The row for a policy's option table. */
#define CRAWLED_RANK_TOL                                                                           \
	{                                                                                          \
		"tol", OPT_REAL, 1e-9, 1e-300, 1, NULL, "PageRank stops at this L1 change"         \
	}

void crawled_rank_init(struct crawled_rank *, const struct policy_view *);
/* n more seeds. */
void crawled_rank_seed(struct crawled_rank *, const struct policy_view *, size_t n);
/* Page u was crawled. */
void crawled_rank_crawled(struct crawled_rank *, const struct policy_view *, uint32_t u);
void crawled_rank_solve(struct crawled_rank *, const struct policy_view *);

/* PageRank of a page not crawled by the last solve, if it was seen then. Before the first solve
 * that of a seed is one over their number. */
static inline double crawled_rank_of(const struct crawled_rank *r, const struct rank_page *v)
{
	return (1 + v->open) / r->sum;
}

/* The key of a value: floor(value * n * 1e8 + 0.5), n the pages seen at the last solve. */
double crawled_rank_key(const struct crawled_rank *, double value);

#endif
