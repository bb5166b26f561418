#include "crawler/live/live_requisites.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/network/net_source.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER  "requisites"
#define LOOK_MS 50 /* how often a wait looks whether the crawl was stopped */

struct live_requisites {
	struct live_requisites_settings settings;
	struct live *pages; /* the crawl of the pages */
	struct live_decision decision;
	struct live *live; /* the crawl of the requisites */
	struct observer forward;
	struct buf dir;
	enum crawl_end end;
	int is_turn; /* 1: the requisites are fetched as soon as no page is in flight */
	int paused;
	int64_t started, last_turn; /* ms of clock_ms() */
	uint64_t crawled;           /* pages since the last turn */
	uint64_t bytes, of_pages;   /* of the bodies of requisites, and of pages, in this sitting */
};

/* --- the configuration */

/* Returns the settings of the crawl of requisites: those of the pages' crawl, without the settings that say which pages belong to
 * the crawl. What keeps any URL out of the crawl (blocks, rejected hosts and expressions) keeps a requisite out, too. */
static struct live_config config_for(const struct live_config *pages, struct flag_list *traps)
{
	static const char *no_traps[] = {"session-ids=0", "duplicates=0", "mirror=0", NULL};
	struct live_config c = *pages;

	*traps = (struct flag_list){no_traps, 3};
	c.policy = "bfs";
	c.policy_opt = (struct flag_list){NULL, 0};
	c.max_pages = LIVE_REQUISITES_MOST;
	c.host_share = 1;
	c.batch = c.total = c.max_per_host = c.max_per_domain = c.max_bytes = 0;
	c.max_time = 0;
	c.tol = c.stop_when = 0;
	c.score_cmd = NULL;
	c.keep_anchors = c.no_parent = c.follow_sitemaps = c.refresh = c.forever = c.requisites = 0;
	c.span_hosts = 1;
	c.domains = c.accept = c.accept_regex = c.accept_type = c.accept_text = NULL;
	c.rules_file = c.host_settings_file = c.host_scope = NULL;
	c.trap_opt = *traps;
	c.max_depth = LIVE_REQUISITES_DEPTH;
	c.previous = c.warc = c.wacz = c.warc_dedup = c.log = c.log_to = c.exec = c.render_cmd = c.mirror = c.monitor =
		c.monitor_token = NULL;
	c.metrics = LIVE_NO_METRICS;
	return c;
}

/* Decides the settings of the crawl of requisites: those of the pages' crawl in this sitting, except settings that no later sitting
 * may change, which the store decides. */
static int decide(struct live_requisites *r, struct err_note *why)
{
	struct flag_list traps;
	const struct live_config config = config_for(r->settings.config, &traps);
	struct live_asked asked = {.dir = r->dir.at, .config = &config, .replace = LIVE_RESCOPE | LIVE_KEEP};
	struct store *store = NULL;
	const struct flag *row;
	int err = store_is(r->dir.at) ? store_open(&store, r->dir.at, STORE_READ, why) : 0;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		asked.row[i] = row->keeping == FLAG_FIXED || row->keeping == FLAG_BY_SWAP ? LIVE_UNASKED : LIVE_ASKED;
	if (!err)
		err = live_decide(&r->decision, &asked, store, why);
	return store_close(store, err, why);
}

/* --- the two crawls beside each other */

static int64_t rest_at(struct live *live, const char *host, size_t n)
{
	uint32_t number;

	return store_find_host(live_store(live), host, n, &number) ? frontier_host_rest(live_frontier(live), number) : 0;
}

static int64_t rest_of_pages(void *ctx, const char *host, size_t n)
{
	return rest_at(((struct live_requisites *)ctx)->pages, host, n);
}

static int64_t rest_of_requisites(void *ctx, const char *host, size_t n)
{
	return rest_at(((struct live_requisites *)ctx)->live, host, n);
}

static int is_crawled_page(void *ctx, const char *url, size_t n)
{
	struct live *pages = ((struct live_requisites *)ctx)->pages;
	uint32_t id;

	return store_find(live_store(pages), url, n, &id) && frontier_state(live_frontier(pages), id) == PAGE_CRAWLED;
}

/* Makes a step of the pages' crawl, which answers its operator while requisites are fetched. */
static int step_of_pages(void *ctx, struct err_note *why)
{
	const struct live_requisites_settings *s = &((struct live_requisites *)ctx)->settings;

	for (size_t i = 0; i < s->n_observers; i++)
		if (s->observers[i].step)
			TRY(s->observers[i].step(s->observers[i].ctx, why));
	return 0;
}

int live_requisites_open(struct live_requisites **out, struct live *pages, const struct live_requisites_settings *settings,
	struct err_note *why)
{
	struct live_requisites *r = mem_zero(1, sizeof *r);

	*out = r;
	r->settings = *settings;
	r->pages = pages;
	r->forward = (struct observer){.ctx = r, .step = step_of_pages};
	r->started = r->last_turn = clock_ms();
	buf_format(&r->dir, "%s/" FOLDER, settings->dir);
	TRY(decide(r, why));
	TRY(live_new(&r->live,
		&(struct live_settings){.dir = r->dir.at,
			.decision = &r->decision,
			.stop = settings->stop,
			.paused = settings->paused,
			.shared = &r->settings.shared},
		why));
	live_observe(r->live, &r->forward, 1, NULL);
	TRY(live_open(r->live, why));
	net_source_look_beside(live_source(r->live),
		&(struct net_beside){.ctx = r, .has_crawled = is_crawled_page, .rests_until = rest_of_pages});
	net_source_look_beside(live_source(pages), &(struct net_beside){.ctx = r, .rests_until = rest_of_requisites});
	return 0;
}

/* --- turns */

/* Waits until all hosts and addresses that a crawl has asked have rested, since the other crawl may know an address by another
 * host. A host that rests for longer is left to net_beside. */
static int wait_for_rests(struct live_requisites *r, struct live *live, struct err_note *why)
{
	struct source *s = live_source(live);
	const int64_t latest = s->ops->now(s) + FRONTIER_MAX_SLOW_MS, until = frontier_all_rest(live_frontier(live), latest);

	for (int64_t now; (now = s->ops->now(s)) < until && !(r->settings.stop && *r->settings.stop);) {
		poll(NULL, 0, (int)(until - now < LOOK_MS ? until - now : LOOK_MS));
		TRY(step_of_pages(r, why));
	}
	return 0;
}

/* Fetches requisites for at most `most` ms, unless a limit of the sitting is reached already; INT64_MAX: to the end. */
static int fetch(struct live_requisites *r, int64_t most, struct err_note *why)
{
	const struct live_config *pages = r->settings.config;
	struct live_config *c = &r->decision.config;
	const int64_t left = pages->max_time ? pages->max_time - (clock_ms() - r->started) : INT64_MAX;
	const uint64_t bytes = r->bytes + r->of_pages;
	struct frontier_counts n;
	struct live_summary summary;

	r->is_turn = 0;
	r->crawled = 0;
	r->end = left <= 0 ? CRAWL_TIME : pages->max_bytes && bytes >= pages->max_bytes ? CRAWL_BYTES : CRAWL_DONE;
	if (r->end != CRAWL_DONE)
		return 0;
	frontier_count(live_frontier(r->pages), &n);
	c->max_pages = LIVE_REQUISITES_MOST + LIVE_REQUISITES_MOST_A_PAGE * n.crawled;
	c->max_bytes = pages->max_bytes ? pages->max_bytes - bytes : 0;
	c->max_time = left < most ? left : most == INT64_MAX ? 0 : most;
	int err = wait_for_rests(r, r->pages, why);
	if (!err)
		err = live_run(r->live, why);
	if (!err && most != INT64_MAX)
		err = wait_for_rests(r, r->live, why);
	live_summary(r->live, &summary);
	r->end = summary.end;
	r->bytes += summary.bytes_now;
	r->last_turn = clock_ms();
	return err;
}

static int is_due(const struct live_requisites *r)
{
	return r->crawled >= LIVE_REQUISITES_PAGES || (r->crawled && clock_ms() - r->last_turn >= LIVE_REQUISITES_MS);
}

static int step(void *ctx, struct err_note *why)
{
	struct live_requisites *r = ctx;
	int err = 0;

	r->is_turn = r->is_turn || is_due(r);
	if (r->is_turn && !frontier_in_flight(live_frontier(r->pages))) {
		err = live_commit(r->pages, why);
		if (!err)
			err = fetch(r, LIVE_REQUISITES_MS, why);
	}
	r->paused = r->is_turn || (r->settings.paused && *r->settings.paused);
	return err;
}

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct live_requisites *r = ctx;

	r->of_pages += e->bytes;
	r->crawled += e->state == PAGE_CRAWLED;
	for (const char *at = e->requisites, *end = at + e->requisites_n; at < end; at += strlen(at) + 1)
		TRY(live_require(r->live, at, strlen(at), why));
	return 0;
}

static int sync_requisites(void *ctx, struct err_note *why)
{
	return store_commit(live_store(((struct live_requisites *)ctx)->live), why);
}

struct observer live_requisites_observer(struct live_requisites *r)
{
	return (struct observer){.ctx = r, .event = event, .visit = event, .step = step, .sync = sync_requisites};
}

const int *live_requisites_paused(const struct live_requisites *r)
{
	return &r->paused;
}

const uint64_t *live_requisites_bytes(const struct live_requisites *r)
{
	return &r->bytes;
}

int live_requisites_finish(struct live_requisites *r, struct err_note *why)
{
	return fetch(r, INT64_MAX, why);
}

void live_requisites_count(struct live_requisites *r, struct live_requisite_counts *out)
{
	struct frontier_counts n;

	live_queue_seeds(r->live);
	frontier_count(live_frontier(r->live), &n);
	*out = (struct live_requisite_counts){.fetched = n.crawled,
		.failed = n.failed,
		.refused = n.refused,
		.queued = n.queued,
		.end = r->end};
}

void live_requisites_close(struct live_requisites *r)
{
	if (!r)
		return;
	live_close(r->live);
	live_decision_release(&r->decision);
	buf_release(&r->dir);
	free(r);
}
