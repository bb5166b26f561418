#include "crawler/knowledge/knowledge.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paged.h"
#include "storage/store.h"
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
	map_init_paged(&k->names, sizeof(struct name));
}

void knowledge_release(struct knowledge *k)
{
	paged_free(k->page, k->room, sizeof *k->page);
	map_release(&k->names);
	free(k->nearer.id);
	free(k->shrunk.id);
}

/* Reads the URL of a page into *out, which stays valid until store_page() has read STORE_URLS_HELD other pages. Returns 1, or 0 if
 * the store has no sound URL for the page. */
static int url_of(const struct knowledge *k, uint32_t id, struct url *out)
{
	struct store_page page;

	return store_page(k->store, id, &page) && url_split(out, page.url, page.url_length) == URL_OK;
}

/* --- judging */

/* Answers the trap detectors (struct traps_world): finds a page by its URL. */
static int find_known(void *ctx, const char *url, size_t n, uint32_t *id)
{
	const struct knowledge *k = ctx;

	return store_find(k->store, url, n, id) && *id < k->n && !k->page[*id].refusal;
}

static int url_of_page(void *ctx, uint32_t id, struct url *out)
{
	return url_of(ctx, id, out);
}

static int is_crawled(void *ctx, uint32_t id)
{
	return knowledge_is_crawled(ctx, id);
}

static struct traps_world world_of(const struct knowledge *k)
{
	return (struct traps_world){(void *)k, find_known, url_of_page, is_crawled};
}

enum outcome knowledge_judge_found(const struct knowledge *k, const struct url *u, const struct found *found)
{
	if (found->by == FOUND_AS_SEED)
		return OUTCOME_NONE;
	const struct url_traits traits = found->traits ? *found->traits : url_traits(u);

	return scope_judge_new(k->scope, &traits, found->depth);
}

int knowledge_judge_found_again(const struct knowledge *k, uint32_t id, const struct found *found, enum outcome *verdict)
{
	const enum outcome before = knowledge_refusal(k, id);
	const int is_nearer = found->depth < k->page[id].depth;
	struct found by = *found;
	struct url u;

	if (!(before == OUTCOME_DEPTH && is_nearer) && before != OUTCOME_CALENDAR)
		return 0;
	by.depth = is_nearer ? found->depth : k->page[id].depth;
	if (!url_of(k, id, &u))
		return 0;
	*verdict = knowledge_judge_found(k, &u, &by);
	return *verdict != before;
}

struct traps_verdict knowledge_trap_verdict(const struct knowledge *k, uint32_t id)
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

struct taken_verdict knowledge_judge_taken(const struct knowledge *k, uint32_t id)
{
	const struct traps_verdict v = knowledge_trap_verdict(k, id);
	struct url u;

	if (scope_has_blocks(k->scope) && url_of(k, id, &u) && scope_blocks(k->scope, &u))
		return (struct taken_verdict){OUTCOME_RULE, PAGE_REFUSED, STORE_NO_PAGE};
	if (v.action == TRAPS_DEFER)
		return (struct taken_verdict){OUTCOME_DEFERRED, PAGE_QUEUED, v.original};
	if (v.action == TRAPS_SKIP)
		return (struct taken_verdict){v.detector, PAGE_REFUSED, v.original};
	if (scope_has_budgets(k->scope) && url_of(k, id, &u)) {
		const struct url_traits traits = url_traits(&u);
		if (!scope_has_room(k->scope, &traits))
			return (struct taken_verdict){OUTCOME_BUDGET, PAGE_REFUSED, STORE_NO_PAGE};
	}
	return (struct taken_verdict){OUTCOME_NONE, PAGE_QUEUED, STORE_NO_PAGE};
}

struct taken_verdict knowledge_judge_visited(const struct knowledge *k, uint32_t id)
{
	struct url u;
	const int is_blocked = scope_has_blocks(k->scope) && url_of(k, id, &u) && scope_blocks(k->scope, &u);

	return (struct taken_verdict){is_blocked ? OUTCOME_RULE : OUTCOME_NONE, is_blocked ? PAGE_REFUSED : PAGE_QUEUED,
		STORE_NO_PAGE};
}

int knowledge_judge_again(const struct knowledge *k, uint32_t id, enum page_state state, enum outcome *verdict)
{
	const int is_queued = state == PAGE_QUEUED;
	const enum outcome before = knowledge_refusal(k, id);
	const uint32_t depth = k->page[id].depth;
	struct url u;

	/* a page that is not queued, and that scope has not refused, is not judged again; a skipped page is one of these */
	if ((!is_queued && !before) || !url_of(k, id, &u))
		return 0;
	/* a seed stays, unless its host is blocked */
	if (is_queued && depth == 0 && !scope_blocks(k->scope, &u))
		return 0;
	const struct url_traits traits = url_traits(&u);
	*verdict = is_queued ? scope_judge_known(k->scope, &traits, depth) : scope_judge_new(k->scope, &traits, depth);
	return is_queued == (*verdict != OUTCOME_NONE);
}

enum outcome knowledge_judge_redirect(struct knowledge *k, uint32_t id, uint32_t target)
{
	if (knowledge_resolve(k, target) == id)
		return OUTCOME_CIRCLE;
	return knowledge_hops(k, id) >= FETCH_MAX_REDIRECTS ? OUTCOME_REDIRECTS : OUTCOME_NONE;
}

int knowledge_judge_nearer(const struct knowledge *k, uint32_t id)
{
	const struct found found = {FOUND_BY_LINK, STORE_NO_PAGE, k->page[id].depth, NULL};
	struct url u;

	return knowledge_refusal(k, id) == OUTCOME_DEPTH && url_of(k, id, &u) &&
		knowledge_judge_found(k, &u, &found) == OUTCOME_NONE;
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

	/* halving the path, so that long chains are walked once; most pages are no aliases, which costs no search */
	while (id < k->n && knowledge_is_alias(k, id) && (name = map_find(&k->names, id))) {
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
	return err_set(why, ERR_DAMAGED, "the store's log is damaged: page %u %s; see 'lycosa store verify'", id, what);
}

/* Keeps the refusal of a page in four bits: 0 for none, else refusal - OUTCOME_HOST + 1. Returns ERR_DAMAGED for an outcome that is
 * no refusal by scope or by a limit. */
static int set_refusal(struct known_page *page, unsigned refusal, struct err_note *why)
{
	if (refusal && (refusal < OUTCOME_HOST || refusal >= OUTCOME_HOST + 15))
		return err_set(why, ERR_DAMAGED, "the store is damaged: a page is refused for reason %u, which is none of scope's",
			refusal);
	page->refusal = refusal ? (refusal - OUTCOME_HOST + 1) & 15u : 0;
	return 0;
}

/* Says whether a refusal means that the page does not belong to the crawl, and not that it is in a trap. */
static int is_out(enum outcome refusal)
{
	return refusal != OUTCOME_REPEATS && refusal != OUTCOME_CALENDAR && refusal != OUTCOME_SESSION && refusal != OUTCOME_HOSTS;
}

/* Hands a fact about a page to the traps; the traits are those of its URL, where the fact has them. */
static const struct places_freed *tell_traps(struct knowledge *k, struct traps_fact fact)
{
	const struct traps_world world = world_of(k);
	struct url own = URL_EMPTY; /* the detectors ask for other URLs, for which the store gives this one up */
	const struct places_freed *freed = NULL;
	struct url_traits traits;
	struct url u;
	const int is_known = fact.traits || url_of(k, fact.id, &u);

	if (is_known && !fact.traits) {
		url_copy(&own, &u);
		traits = url_traits(&own);
		fact.traits = &traits;
	}
	if (is_known)
		freed = traps_apply(scope_traps(k->scope), &world, &fact);
	url_release(&own);
	return freed;
}

/* Applies FACT_FOUND: adds the page, which must be the next of the store, with the depth and refusal of its record, and tells the
 * trap detectors of it unless it is refused. */
static int apply_found(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	struct store_page known;

	if (f->id != k->n || !store_page(k->store, f->id, &known))
		return damaged(f->id, "is missing, or not the next", why);
	k->page = paged_need(k->page, &k->room, (size_t)k->n + 1, sizeof *k->page);
	struct known_page *page = &k->page[k->n++];
	*page = (struct known_page){
		.depth = known.depth,
		.hops = NO_HOPS,
	};
	if (set_refusal(page, known.refusal, why))
		return ERR_DAMAGED;
	if (known.refusal && k->arrived.is_open)
		*(is_out((enum outcome)known.refusal) ? &k->arrived.new_outside : &k->arrived.new_refused) += 1;
	if (!known.refusal)
		tell_traps(k,
			(struct traps_fact){.kind = TRAPS_FOUND,
				.id = f->id,
				.target = f->found.by == FOUND_BY_REDIRECT ? f->found.from : TRAPS_NO_PAGE,
				.traits = f->found.traits});
	return 0;
}

static void append(struct places_list *list, uint32_t id)
{
	list->id = mem_grow(list->id, &list->room, list->n + 1, sizeof *list->id);
	list->id[list->n++] = id;
}

/* Sets the depth of a page, if `depth` is less, and then that of the page to which an alias leads. Under a limit of the depth,
 * lists crawled pages in k->shrunk, and pages that were refused for their depth in k->nearer. */
static void shorten(struct knowledge *k, uint32_t id, uint32_t depth)
{
	for (uint32_t next; depth < k->page[id].depth; id = next) {
		k->page[id].depth = (uint16_t)depth;
		if (scope_max_depth(k->scope) == UINT32_MAX)
			return;
		if (knowledge_is_crawled(k, id))
			append(&k->shrunk, id);
		else if (knowledge_refusal(k, id) == OUTCOME_DEPTH)
			append(&k->nearer, id);
		next = knowledge_resolve(k, id);
	}
}

/* Handles ways of length `depth` to n pages. Where one is shorter than the ways known before, the ways to all pages behind the page
 * become shorter, too, as far as they lead through crawled pages. All n begin one breadth-first search, in which a page is met at
 * its least depth first; so the links of a page are read once for a fact, however many ways the fact has. A crawled page is at most
 * as deep as --max-depth says, and its depth decreases each time that its links are read again: so in the whole crawl they are read
 * --max-depth times at most. */
static void find_ways(struct knowledge *k, const uint32_t *id, size_t n, uint32_t depth)
{
	const uint32_t *links;

	k->shrunk.n = 0;
	for (size_t i = 0; i < n; i++)
		shorten(k, id[i], depth);
	for (size_t i = 0; i < k->shrunk.n; i++) {
		const uint32_t from = k->shrunk.id[i];
		const size_t n_links = store_links(k->store, from, &links, NULL);
		for (size_t j = 0; j < n_links; j++)
			if (links[j] < k->n)
				shorten(k, links[j], k->page[from].depth + 1u);
	}
}

static void apply_seed(struct knowledge *k, const struct fact *f)
{
	struct known_page *page = &k->page[f->id];
	struct url u;

	if (f->kind == FACT_SEED && url_of(k, f->id, &u))
		scope_add_seed(k->scope, &u);
	page->refusal = 0;
	find_ways(k, &f->id, 1, 0);
	page->hops = 0;
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

/* Takes a page that was not crawled out of the budgets of its host and domain. */
static void leave_budgets(struct knowledge *k, uint32_t id)
{
	struct url u;

	if (k->page[id].is_counted && url_of(k, id, &u)) {
		const struct url_traits traits = url_traits(&u);
		scope_give_back(k->scope, &traits);
	}
	k->page[id].is_counted = 0;
}

/* Applies FACT_TAKEN: tells the trap detectors, which note whether the page is deferred or skipped, and counts the page in its
 * budgets. The detectors do not judge seeds. */
static void apply_taken(struct knowledge *k, uint32_t id)
{
	if (k->page[id].depth)
		tell_traps(k, (struct traps_fact){.kind = TRAPS_TAKEN, .id = id});
	count_in_budgets(k, id);
}

static void apply_arrived(struct knowledge *k, const struct fact *f)
{
	k->arrived = (struct arrived){.id = f->id, .is_open = 1, .marks = f->marks, .first_new = k->n};
	k->page[f->id].tries = KNOWN_CRAWLED;
}

static struct traps_fact fact_crawled(const struct knowledge *k, uint32_t id, const uint32_t *links, size_t n)
{
	return (struct traps_fact){.kind = TRAPS_CRAWLED,
		.id = id,
		.marks = k->arrived.marks,
		.links = links,
		.n = n,
		.first_new = k->arrived.first_new,
		.new_outside = k->arrived.new_outside,
		.new_refused = k->arrived.new_refused};
}

int knowledge_makes_up(const struct knowledge *k, uint32_t id, const uint32_t *links, size_t n, struct buf *out)
{
	const struct traps_world world = world_of(k);
	struct traps_fact fact = fact_crawled(k, id, links, n);
	struct url own = URL_EMPTY; /* as in tell_traps() */
	struct url u;

	if (!url_of(k, id, &u))
		return 0;
	url_copy(&own, &u);
	const struct url_traits traits = url_traits(&own);
	fact.traits = &traits;
	const int asks = traps_asks(scope_traps(k->scope), &world, &fact, out);
	url_release(&own);
	return asks;
}

/* Applies FACT_CRAWLED: finds the ways that the links make, and tells the trap detectors; k->freed becomes the pages that they
 * free. */
static int apply_crawled(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	const struct found found = knowledge_found_on(k, f->id);

	for (size_t i = 0; i < f->n; i++) {
		if (f->links[i] >= k->n)
			return damaged(f->id, "links to a page that is not there", why);
		k->page[f->links[i]].hops = 0;
	}
	find_ways(k, f->links, f->n, found.depth);
	k->arrived.is_open = 0;
	k->freed = tell_traps(k, fact_crawled(k, f->id, f->links, f->n));
	return 0;
}

/* Applies FACT_REDIRECTED: the page becomes an alias of the target. */
static int apply_redirected(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	if (f->target >= k->n || knowledge_judge_redirect(k, f->id, f->target))
		return damaged(f->id, "has a target that cannot be", why);
	const uint32_t to = knowledge_resolve(k, f->target);
	const unsigned hops = knowledge_hops(k, f->id) + 1;
	const struct found found = knowledge_found_by_redirect(k, f->id);
	((struct name *)map_at(&k->names, f->id))->of = to;
	k->aliases++;
	if (hops < k->page[to].hops)
		k->page[to].hops = hops & 15u;
	find_ways(k, &to, 1, found.depth);
	k->freed = tell_traps(k, (struct traps_fact){.kind = TRAPS_REDIRECTED, .id = f->id, .target = to});
	k->page[f->id].tries = KNOWN_ALIAS;
	leave_budgets(k, f->id);
	return 0;
}

static void apply_ended(struct knowledge *k, const struct fact *f)
{
	struct known_page *page = &k->page[f->id];

	if (knowledge_is_alias(k, f->id)) /* of a damaged log: it stays one */
		page->tries = KNOWN_ALIAS;
	else if (f->state != PAGE_QUEUED)
		page->tries = 0;
	else if (outcome_has(f->outcome, TRAIT_TRY) && page->tries < FETCH_MAX_TRIES)
		page->tries++;
	leave_budgets(k, f->id);
}

static void apply_told(struct knowledge *k, const struct fact *f)
{
	if (f->found.by == FOUND_BY_LINK)
		k->page[f->id].hops = 0;
	find_ways(k, &f->id, 1, f->found.depth);
}

int knowledge_apply(struct knowledge *k, const struct fact *f, struct err_note *why)
{
	k->freed = NULL;
	if (f->kind == FACT_FOUND)
		return apply_found(k, f, why);
	if (f->id >= k->n)
		return damaged(f->id, "is not known where the log speaks of it", why);
	switch (f->kind) {
	case FACT_FOUND:
		break;
	case FACT_SEED:
	case FACT_SITEMAP:
		apply_seed(k, f);
		break;
	case FACT_TAKEN:
		apply_taken(k, f->id);
		break;
	case FACT_ARRIVED:
		apply_arrived(k, f);
		break;
	case FACT_CRAWLED:
		return apply_crawled(k, f, why);
	case FACT_REDIRECTED:
		return apply_redirected(k, f, why);
	case FACT_ENDED:
		apply_ended(k, f);
		break;
	case FACT_JUDGED:
		if (!f->outcome)
			tell_traps(k, (struct traps_fact){.kind = TRAPS_RETRIED, .id = f->id});
		return set_refusal(&k->page[f->id], f->outcome, why);
	case FACT_VISITED:
		break;
	case FACT_TOLD:
		apply_told(k, f);
		break;
	}
	return 0;
}

/* The facts of the entries of a log. */

/* Returns the fact of a log entry, without the pages that the entry discovers. */
static struct fact fact_of(const struct log_entry *e, const uint32_t *links, size_t n)
{
	static const struct {
		enum fact_kind kind;
		enum page_state state; /* of FACT_ENDED */
	} facts[LOG_KINDS] = {
		[LOG_SEED] = {FACT_SEED, 0},
		[LOG_SITEMAP] = {FACT_SITEMAP, 0},
		[LOG_TAKE] = {FACT_TAKEN, 0},
		[LOG_ADOPTED] = {FACT_TAKEN, 0},
		[LOG_CRAWLED] = {FACT_CRAWLED, 0},
		[LOG_FAILED] = {FACT_ENDED, PAGE_FAILED},
		[LOG_REQUEUED] = {FACT_ENDED, PAGE_QUEUED},
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

static int apply_arrival(struct knowledge *k, uint32_t id, struct err_note *why)
{
	struct result result;

	if (!store_result(k->store, id, &result))
		result = (struct result){.digest = {0, 0}};
	return knowledge_apply(k,
		&(struct fact){.kind = FACT_ARRIVED,
			.id = id,
			.marks = {{result.digest[0], result.digest[1]}, result.fingerprint, result.simhash, result.bytes}},
		why);
}

void knowledge_apply_own(struct knowledge *k, const struct fact *fact)
{
	struct err_note why;
	const int err = knowledge_apply(k, fact, &why);

	assert(!err);
	(void)err;
}

int knowledge_apply_entry(struct knowledge *k, const struct log_entry *e, const uint32_t *links, size_t n, struct err_note *why)
{
	const struct fact fact = fact_of(e, links, n);
	struct found found = {.by = FOUND_AS_SEED};
	int err = 0;

	if (e->kind == LOG_SITTING || e->kind == LOG_POLICY || e->kind == LOG_SCOPE || e->kind == LOG_POSTED ||
		e->kind == LOG_ELSEWHERE || e->kind == LOG_SHARES)
		return 0;
	if (e->kind == LOG_CRAWLED)
		err = apply_arrival(k, e->id, why);
	if (!err && e->kind == LOG_CRAWLED)
		found = knowledge_found_on(k, e->id);
	if (e->kind == LOG_VISITED && e->id < k->n)
		found = knowledge_found_on_visit(k, e->id);
	if (e->kind == LOG_REDIRECTED && e->id < k->n)
		found = knowledge_found_by_redirect(k, e->id);
	for (uint32_t i = 0; !err && i < e->n_new; i++)
		err = knowledge_apply(k, &(struct fact){.kind = FACT_FOUND, .id = e->first_new + i, .found = found}, why);
	/* what a letter says of known pages is applied when the letter is read again (crawler/agent/live_agent.h) */
	if (!err && e->kind != LOG_HEARD)
		err = knowledge_apply(k, &fact, why);
	/* the live crawl has judged these pages; entries of their own admit them */
	if (e->kind == LOG_CRAWLED || e->kind == LOG_REDIRECTED)
		k->nearer.n = 0;
	return err;
}

/* Writes or reads the part of the image that follows the number of pages and the state of the scope. */
static void pages_image(struct knowledge *k, struct image *im)
{
	size_t n = k->n;

	k->page = image_paged(im, k->page, &n, &k->room, sizeof *k->page);
	k->n = (uint32_t)n;
	image_bytes(im, &k->aliases, sizeof k->aliases);
	image_map(im, &k->names);
}

void knowledge_save(struct knowledge *k, image_sink *sink, void *ctx)
{
	struct image im = image_to(sink, ctx);
	uint32_t n = k->n;

	image_bytes(&im, &n, sizeof n);
	scope_image(k->scope, &im);
	pages_image(k, &im);
	image_end(&im);
}

int knowledge_load(struct knowledge *k, uint32_t pages, const void *bytes, size_t size, struct err_note *why)
{
	struct image im = image_of(bytes, size);
	uint32_t n;

	image_bytes(&im, &n, sizeof n);
	if (n != pages || !scope_image(k->scope, &im)) {
		image_end(&im);
		return 0;
	}
	pages_image(k, &im);
	if (image_end(&im) || k->n != pages)
		return err_set(why, ERR_DAMAGED,
			"the knowledge of pages in the store's snapshot is damaged: remove the file 'frontier' of the store");
	return 1;
}

void knowledge_add_seed(struct knowledge *k, uint32_t id)
{
	struct store_page page;
	struct url u;

	if (store_page(k->store, id, &page) && url_split(&u, page.url, page.url_length) == URL_OK)
		scope_add_seed(k->scope, &u);
}

/* Makes a scope with the trap options and the year that the store keeps. The other rules of scope are left out, since the log
 * contains their verdicts. */
static int make_scope(struct scope **scope, struct store *s, struct err_note *why)
{
	const char *year = store_get(s, "year");
	struct scope_settings set = {.span_hosts = 1, .max_depth = UINT32_MAX, .traps = store_get(s, "trap-opt")};
	uint64_t n = 0;

	if (year && num_count(year, 9999, &n) == 0)
		set.year = n;
	return scope_new(scope, &set, why);
}

static int apply_log(struct knowledge *k, struct store *s, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		const uint32_t *links = NULL;
		const size_t n = e.kind == LOG_CRAWLED ? store_links(s, e.id, &links, NULL) : 0;
		err = knowledge_apply_entry(k, &e, links, n, why);
		if (err)
			break;
	}
	store_log_stop(c);
	return err;
}

int trap_verdict_of(struct store *s, uint32_t id, struct traps_verdict *verdict, struct err_note *why)
{
	struct knowledge k;
	struct scope *scope;
	int err = make_scope(&scope, s, why);

	if (err)
		return err;
	knowledge_init(&k, s, scope);
	err = apply_log(&k, s, why);
	*verdict = (struct traps_verdict){.original = TRAPS_NO_PAGE};
	if (!err && id < k.n)
		*verdict = knowledge_trap_verdict(&k, id);
	knowledge_release(&k);
	scope_free(scope);
	return err;
}
