#include "crawler/network/net_source.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/knowledge/knowledge.h"
#include "crawler/knowledge/outages.h"
#include "crawler/network/net_pages.h"
#include "crawler/network/net_fleet.h"
#include "crawler/network/net_visits.h"
#include "fetch/fetch.h"
#include "fetch/page_build.h"
#include "fetch/robots_cache.h"
#include "frontier/frontier.h"
#include "frontier/policy.h"
#include "parser/host_settings.h"
#include "parser/url.h"
#include "storage/store.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Judges a page whose turn has come, unless *turn has an outcome already. The page is refused if the other crawl has crawled it,
 * and put back until *pause if its host rests after a request of the other crawl; else nothing is changed. */
static void net_beside_judge(const struct net_beside *b, struct store *store, const struct store_page *page, int64_t now,
	struct taken_verdict *turn, int64_t *pause)
{
	const char *host = b->rests_until && !turn->outcome ? store_host_name(store, page->host) : NULL;

	if (!host)
		return;
	if (b->has_crawled && b->has_crawled(b->ctx, page->url, page->url_length)) {
		*turn = (struct taken_verdict){OUTCOME_IS_PAGE, PAGE_REFUSED, STORE_NO_PAGE};
		return;
	}
	const int64_t until = b->rests_until(b->ctx, host, strlen(host));
	if (until > now) {
		*turn = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		*pause = until;
	}
}

/* The comparison with an earlier crawl of the same sites (--previous): a page that was crawled there is requested only if it
 * has changed since, and if it has not, its links and digest are taken from the earlier crawl's store. */
struct previous {
	struct store *store; /* the earlier crawl's, open for reading; NULL if there is none */
	int with_anchors;    /* 1: the links have the anchor texts of the earlier crawl */
	struct page_build build;
	struct url url; /* scratch memory */
};

static int find(struct previous *p, const struct store_page *page, uint32_t *id, struct result *out)
{
	return p->store && store_find(p->store, page->url, page->url_length, id) && store_result(p->store, *id, out) &&
		out->state == PAGE_CRAWLED;
}

/* Returns the validators for a conditional request of a page: those of the earlier crawl, or none if it has not crawled the
 * page or the server had sent none. The ETag belongs to the earlier store and is valid until the next call that
 * reads from it. */
static struct validators previous_validators(struct previous *p, const struct store_page *page)
{
	struct result known;
	uint32_t id;

	if (!find(p, page, &id, &known))
		return (struct validators){0, NULL, 0};
	return known.validators;
}

static void add_links(struct previous *p, uint32_t id)
{
	const uint32_t *links;
	const uint8_t *kinds;
	struct store_page target;
	size_t anchor_n;
	const size_t n = store_web_links(p->store, id, &links, &kinds);

	for (size_t i = 0; i < n; i++)
		if (store_page(p->store, links[i], &target) && url_parse(&p->url, target.url, target.url_length, NULL) == URL_OK)
			page_build_add(&p->build, &p->url, kinds ? kinds[i] : 0,
				p->with_anchors ? store_anchor(p->store, id, i, &anchor_n) : "");
}

/* Completes a page for which the server has answered that it has not changed: returns a page with the fields of `fresh` and
 * with the links, digest, fingerprint and simhash of the earlier crawl, and its validators if the answer has none. The
 * function takes ownership of `fresh`; the caller owns the result (which is `fresh` if the earlier crawl does not have
 * the page after all). */
static struct fetch_page *previous_take(struct previous *p, const struct store_page *page, struct fetch_page *fresh)
{
	struct fetch_page head = *fresh;
	struct result known;
	uint32_t id;

	if (!find(p, page, &id, &known))
		return fresh;
	head.result.digest[0] = known.digest[0];
	head.result.digest[1] = known.digest[1];
	head.result.fingerprint = known.fingerprint;
	head.result.simhash = known.simhash;
	head.result.usage |= known.usage; /* the document has not changed, nor what it asks */
	head.result.is_scored = known.is_scored;
	head.result.score = known.score;
	if (!*head.about.type)
		strcpy(head.about.type, known.type);
	strcpy(head.about.language, known.language);
	strcpy(head.about.title, known.title);
	if (!head.result.validators.modified && !head.result.validators.etag_length)
		head.result.validators = known.validators;
	/* copied before the links are read, since the ETag may point into memory of the store that reading them overwrites */
	AUTO(buf) etag = BUF_EMPTY;
	buf_add(&etag, head.result.validators.etag, head.result.validators.etag_length);
	head.result.validators.etag = etag.at;
	add_links(p, id);
	struct fetch_page *whole = page_build_take(&p->build, &head);
	fetch_page_free(fresh);
	return whole;
}

#define KEPT_MS 10 /* for each ill host, between two writings */

/* The state of the hosts of a live crawl, as requests show it: the address of each host, and the outages of hosts and
 * addresses (crawler/knowledge/outages.h). Times are in ms. */
struct net_hosts {
	struct store *store;
	struct net_addresses *addresses;
	struct outages *outages;
	int64_t next_kept; /* see net_hosts_keep() */
};

static struct endpoint endpoint_of(const struct net_hosts *h, const struct store_page *page)
{
	struct url u;
	const int is_url = url_split(&u, page->url, page->url_length) == URL_OK;

	return (struct endpoint){.host = page->host,
		.address = net_addresses_number(h->addresses, page->host),
		.port = is_url ? (uint16_t)u.port : 0};
}

/* Learns from a page that came back from the fetchers how its host is, and changes the result of a page that its host has failed
 * (outages_judge()). The times of the result are of the clock of outages_backs_off(). */
static void net_hosts_judge(struct net_hosts *h, struct fetch_page *page)
{
	struct result *r = &page->result;
	struct store_page known;

	if (store_page(h->store, r->id, &known))
		outages_judge(h->outages, endpoint_of(h, &known),
			page->no_request                               ? OUTAGE_OF_EARLIER
				: outcome_has(r->outcome, TRAIT_ASKED) ? OUTAGE_OF_PAGE
								       : OUTAGE_OF_ROBOTS,
			r);
}

/* The store's setting that says which hosts are ill. */
#define ILL "ill"

/* Keeps what is known of ill hosts in the store, so that a later sitting leaves them alone as long. The text is written anew after
 * each change, but the more rarely the longer it is. Returns 0 or an error of the store. */
static int net_hosts_keep(struct net_hosts *h, int64_t now, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	if (!outages_has_changed(h->outages) || now < h->next_kept)
		return 0;
	h->next_kept = now + KEPT_MS * (int64_t)outages_write(h->outages, &text);
	return store_set(h->store, ILL, text.at ? text.at : "", why);
}

/* Keeps the robots.txt of each origin in the store, so that a later sitting need not fetch it again while it is valid. */
struct net_robots {
	struct store *store;
	struct fetchers *fetchers; /* NULL: the crawl ignores robots.txt, and both functions do nothing */
	uint8_t *told;             /* for each host and scheme: the fetchers have been told its robots.txt */
	size_t n, room;
	struct url url;    /* scratch memory */
	struct buf origin; /* scratch memory */
};

/* Writes the origin of a page, as in "https://example.org", into r->origin. Returns 0, or -1 if the URL has none. */
static int find_origin(struct net_robots *r, const struct store_page *page)
{
	struct url *u = &r->url;

	if (url_parse(u, page->url, page->url_length, NULL) != URL_OK)
		return -1;
	buf_clear(&r->origin);
	buf_text(&r->origin, u->https ? "https://" : "http://");
	buf_add(&r->origin, u->text.at + u->host, u->path - u->host);
	return 0;
}

/* Returns 1 for the first page of a host and scheme in this sitting, and 0 for later ones. */
static int is_first(struct net_robots *r, const struct store_page *page)
{
	const size_t place = 2 * (size_t)page->host + (page->url[4] == 's');

	if (place >= r->n) {
		r->told = mem_grow(r->told, &r->room, place + 1, 1);
		memset(r->told + r->n, 0, place + 1 - r->n);
		r->n = place + 1;
	}
	const int first = !r->told[place];
	r->told[place] = 1;
	return first;
}

/* Hands the robots.txt that the store has for the origin of a page to the fetchers, the first time in this sitting. */
static void net_robots_tell(struct net_robots *r, const struct store_page *page)
{
	const int64_t now = clock_wall_ms();
	struct store_robots kept;

	if (!r->fetchers || !is_first(r, page) || find_origin(r, page) ||
		!store_robots(r->store, r->origin.at, r->origin.used, now, &kept))
		return;
	/* no longer than for a day, also where a clock was set back */
	const int64_t ms = kept.expires - now < ROBOTS_LIVE_MS ? kept.expires - now : ROBOTS_LIVE_MS;
	fetchers_know_robots(r->fetchers, page->url, page->url_length, kept.text, kept.n, ms);
}

/* Writes the robots.txt that a fetched page brought (see struct fetch_page) into the store, if it brought one. Returns 0
 * or an error of the store. */
static int net_robots_keep(struct net_robots *r, const struct fetch_page *page, struct err_note *why)
{
	struct store_page known;

	if (!page->robots || !r->fetchers || !store_page(r->store, page->result.id, &known) || find_origin(r, &known))
		return 0;
	return store_put_robots(r->store, r->origin.at, r->origin.used, page->robots, page->robots_n,
		clock_wall_ms() + ROBOTS_LIVE_MS, why);
}

/* What the frontier of a live crawl asks about pages (struct frontier_world of frontier/frontier.h), answered from the crawl's
 * store and knowledge. All pointers are borrowed. */
struct net_world {
	struct store *store;
	struct knowledge *knowledge;
	struct net_fleet *fleet;
	const struct host_settings *host_settings; /* NULL: all hosts have the same settings */
	int is_scored;                             /* 1: a score command scores the pages, or has scored them */
	int has_anchors;                           /* 1: the anchor texts of links are kept */
	const struct rules *rules;                 /* order pages; NULL: none do */
	struct url url;                            /* private: of the page whose rank was asked for last */
	/* private: the links of the page that was asked for last */
	struct distinct distinct;
	uint32_t *links;
	size_t room;
};

static uint32_t host_of(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;

	return knowledge_host(w->knowledge, id);
}

static int is_outside(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;

	return knowledge_refusal(w->knowledge, id) != OUTCOME_NONE;
}

/* Says that no page is deferred when it is discovered: the traps defer a page when it is taken. */
static int is_deferred(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

static int is_remote(void *ctx, uint32_t id)
{
	struct net_world *w = ctx;

	return net_fleet_is_remote(w->fleet, id);
}

/* Gives the links of a crawled page as the store has them, with each alias replaced by the page that it leads to now, and without
 * duplicates. */
static size_t links_of(void *ctx, uint32_t u, const uint32_t **out)
{
	struct net_world *w = ctx;
	struct knowledge *k = w->knowledge;
	const uint32_t *stored;
	const size_t n = store_links(w->store, u, &stored, NULL);
	size_t kept = 0;

	w->links = mem_grow(w->links, &w->room, n, sizeof *w->links);
	*out = w->links;
	distinct_begin(&w->distinct);
	for (size_t i = 0; i < n; i++) {
		if (stored[i] >= k->n)
			continue; /* a damaged store */
		uint32_t id = stored[i];
		if (k->aliases) {
			id = knowledge_resolve(k, id);
			if (!distinct_add(&w->distinct, id))
				continue;
		}
		w->links[kept++] = id;
	}
	return kept;
}

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	const struct net_world *w = ctx;
	struct store_page page;

	if (!store_page(w->store, id, &page))
		return NULL; /* a damaged store */
	*n = page.url_length;
	return page.url;
}

static double score_of(void *ctx, uint32_t id)
{
	const struct net_world *w = ctx;
	struct result result;

	return store_result(w->store, id, &result) && result.is_scored ? result.score : (double)NAN;
}

static const char *anchor_of(void *ctx, uint32_t u, uint32_t place, size_t *n)
{
	const struct net_world *w = ctx;

	return store_anchor(w->store, u, place, n);
}

/* Asks the rules for the rank of a page. A page of a damaged store, whose URL cannot be read, has none. */
static uint8_t rank_of(void *ctx, uint32_t id, uint32_t depth)
{
	struct net_world *w = ctx;
	size_t n = 0;
	const char *text = url_of(w, id, &n);

	if (!text || url_parse(&w->url, text, n, NULL) != URL_OK)
		return rank_make(TIER_NORMAL, 0);
	return rules_rank(w->rules, &w->url, depth);
}

/* Reads the user's settings for this host. */
static int manners_of(void *ctx, uint32_t host, struct frontier_manners *out)
{
	const struct net_world *w = ctx;
	const char *name = store_host_name(w->store, host);
	struct host_setting own;

	host_settings_for(w->host_settings, name ? name : "", name ? strlen(name) : 0, &own);
	*out = (struct frontier_manners){.delay_ms = own.delay,
		.slow_factor = own.delay_factor,
		.per_host = (uint32_t)own.parallel};
	return own.delay >= 0 || own.delay_factor >= 0 || own.parallel;
}

/* The pause, in ms, of a host whose address another agent may ask at this moment. */
#define OTHERS_TURN_MS 100

/* A page that was submitted, and for which no request was made. */
struct unrequested {
	uint32_t id;
	struct taken_verdict verdict;
	int64_t pause; /* its host is not to be asked before, ms; 0: says nothing */
	int64_t wait;  /* nor the page; 0: at any time */
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
	int reads_dates; /* 1: sitemaps are visited for their dates, and results have their claims */
	struct url url;  /* scratch */
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

/* Fills in the functions of *world, which call back to the source. */
static void fill_world(struct source *source, struct frontier_world *world)
{
	struct net_world *w = &self(source)->world;

	*world = (struct frontier_world){.ctx = w,
		.host = host_of,
		.outside = is_outside,
		.links = links_of,
		.url = url_of,
		.score = w->is_scored ? score_of : NULL,
		.anchor = w->has_anchors ? anchor_of : NULL,
		.has_kinds = 1,
		.defers = is_deferred,
		.rank = rules_weights(w->rules) ? rank_of : NULL,
		.weights = rules_weights(w->rules),
		.manners = w->host_settings ? manners_of : NULL,
		.is_remote = w->fleet->shares ? is_remote : NULL};
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
	const int is_whole = is_visit && s->reads_dates && store_is_sitemap(s->store, id);
	const struct validators since = is_whole ? (struct validators){0, NULL, 0}
		: is_visit                       ? net_visits_since(s->store, id)
						 : previous_validators(&s->previous, &page);
	if (!is_visit)
		knowledge_apply_own(&s->knowledge, &(struct fact){.kind = FACT_TAKEN, .id = id});
	net_beside_judge(&s->beside, s->store, &page, net_now(&s->source), &u.verdict, &u.pause);
	int64_t until;
	const enum outage_leave leave = u.verdict.outcome
		? OUTAGE_ASK
		: outages_backs_off(s->hosts.outages, endpoint_of(&s->hosts, &page), id, net_now(&s->source), &until);
	if (leave != OUTAGE_ASK) {
		u.verdict = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		*(leave == OUTAGE_HOST_WAITS ? &u.pause : &u.wait) = until;
	}
	struct net_address address = {{0}}; /* none is known yet */
	net_addresses_of(s->hosts.addresses, page.host, &address);
	if (!u.verdict.outcome && !net_fleet_may_ask(&s->fleet, id, &address)) {
		u.verdict = (struct taken_verdict){OUTCOME_BACK_OFF, PAGE_QUEUED, STORE_NO_PAGE};
		u.pause = net_now(&s->source) + OTHERS_TURN_MS;
		outages_unasked(s->hosts.outages, endpoint_of(&s->hosts, &page), id);
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
	struct store_page page;

	for (uint32_t id = 0; id < k->n; id++)
		if (knowledge_is_crawled(k, id) && store_page(s->store, id, &page))
			outages_remember(s->hosts.outages, endpoint_of(&s->hosts, &page));
	outages_read(s->hosts.outages, store_get(s->store, ILL), k->n, net_now(&s->source));
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
		.not_before = t->wait,
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
		err = net_hosts_keep(&s->hosts, r->ended, why);
	if (!err)
		err = (knowledge_is_crawled(&s->knowledge, r->id) ? net_visits_end : net_pages_end)(&s->pages, page, why);
	if (!err && s->reads_dates)
		net_visits_claims(&s->pages, page);
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
	AUTO_FREE struct net_source *s = self(source);

	fetchers_free(s->fetchers);
	fetch_page_free(s->page);
	page_build_release(&s->previous.build);
	url_release(&s->previous.url);
	knowledge_release(&s->knowledge);
	distinct_release(&s->world.distinct);
	url_release(&s->world.url);
	free(s->world.links);
	url_release(&s->url);
	url_release(&s->robots.url);
	buf_release(&s->robots.origin);
	free(s->robots.told);
	net_pages_release(&s->pages);
	net_fleet_release(&s->fleet);
	net_addresses_free(s->hosts.addresses);
	outages_free(s->hosts.outages);
	free(s->unrequested);
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
	s->hosts = (struct net_hosts){.store = store, .addresses = net_addresses_new(), .outages = outages_new(OUTAGE_GIVE_UP_MS)};
	s->rules = set->rules;
	s->tries = (unsigned)set->tries;
	s->world = (struct net_world){.store = store,
		.knowledge = &s->knowledge,
		.fleet = &s->fleet,
		.host_settings = set->host_settings,
		.is_scored = set->scorer != NULL,
		.has_anchors = set->keep_anchors,
		.rules = scope_rules(scope),
		.url = URL_EMPTY};
	page_build_init(&s->previous.build, STORE_LINKS_MAX, 0);
	s->previous.build.rules = set->rules;
	s->offset = clock_wall_ms() - clock_ms();
	s->store = store;
	knowledge_init(&s->knowledge, store, scope);
	net_pages_init(&s->pages, &s->knowledge, store, (unsigned)set->max_redirect);
	int err = fetchers_new(&s->fetchers, set, why);
	if (!err) {
		s->parallel = fetchers_parallel(s->fetchers);
		s->unrequested = mem_new(s->parallel, sizeof *s->unrequested);
	}
	s->robots = (struct net_robots){.store = store, .fetchers = set->no_robots ? NULL : s->fetchers};
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

	s->previous.store = previous;
	s->previous.with_anchors = s->world.has_anchors;
}

void net_source_read_dates(struct source *source)
{
	self(source)->reads_dates = 1;
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
	struct net_hosts *h = &self(source)->hosts;

	outages_free(h->outages);
	h->outages = outages_new(ms);
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

	TRY(store_log(s->store, &entry, why));
	return knowledge_apply_entry(&s->knowledge, &entry, NULL, 0, why);
}

struct knowledge *net_source_knowledge(struct source *source)
{
	return &self(source)->knowledge;
}

void net_source_look_beside(struct source *source, const struct net_beside *beside)
{
	self(source)->beside = *beside;
}
