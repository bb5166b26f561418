#include "crawler/knowledge.h"
#include "base/mem.h"
#include "traps/mirrors.h"
#include "traps/traps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS   ((1u << 30) - 1)
#define NO_HOPS 15 /* no link and no redirect has led there yet */

struct name {
	uint64_t key; /* the page */
	uint32_t of;
};

void knowledge_init(struct knowledge *k, struct store *store, struct scope *scope)
{
	*k = (struct knowledge){.store = store, .scope = scope};
	map_init(&k->names, sizeof(struct name));
}

void knowledge_release(struct knowledge *k)
{
	free(k->page);
	map_release(&k->names);
}

/* The URL of a page, as long as the store is not written to: 1, or 0 where the store has none that is sound. */
static int url_of(const struct knowledge *k, uint32_t id, struct url *out)
{
	struct store_page page;

	return store_page(k->store, id, &page) &&
	       url_split(out, page.url, page.url_length) == URL_OK;
}

/* --- judging */

/* The page that stands where a URL's original would: 1, or 0 where none is known. */
static int find_original(const struct knowledge *k, const struct url *u,
	const struct mirrors_original *original, uint32_t *id)
{
	struct store_page like;
	struct buf text = BUF_EMPTY;
	int found = 0;

	if (store_page(k->store, original->like, &like) && like.url_length >= original->length) {
		buf_add(&text, like.url, original->length);
		buf_add(&text, u->text.at + original->tail, u->text.used - original->tail);
		found = store_find(k->store, text.at, text.used, id) && *id < k->n;
	}
	buf_release(&text);
	return found;
}

static int is_on_mirror(const struct knowledge *k, const struct url *u)
{
	struct mirrors_original original;
	uint32_t id;

	return traps_original(scope_traps(k->scope), u, &original) &&
	       find_original(k, u, &original, &id) && !k->page[id].refusal;
}

/* What the traps say of a URL that belongs to the crawl otherwise. */
static enum outcome judge_traps(const struct knowledge *k, const struct url *u, int is_doubtful)
{
	enum outcome refusal = OUTCOME_NONE;

	if (is_doubtful)
		refusal = traps_judge_doubtful(scope_traps(k->scope), u);
	return !refusal && is_on_mirror(k, u) ? OUTCOME_MIRROR : refusal;
}

enum outcome judge_found(const struct knowledge *k, const struct url *u, const struct found *found)
{
	if (found->by == FOUND_AS_SEED)
		return OUTCOME_NONE;
	const enum outcome refusal = scope_judge(k->scope, u, found->depth);
	return refusal ? refusal : judge_traps(k, u, found->on_duplicate);
}

int judge_found_again(
	const struct knowledge *k, uint32_t id, const struct found *found, enum outcome *verdict)
{
	const enum outcome before = known_refusal(k, id);
	const int is_nearer = found->depth < k->page[id].depth;
	struct found by = *found;
	struct url u;

	if (!(before == OUTCOME_DEPTH && is_nearer) &&
		(found->on_duplicate || (before != OUTCOME_COPY && before != OUTCOME_CALENDAR)))
		return 0;
	by.depth = is_nearer ? found->depth : k->page[id].depth;
	if (!url_of(k, id, &u))
		return 0;
	*verdict = judge_found(k, &u, &by);
	return *verdict != before;
}

enum outcome judge_turn(const struct knowledge *k, uint32_t id)
{
	const struct known_page *page = &k->page[id];
	struct traps *traps = scope_traps(k->scope);
	enum outcome refusal = OUTCOME_NONE;
	struct url u;

	if ((!scope_has_budgets(k->scope) && !traps_are_found(traps)) || !url_of(k, id, &u))
		return OUTCOME_NONE;
	/* a seed is asked for whatever is known of traps */
	if (page->depth && traps_are_found(traps)) {
		refusal = traps_judge_queued(traps, &u);
		if (!refusal)
			refusal = judge_traps(k, &u, page->is_doubtful);
	}
	return !refusal && !scope_has_room(k->scope, &u) ? OUTCOME_BUDGET : refusal;
}

int judge_again(
	const struct knowledge *k, uint32_t id, enum page_state state, enum outcome *verdict)
{
	const int is_queued = state == PAGE_QUEUED;
	const enum outcome before = known_refusal(k, id);
	const uint32_t depth = k->page[id].depth;
	struct url u;

	/* a seed stays; what traps have refused is none of the scope's */
	if (is_queued ? depth == 0 : !before || before == OUTCOME_COPY || before == OUTCOME_MIRROR)
		return 0;
	if (!url_of(k, id, &u))
		return 0;
	*verdict = is_queued ? scope_judge_again(k->scope, &u, depth)
			     : scope_judge(k->scope, &u, depth);
	return is_queued == (*verdict != OUTCOME_NONE);
}

int judge_redirect(struct knowledge *k, uint32_t id, uint32_t target)
{
	return knowledge_resolve(k, target) == id || knowledge_hops(k, id) >= FETCH_MAX_REDIRECTS;
}

/* --- looking */

struct found knowledge_found_on(const struct knowledge *k, uint32_t id)
{
	assert(k->arrived.is_open && k->arrived.id == id);
	return (struct found){FOUND_BY_LINK, id, k->page[id].depth + 1u, k->arrived.is_duplicate};
}

struct found knowledge_found_by_redirect(const struct knowledge *k, uint32_t id)
{
	return (struct found){FOUND_BY_REDIRECT, id, k->page[id].depth, k->page[id].is_doubtful};
}

uint32_t knowledge_resolve(struct knowledge *k, uint32_t id)
{
	struct name *name, *next;

	/* halving the path, so that long chains are walked once */
	while (k->aliases && (name = map_find(&k->names, id))) {
		if ((next = map_find(&k->names, name->of)))
			name->of = next->of;
		id = name->of;
	}
	return id;
}

unsigned knowledge_hops(const struct knowledge *k, uint32_t id)
{
	const unsigned hops = k->page[id].hops;

	return hops == NO_HOPS ? 0 : hops;
}

/* --- knowing */

static int damaged(uint32_t id, const char *what, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED,
		"the store's log is damaged: page %u %s; see 'lycosa store verify'", id, what);
}

/* Four bits: OUTCOME_HOST to OUTCOME_COPY, which follow one another. */
static int set_refusal(struct known_page *page, unsigned refusal, struct err_note *why)
{
	if (refusal && (refusal < OUTCOME_HOST || refusal >= OUTCOME_HOST + 15))
		return err_set(why, ERR_DAMAGED,
			"the store is damaged: a page is refused for reason %u, which is none of scope's",
			refusal);
	page->refusal = refusal ? (refusal - OUTCOME_HOST + 1) & 15u : 0;
	return 0;
}

static int know_found(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	struct store_page known;
	struct url u;

	if (f->id != k->n || !store_page(k->store, f->id, &known))
		return damaged(f->id, "is missing, or not the next", why);
	k->page = mem_grow(k->page, &k->room, (size_t)k->n + 1, sizeof *k->page);
	struct known_page *page = &k->page[k->n++];
	*page = (struct known_page){
		.host = known.host & HOSTS,
		.depth = known.depth,
		.hops = NO_HOPS,
		.is_doubtful = f->found.on_duplicate != 0,
	};
	if (set_refusal(page, known.refusal, why))
		return ERR_DAMAGED;
	if (f->found.on_duplicate && f->found.by == FOUND_BY_LINK && !page->refusal)
		traps_doubted(scope_traps(k->scope), f->id);
	if (url_split(&u, known.url, known.url_length) == URL_OK)
		scope_seen(k->scope, &u, (enum outcome)known.refusal);
	return 0;
}

/* A page is found, perhaps again. */
static void find_way(struct known_page *page, const struct found *found)
{
	if (!found->on_duplicate)
		page->is_doubtful = 0;
	if (found->depth < page->depth)
		page->depth = (uint16_t)found->depth;
}

static void know_seed(struct knowledge *k, const struct fact *f)
{
	struct known_page *page = &k->page[f->id];
	struct url u;

	if (f->kind == FACT_SEED && url_of(k, f->id, &u))
		scope_add_seed(k->scope, &u);
	page->depth = 0;
	page->hops = 0;
	page->refusal = 0;
}

static void count_in_budgets(struct knowledge *k, uint32_t id)
{
	struct url u;

	if (k->page[id].is_counted || !scope_has_budgets(k->scope) || !url_of(k, id, &u))
		return;
	scope_asked(k->scope, &u);
	k->page[id].is_counted = 1;
}

/* Only pages that came count. */
static void leave_budgets(struct knowledge *k, uint32_t id)
{
	struct url u;

	if (k->page[id].is_counted && url_of(k, id, &u))
		scope_not_asked(k->scope, &u);
	k->page[id].is_counted = 0;
}

/* A duplicate tells of mirrors; and so does a page that is not what its original is. */
static void learn_mirror(
	struct knowledge *k, uint32_t id, const struct url *u, const struct page_copied *copied)
{
	struct mirrors *mirrors = traps_mirrors(scope_traps(k->scope));
	struct mirrors_original original;
	struct url first;
	uint32_t other;

	if (copied->first != id) {
		if (url_of(k, copied->first, &first))
			mirrors_copy(mirrors, u, &first, copied->first);
	} else if (mirrors_suspect(mirrors, u, &original) &&
		   find_original(k, u, &original, &other) && k->page[other].is_crawled) {
		mirrors_differ(mirrors, u);
	}
}

static void know_arrived(struct knowledge *k, const struct fact *f)
{
	const struct page_came came = {f->id, k->page[f->id].is_doubtful, f->n};
	struct url u;

	k->arrived = (struct arrived){.id = f->id, .is_open = 1};
	k->page[f->id].is_crawled = 1;
	if (!url_of(k, f->id, &u))
		return;
	const struct page_copied copied = traps_came(scope_traps(k->scope), &u, &f->marks, &came);
	learn_mirror(k, f->id, &u, &copied);
	k->arrived.is_duplicate = copied.is_copy;
}

static int know_crawled(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	const struct found found = knowledge_found_on(k, f->id);

	for (size_t i = 0; i < f->n; i++) {
		if (f->links[i] >= k->n)
			return damaged(f->id, "links to a page that is not there", why);
		k->page[f->links[i]].hops = 0;
		find_way(&k->page[f->links[i]], &found);
	}
	k->page[f->id].tries = 0;
	k->arrived.is_open = 0;
	traps_read(scope_traps(k->scope));
	return 0;
}

static int know_redirected(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	if (f->target >= k->n || judge_redirect(k, f->id, f->target))
		return damaged(f->id, "has a target that cannot be", why);
	const uint32_t to = knowledge_resolve(k, f->target);
	const unsigned hops = knowledge_hops(k, f->id) + 1;
	const struct found found = knowledge_found_by_redirect(k, f->id);
	((struct name *)map_at(&k->names, f->id))->of = to;
	k->aliases++;
	if (hops < k->page[to].hops)
		k->page[to].hops = hops & 15u;
	find_way(&k->page[to], &found);
	k->page[f->id].tries = 0;
	leave_budgets(k, f->id);
	return 0;
}

static void know_ended(struct knowledge *k, const struct fact *f)
{
	struct known_page *page = &k->page[f->id];

	if (f->state != PAGE_QUEUED)
		page->tries = 0;
	else if (outcome_has(f->outcome, TRAIT_TRY) && page->tries < FETCH_MAX_TRIES)
		page->tries++;
	leave_budgets(k, f->id);
}

int know(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	if (f->kind == FACT_FOUND)
		return know_found(k, f, why);
	if (f->id >= k->n)
		return damaged(f->id, "is not known where the log speaks of it", why);
	switch (f->kind) {
	case FACT_FOUND:
		break;
	case FACT_SEED:
	case FACT_SITEMAP:
		know_seed(k, f);
		break;
	case FACT_TAKEN:
		count_in_budgets(k, f->id);
		break;
	case FACT_ARRIVED:
		know_arrived(k, f);
		break;
	case FACT_CRAWLED:
		return know_crawled(k, f, why);
	case FACT_REDIRECTED:
		return know_redirected(k, f, why);
	case FACT_ENDED:
		know_ended(k, f);
		break;
	case FACT_JUDGED:
		return set_refusal(&k->page[f->id], f->outcome, why);
	}
	return 0;
}

/* --- facts of the log */

/* What the log says of a page besides the pages it has found. */
static struct fact fact_of(const struct log_entry *e, const uint32_t *links, size_t n)
{
	static const struct {
		enum fact_kind kind;
		enum page_state state; /* of FACT_ENDED */
	} facts[LOG_KINDS] = {
		[LOG_SEED] = {FACT_SEED, 0},
		[LOG_SITEMAP] = {FACT_SITEMAP, 0},
		[LOG_TAKE] = {FACT_TAKEN, 0},
		[LOG_CRAWLED] = {FACT_CRAWLED, 0},
		[LOG_FAILED] = {FACT_ENDED, PAGE_FAILED},
		[LOG_RETRY] = {FACT_ENDED, PAGE_QUEUED},
		[LOG_REFUSED] = {FACT_ENDED, PAGE_REFUSED},
		[LOG_REDIRECTED] = {FACT_REDIRECTED, 0},
		[LOG_ADMITTED] = {FACT_JUDGED, 0},
		[LOG_EXPELLED] = {FACT_JUDGED, 0},
		[LOG_JUDGED] = {FACT_JUDGED, 0},
	};

	return (struct fact){
		.kind = facts[e->kind].kind,
		.state = facts[e->kind].state,
		.id = e->id,
		.outcome = (enum outcome)e->outcome,
		.target = e->target,
		.links = links,
		.n = n,
	};
}

static int know_arrival(struct knowledge *k, uint32_t id, size_t links, struct err_note *why)
{
	struct store_result result = {.digest = {0, 0}};

	store_result(k->store, id, &result);
	return know(k,
		&(struct fact){.kind = FACT_ARRIVED,
			.id = id,
			.marks = {{result.digest[0], result.digest[1]}, result.gist,
				result.simhash},
			.n = links},
		why);
}

int know_entry(struct knowledge *k, const struct log_entry *e, const uint32_t *links, size_t n,
	struct err_note *why)
{
	const struct fact fact = fact_of(e, links, n);
	struct found found = {.by = FOUND_AS_SEED};
	int err = 0;

	if (e->kind == LOG_SESSION || e->kind == LOG_POLICY || e->kind == LOG_SCOPE)
		return 0;
	if (e->kind == LOG_CRAWLED)
		err = know_arrival(k, e->id, n, why);
	if (!err && e->kind == LOG_CRAWLED)
		found = knowledge_found_on(k, e->id);
	if (e->kind == LOG_REDIRECTED && e->id < k->n)
		found = knowledge_found_by_redirect(k, e->id);
	for (uint32_t i = 0; !err && i < e->n_new; i++)
		err = know(k,
			&(struct fact){.kind = FACT_FOUND, .id = e->first_new + i, .found = found},
			why);
	return err ? err : know(k, &fact, why);
}
