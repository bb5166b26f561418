#include "crawler/net_source.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/net_pages.h"
#include "crawler/previous.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A page that was not asked for after all. */
struct turned {
	uint32_t id;
	enum outcome refusal;
};

struct net_source {
	struct source source; /* first: a source is its net_source */
	struct fetchers *fetchers;
	struct net_pages pages;
	struct previous previous;
	struct url url; /* scratch */
	unsigned parallel, in_flight;
	unsigned redirects, rules; /* of the fetch settings */
	struct turned *turned;     /* a ring of those that scope refuses at the last moment */
	unsigned turned_from, turned_n;
	int64_t offset; /* from clock_ms() to ms since 1970 */
	struct net_addresses *addresses;

	struct event event; /* that is out */
	struct fetch_page *page;
	uint32_t *links;
	size_t room;
	uint8_t *kinds;
	size_t kinds_room;

	uint32_t *seen_links; /* what the frontier looks at */
	size_t seen_room;
};

static uint32_t host_of(const void *ctx, uint32_t id)
{
	const struct net_source *s = ctx;

	return s->pages.page[id].host;
}

static int is_outside(const void *ctx, uint32_t id)
{
	const struct net_source *s = ctx;

	return net_pages_refusal(&s->pages, id) != OUTCOME_NONE;
}

/* The links as they were when the page was crawled, under the names their targets have now. */
static size_t links_of(const void *ctx, uint32_t u, const uint32_t **out)
{
	struct net_source *s = (struct net_source *)ctx; /* the scratch memory changes */
	struct net_pages *p = &s->pages;
	const uint32_t *stored;
	const size_t n = store_links(p->store, u, &stored, NULL);
	size_t kept = 0;

	s->seen_links = mem_grow(s->seen_links, &s->seen_room, n, sizeof *s->seen_links);
	*out = s->seen_links;
	net_pages_begin_list(p);
	for (size_t i = 0; i < n; i++) {
		if (stored[i] >= p->n)
			continue; /* a damaged store */
		uint32_t id = stored[i];
		if (p->aliases) {
			id = net_pages_resolve(p, id);
			if (!net_pages_list(p, id))
				continue;
		}
		s->seen_links[kept++] = id;
	}
	return kept;
}

static struct net_source *self(struct source *source)
{
	return (struct net_source *)source;
}

static void net_world(struct source *source, struct frontier_world *world)
{
	*world = (struct frontier_world){
		.ctx = self(source), .host = host_of, .outside = is_outside, .links = links_of};
}

static size_t net_room(struct source *source)
{
	return self(source)->parallel - self(source)->in_flight;
}

static int64_t net_now(struct source *source)
{
	return clock_ms() + self(source)->offset;
}

static void submit_page(struct net_source *s, uint32_t id)
{
	struct net_pages *p = &s->pages;
	struct net_address address;
	struct store_page page;
	const int found = store_page(p->store, id, &page);

	assert(found && s->in_flight < s->parallel);
	(void)found;
	s->in_flight++;
	const enum outcome refusal = net_pages_ask(p, id, &page);
	const struct validators since = previous_validators(&s->previous, &page);
	if (refusal) {
		s->turned[(s->turned_from + s->turned_n++) % s->parallel] =
			(struct turned){id, refusal};
		return;
	}
	if (net_addresses_of(s->addresses, p->page[id].host, &address))
		fetchers_grant(s->fetchers, &address);
	fetchers_submit_again(
		s->fetchers, id, page.url, page.url_length, p->page[id].tries, &since);
}

static void net_submit(struct source *source, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		submit_page(self(source), ids[i]);
}

/* Link i of a page as a URL, whose text is the page's. */
static struct url url_of(const struct fetch_page *page, uint32_t i)
{
	const uint32_t length = page->start[i + 1] - page->start[i] - 1;
	char *text = (char *)page->text + page->start[i];
	const uint32_t path = page->host_end[i];
	const char *query = memchr(text + path, '?', length - path);
	struct url u = {
		.text = {text, length, 0},
		.host = page->host[i],
		.host_end = path,
		.path = path,
		.query = query ? (uint32_t)(query - text) : length,
		.https = text[4] == 's',
	};

	u.port = u.https ? 443 : 80;
	uint32_t digits = path;
	while (digits > u.host && text[digits - 1] >= '0' && text[digits - 1] <= '9')
		digits--;
	/* "[::1]" ends in a bracket, so that a colon before digits is the port's */
	if (digits < path && text[digits - 1] == ':' && digits > u.host) {
		u.host_end = digits - 1;
		u.port = (uint32_t)strtoul(text + digits, NULL, 10);
	}
	return u;
}

static int take_links(
	struct net_source *s, const struct fetch_page *page, struct event *e, struct err_note *why)
{
	struct net_pages *p = &s->pages;
	const uint32_t depth = p->page[page->id].depth + 1u;
	const struct page_marks marks = {
		{page->digest[0], page->digest[1]}, page->gist, page->simhash};
	const enum net_judgement found = net_pages_came(p, page->id, &marks, page->n);
	size_t n = 0;

	s->links = mem_grow(s->links, &s->room, page->n, sizeof *s->links);
	s->kinds = mem_grow(s->kinds, &s->kinds_room, page->n, sizeof *s->kinds);
	net_pages_begin_list(p);
	for (uint32_t i = 0; i < page->n; i++) {
		const struct url u = url_of(page, i);
		uint32_t id;
		int err = net_pages_find(p, &u, depth, found, &id, why);
		if (err)
			return err;
		id = net_pages_resolve(p, id);
		if (!net_pages_list(p, id))
			continue;
		net_pages_linked(p, id);
		net_pages_found(p, id, depth, found);
		s->links[n] = id;
		s->kinds[n++] = page->kinds[i];
	}
	net_pages_read(p);
	e->links = s->links;
	e->kinds = s->kinds;
	e->n = n;
	return 0;
}

/* The sitemaps of a robots.txt are seeds where their host is in scope; what else scope looks at is
 * meant for pages. */
static int take_sitemaps(
	struct net_source *s, const struct fetch_page *page, struct event *e, struct err_note *why)
{
	struct net_pages *p = &s->pages;
	size_t n = 0;

	s->links = mem_grow(s->links, &s->room, page->n, sizeof *s->links);
	net_pages_begin_list(p);
	for (uint32_t i = 0; i < page->n; i++) {
		const struct url u = url_of(page, i);
		const enum outcome refusal = scope_judge(p->scope, &u, 0);
		uint32_t id;
		if (refusal == OUTCOME_HOST || refusal == OUTCOME_LENGTH)
			continue;
		int err = net_pages_find(p, &u, 0, NET_ACCEPT, &id, why);
		if (err)
			return err;
		if (!net_pages_list(p, id))
			continue;
		net_pages_seed(p, id);
		s->links[n++] = id;
	}
	e->links = s->links;
	e->n = n;
	return 0;
}

static int take_target(
	struct net_source *s, const struct fetch_page *page, struct event *e, struct err_note *why)
{
	struct net_pages *p = &s->pages;
	const uint32_t depth = p->page[page->id].depth;
	const enum net_judgement found = net_pages_doubt(p, page->id);
	int circle = net_pages_hops(p, page->id) >= s->redirects, err = 0;

	if (!circle) {
		const struct url u = url_of(page, 0);
		err = net_pages_find(p, &u, depth, found, &e->target, why);
		circle = !err && net_pages_redirect(p, page->id, &e->target);
	}
	if (circle) {
		e->outcome = OUTCOME_REDIRECTS;
		e->state = PAGE_FAILED;
		e->target = 0;
	} else if (!err) {
		net_pages_found(p, e->target, depth, found);
	}
	return err;
}

/* A page is back that was taken; one that ended has all its tries before it, should it be queued again. */
static void count_tries(struct net_page *page, enum outcome outcome, enum page_state state)
{
	if (state != PAGE_QUEUED)
		page->tries = 0;
	else if (outcome_has(outcome, TRAIT_TRY) && page->tries < NET_PAGES_MAX_TRIES)
		page->tries++;
}

/* One that was turned away: nothing was asked, and no time has passed. */
static void turn_away(struct net_source *s, struct event *e)
{
	const struct turned *t = &s->turned[s->turned_from];
	const int64_t now = net_now(&s->source);

	s->turned_from = (s->turned_from + 1) % s->parallel;
	s->turned_n--;
	s->in_flight--;
	*e = (struct event){
		.id = t->id,
		.outcome = t->refusal,
		.state = PAGE_REFUSED,
		.started = now,
		.ended = now,
		.ahead = clock_wall_ms() - now,
		.host_delay = -1,
	};
}

static void net_release(struct source *source)
{
	struct net_source *s = self(source);

	fetch_page_free(s->page);
	s->page = NULL;
}

/* Waits for a page as it is to be told; one that has not changed is what it was. 1 or 0. */
static int reap_page(struct net_source *s, struct fetch_page **out, int64_t until)
{
	struct store_page known;

	if (!fetchers_reap(s->fetchers, out, until))
		return 0;
	if ((*out)->state == PAGE_CRAWLED && (*out)->status == 304 &&
		store_page(s->pages.store, (*out)->id, &known))
		*out = previous_take(&s->previous, &known, *out);
	return 1;
}

/* One at a time: they come seldom. */
static int net_reap(
	struct source *source, const struct event **events, int64_t until, struct err_note *why)
{
	struct net_source *s = self(source);
	struct event *e = &s->event;
	struct fetch_page *page;
	int err = 0;

	*events = e;
	if (s->turned_n) {
		turn_away(s, e);
		return 1;
	}
	if (!reap_page(s, &page, until == FRONTIER_NEVER ? until : until - s->offset))
		return 0;
	fetch_page_free(s->page);
	s->page = page;
	s->in_flight--;
	count_tries(&s->pages.page[page->id], page->outcome, page->state);
	*e = (struct event){
		.id = page->id,
		.outcome = page->outcome,
		.state = page->state,
		.status = page->status,
		.not_before = page->ended + page->retry_after + s->offset,
		.started = page->started + s->offset,
		.ended = page->ended + s->offset,
		.ahead = clock_wall_ms() - net_now(source),
		.host_delay = page->host_delay,
		.host_pause = page->host_pause > 0 ? page->ended + page->host_pause + s->offset : 0,
		.bytes = page->bytes,
		.digest = {page->digest[0], page->digest[1]},
		.gist = page->gist,
		.simhash = page->simhash,
		.validators = page->validators,
	};
	e->address = net_addresses_tell(s->addresses, s->pages.page[page->id].host, &page->address);
	if (page->state != PAGE_CRAWLED)
		net_pages_not_asked(&s->pages, page->id);
	if (page->state == PAGE_CRAWLED)
		err = take_links(s, page, e, why);
	else if (page->state == PAGE_REDIRECTED)
		err = take_target(s, page, e, why);
	else if (page->outcome == OUTCOME_SITEMAPS)
		err = take_sitemaps(s, page, e, why);
	if (err)
		net_release(source);
	return err ? err : 1;
}

static void net_abort(struct source *source)
{
	fetchers_abort(self(source)->fetchers);
}

static void net_close(struct source *source)
{
	struct net_source *s = self(source);

	fetchers_free(s->fetchers);
	fetch_page_free(s->page);
	previous_release(&s->previous);
	net_pages_release(&s->pages);
	url_release(&s->url);
	free(s->links);
	free(s->kinds);
	free(s->seen_links);
	net_addresses_free(s->addresses);
	free(s->turned);
	free(s);
}

static const struct source_ops ops = {
	.name = "network",
	.world = net_world,
	.room = net_room,
	.submit = net_submit,
	.reap = net_reap,
	.release = net_release,
	.now = net_now,
	.abort = net_abort,
	.close = net_close,
};

int net_source_new(struct source **out, const struct fetch_settings *set, struct scope *scope,
	struct store *store, struct err_note *why)
{
	assert(set->tries >= 1 && set->tries <= NET_PAGES_MAX_TRIES);
	struct net_source *s = mem_zero(1, sizeof *s);
	const int64_t ms_since_1970 = clock_wall_ms();

	s->source.ops = &ops;
	s->addresses = net_addresses_new();
	s->redirects = set->redirects;
	s->rules = set->rules;
	previous_init(&s->previous, NULL, 0);
	s->offset = ms_since_1970 - clock_ms();
	int err = net_pages_init(&s->pages, store, scope, why);
	if (!err)
		err = fetchers_new(&s->fetchers, set, why);
	if (!err) {
		s->parallel = fetchers_parallel(s->fetchers);
		s->turned = mem_new(s->parallel, sizeof *s->turned);
	}
	*out = &s->source;
	if (err) {
		net_close(*out);
		*out = NULL;
	}
	return err;
}

void net_source_compare(struct source *source, struct store *previous)
{
	struct net_source *s = self(source);

	previous_release(&s->previous);
	previous_init(&s->previous, previous, s->rules);
}

int net_source_seed(
	struct source *source, const struct url *seed, uint32_t *id, struct err_note *why)
{
	struct net_source *s = self(source);

	url_copy(&s->url, seed);
	url_rules_apply(s->rules, &s->url);
	scope_add_seed(s->pages.scope, &s->url);
	int err = net_pages_find(&s->pages, &s->url, 0, NET_ACCEPT, id, why);
	if (!err)
		net_pages_seed(&s->pages, *id);
	return err;
}

int net_source_recall(struct source *source, const struct log_entry *entry, const uint32_t *links,
	size_t n, struct err_note *why)
{
	struct net_pages *p = &self(source)->pages;
	const int names_a_page =
		entry->kind != LOG_SESSION && entry->kind != LOG_POLICY && entry->kind != LOG_SCOPE;
	uint32_t target = entry->target;

	if (!names_a_page)
		return 0;
	int sound = entry->id < p->n && (entry->kind != LOG_REDIRECTED || target < p->n);
	for (size_t i = 0; i < n; i++)
		sound = sound && links[i] < p->n;
	if (sound && entry->kind == LOG_REDIRECTED)
		sound = net_pages_redirect(p, entry->id, &target) == 0;
	if (!sound)
		return err_set(why, ERR_DAMAGED,
			"the store's log is damaged: page %u has links, or a target, that cannot "
			"be; see "
			"'lycosa store verify'",
			entry->id);
	if (entry->kind == LOG_REDIRECTED)
		net_pages_recall_redirect(p, entry->id, target);
	if (entry->kind == LOG_ADMITTED || entry->kind == LOG_EXPELLED) {
		net_pages_recall_judged(p, entry->id, entry->outcome);
		return 0;
	}
	const int is_seed = entry->kind == LOG_SEED || entry->kind == LOG_SITEMAP;
	if (is_seed)
		net_pages_seed(p, entry->id);
	if (entry->kind == LOG_CRAWLED)
		net_pages_recall(p, entry->id, links, n);
	net_pages_recalled(p, entry->kind == LOG_REDIRECTED ? entry->target : entry->id, links, n);
	if (entry->kind == LOG_TAKE)
		net_pages_asked(p, entry->id);
	else if (entry->kind != LOG_CRAWLED)
		net_pages_not_asked(p, entry->id);
	if (!is_seed && entry->kind != LOG_TAKE)
		count_tries(&p->page[entry->id], entry->outcome,
			entry->kind == LOG_RETRY ? PAGE_QUEUED : PAGE_FAILED);
	return 0;
}

int net_source_judge(
	struct source *source, uint32_t id, enum page_state state, enum outcome *verdict)
{
	return net_pages_judge(&self(source)->pages, id, state == PAGE_QUEUED, verdict);
}
