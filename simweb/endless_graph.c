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
	const struct endless *web;
	uint32_t most, pages;
	struct map known;  /* pages: struct known */
	uint64_t *host;    /* by page: the id of its host, and its number there */
	uint32_t *number;
	uint32_t *from, *to;
	size_t arcs, from_room, to_room;
};

/* Finds the id of a page, a new one if there is room. Returns 1, or 0. */
static int meet(struct search *s, uint64_t host, uint32_t page, uint32_t *id)
{
	/* 10^12 hosts of 2^24 pages each */
	const uint64_t key = host << 24 | page;
	struct known *k = map_find(&s->known, key);

	if (!k && s->pages == s->most)
		return 0;
	if (!k) {
		k = map_at(&s->known, key);
		k->id = s->pages++;
		s->host[k->id] = host;
		s->number[k->id] = page;
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

static void read_page(struct search *s, uint32_t u)
{
	struct endless_links links;
	struct endless_link link;
	struct endless_host h;
	uint32_t v;

	endless_host_get(s->web, s->host[u], &h);
	if (endless_media_of(s->web, &h, s->number[u]) != ENDLESS_PAGE)
		return;
	endless_links_begin(&links, s->web, &h, s->number[u], 0);
	while (endless_links_next(&links, &link))
		if ((link.form == ENDLESS_PLAIN || link.form == ENDLESS_MOVED) && meet(s, link.host, link.page, &v))
			add_arc(s, u, v);
}

/* Numbers the hosts in the order of their first pages. */
static void name_hosts(const struct search *s, struct names *names)
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
			endless_host_name(s->web, s->host[u], &text);
			buf_byte(&text, 0);
		}
		names->host[u] = k->id;
	}
	names->host_text = buf_take(&text);
	map_release(&numbers);
}

static void name_pages(const struct search *s, struct names *names)
{
	struct buf text = BUF_EMPTY;

	*names = (struct names){.nodes = s->pages};
	names->start = mem_new((size_t)s->pages + 1, sizeof *names->start);
	for (uint32_t u = 0; u < s->pages; u++) {
		names->start[u] = text.used;
		endless_url(s->web, s->host[u], s->number[u], &text);
		buf_byte(&text, 0);
	}
	names->text = buf_take(&text);
	name_hosts(s, names);
}

void endless_graph(const struct endless *e, uint32_t n, struct graph *g, struct names *names)
{
	struct search s = {.web = e, .most = n ? n : 1};
	uint32_t first;

	map_init(&s.known, sizeof(struct known));
	s.host = mem_new(s.most, sizeof *s.host);
	s.number = mem_new(s.most, sizeof *s.number);
	(void)meet(&s, 0, 0, &first);
	for (uint32_t u = 0; u < s.pages; u++)
		read_page(&s, u);
	map_release(&s.known);
	name_pages(&s, names);
	free(s.host);
	free(s.number);
	graph_take_arcs(g, s.pages, s.from, s.to, s.arcs);
}
