/* The links of pages, a line each, a blank line ends a page: what the build of a page makes of them, which
 * bounds them and takes each once. */
#include "tests/fuzz/graph_input.h"

#include "fetch/fetch.h"
#include "fetch/page_build.h"

#define MOST 20

static void check_page(const struct fetch_page *page)
{
	graph_input_require(page->n <= MOST);
	for (uint32_t i = 0; i < page->n; i++) {
		const char *link = page->text + page->start[i];
		graph_input_require(strlen(link) + 1 == page->start[i + 1] - page->start[i]);
		for (uint32_t j = 0; j < i; j++)
			graph_input_require(strcmp(link, page->text + page->start[j]) != 0);
	}
}

static void end_page(struct page_build *b)
{
	struct fetch_page head = {.result.id = 0};
	struct fetch_page *page = page_build_take(b, &head);

	check_page(page);
	fetch_page_free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct url base = URL_EMPTY, link = URL_EMPTY;
	struct page_build build;
	const char *at = (const char *)bytes, *end = at + n;

	if (!n)
		return 0;
	graph_input_require(url_parse(&base, "http://h.test/a/", 16, NULL) == URL_OK);
	page_build_init(&build, MOST, 7);
	build.rules = *bytes; /* of parser/url_rules.h */
	for (at++; at < end;) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		const size_t length = (size_t)((lf ? lf : end) - at);
		if (length == 0)
			end_page(&build);
		else if (url_parse(&link, at, length, &base) == URL_OK)
			page_build_add(&build, &link, LINK_A, "");
		at += length + 1;
	}
	end_page(&build);
	page_build_release(&build);
	url_release(&link);
	url_release(&base);
	return 0;
}
