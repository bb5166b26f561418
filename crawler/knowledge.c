#include "crawler/knowledge.h"
#include "base/mem.h"
#include "traps/traps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* What the traps ask of the crawl. */
static int find_known(void *ctx, const char *url, size_t n, uint32_t *id)
{
	const struct knowledge *k = ctx;

	return store_find(k->store, url, n, id) && *id < k->n && !k->page[*id].refusal;
}

static int known_url(void *ctx, uint32_t id, struct url *out)
{
	return url_of(ctx, id, out);
}

static int is_crawled(void *ctx, uint32_t id)
{
	return known_is_crawled(ctx, id);
}

static struct traps_world world_of(const struct knowledge *k)
{
	return (struct traps_world){(void *)k, find_known, known_url, is_crawled};
}

enum outcome judge_found(const struct knowledge *k, const struct url *u, const struct found *found)
{
	if (found->by == FOUND_AS_SEED)
		return OUTCOME_NONE;
	const struct url_traits traits = found->traits ? *found->traits : url_traits(u);
	const enum outcome refusal = scope_judge_new(k->scope, &traits, found->depth, NULL);
	struct url from;

	/* the URL of the page that leads there matters to calendars alone */
	if (refusal != OUTCOME_CALENDAR || found->by != FOUND_BY_LINK ||
		!url_of(k, found->from, &from))
		return refusal;
	return scope_judge_new(k->scope, &traits, found->depth, &from);
}

int judge_found_again(
	const struct knowledge *k, uint32_t id, const struct found *found, enum outcome *verdict)
{
	const enum outcome before = known_refusal(k, id);
	const int is_nearer = found->depth < k->page[id].depth;
	struct found by = *found;
	struct url u;

	if (!(before == OUTCOME_DEPTH && is_nearer) && before != OUTCOME_CALENDAR)
		return 0;
	by.depth = is_nearer ? found->depth : k->page[id].depth;
	if (!url_of(k, id, &u))
		return 0;
	*verdict = judge_found(k, &u, &by);
	return *verdict != before;
}

struct traps_verdict knowledge_suspicion(const struct knowledge *k, uint32_t id)
{
	const struct traps_world world = world_of(k);
	struct traps_verdict none = {.action = TRAPS_FETCH, .original = TRAPS_NO_PAGE};
	struct url u;

	/* a seed is asked for whatever is known of traps */
	if (!k->page[id].depth || !url_of(k, id, &u))
		return none;
	const struct url_traits traits = url_traits(&u);
	return traps_turn(scope_traps(k->scope), &world, id, &traits);
}

struct taken_verdict judge_taken(const struct knowledge *k, uint32_t id)
{
	const struct traps_verdict v = knowledge_suspicion(k, id);
	struct url u;

	if (scope_has_blocks(k->scope) && url_of(k, id, &u) && scope_blocks(k->scope, &u))
		return (struct taken_verdict){OUTCOME_RULE, PAGE_REFUSED, STORE_NO_PAGE};
	if (v.action == TRAPS_PUT_OFF)
		return (struct taken_verdict){OUTCOME_SUSPECT, PAGE_QUEUED, v.original};
	if (v.action == TRAPS_SKIP)
		return (struct taken_verdict){v.detector, PAGE_REFUSED, v.original};
	if (scope_has_budgets(k->scope) && url_of(k, id, &u)) {
		const struct url_traits traits = url_traits(&u);
		if (!scope_has_room(k->scope, &traits))
			return (struct taken_verdict){OUTCOME_BUDGET, PAGE_REFUSED, STORE_NO_PAGE};
	}
	return (struct taken_verdict){OUTCOME_NONE, PAGE_QUEUED, STORE_NO_PAGE};
}

struct taken_verdict judge_visited(const struct knowledge *k, uint32_t id)
{
	struct url u;
	const int is_blocked = scope_has_blocks(k->scope) && url_of(k, id, &u) && scope_blocks(k->scope, &u);

	return (struct taken_verdict){is_blocked ? OUTCOME_RULE : OUTCOME_NONE,
		is_blocked ? PAGE_REFUSED : PAGE_QUEUED, STORE_NO_PAGE};
}

int judge_again(
	const struct knowledge *k, uint32_t id, enum page_state state, enum outcome *verdict)
{
	const int is_queued = state == PAGE_QUEUED;
	const enum outcome before = known_refusal(k, id);
	const uint32_t depth = k->page[id].depth;
	struct url u;

	/* what traps have put off or skipped is none of the scope's */
	if ((!is_queued && !before) || !url_of(k, id, &u))
		return 0;
	/* a seed stays, unless its host is blocked */
	if (is_queued && depth == 0 && !scope_blocks(k->scope, &u))
		return 0;
	const struct url_traits traits = url_traits(&u);
	*verdict = is_queued ? scope_judge_known(k->scope, &traits, depth)
			     : scope_judge_new(k->scope, &traits, depth, NULL);
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
	return (struct found){FOUND_BY_LINK, id, k->page[id].depth + 1u, NULL};
}

struct found knowledge_found_on_visit(const struct knowledge *k, uint32_t id)
{
	return (struct found){FOUND_BY_LINK, id, k->page[id].depth + 1u, NULL};
}

struct found knowledge_found_by_redirect(const struct knowledge *k, uint32_t id)
{
	return (struct found){FOUND_BY_REDIRECT, id, k->page[id].depth, NULL};
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

uint32_t knowledge_host(const struct knowledge *k, uint32_t id)
{
	struct store_page page;

	return store_page(k->store, id, &page) ? page.host : 0; /* 0: a damaged store */
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

/* Four bits: OUTCOME_HOST to OUTCOME_SESSION, which follow one another. */
static int set_refusal(struct known_page *page, unsigned refusal, struct err_note *why)
{
	if (refusal && (refusal < OUTCOME_HOST || refusal >= OUTCOME_HOST + 15))
		return err_set(why, ERR_DAMAGED,
			"the store is damaged: a page is refused for reason %u, which is none of scope's",
			refusal);
	page->refusal = refusal ? (refusal - OUTCOME_HOST + 1) & 15u : 0;
	return 0;
}

/* Whether a refusal says that a page is out of the crawl, and not that it is in a trap. */
static int is_out(enum outcome refusal)
{
	return refusal != OUTCOME_REPEATS && refusal != OUTCOME_CALENDAR &&
	       refusal != OUTCOME_SESSION && refusal != OUTCOME_HOSTS;
}

/* Hands a fact about a page to the traps; the traits are those of its URL, where the fact has them. */
static const struct places_freed *tell_traps(struct knowledge *k, struct traps_fact fact)
{
	const struct traps_world world = world_of(k);
	struct url_traits traits;
	struct url u;

	if (!fact.traits) {
		if (!url_of(k, fact.id, &u))
			return NULL;
		traits = url_traits(&u);
		fact.traits = &traits;
	}
	return traps_know(scope_traps(k->scope), &world, &fact);
}

static int know_found(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	struct store_page known;

	if (f->id != k->n || !store_page(k->store, f->id, &known))
		return damaged(f->id, "is missing, or not the next", why);
	k->page = mem_grow(k->page, &k->room, (size_t)k->n + 1, sizeof *k->page);
	struct known_page *page = &k->page[k->n++];
	*page = (struct known_page){
		.depth = known.depth,
		.hops = NO_HOPS,
	};
	if (set_refusal(page, known.refusal, why))
		return ERR_DAMAGED;
	if (known.refusal && k->arrived.is_open)
		*(is_out((enum outcome)known.refusal) ? &k->arrived.new_outside
						      : &k->arrived.new_refused) += 1;
	if (!known.refusal)
		tell_traps(k, (struct traps_fact){.kind = TRAPS_FOUND,
				      .id = f->id,
				      .target = f->found.by == FOUND_BY_REDIRECT ? f->found.from
										 : TRAPS_NO_PAGE,
				      .traits = f->found.traits});
	return 0;
}

/* A page is found, perhaps again. */
static void find_way(struct known_page *page, const struct found *found)
{
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
	const struct url_traits traits = url_traits(&u);
	scope_take(k->scope, &traits);
	k->page[id].is_counted = 1;
}

/* Only pages that came count. */
static void leave_budgets(struct knowledge *k, uint32_t id)
{
	struct url u;

	if (k->page[id].is_counted && url_of(k, id, &u)) {
		const struct url_traits traits = url_traits(&u);
		scope_give_back(k->scope, &traits);
	}
	k->page[id].is_counted = 0;
}

/* Its turn has come; what the traps have put off or skipped is kept by them. */
static void know_taken(struct knowledge *k, uint32_t id)
{
	if (k->page[id].depth)
		tell_traps(k, (struct traps_fact){.kind = TRAPS_TAKEN, .id = id});
	count_in_budgets(k, id);
}

static void know_arrived(struct knowledge *k, const struct fact *f)
{
	k->arrived = (struct arrived){
		.id = f->id, .is_open = 1, .marks = f->marks, .first_new = k->n};
	k->page[f->id].tries = KNOWN_CRAWLED;
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
	k->arrived.is_open = 0;
	k->freed = tell_traps(k, (struct traps_fact){.kind = TRAPS_CRAWLED,
					 .id = f->id,
					 .marks = k->arrived.marks,
					 .links = f->links,
					 .n = f->n,
					 .first_new = k->arrived.first_new,
					 .new_outside = k->arrived.new_outside,
					 .new_refused = k->arrived.new_refused});
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
	k->freed = tell_traps(k,
		(struct traps_fact){.kind = TRAPS_REDIRECTED, .id = f->id, .target = to});
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

static void know_told(struct knowledge *k, const struct fact *f)
{
	if (f->found.by == FOUND_BY_LINK)
		k->page[f->id].hops = 0;
	find_way(&k->page[f->id], &f->found);
}

int know(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	k->freed = NULL;
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
		know_taken(k, f->id);
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
		if (!f->outcome)
			tell_traps(k, (struct traps_fact){.kind = TRAPS_RETRIED, .id = f->id});
		return set_refusal(&k->page[f->id], f->outcome, why);
	case FACT_VISITED:
		break;
	case FACT_TOLD:
		know_told(k, f);
		break;
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
		[LOG_VISITED] = {FACT_VISITED, 0},
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

static int know_arrival(struct knowledge *k, uint32_t id, struct err_note *why)
{
	struct store_result result = {.digest = {0, 0}};

	store_result(k->store, id, &result);
	return know(k,
		&(struct fact){.kind = FACT_ARRIVED,
			.id = id,
			.marks = {{result.digest[0], result.digest[1]}, result.fingerprint,
				result.simhash}},
		why);
}

void know_sound(struct knowledge *k, const struct fact *fact)
{
	struct err_note why;
	const int err = know(k, fact, &why);

	assert(!err);
	(void)err;
}

int know_entry(struct knowledge *k, const struct log_entry *e, const uint32_t *links, size_t n,
	struct err_note *why)
{
	const struct fact fact = fact_of(e, links, n);
	struct found found = {.by = FOUND_AS_SEED};
	int err = 0;

	if (e->kind == LOG_SESSION || e->kind == LOG_POLICY || e->kind == LOG_SCOPE || e->kind == LOG_POSTED ||
		e->kind == LOG_ELSEWHERE)
		return 0;
	if (e->kind == LOG_CRAWLED)
		err = know_arrival(k, e->id, why);
	if (!err && e->kind == LOG_CRAWLED)
		found = knowledge_found_on(k, e->id);
	if (e->kind == LOG_VISITED && e->id < k->n)
		found = knowledge_found_on_visit(k, e->id);
	if (e->kind == LOG_REDIRECTED && e->id < k->n)
		found = knowledge_found_by_redirect(k, e->id);
	for (uint32_t i = 0; !err && i < e->n_new; i++)
		err = know(k,
			&(struct fact){.kind = FACT_FOUND, .id = e->first_new + i, .found = found},
			why);
	/* what a letter says of known pages is known when it is read again (crawler/live_agent.h) */
	return err || e->kind == LOG_HEARD ? err : know(k, &fact, why);
}
