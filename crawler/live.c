#include "crawler/live.h"
#include "storage/warc.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawler/live_archive.h"
#include "crawler/live_exec.h"
#include "crawler/live_network.h"
#include "crawler/live_policy.h"
#include "crawler/live_scores.h"
#include "crawler/live_seed.h"
#include "crawler/net_source.h"
#include "crawler/record.h"
#include "crawler/rescope.h"
#include "crawler/retry.h"
#include "crawler/resume.h"
#include "crawler/snapshot.h"
#include "traps/traps.h"
#include "fetch/runner.h"
#include "fetch/scorer.h"
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
	struct live_network network;
	const struct observer *observers;
	size_t n_observers;
	struct progress *progress;
	struct store *store, *previous;
	struct scope *scope;
	struct source *source;
	struct live_policy policy;
	/* the folder of the frontier's snapshot; NULL for a policy in a file, whose state may be more than its bytes */
	const char *snapshots;
	struct frontier *frontier;
	struct recorder recorder;
	struct url url;  /* of the seed being added */
	uint32_t *seeds; /* to be queued */
	size_t n_seeds, seeds_room;
	struct map added; /* those seeds */
	struct live_summary summary;
	struct warc *archive;
	struct live_agent *agent; /* NULL: the crawl has one */
	struct scorer *scorer; /* NULL: pages have no scores */
	struct runner *runner; /* NULL: no command is run for pages */
	struct guard *guard;
	struct revisit *revisit; /* NULL: no page is visited again */
};

static const struct live_config *config_of(const struct live *l)
{
	return &l->settings.decision->config;
}

/* --- what needs no file that is written */

/* A policy in a file is code: it runs where the user has named it, not where a store does. */
static int check_file(const struct live *l, struct err_note *why)
{
	const char *policy = config_of(l)->policy;

	if (!policy_spec_has_file(policy) ||
		live_decision_origin(l->settings.decision, "policy") != LIVE_KEPT)
		return 0;
	if (l->settings.is_view)
		return err_set(why, ERR_USAGE,
			"the crawl in '%s' goes by a policy in a file, %s, whose code is not run to look at a crawl; 'lycosa store' reads the store without it",
			l->settings.dir, policy);
	return err_set(why, ERR_USAGE,
		"the crawl in '%s' goes by a policy in a file, which is only run when it is named: --policy %s",
		l->settings.dir, policy);
}

static int make_scope(struct live *l, struct err_note *why)
{
	const struct live_config *c = config_of(l);
	struct buf traps = BUF_EMPTY;

	for (size_t i = 0; i < c->trap_opt.count; i++)
		buf_format(&traps, "%s%s", i ? "\n" : "", c->trap_opt.at[i]);
	const struct scope_settings s = {
		.span_hosts = c->span_hosts,
		.domains = c->domains,
		.accept = c->accept,
		.reject = c->reject,
		.accept_regex = c->accept_regex,
		.reject_regex = c->reject_regex,
		.no_parent = c->no_parent,
		.max_depth = (uint32_t)c->max_depth,
		.rules = c->rules,
		.traps = traps.at,
		.year = (int)c->year,
		.per_host = c->max_per_host,
		.per_domain = c->max_per_domain,
		.hosts = l->network.hosts,
		.blocked = c->block_hosts,
	};
	const int err = scope_new(&l->scope, &s, why);
	buf_release(&traps);
	return err;
}

int live_new(struct live **out, const struct live_settings *settings, struct err_note *why)
{
	struct live *l = mem_zero(1, sizeof *l);

	*out = NULL;
	l->settings = *settings;
	map_init(&l->added, sizeof(uint64_t));
	const struct live_config *c = config_of(l);
	l->snapshots = policy_spec_has_file(c->policy) ? NULL : settings->dir;
	int err = check_file(l, why);
	if (!err)
		err = live_policy_make(&l->policy, c, why);
	if (!err)
		err = live_network_make(&l->network, c, why);
	if (!err)
		err = make_scope(l, why);
	if (!err)
		err = url_rules_read(
			&l->network.fetch.rules, c->normalise ? c->normalise : "", why);
	if (err)
		live_close(l);
	else
		*out = l;
	return err;
}

void live_observe(
	struct live *l, const struct observer *observers, size_t n, struct progress *progress)
{
	assert(n <= LIVE_OBSERVERS);
	l->observers = observers;
	l->n_observers = n;
	l->progress = progress;
}

/* --- files */

/* Before the store is made, so that a crawl that cannot be leaves none behind. */
static int open_previous(struct live *l, struct err_note *why)
{
	const char *path = config_of(l)->previous;
	struct stat now, then;

	if (!path)
		return 0;
	if (stat(l->settings.dir, &now) == 0 && stat(path, &then) == 0 &&
		now.st_dev == then.st_dev && now.st_ino == then.st_ino)
		return err_set(why, ERR_USAGE,
			"'%s' is both --store and --previous: a crawl goes on in its store, or "
			"compares with another's",
			l->settings.dir);
	return store_open(&l->previous, path, STORE_READ, why);
}

/* --- one agent of several */

/* Whether a store may be that of an agent with this roster. */
static int check_agent(const struct live *l, const char *kept, const char *roster, struct err_note *why)
{
	if (l->policy.policy->plan.n)
		return err_set(why, ERR_USAGE, "--join: the chain '%s' cannot be divided; give one policy", l->policy.policy->name);
	if (!kept && store_log_length(l->store))
		return err_set(why, ERR_USAGE, "--join: the crawl in '%s' is of one machine alone; use another --store",
			l->settings.dir);
	if (kept && strcmp(kept, roster) != 0)
		return err_set(why, ERR_USAGE, "--join: the store '%s' is an agent's of another crawl, or of other agents",
			l->settings.dir);
	return 0;
}

static int keep_roster(struct live *l, const struct live_join *join, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	roster_write(join->roster, &text);
	int err = check_agent(l, store_get(l->store, LIVE_AGENT_ROSTER), text.at, why);
	if (!err)
		err = store_set(l->store, LIVE_AGENT_ROSTER, text.at, why);
	if (!err)
		err = store_set(l->store, LIVE_AGENT_ID, join->roster->id[join->self], why);
	buf_release(&text);
	if (!err)
		l->agent = live_agent_new(join->member, join->roster->n, join->self,
			(struct live_rest){config_of(l)->delay, config_of(l)->delay_factor});
	return err;
}

/* A store that is looked at tells itself whose it is. */
static int make_agent(struct live *l, struct err_note *why)
{
	const char *text = store_get(l->store, LIVE_AGENT_ROSTER), *id = store_get(l->store, LIVE_AGENT_ID);
	struct roster *roster;
	int err = 0;

	if (l->settings.join)
		return keep_roster(l, l->settings.join, why);
	if (!text || !id)
		return 0;
	if (!l->settings.is_view)
		return err_set(why, ERR_USAGE,
			"the store '%s' is that of an agent: go on with the crawl by --join nats://HOST:PORT/NAME", l->settings.dir);
	roster = mem_zero(1, sizeof *roster);
	const unsigned self = roster_read(roster, text, strlen(text)) ? ROSTER_NONE : roster_find(roster, id);
	if (self == ROSTER_NONE)
		err = err_set(why, ERR_DAMAGED, "the store '%s' is damaged: its roster of agents", l->settings.dir);
	else
		l->agent = live_agent_new(NULL, roster->n, self, (struct live_rest){0, 0});
	free(roster);
	return err;
}

static int commit_all(void *live, struct err_note *why)
{
	return live_commit(live, why);
}

/* The store is opened a second time: what was decided was read from it. */
static int open_store(struct live *l, struct err_note *why)
{
	const struct live_decision *d = l->settings.decision;
	int err = store_open(&l->store, l->settings.dir, STORE_WRITE, why);

	if (err)
		return err;
	l->summary.resumed = store_get(l->store, "policy") != NULL;
	if (l->summary.resumed != d->resumed)
		return err_set(why, ERR_FILE,
			"another crawl has begun in '%s' at this moment; start again",
			l->settings.dir);
	err = live_scores_check(d, l->store, l->settings.dir, why);
	return err ? err : live_decision_keep(d, l->store, why);
}

static int open_files(struct live *l, struct err_note *why)
{
	const struct live_config *c = config_of(l);
	int err = live_decision_check(l->settings.decision, l->settings.dir, why);

	if (!err)
		err = open_previous(l, why);
	if (!err && c->warc)
		err = live_archive_check(c->warc, why);
	if (!err)
		err = open_store(l, why);
	if (!err)
		err = live_scores_open(&l->scorer, c, why);
	l->network.fetch.scorer = l->scorer;
	if (!err)
		err = live_exec_open(&l->runner, c, why);
	l->network.fetch.runner = l->runner;
	if (!err && c->warc)
		err = live_archive_open(&l->archive, c, l->network.fetch.user_agent, why);
	l->network.fetch.archive = l->archive;
	return err;
}

/* The store alone, and nothing of it is changed. */
static int open_view(struct live *l, struct err_note *why)
{
	const int err = store_open(&l->store, l->settings.dir, STORE_READ, why);

	l->summary.resumed = !err;
	return err;
}

/* --- from the parts to a crawl */

/* A seed of an earlier sitting widens where one may connect. */
static int guard_seed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	struct store_page page;

	if (!store_page(l->store, id, &page) ||
		url_parse(&l->url, page.url, page.url_length, NULL) != URL_OK)
		return err_set(why, ERR_DAMAGED, "the store is damaged: seed %u has no URL", id);
	guard_add_seed(l->guard, &l->url);
	return 0;
}

static int make_source(struct live *l, struct err_note *why)
{
	struct fetch_settings *f = &l->network.fetch;

	f->sure_until = l->settings.join ? member_sure_until(l->settings.join->member) : NULL;
	f->guard = l->guard = guard_new(&l->network.guard);
	f->simhash = (traps_wants(scope_traps(l->scope)) & TRAPS_WANT_SIMHASHES) != 0;
	f->fingerprints = (traps_wants(scope_traps(l->scope)) & TRAPS_WANT_FINGERPRINTS) != 0;
	int err = resume_seeds(l->store, guard_seed, l, why);
	if (!err)
		err = net_source_new(&l->source, f, l->scope, l->store, why);
	if (!err && l->settings.is_view && live_scores_are_in(l->store))
		net_source_has_scores(l->source);
	if (!err && l->previous)
		net_source_compare(l->source, l->previous);
	if (!err)
		net_source_give_up_after(l->source, config_of(l)->give_up);
	if (!err && l->agent)
		live_agent_divide(l->agent, l->source);
	return err;
}

static int make_frontier(struct live *l, struct err_note *why)
{
	const struct live_config *c = config_of(l);
	const struct frontier_settings s = {.policy = l->policy.policy,
		.opts = &l->policy.opts,
		.batch = c->batch,
		.total = c->total,
		.rng_seed = c->rng_seed,
		.delay_ms = c->delay,
		.slow_factor = c->delay_factor,
		.jitter = LIVE_JITTER,
		.per_host = (uint32_t)c->parallel_per_host};
	struct frontier_world world;

	l->source->ops->world(l->source, &world);
	return frontier_new(&l->frontier, &s, &world, why);
}

/* The crawl has come back: what is replaced is so with all that follows from it, or not at all. */
static int replace(struct live *l, struct err_note *why)
{
	const struct live_decision *d = l->settings.decision;
	const int is_rescope = d->changes.used > 0;
	int err = d->is_swap ? live_policy_swapped(&l->policy, l->store, why) : 0;

	if (!err)
		err = live_policy_watch(&l->policy, l->store, l->frontier, why);
	if (!err && is_rescope)
		err = rescope(l->store, l->frontier, l->source, d->changes.at, l->progress, why);
	if (!err && l->settings.retry_failed) {
		uint32_t pages;
		err = retry_failed(l->store, l->frontier, l->source, l->settings.retry_failed,
			&pages, why);
		if (!err)
			log_say("failed pages that are tried again: %u", pages);
	}
	if (!err && l->settings.retry_skipped)
		err = retry_skipped(l->store, l->frontier, l->source, why);
	if (!err && (d->is_swap || is_rescope || l->settings.retry_failed ||
			    l->settings.retry_skipped))
		err = store_commit(l->store, why);
	return err;
}

int live_open(struct live *l, struct err_note *why)
{
	const int is_view = l->settings.is_view;
	int err = is_view ? open_view(l, why) : open_files(l, why);

	if (!err && l->settings.confine)
		err = l->settings.confine(l->settings.confine_ctx, why);
	if (!err)
		err = make_agent(l, why);
	if (!err)
		err = make_source(l, why);
	if (!err)
		err = make_frontier(l, why);
	if (!err && l->agent)
		live_agent_join(l->agent, l->store, l->frontier, l->source, commit_all, l);
	if (!err)
		err = resume(l->store, l->snapshots, l->frontier, l->source,
			is_view ? RESUME_TO_VIEW : RESUME_TO_CRAWL, l->agent, l->progress, l->settings.stop,
			why);
	return err || is_view ? err : replace(l, why);
}

void live_close(struct live *l)
{
	if (!l)
		return;
	live_agent_free(l->agent);
	frontier_free(l->frontier);
	if (l->source)
		l->source->ops->close(l->source);
	revisit_free(l->revisit);
	runner_free(l->runner);
	scorer_free(l->scorer);
	scope_free(l->scope);
	live_policy_release(&l->policy);
	store_close(l->store);
	if (l->previous)
		store_close(l->previous);
	url_release(&l->url);
	live_network_release(&l->network);
	free(l->seeds);
	map_release(&l->added);
	(void)!warc_close(l->archive, NULL);
	guard_free(l->guard);
	free(l);
}

int live_seed(struct live *l, const char *url, size_t n, struct err_note *why)
{
	uint32_t id;
	int err = live_seed_parse(&l->url, url, n, why);

	if (!err && scope_blocks(l->scope, &l->url)) {
		log_say("seed '%.*s' is left out: its host is blocked; 'lycosa ctl unblock HOST' ends that",
			(int)(n < 200 ? n : 200), url);
		return 0;
	}
	if (!err)
		guard_add_seed(l->guard, &l->url);
	if (!err && l->url.https)
		err = trust_check(l->network.fetch.cacert, why);
	if (!err)
		err = net_source_find(l->source, &l->url, &id, why);
	if (err)
		return err;
	l->summary.seeds++;
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

/* --- running */

static int count_failed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	enum page_state state = frontier_state(l->frontier, id);

	(void)why;
	l->summary.seeds_failed += state == PAGE_FAILED || state == PAGE_REFUSED;
	return 0;
}

/* Nothing is in flight any more. */
static int close_archive(struct live *l, struct err_note *why)
{
	struct warc *archive = l->archive;

	l->archive = NULL;
	return warc_close(archive, why);
}

void live_queue_seeds(struct live *l)
{
	frontier_seed(l->frontier, l->seeds, l->n_seeds);
	l->n_seeds = 0;
}

int live_commit(struct live *l, struct err_note *why)
{
	return recorder_finish(&l->recorder, why);
}

/* The visits of crawled pages, if there are to be any. */
static int make_revisit(struct live *l, struct crawl *c, struct err_note *why)
{
	const struct revisit_settings s = {l->store, l->frontier, l->source, config_of(l)};
	int err = 0;

	if (!config_of(l)->refresh)
		return 0;
	err = revisit_new(&l->revisit, &s, why);
	if (!err)
		c->again = revisit_again(l->revisit);
	return err;
}

int live_run(struct live *l, struct err_note *why)
{
	struct observer observers[6 + LIVE_OBSERVERS];
	struct snapshot_keeper keeper;
	const struct live_config *settings = config_of(l);
	struct crawl c = {.frontier = l->frontier,
		.source = l->source,
		.observers = observers,
		.max_pages = settings->max_pages,
		.max_time = settings->max_time,
		.max_bytes = settings->max_bytes,
		.stop = l->settings.stop,
		.paused = l->settings.paused,
		.fleet = l->agent ? live_agent_fleet(l->agent) : NULL};
	struct frontier_counts before;
	int64_t started = clock_ms();
	int err = store_log(l->store,
		&(struct log_entry){.kind = LOG_SESSION, .time = clock_wall_ms()},
		why);

	if (err)
		return err;
	observers[c.n_observers++] = live_policy_observer(&l->policy);
	observers[c.n_observers++] = live_scores_observer(l->scorer);
	observers[c.n_observers++] = live_exec_observer(l->runner);
	/* the store comes last: a page that archive or log do not have is asked for again */
	if (l->archive)
		observers[c.n_observers++] = live_archive_observer(l->archive);
	for (size_t i = 0; i < l->n_observers; i++)
		observers[c.n_observers++] = l->observers[i];
	if (l->agent)
		observers[c.n_observers++] = live_agent_observer(l->agent);
	recorder_init(&l->recorder, l->store, observers, c.n_observers);
	observers[c.n_observers++] = recorder_observer(&l->recorder);
	keeper_init(&keeper, l->snapshots, l->store, l->frontier, l->source, &l->recorder,
		settings->batch);
	observers[c.n_observers++] = keeper_observer(&keeper);
	live_queue_seeds(l);
	frontier_count(l->frontier, &before);
	err = make_revisit(l, &c, why);
	if (!err)
		err = crawl_run(&c, why);
	if (!err)
		err = keeper_finish(&keeper, why);
	if (!err)
		err = close_archive(l, why);
	l->summary.end = c.end;
	l->summary.bytes_now = c.bytes;
	l->summary.ms = clock_ms() - started;
	if (l->revisit)
		revisit_count(l->revisit, &l->summary.visits);
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

struct scope *live_scope(struct live *l)
{
	return l->scope;
}

unsigned live_url_rules(const struct live *l)
{
	return l->network.fetch.rules;
}

struct store *live_store(struct live *l)
{
	return l->store;
}

struct frontier *live_frontier(struct live *l)
{
	return l->frontier;
}

struct source *live_source(const struct live *l)
{
	return l->source;
}
