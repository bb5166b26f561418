/* `lycosa crawl`: crawls the web into a store. */
#include "cli/crawl_contact.h"
#include "cli/crawl_lists.h"
#include "cli/crawl_options.h"
#include "cli/crawl_seeds.h"
#include "cli/crawl_settings.h"
#include "cli/verbs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Set by the signals: 1, finish what is in flight; 2, break it off. */
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = stop ? 2 : 1;
}

static void listen_to_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
}

/* --- progress */

struct watch {
	struct progress progress;
	struct live *live;
};

static int watch_event(void *ctx, const struct event *e, struct err_note *why)
{
	struct watch *w = ctx;
	struct frontier_counts n;
	char note[128];

	(void)e;
	(void)why;
	if (w->progress.mode == PROGRESS_NONE)
		return 0;
	frontier_count(live_frontier(w->live), &n);
	snprintf(note, sizeof note, "%llu queued on %llu hosts, %llu failed",
		(unsigned long long)n.queued, (unsigned long long)(n.hosts_ready + n.hosts_waiting),
		(unsigned long long)n.failed);
	progress_tick(&w->progress, n.crawled, note);
	return 0;
}

/* --- the end */

static void tell_rejected(void *ctx, const char *reason, uint64_t n)
{
	struct results *r = ctx;
	char name[64];

	snprintf(name, sizeof name, "refused_%s", reason);
	results_name(r, name);
	results_count(r, n);
}

static int print_summary(const struct crawl_options *o, struct live *live,
	const struct live_summary *s, struct err_note *why)
{
	static const char *const ends[] = {[CRAWL_DONE] = "done",
		[CRAWL_PAGES] = "max-pages",
		[CRAWL_TIME] = "max-time",
		[CRAWL_BYTES] = "max-bytes",
		[CRAWL_STOPPED] = "interrupted"};
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {{"crawled", s->pages.crawled}, {"crawled_now", s->crawled_now},
		{"failed", s->pages.failed}, {"refused", s->pages.refused},
		{"redirected", s->pages.redirected}, {"queued", s->pages.queued},
		{"seen", s->pages.seen}, {"bytes_now", s->bytes_now}};
	struct results r;

	report_begin(&o->report, &r);
	results_name(&r, "store");
	results_text(&r, o->store);
	report_seconds(&o->report, &r, "seconds", s->ms * 1000000);
	results_figures(&r);
	results_name(&r, "end");
	results_text(&r, ends[s->end]);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results_name(&r, rows[i].name);
		results_count(&r, rows[i].value);
	}
	crawl_rejected_count(live, tell_rejected, &r);
	return results_end(&r, why);
}

/* The status that the end of a crawl deserves. */
static int verdict(
	const struct crawl_options *o, const struct live_summary *s, struct err_note *why)
{
	if (s->end == CRAWL_STOPPED)
		return err_set(why, ERR_INTERRUPTED,
			"interrupted with %llu pages queued; the same command goes on",
			(unsigned long long)s->pages.queued);
	if (s->end != CRAWL_DONE && o->strict)
		return err_set(why, ERR_LIMIT, "a limit was reached with %llu pages queued",
			(unsigned long long)s->pages.queued);
	if (s->seeds && s->seeds == s->seeds_failed)
		return err_set(why, ERR_ALL_SEEDS_FAILED,
			"every seed failed; 'lycosa store explain --store %s URL' says how",
			o->store);
	return 0;
}

/* Seeds that are none must not leave a store behind. */
static int check_seeds(
	const struct crawl_options *o, const struct crawl_seeds *seeds, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < seeds->n; i++)
		err = live_seed_check(seeds->url[i], strlen(seeds->url[i]), why);
	if (!err && !seeds->n && !store_is(o->store))
		err = err_set(
			why, ERR_NOTHING, "nothing to crawl: name a URL, or a file with --seeds");
	return err;
}

static int crawl(const struct crawl_options *o, struct live_settings *s,
	const struct crawl_seeds *seeds, struct err_note *why)
{
	struct watch watch = {.live = NULL};
	struct observer observer = {&watch, NULL, watch_event, NULL};
	struct live_summary summary;

	progress_init(&watch.progress, (enum progress_mode)o->report.progress, "pages",
		o->policy.max_pages);
	s->observer = &observer;
	struct crawl_lists lists = {NULL, NULL};
	int err = live_check(s, why);
	if (!err)
		err = check_seeds(o, seeds, why);
	if (!err)
		err = crawl_lists_open(&lists, o->order, o->rejected, why);
	if (!err)
		err = live_open(&watch.live, s, why);
	for (size_t i = 0; !err && i < seeds->n; i++)
		err = live_seed(watch.live, seeds->url[i], strlen(seeds->url[i]), why);
	if (err) {
		live_close(watch.live);
		crawl_lists_abandon(&lists);
		return err;
	}
	live_summary(watch.live, &summary);
	if (!summary.seeds)
		err = err_set(
			why, ERR_NOTHING, "nothing to crawl: name a URL, or a file with --seeds");
	if (!err) {
		listen_to_signals();
		err = live_run(watch.live, why);
		progress_done(&watch.progress);
		live_summary(watch.live, &summary);
	}
	if (!err)
		err = crawl_lists_write(&lists, watch.live, why);
	else
		crawl_lists_abandon(&lists);
	if (!err && (!o->order || strcmp(o->order, "-") != 0))
		err = print_summary(o, watch.live, &summary, why);
	live_close(watch.live);
	return err ? err : verdict(o, &summary, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct live_settings settings = {0};
	struct crawl_seeds seeds = {0};
	struct crawl_texts texts = {0};
	int err = crawl_settings_of(c, &settings, &texts, why);

	settings.stop = &stop;
	if (!err)
		err = crawl_seeds_read(c, &seeds, why);
	if (!err)
		err = crawl_contact_check(o->contact, o->proxy, o->connect_to.at,
			(const char *const *)seeds.url, seeds.n, why);
	if (!err)
		err = crawl(o, &settings, &seeds, why);
	crawl_seeds_release(&seeds);
	crawl_texts_release(&texts);
	return err;
}

const struct verb verb_crawl = {
	.name = "crawl",
	.summary = "Crawls the web, best pages first; the same call again goes on.",
	.operands = "[URL...]",
	.most = OPERANDS_ANY,
	.groups = crawl_groups,
	.defaults = &crawl_defaults,
	.size = sizeof crawl_defaults,
	.run = run,
};
