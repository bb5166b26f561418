/* What a live crawl knows of its pages beside what stands in the store: depths, refusals, tries, aliases, budgets and
 * what the traps have learnt. There are two ways to use it, and no third:
 *
 *   judge   what scope, budgets and traps say of a page; changes nothing
 *   know    takes a fact; the only function that changes what is known
 *
 *   a live crawl:    fetch -> judge -> write the fact into the log -> know it
 *   coming back:     read the fact from the log -> know it
 *
 *	verdict = judge_found(&k, &url, &found);              a URL is new: does it belong to the crawl?
 *	store_add(store, &page_with_verdict, &id, why);
 *	know(&k, &(struct fact){.kind = FACT_FOUND, .id = id, .found = found}, why);
 *
 * Facts come in the order in which they happened; given the same facts, the same is known. A judgement that the log
 * does not tell by itself is a fact too (FACT_JUDGED; a page's own record has the first one), so that nothing is
 * judged again on the way back. The facts of a page that was crawled:
 *
 *   ARRIVED (its content is here) -> FOUND for each page it is the first to lead to -> CRAWLED (with its links)
 *
 * Memory: 8 bytes a page, and 24 to 48 an alias, beside the traps'. One thread. */
#ifndef CRAWLER_KNOWLEDGE_H
#define CRAWLER_KNOWLEDGE_H

#include "base/map.h"
#include "base/outcome.h"
#include "fetch/fetch.h"
#include "scope/scope.h"
#include "storage/store.h"
#include "traps/traps.h"

struct known_page {
	uint32_t host : 31; /* its number */
	uint32_t is_crawled : 1;
	uint16_t depth;           /* of the shortest way found so far */
	uint8_t hops : 4;    /* redirects in a row that led to it, by the shortest way; or none */
	uint8_t refusal : 4; /* see known_refusal() */
	uint8_t tries : 7;   /* since it was queued, at most FETCH_MAX_TRIES */
	uint8_t is_counted : 1; /* in its budgets */
};

/* The page whose links are being found: between FACT_ARRIVED and FACT_CRAWLED. */
struct arrived {
	uint32_t id;
	int is_open;
	struct page_marks marks;
	uint32_t first_new;              /* pages from here on were found first on it */
	size_t new_outside, new_refused; /* of these: see struct traps_fact */
};

struct knowledge {
	struct store *store;
	struct scope *scope;
	struct known_page *page; /* n, by id */
	size_t room;
	uint32_t n, aliases;
	struct map names; /* from a page that is an alias to the page that it is a name of */
	struct arrived arrived;
	/* What the fact known last has freed of the pages that were put off or skipped; the traps' until the
	 * next one; NULL: nothing. */
	const struct places_freed *freed;
};

/* How a URL was found. */
enum found_by { FOUND_AS_SEED, FOUND_BY_LINK, FOUND_BY_REDIRECT };
struct found {
	enum found_by by;
	uint32_t from;    /* the page that leads there; of a seed none */
	uint32_t depth;   /* links from a seed */
	const struct url_traits *traits; /* of its URL; NULL: they are computed where they are needed */
};

enum fact_kind {
	FACT_FOUND,      /* id: the store has a page more; `found` */
	FACT_SEED,       /* id: the user wants it */
	FACT_SITEMAP,    /* id: a robots.txt names it */
	FACT_TAKEN,      /* id: its turn has come */
	FACT_ARRIVED,    /* id, marks: a page has come */
	FACT_CRAWLED,    /* id, links[n]: all pages that it leads to are known */
	FACT_REDIRECTED, /* id, target */
	FACT_ENDED,      /* id, outcome, state: it failed, was refused, or is queued again */
	FACT_JUDGED,     /* id, outcome: judged anew; OUTCOME_NONE: it belongs to the crawl now */
};

struct fact {
	enum fact_kind kind;
	uint32_t id;
	enum outcome outcome;
	enum page_state state;
	uint32_t target; /* the page at the end of what is known of a redirect's chain */
	struct found found;
	struct page_marks marks;
	const uint32_t *links; /* distinct */
	size_t n;
};

/* Knows nothing yet: of a store with a log, all of the log is to be told. Both must outlive it. */
void knowledge_init(struct knowledge *, struct store *, struct scope *);
void knowledge_release(struct knowledge *);

/* Takes a fact. ERR_DAMAGED for one that cannot be (a page that is not known, a redirect in a circle), which a live
 * crawl never has. */
int know(struct knowledge *, const struct fact *, struct err_note *why) MUST_USE;

/* Takes a fact that a live crawl has made itself, which is sound (asserted). */
void know_sound(struct knowledge *, const struct fact *);

/* Takes the facts of an entry of the log, those of the pages that it has found with them; links[n] are those of a page
 * crawled. ERR_DAMAGED. */
int know_entry(struct knowledge *, const struct log_entry *, const uint32_t *links, size_t n,
	struct err_note *why) MUST_USE;

/* Why a URL that is found for the first time does not belong to the crawl, or OUTCOME_NONE. */
enum outcome judge_found(const struct knowledge *, const struct url *, const struct found *);

/* A known page is found again: 1 and *verdict where it is judged otherwise now, by a shorter way to it or since a
 * page that is none of its calendar leads there; else 0. */
int judge_found_again(
	const struct knowledge *, uint32_t id, const struct found *, enum outcome *verdict);

/* What becomes of a page whose turn has come, without a request: it is refused for its budget, skipped as part of a
 * trap, or put off (OUTCOME_SUSPECT, PAGE_QUEUED). OUTCOME_NONE: it is to be asked for. */
struct taken_verdict {
	enum outcome outcome;
	enum page_state state;
	uint32_t original; /* that it is taken for a duplicate of; STORE_NO_PAGE: none in particular */
};
struct taken_verdict judge_taken(const struct knowledge *, uint32_t id);

/* Returns what the traps hold of a page, as if its turn came now. */
struct traps_verdict knowledge_suspicion(const struct knowledge *, uint32_t id);

/* The scope was changed: 1 and *verdict where a page that is queued, or was refused by scope, is judged otherwise now;
 * else 0. */
int judge_again(const struct knowledge *, uint32_t id, enum page_state, enum outcome *verdict);

/* Whether a redirect to a page leads in a circle, or is one too many in a row. */
int judge_redirect(struct knowledge *, uint32_t id, uint32_t target);

/* How pages are found that a page leads to: by the links of the page that has arrived last, or by its redirect. */
struct found knowledge_found_on(const struct knowledge *, uint32_t id);
struct found knowledge_found_by_redirect(const struct knowledge *, uint32_t id);

/* The page that `id` is a name of; mostly itself. */
uint32_t knowledge_resolve(struct knowledge *, uint32_t id);

/* Redirects in a row that led to a page. */
unsigned knowledge_hops(const struct knowledge *, uint32_t id);

/* Why scope or a trap refuses a page, by the last judgement; OUTCOME_NONE: it belongs to the crawl. */
static inline enum outcome known_refusal(const struct knowledge *k, uint32_t id)
{
	return outcome_of_refusal_1(k->page[id].refusal);
}

#endif
