/* URLs of nodes, a line each, as hostile as can be: each is found by its own address, each is taken
 * as a request too, and no page's HTML can be broken out of. */
#include "base/buf.h"
#include "simweb/site.h"

#include <stdlib.h>
#include <string.h>

#define NODES 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_page(const struct site *s, uint32_t u, struct buf *page)
{
	uint32_t links = 0;

	buf_clear(page);
	node_page(s, u, NULL, page);
	for (const char *p = page->at; (p = strstr(p, "<a href=\"")); links++) {
		p += strlen("<a href=\"");
		size_t n = strcspn(p, "\"<>");
		check(p[n] == '"' && p[n + 1] == '>');
		p += n;
	}
	check(links == graph_outdegree(s->g, u) && strlen(page->at) == page->used);
}

static void check_addresses(const struct site *s, uint32_t u)
{
	const char *text = names_url(s->names, u);
	struct address a;
	uint32_t page;

	if (address_of_url(&a, text)) {
		const char *end = text + strlen(text);
		check(a.origin >= text && a.host > a.origin && a.host + a.host_length <= a.target);
		check(a.target + a.target_length <= end && a.port <= 65535);
		check(site_find(s, &a, &page) && page <= u);
	}
	if (address_of_request(&a, text, "a.test:8080"))
		(void)site_find(s, &a, &page);
	if (address_of_request(&a, "/0", text))
		(void)site_find(s, &a, &page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t start[NODES], offset[NODES + 1], no_host = 0;
	uint32_t target[NODES * NODES], host[NODES] = {0}, n = 0;
	struct buf text = BUF_EMPTY, page = BUF_EMPTY;

	buf_add(&text, data, size);
	buf_end(&text);
	for (char *line = text.at; line && n < NODES; n++) {
		start[n] = (uint64_t)(line - text.at);
		line = strchr(line, '\n');
		if (line)
			*line++ = 0;
	}
	for (uint32_t u = 0; u < n; u++) {
		offset[u] = (uint64_t)u * n;
		for (uint32_t v = 0; v < n; v++)
			target[u * n + v] = v;
	}
	offset[n] = (uint64_t)n * n;
	struct graph g = {.nodes = n, .arcs = offset[n], .offset = offset, .target = target};
	struct names names = {.nodes = n,
		.text = text.at,
		.start = start,
		.host = host,
		.hosts = 1,
		.host_text = (char[]){""},
		.host_start = &no_host};
	struct site s = {.g = &g, .names = &names, .default_host = "node.test"};
	site_init(&s);
	for (uint32_t u = 0; u < n; u++) {
		check_page(&s, u, &page);
		check_addresses(&s, u);
	}
	site_release(&s);
	buf_release(&page);
	buf_release(&text);
	return 0;
}
