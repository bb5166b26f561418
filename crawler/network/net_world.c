#include "crawler/network/net_world.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t host_of(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;

	return knowledge_host(w->knowledge, id);
}

static int is_outside(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;

	return knowledge_refusal(w->knowledge, id) != OUTCOME_NONE;
}

/* Says that no page is deferred when it is discovered: the traps defer a page when it is taken. */
static int is_deferred(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

static int is_remote(void *ctx, uint32_t id)
{
	struct net_world *w = ctx;

	return net_fleet_is_remote(w->fleet, id);
}

/* Gives the links of a crawled page as the store has them, with each alias replaced by the page that it leads to now, and without
 * duplicates. */
static size_t links_of(void *ctx, uint32_t u, const uint32_t **out)
{
	struct net_world *w = ctx;
	struct knowledge *k = w->knowledge;
	const uint32_t *stored;
	const size_t n = store_links(w->store, u, &stored, NULL);
	size_t kept = 0;

	w->links = mem_grow(w->links, &w->room, n, sizeof *w->links);
	*out = w->links;
	distinct_begin(&w->distinct);
	for (size_t i = 0; i < n; i++) {
		if (stored[i] >= k->n)
			continue; /* a damaged store */
		uint32_t id = stored[i];
		if (k->aliases) {
			id = knowledge_resolve(k, id);
			if (!distinct_add(&w->distinct, id))
				continue;
		}
		w->links[kept++] = id;
	}
	return kept;
}

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	const struct net_world *w = ctx;
	struct store_page page;

	if (!store_page(w->store, id, &page))
		return NULL; /* a damaged store */
	*n = page.url_length;
	return page.url;
}

static double score_of(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;
	struct result result;

	return store_result(w->store, id, &result) && result.is_scored ? result.score : (double)NAN;
}

static const char *anchor_of(void *ctx, uint32_t u, uint32_t place, size_t *n)
{
	const struct net_world *w = ctx;

	return store_anchor(w->store, u, place, n);
}

/* Reads the user's settings for this host. */
static int manners_of(void *ctx, uint32_t host, struct frontier_manners *out)
{
	const struct net_world *w = ctx;
	const char *name = store_host_name(w->store, host);
	struct host_setting own;

	host_settings_for(w->host_settings, name ? name : "", name ? strlen(name) : 0, &own);
	*out = (struct frontier_manners){.delay_ms = own.delay,
		.slow_factor = own.delay_factor,
		.per_host = (uint32_t)own.parallel};
	return own.delay >= 0 || own.delay_factor >= 0 || own.parallel;
}

void net_world_fill(struct net_world *w, struct frontier_world *world)
{
	*world = (struct frontier_world){.ctx = w,
		.host = host_of,
		.outside = is_outside,
		.links = links_of,
		.url = url_of,
		.score = w->is_scored ? score_of : NULL,
		.anchor = w->has_anchors ? anchor_of : NULL,
		.has_kinds = 1,
		.defers = is_deferred,
		.manners = w->host_settings ? manners_of : NULL,
		.is_remote = w->fleet->shares ? is_remote : NULL};
}

void net_world_release(struct net_world *w)
{
	distinct_release(&w->distinct);
	free(w->links);
}
