/* The evaluation of seed strategies by Zheng, Dmitriev and Giles: the pages and the value within h links of k seeds,
 * site by site, in percent better than random seeds. A part of `lycosa coverage --out`. */
#ifndef LAB_REPORT_COVERAGE_STUDY_H
#define LAB_REPORT_COVERAGE_STUDY_H

#include "lab/report/study.h"
#include "lab/study/dataset.h"
#include "seeds/method.h"

#define COVERAGE_SEEDS      10 /* k = 1..10 with h = 5 */
#define COVERAGE_HOPS       5  /* h = 1..5 with k = 5 */
#define COVERAGE_FEW        5
#define COVERAGE_STRATEGIES 7 /* without random */
#define COVERAGE_SITE_PAGES 100

/* A site as a graph of its own, with the links within the site. */
struct coverage_site {
	struct graph graph;
	int64_t *value; /* of each page; NULL: 1 each */
};

enum { COVERAGE_PAGES, COVERAGE_VALUE };

/* What is varied: the number of seeds k with COVERAGE_HOPS hops, or the number of hops with COVERAGE_FEW seeds. */
enum { COVERAGE_BY_SEEDS, COVERAGE_BY_HOPS };

/* The measurements of one site: the pages and the value that each strategy covers, with i + 1 seeds or hops; random seeds, as a
 * mean over the draws, are last. The indices are COVERAGE_BY_SEEDS or _BY_HOPS, the strategy, i, and COVERAGE_PAGES or _VALUE. */
struct coverage_figures {
	double of[2][COVERAGE_STRATEGIES + 1][COVERAGE_SEEDS][2];
};

struct coverage_study {
	/* Makes site i; several threads may call it at once. The caller releases the graph and the value. */
	void (*make)(void *ctx, uint32_t i, struct coverage_site *site);
	void *ctx;
	uint32_t sites;
	uint32_t draws; /* of random seeds, >= 2 */
	uint64_t rng_seed;
	unsigned threads;
	int with_values; /* whether value differs from the number of pages */
};

/* Measures one site, with `draws` sets of random seeds. */
void coverage_measure(const struct coverage_site *site, uint32_t draws, uint64_t rng_seed, struct coverage_figures *out);

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

/* Finds the sites of a graph that are judged. `fetched` has a byte for each node, non-zero if a crawl fetched the page; NULL: all
 * were fetched. The other arrays are borrowed until coverage_sites_release(). */
void coverage_sites_init(struct coverage_sites *s, const struct graph *g, const uint32_t *host, uint32_t hosts,
	const int64_t *value, const uint8_t *fetched);
void coverage_sites_release(struct coverage_sites *s);

/* Makes site i of a struct coverage_sites, which ctx points to: a coverage_study.make. */
void coverage_sites_make(void *ctx, uint32_t i, struct coverage_site *site);

/* Generates site i: 100 to 1,000 pages, small sites more often, with values as page attributes give them: one page in twenty
 * is spam, one in twenty clicked, and some have uncrawled links. ctx points to a uint64_t, the seed of the random numbers. */
void coverage_made_site(void *ctx, uint32_t i, struct coverage_site *site);

/* Crawls from the seeds of different sources: every policy from the seeds of every method and from random ones, so
 * that methods can be compared by the hot pages found. A part of `lycosa coverage --out`. */

struct seed_sources {
	struct dataset *data;  /* its transpose is made */
	const uint32_t *host;  /* sites for hits; NULL: hits is left out */
	const int64_t *value;  /* NULL: 1 each */
	const uint8_t *barred; /* NULL: none */
	uint32_t seeds;        /* of each kind */
	uint32_t draws;        /* of random seeds */
	uint64_t rng_seed;
	unsigned threads; /* never changes the result */
};

/* Appends tables and figures to a study. Yardsticks, and policies that cannot run on the graph, are left out.
 * Returns the error of a crawl that failed. */
int seed_sources(const struct seed_sources *in, struct study *study, struct err_note *why) MUST_USE;

#endif
