#include "crawler/network/net_pages.h"
#include "base/mem.h"
#include "parser/link_kind.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void distinct_release(struct distinct *d)
{
	free(d->slot);
}

void distinct_begin(struct distinct *d)
{
	d->n = 0;
	if (++d->list == 0) {
		if (d->slot)
			memset(d->slot, 0, d->room * sizeof *d->slot);
		d->list = 1;
	}
}

/* Returns the slot of a page in the list, or the free slot where it would be inserted. */
static struct distinct_slot *place(const struct distinct *d, uint32_t id)
{
	size_t i = (id * 0x9e3779b97f4a7c15u >> 32) & (d->room - 1);

	while (d->slot[i].list == d->list && d->slot[i].id != id)
		i = (i + 1) & (d->room - 1);
	return &d->slot[i];
}

static void grow(struct distinct *d)
{
	const size_t room = d->room;
	AUTO_FREE struct distinct_slot *old = d->slot;

	d->room = room ? 2 * room : 256;
	d->slot = mem_zero(d->room, sizeof *d->slot);
	for (size_t i = 0; i < room; i++)
		if (old[i].list == d->list)
			*place(d, old[i].id) = old[i];
}

int distinct_add(struct distinct *d, uint32_t id)
{
	if (2 * (d->n + 1) > d->room)
		grow(d);
	struct distinct_slot *at = place(d, id);
	if (at->list == d->list)
		return 0;
	*at = (struct distinct_slot){d->list, id};
	d->n++;
	return 1;
}

void net_pages_init(struct net_pages *p, struct knowledge *knowledge, struct store *store, unsigned redirects)
{
	*p = (struct net_pages){.knowledge = knowledge, .store = store, .redirects = redirects};
}

void net_pages_release(struct net_pages *p)
{
	places_freed_release(&p->freed);
	distinct_release(&p->distinct);
	free(p->links);
	free(p->kinds);
	free(p->claims);
	buf_release(&p->anchors);
	buf_release(&p->made_up);
}

struct url net_pages_link(const struct fetch_page *page, uint32_t i)
{
	struct url u;
	const enum url_result result = url_split(&u, page->text + page->start[i], page->start[i + 1] - page->start[i] - 1);

	assert(result == URL_OK);
	(void)result;
	return u;
}

int net_pages_meet(struct net_pages *p, const struct url *u, const struct found *found, uint32_t *id, struct err_note *why)
{
	size_t n;
	const char *host = url_authority(u, &n);

	if (store_find(p->store, u->text.at, u->text.used, id))
		return 0;
	const struct url_traits traits = url_traits(u);
	struct found by = *found;
	by.traits = &traits;
	struct store_page fresh = {
		.url = u->text.at,
		.url_length = u->text.used,
		.depth = found->depth < UINT16_MAX ? (uint16_t)found->depth : UINT16_MAX,
		.refusal = (uint8_t)knowledge_judge_found(p->knowledge, u, &by),
	};
	TRY(store_host(p->store, host, n, &fresh.host, why));
	TRY(store_add(p->store, &fresh, id, why));
	return knowledge_apply(p->knowledge, &(struct fact){.kind = FACT_FOUND, .id = *id, .found = by}, why);
}

/* Judges a page again that a link, a redirect or a letter has found. If the verdict changes, writes a LOG_JUDGED entry and applies
 * it. */
static int meet_again(struct net_pages *p, uint32_t id, const struct found *found, struct err_note *why)
{
	enum outcome verdict;

	if (!knowledge_judge_found_again(p->knowledge, id, found, &verdict))
		return 0;
	const struct log_entry entry = {.kind = LOG_JUDGED, .id = id, .outcome = (uint8_t)verdict};
	TRY(store_log(p->store, &entry, why));
	return knowledge_apply_entry(p->knowledge, &entry, NULL, 0, why);
}

int net_pages_meet_told(struct net_pages *p, const struct url *u, const struct found *found, uint32_t *id, struct err_note *why)
{
	int err = net_pages_meet(p, u, found, id, why);

	if (err || found->by == FOUND_AS_SEED)
		return err;
	*id = knowledge_resolve(p->knowledge, *id);
	return meet_again(p, *id, found, why);
}

static void copy_list(struct places_list *to, const struct places_list *from, size_t more)
{
	to->id = mem_grow(to->id, &to->room, from->n + more, sizeof *to->id);
	if (from->n)
		memcpy(to->id, from->id, from->n * sizeof *to->id);
	to->n = from->n;
}

/* Adds to the event the pages that it frees: those that the traps have freed, and pages that were refused for their depth and to
 * which a shorter way leads now; both are admitted in the same way. */
static void free_pages(struct net_pages *p, struct result *e)
{
	static const struct places_freed none;
	struct knowledge *k = p->knowledge;
	const struct places_freed *freed = k->freed ? k->freed : &none;

	e->freed = k->freed;
	if (!k->nearer.n || p->is_shared) {
		k->nearer.n = 0;
		return;
	}
	copy_list(&p->freed.deferred, &freed->deferred, 0);
	copy_list(&p->freed.skipped, &freed->skipped, k->nearer.n);
	for (size_t i = 0; i < k->nearer.n; i++) {
		const uint32_t id = k->nearer.id[i];
		if (!knowledge_judge_nearer(k, id))
			continue;
		p->freed.skipped.id[p->freed.skipped.n++] = id;
		knowledge_apply_own(k, &(struct fact){.kind = FACT_JUDGED, .id = id});
	}
	k->nearer.n = 0;
	e->freed = &p->freed;
}

/* Tells the store which URLs it will be asked for: those of the next links from link i on. */
static void expect_links(struct net_pages *p, const struct fetch_page *page, uint32_t i)
{
	struct store_text url[STORE_EXPECT_MOST];
	size_t n = 0;

	for (; i < page->n && n < STORE_EXPECT_MOST; i++)
		url[n++] = (struct store_text){page->text + page->start[i], page->start[i + 1] - page->start[i] - 1};
	store_expect(p->store, url, n);
}

_Static_assert(STORE_MADE_UP == LINK_MADE_UP && STORE_SITEMAP == LINK_SITEMAP, "the store knows the kinds");

/* Adds an address that no page has to the n links of a page, if the traps ask for one, and it belongs to the crawl. */
static int make_up(struct net_pages *p, const struct fetch_page *page, const struct found *found, size_t *n, struct err_note *why)
{
	struct url u;
	uint32_t id;

	if (*n >= STORE_LINKS_MAX || !knowledge_makes_up(p->knowledge, page->result.id, p->links, *n, &p->made_up) ||
		url_split(&u, p->made_up.at, p->made_up.used) != URL_OK || knowledge_judge_found(p->knowledge, &u, found))
		return 0;
	const int err = net_pages_meet(p, &u, found, &id, why);
	if (err || !distinct_add(&p->distinct, id))
		return err;
	if (page->anchors)
		buf_byte(&p->anchors, 0);
	p->links[*n] = id;
	p->kinds[(*n)++] = LINK_MADE_UP;
	return 0;
}

/* Handles the links of a crawled page: gives each URL an id, judges new pages, resolves aliases, and makes the distinct targets the
 * links of the event, with their kinds and anchor texts. */
static int take_links(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	struct result *e = &page->result;
	const struct fact arrived = {.kind = FACT_ARRIVED,
		.id = e->id,
		.marks = {{e->digest[0], e->digest[1]}, e->fingerprint, e->simhash, e->bytes}};
	struct fact crawled = {.kind = FACT_CRAWLED, .id = e->id};
	int err = knowledge_apply(p->knowledge, &arrived, why);

	p->links = mem_grow(p->links, &p->links_room, page->n + 1u, sizeof *p->links);
	p->kinds = mem_grow(p->kinds, &p->kinds_room, page->n + 1u, sizeof *p->kinds);
	const char *anchor = page->anchors;
	buf_clear(&p->anchors);
	distinct_begin(&p->distinct);
	const struct found found = knowledge_found_on(p->knowledge, e->id);
	for (uint32_t i = 0; !err && i < page->n; i++) {
		const struct url u = net_pages_link(page, i);
		const char *text = anchor;
		uint32_t id;
		if (i % STORE_EXPECT_MOST == 0)
			expect_links(p, page, i);
		anchor = anchor ? anchor + strlen(anchor) + 1 : NULL;
		err = net_pages_meet(p, &u, &found, &id, why);
		if (err)
			return err;
		id = knowledge_resolve(p->knowledge, id);
		if (!distinct_add(&p->distinct, id))
			continue;
		if (text)
			buf_add(&p->anchors, text, strlen(text) + 1);
		err = meet_again(p, id, &found, why);
		p->links[crawled.n] = id;
		p->kinds[crawled.n++] = page->kinds[i];
	}
	if (!err)
		err = make_up(p, page, &found, &crawled.n, why);
	crawled.links = e->links = p->links;
	e->kinds = p->kinds;
	e->anchors = p->anchors.used ? p->anchors.at : NULL;
	e->n = crawled.n;
	err = err ? err : knowledge_apply(p->knowledge, &crawled, why);
	if (!err)
		free_pages(p, e);
	return err;
}

/* Makes the sitemaps that a robots.txt names the links of the event. A sitemap is accepted if its host is in scope and its URL is
 * not too long; the other rules of scope apply to pages only. */
int net_pages_sitemaps(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	const struct found found = {.by = FOUND_AS_SEED};
	size_t n = 0;

	p->links = mem_grow(p->links, &p->links_room, page->n, sizeof *p->links);
	distinct_begin(&p->distinct);
	for (uint32_t i = 0; i < page->n; i++) {
		const struct url u = net_pages_link(page, i);
		const struct url_traits traits = url_traits(&u);
		const enum outcome refusal = scope_judge_known(p->knowledge->scope, &traits, 0);
		uint32_t id;
		if (refusal == OUTCOME_HOST || refusal == OUTCOME_LENGTH)
			continue;
		int err = net_pages_meet(p, &u, &found, &id, why);
		if (err)
			return err;
		if (!distinct_add(&p->distinct, id))
			continue;
		knowledge_apply_own(p->knowledge, &(struct fact){.kind = FACT_SITEMAP, .id = id});
		p->links[n++] = id;
	}
	page->result.links = p->links;
	page->result.n = n;
	return 0;
}

/* Handles a redirect: finds the target, and makes the page an alias of it. The page fails if the redirect closes a circle, or is
 * one too many in a row. */
static int take_target(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	struct result *e = &page->result;
	struct knowledge *k = p->knowledge;
	const struct found found = knowledge_found_by_redirect(k, e->id);
	enum outcome fails = knowledge_hops(k, e->id) >= p->redirects ? OUTCOME_REDIRECTS : OUTCOME_NONE;
	int err = 0;

	if (!fails) {
		const struct url u = net_pages_link(page, 0);
		err = net_pages_meet(p, &u, &found, &e->target, why);
		if (err)
			return err;
		fails = knowledge_judge_redirect(k, e->id, e->target);
	}
	if (fails) {
		e->outcome = fails;
		e->state = PAGE_FAILED;
		e->target = STORE_NO_PAGE;
		return 0;
	}
	e->target = knowledge_resolve(k, e->target);
	err = meet_again(p, e->target, &found, why);
	err = err ? err : knowledge_apply(k, &(struct fact){.kind = FACT_REDIRECTED, .id = e->id, .target = e->target}, why);
	if (!err)
		free_pages(p, e);
	return err;
}

int net_pages_end(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	const struct result *e = &page->result;
	int err = 0;

	if (e->state == PAGE_CRAWLED)
		return take_links(p, page, why);
	if (e->state == PAGE_REDIRECTED)
		err = take_target(p, page, why);
	if (e->outcome == OUTCOME_SITEMAPS)
		err = net_pages_sitemaps(p, page, why);
	if (!err && e->state != PAGE_REDIRECTED)
		knowledge_apply_own(p->knowledge,
			&(struct fact){.kind = FACT_ENDED, .id = e->id, .outcome = e->outcome, .state = e->state});
	return err;
}
