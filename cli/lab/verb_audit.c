/* `lycosa audit`: was a crawler polite? From the log of the server. */
#include "base/input.h"
#include "base/log.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "lab/measure/audit.h"
#include "simweb/endless.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct audit_options {
	struct standard_options standard;
	const char *log, *format, *agent, *robots, *endless, *product;
	int64_t delay, rest, tolerance; /* ms */
	uint64_t at_once, most;
	int is_behind_proxy, json;
};

/* What the robots.txt of the hosts are. */
struct known_rules {
	struct robots *all; /* of --robots */
	struct endless web; /* of --endless */
	const char *product;
};

/* Returns the rules of a host of the endless web. */
static struct robots *rules_of_endless(void *ctx, const char *host)
{
	const struct known_rules *known = ctx;
	AUTO(buf) text = BUF_EMPTY;
	struct robots *rules = NULL;

	if (endless_robots(&known->web, host, &text))
		rules = robots_parse(text.at, text.used, known->product);
	return rules;
}

static int read_log(const struct audit_options *o, struct audit *a, struct err_note *why)
{
	struct access_log *log;
	struct access line;
	int got;

	TRY(access_log_open(&log, o->log, o->format, why));
	while ((got = access_log_next(log, &line, why)) > 0)
		if (!o->agent || strstr(line.agent, o->agent))
			audit_add(a, &line);
	access_log_close(log);
	if (!got && !audit_size(a).requests)
		return err_set(why, ERR_NOTHING, "there is no request in '%s'%s", o->log, o->agent ? " by that --agent" : "");
	return got;
}

static void print_facts(const struct audit_options *o, const struct audit *a, struct results *r)
{
	const struct audit_size size = audit_size(a);

	results_fact(r, "log", cell_text(o->log));
	results_fact(r, "requests", cell_count(size.requests));
	results_fact(r, "pages", cell_count(size.pages));
	results_fact(r, "robots", cell_count(size.robots));
	results_fact(r, "hosts", cell_count(size.hosts));
	results_fact(r, "addresses", cell_count(size.addresses));
	results_fact(r, "seconds", cell_real((double)size.us / 1e6));
}

static void print_rules(const struct audit *a, struct results *r)
{
	static const char *const columns[] = {"rule", "looked", "breaches", "least_ms", NULL};

	results_columns(r, columns);
	for (int rule = 0; rule < AUDIT_RULES; rule++) {
		const struct audit_count c = audit_count(a, (enum audit_rule)rule);
		RESULTS_CELLS(r, cell_text(audit_rule_name((enum audit_rule)rule)), cell_count(c.looked), cell_count(c.breaches),
			cell_real(c.least == INT64_MAX ? NAN : (double)c.least / 1000));
	}
}

static void print_breaches(const struct audit_options *o, const struct audit *a, struct results *r)
{
	static const char *const columns[] = {"line", "rule", "because", "ms", "host", "address", "target", NULL};
	const struct audit_breach *b;

	results_table(r, "breaches", columns);
	for (size_t i = 0; i < o->most && (b = audit_breach(a, i)); i++) {
		RESULTS_CELLS(r, cell_count(b->line), cell_text(audit_rule_name(b->rule)),
			b->because ? cell_count(b->because) : cell_none(), cell_real(b->us ? (double)b->us / 1000 : NAN),
			cell_text(b->host), cell_text(b->address), cell_text(b->target));
	}
}

static int print(const struct audit_options *o, const struct audit *a, struct err_note *why)
{
	struct results r;

	results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	print_facts(o, a, &r);
	print_rules(a, &r);
	print_breaches(o, a, &r);
	return results_end(&r, why);
}

/* Names the rules that were broken. */
static int verdict(const struct audit *a, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	for (int rule = 0; rule < AUDIT_RULES; rule++) {
		const uint64_t n = audit_count(a, (enum audit_rule)rule).breaches;
		if (n)
			buf_format(&text, "%s%s (%llu)", text.used ? ", " : "", audit_rule_name((enum audit_rule)rule),
				(unsigned long long)n);
	}
	if (text.used)
		return err_set(why, ERR_OTHER, "rules were broken: %s", text.at);
	return 0;
}

static int read_rules(const struct audit_options *o, struct known_rules *known, struct err_note *why)
{
	char *bytes = NULL;
	size_t n;
	int err = 0;

	known->product = o->product;
	if (o->robots && o->endless)
		return err_set(why, ERR_USAGE, "--robots is not for --endless, where each host has a robots.txt of its own");
	if (o->endless)
		return endless_parse(&known->web, o->endless, why);
	if (o->robots)
		err = input_all(o->robots, ROBOTS_MAX_BYTES, &bytes, &n, why);
	if (!err && bytes)
		known->all = robots_parse(bytes, n, o->product);
	free(bytes);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct audit_options *o = c->options;
	struct known_rules known = {0};
	int err = read_rules(o, &known, why);

	if (err)
		return err;
	struct audit *a = audit_new(&(struct audit_rules){.delay = o->delay * 1000,
		.rest = o->rest * 1000,
		.tolerance = o->tolerance * 1000,
		.at_once = (uint32_t)o->at_once,
		.robots = known.all,
		.robots_of = o->endless ? rules_of_endless : NULL,
		.robots_ctx = &known,
		.addresses = o->is_behind_proxy ? AUDIT_ADDRESSES_HIDDEN : AUDIT_ADDRESSES_KNOWN});
	err = read_log(o, a, why);
	if (!err) {
		audit_judge(a);
		err = print(o, a, why);
	}
	if (!err)
		err = verdict(a, why);
	audit_free(a);
	robots_free(known.all);
	return err;
}

#define OWN(field) offsetof(struct audit_options, field)
static const struct flag own[] = {
	{"log", 0, FLAG_TEXT, OWN(log), "LOG", .help = "the server's log ('-': stdin)", .required = 1, .is_noun = 1,
		.file = FLAG_READS},
	{"format", 0, FLAG_TEXT, OWN(format), "FORMAT", .help = "its log_format, as in nginx.conf; without: that of 'serve --log'"},
	{"agent", 0, FLAG_TEXT, OWN(agent), "TEXT", .help = "only requests whose User-Agent has this text"},
	{"delay", 0, FLAG_TIME, OWN(delay), "TIME", .help = "least time between the beginnings of two requests"},
	{"rest", 0, FLAG_TIME, OWN(rest), "TIME", .help = "least time from the end of a request to the next"},
	{"at-once", 0, FLAG_COUNT, OWN(at_once), "N", .help = "most requests to a host or address at once", .min = 1,
		.max = 100000},
	{"robots", 0, FLAG_TEXT, OWN(robots), "FILE", .help = "the robots.txt of every host", .file = FLAG_READS},
	{"endless", 0, FLAG_TEXT, OWN(endless), "SEED[,LIST]", .help = "the web of 'serve --endless', which says every robots.txt"},
	{"behind-proxy", 0, FLAG_SWITCH, OWN(is_behind_proxy), .help = "the crawler did not know addresses: judge hosts alone"},
	{"product", 0, FLAG_TEXT, OWN(product), "NAME", .help = "the crawler's name in robots.txt"},
	{"tolerance", 0, FLAG_TIME, OWN(tolerance), "TIME", .help = "by how much times may be too short"},
	{"most", 0, FLAG_COUNT, OWN(most), "N", .help = "most breaches to print"},
	{.name = NULL},
};

static const struct flag flags[] = {
	TABLE_ROW(own, 0),
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};

static const struct audit_options defaults = {.at_once = 1, .tolerance = 2, .most = 20, .product = "lycosa"};

const struct verb verb_audit = VERB("audit", "Proves from a server's log that a crawler was polite.", flags, defaults, run);
