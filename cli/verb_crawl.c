/* `lycosa crawl`: crawls the web into a store. */
#include "config.h"

#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/crawl_contact.h"
#include "cli/crawl_lines.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "crawler/live.h"
#include "base/output.h"
#include "lab/seedset.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct crawl_options {
	struct standard_options standard;
	struct policy_options policy;
	struct report_options report;
	const char *seeds, *store, *order;
	/* scope */
	uint64_t max_depth;
	int span_hosts, no_parent;
	const char *domains, *accept, *reject, *accept_regex, *reject_regex;
	/* manners */
	int64_t delay;
	uint64_t per_host, parallel;
	int no_robots, follow_sitemaps;
	const char *contact, *user_agent;
	/* fetching */
	int64_t timeout;
	uint64_t tries, limit_rate;
	struct flag_list headers, connect_to;
	const char *proxy, *cacert;
	/* limits */
	int64_t max_time;
	uint64_t max_bytes;
	int strict;
};

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

/* --- from flags to settings; texts that are made are kept in `texts` */

struct texts {
	char *batch, *total, *rng_seed, *max_depth, *options, *user_agent;
};

static void release_texts(struct texts *t)
{
	free(t->batch);
	free(t->total);
	free(t->rng_seed);
	free(t->max_depth);
	free(t->options);
	free(t->user_agent);
}

static char *text_of(uint64_t number)
{
	struct buf b = BUF_EMPTY;

	buf_format(&b, "%llu", (unsigned long long)number);
	return buf_take(&b);
}

/* What is kept in the store; what was not given stays NULL. */
static int kept_of(
	const struct command *c, struct live_kept *k, struct texts *t, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	uint64_t total;
	int err = total_of(o->policy.total, &total, why);

	if (!err && total == TOTAL_REACHABLE)
		err = err_set(why, ERR_USAGE,
			"--total reachable: a live crawl cannot know it; give a number");
	if (err)
		return err;
	t->options = policy_options_text(&o->policy);
	t->batch = o->policy.batch ? text_of(o->policy.batch) : NULL;
	t->total = total ? text_of(total) : NULL;
	t->rng_seed = flags_given(c->flags, "rng-seed") ? text_of(o->policy.rng_seed) : NULL;
	t->max_depth = flags_given(c->flags, "max-depth") ? text_of(o->max_depth) : NULL;
	*k = (struct live_kept){
		.policy = o->policy.policy,
		.options = t->options,
		.batch = t->batch,
		.total = t->total,
		.rng_seed = t->rng_seed,
		.span_hosts = o->span_hosts ? "1" : NULL,
		.domains = o->domains,
		.accept = o->accept,
		.reject = o->reject,
		.accept_regex = o->accept_regex,
		.reject_regex = o->reject_regex,
		.no_parent = o->no_parent ? "1" : NULL,
		.max_depth = t->max_depth,
	};
	return 0;
}

static char *user_agent_of(const struct crawl_options *o)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, o->user_agent ? o->user_agent : PACKAGE_NAME "/" PACKAGE_VERSION);
	if (o->contact)
		buf_format(&text, " (+%s)", o->contact);
	return buf_take(&text);
}

static int settings_of(
	const struct command *c, struct live_settings *s, struct texts *t, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct opt_set opts = {0};
	const struct policy *policy;
	int err = kept_of(c, &s->kept, t, why);

	/* a name or option that is wrong must not leave a store behind */
	if (!err && o->policy.policy) {
		err = policy_options_read(o->policy.policy, &o->policy, &policy, &opts, why);
		opt_release(&opts);
		if (!err && policy->oracle)
			err = err_set(why, ERR_USAGE,
				"--policy %s looks at the whole graph, which a live crawl has not seen; 'lycosa replay' can",
				policy->name);
	}
	if (err)
		return err;
	err = crawl_lines_check(&o->headers, &o->connect_to, o->user_agent, o->cacert, why);
	if (err)
		return err;
	t->user_agent = user_agent_of(o);
	s->dir = o->store;
	s->fetch = fetch_defaults;
	s->fetch.user_agent = t->user_agent;
	s->fetch.threads = threads_of(o->policy.threads);
	s->fetch.parallel = (unsigned)o->parallel;
	s->fetch.headers = o->headers.at;
	s->fetch.connect_to = o->connect_to.at;
	s->fetch.proxy = o->proxy;
	s->fetch.cacert = o->cacert;
	s->fetch.loopback_only = !o->contact;
	s->fetch.no_robots = o->no_robots;
	if (o->follow_sitemaps)
		s->fetch.kinds |= 1u << LINK_SITEMAP;
	s->fetch.timeout_ms = o->timeout;
	s->fetch.tries = (unsigned)o->tries;
	s->fetch.limit_rate = o->limit_rate;
	s->delay_ms = o->delay;
	s->per_host = (uint32_t)o->per_host;
	s->max_pages = o->policy.max_pages;
	s->max_bytes = o->max_bytes;
	s->max_time = o->max_time;
	s->stop = &stop;
	return 0;
}

/* --- seeds */

/* The seeds as given: operands, then the lines of a file. */
struct seed_list {
	char **url;
	size_t n, room;
};

static void release_seeds(struct seed_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->url[i]);
	free(l->url);
}

static void add_seed(struct seed_list *l, const char *url)
{
	l->url = mem_grow(l->url, &l->room, l->n + 1, sizeof *l->url);
	l->url[l->n++] = mem_text(url);
}

static int read_seeds(const struct command *c, struct seed_list *l, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct seed_line entry;
	struct input *in;
	char *line;
	size_t n;

	for (size_t i = 0; i < c->flags->operands; i++)
		add_seed(l, c->flags->operand[i]);
	if (!o->seeds)
		return 0;
	int err = input_open(&in, o->seeds, why);
	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0) {
		if (!seed_line_parse(line, &entry))
			continue;
		if (!entry.url) {
			err = err_set(why, ERR_USAGE,
				"%s:%llu: '%s' is a node id; a live crawl needs URLs",
				input_path(in), (unsigned long long)input_line_number(in),
				entry.id);
			break;
		}
		add_seed(l, entry.url);
	}
	input_close(in);
	return err;
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

/* The URLs in the order crawled, earlier sessions included. */
static int write_order(struct output *out, struct store *store, struct err_note *why)
{
	struct store_log_cursor *cursor = store_log_start(store);
	struct store_page page;
	struct log_entry e;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0)
		if (e.kind == LOG_CRAWLED && store_page(store, e.id, &page)) {
			output_text(out, page.url);
			output_text(out, "\n");
		}
	store_log_stop(cursor);
	if (err) {
		output_abandon(out);
		return err;
	}
	return output_close(out, why);
}

static int print_summary(
	const struct crawl_options *o, const struct live_summary *s, struct err_note *why)
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
	const struct crawl_options *o, const struct seed_list *seeds, struct err_note *why)
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
	const struct seed_list *seeds, struct err_note *why)
{
	struct watch watch = {.live = NULL};
	struct observer observer = {&watch, NULL, watch_event, NULL};
	struct live_summary summary;

	progress_init(&watch.progress, (enum progress_mode)o->report.progress, "pages",
		o->policy.max_pages);
	s->observer = &observer;
	struct output *order = NULL;
	int err = live_check(s, why);
	if (!err)
		err = check_seeds(o, seeds, why);
	if (!err && o->order)
		err = output_open(&order, o->order, why);
	if (!err)
		err = live_open(&watch.live, s, why);
	for (size_t i = 0; !err && i < seeds->n; i++)
		err = live_seed(watch.live, seeds->url[i], strlen(seeds->url[i]), why);
	if (err) {
		live_close(watch.live);
		output_abandon(order);
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
	if (!err && order)
		err = write_order(order, live_store(watch.live), why);
	else
		output_abandon(order);
	if (!err && (!o->order || strcmp(o->order, "-") != 0))
		err = print_summary(o, &summary, why);
	live_close(watch.live);
	return err ? err : verdict(o, &summary, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct live_settings settings = {0};
	struct seed_list seeds = {0};
	struct texts texts = {0};
	int err = settings_of(c, &settings, &texts, why);

	if (!err)
		err = read_seeds(c, &seeds, why);
	if (!err)
		err = crawl_contact_check(o->contact, o->proxy, o->connect_to.at,
			(const char *const *)seeds.url, seeds.n, why);
	if (!err)
		err = crawl(o, &settings, &seeds, why);
	release_seeds(&seeds);
	release_texts(&texts);
	return err;
}

#define OWN(field) offsetof(struct crawl_options, field)
static const struct flag input[] = {
	{"store", 0, FLAG_TEXT, OWN(store), "DIR", .help = "where it is kept; again: goes on",
		.required = 1},
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "FILE",
		.help = "URLs to start from, one a line ('-': stdin)"},
	{"order", 0, FLAG_TEXT, OWN(order), "FILE", .help = "write the URLs in the order crawled"},
	{.name = NULL},
};
static const struct flag scope[] = {
	{"span-hosts", 'H', FLAG_SWITCH, OWN(span_hosts), .help = "go to every host"},
	{"domains", 'D', FLAG_TEXT, OWN(domains), "LIST",
		.help = "and to these domains, commas between"},
	{"max-depth", 0, FLAG_COUNT, OWN(max_depth), "N", .help = "links away from a seed",
		.max = 65535},
	{"accept", 'A', FLAG_TEXT, OWN(accept), "LIST", .help = "only these suffixes or globs"},
	{"reject", 'R', FLAG_TEXT, OWN(reject), "LIST", .help = "not these"},
	{"accept-regex", 0, FLAG_TEXT, OWN(accept_regex), "RE", .help = "only URLs that match"},
	{"reject-regex", 0, FLAG_TEXT, OWN(reject_regex), "RE", .help = "not URLs that match"},
	{"no-parent", 0, FLAG_SWITCH, OWN(no_parent), .help = "not above the seeds' folders"},
	{.name = NULL},
};
static const struct flag manners[] = {
	{"delay", 0, FLAG_TIME, OWN(delay), "TIME", .help = "between two requests to a host"},
	{"per-host", 0, FLAG_COUNT, OWN(per_host), "N", .help = "requests to a host at once",
		.min = 1, .max = 1000},
	{"parallel", 0, FLAG_COUNT, OWN(parallel), "N", .help = "requests at once in all", .min = 1,
		.max = 10000},
	{"no-robots", 0, FLAG_SWITCH, OWN(no_robots),
		.help = "ignore robots.txt (your own server)"},
	{"contact", 0, FLAG_TEXT, OWN(contact), "URL",
		.help = "who to turn to; needed beyond this machine"},
	{"user-agent", 'U', FLAG_TEXT, OWN(user_agent), "TEXT", .help = "its name"},
	{.name = NULL},
};
static const struct flag fetching[] = {
	{"follow-sitemaps", 0, FLAG_SWITCH, OWN(follow_sitemaps),
		.help = "read what robots.txt names"},
	{"timeout", 0, FLAG_TIME, OWN(timeout), "TIME", .help = "of a transfer"},
	{"tries", 0, FLAG_COUNT, OWN(tries), "N", .help = "of a page", .min = 1, .max = 100},
	{"header", 0, FLAG_EACH, OWN(headers), "LINE", .help = "to send"},
	{"limit-rate", 0, FLAG_BYTES, OWN(limit_rate), "BYTES", .help = "a second, of a transfer"},
	{"connect-to", 0, FLAG_EACH, OWN(connect_to), "HOST:PORT:TO:PORT", .help = "as in curl"},
	{"proxy", 0, FLAG_TEXT, OWN(proxy), "URL", .help = "in place of http_proxy, https_proxy"},
	{"cacert", 0, FLAG_TEXT, OWN(cacert), "FILE", .help = "certificates to trust"},
	{"max-time", 0, FLAG_TIME, OWN(max_time), "TIME", .help = "end then"},
	{"max-bytes", 0, FLAG_BYTES, OWN(max_bytes), "BYTES", .help = "end then"},
	{"strict", 0, FLAG_SWITCH, OWN(strict), .help = "a limit reached is status 16"},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, input, 0, FLAGS_A_LINE_EACH},
	{"Policy", policy_flags, OWN(policy), FLAGS_NAMES_ONLY},
	{"Scope", scope, 0, FLAGS_NAMES_ONLY},
	{"Manners", manners, 0, FLAGS_A_LINE_EACH},
	{"Fetching, limits", fetching, 0, FLAGS_NAMES_ONLY},
	{"Output", report_flags, OWN(report), FLAGS_NAMES_ONLY},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct crawl_options defaults = {
	.policy = POLICY_OPTIONS_DEFAULT,
	.delay = 1000,
	.per_host = 1,
	.parallel = 16,
	.timeout = 60000,
	.tries = 3,
};

const struct verb verb_crawl = {
	.name = "crawl",
	.summary = "Crawls the web, best pages first; the same call again goes on.",
	.operands = "[URL...]",
	.most = OPERANDS_ANY,
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
