#include "cli/parse/parse.h"
#include "base/input.h"
#include "base/log.h"
#include "parser/html.h"
#include "parser/robots.h"
#include "parser/sitemap.h"

#include <stdlib.h>
#include <string.h>

#define DOCUMENT_MAX (256u << 20)

static int open_robots(
	const char *agent, const char *file, struct robots **robots, struct err_note *why)
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

/* The path and query of a URL too long, or otherwise not, to be fetched: as written. */
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

int parse_robots_check(
	const char *agent, const char *file, FILE *in, FILE *out, struct err_note *why)
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
				      : robots_allows(robots, url.text.at + url.path,
						url.text.used - url.path);
		fputs(allowed ? "allow\n" : "deny\n", out);
	}
	const int is_short = !feof(in); /* no memory for a line is no error of the stream */
	free(line);
	url_release(&url);
	robots_free(robots);
	return ferror(in) || is_short ? err_set(why, ERR_FILE, "cannot read the URLs") : 0;
}

int parse_robots_info(const char *agent, const char *file, FILE *out, struct err_note *why)
{
	struct robots *robots;
	const char *sitemap;
	int err = open_robots(agent, file, &robots, why);

	if (err)
		return err;
	if (robots_delay(robots) >= 0)
		fprintf(out, "crawl-delay\t%.15g\n", robots_delay(robots));
	for (size_t i = 0; (sitemap = robots_sitemap(robots, i)) != NULL; i++)
		fprintf(out, "sitemap\t%s\n", sitemap);
	robots_free(robots);
	return 0;
}

static int open_document(const char *base, const char *file, struct url *address, char **bytes,
	size_t *n, struct err_note *why)
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
	fprintf(ctx, "%s\n", target->text.at);
	return 0;
}

static int no_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	(void)anchor;
	(void)ctx, (void)target, (void)kind_and_flags;
	return 0;
}

int parse_links(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why)
{
	struct url address = URL_EMPTY;
	struct html_page page;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	html_read(bytes, n, &address, content_type, 1u << LINK_A | 1u << LINK_AREA, UINT64_MAX,
		print_link, out, &page);
	html_page_release(&page);
	url_release(&address);
	free(bytes);
	return 0;
}

static void print_page(const struct html_page *page, FILE *out)
{
	fprintf(out, "base\t%s\ncharset\t%s\n", page->base.text.at, page->charset);
	if (page->has_refresh)
		fprintf(out, "refresh\t%.15g\t%s\n", page->refresh_seconds, page->refresh.text.at);
	if (page->robots)
		fprintf(out, "robots\t%s%s%s\n", page->robots & HTML_NOINDEX ? "noindex" : "",
			page->robots == (HTML_NOINDEX | HTML_NOFOLLOW) ? "," : "",
			page->robots & HTML_NOFOLLOW ? "nofollow" : "");
	if (page->canonical.text.used)
		fprintf(out, "canonical\t%s\n", page->canonical.text.at);
}

int parse_page(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why)
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
	fprintf(ctx, "%s\t%s\n", kind == SITEMAP_INDEX ? "sitemap" : "url", target->text.at);
	return 0;
}

int parse_sitemap(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why)
{
	struct url address = URL_EMPTY;
	char *bytes;
	size_t n;
	int err = open_document(base, file, &address, &bytes, &n, why);

	if (err)
		return err;
	if (sitemap_read(bytes, n, &address, content_type, print_entry, out))
		log_say("'%s' is no sitemap", file);
	url_release(&address);
	free(bytes);
	return 0;
}
