/* `lycosa parse`: the parser by hand. */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/input.h"
#include "base/log.h"
#include "cli/flags/options.h"
#include "cli/results.h"
#include "cli/verbs.h"
#include "parser/usage.h"
#include "parser/decode.h"
#include "parser/html.h"
#include "parser/mime.h"
#include "parser/robots.h"
#include "parser/sitemap.h"
#include "parser/url_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the parser on input of the user */

/* `lycosa parse`: runs one function of the parser on input of the user. The results go to `out`, as the lines that the comments
 * name, or as the rows of a JSON object (--json). Each function returns 0 or a negative enum err. A file may be compressed, and the
 * path "-" is stdin. */

struct results;

/* Where the results go: lines to `text`, or, if `json` is not NULL, rows with the columns that the caller has begun there. */
struct parse_out {
	FILE *text;
	struct results *json;
};

/* The next three functions print a line for each line of `in`, "error" for a line that cannot be parsed. A line
 * consists of all bytes up to LF, also "\r". They return ERR_FILE if `in` or `out` fails. */

/* A longer line is an error; only this many bytes of it are kept. No function of the parser accepts so long a text. */
#define LINE_MAX_BYTES (1u << 20)

/* Reads the next line, which may have any bytes up to its LF. Returns 1, or 0 at the end. */
static int read_line(FILE *in, struct buf *line)
{
	int c;

	buf_clear(line);
	while ((c = getc_unlocked(in)) != EOF && c != '\n') {
		if (line->used <= LINE_MAX_BYTES)
			buf_byte(line, c);
	}
	buf_end(line);
	return c != EOF || line->used;
}

/* Computes the answer to one line: appends it to `out` and returns 0, or returns -1. */
typedef int answer_fn(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out);

/* Adds one result: a line, or a row with one cell for each column. A cell that is NULL is missing. */
static void parse_out_row(const struct parse_out *out, const char *line, const char *const *cells, size_t n)
{
	if (!out->json) {
		fputs(line, out->text);
		putc('\n', out->text);
		return;
	}
	n = n < out->json->columns ? n : out->json->columns;
	for (size_t i = 0; i < n; i++) {
		RESULTS_CELLS(out->json, cells[i] ? cell_text(cells[i]) : cell_none());
	}
}

/* Prints the row of an answer, which is cut at its TAB. */
static void put_row(const struct parse_out *out, char *line, int is_error)
{
	char *tab = strchr(line, '\t');

	if (tab)
		*tab++ = 0;
	const char *second = tab && strcmp(tab, "-") != 0 ? tab : NULL;
	parse_out_row(out, NULL, (const char *const[]){is_error ? NULL : line, second}, 2);
}

/* Prints a line for each line that it reads. */
static int answer_lines(answer_fn *answer, const void *ctx, FILE *in, const struct parse_out *out)
{
	struct buf line = BUF_EMPTY, result = BUF_EMPTY;
	struct url scratch = URL_EMPTY;

	while (read_line(in, &line)) {
		buf_clear(&result);
		const int is_error = line.used > LINE_MAX_BYTES || answer(ctx, &scratch, &line, &result);
		if (is_error) {
			buf_clear(&result);
			buf_text(&result, "error");
		}
		if (out->json)
			put_row(out, result.at, is_error);
		else
			parse_out_row(out, result.at, NULL, 0);
	}
	int err = ferror(in) ? ERR_FILE : out->text && fflush(out->text) ? ERR_RESULTS : 0;
	buf_release(&line);
	buf_release(&result);
	url_release(&scratch);
	return err;
}

/* What lines are resolved against. */
struct base {
	const char *text;
	struct url url;
	enum url_result result;
};

static int resolve(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	const struct base *base = ctx;
	enum url_result r;

	if (base->text && base->result != URL_OK)
		r = url_parse_text(scratch, line->at, line->used, base->text, strlen(base->text));
	else
		r = url_parse(scratch, line->at, line->used, base->text ? &base->url : NULL);
	if (r == URL_OK)
		buf_add(out, scratch->text.at, scratch->text.used);
	return r == URL_OK ? 0 : -1;
}

static int canon(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	const unsigned *rules = ctx;

	if (url_parse(scratch, line->at, line->used, NULL) != URL_OK)
		return -1;
	url_rules_apply(*rules, scratch);
	buf_add(out, scratch->text.at, scratch->text.used);
	return 0;
}

static int content_type(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	struct mime m;

	(void)ctx;
	(void)scratch;
	if (mime_parse(&m, line->at, line->used))
		return -1;
	const char *charset = encoding_name(m.charset, strlen(m.charset));
	buf_format(out, "%s\t%s", m.essence, charset ? charset : "-");
	return 0;
}

/* Prints each reference, resolved against `base` (of any scheme; NULL: absolute references only), as an http or
 * https URL without its fragment. Column: url, missing for a line that cannot be parsed. */
static int parse_url_resolve(const char *base, FILE *in, const struct parse_out *out)
{
	struct base b = {base, URL_EMPTY, URL_BAD};

	if (base)
		b.result = url_parse(&b.url, base, strlen(base), NULL);
	int err = answer_lines(resolve, &b, in, out);
	url_release(&b.url);
	return err;
}

/* Prints each URL after the rules of a mask (parser/url_rules.h). Column: url. */
static int parse_url_canon(unsigned rules, FILE *in, const struct parse_out *out)
{
	return answer_lines(canon, &rules, in, out);
}

/* Prints each value of a Content-Type header as "essence<TAB>encoding", with "-" for an unknown encoding. Columns: type,
 * charset. */
static int parse_http_content_type(FILE *in, const struct parse_out *out)
{
	return answer_lines(content_type, NULL, in, out);
}

#define DOCUMENT_MAX (256u << 20)

/* Prints a line "name<TAB>value", or "name<TAB>seconds<TAB>value" if there are seconds. */
static void put_named(const struct parse_out *out, const char *name, const char *value, const char *seconds)
{
	struct buf line = buf_of("%s\t%s%s%s", name, seconds ? seconds : "", seconds ? "\t" : "", value);
	parse_out_row(out, line.at, (const char *const[]){name, value, seconds}, 3);
	buf_release(&line);
}

static int open_robots(const char *agent, const char *file, struct robots **robots, struct err_note *why)
{
	char *bytes;
	size_t n;
	int err = input_all(file, DOCUMENT_MAX, &bytes, &n, why);

	if (err)
		return err;
	*robots = robots_parse(bytes, n, agent);
	free(bytes);
	return 0;
}

/* Judges a URL that url_parse() rejects, for example because it is too long, by its path and query as they are written. */
static int ask_as_written(const struct robots *robots, const char *line, size_t n)
{
	const char *host = memmem(line, n, "://", 3), *end = line + strcspn(line, "#");
	struct buf path = BUF_EMPTY;

	host = host && host < end ? host + 3 : line;
	host += strcspn(host, "/?#");
	if (host == end || *host != '/')
		buf_byte(&path, '/');
	buf_add(&path, host, (size_t)(end - host));
	int allowed = robots_allows(robots, path.at, path.used);
	buf_release(&path);
	return allowed;
}

/* Prints "allow" or "deny" for each line of `in`, a URL, by the robots.txt in `file`. Columns: url, verdict. */
static int parse_robots_check(const char *agent, const char *file, FILE *in, const struct parse_out *out, struct err_note *why)
{
	struct url url = URL_EMPTY;
	struct robots *robots;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int err = open_robots(agent, file, &robots, why);

	if (err)
		return err;
	while ((n = getline(&line, &room, in)) >= 0) {
		n -= n > 0 && line[n - 1] == '\n';
		line[n] = 0;
		int allowed = url_parse(&url, line, (size_t)n, NULL) != URL_OK
			? ask_as_written(robots, line, (size_t)n)
			: robots_allows(robots, url.text.at + url.path, url.text.used - url.path);
		const char *verdict = allowed ? "allow" : "deny";
		parse_out_row(out, verdict, (const char *const[]){line, verdict}, 2);
	}
	const int is_short = !feof(in); /* no memory for a line is no error of the stream */
	free(line);
	url_release(&url);
	robots_free(robots);
	return ferror(in) || is_short ? err_set(why, ERR_FILE, "cannot read the URLs") : 0;
}

/* Prints "crawl-delay<TAB>seconds" if the robots.txt has one, and "sitemap<TAB>URL", as written, for each sitemap.
 * Columns: name, value. */
static int parse_robots_info(const char *agent, const char *file, const struct parse_out *out, struct err_note *why)
{
	struct robots *robots;
	const char *sitemap;
	char delay[40];
	int err = open_robots(agent, file, &robots, why);

	if (err)
		return err;
	if (robots_delay(robots) >= 0) {
		ascii_format(delay, sizeof delay, "%.15g", robots_delay(robots));
		put_named(out, "crawl-delay", delay, NULL);
	}
	for (size_t i = 0; (sitemap = robots_sitemap(robots, i)) != NULL; i++)
		put_named(out, "sitemap", sitemap, NULL);
	robots_free(robots);
	return 0;
}

static int open_document(const char *base, const char *file, struct url *address, char **bytes, size_t *n, struct err_note *why)
{
	int err = input_all(file, DOCUMENT_MAX, bytes, n, why);

	if (err)
		return err;
	if (url_parse(address, base, strlen(base), NULL) == URL_OK)
		return 0;
	free(*bytes);
	url_release(address);
	err_set(why, ERR_USAGE, "'%s' is no http URL", base);
	return ERR_USAGE;
}

static int print_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	(void)anchor;
	(void)kind_and_flags;
	parse_out_row(ctx, target->text.at, (const char *const[]){target->text.at}, 1);
	return 0;
}

/* Reads an HTML document as one that was fetched from `base`, with the links of the kinds of a mask, which print_link() gets. `page`
 * belongs to the caller if the function returns 0; the errors are those of the file, and ERR_USAGE for a base that is no URL. */
static int read_document(const char *base, const char *content_type, const char *file, unsigned kinds, const struct parse_out *out,
	struct html_page *page, struct err_note *why)
{
	struct url address = URL_EMPTY;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	html_read(bytes, n, &address, content_type, kinds, UINT64_MAX, print_link, (void *)(uintptr_t)out, page);
	url_release(&address);
	free(bytes);
	return 0;
}

/* Prints the a and area links of an HTML document that was fetched from `base`, one canonical URL on each line, in
 * order. `content_type` is the value of the header, or NULL. Column: url. */
static int parse_links(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why)
{
	struct html_page page;
	int err = read_document(base, content_type, file, 1u << LINK_A | 1u << LINK_AREA, out, &page, why);

	if (!err)
		html_page_release(&page);
	return err;
}

static void print_page(const struct html_page *page, const struct parse_out *out)
{
	char text[40];

	put_named(out, "base", page->base.text.at, NULL);
	put_named(out, "charset", page->charset, NULL);
	if (page->has_refresh) {
		ascii_format(text, sizeof text, "%.15g", page->refresh_seconds);
		put_named(out, "refresh", page->refresh.text.at, text);
	}
	if (page->robots) {
		snprintf(text, sizeof text, "%s%s%s", page->robots & HTML_NOINDEX ? "noindex" : "",
			page->robots == (HTML_NOINDEX | HTML_NOFOLLOW) ? "," : "", page->robots & HTML_NOFOLLOW ? "nofollow" : "");
		put_named(out, "robots", text, NULL);
	}
	struct buf usage = BUF_EMPTY;
	usage_write(page->usage, &usage);
	if (usage.used)
		put_named(out, "usage", usage.at, NULL);
	buf_release(&usage);
	if (page->canonical.text.used)
		put_named(out, "canonical", page->canonical.text.at, NULL);
}

/* Prints "base<TAB>URL" and "charset<TAB>name" of an HTML document, and "refresh<TAB>seconds<TAB>URL",
 * "robots<TAB>words" and "canonical<TAB>URL" if it has them. Columns: name, value, seconds. */
static int parse_page(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why)
{
	struct html_page page;
	int err = read_document(base, content_type, file, 0, out, &page, why);

	if (err)
		return err;
	print_page(&page, out);
	html_page_release(&page);
	return 0;
}

static int print_entry(void *ctx, const struct url *target, enum sitemap_entry kind)
{
	const char *const cells[] = {kind == SITEMAP_INDEX ? "sitemap" : "url", target->text.at};

	struct buf line = buf_of("%s\t%s", cells[0], cells[1]);
	parse_out_row(ctx, line.at, cells, 2);
	buf_release(&line);
	return 0;
}

/* Prints "url<TAB>URL" or "sitemap<TAB>URL" for each entry of a sitemap, in order. If the file is no sitemap, a
 * warning goes to stderr. Columns: kind, url. */
static int parse_sitemap(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why)
{
	struct url address = URL_EMPTY;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	if (sitemap_read(bytes, n, &address, content_type, print_entry, (void *)(uintptr_t)out))
		log_say("'%s' is no sitemap", file);
	url_release(&address);
	free(bytes);
	return 0;
}

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
