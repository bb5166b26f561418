/* How many pages a host, and a registrable domain, may still give. */
#ifndef SCOPE_BUDGET_H
#define SCOPE_BUDGET_H

#include "base/map.h"
#include "parser/traits.h"

struct budget {
	uint64_t per_host, per_domain; /* 0: no limit */
	struct map hosts, domains;     /* pages crawled or in flight */
};

void budget_init(struct budget *, uint64_t per_host, uint64_t per_domain);
void budget_release(struct budget *);

/* Whether a page is left for it. */
int budget_has(const struct budget *, const struct url_traits *);
/* A page of it is taken; or given back, since it did not come. */
void budget_take(struct budget *, const struct url_traits *);
void budget_give_back(struct budget *, const struct url_traits *);

#endif
