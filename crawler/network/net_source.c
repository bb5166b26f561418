#include "crawler/network/net_source.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/network/net_beside.h"
#include "crawler/network/net_hosts.h"
#include "crawler/network/net_pages.h"
#include "crawler/network/net_robots.h"
#include "crawler/network/net_visits.h"
#include "crawler/network/net_world.h"
#include "crawler/network/previous.h"

#include <assert.h>
#include <stdlib.h>

/* The pause, in ms, of a host whose address another agent may ask at this moment. */
#define OTHERS_TURN_MS 100

/* A page that was submitted, and for which no request was made. */
struct unrequested {
	uint32_t id;
	struct taken_verdict verdict;
	int64_t pause; /* its host is not to be asked before, ms; 0: says nothing */
};

struct net_source {
	struct source source; /* first: a source is its net_source */
	struct fetchers *fetchers;
	struct knowledge knowledge;
	struct store *store;
	struct net_pages pages;
	struct net_fleet fleet;
	struct net_world world;
	struct net_beside beside; /* rests_until NULL: there is no crawl beside this one */
	struct previous previous;
	struct url url; /* scratch */
	unsigned parallel, in_flight;
	unsigned tries;                  /* of the fetch settings */
	unsigned rules;                  /* of the fetch settings */
	struct unrequested *unrequested; /* a ring of submitted pages that are refused, deferred or put back without a request */
	unsigned unrequested_from, unrequested_n;
	int64_t offset; /* from clock_ms() to ms since 1970 */
	struct net_hosts hosts;
	int hosts_remembered;
	struct result unasked;   /* of the last page that came back without a request */
	struct fetch_page *page; /* the last page that came from the fetchers; its result is what net_reap() returned */
	struct net_robots robots;
};

static struct net_source *self(struct source *source)
{
	return (struct net_source *)source;
}

static void fill_world(struct source *source, struct frontier_world *world)
{
	net_world_fill(&self(source)->world, world);
}

static size_t net_room(struct source *source)
{
	const struct net_source *s = self(source);

	return outages_room(s->hosts.outages, s->parallel - s->in_flight, s->in_flight, clock_ms() + s->offset);
}

static int64_t net_now(struct source *source)
{
	return clock_ms() + self(source)->offset;
}

/* Judges a page that was taken, and submits it to the fetchers; or, if no request is to be made now, puts it into the ring of
 * unrequested pages. */
static void submit_page(struct net_source *s, uint32_t id)
{
	struct store_page page;
	/* a page that is crawled is visited again: it is in no budget, and a visit has one try */
	const int is_visit = knowledge_is_crawled(&s->knowledge, id);
	struct unrequested u = {.id = id,
		.verdict = is_visit ? knowledge_judge_visited(&s->knowledge, id) : knowledge_judge_taken(&s->knowledge, id)};
	const int found = store_page(s->store, id, &page); /* behind the judgement, which reads other pages' URLs */

	assert(found && s->in_flight < s->parallel);
	(void)found;
	s->in_flight++;
	const struct validators since = is_visit ? net_visits_since(s->store, id) : previous_validators(&s->previous, &page);
	if (!is_visit)
		knowledge_apply_own(&s->knowledge, &(struct fact){.kind = FACT_TAKEN, .id = id});
	if (!u.verdict.outcome && net_hosts_back_off(&s->hosts, &page, net_now(&s->source), &u.pause))
		u.verdict = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
	net_beside_judge(&s->beside, s->store, &page, net_now(&s->source), &u.verdict, &u.pause);
	const struct net_address address = net_hosts_grant(&s->hosts, page.host);
	if (!u.verdict.outcome && !net_fleet_may_ask(&s->fleet, id, &address)) {
		u.verdict = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		u.pause = net_now(&s->source) + OTHERS_TURN_MS;
	}
	if (u.verdict.outcome) {
		s->unrequested[(s->unrequested_from + s->unrequested_n++) % s->parallel] = u;
		return;
	}
	net_robots_tell(&s->robots, &page);
	fetchers_submit(s->fetchers,
		&(struct fetch_request){.id = id,
			.url = page.url,
			.n = page.url_length,
			.tries = is_visit ? s->tries - 1 : knowledge_tries(&s->knowledge, id),
			.is_any_topic = s->knowledge.page[id].depth == 0,
			.address = address,
			.since = since});
}

/* Hosts that have answered in earlier sittings are known to answer. */
static void remember_hosts(struct net_source *s)
{
	const struct knowledge *k = &s->knowledge;

	for (uint32_t id = 0; id < k->n; id++)
		if (knowledge_is_crawled(k, id))
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

/* Returns the event of a page that was deferred, put back or refused when it was submitted: no request was made, and no time has
 * passed. */
static const struct result *report_unrequested(struct net_source *s)
{
	struct result *e = &s->unasked;
	const struct unrequested *t = &s->unrequested[s->unrequested_from];
	const int64_t now = net_now(&s->source);

	s->unrequested_from = (s->unrequested_from + 1) % s->parallel;
	s->unrequested_n--;
	s->in_flight--;
	*e = (struct result){
		.id = t->id,
		.outcome = t->verdict.outcome,
		.state = t->verdict.state,
		.target = t->verdict.original,
		.started = now,
		.ended = now,
		.ahead = clock_wall_ms() - now,
		.host_delay = -1,
		.host_pause = t->pause,
	};
	if (knowledge_is_crawled(&s->knowledge, t->id)) {
		e->visit = e->state == PAGE_QUEUED ? VISIT_PUT_BACK : VISIT_FAILED;
		e->not_before = t->pause;
		return e;
	}
	knowledge_apply_own(&s->knowledge,
		&(struct fact){.kind = FACT_ENDED, .id = e->id, .outcome = e->outcome, .state = e->state});
	return e;
}

static void net_release(struct source *source)
{
	struct net_source *s = self(source);

	fetch_page_free(s->page);
	s->page = NULL;
}

/* Waits for a fetched page until the time `until`. If the server answers that the page has not changed since the crawl of
 * --previous (304),
 * *out gets the links and hashes of that crawl. Returns 1, or 0 at that time. */
static int reap_page(struct net_source *s, struct fetch_page **out, int64_t until)
{
	struct store_page known;

	if (!fetchers_reap(s->fetchers, out, until))
		return 0;
	if ((*out)->result.state == PAGE_CRAWLED && (*out)->result.status == 304 &&
		!knowledge_is_crawled(&s->knowledge, (*out)->result.id) && store_page(s->store, (*out)->result.id, &known))
		*out = previous_take(&s->previous, &known, *out);
	return 1;
}

/* Moves a result from the fetchers' clock to that of the source. */
static void move_clock(const struct net_source *s, struct result *r)
{
	r->started += s->offset;
	r->ended += s->offset;
	r->not_before += s->offset;
	if (r->host_pause)
		r->host_pause += s->offset;
	r->ahead = clock_wall_ms() - net_now((struct source *)&s->source);
}

/* Returns one event for each call (source_ops.reap): events of the network are too rare for batches to save time. */
static int net_reap(struct source *source, const struct result **events, int64_t until, struct err_note *why)
{
	struct net_source *s = self(source);
	struct fetch_page *page;
	int err;

	if (s->unrequested_n) {
		*events = report_unrequested(s);
		return 1;
	}
	const int64_t probe = outages_next_probe(s->hosts.outages);
	if (!s->in_flight && probe < until && probe > net_now(source))
		until = probe;
	if (!reap_page(s, &page, until == FRONTIER_NEVER ? until : until - s->offset))
		return 0;
	fetch_page_free(s->page);
	s->page = page;
	struct result *r = &page->result;
	*events = r;
	s->in_flight--;
	net_fleet_asked(&s->fleet, page);
	move_clock(s, r);
	net_hosts_judge(&s->hosts, page);
	r->address = net_addresses_tell(s->hosts.addresses, knowledge_host(&s->knowledge, r->id), &page->address);
	err = net_robots_keep(&s->robots, page, why);
	if (!err)
		err = (knowledge_is_crawled(&s->knowledge, r->id) ? net_visits_end : net_pages_end)(&s->pages, page, why);
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
	net_world_release(&s->world);
	url_release(&s->url);
	net_robots_release(&s->robots);
	net_pages_release(&s->pages);
	net_fleet_release(&s->fleet);
	net_hosts_release(&s->hosts);
	free(s->unrequested);
	free(s);
}

static const struct source_ops ops = {
	.name = "network",
	.world = fill_world,
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

int net_source_new(struct source **out, const struct fetch_settings *set, struct scope *scope, struct store *store,
	struct err_note *why)
{
	assert(set->tries >= 1 && set->tries <= FETCH_MAX_TRIES);
	struct net_source *s = mem_zero(1, sizeof *s);

	s->source.ops = &ops;
	net_hosts_init(&s->hosts, store, OUTAGE_GIVE_UP_MS);
	s->rules = set->rules;
	s->tries = (unsigned)set->tries;
	s->world = (struct net_world){.store = store,
		.knowledge = &s->knowledge,
		.fleet = &s->fleet,
		.host_settings = set->host_settings,
		.is_scored = set->scorer != NULL,
		.has_anchors = set->keep_anchors};
	previous_init(&s->previous, NULL, 0);
	s->offset = clock_wall_ms() - clock_ms();
	s->store = store;
	knowledge_init(&s->knowledge, store, scope);
	net_pages_init(&s->pages, &s->knowledge, store, (unsigned)set->max_redirect);
	int err = fetchers_new(&s->fetchers, set, why);
	if (!err) {
		s->parallel = fetchers_parallel(s->fetchers);
		s->unrequested = mem_new(s->parallel, sizeof *s->unrequested);
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
	s->previous.with_anchors = s->world.has_anchors;
}

void net_source_divide(struct source *source, const struct shares *shares, unsigned agent, const struct net_permits *permits)
{
	struct net_source *s = self(source);

	s->pages.is_shared = shares != NULL;
	s->fleet = (struct net_fleet){.permits = *permits, .shares = shares, .self = agent, .store = s->store, .pages = &s->pages};
}

struct net_fleet *net_source_fleet(struct source *source)
{
	return &self(source)->fleet;
}

int net_source_adopt(struct source *source, struct fetch_page *page, struct err_note *why)
{
	struct net_source *s = self(source);

	knowledge_apply_own(&s->knowledge, &(struct fact){.kind = FACT_TAKEN, .id = page->result.id});
	return net_pages_end(&s->pages, page, why);
}

void net_source_has_scores(struct source *source)
{
	self(source)->world.is_scored = 1;
}

void net_source_give_up_after(struct source *source, int64_t ms)
{
	net_hosts_give_up_after(&self(source)->hosts, ms);
}

int net_source_find(struct source *source, const struct url *seed, uint32_t *id, struct err_note *why)
{
	struct net_source *s = self(source);

	url_copy(&s->url, seed);
	url_drop_user(&s->url);
	url_rules_apply(s->rules, &s->url);
	return net_pages_meet(&s->pages, &s->url, &(struct found){.by = FOUND_AS_SEED}, id, why);
}

int net_source_is_seed(const struct source *source, uint32_t id)
{
	const struct knowledge *k = &((const struct net_source *)source)->knowledge;

	return k->page[id].depth == 0 && knowledge_refusal(k, id) == OUTCOME_NONE;
}

int net_source_seed(struct source *source, uint32_t id, struct err_note *why)
{
	struct net_source *s = self(source);
	const struct log_entry entry = {.kind = LOG_SEED, .id = id};
	int err = store_log(s->store, &entry, why);

	return err ? err : knowledge_apply_entry(&s->knowledge, &entry, NULL, 0, why);
}

struct knowledge *net_source_knowledge(struct source *source)
{
	return &self(source)->knowledge;
}

void net_source_look_beside(struct source *source, const struct net_beside *beside)
{
	self(source)->beside = *beside;
}
