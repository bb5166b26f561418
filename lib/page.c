#include "base/mem.h"
#include "lib/lib_internal.h"
#include "parser/html.h"
#include "parser/robots.h"
#include "parser/url_rules.h"

#include <stdlib.h>
#include <string.h>

/* --- URLs */

/* The text in a note: of a long one the beginning. */
#define SHOWN(n) (int)((n) < 200 ? (n) : 200)

static int resolve(struct url *out, const char *reference, size_t n, const char *base, struct err_note *why)
{
	const enum url_result result =
		base ? url_parse_text(out, reference, n, base, strlen(base)) : url_parse(out, reference, n, NULL);

	switch (result) {
	case URL_OK:
		return 0;
	case URL_FOREIGN:
		return err_set(why, ERR_FORMAT, "'%.*s' is no http or https URL", SHOWN(n), reference);
	case URL_TOO_LONG:
		return err_set(why, ERR_TOO_BIG, "'%.*s': a URL has at most %u bytes", SHOWN(n), reference, URL_MAX);
	case URL_BAD:
		break;
	}
	return err_set(why, ERR_FORMAT, "'%.*s' is no URL%s%.200s%s", SHOWN(n), reference, base ? " relative to '" : "",
		base ? base : "", base ? "'" : "");
}

int lycosa_url_resolve(char **url, const char *reference, size_t n, const char *base, struct lycosa_note *why)
{
	AUTO(url) u = URL_EMPTY;
	const int err = resolve(&u, reference, n, base, inside_note(why));

	*url = err ? NULL : buf_take(&u.text);
	return err;
}

int lycosa_url_normalise(char **normal, const char *url, size_t n, const char *rules, struct lycosa_note *why)
{
	AUTO(url) u = URL_EMPTY;
	unsigned mask;
	int err = url_rules_read(&mask, rules, inside_note(why));

	*normal = NULL;
	if (!err)
		err = resolve(&u, url, n, NULL, inside_note(why));
	if (!err) {
		url_rules_apply(mask, &u);
		*normal = buf_take(&u.text);
	}
	return err;
}

/* --- pages */

struct lycosa_page {
	struct html_page html;
	struct lycosa_link *links; /* while a page is read, url is NULL: texts moves */
	size_t n, room;
	struct buf texts; /* the URLs of the links, one after the other, each with its NUL */
};

static int add_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	struct lycosa_page *p = ctx;

	(void)anchor;
	p->links = mem_grow(p->links, &p->room, p->n + 1, sizeof *p->links);
	p->links[p->n++] = (struct lycosa_link){.kind = kind_and_flags & ~(unsigned)LINK_NOFOLLOW,
		.nofollow = (kind_and_flags & LINK_NOFOLLOW) != 0};
	buf_add(&p->texts, target->text.at, target->text.used + 1);
	return 0;
}

#define SAME_KIND(kind) _Static_assert((int)LYCOSA_##kind == (int)kind, "one kind")
SAME_KIND(LINK_A);
SAME_KIND(LINK_AREA);
SAME_KIND(LINK_FRAME);
SAME_KIND(LINK_LINK);
SAME_KIND(LINK_REFRESH);

int lycosa_page_parse(struct lycosa_page **page, const char *bytes, size_t n, const char *address, const char *content_type,
	struct lycosa_note *why)
{
	const unsigned kinds = 1u << LINK_A | 1u << LINK_AREA | 1u << LINK_FRAME | 1u << LINK_LINK | 1u << LINK_REFRESH;
	struct url from = URL_EMPTY;
	const int err = resolve(&from, address, strlen(address), NULL, inside_note(why));

	*page = NULL;
	if (err) {
		url_release(&from);
		return err;
	}
	struct lycosa_page *p = mem_zero(1, sizeof *p);
	html_read(bytes, n, &from, content_type, kinds, UINT64_MAX, add_link, p, &p->html);
	const char *text = p->texts.at;
	for (size_t i = 0; i < p->n; i++) {
		p->links[i].url = text;
		text += strlen(text) + 1;
	}
	url_release(&from);
	*page = p;
	return 0;
}

void lycosa_page_free(struct lycosa_page *page)
{
	if (!page)
		return;
	html_page_release(&page->html);
	buf_release(&page->texts);
	free(page->links);
	free(page);
}

const struct lycosa_link *lycosa_page_links(const struct lycosa_page *page, size_t *n)
{
	*n = page->n;
	return page->links;
}

const char *lycosa_page_base(const struct lycosa_page *page)
{
	return page->html.base.text.at;
}

const char *lycosa_page_charset(const struct lycosa_page *page)
{
	return page->html.charset;
}

const char *lycosa_page_canonical(const struct lycosa_page *page)
{
	return page->html.canonical.text.used ? page->html.canonical.text.at : NULL;
}

/* --- robots.txt: struct lycosa_robots is struct robots under another name */

struct lycosa_robots *lycosa_robots_parse(const char *bytes, size_t n, const char *agent)
{
	return (struct lycosa_robots *)robots_parse(bytes, n, agent);
}

static const struct robots *rules_of(const struct lycosa_robots *robots)
{
	return (const struct robots *)robots;
}

void lycosa_robots_free(struct lycosa_robots *robots)
{
	if (robots)
		robots_free((struct robots *)robots);
}

int lycosa_robots_allowed(const struct lycosa_robots *robots, const char *url, struct lycosa_note *why)
{
	const char *base = *url == '/' && url[1] != '/' ? "http://host.invalid/" : NULL;
	AUTO(url) u = URL_EMPTY;
	int answer = resolve(&u, url, strlen(url), base, inside_note(why));

	if (!answer)
		answer = robots_allows(rules_of(robots), u.text.at + u.path, u.text.used - u.path);
	return answer;
}

double lycosa_robots_delay(const struct lycosa_robots *robots)
{
	return robots_delay(rules_of(robots));
}

const char *lycosa_robots_sitemap(const struct lycosa_robots *robots, size_t i)
{
	return robots_sitemap(rules_of(robots), i);
}
