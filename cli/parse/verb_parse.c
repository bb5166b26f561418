/* `lycosa parse`: the parser by hand. */
#include "cli/parse/parse.h"
#include "cli/flags/options.h"
#include "cli/results.h"
#include "cli/verbs.h"
#include "parser/url_rules.h"

#include <string.h>

struct parse_options {
	struct standard_options standard;
	const char *agent, *base, *content_type, *normalise;
	int json;
};

#define PARSE(field) offsetof(struct parse_options, field)
static const struct parse_options parse_defaults = {.agent = "lycosa", .normalise = "escapes"};

static const struct flag agent_flags[] = {
	{"agent", 0, FLAG_TEXT, PARSE(agent), "UA", .help = "the product token that rules are for", .may_be_empty = 1},
	{.name = NULL},
};
static const struct flag base_flags[] = {
	{"base", 0, FLAG_TEXT, PARSE(base), "URL", .help = "what relative references are relative to"},
	{.name = NULL},
};
static const struct flag canon_flags[] = {
	{"normalise", 0, FLAG_TEXT, PARSE(normalise), "RULES", .help = "escapes, tracking, sessions, query, slashes, index; all"},
	{.name = NULL},
};
static const struct flag document_flags[] = {
	{"base", 0, FLAG_TEXT, PARSE(base), "URL", .help = "where the document came from", .required = 1},
	{"content-type", 0, FLAG_TEXT, PARSE(content_type), "CT", .help = "the value of its header", .may_be_empty = 1},
	{.name = NULL},
};

static const struct flag json_flags[] = {
	JSON_ROW(PARSE(json)),
	{.name = NULL},
};

#define GROUPS(name, table) \
	static const struct flag_group name[] = {{NULL, table, 0, FLAGS_A_LINE_EACH}, {NULL, json_flags, 0, FLAGS_A_LINE_EACH}, \
		STANDARD_GROUP, {.flags = NULL}}
GROUPS(agent_groups, agent_flags);
GROUPS(base_groups, base_flags);
GROUPS(canon_groups, canon_flags);
GROUPS(document_groups, document_flags);
static const struct flag_group no_groups[] = {{NULL, json_flags, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};

#define PARSE_VERB(variable, word, what, flag_groups, takes, call) \
	static const struct verb variable = { \
		.name = word, \
		.summary = what, \
		.operands = (takes) ? "FILE" : NULL, \
		.operand_file = FLAG_READS, \
		.least = (takes), \
		.most = (takes), \
		.groups = flag_groups, \
		.defaults = &parse_defaults, \
		.size = sizeof parse_defaults, \
		.run = call, \
	}

/* Sets the note of an error for calls that leave none. */
static int told(int err, struct err_note *why)
{
	return err ? err_set(why, (enum err)err, "cannot read stdin, or write to stdout") : 0;
}

/* The output of a verb. */
struct output {
	struct parse_out out;
	struct results results;
};

/* Begins the output; `columns` are those of the rows of --json. */
static const struct parse_out *begin(struct output *o, const struct command *c, const char *const *columns)
{
	o->out = (struct parse_out){.text = stdout};
	if (((const struct parse_options *)c->options)->json) {
		o->out = (struct parse_out){.json = &o->results};
		results_begin(&o->results, stdout, RESULTS_JSON);
		results_columns(&o->results, columns);
	}
	return &o->out;
}

static int finish(struct output *o, int err, struct err_note *why)
{
	const int failed = o->out.json ? results_end(&o->results, err ? NULL : why) : 0;

	return err ? err : failed;
}

static const char *const url_column[] = {"url", NULL};
static const char *const named_columns[] = {"name", "value", NULL};
static const char *const page_columns[] = {"name", "value", "seconds", NULL};
static const char *const entry_columns[] = {"kind", "url", NULL};
static const char *const verdict_columns[] = {"url", "verdict", NULL};
static const char *const type_columns[] = {"type", "charset", NULL};

/* --- url */

static int run_resolve(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	struct output out;

	return finish(&out, told(parse_url_resolve(o->base, stdin, begin(&out, c, url_column)), why), why);
}

static int run_canon(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	unsigned rules;
	int err = url_rules_read(&rules, o->normalise, why);

	struct output out;
	if (err)
		return err;
	return finish(&out, told(parse_url_canon(rules, stdin, begin(&out, c, url_column)), why), why);
}

PARSE_VERB(verb_resolve, "resolve", "Resolves each reference of stdin to a canonical URL.", base_groups, 0, run_resolve);
PARSE_VERB(verb_canon, "canon", "Normalises each URL of stdin.", canon_groups, 0, run_canon);

static const struct verb *const url_verbs[] = {&verb_resolve, &verb_canon, NULL};
static const struct verb verb_url = {.name = "url", .summary = "Parses URLs, one a line.", .verbs = url_verbs};

/* --- robots */

static int run_check(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;

	if (strcmp(c->flags->operand[0], "-") == 0)
		return err_set(why, ERR_USAGE, "stdin has the URLs: the robots.txt must be a file");
	struct output out;
	const struct parse_out *to = begin(&out, c, verdict_columns);
	return finish(&out, parse_robots_check(o->agent, c->flags->operand[0], stdin, to, why), why);
}

static int run_robots_info(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	struct output out;

	return finish(&out, parse_robots_info(o->agent, c->flags->operand[0], begin(&out, c, named_columns), why), why);
}

PARSE_VERB(verb_check, "check", "Says for each URL of stdin whether a robots.txt allows it.", agent_groups, 1, run_check);
PARSE_VERB(verb_robots_info, "info", "Prints the crawl delay and the sitemaps of a robots.txt.", agent_groups, 1, run_robots_info);

static const struct verb *const robots_verbs[] = {&verb_check, &verb_robots_info, NULL};
static const struct verb verb_robots = {.name = "robots", .summary = "Parses a robots.txt.", .verbs = robots_verbs};

/* --- documents */

static int run_links(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	struct output out;
	const struct parse_out *to = begin(&out, c, url_column);

	return finish(&out, parse_links(o->base, o->content_type, c->flags->operand[0], to, why), why);
}

static int run_page(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	struct output out;
	const struct parse_out *to = begin(&out, c, page_columns);

	return finish(&out, parse_page(o->base, o->content_type, c->flags->operand[0], to, why), why);
}

static int run_sitemap(const struct command *c, struct err_note *why)
{
	const struct parse_options *o = c->options;
	struct output out;
	const struct parse_out *to = begin(&out, c, entry_columns);

	return finish(&out, parse_sitemap(o->base, o->content_type, c->flags->operand[0], to, why), why);
}

PARSE_VERB(verb_links, "links", "Prints the links of an HTML document, in order.", document_groups, 1, run_links);
PARSE_VERB(verb_page, "page", "Prints base, charset and refresh of an HTML document.", document_groups, 1, run_page);
PARSE_VERB(verb_sitemap, "sitemap", "Prints the entries of a sitemap.", document_groups, 1, run_sitemap);

/* --- http */

static int run_content_type(const struct command *c, struct err_note *why)
{
	struct output out;

	return finish(&out, told(parse_http_content_type(stdin, begin(&out, c, type_columns)), why), why);
}

PARSE_VERB(verb_content_type, "content-type", "Reads each Content-Type of stdin.", no_groups, 0, run_content_type);

static const struct verb *const http_verbs[] = {&verb_content_type, NULL};
static const struct verb verb_http = {.name = "http", .summary = "Parses values of HTTP headers.", .verbs = http_verbs};

static const struct verb *const parse_verbs[] = {&verb_url, &verb_robots, &verb_links, &verb_page, &verb_sitemap, &verb_http, NULL};

const struct verb verb_parse = {
	.name = "parse",
	.summary = "Parses URLs, robots.txt, pages, sitemaps, headers.",
	.verbs = parse_verbs,
};
