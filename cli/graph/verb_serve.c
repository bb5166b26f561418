/* `lycosa serve`: a graph, stored pages or an endless web on 127.0.0.1. */
#include "base/input.h"
#include "base/log.h"
#include "base/num.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "lab/study/virtual_time.h"
#include "lab/study/seedset.h"
#include "simweb/endless_expected.h"
#include "simweb/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROBOTS_FILE_MAX (1u << 20)

struct serve_options {
	struct standard_options standard;
	struct graph_options graph;
	const char *pages, *endless, *faults, *robots, *log, *expected, *seeds, *tls;
	uint64_t port, addresses, threads;
	uint64_t max_depth; /* of --expected; 0: no limit */
	double change_rate; /* 0: as the endless web's list says */
	const char *clock;  /* a time since 1970; NULL: that of this machine */
};

/* Blocks SIGINT and SIGTERM in this thread, and so in every thread that it starts, until sigwait() takes one of them. */
static void hold_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, set, NULL);
	/* sigwait() does not return for an ignored signal, and a shell starts background jobs with SIGINT ignored */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

/* Prints the URL of a first page, since an endless web has no file that names its pages. */
static void print_first_page(const struct endless *web)
{
	AUTO(buf) url = BUF_EMPTY;

	endless_url(web, 0, 0, &url);
	printf("the most popular page is %s\n", url.at);
}

/* Writes what a reader from --seeds gets. */
static int write_expected(const struct simweb *web, const struct serve_options *o, const struct dataset *d, unsigned threads,
	struct err_note *why)
{
	AUTO(seedset) seeds = {0};

	TRY(seedset_read(&seeds, o->seeds, d, 1, why));
	return simweb_write_expected(web, seeds.ids, seeds.n, threads, o->expected, why);
}

static int write_expected_endless(const struct simweb_settings *s, const struct serve_options *o, struct err_note *why)
{
	const struct endless_reader reader = {.max_depth = (uint32_t)o->max_depth,
		.most = ENDLESS_EXPECTED_MOST,
		.threads = s->threads};

	return endless_expected_write(s->endless, &s->faults, &reader, o->expected, why);
}

static int serve_until_told(const struct simweb_settings *s, const struct serve_options *o, const struct dataset *d,
	struct err_note *why)
{
	struct simweb *web;
	struct simweb_counts counts;
	sigset_t set;
	int number;

	hold_signals(&set);
	int err = simweb_start(&web, s, why);
	if (!err && o->expected) {
		err = s->endless ? write_expected_endless(s, o, why) : write_expected(web, o, d, s->threads, why);
		if (err)
			simweb_stop(web);
	}
	if (err)
		return err;
	printf("listening on 127.0.0.1:%u\n", simweb_port(web));
	if (s->endless)
		print_first_page(s->endless);
	if (fflush(stdout) == 0)
		sigwait(&set, &number);
	simweb_counts(web, &counts);
	simweb_stop(web);
	log_say("%llu requests, %llu pages, %llu not found, %llu faults", (unsigned long long)counts.requests,
		(unsigned long long)counts.pages, (unsigned long long)counts.not_found, (unsigned long long)counts.faults);
	return 0;
}

/* Reads the web's time at the start, in s. */
static int read_clock(const char *text, int64_t *seconds, struct err_note *why)
{
	int64_t ms;

	*seconds = (int64_t)time(NULL);
	if (!text)
		return 0;
	if (num_time(text, &ms))
		return err_set(why, ERR_USAGE, "--clock %s: a time since 1970 is wanted, such as 90s or 20000d", text);
	*seconds = ms / 1000;
	return 0;
}

/* Makes the changes of the served pages: those that a replay in virtual time has with the same --seed and --change-rate. */
static int make_changes(struct changing **changing, const struct serve_options *o, const struct dataset *d, uint64_t seed,
	struct err_note *why)
{
	struct virtual_time m;

	virtual_time_init(&m);
	m.change_rate = o->change_rate > 0 ? o->change_rate : -1;
	m.web.seed = seed;
	return changing_web(changing, d, o->graph.graph, &m, why);
}

static int run_serve(const struct command *c, struct err_note *why)
{
	const struct serve_options *o = c->options;
	struct simweb_settings s = {.pages_dir = o->pages,
		.port = (uint16_t)o->port,
		.addresses = (unsigned)o->addresses,
		.log = o->log,
		.threads = threads_of(o->threads)};
	AUTO(dataset) d = {0};
	struct changing *changing = NULL;
	struct endless endless;
	struct tls *tls = NULL;
	char *robots = NULL;
	size_t n;
	int err = 0;

	if (!!o->graph.graph + !!o->pages + !!o->endless != 1)
		return err_set(why, ERR_USAGE, "serve takes one of --graph, --pages and --endless");
	if (o->change_rate > 0 && o->pages)
		return err_set(why, ERR_USAGE, "--change-rate is for --graph and --endless; the pages of a folder are as they are");
	if (o->expected && o->pages)
		return err_set(why, ERR_USAGE, "--expected needs --graph or --endless: all pages and links have to be known");
	if (o->max_depth && !(o->expected && o->endless))
		return err_set(why, ERR_USAGE, "--max-depth is for --expected of an endless web");
	if (o->robots && o->endless)
		return err_set(why, ERR_USAGE, "--robots is not for --endless, where each host has a robots.txt of its own");
	err = fault_parse(&s.faults, o->faults, why);
	if (!err && o->endless) {
		err = endless_parse(&endless, o->endless, why);
		if (o->change_rate > 0)
			endless.changes = o->change_rate;
		endless.tls = o->tls != NULL;
		s.endless = &endless;
	}
	if (!err)
		err = read_clock(o->clock, &s.clock, why);
	if (!err && o->robots)
		err = input_all(o->robots, ROBOTS_FILE_MAX, &robots, &n, why);
	if (!err && o->graph.graph)
		err = graph_options_open(&o->graph, s.threads, &d, why);
	if (!err) {
		s.robots = robots;
		s.g = o->graph.graph ? &d.graph : NULL;
		s.names = d.names.nodes ? &d.names : NULL;
		if (s.g)
			err = make_changes(&changing, o, &d, s.faults.seed, why);
		s.changing = changing;
	}
	if (!err && o->tls)
		err = tls_new(&tls, o->tls, why);
	s.tls = tls;
	if (!err)
		err = serve_until_told(&s, o, &d, why);
	tls_free(tls);
	changing_free(changing);
	free(robots);
	return err;
}

#define SERVE(field) offsetof(struct serve_options, field)
static const struct serve_options serve_defaults = {.seeds = "roots"};
static const struct flag serve_flags[] = {
	{"graph", 0, FLAG_TEXT, SERVE(graph.graph), "PATH", .help = "a graph: its nodes are the pages", .is_noun = 1,
		.file = FLAG_READS_GRAPH},
	{"pages", 0, FLAG_TEXT, SERVE(pages), "DIR", .help = "stored pages: index.tsv has file TAB URL", .file = FLAG_READS_PAGES},
	{"endless", 0, FLAG_TEXT, SERVE(endless), "SEED[,LIST]",
		.help = "a web without end: 7,hosts=1000,words=60,outside=0.3 ..."},
	TABLE_ROW(names_flags, SERVE(graph)),
	{"port", 0, FLAG_COUNT, SERVE(port), "P", .help = "port to listen on; 0: any free port", .max = 65535},
	{"faults", 0, FLAG_TEXT, SERVE(faults), "LIST",
		.help = "what goes wrong: 404=0.01,503=0.02:5s,slow=0.05:200ms,seed=7; also 500, busy, "
			"redirect, truncate, drop, transient-500, transient-truncate, transient-drop, gzip"},
	{"change-rate", 0, FLAG_REAL, SERVE(change_rate), "N",
		.help = "a page of the median host changes N times a day, and others come and go", .max = 100000},
	{"clock", 0, FLAG_TEXT, SERVE(clock), "TIME", .help = "the web's time at the start, since 1970, for changes (now)"},
	{"robots", 0, FLAG_TEXT, SERVE(robots), "FILE", .help = "the robots.txt of every host", .file = FLAG_READS},
	{"addresses", 0, FLAG_COUNT, SERVE(addresses), "N", .help = "listen on 127.0.0.1 to 127.0.0.N", .min = 1, .max = 254},
	{"tls", 0, FLAG_TEXT, SERVE(tls), "FILE", .help = "HTTPS, with certificates of an authority whose own is written to FILE",
		.file = FLAG_WRITES},
	{"log", 0, FLAG_TEXT, SERVE(log), "FILE", .help = "write a line for each request", .file = FLAG_WRITES},
	{"expected", 0, FLAG_TEXT, SERVE(expected), "FILE",
		.help = "write what a patient reader gets: URL, status, digest, reached, PageRank", .file = FLAG_WRITES},
	{"max-depth", 0, FLAG_COUNT, SERVE(max_depth), "N", .help = "how many links this reader of an endless web follows in a row",
		.min = 1, .max = 65535},
	{"seeds", 0, FLAG_TEXT, SERVE(seeds), "SEEDS", .help = "where this reader starts: a file, random:N, hosts:N, roots ...",
		.file = FLAG_READS_SEEDS},
	THREADS_ROW(SERVE(threads)),
	STANDARD_ROWS,
};

const struct verb verb_serve =
	VERB("serve", "Serves a graph, stored pages or an endless web on 127.0.0.1.", serve_flags, serve_defaults, run_serve);
