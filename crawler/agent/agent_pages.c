#include "crawler/agent/agent_pages.h"
#include "base/mem.h"
#include "crawler/network/net_source.h"
#include "frontier/frontier.h"

#include <stdlib.h>

/* --- pages */

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	struct agent_pages *p = ctx;
	struct store_page page;

	if (!store_page(p->store, id, &page)) {
		*n = 0; /* a damaged store */
		return "";
	}
	*n = page.url_length;
	return page.url;
}

static int find(void *ctx, const struct exchange_url *u, uint32_t *id, struct err_note *why)
{
	struct agent_pages *p = ctx;

	return net_fleet_find(net_source_fleet(p->source), u, p->time, id, why);
}

static unsigned partition(void *ctx, uint32_t id)
{
	struct agent_pages *p = ctx;

	return net_fleet_partition(net_source_fleet(p->source), id);
}

static uint16_t depth(void *ctx, uint32_t id)
{
	struct agent_pages *p = ctx;

	return net_source_knowledge(p->source)->page[id].depth;
}

static void seed(void *ctx, uint32_t id)
{
	struct agent_pages *p = ctx;

	if (p->time == NET_FLEET_BEFORE) /* the log has an entry of its own */
		return;
	p->sitemap = mem_grow(p->sitemap, &p->room, p->n_sitemaps + 1, sizeof *p->sitemap);
	p->sitemap[p->n_sitemaps++] = id;
}

struct exchange_pages agent_pages_for_exchange(struct agent_pages *p)
{
	return (struct exchange_pages){.ctx = p, .url = url_of, .find = find, .partition = partition, .depth = depth, .seed = seed};
}

int agent_pages_queue_sitemaps(struct agent_pages *p, struct frontier *f, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < p->n_sitemaps; i++) {
		const struct log_entry entry = {.kind = LOG_SITEMAP, .id = p->sitemap[i]};
		err = knowledge_apply_entry(net_source_knowledge(p->source), &entry, NULL, 0, why);
		if (!err)
			err = store_log(p->store, &entry, why);
	}
	if (!err && p->n_sitemaps)
		frontier_seed(f, p->sitemap, p->n_sitemaps);
	p->n_sitemaps = 0;
	return err;
}

void agent_pages_release(struct agent_pages *p)
{
	free(p->sitemap);
}

/* --- turns */

static int ask(void *ctx, const struct net_address *address)
{
	const struct agent_turns *t = ctx;

	return !t->is_shared || member_ask(t->member, address->ip);
}

int64_t agent_turns_rest(const struct agent_turns *t, int64_t took, int64_t host_delay)
{
	int64_t rest = t->delay, slow = (int64_t)(t->factor * (double)took);

	slow = slow < FRONTIER_MAX_SLOW_MS ? slow : FRONTIER_MAX_SLOW_MS;
	rest = rest > slow ? rest : slow;
	return rest > host_delay ? rest : host_delay;
}

static void asked(void *ctx, const struct net_address *address, int64_t took, int64_t host_delay)
{
	const struct agent_turns *t = ctx;

	member_asked(t->member, address->ip, agent_turns_rest(t, took, host_delay));
}

struct net_permits agent_turns_permits(struct agent_turns *t)
{
	return (struct net_permits){.ctx = t, .ask = t->member ? ask : NULL, .asked = asked};
}
