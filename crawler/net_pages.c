#include "crawler/net_pages.h"
#include "base/mem.h"
#include "traps/mirrors.h"
#include "crawler/source.h"
#include "traps/traps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct name {
	uint64_t key; /* the page */
	uint32_t of;
};

static void set_refusal(struct net_page *page, enum outcome refusal)
{
	assert(!refusal || (refusal >= OUTCOME_HOST && refusal < OUTCOME_HOST + 15));
	page->refusal = refusal ? (refusal - OUTCOME_HOST + 1) & 15u : 0;
}

static void append(struct net_pages *p, const struct store_page *known)
{
	p->page = mem_grow(p->page, &p->room, (size_t)p->n + 1, sizeof *p->page);
	p->page[p->n++] = (struct net_page){
		.host = known->host & NET_PAGES_HOSTS,
		.depth = known->depth,
		.hops = NET_PAGES_NO_HOPS,
	};
	set_refusal(&p->page[p->n - 1], (enum outcome)known->refusal);
}

int net_pages_init(
	struct net_pages *p, struct store *store, struct scope *scope, struct err_note *why)
{
	const uint32_t n = store_pages(store);
	struct store_page known;

	*p = (struct net_pages){.store = store, .scope = scope};
	map_init(&p->names, sizeof(struct name));
	for (uint32_t id = 0; id < n; id++) {
		if (!store_page(store, id, &known))
			return err_set(why, ERR_DAMAGED,
				"page %u of %u is missing from the store; see 'lycosa store "
				"verify'",
				id, n);
		append(p, &known);
		if (url_parse(&p->url, known.url, known.url_length, NULL) != URL_OK)
			continue;
		scope_seen(scope, &p->url, (enum outcome)known.refusal);
	}
	return 0;
}

void net_pages_release(struct net_pages *p)
{
	free(p->page);
	free(p->listed);
	map_release(&p->names);
	url_release(&p->url);
	url_release(&p->other);
}

/* The URL of a page: 1, or 0 where the store has none that is sound. */
static int read_into(const struct net_pages *p, uint32_t id, struct url *out)
{
	struct store_page known;

	return store_page(p->store, id, &known) &&
	       url_parse(out, known.url, known.url_length, NULL) == URL_OK;
}

static int read_url(struct net_pages *p, uint32_t id)
{
	return read_into(p, id, &p->url);
}

/* The page that stands where a URL's original would: 1, or 0 where none is known. */
static int find_original(const struct net_pages *p, const struct url *u,
	const struct mirrors_original *original, uint32_t *id)
{
	struct store_page like;
	struct buf text = BUF_EMPTY;
	int found = 0;

	if (store_page(p->store, original->like, &like) && like.url_length >= original->length) {
		buf_add(&text, like.url, original->length);
		buf_add(&text, u->text.at + original->tail, u->text.used - original->tail);
		found = store_find(p->store, text.at, text.used, id);
	}
	buf_release(&text);
	return found;
}

static int is_on_mirror(const struct net_pages *p, const struct url *u)
{
	struct mirrors_original original;
	uint32_t id;

	return traps_original(scope_traps(p->scope), u, &original) &&
	       find_original(p, u, &original, &id) && !p->page[id].refusal;
}

/* What is judged of one that belongs otherwise, when it is found and again before it is asked for. */
static enum outcome judge_late(const struct net_pages *p, const struct url *u, int is_doubtful)
{
	enum outcome refusal = OUTCOME_NONE;

	if (is_doubtful)
		refusal = traps_judge_doubtful(scope_traps(p->scope), u);
	return !refusal && is_on_mirror(p, u) ? OUTCOME_MIRROR : refusal;
}

static enum outcome judge(const struct net_pages *p, const struct url *u, uint32_t depth,
	enum net_judgement judgement)
{
	const enum outcome refusal = scope_judge(p->scope, u, depth);

	return refusal ? refusal : judge_late(p, u, judgement == NET_DOUBT);
}

/* A page was found for the first time, on a copy. */
static void doubt(struct net_pages *p, uint32_t id)
{
	p->page[id].is_doubtful = 1;
	if (!p->page[id].refusal)
		traps_doubted(scope_traps(p->scope), id);
}

int net_pages_find(struct net_pages *p, const struct url *u, uint32_t depth,
	enum net_judgement judgement, uint32_t *id, struct err_note *why)
{
	if (store_find(p->store, u->text.at, u->text.used, id))
		return 0;
	struct store_page fresh = {
		.url = u->text.at,
		.url_length = u->text.used,
		.depth = depth < UINT16_MAX ? (uint16_t)depth : UINT16_MAX,
	};
	if (judgement != NET_ACCEPT)
		fresh.refusal = (uint8_t)judge(p, u, depth, judgement);
	int err = store_host(p->store, u->text.at + u->host, u->path - u->host, &fresh.host, why);
	if (!err)
		err = store_add(p->store, &fresh, id, why);
	if (err)
		return err;
	assert(*id == p->n);
	append(p, &fresh);
	if (judgement == NET_DOUBT)
		doubt(p, *id);
	scope_seen(p->scope, u, (enum outcome)fresh.refusal);
	return 0;
}

void net_pages_found(struct net_pages *p, uint32_t id, uint32_t depth, enum net_judgement judgement)
{
	struct net_page *page = &p->page[id];
	const enum outcome refusal = net_pages_refusal(p, id);
	const int anew = (refusal == OUTCOME_DEPTH && depth < page->depth) ||
			 (judgement != NET_DOUBT &&
				 (refusal == OUTCOME_COPY || refusal == OUTCOME_CALENDAR));
	if (judgement != NET_DOUBT)
		page->is_doubtful = 0;
	if (depth < page->depth)
		page->depth = (uint16_t)depth;
	if (anew && read_url(p, id))
		set_refusal(page, judge(p, &p->url, page->depth, judgement));
}

/* A seed is asked for whatever is known of traps. */
static enum outcome judge_asked(const struct net_pages *p, uint32_t id)
{
	const struct net_page *page = &p->page[id];
	struct traps *traps = scope_traps(p->scope);
	enum outcome refusal = OUTCOME_NONE;

	if (page->depth && traps_are_found(traps)) {
		refusal = traps_judge_queued(traps, &p->url);
		if (!refusal)
			refusal = judge_late(p, &p->url, page->is_doubtful);
	}
	return !refusal && !scope_has_room(p->scope, &p->url) ? OUTCOME_BUDGET : refusal;
}

enum outcome net_pages_ask(struct net_pages *p, uint32_t id, const struct store_page *known)
{
	if ((!scope_has_budgets(p->scope) && !traps_are_found(scope_traps(p->scope))) ||
		url_parse(&p->url, known->url, known->url_length, NULL))
		return OUTCOME_NONE;
	const enum outcome refusal = judge_asked(p, id);
	if (!refusal)
		net_pages_asked(p, id);
	return refusal;
}

void net_pages_asked(struct net_pages *p, uint32_t id)
{
	if (p->page[id].is_asked || !scope_has_budgets(p->scope) || !read_url(p, id))
		return;
	scope_asked(p->scope, &p->url);
	p->page[id].is_asked = 1;
}

void net_pages_not_asked(struct net_pages *p, uint32_t id)
{
	if (p->page[id].is_asked && read_url(p, id))
		scope_not_asked(p->scope, &p->url);
	p->page[id].is_asked = 0;
}

int net_pages_judge(struct net_pages *p, uint32_t id, int is_queued, enum outcome *verdict)
{
	struct net_page *page = &p->page[id];
	const enum outcome before = net_pages_refusal(p, id);
	const int is_learnt = before == OUTCOME_COPY || before == OUTCOME_MIRROR;

	if (is_queued ? page->depth == 0 : !before || is_learnt)
		return 0;
	if (!read_url(p, id))
		return 0;
	const enum outcome refusal = is_queued ? scope_judge_again(p->scope, &p->url, page->depth)
					       : scope_judge(p->scope, &p->url, page->depth);
	if (!is_queued == (refusal != OUTCOME_NONE))
		return 0;
	set_refusal(page, refusal);
	*verdict = refusal;
	return 1;
}

void net_pages_recall_judged(struct net_pages *p, uint32_t id, enum outcome verdict)
{
	set_refusal(&p->page[id], verdict);
}

/* A copy tells of mirrors; and so does a page that is not what its original is. */
static void learn_mirror(struct net_pages *p, uint32_t id, const struct page_copied *copied)
{
	struct mirrors *mirrors = traps_mirrors(scope_traps(p->scope));
	struct mirrors_original original;
	uint32_t other;

	if (copied->first != id) {
		if (read_into(p, copied->first, &p->other))
			mirrors_copy(mirrors, &p->url, &p->other, copied->first);
	} else if (mirrors_suspect(mirrors, &p->url, &original) &&
		   find_original(p, &p->url, &original, &other) && p->page[other].is_crawled) {
		mirrors_differ(mirrors, &p->url);
	}
}

enum net_judgement net_pages_came(
	struct net_pages *p, uint32_t id, const struct page_marks *marks, size_t links)
{
	const struct page_came came = {id, p->page[id].is_doubtful, links};

	p->page[id].is_crawled = 1;
	if (!read_url(p, id))
		return NET_JUDGE;
	const struct page_copied copied = traps_came(scope_traps(p->scope), &p->url, marks, &came);
	learn_mirror(p, id, &copied);
	return copied.is_copy ? NET_DOUBT : NET_JUDGE;
}

void net_pages_read(struct net_pages *p)
{
	traps_read(scope_traps(p->scope));
}

enum net_judgement net_pages_doubt(const struct net_pages *p, uint32_t id)
{
	return p->page[id].is_doubtful ? NET_DOUBT : NET_JUDGE;
}

void net_pages_linked(struct net_pages *p, uint32_t id)
{
	p->page[id].hops = 0;
}

unsigned net_pages_hops(const struct net_pages *p, uint32_t id)
{
	const unsigned hops = p->page[id].hops;

	return hops == NET_PAGES_NO_HOPS ? 0 : hops;
}

void net_pages_seed(struct net_pages *p, uint32_t id)
{
	p->page[id].depth = 0;
	p->page[id].hops = 0;
	p->page[id].refusal = 0;
}

uint32_t net_pages_resolve(struct net_pages *p, uint32_t id)
{
	struct name *name, *next;

	/* halving the path, so that long chains are walked once */
	while (p->aliases && (name = map_find(&p->names, id))) {
		if ((next = map_find(&p->names, name->of)))
			name->of = next->of;
		id = name->of;
	}
	return id;
}

int net_pages_redirect(struct net_pages *p, uint32_t id, uint32_t *target)
{
	const uint32_t to = net_pages_resolve(p, *target);
	const unsigned hops = net_pages_hops(p, id) + 1;

	if (to == id || hops > NET_PAGES_MAX_HOPS)
		return -1;
	((struct name *)map_at(&p->names, id))->of = to;
	p->aliases++;
	if (hops < p->page[to].hops)
		p->page[to].hops = hops & 15u;
	*target = to;
	return 0;
}

void net_pages_begin_list(struct net_pages *p)
{
	p->in_list = 0;
	if (++p->list == 0) {
		if (p->listed)
			memset(p->listed, 0, p->listed_room * sizeof *p->listed);
		p->list = 1;
	}
}

/* Where a page is on the list, or would be. */
static struct listed *place(const struct net_pages *p, uint32_t id)
{
	size_t i = (id * 0x9e3779b97f4a7c15u >> 32) & (p->listed_room - 1);

	while (p->listed[i].list == p->list && p->listed[i].id != id)
		i = (i + 1) & (p->listed_room - 1);
	return &p->listed[i];
}

static void grow_list(struct net_pages *p)
{
	const size_t room = p->listed_room;
	struct listed *old = p->listed;

	p->listed_room = room ? 2 * room : 256;
	p->listed = mem_zero(p->listed_room, sizeof *p->listed);
	for (size_t i = 0; i < room; i++)
		if (old[i].list == p->list)
			*place(p, old[i].id) = old[i];
	free(old);
}

int net_pages_list(struct net_pages *p, uint32_t id)
{
	if (2 * (p->in_list + 1) > p->listed_room)
		grow_list(p);
	struct listed *at = place(p, id);
	if (at->list == p->list)
		return 0;
	*at = (struct listed){p->list, id};
	p->in_list++;
	return 1;
}

/* A page was found then, as the log tells. */
static void recall_found(
	struct net_pages *p, uint32_t id, uint32_t depth, enum net_judgement judgement)
{
	if (judgement == NET_DOUBT && id >= p->recalled)
		doubt(p, id);
	net_pages_found(p, id, depth, judgement);
}

void net_pages_recall(struct net_pages *p, uint32_t id, const uint32_t *links, size_t n)
{
	struct store_result result = {.digest = {0, 0}};
	const uint32_t depth = p->page[id].depth + 1u;

	store_result(p->store, id, &result);
	const struct page_marks marks = {
		{result.digest[0], result.digest[1]}, result.gist, result.simhash};
	const enum net_judgement found = net_pages_came(p, id, &marks, n);
	for (size_t i = 0; i < n; i++) {
		net_pages_linked(p, links[i]);
		recall_found(p, links[i], depth, found);
	}
	net_pages_read(p);
}

void net_pages_recall_redirect(struct net_pages *p, uint32_t id, uint32_t target)
{
	recall_found(p, target, p->page[id].depth, net_pages_doubt(p, id));
}

void net_pages_recalled(struct net_pages *p, uint32_t id, const uint32_t *links, size_t n)
{
	p->recalled = id >= p->recalled ? id + 1 : p->recalled;
	for (size_t i = 0; i < n; i++)
		p->recalled = links[i] >= p->recalled ? links[i] + 1 : p->recalled;
}
