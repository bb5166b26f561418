/* A data set: a graph with the names of its nodes, read from a file of any format or from the store of a crawl, or made as a part
 * of an endless web. It is what --graph names. */
#ifndef LAB_STUDY_DATASET_H
#define LAB_STUDY_DATASET_H

#include "graph/formats/format.h"
#include "graph/formats/names.h"
#include "storage/salvage.h"

struct dataset {
	struct graph graph;
	struct graph reverse; /* made by dataset_reverse() */
	struct names names;   /* nodes 0 where there are none */
	const char *format;   /* "edges", "bvgraph", ... or "store" */
	/* From a store: the final state of a node that the crawl did not fetch, PAGE_OUTSIDE, PAGE_FAILED or
	 * PAGE_REFUSED, and 0 for all other nodes; a replay ends the node in the same way. Otherwise NULL. */
	uint8_t *outside;
	uint8_t *kinds; /* from a store: the kind of each arc's link with its flags (parser/html.h); otherwise NULL */
	/* From a store whose pages a score command has scored: the score of each node, NAN where a page has none; otherwise NULL */
	double *score;
	/* From a store with anchor texts: that of each arc, at anchors + anchor_start[arc], with a NUL behind it; otherwise NULL */
	char *anchors;
	size_t *anchor_start;
	uint8_t *crawled; /* from a store: whether a node was fetched; otherwise NULL */
	/* From a store: the number of distinct pages that a page links to and that are neither crawled nor refused
	 * nor failed, so that the next crawl may find them. Otherwise NULL. */
	uint32_t *uncrawled;
	struct err_note odd;       /* a warning about the file; empty where there is none */
	struct endless_part *part; /* of an endless web: which pages the nodes are; otherwise NULL */
	enum store_rest rest;      /* from a store that may be damaged: whether some of it is missing ... */
	struct err_note missing;   /* ... and a sentence on that */
	uint32_t *alias;           /* from a store: the target of a node that redirects, else the node itself; otherwise NULL */
};

struct endless_part;
struct import_counts;
struct warc_files;

/* Makes the store of a crawl of archives, in a folder: live_import_to(). */
typedef int dataset_import(const char *dir, const struct warc_files *, unsigned threads, struct import_counts *,
	struct err_note *why);

struct dataset_where {
	/* A path; "-"; "data:NAME", a graph of the catalogue (graph/catalogue.h); or "endless:SEED,NAME=VALUE,...", the graph that
	 * endless_part_make() makes of the endless web with these settings, and with as many nodes as nodes=N says
	 * (DATASET_ENDLESS_NODES) */
	const char *graph;
	const char *urls, *hosts; /* paths or NULL: what lies beside the graph is found by itself */
	unsigned threads;
	dataset_import *import; /* NULL: archives are refused, and a program that is linked has no crawler in it */
	int made_up; /* 1: of a store, links to addresses that lycosa made up are arcs, too: for a replay of what the crawl did */
	int damaged; /* 1: of a damaged store the rest is read, and dataset.rest says so */
};

#define DATASET_ENDLESS_NODES 100000

/* Says whether a data set is made of an endless web, so that there is no file. */
int dataset_is_endless(const char *graph);

/* Opens a data set. Errors are those of graph_open() and, of a store, those of storage/. Release it with dataset_release(). */
int dataset_open(struct dataset *, const struct dataset_where *, struct err_note *why) MUST_USE;

/* Opens a data set within the memory and the temporary files of `space`. A store is opened as by dataset_open(), since the names
 * of its pages take more memory than its links. */
int dataset_open_within(struct dataset *, const struct dataset_where *, const struct graph_space *space,
	struct err_note *why) MUST_USE;
void dataset_release(struct dataset *);

/* Returns the transpose, which the first call makes; the data set's until it is released. */
const struct graph *dataset_reverse(struct dataset *, unsigned threads);

/* Returns 1 if the page was fetched, else 0. All nodes of a graph file count as fetched. */
static inline uint32_t dataset_fetched(const struct dataset *d, uint32_t node)
{
	return !d->crawled || d->crawled[node] ? 1 : 0;
}

/* Returns a byte for each node, which the caller frees: 1 for a page of a store that was not fetched; NULL if the graph is no
 * store. */
uint8_t *dataset_barred(const struct dataset *);

/* Returns the bits of enum policy_sight (frontier/policy.h) that a replay of the data set can give. */
unsigned dataset_sights(const struct dataset *);

/* Returns the URL of a node, or NULL in a data set without URLs. */
const char *dataset_url(const struct dataset *, uint32_t node);

/* --- Finds pages of a data set by their URLs.
 *
 *	struct page_index x = {.data = &data};
 *	if (page_index_find(&x, "http://a.test/b", &node)) ...
 *	page_index_release(&x); */

struct page_key;

/* A struct with `data` set and zeroes otherwise is an index. The first search for a URL, and the first for a path, make a table of
 * 16 bytes a node. */
struct page_index {
	const struct dataset *data;
	struct page_key *by_url, *by_path; /* private */
};

/* Finds the page of a URL: the node with the same text, or else the first with the same canonical URL (parser/url.h). A text that
 * begins with '/' is the path and query of a page, and is found if exactly one page of the graph has it. In a graph without URLs,
 * `lycosa serve` gives the node with the label 7 the path /7, by which the node is found under any host. Returns 1 with *node, or
 * 0. */
int page_index_find(struct page_index *, const char *url, uint32_t *node);

/* Frees the tables. */
void page_index_release(struct page_index *);

#endif
