/* Finds pages of a data set by their URLs.
 *
 *	struct page_index x = {.data = &data};
 *	if (page_index_find(&x, "http://a.test/b", &node)) ...
 *	page_index_release(&x); */
#ifndef LAB_STUDY_PAGE_INDEX_H
#define LAB_STUDY_PAGE_INDEX_H

#include "lab/study/dataset.h"

struct page_key;

/* A struct with `data` set and zeroes otherwise is an index. The first search for a URL, and the first for a path, make a table of
 * 16 bytes a node. */
struct page_index {
	const struct dataset *data;
	struct page_key *by_url, *by_path; /* private */
};

/* Finds the page of a URL: the node with the same text, or else the first with the same canonical URL (parser/url.h). A text that
 * begins with '/' is the path and query of a page, and is found if exactly one page of the graph has it. In a graph without
 * URLs, `lycosa serve` gives the node with the label 7 the path /7, by which the node is found under any host. Returns 1 with *node,
 * or 0. */
int page_index_find(struct page_index *, const char *url, uint32_t *node);

/* Frees the tables. */
void page_index_release(struct page_index *);

#endif
