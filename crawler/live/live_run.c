#include "crawler/live/live_parts.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "crawler/live/live.h"
#include "crawler/live/live_observers.h"
#include "crawler/network/net_source.h"
#include "crawler/observers/stop_when.h"
#include "crawler/resume/resume.h"
#include "fetch/trust.h"
#include "parser/url.h"
#include "traps/traps.h"

#include <assert.h>
#include <string.h>

#define SCHEME_MOST 11 /* bytes of a scheme, with its colon: "javascript:" */

/* Reads the seeds of a crawl (crawler/live/live.h) as the user types them. */

int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why)
{
	static const char *const problem[] =
		{[URL_BAD] = "is no URL", [URL_FOREIGN] = "is not http or https", [URL_TOO_LONG] = "is too long"};
	enum url_result result = url_parse(u, url, n, NULL);

	if (!result)
		return 0;
	/* a password is told to nobody, and a name may be a token: all but what can be a scheme is left out, up to the last '@' */
	const char *at = memrchr(url, '@', n), *colon = at ? memchr(url, ':', (size_t)(at - url)) : NULL;
	const size_t hidden = at ? (size_t)(at - url) : 0, shown = n - hidden, scheme = colon ? (size_t)(colon - url) + 1 : 0;
	return err_set(why, ERR_USAGE, "seed '%.*s%s%.*s' %s; http://example.org/ is one",
		(int)(scheme <= SCHEME_MOST ? scheme : 0), url, at ? "..." : "", (int)(shown < 200 ? shown : 200), url + hidden,
		problem[result]);
}

/* --- the seeds of a crawl that is open */

/* Adds the seed l->url. */
static int add_seed(struct live *l, struct err_note *why)
{
	uint32_t id;

	TRY(net_source_find(l->source, &l->url, &id, why));
	enum page_state state = frontier_state(l->frontier, id);
	if (state != PAGE_UNSEEN && state != PAGE_REFUSED && net_source_is_seed(l->source, id))
		return 0;
	const size_t added = l->added.used;
	map_at(&l->added, id);
	if (l->added.used == added)
		return 0;
	l->seeds = mem_grow(l->seeds, &l->seeds_room, l->n_seeds + 1, sizeof *l->seeds);
	l->seeds[l->n_seeds++] = id;
	return net_source_seed(l->source, id, why);
}

int live_seed(struct live *l, const struct url *url, enum guard_origin origin, struct err_note *why)
{
	url_copy(&l->url, url);
	if (url_drop_user(&l->url))
		log_say("user and password of the seed '%.200s' are left out; --auth FILE is for those of your own sites",
			l->url.text.at);
	if (scope_blocks(l->scope, &l->url)) {
		log_say("seed '%.200s' is left out: its host is blocked; 'lycosa ctl unblock HOST' ends that", l->url.text.at);
		return 0;
	}
	guard_add_seed(l->guard, &l->url, origin);
	TRY(l->url.https ? trust_check(l->network.fetch.cacert, why) : 0);
	l->summary.seeds++;
	return add_seed(l, why);
}

int live_require(struct live *l, const char *url, size_t n, struct err_note *why)
{
	TRY(live_seed_parse(&l->url, url, n, why));
	url_drop_user(&l->url);
	url_rules_apply(l->network.fetch.rules, &l->url);
	const struct url_traits traits = url_traits(&l->url);
	return scope_judge_known(l->scope, &traits, 0) ? 0 : add_seed(l, why);
}

void live_queue_seeds(struct live *l)
{
	frontier_seed(l->frontier, l->seeds, l->n_seeds);
	l->n_seeds = 0;
	map_release(&l->added); /* the frontier knows them now */
	map_init(&l->added, sizeof(uint64_t));
}

/* --- seeds with private addresses */

/* The store's setting with the URLs of the hosts and ports that were connected to at addresses that are not public, a line each,
 * since the user had named them as seeds. It grants nothing, since a store may come from elsewhere. */
#define PRIVATE_SEEDS "private-seeds"

static int is_line_of(const char *text, const char *line)
{
	const size_t n = strlen(line);
	size_t length;

	for (; text && *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length == n && memcmp(text, line, n) == 0)
			return 1;
	}
	return 0;
}

/* Keeps the seeds with private addresses in the store, before it commits. */
static int keep_private(void *live, struct err_note *why)
{
	struct live *l = live;
	const char *kept = store_get(l->store, PRIVATE_SEEDS), *origin;
	AUTO(buf) text = BUF_EMPTY;

	for (; (origin = guard_private(l->guard, l->private_seeds)); l->private_seeds++)
		if (!is_line_of(kept, origin))
			buf_format(&text, "%s\n", origin);
	if (text.used) {
		buf_text(&text, kept ? kept : "");
		TRY(store_set(l->store, PRIVATE_SEEDS, text.at, why));
	}
	return 0;
}

/* Returns an observer that keeps in the store which seeds the guard allows at private addresses, for live_seed_check_private(). */
static struct observer live_seed_observer(struct live *l)
{
	return (struct observer){.ctx = l, .sync = keep_private};
}

/* Checks, after all seeds of the sitting were added, that every seed which an earlier sitting has reached at a private address is
 * allowed there in this one: otherwise all its pages would fail. Returns 0 or ERR_USAGE. */
static int live_seed_check_private(struct live *l, struct err_note *why)
{
	const char *at = live_config_of(l)->allow_private ? NULL : store_get(l->store, PRIVATE_SEEDS);
	size_t n;

	for (; at && *at; at += n + (at[n] == '\n')) {
		n = strcspn(at, "\n");
		if (url_parse(&l->url, at, n, NULL) == URL_OK && !guard_grants(l->guard, &l->url))
			return err_set(why, ERR_USAGE,
				"the crawl in '%s' has the seed %.*s at a private address: name this URL again, or give --allow-private",
				l->settings.dir, (int)(n < 200 ? n : 200), at);
	}
	return 0;
}

/* Closes the archive, when nothing is in flight any more, unless another crawl has lent it. */
static int close_archive(struct live *l, struct err_note *why)
{
	struct warc *archive = l->archive;

	if (l->settings.shared)
		return 0;
	l->archive = NULL;
	return warc_close(archive, why);
}

int live_commit(struct live *l, struct err_note *why)
{
	return recorder_finish(&l->recorder, why);
}

/* Makes the schedule of visits of crawled pages, with --refresh. */
static int make_revisit(struct live *l, struct crawl *c, struct err_note *why)
{
	const struct revisit_settings s = {l->store, l->frontier, l->source, live_config_of(l)};

	if (!live_config_of(l)->refresh)
		return 0;
	TRY(revisit_new(&l->revisit, &s, why));
	c->revisits = revisit_hooks(l->revisit);
	return 0;
}

/* Fetches the requisites of the pages, unless the crawl was stopped. A stop that comes meanwhile stops the crawl. */
static int finish_requisites(struct live *l, struct crawl *c, struct err_note *why)
{
	const int err = c->end == CRAWL_STOPPED ? 0 : live_requisites_finish(l->requisites, why);

	l->summary.has_requisites = 1;
	live_requisites_count(l->requisites, &l->summary.requisites);
	if (l->summary.requisites.end == CRAWL_STOPPED)
		c->end = CRAWL_STOPPED;
	return err;
}

/* What a run adds to the crawl: its observers, and the parts that belong to some of them. */
struct run {
	struct observer observers[12 + LIVE_OBSERVERS];
	size_t n;
	struct stop_when stop_when;
	struct snapshot_keeper keeper;
};

static void observe(struct run *r, struct observer observer)
{
	assert(r->n < sizeof r->observers / sizeof *r->observers);
	r->observers[r->n++] = observer;
}

/* Fills in the observers in the sequence in which they hear of an event. The recorder comes behind archive and log: a page is
 * committed only after they have it, and an uncommitted page is fetched again. */
static void add_observers(struct live *l, struct run *r)
{
	const struct live_config *settings = live_config_of(l);

	observe(r, live_memory_observer());
	observe(r, live_policy_observer(&l->policy));
	observe(r, live_service_observer(l->scorer));
	observe(r, live_service_observer(l->runner));
	observe(r, live_service_observer(l->renderer));
	if (l->archive)
		observe(r, live_archive_observer(l->archive));
	for (size_t i = 0; i < l->n_observers; i++)
		observe(r, l->observers[i]);
	if (l->agent)
		observe(r, live_agent_observer(l->agent));
	if (l->requisites)
		observe(r, live_requisites_observer(l->requisites));
	if (!l->settings.shared)
		observe(r, live_seed_observer(l));
	recorder_init(&l->recorder, l->store, l->frontier, r->observers, r->n);
	observe(r, recorder_observer(&l->recorder));
	if (l->agent)
		observe(r, live_agent_after(l->agent));
	keeper_init(&r->keeper, &l->snapshots, l->store, l->frontier, net_source_knowledge(l->source), l->source, &l->recorder);
	observe(r, keeper_observer(&r->keeper));
	stop_when_init(&r->stop_when, settings->stop_when, l->store, l->frontier);
	if (settings->stop_when > 0)
		observe(r, stop_when_observer(&r->stop_when));
}

/* Crawls, leaves the other agents, fetches the remaining requisites, and closes the archive. */
static int run_to_end(struct live *l, struct run *r, struct crawl *c, struct err_note *why)
{
	TRY(make_revisit(l, c, why));
	TRY(crawl_run(c, why));
	TRY(keeper_finish(&r->keeper, why));
	if (l->agent)
		TRY(live_agent_leave(l->agent, why));
	if (l->requisites)
		TRY(finish_requisites(l, c, why));
	return close_archive(l, why);
}

int live_run(struct live *l, struct err_note *why)
{
	const struct live_config *settings = live_config_of(l);
	struct run r = {.n = 0};
	struct crawl c = {.frontier = l->frontier,
		.source = l->source,
		.observers = r.observers,
		.max_pages = settings->max_pages,
		.max_time = settings->max_time,
		.max_bytes = settings->max_bytes,
		.stop = l->settings.stop,
		.paused = l->requisites ? live_requisites_paused(l->requisites) : l->settings.paused,
		.bytes_beside = l->requisites ? live_requisites_bytes(l->requisites) : NULL,
		.fleet = l->agent ? live_agent_fleet(l->agent) : NULL};
	struct frontier_counts before;
	const int64_t started = clock_ms();
	int err = l->settings.shared ? 0 : live_seed_check_private(l, why);

	if (!err)
		err = store_log(l->store, &(struct log_entry){.kind = LOG_SITTING, .time = clock_wall_ms()}, why);
	if (err)
		return err;
	add_observers(l, &r);
	live_queue_seeds(l);
	c.n_observers = r.n;
	c.enough = settings->stop_when > 0 ? &r.stop_when.enough : NULL;
	frontier_count(l->frontier, &before);
	err = run_to_end(l, &r, &c, why);
	l->summary.end = c.end == CRAWL_DONE && traps_skipped(scope_traps(l->scope)) ? CRAWL_PUT_OFF : c.end;
	l->summary.gain = r.stop_when.gain;
	l->summary.bytes_now = c.bytes;
	l->summary.shells_now = c.shells;
	l->summary.rendered_now = c.rendered;
	l->summary.ms = clock_ms() - started;
	if (l->revisit)
		revisit_count(l->revisit, &l->summary.visits);
	frontier_count(l->frontier, &l->summary.pages);
	l->summary.crawled_now = l->summary.pages.crawled - before.crawled;
	l->summary.seeds = l->summary.seeds_failed = 0;
	return err;
}

/* --- what came of it */

static int count_seed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	const enum page_state state = frontier_state(l->frontier, id);

	(void)why;
	l->summary.seeds++;
	l->summary.seeds_failed += state == PAGE_FAILED || state == PAGE_REFUSED;
	return 0;
}

void live_summary(struct live *l, struct live_summary *out)
{
	l->summary.seeds = l->summary.seeds_failed = 0;
	if (resume_seeds(l->store, count_seed, l, NULL) < 0)
		l->summary.seeds = 0;
	*out = l->summary;
}
