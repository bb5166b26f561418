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

static int on_requisite(void *ctx, const struct url *target)
{
	check_canonical(target);
	return ++*(uint64_t *)ctx == 1000;
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
	html_read((const char *)data + 1, size - 1, &address, type[*data % 8], (1u << LINK_KINDS) - 1, 1000, on_link, &told, &page);
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
	told = 0;
	requisites_of_html((const char *)data + 1, size - 1, &page.base, page.charset, on_requisite, &told);
	check(told <= 1000);
	told = 0;
	requisites_of_css((const char *)data + 1, size - 1, &page.base, on_requisite, &told);
	check(told <= 1000);
	html_page_release(&page);
	url_release(&address);
	return 0;
}
