#include "simweb/endless_change.h"

#include "simweb/endless_draws.h"
#include "simweb/page_change.h"

double endless_pace(const struct endless *e, const struct endless_host *h)
{
	return page_change_pace(e->seed, h->content, e->changes);
}

struct endless_state endless_state(const struct endless *e, const struct endless_host *h, uint32_t page, int64_t now)
{
	if (e->changes <= 0)
		return (struct endless_state){.is_there = 1};
	const struct page_change c = page_change_at(e->seed, h->content, page, endless_pace(e, h), now);
	const int may_be_away = page && (uint64_t)page * h->branches + 1 >= h->pages;

	const int is_dated = draw_unit(e->seed, DRAW_DATED, h->content, 0) < e->dated;

	return (struct endless_state){.version = c.version,
		.modified = is_dated ? c.modified : 0,
		.is_there = !(may_be_away && c.is_away)};
}
