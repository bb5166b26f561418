#include "crawler/observers/stop_when.h"
#include "base/log.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/topk.h"
#include "storage/store.h"

#include <math.h>
#include <stdlib.h>

#define TOLERANCE 1e-6

/* Reads the links of the crawled pages as a graph of all pages. */
static void read_graph(struct store *s, struct graph *g)
{
	const uint32_t n = store_pages(s), *link;
	uint64_t *offset = mem_zero((size_t)n + 1, sizeof *offset), arcs = 0;
	size_t room = 0;
	uint32_t *target = mem_grow(NULL, &room, 1, sizeof *target);

	for (uint32_t u = 0; u < n; u++) {
		const size_t links = store_web_links(s, u, &link, NULL);
		target = mem_grow(target, &room, (size_t)arcs + links, sizeof *target);
		for (size_t i = 0; i < links; i++)
			if (link[i] < n)
				target[arcs++] = link[i];
		offset[u + 1] = arcs;
	}
	graph_take_rows(g, n, offset, target, 0);
}

double *store_pagerank(struct store *store)
{
	struct pagerank p = PAGERANK_DEFAULT;
	double *value = mem_new((size_t)store_pages(store) + 1, sizeof *value);
	struct graph g;

	read_graph(store, &g);
	p.tolerance = TOLERANCE;
	pagerank(&g, &p, value);
	graph_release(&g);
	return value;
}

#define KEYS 1e18 /* a rank of 1, as a key */

/* Returns the mass of the `crawled` pages with the highest rank among the pages that are crawled, in flight or queued. */
static double hot_mass(const double *rank, uint32_t n, const struct frontier *f, uint64_t crawled)
{
	AUTO_FREE uint64_t *key = mem_new((size_t)n + 1, sizeof *key);
	uint32_t *top = mem_new((size_t)n + 1, sizeof *top), known = 0;
	double mass = 0;

	for (uint32_t id = 0; id < n; id++) {
		const enum page_state state = frontier_state(f, id);
		if (state == PAGE_CRAWLED || state == PAGE_QUEUED || state == PAGE_IN_FLIGHT)
			key[known++] = (uint64_t)(rank[id] * KEYS);
	}
	const uint32_t k = crawled < known ? (uint32_t)crawled : known;
	topk(key, known, k, top);
	for (uint32_t i = 0; i < k; i++)
		mass += (double)key[top[i]] / KEYS;
	free(top);
	return mass;
}

/* Returns the expected gain of the next `pages` pages, or of all queued ones if they are fewer; NAN if no page is crawled. Cost: a
 * PageRank of the store (crawler/observers/stop_when.c). */
static double stop_when_gain(struct store *store, const struct frontier *f, size_t pages)
{
	const uint32_t n = store_pages(store);
	struct frontier_counts counts;
	double mass = 0;

	frontier_count(f, &counts);
	if (!counts.crawled)
		return (double)NAN;
	AUTO_FREE uint32_t *next = mem_new(pages + 1, sizeof *next);
	AUTO_FREE double *rank = store_pagerank(store);
	const size_t found = frontier_upcoming(f, next, pages);
	for (size_t i = 0; i < found; i++)
		mass += next[i] < n ? rank[next[i]] : 0;
	const double hot = hot_mass(rank, n, f, counts.crawled);
	return hot > 0 ? mass / hot : (double)NAN;
}

static void plan_look(struct stop_when *s)
{
	const uint64_t share = s->crawled / STOP_WHEN_SHARE;

	s->next_look = s->crawled + (share > STOP_WHEN_PAGES ? share : STOP_WHEN_PAGES);
}

void stop_when_init(struct stop_when *s, double bound, struct store *store, struct frontier *f)
{
	struct frontier_counts n;

	frontier_count(f, &n);
	*s = (struct stop_when){.bound = bound, .store = store, .frontier = f, .crawled = n.crawled, .gain = (double)NAN};
	plan_look(s);
}

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct stop_when *s = ctx;

	(void)why;
	s->crawled += e->state == PAGE_CRAWLED;
	return 0;
}

static int step(void *ctx, struct err_note *why)
{
	struct stop_when *s = ctx;

	(void)why;
	if (s->enough || s->crawled < s->next_look)
		return 0;
	s->gain = stop_when_gain(s->store, s->frontier, STOP_WHEN_PAGES);
	const int is_low = s->gain < s->bound;
	s->enough = is_low && s->is_low;
	s->is_low = is_low;
	plan_look(s);
	log_detail("%llu pages crawled: %d more are expected to bring %.3g of the hot mass", (unsigned long long)s->crawled,
		STOP_WHEN_PAGES, s->gain);
	return 0;
}

struct observer stop_when_observer(struct stop_when *s)
{
	return (struct observer){.ctx = s, .event = event, .step = step};
}
