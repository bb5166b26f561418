#include "simweb/endless_graph.h"

#include "base/map.h"
#include "base/mem.h"
#include "simweb/endless_links.h"

#include <stdlib.h>

struct known {
	uint64_t key;
	uint32_t id;
};

struct search {
	struct endless_part *part;
	uint32_t most;
	uint32_t *from, *to;
	size_t arcs, from_room, to_room;
};

/* Returns the key of a page; there are at most 10^12 hosts, with 2^24 pages each. */
static uint64_t key_of(uint64_t host, uint32_t page)
{
	return host << 24 | page;
}

/* Finds the id of a page, a new one if there is room. Returns 1, or 0. */
static int meet(struct search *s, uint64_t host, uint32_t page, uint32_t *id)
{
	struct endless_part *p = s->part;
	const uint64_t key = key_of(host, page);
	struct known *k = map_find(&p->known, key);

	if (!k && p->pages == s->most)
		return 0;
	if (!k) {
		k = map_at(&p->known, key);
		k->id = p->pages++;
		p->host[k->id] = host;
		p->number[k->id] = page;
	}
	*id = k->id;
	return 1;
}

static void add_arc(struct search *s, uint32_t from, uint32_t to)
{
	s->from = mem_grow(s->from, &s->from_room, s->arcs + 1, sizeof *s->from);
	s->to = mem_grow(s->to, &s->to_room, s->arcs + 1, sizeof *s->to);
	s->from[s->arcs] = from;
	s->to[s->arcs++] = to;
}

/* Begins with the links of page u that lead to pages. Returns 1; or 0 if the page is no HTML. */
static int begin_links(const struct endless_part *p, uint32_t u, uint64_t version, struct endless_host *h,
	struct endless_links *links)
{
	endless_host_get(&p->web, p->host[u], h);
	if (endless_media_of(&p->web, h, p->number[u]) != ENDLESS_PAGE)
		return 0;
	endless_links_begin(links, &p->web, h, p->number[u], version);
	return 1;
}

static int next_page(struct endless_links *links, struct endless_link *link)
{
	while (endless_links_next(links, link))
		if (link->form == ENDLESS_PLAIN || link->form == ENDLESS_MOVED)
			return 1;
	return 0;
}

static void read_page(struct search *s, uint32_t u)
{
	struct endless_links links;
	struct endless_link link;
	struct endless_host h;
	uint32_t v;

	if (!begin_links(s->part, u, 0, &h, &links))
		return;
	while (next_page(&links, &link))
		if (meet(s, link.host, link.page, &v))
			add_arc(s, u, v);
}

static int by_id(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

size_t endless_part_links(const struct endless_part *p, uint32_t u, uint64_t version, uint32_t **out, size_t *room)
{
	struct endless_links links;
	struct endless_link link;
	struct endless_host h;
	size_t n = 0, kept = 0;

	if (!begin_links(p, u, version, &h, &links))
		return 0;
	while (next_page(&links, &link)) {
		const struct known *k = map_find(&p->known, key_of(link.host, link.page));
		if (!k)
			continue;
		*out = mem_grow(*out, room, n + 1, sizeof **out);
		(*out)[n++] = k->id;
	}
	if (n)
		qsort(*out, n, sizeof **out, by_id);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || (*out)[i] != (*out)[i - 1])
			(*out)[kept++] = (*out)[i];
	return kept;
}

/* Numbers the hosts in the order of their first pages. */
static void name_hosts(const struct endless_part *s, struct names *names)
{
	struct buf text = BUF_EMPTY;
	struct map numbers;
	size_t room = 0;

	map_init(&numbers, sizeof(struct known));
	names->host = mem_new((size_t)s->pages + 1, sizeof *names->host);
	for (uint32_t u = 0; u < s->pages; u++) {
		const size_t had = numbers.used;
		struct known *k = map_at(&numbers, s->host[u]);
		if (numbers.used > had) {
			k->id = names->hosts++;
			names->host_start = mem_grow(names->host_start, &room, names->hosts, sizeof *names->host_start);
			names->host_start[k->id] = text.used;
			endless_host_name(&s->web, s->host[u], &text);
			buf_byte(&text, 0);
		}
		names->host[u] = k->id;
	}
	names->host_text = buf_take(&text);
	map_release(&numbers);
}

/* Makes the names of the graph's nodes: the URL and the host of each page. */
static void name_pages(const struct endless_part *s, struct names *names)
{
	struct buf text = BUF_EMPTY;

	*names = (struct names){.nodes = s->pages};
	names->start = mem_new((size_t)s->pages + 1, sizeof *names->start);
	for (uint32_t u = 0; u < s->pages; u++) {
		names->start[u] = text.used;
		endless_url(&s->web, s->host[u], s->number[u], &text);
		buf_byte(&text, 0);
	}
	names->text = buf_take(&text);
	name_hosts(s, names);
}

void endless_part_make(struct endless_part *p, const struct endless *e, uint32_t n, struct graph *g, struct names *names)
{
	struct search s = {.part = p, .most = n ? n : 1};
	uint32_t first;

	*p = (struct endless_part){.web = *e};
	map_init(&p->known, sizeof(struct known));
	p->host = mem_new(s.most, sizeof *p->host);
	p->number = mem_new(s.most, sizeof *p->number);
	(void)meet(&s, 0, 0, &first);
	for (uint32_t u = 0; u < p->pages; u++)
		read_page(&s, u);
	name_pages(p, names);
	graph_take_arcs(g, p->pages, s.from, s.to, s.arcs);
}

void endless_part_release(struct endless_part *p)
{
	map_release(&p->known);
	free(p->host);
	free(p->number);
	*p = (struct endless_part){.pages = 0};
}

void endless_graph(const struct endless *e, uint32_t n, struct graph *g, struct names *names)
{
	struct endless_part part;

	endless_part_make(&part, e, n, g, names);
	endless_part_release(&part);
}
