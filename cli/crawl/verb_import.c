/* `lycosa import`: the pages of archives as a crawl that can go on. */
#include "base/log.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "crawler/live/live_import.h"

#include <signal.h>
#include <stdlib.h>

struct import_options {
	struct standard_options standard;
	struct report_options report;
	const char *store, *policy;
	uint64_t threads;
	int progress, span_hosts;
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

/* Finds the archives of all operands. */
static int find_files(const struct command *c, struct warc_files *files, struct err_note *why)
{
	*files = (struct warc_files){0};
	for (size_t i = 0; i < c->flags->operands; i++) {
		struct warc_files more;
		if (!warc_files_find(&more, c->flags->operand[i]))
			return err_set(why, ERR_FILE,
				"'%s' is no WARC, WAT or WACZ file, and no folder, list or pattern of such files",
				c->flags->operand[i]);
		warc_files_take(files, &more);
	}
	return 0;
}

static int print_counts(const struct import_options *o, const struct import_counts *n, struct err_note *why)
{
	struct results r;

	report_begin(&o->report, &r);
	results_fact(&r, "store", cell_text(o->store));
	results_figures(&r);
	RESULTS_COUNTS(&r, {"records", n->records}, {"captures", n->captures}, {"pages", n->pages}, {"crawled", n->crawled},
		{"captured_again", n->earlier}, {"known_before", n->known}, {"not_of_the_web", n->foreign},
		{"revisits_unresolved", n->unresolved}, {"damaged_places", n->damage.places}, {"seen", n->seen},
		{"bodies_unread", n->packed});
	return results_end(&r, why);
}

static int decide(const struct import_options *o, struct live_decision *d, struct err_note *why)
{
	struct live_config config = live_config_defaults;
	struct live_asked asked = {.dir = o->store, .config = &config};
	struct store *store = NULL;
	int err = store_is(o->store) ? store_open(&store, o->store, STORE_READ, why) : 0;

	if (o->policy)
		LIVE_ASK(&asked, &config, policy, o->policy);
	if (o->span_hosts)
		LIVE_ASK(&asked, &config, span_hosts, 1);
	if (store)
		asked.replace = LIVE_VIEW; /* nothing is fetched, so nothing is needed that the store must not grant */
	if (!err)
		err = live_decide(d, &asked, store, why);
	return store_close(store, err, why);
}

static int import(const struct import_options *o, const struct live_decision *d, const struct warc_files *files,
	struct err_note *why)
{
	struct import_counts counts;
	struct progress progress;
	AUTO(buf) missing = BUF_EMPTY;
	struct live *l = NULL;
	int err = live_new(&l, &(struct live_settings){.dir = o->store, .decision = d, .stop = &stop}, why);

	progress_init(&progress, (enum progress_mode)o->progress, "captures", 0);
	if (!err)
		err = live_open(l, why);
	if (!err)
		err = live_import(l, files, threads_of(o->threads), &counts, &progress, why);
	live_close(l);
	if (!err)
		import_tell_missing(&counts, &missing);
	if (!err && !counts.captures)
		err = err_set(why, ERR_NOTHING, "the archives have no page of the Web%s", missing.used ? missing.at : "");
	else if (missing.used)
		log_say("%s", missing.at + 2);
	return err ? err : print_counts(o, &counts, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct import_options *o = c->options;
	const struct sigaction a = {.sa_handler = on_signal};
	AUTO(live_decision) decision = {.resumed = 0};
	struct warc_files files;
	int err = find_files(c, &files, why);

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	if (!err)
		err = decide(o, &decision, why);
	if (!err)
		err = import(o, &decision, &files, why);
	warc_files_release(&files);
	return err;
}

#define IMPORT(field) offsetof(struct import_options, field)
static const struct import_options import_defaults;
static const struct flag import_flags[] = {
	{"store", 0, FLAG_TEXT, IMPORT(store), "DIR", .help = "the store, which is made if it is missing", .required = 1,
		.file = FLAG_WRITES_STORE},
	{"policy", 0, FLAG_TEXT, IMPORT(policy), "NAME", .help = "of the crawl; see 'lycosa list policies'", .words = policy_word},
	{"span-hosts", 'H', FLAG_SWITCH, IMPORT(span_hosts), NULL, .help = "the crawl goes on to all hosts"},
	{"progress", 0, FLAG_CHOICE, IMPORT(progress), "auto|bar|log|none", .help = "how it is shown"},
	THREADS_ROW(IMPORT(threads)),
	JSON_ROW(IMPORT(report.json)),
	STANDARD_ROWS,
};

const struct verb verb_import = VERB("import", "Makes a crawl that can go on of WARC, WAT and WACZ files.", import_flags,
	import_defaults, run, .operands = "FILE...", .operand_file = FLAG_READS);
