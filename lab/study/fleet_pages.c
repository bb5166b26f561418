#include "lab/study/fleet_pages.h"
#include "agents/letter.h"
#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* --- names */

const char *fleet_names_of(const struct fleet_names *s, uint32_t node, size_t *n)
{
	*n = s->start[node + 1] - s->start[node] - 1;
	return s->text + s->start[node];
}

/* Returns the slot of a name, which is 0 if the table does not have it. */
static uint32_t *slot_of(const struct fleet_names *s, const char *name, size_t n)
{
	size_t at = XXH3_64bits(name, n) & (s->slots - 1), length;

	for (;; at = (at + 1) & (s->slots - 1)) {
		if (!s->slot[at])
			return &s->slot[at];
		const char *known = fleet_names_of(s, s->slot[at] - 1, &length);
		if (length == n && memcmp(known, name, n) == 0)
			return &s->slot[at];
	}
}

uint32_t fleet_names_find(const struct fleet_names *s, const char *name, size_t n)
{
	return *slot_of(s, name, n) - 1;
}

/* Gives every node a URL that no other node has, its own if possible: agents know pages of one another by URL. */
static void name_nodes(struct fleet_names *s)
{
	const struct dataset *d = s->data;
	struct buf text = BUF_EMPTY;

	for (uint32_t u = 0; u < d->graph.nodes; u++) {
		const char *url = dataset_url(d, u);
		const size_t n = url ? strlen(url) : 0;
		s->start[u] = text.used;
		if (n && n < LETTER_URL_MAX / 2) {
			buf_add(&text, url, n + 1);
			s->start[u + 1] = text.used;
			s->text = text.at;
			if (!*slot_of(s, url, n)) {
				*slot_of(s, url, n) = u + 1;
				continue;
			}
		}
		text.used = s->start[u]; /* no URL, or that of an earlier node */
		buf_format(&text, "http://%.1000s/%u#node", d->names.host ? names_host(&d->names, u) : "node.test", u);
		buf_byte(&text, 0);
		s->start[u + 1] = text.used;
		s->text = text.at;
		size_t length;
		const char *made = fleet_names_of(s, u, &length);
		*slot_of(s, made, length) = u + 1;
	}
	s->text = text.at;
}

static void find_partitions(struct fleet_names *s)
{
	const struct names *names = &s->data->names;
	uint16_t *of_host = mem_zero(names->hosts, sizeof *of_host);

	for (uint32_t h = 0; names->host && h < names->hosts; h++) {
		const char *host = names->host_text + names->host_start[h];
		of_host[h] = (uint16_t)partition_of(host, strlen(host));
	}
	for (uint32_t u = 0; names->host && u < s->data->graph.nodes; u++)
		s->partition[u] = of_host[names->host[u]];
	free(of_host);
}

void fleet_names_make(struct fleet_names *s, const struct dataset *data)
{
	const uint32_t n = data->graph.nodes;

	*s = (struct fleet_names){.data = data, .slots = 16};
	while (s->slots < 2 * (size_t)n)
		s->slots *= 2;
	s->slot = mem_zero(s->slots, sizeof *s->slot);
	s->start = mem_zero((size_t)n + 1, sizeof *s->start);
	s->partition = mem_zero(n, sizeof *s->partition);
	name_nodes(s);
	find_partitions(s);
}

void fleet_names_release(struct fleet_names *s)
{
	free(s->partition);
	free(s->text);
	free(s->start);
	free(s->slot);
}

/* --- the pages of an agent */

static size_t place_of(const struct fleet_pages *p, uint32_t node)
{
	size_t at = (node * 0x9e3779b97f4a7c15u >> 32) & (p->slots - 1);

	while (p->slot[at] && p->node[p->slot[at] - 1] != node)
		at = (at + 1) & (p->slots - 1);
	return at;
}

static void grow(struct fleet_pages *p)
{
	free(p->slot);
	p->slots = p->slots ? 2 * p->slots : 64;
	p->slot = mem_zero(p->slots, sizeof *p->slot);
	for (uint32_t id = 0; id < p->n; id++)
		p->slot[place_of(p, p->node[id])] = id + 1;
}

uint32_t fleet_pages_id(struct fleet_pages *p, uint32_t node)
{
	if (2 * ((size_t)p->n + 1) > p->slots)
		grow(p);
	const size_t at = place_of(p, node);
	if (p->slot[at])
		return p->slot[at] - 1;
	size_t room = p->room;
	p->node = mem_grow(p->node, &p->room, (size_t)p->n + 1, sizeof *p->node);
	p->row = mem_grow(p->row, &room, (size_t)p->n + 1, sizeof *p->row);
	p->node[p->n] = node;
	p->row[p->n] = 0;
	p->slot[at] = ++p->n;
	return p->n - 1;
}

size_t fleet_pages_row(struct fleet_pages *p, uint32_t id, const uint32_t **row)
{
	const struct graph *g = &p->names->data->graph;
	const uint32_t node = p->node[id], *target = graph_row(g, node);
	const size_t n = graph_outdegree(g, node);

	if (!p->row[id]) {
		p->links = mem_grow(p->links, &p->links_room, p->n_links + n + 1, sizeof *p->links);
		p->row[id] = p->n_links + 1;
		for (size_t i = 0; i < n; i++)
			p->links[p->n_links++] = fleet_pages_id(p, target[i]);
	}
	*row = p->links + p->row[id] - 1;
	return n;
}

void fleet_pages_make(struct fleet_pages *p, const struct fleet_names *names, const struct shares *shares, unsigned agent)
{
	*p = (struct fleet_pages){.names = names};
	for (uint32_t u = 0; u < names->data->graph.nodes; u++)
		if (shares->owner[names->partition[u]] == agent)
			fleet_pages_id(p, u);
	p->own = p->n;
}

void fleet_pages_release(struct fleet_pages *p)
{
	free(p->node);
	free(p->slot);
	free(p->row);
	free(p->links);
}
