/* What the network source knows of each page of its store, in memory: host, depth and refusal, 8
 * bytes a page, and aliases, 24 to 48 bytes each. Makes the ids of what is discovered.
 *
 * The store keeps depth and refusal as they were at a page's discovery; here the depth is that of
 * the shortest way found so far, and a page refused for its depth is judged again when a shorter
 * one is found. (Pages that were reached through it before are not visited again.) */
#ifndef CRAWLER_NET_PAGES_H
#define CRAWLER_NET_PAGES_H

#include "base/map.h"
#include "traps/copies.h"
#include "scope/scope.h"
#include "storage/store.h"

#define NET_PAGES_MAX_HOPS 14 /* redirects in a row */
#define NET_PAGES_NO_HOPS  15 /* nothing has led there yet */

#define NET_PAGES_HOSTS     ((1u << 30) - 1)
#define NET_PAGES_MAX_TRIES 100 /* of a page */

struct net_page {
	uint32_t host : 30; /* its number */
	uint32_t is_crawled : 1;
	uint32_t is_doubtful : 1; /* found on copies only (traps/copies.h) */
	uint16_t depth;
	uint8_t hops : 4; /* redirects in a row that led to it, by the shortest way; or NONE */
	uint8_t refusal : 4; /* why scope or a trap refuses it, see net_pages_refusal(); 0: it belongs */
	uint8_t tries : 7;    /* requests made that are to be repeated, at most MAX_TRIES */
	uint8_t is_asked : 1; /* it counts for its budgets */
};

/* One of a list of distinct pages. */
struct listed {
	uint32_t list; /* its number: of another list, the slot is free */
	uint32_t id;
};

struct net_pages {
	struct store *store;
	struct scope *scope;
	struct net_page *page; /* n, by id */
	size_t room;
	uint32_t n, aliases;
	struct map names;      /* from the page that is an alias to what it is one of */
	struct listed *listed; /* by id, hashed: the last list, which fills half at most */
	size_t listed_room;    /* a power of two, or 0 */
	size_t in_list;
	uint32_t list;         /* number of the last list */
	uint32_t recalled;     /* pages known so far, as the log tells */
	struct url url, other; /* scratch */
};

/* Fills the table from the store, as each page was at its discovery; what was learnt since is to be
 * told again. Both must outlive it. ERR_DAMAGED. */
int net_pages_init(struct net_pages *p, struct store *store, struct scope *scope,
	struct err_note *why) MUST_USE;
void net_pages_release(struct net_pages *p);

/* NET_DOUBT: found on a copy, or led to by a redirect that was, and not belonging to the crawl where
 * that is known to lead nowhere. */
enum net_judgement { NET_JUDGE, NET_ACCEPT, NET_DOUBT };

/* Why scope or a trap refuses a page; OUTCOME_NONE: it belongs to the crawl. */
static inline enum outcome net_pages_refusal(const struct net_pages *p, uint32_t id)
{
	return outcome_of_refusal_1(p->page[id].refusal);
}

/* Finds or adds the page of a URL; one that is new gets its depth and, unless it is to be accepted
 * anyway, is judged by the scope. An error is the store's. */
int net_pages_find(struct net_pages *p, const struct url *u, uint32_t depth,
	enum net_judgement judgement, uint32_t *id, struct err_note *why) MUST_USE;

/* A known page was found at this depth; where that was not in doubt, it is doubtful no longer. */
void net_pages_found(
	struct net_pages *p, uint32_t id, uint32_t depth, enum net_judgement judgement);

/* A page is about to be asked for: what it is refused for all the same (budgets, traps learnt since it
 * was found), or OUTCOME_NONE. `known` is what the store says of it. */
enum outcome net_pages_ask(struct net_pages *p, uint32_t id, const struct store_page *known);
/* It was asked for, whatever scope says now; it was not, or did not come. */
void net_pages_asked(struct net_pages *p, uint32_t id);
void net_pages_not_asked(struct net_pages *p, uint32_t id);

/* It came, with so many links, and is read until net_pages_read(). Returns in what way pages are found
 * on it: NET_JUDGE, or NET_DOUBT on a copy. */
enum net_judgement net_pages_came(
	struct net_pages *p, uint32_t id, const struct page_marks *marks, size_t links);
void net_pages_read(struct net_pages *p);

/* In what way a redirect's target is found. */
enum net_judgement net_pages_doubt(const struct net_pages *p, uint32_t id);

/* All of that as the log tells it: a page was crawled, and has these links. Or it was a redirect.
 * Then, as for every entry, the pages that it names: ids are given
 * out as pages are found, so that those that nothing in the log has named so far were first found now. */
void net_pages_recall(struct net_pages *p, uint32_t id, const uint32_t *links, size_t n);
void net_pages_recall_redirect(struct net_pages *p, uint32_t id, uint32_t target);
void net_pages_recalled(struct net_pages *p, uint32_t id, const uint32_t *links, size_t n);

/* See net_source_judge(). */
int net_pages_judge(struct net_pages *p, uint32_t id, int is_queued, enum outcome *verdict);
/* That judgement as the log tells it: OUTCOME_NONE lets the page in. */
void net_pages_recall_judged(struct net_pages *p, uint32_t id, enum outcome verdict);

/* A link leads to a page, so that it is no redirect away from one that does. */
void net_pages_linked(struct net_pages *p, uint32_t id);

/* How many redirects led to a page. */
unsigned net_pages_hops(const struct net_pages *p, uint32_t id);

/* A known page is a seed: at depth 0, and not refused. */
void net_pages_seed(struct net_pages *p, uint32_t id);

/* The page that `id` is a name of; mostly itself. */
uint32_t net_pages_resolve(struct net_pages *p, uint32_t id);

/* Makes `id` another name of what *target is a name of, which replaces *target. 0, or -1 for a
 * circle and for a chain of more than NET_PAGES_MAX_HOPS. */
int net_pages_redirect(struct net_pages *p, uint32_t id, uint32_t *target);

/* A list of distinct pages: begin, then for each page 1, or 0 where it is on the list already. */
void net_pages_begin_list(struct net_pages *p);
int net_pages_list(struct net_pages *p, uint32_t id);

#endif
