#include "cli/options.h"
#include "base/log.h"
#include "base/num.h"
#include "lab/oracle.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 1024

/* Rows that stand in several tables. */
/* clang-format off */
#define URLS_ROW(at) \
	{"urls", 0, FLAG_TEXT, at, "FILE", .help = "the URL of node i on line i"}
#define HOSTS_ROW(at) \
	{"hosts", 0, FLAG_TEXT, at, "FILE", .help = "the host of node i on line i"}
#define THREADS_ROW(at) \
	{"threads", 0, FLAG_COUNT, at, "T", .help = "never changes a result", .max = THREADS_MAX}
#define TOL_ROW(at) \
	{"tol", 0, FLAG_REAL, at, "E", .help = "PageRank stops at this L1 change", \
		.min = 1e-300, .max = 1}
#define RNG_SEED_ROW(at) \
	{"rng-seed", 0, FLAG_COUNT, at, "S", .help = "of everything that is drawn"}
#define JSON_ROW(at) \
	{"json", 0, FLAG_SWITCH, at, .help = "JSON in place of TSV"}
#define TIMING_ROW(at) \
	{"timing", 0, FLAG_SWITCH, at, .help = "seconds among the results"}
/* clang-format on */

const struct flag threads_flag[] = {THREADS_ROW(0), {.name = NULL}};
const struct flag tol_flag[] = {TOL_ROW(0), {.name = NULL}};
const struct flag rng_seed_flag[] = {RNG_SEED_ROW(0), {.name = NULL}};
const struct flag json_flag[] = {JSON_ROW(0), {.name = NULL}};
const struct flag timing_flag[] = {TIMING_ROW(0), {.name = NULL}};

#define GRAPH(field) offsetof(struct graph_options, field)
const struct flag graph_flags[] = {
	{"graph", 0, FLAG_TEXT, GRAPH(graph), "PATH",
		.help = "a graph file, or the store of a crawl", .required = 1},
	URLS_ROW(GRAPH(urls)),
	HOSTS_ROW(GRAPH(hosts)),
	{.name = NULL},
};
const struct flag names_flags[] = {URLS_ROW(GRAPH(urls)), HOSTS_ROW(GRAPH(hosts)), {.name = NULL}};

#define POLICY(field) offsetof(struct policy_options, field)
const struct flag policy_flags[] = {
	{"policy", 0, FLAG_TEXT, POLICY(policy), "NAME",
		"which page next; see 'lycosa list policies'", .words = policy_word},
	{"policy-opt", 0, FLAG_EACH, POLICY(policy_opt), "KEY=VALUE",
		.help = "an option of the policy"},
	{"max-pages", 0, FLAG_COUNT, POLICY(max_pages), "N", .help = "end after N pages"},
	{"batch", 0, FLAG_COUNT, POLICY(batch), "K", .help = "pages between rerankings", .min = 1},
	{"total", 0, FLAG_TEXT, POLICY(total), "N",
		.help = "pages the crawl is about, or 'reachable'"},
	TOL_ROW(POLICY(tol)),
	RNG_SEED_ROW(POLICY(rng_seed)),
	THREADS_ROW(POLICY(threads)),
	{.name = NULL},
};

#define REPORT(field) offsetof(struct report_options, field)
const struct flag report_flags[] = {
	JSON_ROW(REPORT(json)),
	TIMING_ROW(REPORT(timing)),
	{"progress", 0, FLAG_CHOICE, REPORT(progress), "auto|bar|log|none",
		.help = "how it is shown"},
	{.name = NULL},
};

unsigned threads_of(uint64_t threads)
{
	if (threads)
		return (unsigned)threads;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
}

int graph_options_open(
	const struct graph_options *o, unsigned threads, struct dataset *d, struct err_note *why)
{
	struct dataset_where where = {o->graph, o->urls, o->hosts, threads};

	return dataset_open(d, &where, why);
}

const struct policy *policy_listed(size_t i)
{
	size_t n = 0;

	while (n < i && policies[n])
		n++;
	return n < i ? NULL : policies[n] ? policies[n] : &policy_ideal;
}

const char *policy_word(size_t i)
{
	const struct policy *p = policy_listed(i);

	return p ? p->name : NULL;
}

static int policy_find(
	const char *name, size_t length, const struct policy **found, struct err_note *why)
{
	char *copy = strndup(name, length);
	const char *near = policy_nearest(copy);
	int err = 0;

	for (size_t i = 0; (*found = policy_listed(i)); i++)
		if (strcmp((*found)->name, copy) == 0)
			break;
	if (!*found && near)
		err = err_set(
			why, ERR_USAGE, "there is no policy '%s'; the nearest is '%s'", copy, near);
	else if (!*found)
		err = err_set(why, ERR_USAGE, "there is no policy '%s'; see 'lycosa list policies'",
			copy);
	free(copy);
	return err;
}

/* "name.key=value": to `name` alone, though tried where another is asked for. */
static int give_to_one(const char *option, size_t dot, const struct policy *policy,
	struct opt_set *opts, struct err_note *why)
{
	const struct policy *named;
	struct opt_set others;
	int err = policy_find(option, dot, &named, why);

	if (err)
		return err;
	if (named == policy)
		return opt_give(opts, option + dot + 1, why);
	opt_init(&others, named->opts, named->name);
	err = opt_give(&others, option + dot + 1, why);
	opt_release(&others);
	return err;
}

/* --tol, where the policy ranks by PageRank. */
static int give_tol(double tol, struct opt_set *opts, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	const struct opt *o = opts->table;

	while (o && o->name && strcmp(o->name, "tol") != 0)
		o++;
	if (!o || !o->name || !(tol > 0) || opt_given(opts, "tol"))
		return 0;
	buf_text(&text, "tol=");
	opt_shortest(&text, tol);
	buf_end(&text);
	int err = opt_give(opts, text.at, why);
	buf_release(&text);
	return err;
}

int policy_options_read(const char *name, const struct policy_options *given,
	const struct policy **policy, struct opt_set *opts, struct err_note *why)
{
	int err = policy_find(name, strlen(name), policy, why);

	opt_init(opts, *policy ? (*policy)->opts : NULL, *policy ? (*policy)->name : "");
	for (size_t i = 0; !err && i < given->policy_opt.count; i++) {
		const char *option = given->policy_opt.at[i];
		size_t dot = strcspn(option, ".=");
		err = option[dot] == '.' ? give_to_one(option, dot, *policy, opts, why)
					 : opt_give(opts, option, why);
	}
	return err ? err : give_tol(given->tol, opts, why);
}

char *policy_options_text(const struct policy_options *given)
{
	struct buf text = BUF_EMPTY;
	const struct policy *policy = given->policy ? policy_named(given->policy) : NULL;
	const struct opt *o = policy ? policy->opts : NULL;

	for (size_t i = 0; i < given->policy_opt.count; i++) {
		const char *option = given->policy_opt.at[i];
		size_t dot = strcspn(option, ".=");
		int named = option[dot] == '.';
		if (named && policy &&
			(strlen(policy->name) != dot || strncmp(policy->name, option, dot) != 0))
			continue;
		buf_format(&text, "%s%s", text.used ? "\n" : "", option + (named ? dot + 1 : 0));
	}
	while (o && o->name && strcmp(o->name, "tol") != 0)
		o++;
	if (o && o->name && given->tol > 0) {
		buf_format(&text, "%stol=", text.used ? "\n" : "");
		opt_shortest(&text, given->tol);
	}
	return text.used ? buf_take(&text) : NULL;
}

int total_of(const char *text, uint64_t *total, struct err_note *why)
{
	*total = 0;
	if (!text)
		return 0;
	if (strcmp(text, "reachable") == 0) {
		*total = TOTAL_REACHABLE;
		return 0;
	}
	if (num_count(text, TOTAL_REACHABLE - 1, total) || !*total)
		return err_set(why, ERR_USAGE,
			"--total takes a number of pages, or 'reachable', not '%s'", text);
	return 0;
}

void report_begin(const struct report_options *o, struct results *r)
{
	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
}

void report_graph(struct results *r, const struct graph_options *o, const struct dataset *d)
{
	char hex[20];

	snprintf(hex, sizeof hex, "%016llx", (unsigned long long)graph_fingerprint(&d->graph));
	results_name(r, "graph");
	results_text(r, o->graph);
	results_name(r, "format");
	results_text(r, d->format);
	results_name(r, "fingerprint");
	results_text(r, hex);
}

void report_seconds(const struct report_options *o, struct results *r, const char *name, int64_t ns)
{
	double seconds = (double)ns / 1e9;

	if (!o->timing) {
		log_detail("%s: %.3f", name, seconds);
		return;
	}
	results_name(r, name);
	results_real(r, seconds);
}
