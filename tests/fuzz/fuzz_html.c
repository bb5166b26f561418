/* A document of hostile bytes: every link told is a canonical URL, and none is told that was not
 * counted. The first byte chooses the header. */
#include "parser/utf8.h"
#include "parser/html.h"
#include "parser/requisites.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_canonical(const struct url *u)
{
	struct url again = URL_EMPTY;

	check(url_parse(&again, u->text.at, u->text.used, NULL) == URL_OK);
	check(again.text.used == u->text.used && strcmp(again.text.at, u->text.at) == 0);
	url_release(&again);
}

static int on_link(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	(void)anchor;
	check((kind & ~(unsigned)LINK_NOFOLLOW) <= LINK_REFRESH);
	check_canonical(target);
	++*(uint64_t *)ctx;
	return 0;
}

static int on_requisite(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	check(kind == LINK_REQUISITE && !*anchor);
	check_canonical(target);
	return ++*(uint64_t *)ctx == 1000;
}

/* The same bytes have the same base URL, title and encoding, whatever is wanted of them. */
static void read_again(const char *bytes, size_t n, const struct url *address, const char *type, const struct html_page *first)
{
	struct html_page page;
	uint64_t told = 0;

	html_read(bytes, n, address, type, 1u << LINK_REQUISITE | HTML_TEXT, 0, on_requisite, &told, &page);
	check(told <= 1000 && page.links == 0);
	check(strcmp(page.base.text.at, first->base.text.at) == 0 && strcmp(page.title, first->title) == 0);
	check(strcmp(page.charset, first->charset) == 0);
	for (const char *at = page.text.at, *end = at + page.text.used; at < end;) {
		const uint32_t c = utf8_read(&at, end);
		check(c != UTF8_MALFORMED && (c >= ' ' || c == '\n') && c != 0x7f);
	}
	html_page_release(&page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const type[] = {NULL, "text/html", "text/html; charset=utf-8", "application/xhtml+xml",
		"text/html; charset=shift_jis", "text/html; charset=gbk", "text/html; charset=utf-16le",
		"text/html; charset=iso-2022-jp"};
	struct url address = URL_EMPTY;
	struct html_page page;
	uint64_t told = 0;

	if (!size)
		return 0;
	check(url_parse(&address, "http://h.example/d/p?q", 22, NULL) == URL_OK);
	html_read((const char *)data + 1, size - 1, &address, type[*data % 8], ((1u << LINK_KINDS) - 1) & ~(1u << LINK_REQUISITE),
		1000, on_link, &told, &page);
	check(told == page.links && told <= 1000);
	check_canonical(&page.base);
	if (page.has_refresh)
		check_canonical(&page.refresh);
	if (page.canonical.text.used)
		check_canonical(&page.canonical);
	check(strlen(page.title) < sizeof page.title && strlen(page.language) < sizeof page.language);
	for (const char *at = page.title, *end = at + strlen(at); at < end;) {
		const uint32_t c = utf8_read(&at, end);
		check(c != UTF8_MALFORMED && c >= ' ' && c != 0x7f);
	}
	read_again((const char *)data + 1, size - 1, &address, type[*data % 8], &page);
	told = 0;
	requisites_of_css((const char *)data + 1, size - 1, &page.base, on_requisite, &told);
	check(told <= 1000);
	html_page_release(&page);
	url_release(&address);
	return 0;
}
