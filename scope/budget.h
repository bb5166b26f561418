/* The budgets of a crawl: the number of pages that may be crawled of each host (--max-per-host) and of each registrable
 * domain (--max-per-domain).
 *
 *	budget_init(&b, 100, 0, NULL);
 *	if (budget_has(&b, traits))
 *		budget_take(&b, traits); */
#ifndef SCOPE_BUDGET_H
#define SCOPE_BUDGET_H

#include "base/map.h"
#include "parser/host_settings.h"
#include "parser/traits.h"

struct budget {
	uint64_t per_host, per_domain;   /* 0: no limit */
	const struct host_settings *own; /* budgets of some hosts, in place of per_host; NULL: there are none */
	struct map hosts, domains;       /* for each, the number of pages crawled or in flight */
};

/* Makes budgets of which nothing is used. 0 means no limit. `hosts`, which may be NULL, has the budgets of some hosts; it must
 * outlive the budgets. */
void budget_init(struct budget *, uint64_t per_host, uint64_t per_domain, const struct host_settings *hosts);

/* Frees the memory. */
void budget_release(struct budget *);

/* Says whether there is any limit. */
int budget_is_limited(const struct budget *);

/* Says whether one more page of the URL's host and domain may be crawled. */
int budget_has(const struct budget *, const struct url_traits *);

/* Counts a page that was taken. */
void budget_take(struct budget *, const struct url_traits *);

/* Undoes budget_take() for a page that was not crawled after all. */
void budget_give_back(struct budget *, const struct url_traits *);

#endif
