#include "base/ascii.h"
#include "cli/parse/parse.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/log.h"
#include "parser/html.h"
#include "parser/robots.h"
#include "parser/sitemap.h"

#include <stdlib.h>
#include <string.h>

#define DOCUMENT_MAX (256u << 20)

/* Prints a line "name<TAB>value", or "name<TAB>seconds<TAB>value" if there are seconds. */
static void put_named(const struct parse_out *out, const char *name, const char *value, const char *seconds)
{
	struct buf line = BUF_EMPTY;

	buf_format(&line, "%s\t%s%s%s", name, seconds ? seconds : "", seconds ? "\t" : "", value);
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

int parse_robots_check(const char *agent, const char *file, FILE *in, const struct parse_out *out, struct err_note *why)
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

int parse_robots_info(const char *agent, const char *file, const struct parse_out *out, struct err_note *why)
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

static int no_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	(void)anchor;
	(void)ctx, (void)target, (void)kind_and_flags;
	return 0;
}

int parse_links(const char *base, const char *content_type, const char *file, const struct parse_out *out, struct err_note *why)
{
	struct url address = URL_EMPTY;
	struct html_page page;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	html_read(bytes, n, &address, content_type, 1u << LINK_A | 1u << LINK_AREA, UINT64_MAX, print_link, (void *)(uintptr_t)out,
		&page);
	html_page_release(&page);
	url_release(&address);
	free(bytes);
	return 0;
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
	if (page->canonical.text.used)
		put_named(out, "canonical", page->canonical.text.at, NULL);
}

int parse_page(const char *base, const char *content_type, const char *file, const struct parse_out *out, struct err_note *why)
{
	struct url address = URL_EMPTY;
	struct html_page page;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	html_read(bytes, n, &address, content_type, 0, 0, no_link, NULL, &page);
	print_page(&page, out);
	html_page_release(&page);
	url_release(&address);
	free(bytes);
	return 0;
}

static int print_entry(void *ctx, const struct url *target, enum sitemap_entry kind)
{
	const char *const cells[] = {kind == SITEMAP_INDEX ? "sitemap" : "url", target->text.at};
	struct buf line = BUF_EMPTY;

	buf_format(&line, "%s\t%s", cells[0], cells[1]);
	parse_out_row(ctx, line.at, cells, 2);
	buf_release(&line);
	return 0;
}

int parse_sitemap(const char *base, const char *content_type, const char *file, const struct parse_out *out, struct err_note *why)
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
