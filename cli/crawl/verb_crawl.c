/* `lycosa crawl`: crawls the web into a store. */
#include "cli/crawl/crawl_contact.h"
#include "cli/crawl/crawl_end.h"
#include "cli/crawl/crawl_lists.h"
#include "cli/crawl/crawl_options.h"
#include "cli/crawl/crawl_plan.h"
#include "cli/crawl/crawl_seeds.h"
#include "cli/crawl/crawl_settings.h"
#include "cli/crawl/crawl_watch.h"
#include "cli/verbs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NO_SEED "nothing to crawl: name a URL, or a file with --seeds"

/* Set by the signals: 1, finish what is in flight; 2, break it off. */
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = stop ? 2 : 1;
}

static void listen_to_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal}, before;

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	/* a terminal that is closed stops a crawl as a key does, but for one that nohup guards */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &a, NULL);
}

/* Seeds that are none must not leave a store behind. */
static int check_seeds(
	const struct crawl_options *o, const struct crawl_seeds *seeds, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < seeds->n; i++)
		err = live_seed_check(seeds->url[i], strlen(seeds->url[i]), why);
	if (!err && !seeds->n && !store_is(o->store))
		err = err_set(why, ERR_NOTHING, NO_SEED);
	return err;
}

static size_t uses_stdout(const struct crawl_options *o)
{
	const char *const files[] = {o->order, o->rejected, o->log};
	size_t n = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		n += files[i] && strcmp(files[i], "-") == 0;
	return n;
}

static int check_stdout(const struct crawl_options *o, struct err_note *why)
{
	return uses_stdout(o) < 2 ? 0
				  : err_set(why, ERR_USAGE,
					    "only one of --order, --rejected and --log can be '-'");
}

/* All that can be known to be wrong, or missing, without a store. */
static int check(const struct command *c, const struct live_settings *s,
	const struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	int err = live_check(s, why);

	if (!err)
		err = check_seeds(o, seeds, why);
	if (!err)
		err = check_stdout(o, why);
	return err;
}

/* Opens the crawl and adds its seeds. */
static int begin(struct live **live, const struct live_settings *s, const struct crawl_seeds *seeds,
	struct err_note *why)
{
	struct live_summary summary;
	int err = live_open(live, s, why);

	for (size_t i = 0; !err && i < seeds->n; i++)
		err = live_seed(*live, seeds->url[i], strlen(seeds->url[i]), why);
	if (err)
		return err;
	live_summary(*live, &summary);
	return summary.seeds ? 0 : err_set(why, ERR_NOTHING, NO_SEED);
}

static int finish(const struct crawl_options *o, struct crawl_watch *watch, struct live *live,
	struct crawl_lists *lists, struct err_note *why)
{
	struct live_summary summary;
	int err = crawl_watch_close(watch, why);

	live_summary(live, &summary);
	if (!err)
		err = crawl_lists_write(lists, live, why);
	if (!err && !uses_stdout(o))
		err = crawl_end_print(o, live, &summary, why);
	return err ? err : crawl_end_verdict(o, &summary, why);
}

static int crawl(const struct command *c, struct live_settings *s, const struct crawl_seeds *seeds,
	struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct crawl_lists lists = {NULL, NULL};
	struct crawl_watch watch = {.n = 0};
	struct live *live = NULL;
	int err = crawl_lists_open(&lists, o->order, o->rejected, why);

	if (!err)
		err = crawl_watch_open(&watch, c, why);
	s->observers = watch.observers;
	s->n_observers = watch.n;
	s->progress = &watch.coming_back;
	if (!err) {
		listen_to_signals();
		err = begin(&live, s, seeds, why);
	}
	if (!err) {
		crawl_watch_begin(&watch, live);
		err = live_run(live, why);
	}
	if (!err)
		err = finish(o, &watch, live, &lists, why);
	(void)!crawl_watch_close(&watch, NULL);
	crawl_lists_abandon(&lists);
	live_close(live);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct live_settings settings = {0};
	struct crawl_seeds seeds = {0};
	struct crawl_texts texts = {0};
	int err = crawl_settings_of(c, &settings, &texts, why);

	settings.stop = &stop;
	if (!err && o->print_config) {
		err = crawl_print_settings(c, why);
		crawl_texts_release(&texts);
		return err;
	}
	if (!err)
		err = crawl_seeds_read(c, &seeds, why);
	if (!err)
		err = crawl_contact_check(o->contact, o->proxy, o->connect_to.at,
			(const char *const *)seeds.url, seeds.n, why);
	if (!err)
		err = check(c, &settings, &seeds, why);
	if (!err)
		err = o->dry_run ? crawl_plan(c, &settings, &seeds, why)
				 : crawl(c, &settings, &seeds, why);
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
