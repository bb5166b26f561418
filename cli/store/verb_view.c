/* `lycosa view`: the page of the monitor on a store that is not being crawled. */
#include "cli/crawl/crawl_monitor.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "crawler/network/net_source.h"

#include <signal.h>
#include <time.h>

struct view_options {
	struct standard_options standard;
	const char *store, *at, *token;
	int progress; /* enum progress_mode */
	int damaged;
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

/* Answers until a signal ends it. */
static void answer(struct control *c)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	while (!stop) {
		control_answer_now(c);
		nanosleep(&pause, NULL);
	}
}

static int view(const struct view_options *o, struct live_decision *d, struct err_note *why)
{
	struct tally *tally = tally_new();
	const struct control_settings control = {.dir = o->store, .decision = d, .tally = tally};
	struct crawl_monitor m = {.control = NULL};
	struct progress progress;
	struct live *live = NULL;

	progress_init(&progress, (enum progress_mode)o->progress, "reading the log: entries", 0);
	int err = live_new(&live,
		&(struct live_settings){.dir = o->store, .decision = d, .stop = &stop, .is_view = 1, .damaged = o->damaged}, why);
	if (!err) {
		live_observe(live, NULL, 0, &progress);
		err = live_open(live, why);
	}
	progress_done(&progress);
	if (!err)
		err = crawl_monitor_open(&m, &control, NULL, why);
	if (!err)
		tally_of(tally, live_frontier(live), net_source_knowledge(live_source(live)));
	if (!err)
		err = crawl_monitor_begin(&m, live, why);
	if (!err)
		answer(m.control);
	crawl_monitor_close(&m);
	live_close(live);
	tally_free(tally);
	return err;
}

static int decide(const struct view_options *o, struct live_decision *d, struct err_note *why)
{
	struct live_config none = live_config_defaults;
	const struct live_asked asked = {.dir = o->store, .config = &none, .replace = LIVE_VIEW};
	struct store *store;
	int err = open_to_read(&store, o->store, o->damaged, why);

	*d = (struct live_decision){.resumed = 0};
	if (!err)
		err = live_decide(d, &asked, store, why);
	if (!err && !d->resumed)
		err = err_set(why, ERR_NOTHING, "the store '%s' has no crawl", o->store);
	err = store_close(store, err, why);
	d->config.monitor = o->at ? o->at : "0";
	d->config.monitor_token = o->token;
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct view_options *o = c->options;
	const struct sigaction a = {.sa_handler = on_signal};
	struct live_decision decision;

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	int err = decide(o, &decision, why);
	if (!err)
		err = view(o, &decision, why);
	live_decision_release(&decision);
	return err;
}

#define VIEW(field) offsetof(struct view_options, field)
static const struct view_options view_defaults;
static const struct flag view_flags[] = {
	{"store", 0, FLAG_TEXT, VIEW(store), "DIR", .help = "the store", .required = 1, .is_noun = 1, .file = FLAG_READS_FOLDER},
	{"listen", 0, FLAG_TEXT, VIEW(at), "[ADDRESS:]PORT",
		.help = "where to serve the page; by default on any free port of this machine"},
	{"token", 0, FLAG_TEXT, VIEW(token), "FILE", .help = "the page answers who knows the token in FILE", .file = FLAG_READS},
	{"progress", 0, FLAG_CHOICE, VIEW(progress), "auto|bar|log|none", .help = "how the reading of the log is shown"},
	DAMAGED_ROW(VIEW(damaged)),
	STANDARD_ROWS,
};

const struct verb verb_view =
	VERB("view", "Serves a page that shows the crawl in a store, read only.", view_flags, view_defaults, run);
