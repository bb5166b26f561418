/* What a graph's nodes are called: the URL of each and the host it is on. */
#ifndef GRAPH_FORMATS_NAMES_H
#define GRAPH_FORMATS_NAMES_H

#include "graph/graph.h"

struct names {
	uint32_t nodes;
	/* URL of node i: text + start[i], NUL-terminated. NULL where there are only hosts. */
	char *text;
	uint64_t *start; /* nodes */
	/* Host of node i, 0..hosts-1 in order of first appearance. */
	uint32_t *host; /* nodes */
	uint32_t hosts;
	char *host_text;      /* name of host h: host_text + host_start[h], lower case */
	uint64_t *host_start; /* hosts */
	/* Of a file that says itself whose names they are, line by line: name i is that of the node
	 * labelled id[i], until names_arrange(). Else NULL. */
	uint64_t *id; /* nodes */
};

void names_release(struct names *);

/* URL on line i is node i's. `nodes` 0: as many as there are lines; else a file with fewer or more
 * lines is ERR_FORMAT. All lines that are no URL have one host, "", and are no error.
 * Is the first line "ID URL", be it under a heading, so are all, else ERR_FORMAT, and may be as many
 * as they like: `id` is set, and what follows the URL is passed over. */
int names_from_urls(
	struct names *, const char *path, uint32_t nodes, struct err_note *why) MUST_USE;

/* Likewise with only the host on line i, or lines "ID HOST". */
int names_from_hosts(
	struct names *, const char *path, uint32_t nodes, struct err_note *why) MUST_USE;

/* How many nodes there are at least, by the names: 0 where `id` is set and its numbers are sparse. */
uint32_t names_hint(const struct names *);

/* URLs of lines "KEY ID URL" of a text, those with another key passed over; `id` is set. */
int names_from_keyed(struct names *, const char *path, char key, struct err_note *why) MUST_USE;

/* Where `id` is set, gives each node of the graph its name, the first of several and "" where it
 * has none. Returns how many names are of no node. */
uint64_t names_arrange(struct names *, const struct graph *);

/* The names of some nodes: node i of `part` is node id[i] of `all`, for i below n; where that is
 * NAMES_NONE, it has none. */
#define NAMES_NONE UINT32_MAX
void names_pick(const struct names *all, const uint32_t *id, uint32_t n, struct names *part);

/* Nodes by their URLs, byte by byte, into order[nodes]; equal ones by their ids. There must be URLs
 * (asserted). */
void names_order(const struct names *, uint32_t *order);

/* Looks beside a graph for x.urls, x.urls.gz, x.hosts ... (the graph's path with .graph, .txt,
 * .txt.gz and the like taken off). Returns 1 and the path in a malloc'd string, or 0. */
int names_beside(const char *graph_path, char **path);

static inline const char *names_url(const struct names *n, uint32_t i)
{
	return n->text ? n->text + n->start[i] : NULL;
}

static inline const char *names_host(const struct names *n, uint32_t i)
{
	return n->host_text + n->host_start[n->host[i]];
}

/* The host part of a URL: lower-cased, without user, password and port. Returns its length and
 * start in *at, 0 where there is none. Lower-casing is the caller's. */
size_t names_host_of(const char *url, const char **at);

#endif
