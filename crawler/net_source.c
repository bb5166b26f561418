#include "crawler/net_source.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/net_hosts.h"
#include "crawler/net_pages.h"
#include "crawler/net_robots.h"
#include "crawler/net_visits.h"
#include "crawler/previous.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a host rests whose address is another agent's now. */
#define OTHERS_TURN_MS 100

/* A page that was not asked for after all. */
struct turned {
	uint32_t id;
	struct taken_verdict turn;
	int64_t pause; /* its host is not to be asked before, ms; 0: says nothing */
};

struct net_source {
	struct source source; /* first: a source is its net_source */
	struct fetchers *fetchers;
	struct knowledge knowledge;
	struct store *store;
	struct net_pages pages;
	struct net_fleet fleet;
	struct previous previous;
	struct url url; /* scratch */
	unsigned parallel, in_flight;
	unsigned tries;        /* of the fetch settings */
	unsigned rules;        /* of the fetch settings */
	int has_anchors;       /* 1: the anchor texts of links are kept */
	const struct host_settings *host_settings; /* of the fetch settings */
	int is_scored;         /* 1: a score command scores the pages, or has scored them */
	struct turned *turned; /* a ring of those that scope refuses at the last moment */
	unsigned turned_from, turned_n;
	int64_t offset; /* from clock_ms() to ms since 1970 */
	struct net_hosts hosts;
	int hosts_remembered;

	struct event event; /* that is out */
	struct fetch_page *page;
	struct net_robots robots;

	struct distinct distinct; /* links that the frontier looks at */
	uint32_t *seen_links;
	size_t seen_room;
};

static uint32_t host_of(void *ctx, uint32_t id)
{
	const struct net_source *s = ctx;

	return knowledge_host(&s->knowledge, id);
}

static int is_outside(void *ctx, uint32_t id)
{
	const struct net_source *s = ctx;

	return known_refusal(&s->knowledge, id) != OUTCOME_NONE;
}

/* No page is deferred when it is found: a suspect one is put off when its turn comes. */
static int is_deferred(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

static int is_remote(void *ctx, uint32_t id)
{
	struct net_source *s = ctx;

	return net_fleet_is_remote(&s->fleet, id);
}

/* The links as they were when the page was crawled, under the names their targets have now. */
static size_t links_of(void *ctx, uint32_t u, const uint32_t **out)
{
	struct net_source *s = ctx;
	struct knowledge *k = &s->knowledge;
	const uint32_t *stored;
	const size_t n = store_links(s->store, u, &stored, NULL);
	size_t kept = 0;

	s->seen_links = mem_grow(s->seen_links, &s->seen_room, n, sizeof *s->seen_links);
	*out = s->seen_links;
	distinct_begin(&s->distinct);
	for (size_t i = 0; i < n; i++) {
		if (stored[i] >= k->n)
			continue; /* a damaged store */
		uint32_t id = stored[i];
		if (k->aliases) {
			id = knowledge_resolve(k, id);
			if (!distinct_add(&s->distinct, id))
				continue;
		}
		s->seen_links[kept++] = id;
	}
	return kept;
}

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	const struct net_source *s = ctx;
	struct store_page page;

	if (!store_page(s->store, id, &page))
		return NULL; /* a damaged store */
	*n = page.url_length;
	return page.url;
}

static double score_of(void *ctx, uint32_t id)
{
	const struct net_source *s = ctx;
	struct store_result result;

	return store_result(s->store, id, &result) && result.is_scored ? result.score : (double)NAN;
}

static const char *anchor_of(void *ctx, uint32_t u, uint32_t place, size_t *n)
{
	const struct net_source *s = ctx;

	return store_anchor(s->store, u, place, n);
}

/* What the user has set for this host. */
static int manners_of(void *ctx, uint32_t host, struct frontier_manners *out)
{
	const struct net_source *s = ctx;
	const char *name = store_host_name(s->store, host);
	struct host_setting own;

	host_settings_for(s->host_settings, name ? name : "", name ? strlen(name) : 0, &own);
	*out = (struct frontier_manners){.delay_ms = own.delay,
		.slow_factor = own.delay_factor,
		.per_host = (uint32_t)own.parallel};
	return own.delay >= 0 || own.delay_factor >= 0 || own.parallel;
}

static struct net_source *self(struct source *source)
{
	return (struct net_source *)source;
}

static void net_world(struct source *source, struct frontier_world *world)
{
	*world = (struct frontier_world){.ctx = self(source),
		.host = host_of,
		.outside = is_outside,
		.links = links_of,
		.url = url_of,
		.score = self(source)->is_scored ? score_of : NULL,
		.anchor = self(source)->has_anchors ? anchor_of : NULL,
		.has_kinds = 1,
		.defers = is_deferred,
		.manners = self(source)->host_settings ? manners_of : NULL,
		.is_remote = self(source)->fleet.shares ? is_remote : NULL};
}

static size_t net_room(struct source *source)
{
	const struct net_source *s = self(source);

	return outages_room(s->hosts.outages, s->parallel - s->in_flight, s->in_flight,
		clock_ms() + s->offset);
}

static int64_t net_now(struct source *source)
{
	return clock_ms() + self(source)->offset;
}

static void submit_page(struct net_source *s, uint32_t id)
{
	struct store_page page;
	/* a page that is crawled is visited again: it is in no budget, and a visit has one try */
	const int is_visit = known_is_crawled(&s->knowledge, id);
	struct turned turned = {.id = id,
		.turn = is_visit ? judge_visited(&s->knowledge, id) : judge_taken(&s->knowledge, id)};
	const int found = store_page(s->store, id, &page); /* behind the judgement, which reads other pages' URLs */

	assert(found && s->in_flight < s->parallel);
	(void)found;
	s->in_flight++;
	const struct validators since =
		is_visit ? net_visits_since(s->store, id) : previous_validators(&s->previous, &page);
	if (!is_visit)
		know_sound(&s->knowledge, &(struct fact){.kind = FACT_TAKEN, .id = id});
	if (!turned.turn.outcome &&
		net_hosts_back_off(&s->hosts, &page, net_now(&s->source), &turned.pause))
		turned.turn = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
	const struct net_address address = net_hosts_grant(&s->hosts, page.host);
	if (!turned.turn.outcome && !net_fleet_may_ask(&s->fleet, id, &address)) {
		turned.turn = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		turned.pause = net_now(&s->source) + OTHERS_TURN_MS;
	}
	if (turned.turn.outcome) {
		s->turned[(s->turned_from + s->turned_n++) % s->parallel] = turned;
		return;
	}
	net_robots_tell(&s->robots, &page);
	fetchers_submit(s->fetchers, &(struct fetch_request){.id = id,
					     .url = page.url,
					     .n = page.url_length,
					     .tries = is_visit ? s->tries - 1 : known_tries(&s->knowledge, id),
					     .is_any_topic = s->knowledge.page[id].depth == 0,
					     .address = address,
					     .since = since});
}

/* Hosts that have answered in earlier sittings are known to answer. */
static void remember_hosts(struct net_source *s)
{
	const struct knowledge *k = &s->knowledge;

	for (uint32_t id = 0; id < k->n; id++)
		if (known_is_crawled(k, id))
			net_hosts_remember(&s->hosts, id);
	s->hosts_remembered = 1;
}

static void net_submit(struct source *source, const uint32_t *ids, size_t n)
{
	if (!self(source)->hosts_remembered)
		remember_hosts(self(source));

	for (size_t i = 0; i < n; i++)
		submit_page(self(source), ids[i]);
}

/* A page was put off, put back or refused when its turn came: nothing was asked, and no time has passed. */
static void turn_away(struct net_source *s, struct event *e)
{
	const struct turned *t = &s->turned[s->turned_from];
	const int64_t now = net_now(&s->source);

	s->turned_from = (s->turned_from + 1) % s->parallel;
	s->turned_n--;
	s->in_flight--;
	*e = (struct event){
		.id = t->id,
		.outcome = t->turn.outcome,
		.state = t->turn.state,
		.target = t->turn.original,
		.started = now,
		.ended = now,
		.ahead = clock_wall_ms() - now,
		.host_delay = -1,
		.host_pause = t->pause,
	};
	if (known_is_crawled(&s->knowledge, t->id)) {
		e->visit = e->state == PAGE_QUEUED ? VISIT_PUT_BACK : VISIT_FAILED;
		e->not_before = t->pause;
		return;
	}
	know_sound(&s->knowledge,
		&(struct fact){
			.kind = FACT_ENDED, .id = e->id, .outcome = e->outcome, .state = e->state});
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
		!known_is_crawled(&s->knowledge, (*out)->id) &&
		store_page(s->store, (*out)->id, &known))
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
	int err;

	*events = e;
	if (s->turned_n) {
		turn_away(s, e);
		return 1;
	}
	const int64_t probe = outages_next_probe(s->hosts.outages);
	if (!s->in_flight && probe < until && probe > net_now(source))
		until = probe;
	if (!reap_page(s, &page, until == FRONTIER_NEVER ? until : until - s->offset))
		return 0;
	fetch_page_free(s->page);
	s->page = page;
	s->in_flight--;
	net_fleet_asked(&s->fleet, page);
	net_hosts_judge(&s->hosts, page, s->offset);
	*e = (struct event){
		.id = page->id,
		.outcome = page->outcome,
		.state = page->state,
		.status = page->status,
		.target = STORE_NO_PAGE,
		.not_before = page->ended + page->retry_after + s->offset,
		.started = page->started + s->offset,
		.ended = page->ended + s->offset,
		.ahead = clock_wall_ms() - net_now(source),
		.host_delay = page->host_delay,
		.host_pause = page->host_pause > 0 ? page->ended + page->host_pause + s->offset : 0,
		.bytes = page->bytes,
		.digest = {page->digest[0], page->digest[1]},
		.fingerprint = page->fingerprint,
		.simhash = page->simhash,
		.validators = page->validators,
		.archived = page->archived,
		.is_off_topic = page->is_off_topic,
		.is_scored = page->is_scored,
		.score = page->score,
		.about = &page->about,
	};
	e->address = net_addresses_tell(
		s->hosts.addresses, host_of(s, page->id), &page->address);
	err = net_robots_keep(&s->robots, page, why);
	if (!err)
		err = known_is_crawled(&s->knowledge, page->id) ? net_visits_end(&s->pages, page, e, why)
								: net_pages_end(&s->pages, page, e, why);
	if (err)
		net_release(source);
	return err ? err : 1;
}

static void net_abort(struct source *source)
{
	fetchers_abort(self(source)->fetchers);
}

static int net_is_over(struct source *source)
{
	return outages_over(self(source)->hosts.outages);
}

static uint64_t net_silent_hosts(const struct source *source)
{
	return outages_silent(((const struct net_source *)source)->hosts.outages);
}

static void net_close(struct source *source)
{
	struct net_source *s = self(source);

	fetchers_free(s->fetchers);
	fetch_page_free(s->page);
	previous_release(&s->previous);
	knowledge_release(&s->knowledge);
	distinct_release(&s->distinct);
	url_release(&s->url);
	net_robots_release(&s->robots);
	net_pages_release(&s->pages);
	net_fleet_release(&s->fleet);
	free(s->seen_links);
	net_hosts_release(&s->hosts);
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
	.is_over = net_is_over,
	.silent_hosts = net_silent_hosts,
	.close = net_close,
};

int net_source_new(struct source **out, const struct fetch_settings *set, struct scope *scope,
	struct store *store, struct err_note *why)
{
	assert(set->tries >= 1 && set->tries <= FETCH_MAX_TRIES);
	struct net_source *s = mem_zero(1, sizeof *s);

	s->source.ops = &ops;
	net_hosts_init(&s->hosts, store, OUTAGE_GIVE_UP_MS);
	s->rules = set->rules;
	s->tries = set->tries;
	s->host_settings = set->host_settings;
	s->is_scored = set->scorer != NULL;
	s->has_anchors = set->anchors;
	previous_init(&s->previous, NULL, 0);
	s->offset = clock_wall_ms() - clock_ms();
	s->store = store;
	knowledge_init(&s->knowledge, store, scope);
	net_pages_init(&s->pages, &s->knowledge, store, set->redirects);
	int err = fetchers_new(&s->fetchers, set, why);
	if (!err) {
		s->parallel = fetchers_parallel(s->fetchers);
		s->turned = mem_new(s->parallel, sizeof *s->turned);
	}
	net_robots_init(&s->robots, store, set->no_robots ? NULL : s->fetchers);
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
	s->previous.with_anchors = s->has_anchors;
}

void net_source_divide(struct source *source, const struct shares *shares, unsigned agent,
	const struct net_permits *permits)
{
	struct net_source *s = self(source);

	s->fleet = (struct net_fleet){.permits = *permits, .shares = shares, .self = agent, .store = s->store, .pages = &s->pages};
}

struct net_fleet *net_source_fleet(struct source *source)
{
	return &self(source)->fleet;
}

void net_source_has_scores(struct source *source)
{
	self(source)->is_scored = 1;
}

void net_source_give_up_after(struct source *source, int64_t ms)
{
	net_hosts_give_up_after(&self(source)->hosts, ms);
}

int net_source_find(
	struct source *source, const struct url *seed, uint32_t *id, struct err_note *why)
{
	struct net_source *s = self(source);

	url_copy(&s->url, seed);
	url_rules_apply(s->rules, &s->url);
	return net_pages_meet(&s->pages, &s->url, &(struct found){.by = FOUND_AS_SEED}, id, why);
}

int net_source_is_seed(const struct source *source, uint32_t id)
{
	const struct knowledge *k = &((const struct net_source *)source)->knowledge;

	return k->page[id].depth == 0 && known_refusal(k, id) == OUTCOME_NONE;
}

int net_source_seed(struct source *source, uint32_t id, struct err_note *why)
{
	struct net_source *s = self(source);
	const struct log_entry entry = {.kind = LOG_SEED, .id = id};
	int err = store_log(s->store, &entry, why);

	return err ? err : know_entry(&s->knowledge, &entry, NULL, 0, why);
}

struct knowledge *net_source_knowledge(struct source *source)
{
	return &self(source)->knowledge;
}
