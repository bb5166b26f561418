/* An earlier crawl of the same web, against which a new one compares: its pages are asked for only
 * if they have changed, and one that has not is what it was. */
#ifndef CRAWLER_PREVIOUS_H
#define CRAWLER_PREVIOUS_H

#include "fetch/page_build.h"
#include "storage/store.h"

struct previous {
	struct store *store; /* the earlier crawl's, open for reading; NULL: there is none */
	struct page_build build;
	struct url url; /* scratch */
};

/* The store must outlive it; links are told by these rules (parser/url_rules.h). */
void previous_init(struct previous *p, struct store *store, unsigned rules);
void previous_release(struct previous *p);

/* What to ask the server with for a page: nothing where the earlier crawl has not crawled it, or
 * was told nothing. The ETag is the store's until its next call. */
struct validators previous_validators(struct previous *p, const struct store_page *page);

/* A page that has not changed, as it was fetched now, with the links, digest and, where the answer
 * has none, validators that it had then; takes `fresh`. */
struct fetch_page *previous_take(
	struct previous *p, const struct store_page *page, struct fetch_page *fresh);

#endif
