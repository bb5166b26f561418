/* The names of a graph's nodes: the URL of each node, and its host.
 *
 *	names_from_urls(&n, "web.urls", g.nodes, why);
 *	names_arrange(&n, &g);
 *	... names_url(&n, u), names_host(&n, u) ...
 *	names_release(&n); */
#ifndef GRAPH_FORMATS_NAMES_H
#define GRAPH_FORMATS_NAMES_H

#include "base/buf.h"
#include "graph/graph.h"

struct names {
	uint32_t nodes;
	/* The URL of node i is text + start[i], NUL-terminated. Both are NULL if only hosts are known. */
	char *text;
	uint64_t *start; /* nodes */
	/* The host of node i, 0..hosts-1 in the order of first occurrence. */
	uint32_t *host; /* nodes */
	uint32_t hosts;
	char *host_text;      /* the name of host h is host_text + host_start[h], in lower case */
	uint64_t *host_start; /* hosts */
	/* NULL if name i belongs to node i. Else, before names_arrange(), name i belongs to the node with the
	 * label id[i]. */
	uint64_t *id;  /* nodes */
	int is_turned; /* 1: the file had the labels of hosts in reverse order, "com.example.www" */
};

/* Frees the memory. */
void names_release(struct names *);

/* Reads a file with the URL of node i on line i. If `nodes` is not 0, the file must have that many lines. A line that is no URL is
 * no error; its host is "". If the first line (after a heading, if there is one) has the form "ID URL", "ID,URL" or "ID;URL", where
 * the URL may stand in quotation marks, all lines must have it; then `id` is set, the file may have any number of lines, and text
 * behind the URL is ignored. Another heading is refused. Returns 0, ERR_FILE, ERR_FORMAT or ERR_TOO_BIG. */
int names_from_urls(struct names *, const char *path, uint32_t nodes, struct err_note *why) MUST_USE;

/* Reads a file with the host of node i on line i, or with lines "ID HOST", in the same way. If most hosts of lines "ID HOST" have
 * their labels in reverse order, as Common Crawl's vertices do, all are brought into the usual order, and `is_turned` is set. */
int names_from_hosts(struct names *, const char *path, uint32_t nodes, struct err_note *why) MUST_USE;

/* Returns the number of nodes that the names imply, for graph_load.nodes_hint; 0 if `id` is set and its numbers
 * are sparse. */
uint32_t names_hint(const struct names *);

/* Reads the URLs from the lines "KEY ID URL" of a file, and sets `id`. Lines with another key are ignored. */
int names_from_keyed(struct names *, const char *path, char key, struct err_note *why) MUST_USE;

/* Takes over the texts of a table as the names of the nodes 0, 1, 2 ..., and leaves it empty. A text without a scheme is a host up
 * to its first slash. */
struct intern;
void names_take_texts(struct names *, struct intern *texts);

/* Puts the names into the order of the graph's nodes, if `id` is set. A node with several names gets the first
 * one; a node without a name gets "". Returns the number of names that belong to no node. */
uint64_t names_arrange(struct names *, const struct graph *);

#define NAMES_NONE UINT32_MAX

/* Makes the names of n nodes: node i gets the name of node id[i] of `all`, or no name if id[i] is NAMES_NONE. */
void names_pick(const struct names *all, const uint32_t *id, uint32_t n, struct names *part);

/* Sorts the nodes by their URLs, byte by byte, and then by id, into order[nodes]. The names must have URLs
 * (asserted). */
void names_order(const struct names *, uint32_t *order);

/* Searches the folder of a graph for its names: x.urls, x.urls.gz, x.hosts, x-vertices.txt ..., where x is the graph's path
 * without .graph, .txt, .txt.gz and the like. Returns 1 with the *path, which the caller frees with free(), or 0. */
int names_beside(const char *graph_path, char **path);

/* Returns the URL of node i, or NULL if only hosts are known. */
static inline const char *names_url(const struct names *n, uint32_t i)
{
	return n->text ? n->text + n->start[i] : NULL;
}

/* Returns the host of node i, which may be "". */
static inline const char *names_host(const struct names *n, uint32_t i)
{
	return n->host_text + n->host_start[n->host[i]];
}

/* Finds the host in a URL, without user, password and port, as it is written there. Returns its length with its
 * start in *at, or 0 if there is none. */
size_t names_host_of(const char *url, const char **at);

/* Numbers distinct texts 0, 1, 2 ... in the order of first occurrence.
 *
 *	struct intern hosts = {0};
 *	n = intern_number(&hosts, "a.test", 6);                   0 */

struct intern {
	uint32_t *slot; /* a hash table with open addressing, of numbers + 1 */
	size_t slots;   /* a power of two, at least twice `count` */
	uint64_t seed;
	struct buf text; /* the texts, each with a NUL behind it */
	uint64_t *start; /* start[i]: the position of text i */
	size_t count, room;
};

/* Returns the number of a text of n bytes without NULs; a text that is not known yet gets the next number. */
uint32_t intern_number(struct intern *t, const char *text, size_t n);

/* Hands the texts to the caller, who frees *text and *start with free(): text i is *text + (*start)[i]. */
void intern_take(struct intern *t, uint32_t *count, char **text, uint64_t **start);

/* Frees the memory. A zeroed struct is allowed. */
void intern_release(struct intern *t);

#endif
