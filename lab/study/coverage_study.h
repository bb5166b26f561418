/* The evaluation of seed strategies by Zheng, Dmitriev and Giles: the pages and the value within h links of k seeds,
 * site by site, in percent better than random seeds. A part of `lycosa coverage --out`. */
#ifndef LAB_STUDY_COVERAGE_STUDY_H
#define LAB_STUDY_COVERAGE_STUDY_H

#include "lab/study/study.h"
#include "seeds/method.h"

#define COVERAGE_SEEDS      10 /* k = 1..10 with h = 5 */
#define COVERAGE_HOPS       5  /* h = 1..5 with k = 5 */
#define COVERAGE_FEW        5
#define COVERAGE_STRATEGIES 7 /* without random */
#define COVERAGE_SITE_PAGES 100

/* A site by itself: the links within it. */
struct coverage_site {
	struct graph graph;
	int64_t *value; /* NULL: 1 each */
};

/* What one site shows: covered pages and value by strategy, random (the mean of draws) last. */
struct coverage_figures {
	double by_seeds[COVERAGE_STRATEGIES + 1][COVERAGE_SEEDS][2];
	double by_hops[COVERAGE_STRATEGIES + 1][COVERAGE_HOPS][2];
};

enum { COVERAGE_PAGES, COVERAGE_VALUE };

/* "maxweight(2)"; random is the last. Static memory. */
const char *coverage_strategy_name(size_t strategy);

struct coverage_study {
	/* Makes site i of n; called by several threads. The graph and the value are then the
	 * caller's to release. */
	void (*make)(void *ctx, uint32_t i, struct coverage_site *site);
	void *ctx;
	uint32_t sites;
	uint32_t draws; /* of random seeds, >= 2 */
	uint64_t rng_seed;
	unsigned threads;
	int with_values; /* whether value differs from the number of pages */
};

/* Measures one site; tests call it, too. */
void coverage_measure(const struct coverage_site *site, uint32_t draws, uint64_t rng_seed,
	struct coverage_figures *out);

/* Appends tables, figures and verdicts on the paper's claims to a study. Sites are worked on in parallel. */
void coverage_study(const struct coverage_study *in, struct study *study);

/* The sites of a graph that are judged: a link from another site leads to each, and at least
 * COVERAGE_SITE_PAGES of its pages were fetched. The pages of a site may have any ids. */
struct coverage_sites {
	const struct graph *graph;
	const uint32_t *host; /* site of each node, below `hosts` */
	const int64_t *value; /* NULL: 1 each */
	uint32_t *site, n;    /* the sites that are judged, as numbers in host[] */
	uint32_t *first;      /* the pages of site i are node[first[i]] to node[first[i + 1] - 1] */
	uint32_t *node;       /* all pages site by site, ids ascending within a site */
	uint32_t *number;     /* of each page: its place among the pages of its site */
};

/* `fetched` has a byte a node, non-zero where a crawl fetched the page; NULL: all were. */
void coverage_sites_init(struct coverage_sites *s, const struct graph *g, const uint32_t *host,
	uint32_t hosts, const int64_t *value, const uint8_t *fetched);
void coverage_sites_release(struct coverage_sites *s);
void coverage_sites_make(void *ctx, uint32_t i, struct coverage_site *site);

/* Generated ones: 100 to 1,000 pages, small ones more often, with values as attributes would give
 * them: one page in twenty spam, one clicked, some with uncrawled links. ctx: uint64_t rng seed. */
void coverage_made_site(void *ctx, uint32_t i, struct coverage_site *site);

#endif
