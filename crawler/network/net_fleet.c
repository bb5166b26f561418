#include "crawler/network/net_fleet.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void net_fleet_release(struct net_fleet *f)
{
	free(f->partition);
	free(f->given);
}

unsigned net_fleet_partition(struct net_fleet *f, uint32_t id)
{
	const uint32_t host = knowledge_host(f->pages->knowledge, id);

	if (host >= f->hosts) {
		const size_t had = f->hosts;
		f->partition = mem_grow(f->partition, &f->hosts, (size_t)host + 1, sizeof *f->partition);
		memset(f->partition + had, 0, (f->hosts - had) * sizeof *f->partition);
	}
	if (!f->partition[host]) {
		const char *name = store_host_name(f->store, host);
		f->partition[host] = (uint16_t)(1 + (name ? partition_of(name, strlen(name)) : 0));
	}
	return f->partition[host] - 1u;
}

int net_fleet_is_remote(struct net_fleet *f, uint32_t id)
{
	return f->shares && f->shares->owner[net_fleet_partition(f, id)] != f->self;
}

int net_fleet_may_ask(struct net_fleet *f, uint32_t id, const struct net_address *address)
{
	/* without an address nothing is requested yet: the host's name is resolved first */
	if (!f->permits.ask || net_address_is_none(address))
		return 1;
	if (!f->permits.ask(f->permits.ctx, address))
		return 0;
	f->given = mem_grow(f->given, &f->given_room, f->n_given + 1, sizeof *f->given);
	f->given[f->n_given++] = (struct net_permit){.id = id, .address = *address};
	return 1;
}

void net_fleet_asked(struct net_fleet *f, const struct fetch_page *page)
{
	for (size_t i = 0; i < f->n_given; i++) {
		if (f->given[i].id != page->result.id)
			continue;
		f->permits.asked(f->permits.ctx, &f->given[i].address, page->result.ended - page->result.started,
			page->result.host_delay);
		f->given[i] = f->given[--f->n_given];
		return;
	}
}

/* Returns how a URL in a letter was found, for the knowledge. A page that another agent has crawled counts as a seed: it belongs
 * to the crawl, whatever the scope of this agent says. */
static struct found found_of(const struct exchange_url *u)
{
	switch (u->role) {
	case EXCHANGE_LINK:
		return (struct found){FOUND_BY_LINK, u->from, u->depth + 1u, NULL};
	case EXCHANGE_TARGET:
		return (struct found){FOUND_BY_REDIRECT, u->from, u->depth, NULL};
	case EXCHANGE_PAGE:
	case EXCHANGE_MASS:
	case EXCHANGE_SEED:
		break;
	}
	return (struct found){FOUND_AS_SEED, 0, u->role == EXCHANGE_PAGE ? u->depth : UINT16_MAX, NULL};
}

/* Makes the page an alias of the target, unless that closes a circle. */
static int apply_redirect(struct knowledge *k, uint32_t from, uint32_t target, struct err_note *why)
{
	if (knowledge_judge_redirect(k, from, target) || knowledge_resolve(k, from) != from)
		return 0;
	return knowledge_apply(k, &(struct fact){.kind = FACT_REDIRECTED, .id = from, .target = target}, why);
}

static int find_now(struct net_fleet *f, const struct exchange_url *u, const struct found *found, uint32_t *id,
	struct err_note *why)
{
	AUTO(url) url = URL_EMPTY;

	if (url_parse(&url, u->url, u->n, NULL) != URL_OK || url.text.used != u->n || memcmp(url.text.at, u->url, u->n) != 0)
		return err_set(why, ERR_FORMAT, "a letter of another agent has a URL that is not canonical");
	return net_pages_meet_told(f->pages, &url, found, id, why);
}

/* Finds the page of a URL again that find_now() found when the letter arrived, from the store. Returns 0 or ERR_DAMAGED. */
static int find_before(struct net_fleet *f, const struct exchange_url *u, const struct found *found, uint32_t *id,
	struct err_note *why)
{
	struct knowledge *k = f->pages->knowledge;

	if (!store_find(f->store, u->url, u->n, id) || *id >= k->n)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: a letter names a page that is not there");
	if (found->by != FOUND_AS_SEED)
		*id = knowledge_resolve(k, *id);
	return 0;
}

int net_fleet_find(struct net_fleet *f, const struct exchange_url *u, enum net_fleet_time time, uint32_t *id, struct err_note *why)
{
	struct knowledge *k = f->pages->knowledge;
	const struct found found = found_of(u);

	TRY((time == NET_FLEET_NOW ? find_now : find_before)(f, u, &found, id, why));
	TRY(knowledge_apply(k, &(struct fact){.kind = FACT_TOLD, .id = *id, .found = found}, why));
	if (u->role == EXCHANGE_TARGET)
		TRY(apply_redirect(k, u->from, *id, why));
	return 0;
}
