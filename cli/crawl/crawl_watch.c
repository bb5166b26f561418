#include "cli/crawl/crawl_watch.h"
#include "agents/bus_access.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/output.h"
#include "cli/crawl/crawl_options.h"
#include "cli/crawl/crawl_end.h"
#include "monitor/metrics.h"
#include "crawler/network/net_source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the seeds of the next crawl */

#define NO_SEEDS 19 /* the status of `lycosa seeds` if there are none */

extern char **environ;

/* --- one extraction */

static void start(struct crawl_seed_file *f)
{
	const char *const arguments[] = {"lycosa", "seeds", "--store", f->store, "--method", "hits", "--count", CRAWL_SEEDS_COUNT,
		"--threads", "1", "-q", NULL};
	posix_spawn_file_actions_t files;
	struct err_note note;

	f->pages = 0;
	if (output_open(&f->making, f->path, &note)) {
		log_say("no seeds are extracted: %s", note.text);
		return;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output_descriptor(f->making), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO); /* the sandbox lets nobody write /dev/null */
	const int failed = posix_spawn(&f->child, "/proc/self/exe", &files, NULL, (char *const *)(uintptr_t)arguments, environ);
	posix_spawn_file_actions_destroy(&files);
	if (failed) {
		f->child = 0;
		output_abandon(f->making);
		log_say("no seeds are extracted: %s; '%s' stays as it was", ascii_error(failed), f->path);
	}
}

/* Handles the end of an extraction: keeps its file, or discards it. */
static void take(struct crawl_seed_file *f, int status)
{
	const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	struct err_note note;

	f->child = 0;
	if (code) {
		output_abandon(f->making);
	} else {
		output_sync(f->making);
		if (output_close(f->making, &note))
			log_say("%s", note.text);
		else
			log_detail("'%s' has the seeds of the pages so far", f->path);
	}
	if (code == NO_SEEDS)
		log_detail("the pages so far have no seeds");
	else if (code)
		log_say("the seeds were not extracted: 'lycosa seeds --store %s --method hits' has failed, and '%s' stays as it was",
			f->store, f->path);
}

static void look_after(struct crawl_seed_file *f, int how)
{
	int status;
	pid_t ended;

	if (!f->child)
		return;
	do
		ended = waitpid(f->child, &status, how);
	while (ended < 0 && errno == EINTR);
	if (ended == f->child)
		take(f, status);
	else if (ended < 0)
		take(f, -1);
}

/* --- the observer of the file with seeds */

static int look(void *ctx, struct err_note *why)
{
	struct crawl_seed_file *f = ctx;

	(void)why;
	look_after(f, WNOHANG);
	if (!f->child && f->pages >= f->every)
		start(f);
	return 0;
}

static int count_page(void *ctx, const struct result *e, struct err_note *why)
{
	struct crawl_seed_file *f = ctx;

	f->pages += e->visit ? e->visit == VISIT_CHANGED || e->visit == VISIT_SAME : e->state == PAGE_CRAWLED;
	return look(ctx, why);
}

void crawl_seed_file_close(struct crawl_seed_file *f, enum crawl_seed_last last)
{
	if (f->path && last == CRAWL_SEEDS_NONE && f->child)
		kill(f->child, SIGKILL);
	look_after(f, 0);
	if (f->path && last == CRAWL_SEEDS_LAST && f->pages) {
		start(f);
		look_after(f, 0);
	}
	*f = (struct crawl_seed_file){.path = NULL};
}

/* --- the watch */

static void draw(struct crawl_watch *w)
{
	const int64_t ms = clock_ms() - w->progress.started;
	struct frontier_counts n;
	struct metrics_hosts hosts;
	AUTO(buf) rate = BUF_EMPTY;
	char note[256], deferred[48] = "", silent[48] = "", given_up[48] = "", visits[48] = "";

	if (!progress_due(&w->progress))
		return;
	double share = w->max_bytes ? (double)w->bytes / (double)w->max_bytes : 0;
	if (w->max_time && (double)ms / (double)w->max_time > share)
		share = (double)ms / (double)w->max_time;
	progress_share(&w->progress, share);
	frontier_count(w->frontier, &n);
	if (n.deferred)
		snprintf(deferred, sizeof deferred, " (%llu deferred)", (unsigned long long)n.deferred);
	metrics_count_hosts(w->frontier, w->source, &hosts);
	if (hosts.silent)
		snprintf(silent, sizeof silent, "%llu silent, ", (unsigned long long)hosts.silent);
	if (hosts.given_up)
		snprintf(given_up, sizeof given_up, "%llu given up, ", (unsigned long long)hosts.given_up);
	if (w->visits)
		snprintf(visits, sizeof visits, "%llu visited again, ", (unsigned long long)w->visits);
	crawl_summary_bytes(&rate, ms > 0 ? 1e3 * (double)w->bytes / (double)ms : 0);
	/* the least important figures stand last, where a narrow terminal cuts them off */
	snprintf(note, sizeof note, "%s%llu failed, %llu queued%s, %s/s, hosts: %s%s%llu ready, %llu wait", visits,
		(unsigned long long)n.failed, (unsigned long long)n.queued, deferred, rate.at, silent, given_up,
		(unsigned long long)hosts.ready, (unsigned long long)hosts.waiting);
	progress_tick(&w->progress, n.crawled, note);
}

/* Opens the log again where a signal has asked for it. */
static void reopen(struct crawl_watch *w)
{
	struct err_note note = {""};

	if (!w->reopen || !*w->reopen)
		return;
	*w->reopen = 0;
	if (page_log_reopen(w->log, &note))
		log_say("%s; the log goes on where it was", note.text);
	else
		log_say("the log is opened again");
}

int crawl_watch_reopens(struct crawl_watch *w, volatile sig_atomic_t *asked)
{
	w->reopen = w->log ? asked : NULL;
	return w->log != NULL;
}

/* Prints the line of -v for a page. */
static void tell_page(const struct crawl_watch *w, const struct result *e)
{
	struct store_page page;

	if (log_level() < LOG_VERBOSE || !w->store || !store_page(w->store, e->id, &page))
		return;
	if (outcome_has(e->outcome, TRAIT_WAITS))
		return;
	if (e->status)
		log_detail("%s: %s, status %u, %llu bytes", page.url, outcome_event(e->outcome, e->state), e->status,
			(unsigned long long)e->bytes);
	else
		log_detail("%s: %s, %s", page.url, outcome_event(e->outcome, e->state), outcome_sentence(e->outcome));
}

/* Why the first request of the sitting was in vain, if it was: without a network a crawl would show nothing but zeros for minutes.
 * Later failures are counted in the progress line, and outages tell of themselves (crawler/knowledge/outages.h). */
static void tell_first(struct crawl_watch *w, const struct result *e)
{
	struct store_page page;
	const int is_retry = e->state == PAGE_QUEUED && !e->status &&
		(outcome_has(e->outcome, TRAIT_AGAIN) || e->outcome == OUTCOME_ROBOTS_DNS || e->outcome == OUTCOME_ROBOTS_CONNECT ||
			e->outcome == OUTCOME_ROBOTS_TIMEOUT);

	if (w->has_first || (!is_retry && outcome_has(e->outcome, TRAIT_WAITS)))
		return;
	w->has_first = 1;
	if (is_retry && w->store && store_page(w->store, e->id, &page))
		log_say("%s: %s; it is tried again", page.url, outcome_sentence(e->outcome));
}

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct crawl_watch *w = ctx;

	(void)why;
	reopen(w);
	tell_first(w, e);
	tell_page(w, e);
	w->bytes += e->bytes;
	draw(w);
	return 0;
}

static int visit(void *ctx, const struct result *e, struct err_note *why)
{
	struct crawl_watch *w = ctx;

	(void)why;
	reopen(w);
	w->bytes += e->bytes;
	w->visits += e->visit != VISIT_PUT_BACK;
	draw(w);
	return 0;
}

static int idle(void *ctx, struct err_note *why)
{
	(void)why;
	reopen(ctx);
	draw(ctx);
	return 0;
}

static int open_metrics(struct crawl_watch *w, unsigned port, struct err_note *why)
{
	char at[24];

	snprintf(at, sizeof at, "127.0.0.1:%u", port);
	TRY(monitor_new(&w->server, &(struct monitor_settings){.flag = "--metrics", .at = at, .metrics = w->metrics}, why));
	log_say("metrics at %s/metrics", monitor_url(w->server));
	return 0;
}

static void observe(struct crawl_watch *w, struct observer observer)
{
	assert(w->n < sizeof w->observers / sizeof *w->observers);
	w->observers[w->n++] = observer;
}

/* Opens the servers of --metrics and --monitor, and the observers that feed them. */
static int open_servers(struct crawl_watch *w, const struct command *c, const struct live_decision *d, volatile sig_atomic_t *stop,
	struct err_note *why)
{
	const struct live_config *config = &d->config;
	int err = 0;

	if (config->metrics == LIVE_NO_METRICS && !config->monitor)
		return 0;
	w->tally = tally_new();
	w->metrics = metrics_new();
	metrics_files_of(w->metrics, ((const struct crawl_options *)c->options)->store, config->warc);
	observe(w, tally_observer(w->tally));
	observe(w, metrics_observer(w->metrics));
	if (config->metrics != LIVE_NO_METRICS)
		err = open_metrics(w, (unsigned)config->metrics, why);
	if (err || !config->monitor)
		return err;
	const struct crawl_options *o = c->options;
	const struct control_settings control = {.dir = o->store,
		.decision = d,
		.stop = stop,
		.paused = &w->paused,
		.tally = w->tally};
	err = crawl_monitor_open(&w->monitor, &control, w->metrics, why);
	if (!err)
		observe(w, control_observer(w->monitor.control));
	return err;
}

/* Returns how progress is shown: if the page log goes to stdout too (--log -), PROGRESS_LOG in place of a line that is redrawn,
 * since both may share a terminal. */
static enum progress_mode mode_of(const struct crawl_options *o, const char *log)
{
	const enum progress_mode mode = (enum progress_mode)o->report.progress;
	const int is_shared = log && strcmp(log, "-") == 0 && log_level() != LOG_QUIET;

	return mode == PROGRESS_AUTO && is_shared ? PROGRESS_LOG : mode;
}

int crawl_watch_open(struct crawl_watch *w, const struct command *c, const struct live_decision *d, volatile sig_atomic_t *stop,
	struct err_note *why)
{
	const struct live_config *config = &d->config;
	const struct crawl_options *o = c->options;
	const enum progress_mode mode = mode_of(o, config->log);
	int err = 0;

	*w = (struct crawl_watch){.max_time = config->max_time, .max_bytes = config->max_bytes, .stop = stop};
	progress_init(&w->coming_back, mode, "coming back: entries", 0);
	progress_init(&w->progress, mode, "pages", config->max_pages);
	observe(w, (struct observer){.ctx = w, .event = event, .visit = visit, .idle = idle});
	if (config->log)
		err = page_log_open(&w->log, config->log, config->log_size, why);
	if (!err && w->log)
		observe(w, page_log_observer(w->log));
	if (!err && config->log_to)
		err = page_log_open_command(&w->reader, config->log_to, why);
	if (!err && w->reader)
		observe(w, page_log_observer(w->reader));
	w->seeds = (struct crawl_seed_file){.store = o->store,
		.path = o->seeds_out,
		.every = o->seeds_every ? o->seeds_every : CRAWL_SEEDS_EVERY};
	/* an extraction that fails is told, and the crawl goes on */
	if (!err && o->seeds_out)
		observe(w, (struct observer){.ctx = &w->seeds, .event = count_page, .visit = count_page, .idle = look});
	return err ? err : open_servers(w, c, d, stop, why);
}

void crawl_watch_agent(struct crawl_watch *w, const char *url, const struct live_join *join)
{
	struct bus_url parts;

	if (w->metrics && !bus_url_read(&parts, url, NULL))
		metrics_agent_of(w->metrics, parts.name, join->self, member_aside(join->member));
}

int crawl_watch_begin(struct crawl_watch *w, struct live *live, struct err_note *why)
{
	struct frontier_counts n;

	progress_done(&w->coming_back);
	w->frontier = live_frontier(live);
	w->source = live_source(live);
	w->store = live_store(live);
	frontier_count(w->frontier, &n);
	w->progress.started = w->progress.drawn = clock_ms();
	w->progress.first = n.crawled;
	if (w->log)
		page_log_of(w->log, w->store, w->frontier, w->stop);
	if (w->reader)
		page_log_of(w->reader, w->store, w->frontier, w->stop);
	if (w->metrics) {
		tally_of(w->tally, w->frontier, net_source_knowledge(live_source(live)));
		metrics_of(w->metrics, w->frontier, w->source);
		metrics_hosts_of(w->metrics, w->tally, w->store);
	}
	return w->monitor.control ? crawl_monitor_begin(&w->monitor, live, why) : 0;
}

int crawl_watch_close(struct crawl_watch *w, struct err_note *why)
{
	progress_done(&w->coming_back);
	progress_done(&w->progress);
	crawl_seed_file_close(&w->seeds, CRAWL_SEEDS_NONE);
	crawl_monitor_close(&w->monitor);
	monitor_free(w->server);
	metrics_free(w->metrics);
	tally_free(w->tally);
	int err = page_log_close(w->log, why);
	const int reader = page_log_close(w->reader, err ? NULL : why);
	err = err ? err : reader;
	*w = (struct crawl_watch){.n = 0};
	return err;
}
