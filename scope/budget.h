/* The budgets of a crawl: the number of pages that may be crawled of each host (--max-per-host) and of each registrable
 * domain (--max-per-domain).
 *
 *	budget_init(&b, 100, 0);
 *	if (budget_has(&b, traits))
 *		budget_take(&b, traits); */
#ifndef SCOPE_BUDGET_H
#define SCOPE_BUDGET_H

#include "base/map.h"
#include "parser/traits.h"

struct budget {
	uint64_t per_host, per_domain; /* 0: no limit */
	struct map hosts, domains;     /* for each, the number of pages crawled or in flight */
};

/* Makes budgets of which nothing is used. 0 means no limit. */
void budget_init(struct budget *, uint64_t per_host, uint64_t per_domain);

/* Frees the memory. */
void budget_release(struct budget *);

/* Says whether one more page of the URL's host and domain may be crawled. */
int budget_has(const struct budget *, const struct url_traits *);

/* Counts a page that was taken. */
void budget_take(struct budget *, const struct url_traits *);

/* Undoes budget_take() for a page that was not crawled after all. */
void budget_give_back(struct budget *, const struct url_traits *);

#endif
