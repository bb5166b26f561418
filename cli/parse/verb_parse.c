/* `lycosa parse`: the parser by hand. */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/input.h"
#include "base/log.h"
#include "cli/flags/options.h"
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

struct parse_options {
	struct standard_options standard;
	const char *agent, *base, *content_type, *normalise;
	int json;
};

/* One call: what the user gave, and where the results go. */
struct call {
	const struct parse_options *o;
	const char *file;     /* the operand, which may be compressed, "-" being stdin; NULL: there is none */
	unsigned rules;       /* of --normalise */
	struct results *json; /* NULL: text */
};

/* Adds one result: a line, which is the cells with TABs between unless `line` says otherwise, or a row with one cell for each of
 * the columns of the call. A cell that is NULL is missing. */
static void put(const struct call *c, const char *line, const char *const *cell, size_t n)
{
	if (!c->json && line)
		fputs(line, stdout);
	for (size_t i = 0; !c->json && !line && i < n; i++)
		printf("%s%s", i ? "\t" : "", cell[i]);
	if (!c->json)
		putchar('\n');
	for (size_t i = 0; c->json && i < n; i++)
		RESULTS_CELLS(c->json, cell[i] ? cell_text(cell[i]) : cell_none());
}

/* --- an answer for each line of stdin, which consists of all bytes up to LF, also "\r" */

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

/* Prints an answer, whose cells have a TAB between them ("-": missing), or "error", which is a row without cells. */
static void put_answer(const struct call *c, char *answer, size_t columns)
{
	char *tab = answer ? strchr(answer, '\t') : NULL;

	if (!c->json) {
		put(c, answer ? answer : "error", NULL, 0);
		return;
	}
	if (tab)
		*tab++ = 0;
	put(c, NULL, (const char *const[]){answer, tab && strcmp(tab, "-") != 0 ? tab : NULL}, columns);
}

static int answer_lines(const struct call *c, answer_fn *answer, const void *ctx, size_t columns, struct err_note *why)
{
	AUTO(buf) line = BUF_EMPTY, result = BUF_EMPTY;
	AUTO(url) scratch = URL_EMPTY;

	while (read_line(stdin, &line)) {
		buf_clear(&result);
		const int is_error = line.used > LINE_MAX_BYTES || answer(ctx, &scratch, &line, &result);
		put_answer(c, is_error ? NULL : result.at, columns);
	}
	const int err = ferror(stdin) ? ERR_FILE : !c->json && fflush(stdout) ? ERR_RESULTS : 0;
	return err ? err_set(why, (enum err)err, "cannot read stdin, or write to stdout") : 0;
}

/* What lines are resolved against. */
struct base {
	const char *text;
	struct url url;
	enum url_result result;
};

static int resolve_line(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
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

/* Prints each reference, resolved against --base (of any scheme; NULL: absolute references only), as an http or
 * https URL without its fragment. */
static int resolve(const struct call *c, struct err_note *why)
{
	struct base b = {c->o->base, URL_EMPTY, URL_BAD};

	if (b.text)
		b.result = url_parse(&b.url, b.text, strlen(b.text), NULL);
	const int err = answer_lines(c, resolve_line, &b, 1, why);
	url_release(&b.url);
	return err;
}

static int canon_line(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	const unsigned *rules = ctx;

	if (url_parse(scratch, line->at, line->used, NULL) != URL_OK)
		return -1;
	url_rules_apply(*rules, scratch);
	buf_add(out, scratch->text.at, scratch->text.used);
	return 0;
}

static int canon(const struct call *c, struct err_note *why)
{
	return answer_lines(c, canon_line, &c->rules, 1, why);
}

static int type_of_line(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
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

/* Prints each value of a Content-Type header as "essence TAB encoding", with "-" for an unknown encoding. */
static int content_type(const struct call *c, struct err_note *why)
{
	return answer_lines(c, type_of_line, NULL, 2, why);
}

/* --- robots.txt */

#define DOCUMENT_MAX (256u << 20)

/* Prints "name TAB value", or "name TAB seconds TAB value" if there are seconds; the columns of a row are name, value, seconds. */
static void put_named(const struct call *c, const char *name, const char *value, const char *seconds, size_t columns)
{
	AUTO(buf) line = buf_of("%s\t%s%s%s", name, seconds ? seconds : "", seconds ? "\t" : "", value);

	put(c, line.at, (const char *const[]){name, value, seconds}, columns);
}

static int open_robots(const struct call *c, struct robots **robots, struct err_note *why)
{
	char *bytes;
	size_t n;

	TRY(input_all(c->file, DOCUMENT_MAX, &bytes, &n, why));
	*robots = robots_parse(bytes, n, c->o->agent);
	free(bytes);
	return 0;
}

/* Judges a URL that url_parse() rejects, for example because it is too long, by its path and query as they are written. */
static int ask_as_written(const struct robots *robots, const char *line, size_t n)
{
	const char *host = memmem(line, n, "://", 3), *end = line + strcspn(line, "#");
	AUTO(buf) path = BUF_EMPTY;

	host = host && host < end ? host + 3 : line;
	host += strcspn(host, "/?#");
	if (host == end || *host != '/')
		buf_byte(&path, '/');
	buf_add(&path, host, (size_t)(end - host));
	return robots_allows(robots, path.at, path.used);
}

/* Prints "allow" or "deny" for each line of stdin, a URL, by a robots.txt. Columns: url, verdict. */
static int check(const struct call *c, struct err_note *why)
{
	AUTO(url) url = URL_EMPTY;
	struct robots *robots;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	TRY(open_robots(c, &robots, why));
	while ((n = getline(&line, &room, stdin)) >= 0) {
		n -= n > 0 && line[n - 1] == '\n';
		line[n] = 0;
		int allowed = url_parse(&url, line, (size_t)n, NULL) != URL_OK
			? ask_as_written(robots, line, (size_t)n)
			: robots_allows(robots, url.text.at + url.path, url.text.used - url.path);
		const char *verdict = allowed ? "allow" : "deny";
		put(c, verdict, (const char *const[]){line, verdict}, 2);
	}
	const int is_short = !feof(stdin); /* no memory for a line is no error of the stream */
	free(line);
	robots_free(robots);
	return ferror(stdin) || is_short ? err_set(why, ERR_FILE, "cannot read the URLs") : 0;
}

/* Prints "crawl-delay TAB seconds" if the robots.txt has one, and "sitemap TAB URL", as written, for each sitemap. */
static int robots_info(const struct call *c, struct err_note *why)
{
	struct robots *robots;
	const char *sitemap;
	char delay[40];

	TRY(open_robots(c, &robots, why));
	if (robots_delay(robots) >= 0) {
		ascii_format(delay, sizeof delay, "%.15g", robots_delay(robots));
		put_named(c, "crawl-delay", delay, NULL, 2);
	}
	for (size_t i = 0; (sitemap = robots_sitemap(robots, i)) != NULL; i++)
		put_named(c, "sitemap", sitemap, NULL, 2);
	robots_free(robots);
	return 0;
}

/* --- documents, which were fetched from --base with the header --content-type, which may be NULL */

static int open_document(const struct call *c, struct url *address, char **bytes, size_t *n, struct err_note *why)
{
	TRY(input_all(c->file, DOCUMENT_MAX, bytes, n, why));
	*address = (struct url)URL_EMPTY;
	if (url_parse(address, c->o->base, strlen(c->o->base), NULL) == URL_OK)
		return 0;
	free(*bytes);
	url_release(address);
	return err_set(why, ERR_USAGE, "'%s' is no http URL", c->o->base);
}

static int print_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	(void)anchor;
	(void)kind_and_flags;
	put(ctx, NULL, (const char *const[]){target->text.at}, 1);
	return 0;
}

/* Reads an HTML document, with the links of the kinds of a mask, which print_link() gets. `page` belongs to the caller if the
 * function returns 0; the errors are those of the file, and ERR_USAGE for a base that is no URL. */
static int read_document(const struct call *c, unsigned kinds, struct html_page *page, struct err_note *why)
{
	struct url address;
	char *bytes;
	size_t n;

	TRY(open_document(c, &address, &bytes, &n, why));
	html_read(bytes, n, &address, c->o->content_type, kinds, UINT64_MAX, print_link, (void *)(uintptr_t)c, page);
	url_release(&address);
	free(bytes);
	return 0;
}

/* Prints the a and area links of an HTML document, one canonical URL on each line, in order. */
static int links(const struct call *c, struct err_note *why)
{
	AUTO(html_page) page = {0};

	TRY(read_document(c, 1u << LINK_A | 1u << LINK_AREA, &page, why));
	return 0;
}

/* Prints "base TAB URL" and "charset TAB name" of an HTML document, and "refresh TAB seconds TAB URL",
 * "robots TAB words", "usage TAB words" and "canonical TAB URL" if it has them. */
static int page(const struct call *c, struct err_note *why)
{
	AUTO(html_page) page = {0};
	AUTO(buf) usage = BUF_EMPTY;
	char text[40];

	TRY(read_document(c, 0, &page, why));
	put_named(c, "base", page.base.text.at, NULL, 3);
	put_named(c, "charset", page.charset, NULL, 3);
	if (page.has_refresh) {
		ascii_format(text, sizeof text, "%.15g", page.refresh_seconds);
		put_named(c, "refresh", page.refresh.text.at, text, 3);
	}
	if (page.robots) {
		snprintf(text, sizeof text, "%s%s%s", page.robots & HTML_NOINDEX ? "noindex" : "",
			page.robots == (HTML_NOINDEX | HTML_NOFOLLOW) ? "," : "", page.robots & HTML_NOFOLLOW ? "nofollow" : "");
		put_named(c, "robots", text, NULL, 3);
	}
	usage_write(page.usage, &usage);
	if (usage.used)
		put_named(c, "usage", usage.at, NULL, 3);
	if (page.canonical.text.used)
		put_named(c, "canonical", page.canonical.text.at, NULL, 3);
	return 0;
}

static int print_entry(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	(void)changed;
	put(ctx, NULL, (const char *const[]){kind == SITEMAP_INDEX ? "sitemap" : "url", target->text.at}, 2);
	return 0;
}

/* Prints "url TAB URL" or "sitemap TAB URL" for each entry of a sitemap, in order. If the file is no sitemap, a
 * warning goes to stderr. */
static int sitemap(const struct call *c, struct err_note *why)
{
	struct url address;
	char *bytes;
	size_t n;

	TRY(open_document(c, &address, &bytes, &n, why));
	if (sitemap_read(bytes, n, &address, c->o->content_type, print_entry, (void *)(uintptr_t)c))
		log_say("'%s' is no sitemap", c->file);
	url_release(&address);
	free(bytes);
	return 0;
}

/* --- the verbs */

/* Runs a function; `columns` are those of the rows of --json. */
static int run(const struct command *command, const char *const *columns, int (*parse)(const struct call *, struct err_note *why),
	struct err_note *why)
{
	struct results results;
	struct call c = {.o = command->options, .file = command->flags->operand[0]};
	int err = url_rules_read(&c.rules, c.o->normalise, why);

	if (err)
		return err;
	if (c.o->json) {
		c.json = &results;
		results_begin(&results, stdout, RESULTS_JSON);
		results_columns(&results, columns);
	}
	err = parse(&c, why);
	const int failed = c.json ? results_end(&results, err ? NULL : why) : 0;
	return err ? err : failed;
}

#define RUN(function, ...) \
	static int run_##function(const struct command *c, struct err_note *why) \
	{ \
		static const char *const columns[] = {__VA_ARGS__, NULL}; \
		return run(c, columns, function, why); \
	}
RUN(resolve, "url")
RUN(canon, "url")
RUN(check, "url", "verdict")
RUN(robots_info, "name", "value")
RUN(links, "url")
RUN(page, "name", "value", "seconds")
RUN(sitemap, "kind", "url")
RUN(content_type, "type", "charset")

static int run_check_of_file(const struct command *c, struct err_note *why)
{
	if (strcmp(c->flags->operand[0], "-") == 0)
		return err_set(why, ERR_USAGE, "stdin has the URLs: the robots.txt must be a file");
	return run_check(c, why);
}

#define PARSE(field) offsetof(struct parse_options, field)
static const struct parse_options defaults = {.agent = "lycosa", .normalise = "escapes"};

static const struct flag type_flags[] = {JSON_ROW(PARSE(json)), STANDARD_ROWS};
static const struct flag agent_flags[] = {
	{"agent", 0, FLAG_TEXT, PARSE(agent), "UA", .help = "the product token that rules are for", .may_be_empty = 1},
	TABLE_ROW(type_flags, 0),
	{.name = NULL},
};
static const struct flag base_flags[] = {
	{"base", 0, FLAG_TEXT, PARSE(base), "URL", .help = "what relative references are relative to"},
	TABLE_ROW(type_flags, 0),
	{.name = NULL},
};
static const struct flag canon_flags[] = {
	{"normalise", 0, FLAG_TEXT, PARSE(normalise), "RULES", .help = "escapes, tracking, sessions, query, slashes, index; all"},
	TABLE_ROW(type_flags, 0),
	{.name = NULL},
};
static const struct flag document_flags[] = {
	{"base", 0, FLAG_TEXT, PARSE(base), "URL", .help = "where the document came from", .required = 1},
	{"content-type", 0, FLAG_TEXT, PARSE(content_type), "CT", .help = "the value of its header", .may_be_empty = 1},
	TABLE_ROW(type_flags, 0),
	{.name = NULL},
};

#define OF_FILE .operands = "FILE", .operand_file = FLAG_READS

static const struct verb verb_resolve =
	VERB("resolve", "Resolves each reference of stdin to a canonical URL.", base_flags, defaults, run_resolve);
static const struct verb verb_canon = VERB("canon", "Normalises each URL of stdin.", canon_flags, defaults, run_canon);
static const struct verb *const url_verbs[] = {&verb_resolve, &verb_canon, NULL};
static const struct verb verb_url = {.name = "url", .summary = "Parses URLs, one a line.", .verbs = url_verbs};

static const struct verb verb_check = VERB("check", "Says for each URL of stdin whether a robots.txt allows it.", agent_flags,
	defaults, run_check_of_file, OF_FILE);
static const struct verb verb_info =
	VERB("info", "Prints the crawl delay and the sitemaps of a robots.txt.", agent_flags, defaults, run_robots_info, OF_FILE);
static const struct verb *const robots_verbs[] = {&verb_check, &verb_info, NULL};
static const struct verb verb_robots = {.name = "robots", .summary = "Parses a robots.txt.", .verbs = robots_verbs};

static const struct verb verb_links =
	VERB("links", "Prints the links of an HTML document, in order.", document_flags, defaults, run_links, OF_FILE);
static const struct verb verb_page =
	VERB("page", "Prints base, charset and refresh of an HTML document.", document_flags, defaults, run_page, OF_FILE);
static const struct verb verb_sitemap =
	VERB("sitemap", "Prints the entries of a sitemap.", document_flags, defaults, run_sitemap, OF_FILE);

static const struct verb verb_content_type =
	VERB("content-type", "Reads each Content-Type of stdin.", type_flags, defaults, run_content_type);
static const struct verb *const http_verbs[] = {&verb_content_type, NULL};
static const struct verb verb_http = {.name = "http", .summary = "Parses values of HTTP headers.", .verbs = http_verbs};

static const struct verb *const parse_verbs[] = {&verb_url, &verb_robots, &verb_links, &verb_page, &verb_sitemap, &verb_http, NULL};

const struct verb verb_parse = {
	.name = "parse",
	.summary = "Parses URLs, robots.txt, pages, sitemaps, headers.",
	.verbs = parse_verbs,
};
