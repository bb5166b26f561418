#include "simweb/changing.h"
#include "base/mem.h"
#include "simweb/endless_draws.h"
#include "simweb/page_change.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void changing_free(struct changing *web)
{
	if (!web)
		return;
	if (web->release)
		web->release(web);
	free(web);
}

void changing_see(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	assert(page < web->pages && now >= 0);
	*look = (struct changing_look){.own = look->own, .room = look->room, .is_there = 1};
	web->see(web, page, now, look);
	if (!look->is_there)
		look->n = 0;
}

void changing_look_release(struct changing_look *look)
{
	free(look->own);
	*look = (struct changing_look){.links = NULL};
}

void changing_graph(const struct changing *web, int64_t now, struct graph *out)
{
	uint64_t *offset = mem_new((size_t)web->pages + 1, sizeof *offset), arcs = 0;
	unsigned char *is_there = mem_new((size_t)web->pages + 1, 1);
	struct changing_look look = {.links = NULL};
	uint32_t *target = NULL;
	size_t room = 0;

	for (uint32_t u = 0; u < web->pages; u++) {
		changing_see(web, u, now, &look);
		is_there[u] = (unsigned char)look.is_there;
		offset[u] = arcs;
		target = mem_grow(target, &room, arcs + look.n + 1, sizeof *target);
		if (look.n)
			memcpy(target + arcs, look.links, look.n * sizeof *target);
		arcs += look.n;
	}
	offset[web->pages] = arcs;
	changing_look_release(&look);
	/* links to pages that do not exist at this time are removed */
	for (uint64_t u = 0, from = 0, kept = 0; u < web->pages; u++) {
		for (; from < offset[u + 1]; from++)
			if (is_there[target[from]])
				target[kept++] = target[from];
		offset[u + 1] = kept;
	}
	free(is_there);
	graph_take_rows(out, web->pages, offset, target, GRAPH_ORDERED);
}

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
static void see_by_rate(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
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

	*w = (struct by_rate){.web = {.pages = g->nodes, .see = see_by_rate}, .g = g, .host = host, .rate = rate, .seed = seed};
	return &w->web;
}

struct part_web {
	struct changing
		web; /* the first field, so that see_by_rate() can cast a struct changing to the struct part_web around it */
	const struct endless_part *part;
	struct endless endless; /* the part's, with the rate of this web */
};

/* The hook `see`: a page of the part is as the web without end would serve it at that time. */
static void see_endless(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	const struct part_web *w = (const struct part_web *)(const void *)web;
	const uint32_t number = w->part->number[page];
	struct endless_host h;

	endless_host_get(&w->endless, w->part->host[page], &h);
	const struct endless_state s = endless_state(&w->endless, &h, number, now);
	look->version = s.version;
	look->modified = s.modified;
	look->is_there = s.is_there;
	if (s.is_there)
		look->n = (uint32_t)endless_part_links(w->part, page, s.version, &look->own, &look->room);
	look->links = look->own;
}

struct changing *changing_endless(const struct endless_part *part, double rate)
{
	struct part_web *w = mem_zero(1, sizeof *w);

	*w = (struct part_web){.web = {.pages = part->pages, .see = see_endless}, .part = part, .endless = part->web};
	w->endless.changes = rate;
	return &w->web;
}

#define XXH_INLINE_ALL
#include <xxhash.h>

struct series {
	struct changing web; /* the first field, so that see_endless() can cast a struct changing to the struct series around it */
	struct graph *snapshot;
	unsigned char **is_there; /* of each snapshot, by page */
	size_t n;
	int64_t seconds;
};

static void see_series(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	const struct series *w = (const struct series *)(const void *)web;
	const size_t at = now / w->seconds < (int64_t)w->n ? (size_t)(now / w->seconds) : w->n - 1;
	const struct graph *g = &w->snapshot[at];

	look->links = graph_row(g, page);
	look->n = graph_outdegree(g, page);
	look->version = XXH3_64bits(look->links, look->n * sizeof *look->links);
	look->is_there = w->is_there[at][page];
}

static void release(struct changing *web)
{
	struct series *w = (struct series *)(void *)web;

	for (size_t i = 0; i < w->n; i++) {
		graph_release(&w->snapshot[i]);
		free(w->is_there[i]);
	}
	free(w->snapshot);
	free(w->is_there);
}

static unsigned char *pages_of(const struct graph *g)
{
	unsigned char *is_there = mem_zero((size_t)g->nodes + 1, 1);

	for (uint32_t u = 0; u < g->nodes; u++)
		is_there[u] = graph_outdegree(g, u) > 0;
	for (uint64_t a = 0; a < g->arcs; a++)
		is_there[g->target[a]] = 1;
	return is_there;
}

struct changing *changing_series(struct graph *snapshot, size_t n, int64_t seconds)
{
	struct series *w = mem_zero(1, sizeof *w);

	assert(n && seconds >= 1);
	*w = (struct series){.web = {.pages = snapshot[0].nodes, .see = see_series, .release = release},
		.snapshot = snapshot,
		.is_there = mem_new(n, sizeof *w->is_there),
		.n = n,
		.seconds = seconds};
	for (size_t i = 0; i < n; i++) {
		assert(snapshot[i].nodes == w->web.pages);
		w->is_there[i] = pages_of(&snapshot[i]);
	}
	return &w->web;
}
