#include "cli/flags/options.h"
#include "agents/bus_access.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "crawler/live/live_import.h"
#include "frontier/schedule.h"
#include "lab/study/oracle.h"
#include "policies/policies.h"
#include "seeds/method.h"
#include "seeds/values.h"
#include "storage/salvage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows that stand in several tables. */
/* clang-format off */
#define URLS_ROW(at) \
	{"urls", 0, FLAG_TEXT, at, "FILE", .help = "the URL of node i on line i", .file = FLAG_READS}
#define HOSTS_ROW(at) \
	{"hosts", 0, FLAG_TEXT, at, "FILE", .help = "the host of node i on line i", .file = FLAG_READS}
/* clang-format on */

#define NATS(field) offsetof(struct bus_access, field)
const struct flag nats_flags[] = {
	{"nats-creds", 0, FLAG_TEXT, NATS(creds), "FILE", .help = "credentials for the NATS server", .file = FLAG_READS},
	{"nats-nkey", 0, FLAG_TEXT, NATS(nkey), "FILE", .help = "the seed of an nkey for it", .file = FLAG_READS},
	{"nats-cacert", 0, FLAG_TEXT, NATS(cacert), "FILE", .help = "certificates to trust there", .file = FLAG_READS},
	{"nats-cert", 0, FLAG_TEXT, NATS(cert), "FILE", .help = "the agent's own certificate", .file = FLAG_READS},
	{"nats-key", 0, FLAG_TEXT, NATS(key), "FILE", .help = "its private key", .file = FLAG_READS},
	{"nats-replicas", 0, FLAG_COUNT, NATS(replicas), "N", .help = "servers of the cluster that keep the crawl", .min = 1,
		.max = 5},
	{.name = NULL},
};

#define GRAPH(field) offsetof(struct graph_options, field)
const struct flag graph_flags[] = {
	{"graph", 0, FLAG_TEXT, GRAPH(graph), "PATH", .help = "a graph file, or the store of a crawl", .required = 1, .is_noun = 1,
		.file = FLAG_READS_GRAPH},
	URLS_ROW(GRAPH(urls)),
	HOSTS_ROW(GRAPH(hosts)),
	DAMAGED_ROW(GRAPH(damaged)),
	{.name = NULL},
};
const struct flag names_flags[] = {URLS_ROW(GRAPH(urls)), HOSTS_ROW(GRAPH(hosts)), DAMAGED_ROW(GRAPH(damaged)), {.name = NULL}};

#define POLICY(field) offsetof(struct policy_options, field)
const struct flag policy_flags[] = {
	{"policy", 0, FLAG_TEXT, POLICY(policy), "NAME", "decides the next page: 'lycosa list policies'", .words = policy_word,
		.beside = policy_is_spec, .file = FLAG_READS},
	{"policy-opt", 0, FLAG_EACH, POLICY(policy_opt), "KEY=VALUE", .help = "an option of the policy", .file = FLAG_READS},
	{"max-pages", 0, FLAG_COUNT, POLICY(max_pages), "N", .help = "end after N pages; 0: no limit"},
	HOST_SHARE_ROW(POLICY(host_share)),
	GROWTH_ROW(POLICY(growth)),
	BATCH_ROW(POLICY(batch)),
	TOTAL_ROW(POLICY(total)),
	TOL_ROW(POLICY(tol)),
	RNG_SEED_ROW(POLICY(rng_seed)),
	THREADS_ROW(POLICY(threads)),
	{.name = NULL},
};

#define REPORT(field) offsetof(struct report_options, field)
const struct flag report_flags[] = {
	JSON_ROW(REPORT(json)),
	TIMING_ROW(REPORT(timing)),
	PROGRESS_ROW(REPORT(progress)),
	{.name = NULL},
};

unsigned threads_of(uint64_t threads)
{
	if (threads)
		return (unsigned)threads;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (unsigned)processors;
}

/* Says what is missing of a damaged store. */
static void tell_rest(enum store_rest rest, const struct err_note *missing)
{
	if (rest == STORE_IS_PARTIAL)
		log_partial(missing->text);
	else if (rest == STORE_IS_MENDED)
		log_error("%s", missing->text);
}

int open_to_read(struct store **s, const char *dir, int damaged, struct err_note *why)
{
	struct err_note missing;
	enum store_rest rest;

	if (!damaged)
		return store_open(s, dir, STORE_READ, why);
	TRY(store_open_rest(s, dir, &rest, &missing, why));
	tell_rest(rest, &missing);
	return 0;
}

int graph_options_open(const struct graph_options *o, unsigned threads, struct dataset *d, struct err_note *why)
{
	const struct graph_space unbounded = {0};

	return graph_options_open_within(o, &unbounded, threads, d, why);
}

int graph_options_open_within(const struct graph_options *o, const struct graph_space *space, unsigned threads, struct dataset *d,
	struct err_note *why)
{
	const struct dataset_where where = {o->graph, o->urls, o->hosts, threads, live_import_to, o->made_up, o->damaged};

	TRY(dataset_open_within(d, &where, space, why));
	if (d->odd.text[0])
		log_say("%s", d->odd.text);
	if (d->rest)
		tell_rest(d->rest, &d->missing);
	return 0;
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

int policy_is_spec(const char *text)
{
	const size_t n = strlen(text);

	/* a name such as "mine.so" counts as well, so that policy_find() can explain how the name of a file must be written */
	return strpbrk(text, ",:/") != NULL || (n > 3 && strcmp(text + n - 3, ".so") == 0);
}

/* Says whether a part of a chain is `ideal`, which is in no table of policies, since it is no crawl. */
static int names_ideal(const char *spec)
{
	for (;; spec++) {
		size_t n = strcspn(spec, ":,");
		if (n == 5 && strncmp(spec, "ideal", n) == 0)
			return 1;
		spec += strcspn(spec, ",");
		if (!*spec)
			return 0;
	}
}

static int find(const char *spec, const struct policy **policy, struct err_note *why)
{
	*policy = NULL;
	if (strcmp(spec, policy_ideal.name) == 0)
		*policy = &policy_ideal;
	else if (names_ideal(spec))
		return err_set(why, ERR_USAGE, "the chain '%s': 'ideal' is no crawl and cannot take a turn", spec);
	return *policy ? 0 : policy_find(spec, policy, why);
}

struct named {
	const char *name; /* length bytes */
	size_t length;
	const struct policy *found;
};

static void try_name(void *ctx, const struct policy *p)
{
	struct named *n = ctx;

	if (strlen(p->name) == n->length && strncmp(p->name, n->name, n->length) == 0)
		n->found = p;
}

/* Returns what stands after "name." in an option; NULL if the option does not begin with it. */
static const char *behind(const char *option, const char *name)
{
	size_t n = strlen(name);

	return strncmp(option, name, n) == 0 && option[n] == '.' ? option + n + 1 : NULL;
}

static int try_option(const char *option, const struct policy *p, struct err_note *why)
{
	struct opt_set opts;

	opt_init(&opts, p->opts, p->name);
	int err = opt_give(&opts, option, why);
	opt_release(&opts);
	return err;
}

/* Checks an option "name.key=value" that is meant for another policy: one of given->beside or of the whole table. Returns 0,
 * ERR_USAGE, or the error that the other policy would give. */
static int try_elsewhere(const char *option, size_t dot, const struct policy_options *given, struct err_note *why)
{
	struct named n = {option, dot, NULL};
	const struct policy *other;

	for (size_t i = 0; i < given->n_beside; i++) {
		if (find(given->beside[i], &other, NULL))
			continue; /* is told when its turn comes */
		const char *rest = behind(option, other->name);
		int err = rest ? try_option(rest, other, why) : 0;
		policy_each(other, try_name, &n);
		policy_free(other);
		if (rest)
			return err;
	}
	if (!n.found) {
		char *name = mem_part(option, dot);
		int err = find(name, &n.found, why);
		free(name);
		if (err)
			return err;
	}
	return try_option(option + dot + 1, n.found, why);
}

static int give_if_named(const char *option, const struct policy *policy, struct opt_set *opts, const struct policy_options *given,
	struct err_note *why)
{
	struct named n = {option, strcspn(option, ".="), NULL};
	const char *rest = behind(option, policy->name);

	if (rest)
		return opt_give(opts, rest, why);
	if (option[n.length] != '.')
		return opt_give(opts, option, why);
	policy_each(policy, try_name, &n);
	if (!n.found)
		return try_elsewhere(option, n.length, given, why);
	return opt_give(opts, option, why); /* of a chain */
}

/* Says whether this is the option `tol`, of one policy or of one in a chain. */
static int is_tol(const struct opt *o)
{
	const char *dot = strrchr(o->name, '.');

	return strcmp(dot ? dot + 1 : o->name, "tol") == 0;
}

/* Gives the value of --tol to each option `tol` of the policies of a spec that was not set by --policy-opt. tol <= 0 sets
 * nothing. */
static int give_tol(double tol, struct opt_set *opts, struct err_note *why)
{
	for (const struct opt *o = opts->table; tol > 0 && o && o->name; o++) {
		if (!is_tol(o) || opt_given(opts, o->name))
			continue;
		AUTO(buf) text = buf_of("%s=", o->name);
		opt_shortest(&text, tol);
		buf_end(&text);
		TRY(opt_give(opts, text.at, why));
	}
	return 0;
}

int policy_options_read(const char *spec, const struct policy_options *given, const struct policy **policy, struct opt_set *opts,
	struct err_note *why)
{
	int err = find(spec, policy, why);

	opt_init(opts, *policy ? (*policy)->opts : NULL, *policy ? (*policy)->name : "");
	for (size_t i = 0; !err && i < given->policy_opt.count; i++)
		err = give_if_named(given->policy_opt.at[i], *policy, opts, given, why);
	return err ? err : give_tol(given->tol, opts, why);
}

char **policy_specs(const struct flag_list *parts, size_t *n)
{
	AUTO(buf) list = BUF_EMPTY;
	char **spec = mem_zero(parts->count, sizeof *spec);
	size_t length;

	for (size_t i = 0; i < parts->count; i++)
		buf_format(&list, "%s%s", i ? "," : "", parts->at[i]);
	*n = 0;
	for (const char *at = list.at; at && *at; at += length + (at[length] == ',')) {
		length = policy_spec_length(at);
		spec[(*n)++] = mem_part(at, length);
	}
	return spec;
}

void batch_describe(uint64_t batch, double growth, struct buf *out)
{
	if (batch)
		buf_format(out, "%" PRIu64, batch);
	else
		buf_format(out, "growth:%.15g", growth > 0 ? growth : SCHEDULE_GROWTH);
}

int batch_parse(const char *text, uint64_t *batch, double *growth)
{
	*batch = 0;
	*growth = 0;
	if (strcmp(text, "growth") == 0)
		return 0;
	if (strncmp(text, "growth:", 7) == 0)
		return num_real(text + 7, growth) || !(*growth >= GROWTH_LEAST && *growth <= GROWTH_MOST) ? ERR_USAGE : 0;
	return num_count(text, UINT64_MAX, batch) || !*batch ? ERR_USAGE : 0;
}

int total_of(const char *text, uint64_t *total, struct err_note *why)
{
	*total = 0;
	if (!text)
		return 0;
	if (strcmp(text, "reachable") == 0)
		*total = TOTAL_REACHABLE;
	else if (strcmp(text, "all") == 0)
		*total = TOTAL_ALL;
	else if (strcmp(text, "unknown") != 0 && (num_count(text, TOTAL_ALL - 1, total) || !*total))
		return err_set(why, ERR_USAGE, "--total takes a number of pages, 'all', 'reachable' or 'unknown', not '%s'", text);
	return 0;
}

void report_begin(const struct report_options *o, struct results *r)
{
	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
}

void report_graph(struct results *r, const struct graph_options *o, const struct dataset *d)
{
	results_fact(r, "graph", cell_text(o->graph));
	results_fact(r, "format", cell_text(d->format));
	results_fact(r, "fingerprint", cell_hash(graph_fingerprint(&d->graph)));
}

void report_seconds(const struct report_options *o, struct results *r, const char *name, int64_t ns)
{
	double seconds = (double)ns / 1e9;

	if (!o->timing) {
		log_detail("%s: %.3f", name, seconds);
		return;
	}
	results_fact(r, name, cell_real(seconds));
}

#define VALUES(field) offsetof(struct value_options, field)
const struct flag value_flags[] = {
	{"values", 0, FLAG_TEXT, VALUES(values), "FILE", .help = "values of pages: id, TAB, value", .file = FLAG_READS},
	{"page-attrs", 0, FLAG_TEXT, VALUES(page_attrs), "FILE", .help = "or: id, TAB, spam, TAB, clicked, TAB, uncrawled links",
		.file = FLAG_READS},
	{"p-unique", 0, FLAG_TEXT, VALUES(p_unique), "FILE|P", .help = "value of an uncrawled link: 0 to 1, or a line a site",
		.file = FLAG_READS},
	{.name = NULL},
};

int value_options_given(const struct value_options *o)
{
	return o->values || o->page_attrs || o->p_unique;
}

int value_options_read(const struct value_options *o, const struct dataset *d, int64_t **value, int64_t *one, struct err_note *why)
{
	const struct attributes a = {.graph = &d->graph,
		.names = &d->names,
		.uncrawled = d->uncrawled,
		.pages = o->page_attrs,
		.p_unique = o->p_unique};

	*value = NULL;
	*one = SEED_VALUE_ONE;
	if (o->values && (o->page_attrs || o->p_unique))
		return err_set(why, ERR_USAGE, "--values cannot be given with --%s: it says all",
			o->page_attrs ? "page-attrs" : "p-unique");
	if (o->values)
		return seed_values_read(o->values, &d->graph, value, one, why);
	if (o->p_unique && !o->page_attrs && !d->uncrawled)
		return err_set(why, ERR_USAGE,
			"--p-unique: only a store knows which links are uncrawled; count them in "
			"--page-attrs");
	return o->page_attrs || o->p_unique ? attributes_read(&a, value, why) : 0;
}
