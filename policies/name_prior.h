/* What file names tell of pages: pages whose URLs end in one name (index.html, people/), on whatever host and in whatever folder,
 * tend to gain alike in value after they were crawled, since more pages turn out to link to them.
 *
 * The gain of a crawled page is the growth of ln(1 + x) since it was crawled, less the mean of the pages that were crawled between
 * the same two rerankings. The prior of a page is the sum of the gains of the crawled pages with its name, over their number + 5,
 * or 0 if this is negative: a name can raise the key of a page, and never lowers it. The weight lambda of the prior is learnt from
 * the priors that crawled pages had when they were still queued:
 *
 *	lambda = sum(prior gain) / (sum(prior^2) + 1), from 0 to 1
 *
 * over the crawled pages, each with the prior that it had when it was crawled. lambda is 0 before 200 pages are crawled (if batches
 * are fixed, before the fourth), and as long as sum(prior gain) / sqrt(sum(prior^2) sum(gain^2) / pages) is below 3. So on a site
 * whose names tell nothing, the order stays as it is.
 *
 *	name_prior_meet(v, view, id);                page id was discovered
 *	name_prior_crawled(&p, v, value);            it was crawled
 *	name_prior_learn(&p, view, page_of);         at each reranking: page_of() gives the record and value of a page
 *	key += name_prior(&p, v); */
#ifndef POLICIES_NAME_PRIOR_H
#define POLICIES_NAME_PRIOR_H

#include "frontier/policy.h"

/* What is kept for one page: 8 bytes. */
struct named_page {
	uint16_t name;   /* the hash of the file name, each number in it replaced by a 0; names of one hash count as one */
	uint16_t cohort; /* crawled page: the rerankings before it was crawled, at most UINT16_MAX */
	uint16_t then;   /* crawled page: its value when it was crawled, in units of 1 / NAME_PRIOR_UNITS */
	uint16_t prior;  /* its prior, in the same units; of a crawled page, when it was crawled */
};

#define NAME_PRIOR_UNITS 1024

struct name_prior {
	double lambda;
	uint16_t cohort;
};

/* Returns the hash of the file name of a URL of n bytes: the part behind the last slash of the path, with the query. */
uint16_t name_prior_hash(const char *url, size_t n);

/* Keeps the name of page `id`, if the policy sees URLs. */
void name_prior_meet(struct named_page *, const struct policy_view *, uint32_t id);

/* Keeps the value, ln(1 + x), that a page has when it is crawled. */
void name_prior_crawled(const struct name_prior *, struct named_page *, double value);

/* Returns the record of page `id`, and stores the page's present value in *value. The policy implements this function. */
typedef struct named_page *name_prior_page(const struct policy_view *, uint32_t id, double *value);

/* Makes the priors of the queued pages, and lambda, anew from all crawled pages. Does nothing if the policy does not see URLs. */
void name_prior_learn(struct name_prior *, const struct policy_view *, name_prior_page *);

/* Returns what to add to the value of a queued page. */
static inline double name_prior(const struct name_prior *p, const struct named_page *v)
{
	return p->lambda * v->prior / NAME_PRIOR_UNITS;
}

#endif
