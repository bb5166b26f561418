/* `lycosa crawl`: crawls the web into a store. */
#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/sandbox.h"
#include "cli/crawl/crawl_end.h"
#include "cli/crawl/crawl_join.h"
#include "cli/crawl/crawl_options.h"
#include "cli/crawl/crawl_seeds.h"
#include "cli/crawl/crawl_settings.h"
#include "cli/crawl/crawl_watch.h"
#include "cli/verbs.h"
#include "crawler/resume/retry.h"
#include "fetch/page_jail.h"
#include "fetch/trust.h"
#include "policies/policies.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the sandbox */

/* Restricts a crawl to writing its own files (base/sandbox.h), since a page from a stranger may exploit a defect in a
 * parser. */

struct crawl_sandbox {
	const struct crawl_options *options;
	const struct live_config *config;
	int *is_confined; /* becomes 1: the process is, for good */
};

struct folders {
	char **path;
	size_t n, room;
};

static void add_folder(struct folders *f, char *take_path)
{
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = take_path;
}

/* Adds the folder that a file lies in, behind all links; stdout, which is open already, needs none. */
static void add_folder_of(struct folders *f, const char *file)
{
	struct place place;

	if (!file || strcmp(file, "-") == 0)
		return;
	place_find(&place, file);
	const char *slash = strrchr(place.path, '/');
	if (place.descriptor < 0)
		add_folder(f, slash ? mem_part(place.path, (size_t)(slash - place.path) + 1) : mem_text("."));
	place_release(&place);
}

#define READ_LATE 9

/* Lists the files that libraries read each time when they connect: certificates, and what opens a NATS server. */
static void files_read_late(const struct crawl_sandbox *s, const char *read[READ_LATE])
{
	struct bus_access nats = s->options->nats;
	const char *places[TRUST_PLACES];
	size_t n = 0;

	bus_access_from_environment(&nats);
	trust_places(s->config->cacert, places);
	const char *const of_nats[] = {nats.creds, nats.nkey, nats.cacert, nats.cert, nats.key};
	for (size_t i = 0; i < TRUST_PLACES; i++)
		if (places[i])
			read[n++] = places[i];
	for (size_t i = 0; i < sizeof of_nats / sizeof *of_nats; i++)
		if (of_nats[i])
			read[n++] = of_nats[i];
}

/* Restricts this process to writing below these folders, which exist by now: the store; the store of --previous
 * (in which LMDB registers its readers); and the folders of the archive, the log, and the files of --order,
 * --rejected, --mirror, --wacz and --seeds-out; and to reading these, the system's files and certificates. `ctx` is
 * a struct crawl_sandbox. If the kernel has no sandbox, the function prints a message at -v. Returns 0 or
 * ERR_FILE. */
static int crawl_sandbox_enter(const void *ctx, struct err_note *why)
{
	const struct crawl_sandbox *s = ctx;
	struct folders f = {NULL, 0, 0};
	AUTO(buf) shown = BUF_EMPTY;
	const char *read[READ_LATE + 1] = {NULL};
	/* a policy in a file may read models, and run what it needs; seeds are renewed by a program, which is this one */
	const int is_open = s->options->seeds_out || (s->config->policy && policy_spec_has_file(s->config->policy));

	files_read_late(s, read);

	add_folder(&f, mem_text(s->options->store));
	if (s->config->previous)
		add_folder(&f, mem_text(s->config->previous));
	if (s->config->mirror)
		add_folder(&f, mem_text(s->config->mirror));
	add_folder_of(&f, s->config->warc);
	add_folder_of(&f, s->config->wacz);
	add_folder_of(&f, s->config->log);
	add_folder_of(&f, s->options->order);
	add_folder_of(&f, s->options->rejected);
	add_folder_of(&f, s->options->seeds_out);
	int err = sandbox_enter(&(struct sandbox){(const char *const *)f.path, f.n, is_open ? NULL : read}, why);
	for (size_t i = 0; i < f.n; i++) {
		buf_format(&shown, "%s%s", i ? ", " : "", f.path[i]);
		free(f.path[i]);
	}
	free(f.path);
	if (err == 0)
		log_detail("files are from now on written in these folders only: %s", shown.at);
	if (err == 0 && !is_open)
		log_detail("it is forbidden %s", sandbox_forbids());
	else if (err == 1)
		log_detail("this kernel has no Landlock: files may be written anywhere");
	*s->is_confined |= !err;
	return err < 0 ? err : 0;
}

#define NO_SEED "nothing to crawl: name a URL, or a file with --seeds"

/* Set by the signals: 1, finish what is in flight; 2, break it off. */
static volatile sig_atomic_t stop;

/* Whether stderr was a terminal when the crawl began. */
static int is_on_terminal;

static void on_signal(int number)
{
	(void)number;
	stop = stop ? 2 : 1;
}

/* Set by SIGHUP if there is a log: the log is then opened again. */
static volatile sig_atomic_t reopen;

static void on_hangup(int number)
{
	/* if the terminal on stderr has been closed, the signal stops the crawl, as Ctrl-C does */
	if (!is_on_terminal || isatty(STDERR_FILENO))
		reopen = 1;
	else
		on_signal(number);
}

static void listen_to_signals(struct crawl_watch *watch)
{
	struct sigaction a = {.sa_handler = on_signal}, before;

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	is_on_terminal = isatty(STDERR_FILENO);
	if (crawl_watch_reopens(watch, &reopen))
		a.sa_handler = on_hangup;
	/* without a log, a hangup means that the terminal was closed, and stops the crawl, unless nohup has made the process
	 * ignore it */
	else if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
		return;
	sigaction(SIGHUP, &a, NULL);
}

/* Checks the seeds before a store is created. Without a seed the store has to exist. */
static int check_seeds(const struct crawl_options *o, const struct live_config *now, const struct crawl_seeds *seeds,
	struct err_note *why)
{
	if (!seeds->n && !store_is(o->store))
		return err_set(why, ERR_NOTHING, NO_SEED "; '%s' has no store to go on with%s", o->store,
			access(o->store, R_OK | X_OK) && errno == EACCES ? ": permission denied" : "");
	return crawl_seeds_check(now, seeds->url, seeds->n, why);
}

static size_t uses_stdout(const struct crawl_options *o, const struct live_config *config)
{
	const char *const files[] = {o->order, o->rejected, config->log};
	size_t n = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		n += files[i] && strcmp(files[i], "-") == 0;
	return n;
}

static int check_stdout(const struct crawl_options *o, const struct live_config *config, struct err_note *why)
{
	return uses_stdout(o, config) < 2 ? 0 : err_set(why, ERR_USAGE, "only one of --order, --rejected and --log can be '-'");
}

/* Refuses the flags that say how pages are visited again, such as --forever, if --refresh is not given. */
static int check_refresh(const struct crawl_options *o, const struct live_decision *d, struct err_note *why)
{
	const struct live_config *c = &d->config;
	const char *flag = c->forever ? "forever"
		: c->older_than       ? "older-than"
		: c->visits           ? "visits"
		: c->visit_order      ? "visit-order"
		: c->visit_worth      ? "visit-worth"
				      : NULL;

	if (!c->refresh && flag)
		return err_set(why, ERR_USAGE, "--%s is about visits of pages that are crawled: give --refresh, too", flag);
	if (c->refresh && !d->resumed)
		return err_set(why, ERR_USAGE, "nothing to refresh: there is no crawl in '%s' yet; crawl without --refresh first",
			o->store);
	return 0;
}

/* Refuses what one of several agents cannot do. Requisites may be on any host, and agents that divide the hosts could not be polite
 * to these hosts. */
static int check_alone(const struct crawl_options *o, const struct live_decision *d, struct err_note *why)
{
	if (o->join && d->config.stop_when > 0)
		return err_set(why, ERR_USAGE,
			"--join: an agent knows its own pages alone, and cannot tell when the crawl has enough; leave out --stop-when");
	if (!o->join || !d->config.requisites)
		return 0;
	return err_set(why, ERR_USAGE, "--join: an agent cannot fetch requisites; leave out %s",
		d->config.mirror ? "--mirror" : "--requisites");
}

static int check_seeds_out(const struct crawl_options *o, struct err_note *why)
{
	if (o->seeds_every && !o->seeds_out)
		return err_set(why, ERR_USAGE,
			"--seeds-every says how often seeds are extracted: name their file with --seeds-out FILE, too");
	if (o->seeds_out && strcmp(o->seeds_out, "-") == 0)
		return err_set(why, ERR_USAGE, "--seeds-out '-': the seeds are renewed, and need a file");
	return 0;
}

/* Adds the files of the crawl with all settings that the store has kept. The archive that a mirror keeps in the store is the
 * store's own. */
static void add_files(const struct command *c, const struct live_decision *d, struct destinations *files)
{
	struct crawl_options now = *(const struct crawl_options *)c->options;

	now.config = d->config;
	if (live_decision_origin(d, "warc") == LIVE_DEFAULT)
		now.config.warc = NULL;
	command_files(c, &now, files);
}

static int check_files(const struct command *c, const struct live_decision *d, struct err_note *why)
{
	AUTO(destinations) files = DESTINATIONS_NONE;

	add_files(c, d, &files);
	return flag_files_check(&files, why);
}

/* Checks everything that can be known to be wrong or missing before a file is written. */
static int check(const struct command *c, const struct live_decision *d, const struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	const struct live_config *now = &d->config;

	TRY(check_seeds(o, now, seeds, why));
	TRY(check_stdout(o, now, why));
	TRY(check_refresh(o, d, why));
	TRY(check_alone(o, d, why));
	TRY(check_seeds_out(o, why));
	return check_files(c, d, why);
}

/* Opens the crawl and adds its seeds. */
static int begin(struct live *live, const struct crawl_seeds *seeds, struct err_note *why)
{
	struct live_summary summary;

	TRY(live_open(live, why));
	for (size_t i = 0; i < seeds->n; i++)
		TRY(live_seed(live, &seeds->url[i], i < seeds->named ? GUARD_NAMED : GUARD_LISTED, why));
	live_summary(live, &summary);
	return summary.seeds ? 0 : err_set(why, ERR_NOTHING, NO_SEED);
}

/* What a crawl is run with. */
struct run {
	const struct command *c;
	const struct live_decision *decision;
	const struct live_join *join; /* NULL: the crawl has one agent */
	struct live *live;
	struct crawl_watch watch;
	struct crawl_lists lists;
};

/* Says whether the summary has no place: stdout belongs to a list, or to a command whose output goes to a file or pipe. */
static int is_stdout_taken(const struct run *r)
{
	const struct live_config *now = &r->decision->config;

	return uses_stdout(r->c->options, now) || ((now->log_to || now->exec) && !isatty(STDOUT_FILENO));
}

static int finish(struct run *r, struct err_note *why)
{
	const struct crawl_options *o = r->c->options;
	struct live_summary summary;
	struct extract_counts mirror = {.files = 0};
	struct destinations files = DESTINATIONS_NONE;
	int err = crawl_watch_close(&r->watch, why);

	live_summary(r->live, &summary);
	add_files(r->c, r->decision, &files);
	if (!err && summary.end != CRAWL_STOPPED)
		err = crawl_mirror_write(&r->decision->config, live_store(r->live), &files, &mirror, why);
	if (!err && summary.end != CRAWL_STOPPED)
		err = crawl_wacz_write(&r->decision->config, live_store(r->live), why);
	destinations_release(&files);
	if (!err)
		err = crawl_lists_write(&r->lists, r->live, why);
	if (!err && !is_stdout_taken(r))
		err = crawl_end_print(o, r->live, &summary, r->decision->config.mirror ? &mirror : NULL, why);
	return err ? err : crawl_end_verdict(o, r->decision, r->live, &summary, why);
}

static int is_default(const struct live_decision *d, const char *name)
{
	return live_decision_origin(d, name) == LIVE_DEFAULT;
}

/* Prints what a new crawl does since nobody has said otherwise, with the flags that say otherwise. */
static void tell_defaults(const struct live_decision *d, int joins)
{
	AUTO(buf) text = BUF_EMPTY;

	if (is_default(d, "policy"))
		buf_format(&text, ", its policy is %s%s (--policy; 'lycosa list policies')", d->config.policy,
			joins ? ", whose order several agents keep, and not that of one machine" : "");
	if (is_default(d, "span-hosts") && is_default(d, "domains"))
		buf_format(&text, ", it stays on the hosts of its seeds (-H or -D)");
	if (is_default(d, "delay") && is_default(d, "host-settings"))
		buf_format(&text, ", it asks a host once a second (--delay)");
	if (is_default(d, "max-pages") && is_default(d, "max-time") && is_default(d, "max-bytes") && is_default(d, "max-depth") &&
		is_default(d, "stop-when"))
		buf_format(&text, ", it ends when no page is left (--max-pages)");
	if (text.used)
		log_say("the crawl goes by the defaults: %s", text.at + 2);
}

/* Prints the defaults that a new crawl goes by, and which settings of this sitting differ from those in the store. */
static void tell_beginning(const struct run *r)
{
	const struct live_decision *d = r->decision;

	if (!d->resumed)
		tell_defaults(d, r->join != NULL);
	if (d->config.requisites && !d->config.warc && !d->config.exec)
		log_say("requisites are fetched, and nothing keeps them: --warc PREFIX, --wacz FILE or --mirror DIR does");
	if (d->overruled.used)
		log_say("for this sitting: %s; --keep stores these values for all later sittings", d->overruled.at);
}

static int crawl(struct run *r, const struct crawl_seeds *seeds, struct err_note *why)
{
	const struct crawl_options *o = r->c->options;
	int err = crawl_mirror_check(&r->decision->config, why);

	if (!err)
		err = crawl_lists_open(&r->lists, o->order, o->rejected, why);

	if (!err)
		err = crawl_watch_open(&r->watch, r->c, r->decision, &stop, why);
	if (!err && r->join)
		crawl_watch_agent(&r->watch, o->join, r->join);
	if (!err) {
		live_observe(r->live, r->watch.observers, r->watch.n, &r->watch.coming_back);
		listen_to_signals(&r->watch);
		err = begin(r->live, seeds, why);
	}
	if (!err) {
		tell_beginning(r);
		err = crawl_watch_begin(&r->watch, r->live, why);
	}
	if (!err)
		err = live_run(r->live, why);
	if (!err) {
		crawl_seed_file_close(&r->watch.seeds, stop ? CRAWL_SEEDS_NONE : CRAWL_SEEDS_LAST);
		err = finish(r, why);
	}
	(void)!crawl_watch_close(&r->watch, NULL);
	crawl_lists_abandon(&r->lists);
	return err;
}

/* Returns the bits of the reasons that --retry-failed names. */
static unsigned reasons_to_retry(const struct flag_list *words)
{
	unsigned reasons = 0;

	for (size_t i = 0; i < words->count; i++)
		for (size_t k = 0; retry_reason_word(k); k++)
			if (strcmp(words->at[i], retry_reason_word(k)) == 0)
				reasons |= 1u << k;
	return reasons;
}

/* Says where the crawl is kept if the user has not, once the crawl is known to be possible. */
static void tell_store(const struct crawl_seeds *seeds, const struct crawl_options *o)
{
	if (!seeds->names_store)
		return;
	log_say("the crawl is %s in '%s', named after its first seed; --store names another folder",
		store_is(o->store) ? "resumed" : "kept", o->store);
}

static int run_decided(const struct command *c, const struct live_decision *d, const struct crawl_seeds *seeds,
	struct crawl_join *join, struct page_nursery *nursery, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct run r = {.c = c, .decision = d};
	const struct crawl_sandbox sandbox = {o, &d->config, &join->is_confined};
	int err = check(c, d, seeds, why);

	if (!err)
		tell_store(seeds, o);
	if (!err && o->join && !o->dry_run) {
		listen_to_signals(&r.watch);
		err = crawl_join_begin(join, c, d, seeds, &stop, why);
	}
	r.join = crawl_join_live(join);
	if (!err)
		err = live_new(&r.live,
			&(struct live_settings){.dir = o->store,
				.decision = d,
				.retry_failed = reasons_to_retry(&o->retry_failed),
				.retry_skipped = o->retry_skipped,
				.stop = &stop,
				.join = r.join,
				.paused = &r.watch.paused,
				.confine = o->no_sandbox || join->is_confined ? NULL : crawl_sandbox_enter,
				.confine_ctx = &sandbox,
				.nursery = nursery},
			why);
	if (!err)
		err = o->dry_run ? crawl_plan(c, r.live, seeds, why) : crawl(&r, seeds, why);
	live_close(r.live);
	return err;
}

static int run_with_seeds(const struct command *c, struct crawl_seeds *seeds, struct page_nursery *nursery, struct err_note *why)
{
	struct live_decision decision;
	struct crawl_join join = {.bus = NULL};
	int err;

	do {
		err = crawl_join_open(&join, c, seeds, why);
		if (!err) {
			err = crawl_decide(c, &decision, why);
			if (!err)
				err = run_decided(c, &decision, seeds, &join, nursery, why);
			live_decision_release(&decision);
		}
		crawl_join_close(&join);
	} while (crawl_join_again(&join, err, &stop));
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	struct crawl_options *o = c->options;
	AUTO(crawl_seeds) seeds = {0};
	struct page_nursery *nursery = NULL;
	AUTO_FREE char *name = NULL;
	int err = 0;

	/* as long as the process has one thread, and knows little */
	if (!o->no_sandbox && !o->dry_run && !o->print_config)
		err = page_nursery_new(&nursery, why);
	/* --print-config with --store needs no seed, so seeds on stdin are not read */
	if (!err && (!o->print_config || !o->store))
		err = crawl_seeds_read(c, &seeds, why);
	if (!err && !o->store && o->join)
		o->store = name = crawl_join_store(o->join);
	if (!err && !o->store && !o->join) {
		if (!seeds.n)
			err = err_set(why, ERR_USAGE, NO_SEED ", or a crawl to go on with by --store DIR");
		else
			o->store = name = crawl_seeds_store(&seeds);
		seeds.names_store = 1;
	}
	if (!err && !o->store)
		err = bus_url_read(&(struct bus_url){.is_tls = 0}, o->join, why);
	if (!err)
		err = o->print_config ? crawl_print_settings(c, why) : run_with_seeds(c, &seeds, nursery, why);
	page_nursery_free(nursery);
	return err;
}

const struct verb verb_crawl = VERB("crawl", "Crawls the web, best pages first, and resumes crawls.", crawl_flags, crawl_defaults,
	run, .operands = "[URL...]");
