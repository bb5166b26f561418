#include "agents/charter.h"
#include "crawler/agent/agent_charter.h"
#include "crawler/live/live_parts.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/paged.h"
#include "config.h"
#include "crawler/crawl.h"
#include "crawler/live/live_observers.h"
#include "crawler/network/net_source.h"
#include "crawler/resume/retry.h"
#include "crawler/resume/resume.h"
#include "crawler/settings/live_config.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"
#include "parser/match.h"
#include "policies/policies.h"
#include "storage/salvage.h"
#include "storage/store.h"
#include "storage/warc.h"
#include "traps/traps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 1024

static unsigned threads_of(const struct live_config *c)
{
	const long processors = c->threads ? (long)c->threads : sysconf(_SC_NPROCESSORS_ONLN);

	return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
}

static char *user_agent_of(const struct live_config *c, const char *agent_end)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, c->user_agent ? c->user_agent : PACKAGE_NAME "/" PACKAGE_VERSION);
	buf_text(&text, agent_end);
	return buf_take(&text);
}

/* Returns the text that follows the crawler's name and version in the User-Agent: the contact. */
static char *agent_end_of(const struct live_config *c)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, "");
	if (c->contact)
		buf_format(&text, " (+%s)", c->contact);
	return buf_take(&text);
}

/* Compiles --accept-text. Returns ERR_USAGE for a back-reference, with which the time of a match would have no bound. */
static int match_topic(struct live_network *n, const struct live_config *c, struct err_note *why)
{
	for (const char *at = c->accept_text; at && *at; at += 1 + (*at == '\\' && at[1]))
		if (*at == '\\' && at[1] >= '1' && at[1] <= '9')
			return err_set(why, ERR_USAGE, "--accept-text '%s' refers back to a group by \\%c; leave that out",
				c->accept_text, at[1]);
	const int err = match_regex_new(&n->topic, c->accept_text, why);
	n->fetch.topic = n->topic;
	n->fetch.topic_text = c->accept_text;
	return err;
}

/* Reads the settings of single hosts from the kept texts. Errors were reported before, with the name of the file. */
static int read_hosts(struct live_network *n, const struct live_config *c, struct err_note *why)
{
	if (!c->host_manners && !c->host_scope)
		return 0;
	n->fetch.host_settings = n->hosts = host_settings_new();
	if (c->host_manners)
		TRY(host_settings_read(n->hosts, "host-settings", c->host_manners, why));
	if (c->host_scope)
		TRY(host_settings_read(n->hosts, "host-scope", c->host_scope, why));
	return 0;
}

/* Sets the settings of the fetchers from the configuration. */
static void set_fetch(struct fetch_settings *f, const struct live_config *c)
{
	*f = fetch_defaults;
	f->threads = threads_of(c);
#define FETCH(kind, field, ...) f->field = c->field;
#include "base/settings.h"
	f->by_address = 1;
	f->heed = live_config_heed(c);
	f->max_memory = live_memory_of_bodies(c);
	f->kinds = live_config_kinds(c);
}

/* Fills in the settings, which point into the configuration, and reads the files of credentials and cookies and the settings of
 * hosts. Returns 0, ERR_FILE, ERR_FORMAT or ERR_USAGE. The caller calls live_network_release() in each case. */
static int live_network_make(struct live_network *n, const struct live_settings *settings, struct err_note *why)
{
	const struct live_config *c = &settings->decision->config;
	const struct live_shared *shared = settings->shared;

	*n = (struct live_network){.agent_end = agent_end_of(c)};
	n->user_agent = user_agent_of(c, n->agent_end);
	set_fetch(&n->fetch, c);
	n->fetch.user_agent = n->user_agent;
	n->fetch.agent_end = n->agent_end;
	n->guard = (struct guard_settings){.reach = c->contact ? GUARD_PUBLIC : GUARD_LOOPBACK,
		.allow_private = c->allow_private,
		.domains = c->domains,
		.connect_to = c->connect_to.at};
	int err = match_topic(n, c, why);
	/* a crawl of requisites has threads of its own */
	if (!err && settings->nursery && !shared)
		err = page_jail_new(&n->jail, settings->nursery, n->fetch.threads * (c->requisites ? 2 : 1), &n->fetch, why);
	n->fetch.jail = shared ? shared->jail : n->jail;
	if (!err)
		err = read_hosts(n, c, why);
	if (err || (!c->auth && !c->load_cookies))
		return err;
	err = credentials_read(&n->credentials, c->auth, c->load_cookies, why);
	n->fetch.credentials = n->credentials;
	return err;
}

/* Frees the memory. */
static void live_network_release(struct live_network *n)
{
	free(n->user_agent);
	free(n->agent_end);
	host_settings_free(n->hosts);
	match_regex_free(n->topic);
	n->topic = NULL;
	credentials_free(n->credentials);
	page_jail_free(n->jail);
	n->jail = NULL;
	n->user_agent = n->agent_end = NULL;
	n->hosts = NULL;
	n->credentials = NULL;
}

/* Finds the policy and parses its options. Returns 0; ERR_USAGE for a name or an option that does not exist; or ERR_FILE
 * for a policy's file that cannot be loaded. The caller calls live_policy_release() in each case. */
static int live_policy_make(struct live_policy *p, const struct live_config *c, struct err_note *why)
{
	TRY(policy_find(c->policy, &p->policy, why));
	opt_init(&p->opts, p->policy->opts, p->policy->name);
	for (size_t i = 0; i < c->policy_opt.count; i++)
		TRY(opt_give(&p->opts, c->policy_opt.at[i], why));
	return 0;
}

/* Frees the policy and its options. */
static void live_policy_release(struct live_policy *p)
{
	opt_release(&p->opts);
	policy_free(p->policy);
}

/* Writes a policy with its options, as in "ieca delta0=0.35 beta=0.1". */
static void describe(const struct policy *p, const struct opt_set *opts, struct buf *out)
{
	AUTO(buf) options = BUF_EMPTY;

	opt_describe(opts, &options);
	buf_text(out, p->name);
	if (options.used)
		buf_format(out, " %s", options.at);
}

static int log_swap(struct store *store, const struct policy *p, const struct opt_set *opts, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	describe(p, opts, &text);
	return store_log(store, &(struct log_entry){.kind = LOG_POLICY, .text = text.at}, why);
}

/* Writes a LOG_POLICY entry with this policy into the log, for --swap-policy. Returns 0 or an error of the store. */
static int live_policy_swapped(const struct live_policy *p, struct store *store, struct err_note *why)
{
	return log_swap(store, p->policy, &p->opts, why);
}

static int note_turn(struct live_policy *p, struct err_note *why)
{
	const struct policy *now = frontier_policy(p->frontier);

	if (now == p->told)
		return 0;
	p->told = now;
	return log_swap(p->store, now, frontier_opts(p->frontier), why);
}

/* Says whether the last swap in the log is a swap to this policy. */
static int is_last(struct store *store, const struct buf *text, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(store);
	struct log_entry e;
	int is = 0, err;

	while ((err = store_log_next(c, &e, why)) > 0)
		if (e.kind == LOG_POLICY)
			is = strcmp(e.text, text->at) == 0;
	store_log_stop(c);
	return err < 0 ? err : is;
}

/* Begins to write a LOG_POLICY entry whenever the chain moves on to its next policy. The caller calls this after
 * resume_from_log(). If the chain moved on just before the earlier sitting was killed, and the log does not have it, the
 * entry is written now. Returns 0 or an error of the store. */
static int live_policy_watch(struct live_policy *p, struct store *store, const struct frontier *f, struct err_note *why)
{
	struct frontier_counts n;
	struct buf text = BUF_EMPTY;
	int known = 1;

	p->store = store;
	p->frontier = f;
	frontier_count(f, &n);
	if (p->policy->plan.n && n.crawled >= p->policy->plan.turns[0].until) {
		describe(frontier_policy(f), frontier_opts(f), &text);
		known = is_last(store, &text, why);
		buf_release(&text);
	}
	p->told = known > 0 ? frontier_policy(f) : NULL;
	return known < 0 ? known : note_turn(p, why);
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	(void)id;
	(void)key;
	return note_turn(ctx, why);
}

static int idle(void *ctx, struct err_note *why)
{
	return note_turn(ctx, why);
}

struct observer live_policy_observer(struct live_policy *p)
{
	return (struct observer){.ctx = p, .taken = taken, .idle = idle};
}

/* --- what needs no file that is written */

/* Makes the scope from the configuration. */
static int make_scope(struct live *l, struct err_note *why)
{
	const struct live_config *c = live_config_of(l);
	struct buf traps = BUF_EMPTY;

	for (size_t i = 0; i < c->trap_opt.count; i++)
		buf_format(&traps, "%s%s", i ? "\n" : "", c->trap_opt.at[i]);
	const struct scope_settings s = {
#define SCOPE(kind, field, ...) .field = c->field,
#include "base/settings.h"
		.traps = traps.at,
		.hosts = l->network.hosts,
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
	const struct live_config *c = live_config_of(l);
	int err = live_policy_make(&l->policy, c, why);
	l->snapshots = snapshot_place(settings->dir, c->policy);
	if (!err)
		err = live_network_make(&l->network, settings, why);
	if (!err)
		err = make_scope(l, why);
	if (!err)
		err = url_rules_read(&l->network.fetch.rules, c->normalise ? c->normalise : "", why);
	if (err)
		live_close(l);
	else
		*out = l;
	return err;
}

void live_observe(struct live *l, const struct observer *observers, size_t n, struct progress *progress)
{
	assert(n <= LIVE_OBSERVERS);
	l->observers = observers;
	l->n_observers = n;
	l->progress = progress;
}

/* --- files */

/* Opens the store of --previous. The caller does so before it creates the crawl's own store, so that an error leaves no new store
 * behind. */
static int open_previous(struct live *l, struct err_note *why)
{
	const char *path = live_config_of(l)->previous;

	return path ? store_open(&l->previous, path, STORE_READ, why) : 0;
}

/* --- one agent of several */

/* Makes the agent of a crawl by several agents: by the membership (--join), or, if the store is only viewed, by the roster in the
 * store. Returns ERR_USAGE if a store of an agent is to be resumed without --join. */
static int make_agent(struct live *l, struct err_note *why)
{
	const char *text = store_get(l->store, LIVE_AGENT_ROSTER), *id = store_get(l->store, LIVE_AGENT_ID);
	const struct live_join *join = l->settings.join;
	struct roster *roster;
	int err = 0;

	if (join && l->policy.policy->plan.n)
		return err_set(why, ERR_USAGE, "--join: the chain '%s' cannot be divided; give one policy", l->policy.policy->name);
	if (join)
		l->agent = live_agent_new(join->member, join->roster, join->self,
			(struct live_rest){live_config_of(l)->delay, live_config_of(l)->delay_factor});
	if (join || !text || !id)
		return 0;
	if (!l->settings.is_view)
		return err_set(why, ERR_USAGE,
			"the store '%s' is that of an agent: go on with the crawl by --join nats://HOST:PORT/NAME",
			l->settings.dir);
	roster = mem_zero(1, sizeof *roster);
	const unsigned self = roster_read(roster, text, strlen(text)) ? ROSTER_NONE : roster_find(roster, id);
	if (self == ROSTER_NONE)
		err = err_set(why, ERR_DAMAGED, "the store '%s' is damaged: its roster of agents", l->settings.dir);
	else
		l->agent = live_agent_new(NULL, roster, self, (struct live_rest){0, 0});
	free(roster);
	return err;
}

/* Adds a seed during the crawl. An invalid URL is reported in a message, and does not end the crawl. */
static int seed_now(void *live, const char *url, size_t n, struct buf *taken, struct err_note *why)
{
	struct live *l = live;
	struct url u = URL_EMPTY;
	int err = live_seed_parse(&u, url, n, why);

	if (err)
		log_say("%s", why->text);
	else
		err = live_seed(l, &u, GUARD_LISTED, why);
	if (!err)
		charter_add(taken, CHARTER_SEED, u.text.at);
	url_release(&u);
	live_queue_seeds(l);
	return err == ERR_USAGE ? 0 : err;
}

static int commit_all(void *live, struct err_note *why)
{
	return live_commit(live, why);
}

/* Opens the store for writing. live_decide() has read the configuration from the store, which was closed afterwards; so this
 * function checks that no other crawl has begun in the folder meanwhile. */
static int open_store(struct live *l, struct err_note *why)
{
	const struct live_decision *d = l->settings.decision;

	TRY(store_open(&l->store, l->settings.dir, STORE_WRITE, why));
	l->summary.resumed = store_get(l->store, "policy") != NULL;
	if (l->summary.resumed != d->resumed)
		return err_set(why, ERR_FILE, "another crawl has begun in '%s' at this moment; start again", l->settings.dir);
	TRY(live_scores_check(d, l->store, l->settings.dir, why));
	return live_decision_keep(d, l->store, why);
}

/* Says whether a path lies in a folder, which need not exist yet. */
static int is_within(const char *path, const char *folder)
{
	const size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static int open_memory(struct live *l, struct err_note *why)
{
	return l->settings.shared ? 0 : live_memory_open(&l->has_memory, l->settings.dir, live_config_of(l), why);
}

/* Opens what the crawl reads and writes: the store of --previous, its own store, the score command, the command of --exec, and the
 * archive. An error before the store is opened leaves no new store behind. */
static int open_files(struct live *l, struct err_note *why)
{
	const struct live_config *c = live_config_of(l);
	int err = open_previous(l, why);

	if (!err && c->warc && !is_within(c->warc, l->settings.dir))
		err = live_archive_check(c->warc, why);
	if (!err && l->settings.decision->resumed)
		err = open_memory(l, why); /* before a large store is read; a new one has no folder yet */
	if (!err)
		err = open_store(l, why);
	if (!err && !l->has_memory)
		err = open_memory(l, why);
	if (!err && c->score_cmd)
		err = scorer_new(&l->scorer, c->score_cmd, c->score_timeout, why);
	l->network.fetch.scorer = l->scorer;
	if (!err && c->exec)
		err = runner_new(&l->runner, c->exec, c->exec_timeout, why);
	l->network.fetch.runner = l->runner;
	if (!err && c->render_cmd)
		err = renderer_new(&l->renderer, c->render_cmd, c->render_timeout, why);
	l->network.fetch.renderer = l->renderer;
	if (!err && c->warc)
		err = live_archive_open(&l->archive, c, l->network.fetch.user_agent, why);
	if (!err && l->settings.shared)
		l->archive = l->settings.shared->archive;
	l->network.fetch.archive = l->archive;
	return err;
}

/* Opens the store for reading only, for a crawl that is viewed. */
static int open_view(struct live *l, struct err_note *why)
{
	struct err_note missing;
	enum store_rest rest;
	const int err = l->settings.damaged ? store_open_rest(&l->store, l->settings.dir, &rest, &missing, why)
					    : store_open(&l->store, l->settings.dir, STORE_READ, why);

	l->summary.resumed = !err;
	return err ? err : store_decode(l->store, why);
}

/* --- from the parts to a crawl */

/* Adds a seed of an earlier sitting to the guard. */
static int guard_seed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	struct store_page page;

	if (!store_page(l->store, id, &page) || url_parse(&l->url, page.url, page.url_length, NULL) != URL_OK)
		return err_set(why, ERR_DAMAGED, "the store is damaged: seed %u has no URL", id);
	guard_add_seed(l->guard, &l->url, GUARD_LISTED);
	return 0;
}

/* Makes the network source. A crawl of requisites shares guard and archive with the pages' crawl, and follows requisites only. */
static int make_source(struct live *l, struct err_note *why)
{
	struct fetch_settings *f = &l->network.fetch;

	f->lease_end = l->settings.join ? member_sure_until(l->settings.join->member) : NULL;
	f->guard = l->guard = l->settings.shared ? l->settings.shared->guard : guard_new(&l->network.guard);
	f->requisites = live_config_of(l)->requisites;
	f->simhash = (traps_wants(scope_traps(l->scope)) & TRAPS_WANT_SIMHASHES) != 0;
	f->fingerprints = (traps_wants(scope_traps(l->scope)) & TRAPS_WANT_FINGERPRINTS) != 0;
	if (l->settings.shared) {
		f->kinds = 1u << LINK_REQUISITE;
		f->max_links = FETCH_MAX_REQUISITES;
	}
	/* a host that accepts connections and is silent is not waited for beyond --give-up-after at a single request */
	if (f->first_byte_timeout > live_config_of(l)->give_up_after && live_config_of(l)->give_up_after > 0)
		f->first_byte_timeout = live_config_of(l)->give_up_after;
	TRY(l->settings.shared ? 0 : resume_seeds(l->store, guard_seed, l, why));
	TRY(net_source_new(&l->source, f, l->scope, l->store, why));
	if (l->settings.is_view && live_scores_are_in(l->store))
		net_source_has_scores(l->source);
	if (l->previous)
		net_source_compare(l->source, l->previous);
	if (live_config_of(l)->refresh && live_config_of(l)->follow_sitemaps)
		net_source_read_dates(l->source);
	net_source_give_up_after(l->source, live_config_of(l)->give_up_after);
	if (l->agent)
		live_agent_divide(l->agent, l->source);
	return 0;
}

static int make_frontier(struct live *l, struct err_note *why)
{
	const struct live_config *c = live_config_of(l);
	const struct frontier_settings s = {.policy = l->policy.policy,
		.opts = &l->policy.opts,
		.batch = c->batch,
		.growth = c->rerank_growth,
		.total = c->total,
		.rng_seed = c->rng_seed,
		.deferred_last = c->max_pages || c->max_bytes || c->stop_when > 0,
		.budget = {.pages = c->max_pages, .bytes = c->max_bytes, .most = c->host_share},
		.delay_ms = c->delay,
		.slow_factor = c->delay_factor,
		.jitter = LIVE_JITTER,
		.per_host = (uint32_t)c->parallel_per_host};
	struct frontier_world world;

	l->source->ops->world(l->source, &world);
	return frontier_new(&l->frontier, &s, &world, why);
}

/* Makes the changes that this sitting asks for, after the resume: another policy, another scope, pages to retry. All changes are in
 * one commit, so a crash undoes all of them or none. */
static int replace(struct live *l, struct err_note *why)
{
	const struct live_decision *d = l->settings.decision;
	const int is_rescope = d->changes.used > 0;
	uint32_t pages;

	TRY(d->is_swap ? live_policy_swapped(&l->policy, l->store, why) : 0);
	TRY(live_policy_watch(&l->policy, l->store, l->frontier, why));
	if (is_rescope)
		TRY(rescope_crawl(l->store, l->frontier, l->source, d->changes.at, l->progress, why));
	if (l->settings.retry_failed) {
		TRY(retry_failed(l->store, l->frontier, l->source, l->settings.retry_failed, &pages, why));
		log_say("failed pages that are tried again: %u", pages);
	}
	if (l->settings.retry_skipped) {
		TRY(retry_skipped(l->store, l->frontier, l->source, &pages, why));
		log_say("skipped pages that are queued again: %u", pages);
	}
	if (d->is_swap || is_rescope || l->settings.retry_failed || l->settings.retry_skipped)
		TRY(store_commit(l->store, why));
	return 0;
}

static int open_requisites(struct live *l, struct err_note *why)
{
	const struct live_requisites_settings s = {.dir = l->settings.dir,
		.config = live_config_of(l),
		.shared = {l->archive, l->guard, l->network.jail},
		.observers = l->observers,
		.n_observers = l->n_observers,
		.stop = l->settings.stop,
		.paused = l->settings.paused};

	return live_config_of(l)->requisites ? live_requisites_open(&l->requisites, l, &s, why) : 0;
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
	if (!err && l->agent)
		live_agent_seed_by(l->agent, seed_now);
	if (!err)
		err = resume_from_log(l->store, &l->snapshots, l->frontier, l->source, is_view ? RESUME_TO_VIEW : RESUME_TO_CRAWL,
			l->agent, l->progress, l->settings.stop, why);
	if (!err && !is_view)
		err = replace(l, why);
	return err || is_view ? err : open_requisites(l, why);
}

void live_close(struct live *l)
{
	if (!l)
		return;
	live_requisites_close(l->requisites);
	live_agent_free(l->agent);
	frontier_free(l->frontier);
	if (l->source)
		l->source->ops->close(l->source);
	revisit_free(l->revisit);
	page_service_free(l->runner);
	page_service_free(l->renderer);
	page_service_free(l->scorer);
	scope_free(l->scope);
	live_policy_release(&l->policy);
	store_drop(l->store);
	if (l->previous)
		store_drop(l->previous);
	url_release(&l->url);
	live_network_release(&l->network);
	free(l->seeds);
	map_release(&l->added);
	if (!l->settings.shared) {
		(void)!warc_close(l->archive, NULL);
		guard_free(l->guard);
	}
	if (l->has_memory)
		paged_close();
	free(l);
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
