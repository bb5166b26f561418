/* Explorers: rules by which a policy takes a few pages that its own choice would leave waiting. Each of them looks where nothing is
 * known yet, in a way of its own:
 *
 *	CLUSTERS   the best page (by key) of each group of pages that were discovered on one page, groups of many queued pages and
 *	           few crawled ones first: queued / (1 + crawled)
 *	CHANCE     any queued page
 *	OLDEST     the queued page that was discovered first, as breadth-first search does
 *
 *	explorers_found(c, found, pages);          what each has found: at a reranking
 *	stake = explorers_stake(c);                how much there is to find
 *	explorers_send(c, CHANCE, 3, draw);        three pages are now the first of all: the field `chooser` says who chose them
 *
 * The policy keeps a struct expected_page of each page, sees finders, and marks with explorers_know() what its own choice has
 * found. Each function visits the discovered pages once or twice. No result depends on the ids of pages. */
#ifndef POLICIES_EXPLORERS_H
#define POLICIES_EXPLORERS_H

#include "frontier/policy.h"

enum chooser { OWN_CHOICE, CLUSTERS, CHANCE, OLDEST, CHOOSERS };

/* Their names in logs and reports; NULL for OWN_CHOICE. */
extern const char *const chooser_names[CHOOSERS];

/* Notes the place of page u, which was crawled, and that the policy's own choice knows its targets if it has chosen u itself. */
void explorers_know(const struct policy_call *, uint32_t u);

/* Counts the pages that each chooser took among the later half of the crawled pages, and the hot pages that it has found by them. A
 * page is hot if its value x is above the n-th largest of all discovered pages, n being the number of crawled pages. A chooser has
 * found a hot page if it took that page, or took the page on which it was discovered. A hot page to which a page of OWN_CHOICE
 * links does not count for an explorer, because the policy's own choice would have found that page without the explorer. */
void explorers_found(const struct policy_call *, double found[CHOOSERS], double pages[CHOOSERS]);

/* Returns the share, from 0 to 1, of the groups with queued pages in which no page is crawled. A queued seed is a group of its
 * own. */
double explorers_stake(const struct policy_call *);

/* Lets an explorer choose k queued pages, which get the key RERANK_FIRST_OF_ALL (policies/rerank.h). `draw` is the number of its
 * random numbers. */
void explorers_send(const struct policy_call *, enum chooser, size_t k, uint64_t draw);

/* Takes back the queued pages that were chosen and not taken yet; the policy gives them keys. */
void explorers_recall(const struct policy_call *);

#endif
