/* Turns the URLs that a fetched page contains into page ids: its links, the sitemaps that a robots.txt names, and the target
 * of a redirect. A new URL gets an id in the store and a first judgement. The facts about the page and the new pages are
 * known afterwards (crawler/knowledge/knowledge.h), and the result of the page has the ids. This is a part of the network source.
 *
 *	net_pages_init(&p, &knowledge, store, redirects);
 *	err = net_pages_end(&p, page, why);    page->result.links[0..page->result.n) are the pages that the page links to
 *
 * Only the coordinator thread calls these functions. */
#ifndef CRAWLER_NET_PAGES_H
#define CRAWLER_NET_PAGES_H

#include "crawler/knowledge/knowledge.h"
#include "crawler/source.h"
#include "fetch/fetch.h"

#include <stddef.h>
#include <stdint.h>

/* Removes duplicates from lists of pages, one list after the other. The network source uses this for the links of a
 * page, of which only the first link to each target counts.
 *
 *	distinct_begin(&d);
 *	for (i = 0; i < n; i++)
 *		if (distinct_add(&d, id[i]))
 *			links[kept++] = id[i]; */
struct distinct_slot {
	uint32_t list; /* the number of the list that the id is on; the slot is free for all other lists */
	uint32_t id;
};

/* A hash table whose slots are reused from list to list without being cleared. A zeroed struct is ready. */
struct distinct {
	struct distinct_slot *slot; /* the current list fills at most half of them */
	size_t room;                /* the number of slots, a power of two or 0 */
	size_t n;                   /* the ids on the current list */
	uint32_t list;              /* the number of the current list */
};

/* Frees the memory. */
void distinct_release(struct distinct *);

/* Begins a new, empty list. */
void distinct_begin(struct distinct *);

/* Adds a page to the current list. Returns 1, or 0 if the page is on the list already. */
int distinct_add(struct distinct *, uint32_t id);

struct net_pages {
	struct knowledge *knowledge;
	struct store *store;
	unsigned redirects;       /* the most redirects in a row */
	int is_shared;            /* 1: an agent's, which admits no pages that others may own to its frontier by a shorter way */
	struct distinct distinct; /* scratch memory */
	uint32_t *links;          /* links_room: the links of the last event */
	uint8_t *kinds;           /* kinds_room: their kinds */
	size_t links_room, kinds_room;
	struct claim *claims; /* claims_room: of the last event */
	size_t claims_room;
	struct buf made_up;        /* scratch memory */
	struct buf anchors;        /* their anchor texts, each with its NUL; empty if the page has none */
	struct places_freed freed; /* the pages that the last event frees, if some were refused for their depth */
};

/* Prepares for knowledge and a store, which must outlive the struct. `redirects` is the most redirects in a row. */
void net_pages_init(struct net_pages *, struct knowledge *, struct store *, unsigned redirects);

/* Frees the memory. */
void net_pages_release(struct net_pages *);

/* Finds the page of a URL that was discovered as `found` says. A new page is judged and added to the store, and the fact
 * FACT_FOUND is known. Returns 0 with the *id of the page, or an error of the store. */
int net_pages_meet(struct net_pages *, const struct url *, const struct found *, uint32_t *id, struct err_note *why) MUST_USE;

/* Returns link i of a page as a URL, whose text is the page's. */
struct url net_pages_link(const struct fetch_page *, uint32_t i);

/* Finds the pages of the sitemaps that the robots.txt of a page's host names, which become the links of its result. Returns 0 or an
 * error of the store. */
int net_pages_sitemaps(struct net_pages *, struct fetch_page *, struct err_note *why) MUST_USE;

/* Finds the page of a URL that a letter of another agent names, as `found` says, and what the page is an alias of: as
 * net_pages_meet(), and a page that is known already is judged again where `found` is a better way to it. */
int net_pages_meet_told(struct net_pages *, const struct url *, const struct found *, uint32_t *id, struct err_note *why) MUST_USE;

/* Makes known what became of a fetched page, and fills in the fields of its result that depend on it: links and kinds, valid until
 * the next call; the target of a redirect (the page fails with OUTCOME_CIRCLE if the redirect closes a circle, and with
 * OUTCOME_REDIRECTS if it is one too many in a row); and the pages that the traps have freed. Returns 0 or an error of the
 * store. */
int net_pages_end(struct net_pages *, struct fetch_page *, struct err_note *why) MUST_USE;

#endif
