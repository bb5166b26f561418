#include "scope/budget.h"
#include "parser/shape.h"

struct spent {
	uint64_t key;
	uint64_t pages;
};

void budget_init(struct budget *b, uint64_t per_host, uint64_t per_domain, const struct host_settings *hosts)
{
	b->own = host_settings_has_budgets(hosts) ? hosts : NULL;
	b->per_host = per_host;
	b->per_domain = per_domain;
	map_init_paged(&b->hosts, sizeof(struct spent));
	map_init_paged(&b->domains, sizeof(struct spent));
}

void budget_release(struct budget *b)
{
	map_release(&b->hosts);
	map_release(&b->domains);
}

/* Says whether fewer than `most` pages were counted for the key. */
static int has_room(const struct map *m, uint64_t key, uint64_t most)
{
	const struct spent *s = map_find(m, key);

	return !s || s->pages < most;
}

int budget_is_limited(const struct budget *b)
{
	return b->per_host || b->per_domain || b->own;
}

/* Returns the budget of a URL's host in pages; 0: no limit. */
static uint64_t of_host(const struct budget *b, const struct url *u)
{
	struct host_setting own;

	if (!b->own)
		return b->per_host;
	host_settings_for_url(b->own, u, &own);
	return own.max_pages == HOST_SETTING_ANY_PAGES ? b->per_host : own.max_pages;
}

int budget_has(const struct budget *b, const struct url_traits *u)
{
	const uint64_t most = of_host(b, u->url);

	return (!most || has_room(&b->hosts, u->host, most)) &&
		(!b->per_domain || has_room(&b->domains, shape_domain(u->url), b->per_domain));
}

void budget_take(struct budget *b, const struct url_traits *u)
{
	if (b->per_host || b->own)
		((struct spent *)map_at(&b->hosts, u->host))->pages++;
	if (b->per_domain)
		((struct spent *)map_at(&b->domains, shape_domain(u->url)))->pages++;
}

/* Takes back a page that was counted for the key. */
static void give_back(struct map *m, uint64_t key)
{
	struct spent *s = map_at(m, key);

	s->pages -= s->pages > 0;
}

void budget_give_back(struct budget *b, const struct url_traits *u)
{
	if (b->per_host || b->own)
		give_back(&b->hosts, u->host);
	if (b->per_domain)
		give_back(&b->domains, shape_domain(u->url));
}
