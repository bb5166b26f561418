#include "crawler/live.h"
#include "config.h"
#include "storage/warc.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "crawler/live_policy.h"
#include "crawler/net_source.h"
#include "crawler/record.h"
#include "crawler/rescope.h"
#include "crawler/resume.h"
#include "traps/traps.h"
#include "fetch/trust.h"
#include "policies/policies.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct live {
	struct live_settings settings;
	struct live_kept kept; /* what holds: copies */
	struct store *store, *previous;
	struct scope *scope;
	struct source *source;
	struct live_policy policy;
	struct frontier *frontier;
	struct recorder recorder;
	struct url url;  /* of the seed being added */
	uint32_t *seeds; /* to be queued */
	size_t n_seeds, seeds_room;
	struct map added; /* those seeds */
	struct live_summary summary;
	struct warc *archive;
	struct guard *guard;
};

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static uint64_t number(const char *text, uint64_t fallback)
{
	uint64_t n = fallback;

	return num_count(text, UINT64_MAX, &n) ? fallback : n;
}

/* --- putting it together */

/* A policy in a file is code: it runs where the user has named it, not where a store does. */
static int check_file(const struct live *l, struct err_note *why)
{
	if (!policy_spec_has_file(l->kept.policy) || l->settings.kept.policy)
		return 0;
	return err_set(why, ERR_USAGE,
		"the crawl in '%s' goes by a policy in a file, which is only run when it is named: --policy %s",
		l->settings.dir, l->kept.policy);
}

int live_scope(struct scope **scope, const struct live_kept *k,
	const struct live_settings *settings, struct err_note *why)
{
	struct scope_settings s = {
		.span_hosts = *k->span_hosts != 0,
		.domains = or_null(k->domains),
		.accept = or_null(k->accept),
		.reject = or_null(k->reject),
		.accept_regex = or_null(k->accept_regex),
		.reject_regex = or_null(k->reject_regex),
		.no_parent = *k->no_parent != 0,
		.max_depth = (uint32_t)number(k->max_depth, UINT32_MAX),
		.rules = or_null(k->rules),
		.traps = or_null(k->traps),
		.year = (int)number(k->year, 0),
		.per_host = settings->host_pages,
		.per_domain = settings->domain_pages,
	};

	return scope_new(scope, &s, why);
}

static int make_scope(struct live *l, struct err_note *why)
{
	return live_scope(&l->scope, &l->kept, &l->settings, why);
}

static int make_frontier(struct live *l, struct err_note *why)
{
	const struct live_kept *k = &l->kept;
	struct frontier_settings s = {.policy = l->policy.policy,
		.opts = &l->policy.opts,
		.batch = number(k->batch, 1000),
		.total = number(k->total, 0),
		.rng_seed = number(k->rng_seed, 1),
		.delay_ms = l->settings.delay_ms,
		.slow_factor = l->settings.slow_factor,
		.jitter = l->settings.jitter,
		.per_host = l->settings.per_host};
	struct frontier_world world;

	l->source->ops->world(l->source, &world);
	return frontier_new(&l->frontier, &s, &world, why);
}

int live_check(const struct live_settings *settings, struct err_note *why)
{
	struct live l = {.settings = *settings, .kept = settings->kept};

	/* on a store there is, options without a policy are for the one it keeps */
	int exists = store_is(settings->dir);
	live_kept_complete(&l.kept);
	if (!*l.kept.policy)
		l.kept.policy = LIVE_POLICY;
	int err = exists && !settings->kept.policy ? 0 : live_policy_make(&l.policy, &l.kept, why);
	if (!err)
		err = make_scope(&l, why);
	if (!err)
		err = url_rules_read(&l.settings.fetch.rules, l.kept.normalise, why);
	live_policy_release(&l.policy);
	scope_free(l.scope);
	return err;
}

/* Before the store is made, so that a crawl that cannot be leaves none behind. */
static int open_previous(struct live *l, struct err_note *why)
{
	struct stat now, then;

	if (!l->settings.previous)
		return 0;
	if (stat(l->settings.dir, &now) == 0 && stat(l->settings.previous, &then) == 0 &&
		now.st_dev == then.st_dev && now.st_ino == then.st_ino)
		return err_set(why, ERR_USAGE,
			"'%s' is both --store and --previous: a crawl goes on in its store, or "
			"compares with another's",
			l->settings.dir);
	return store_open(&l->previous, l->settings.previous, STORE_READ, why);
}

static int guard_seed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	struct store_page page;

	(void)why;
	if (store_page(l->store, id, &page) &&
		url_parse(&l->url, page.url, page.url_length, NULL) == URL_OK)
		guard_add_seed(l->guard, &l->url);
	return 0;
}

static int make_guard(struct live *l, struct err_note *why)
{
	/* also those that the store keeps from an earlier call */
	l->settings.guard.domains = or_null(l->kept.domains);
	l->guard = guard_new(&l->settings.guard);
	l->settings.fetch.guard = l->guard;
	return resume_seeds(l->store, guard_seed, l, why);
}

static int open_archive(struct live *l, struct err_note *why)
{
	const struct live_settings *s = &l->settings;
	struct buf fields = BUF_EMPTY;

	buf_format(&fields, "http-header-user-agent: %s\r\nrobots: %s\r\n", s->fetch.user_agent,
		s->fetch.no_robots ? "ignore" : "obey");
	int err = warc_open(&l->archive, s->warc, s->warc_limit, PACKAGE_NAME "/" PACKAGE_VERSION,
		fields.at, why);
	buf_release(&fields);
	l->settings.fetch.archive = l->archive;
	return err;
}

/* Whether files can be made beside a prefix, and named in their own headers. */
static int check_prefix(const char *prefix, struct err_note *why)
{
	char *shown = mem_text(prefix);
	err_escape(shown);
	const int is_text = strcmp(shown, prefix) == 0;
	free(shown);
	if (!is_text)
		return err_set(why, ERR_USAGE,
			"--warc '%s' has a control character, or one that is no UTF-8", prefix);
	const char *slash = strrchr(prefix, '/');
	char *folder = slash ? mem_part(prefix, (size_t)(slash - prefix) + 1) : mem_text(".");
	const int failed = access(folder, W_OK | X_OK) != 0;

	if (failed)
		err_set(why, ERR_FILE, "cannot write '%s-...': %s", prefix, strerror(errno));
	free(folder);
	return failed ? ERR_FILE : 0;
}

/* What holds from now on; what is other than it was goes into *changes and *swap. */
static int keep(struct live *l, struct buf *changes, struct buf *swap, struct err_note *why)
{
	const struct live_settings *s = &l->settings;
	int err = 0;

	l->summary.resumed = store_get(l->store, "policy") != NULL;
	if (l->summary.resumed)
		err = live_kept_read(&l->kept, &s->kept, l->store, s->dir,
			s->rescope ? changes : NULL, s->swap ? swap : NULL, why);
	else
		live_kept_begin(&l->kept, &s->kept, s->max_pages);
	return err ? err : live_kept_write(&l->kept, l->store, why);
}

/* The crawl has come back: what is replaced is so with all that follows from it, or not at all. */
static int replace(
	struct live *l, const struct buf *changes, const struct buf *swap, struct err_note *why)
{
	int err = swap->used ? live_policy_swapped(&l->policy, l->store, why) : 0;

	if (!err)
		err = live_policy_watch(&l->policy, l->store, l->frontier, why);
	if (!err && changes->used)
		err = rescope(
			l->store, l->frontier, l->source, changes->at, l->settings.progress, why);
	if (!err && (swap->used || changes->used))
		err = store_commit(l->store, why);
	return err;
}

int live_open(struct live **out, const struct live_settings *settings, struct err_note *why)
{
	struct live *l = mem_zero(1, sizeof *l);
	struct buf changes = BUF_EMPTY, swap = BUF_EMPTY;

	l->settings = *settings;
	map_init(&l->added, sizeof(uint64_t));
	int err = open_previous(l, why);
	if (!err && settings->warc)
		err = check_prefix(settings->warc, why); /* before a store is made for nothing */
	if (!err)
		err = store_open(&l->store, settings->dir, STORE_WRITE, why);
	if (!err)
		err = keep(l, &changes, &swap, why);
	if (!err)
		err = check_file(l, why);
	if (!err)
		err = live_policy_make(&l->policy, &l->kept, why);
	if (!err)
		err = make_scope(l, why);
	if (!err)
		err = resume_scope(l->store, l->scope, why);
	if (!err)
		err = url_rules_read(&l->settings.fetch.rules, l->kept.normalise, why);
	if (!err)
		err = make_guard(l, why);
	if (!err && settings->warc)
		err = open_archive(l, why);
	if (!err)
		l->settings.fetch.types = or_null(l->kept.types);
	if (!err)
		l->settings.fetch.simhash = traps_wants_simhash(scope_traps(l->scope));
	if (!err)
		l->settings.fetch.fingerprints = traps_wants_fingerprints(scope_traps(l->scope));
	if (!err)
		err = net_source_new(&l->source, &l->settings.fetch, l->scope, l->store, why);
	if (!err && l->previous)
		net_source_compare(l->source, l->previous);
	if (!err)
		err = make_frontier(l, why);
	if (!err)
		err = resume(l->store, l->frontier, l->source, l->settings.progress,
			l->settings.stop, why);
	if (!err)
		err = replace(l, &changes, &swap, why);
	buf_release(&swap);
	buf_release(&changes);
	if (err) {
		live_close(l);
		l = NULL;
	}
	*out = l;
	return err;
}

void live_close(struct live *l)
{
	if (!l)
		return;
	frontier_free(l->frontier);
	if (l->source)
		l->source->ops->close(l->source);
	scope_free(l->scope);
	live_policy_release(&l->policy);
	store_close(l->store);
	if (l->previous)
		store_close(l->previous);
	url_release(&l->url);
	live_kept_release(&l->kept);
	free(l->seeds);
	map_release(&l->added);
	(void)!warc_close(l->archive, NULL);
	guard_free(l->guard);
	free(l);
}

/* Parses a seed into *u. */
static int parse_seed(struct url *u, const char *url, size_t n, struct err_note *why)
{
	static const char *const problem[] = {[URL_BAD] = "is no URL",
		[URL_FOREIGN] = "is not http or https",
		[URL_TOO_LONG] = "is too long"};
	enum url_result result = url_parse(u, url, n, NULL);

	return result ? err_set(why, ERR_USAGE, "seed '%.*s' %s; http://example.org/ is one",
				(int)(n < 200 ? n : 200), url, problem[result])
		      : 0;
}

int live_seed_check(const char *url, size_t n, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = parse_seed(&u, url, n, why);

	url_release(&u);
	return err;
}

int live_seed(struct live *l, const char *url, size_t n, struct err_note *why)
{
	uint32_t id;
	int err = parse_seed(&l->url, url, n, why);

	if (!err)
		guard_add_seed(l->guard, &l->url);
	if (!err && l->url.https)
		err = trust_check(l->settings.fetch.cacert, why);
	if (!err)
		err = net_source_seed(l->source, &l->url, &id, why);
	if (err)
		return err;
	l->summary.seeds++;
	enum page_state state = frontier_state(l->frontier, id);
	if (state != PAGE_UNSEEN && state != PAGE_REFUSED)
		return 0;
	const size_t added = l->added.used;
	map_at(&l->added, id);
	if (l->added.used == added)
		return 0;
	l->seeds = mem_grow(l->seeds, &l->seeds_room, l->n_seeds + 1, sizeof *l->seeds);
	l->seeds[l->n_seeds++] = id;
	return store_log(l->store, &(struct log_entry){.kind = LOG_SEED, .id = id}, why);
}

/* --- running */

static int count_failed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	enum page_state state = frontier_state(l->frontier, id);

	(void)why;
	l->summary.seeds_failed += state == PAGE_FAILED || state == PAGE_REFUSED;
	return 0;
}

/* An archive that cannot be written to any more ends the crawl. */
static int watch_archive(void *ctx, const struct event *e, struct err_note *why)
{
	(void)e;
	return warc_failed(ctx, why);
}

static int sync_archive(void *ctx, struct err_note *why)
{
	return warc_sync(ctx, why);
}

/* Nothing is in flight any more. */
static int close_archive(struct live *l, struct err_note *why)
{
	struct warc *archive = l->archive;

	l->archive = NULL;
	return warc_close(archive, why);
}

int live_run(struct live *l, struct err_note *why)
{
	struct observer observers[3 + LIVE_OBSERVERS];
	struct crawl c = {.frontier = l->frontier,
		.source = l->source,
		.observers = observers,
		.max_pages = l->settings.max_pages,
		.max_time = l->settings.max_time,
		.max_bytes = l->settings.max_bytes,
		.stop = l->settings.stop};
	struct frontier_counts before;
	int64_t started = clock_ms();
	int err = store_log(l->store,
		&(struct log_entry){.kind = LOG_SESSION, .time = l->source->ops->now(l->source)},
		why);

	if (err)
		return err;
	observers[c.n_observers++] = live_policy_observer(&l->policy);
	/* the store comes last: a page that archive or log do not have is asked for again */
	if (l->archive)
		observers[c.n_observers++] = (struct observer){
			.ctx = l->archive, .event = watch_archive, .sync = sync_archive};
	assert(l->settings.n_observers <= LIVE_OBSERVERS);
	for (size_t i = 0; i < l->settings.n_observers; i++)
		observers[c.n_observers++] = l->settings.observers[i];
	recorder_init(&l->recorder, l->store, observers, c.n_observers);
	observers[c.n_observers++] = recorder_observer(&l->recorder);
	frontier_seed(l->frontier, l->seeds, l->n_seeds);
	l->n_seeds = 0;
	frontier_count(l->frontier, &before);
	err = crawl_run(&c, why);
	if (!err)
		err = recorder_finish(&l->recorder, why);
	if (!err)
		err = close_archive(l, why);
	l->summary.end = c.end;
	l->summary.bytes_now = c.bytes;
	l->summary.ms = clock_ms() - started;
	frontier_count(l->frontier, &l->summary.pages);
	l->summary.crawled_now = l->summary.pages.crawled - before.crawled;
	l->summary.seeds = l->summary.seeds_failed = 0;
	return err;
}

static int count_seed(void *ctx, uint32_t id, struct err_note *why)
{
	((struct live *)ctx)->summary.seeds++;
	return count_failed(ctx, id, why);
}

void live_summary(struct live *l, struct live_summary *out)
{
	l->summary.seeds = l->summary.seeds_failed = 0;
	if (resume_seeds(l->store, count_seed, l, NULL) < 0)
		l->summary.seeds = 0;
	*out = l->summary;
}

struct store *live_store(struct live *l)
{
	return l->store;
}

struct frontier *live_frontier(struct live *l)
{
	return l->frontier;
}
