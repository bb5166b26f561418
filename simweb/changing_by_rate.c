#include "simweb/changing.h"

#include "base/mem.h"
#include "simweb/endless_draws.h"
#include "simweb/endless_rates.h"
#include "simweb/page_change.h"

struct by_rate {
	struct changing web; /* the first field, so that see() can cast a struct changing to the struct by_rate around it */
	const struct graph *g;
	const uint32_t *host;
	double rate;
	uint64_t seed;
};

static int is_on_page(const struct by_rate *w, uint32_t u, uint32_t v, uint64_t version)
{
	if (draw_unit(w->seed, DRAW_LINKS, u, v) >= ENDLESS_FRESH)
		return 1;
	return draw_bits(w->seed + version, DRAW_LINKS, u, v) >> 63 != 0;
}

/* The hook `see`: a page has the version of that time, and those of its links that are on this version. A page without links can be
 * away.
 */
static void see(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	const struct by_rate *w = (const struct by_rate *)(const void *)web;
	const uint32_t n = graph_outdegree(w->g, page), host = w->host ? w->host[page] : 0;
	const struct page_change c = page_change_at(w->seed, host, page, page_change_pace(w->seed, host, w->rate), now);

	look->version = c.version;
	look->modified = c.modified;
	look->is_there = n || !c.is_away;
	look->own = mem_grow(look->own, &look->room, (size_t)n + 1, sizeof *look->own);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t v = graph_row(w->g, page)[i];
		if (is_on_page(w, page, v, c.version))
			look->own[look->n++] = v;
	}
	look->links = look->own;
}

struct changing *changing_by_rate(const struct graph *g, const uint32_t *host, double rate, uint64_t seed)
{
	struct by_rate *w = mem_zero(1, sizeof *w);

	*w = (struct by_rate){.web = {.pages = g->nodes, .see = see}, .g = g, .host = host, .rate = rate, .seed = seed};
	return &w->web;
}
