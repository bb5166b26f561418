/* The knowledge of a live crawl about its pages, beside the records of the store: depths, refusals, tries,
 * aliases, budgets, and the state of the trap detectors. There are two kinds of functions:
 *
 *   knowledge_judge_*()   say what scope, budgets and traps decide about a page, and change nothing
 *   knowledge_apply*()    apply facts, and are the only functions that change the knowledge
 *
 *   live crawl:   fetch -> judge -> write the fact into store and log -> apply it
 *   resume:       read the fact from the log -> apply it
 *
 *	verdict = knowledge_judge_found(&k, &url, &found);    a URL is new: does it belong to the crawl?
 *	store_add(store, &page_with_verdict, &id, why);
 *	knowledge_apply(&k, &(struct fact){.kind = FACT_FOUND, .id = id, .found = found}, why);
 *
 * Facts are applied in the order in which they happened, and equal facts give equal knowledge. The first judgement
 * of a page stands in its record in the store, and a later one is a fact of its own (FACT_JUDGED), so that a
 * resume judges nothing again. The facts of a crawled page are:
 *
 *   ARRIVED (with its hashes) -> FOUND, for each page that it discovers -> CRAWLED (with its links)
 *
 * Memory: 4 bytes for each page and 24 to 48 for each alias, beside that of the traps. One thread calls all
 * functions. */
#ifndef CRAWLER_KNOWLEDGE_H
#define CRAWLER_KNOWLEDGE_H

#include "base/map.h"
#include "base/outcome.h"
#include "fetch/fetch.h"
#include "scope/scope.h"
#include "storage/store.h"
#include "traps/traps.h"

struct known_page {
	uint16_t depth;         /* of the shortest way found so far */
	uint8_t hops : 4;       /* see knowledge_hops() */
	uint8_t refusal : 4;    /* see knowledge_refusal() */
	uint8_t tries : 7;      /* see knowledge_tries(), knowledge_is_crawled() and knowledge_is_alias() */
	uint8_t is_counted : 1; /* the page counts in the budgets of its host and domain */
};

/* The page whose links are being judged, between FACT_ARRIVED and FACT_CRAWLED. */
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
	struct map names; /* for each alias, the page that it is another name of */
	struct arrived arrived;
	/* The pages that were deferred or skipped and that the last fact has freed, valid until the next fact;
	 * NULL: none. */
	const struct places_freed *freed;
	/* Under a limit of the depth: the pages that were refused for their depth, and to which a shorter way is known since a page
	 * was last crawled or redirected. A way is a path of links and redirects of crawled pages, in whatever order they were
	 * crawled: where it becomes shorter, so do the ways to all pages behind it. A fact lists a page once. A live crawl judges
	 * these pages again (knowledge_judge_nearer()), and empties the list. */
	struct places_list nearer;
	struct places_list shrunk; /* scratch memory */
};

/* How a URL was discovered, or found again. */
enum found_by { FOUND_AS_SEED, FOUND_BY_LINK, FOUND_BY_REDIRECT };
struct found {
	enum found_by by;
	uint32_t from;                   /* the page that leads there; of a seed none */
	uint32_t depth;                  /* links from a seed */
	const struct url_traits *traits; /* of its URL; NULL: they are computed where they are needed */
};

/* The kinds of facts; the comments name the fields of struct fact that each has. */
enum fact_kind {
	FACT_FOUND,      /* id, found: the page was discovered, and is in the store */
	FACT_SEED,       /* id: the page became a seed of the user */
	FACT_SITEMAP,    /* id: a robots.txt names the page as a sitemap */
	FACT_TAKEN,      /* id: the page was taken from the frontier */
	FACT_ARRIVED,    /* id, marks: the page was fetched, and has these hashes */
	FACT_CRAWLED,    /* id, links[n]: all targets of the page are known */
	FACT_REDIRECTED, /* id, target: the page became an alias */
	FACT_ENDED,      /* id, outcome, state: the page failed, was refused, or was queued again */
	FACT_JUDGED,     /* id, outcome: the page was judged again; OUTCOME_NONE: it belongs to the crawl */
	FACT_VISITED,    /* id: the crawled page was visited again; what it leads to was told by FACT_FOUND */
	FACT_TOLD,       /* id, found: a letter of another agent names the page */
};

struct fact {
	enum fact_kind kind;
	uint32_t id;
	enum outcome outcome;
	enum page_state state;
	uint32_t target; /* the last page of the redirect's chain, as far as it is known */
	struct found found;
	struct page_marks marks;
	const uint32_t *links; /* distinct; in memory of the caller's, since store_links() overwrites its own */
	size_t n;
};

/* Makes empty knowledge; if the store has a log, the caller passes all entries to knowledge_apply_entry(). Store and scope
 * must outlive it. */
void knowledge_init(struct knowledge *, struct store *, struct scope *);

/* Frees the memory. */
void knowledge_release(struct knowledge *);

/* Applies a fact. Returns 0, or ERR_DAMAGED for an impossible fact (an unknown page, a circle of redirects), which
 * only a damaged log can have. */
int knowledge_apply(struct knowledge *, const struct fact *, struct err_note *why) MUST_USE;

/* Applies a fact that the live crawl itself has made: it cannot be impossible (asserted). */
void knowledge_apply_own(struct knowledge *, const struct fact *);

/* Applies the facts of an entry of the log, and those of the pages that it discovered. links[n] are the links of a
 * crawled page, in memory of the caller's: under a limit of the depth, store_links() is called. Returns 0 or ERR_DAMAGED. */
int knowledge_apply_entry(struct knowledge *, const struct log_entry *, const uint32_t *links, size_t n,
	struct err_note *why) MUST_USE;

/* Writes the knowledge as it is between two entries of the log, without the seeds of the scope, to a sink. Changes nothing. */
void knowledge_save(struct knowledge *, image_sink *, void *ctx);

/* Makes knowledge that is empty what knowledge_save() has written, n bytes that must be its own, of a crawl with so many pages; the
 * caller then adds all seeds of the log so far by knowledge_add_seed(). Returns 1; 0 if scope or traps have other settings now, so
 * that nothing was read, and the caller passes all entries of the log to knowledge_apply_entry(); or ERR_DAMAGED. */
int knowledge_load(struct knowledge *, uint32_t pages, const void *bytes, size_t n, struct err_note *why) MUST_USE;

/* Widens the scope by a seed of the log that loaded knowledge has seen. */
void knowledge_add_seed(struct knowledge *, uint32_t id);

/* Says, before FACT_CRAWLED of a page whose n links are known so far, whether the traps ask for an address that no page has as for
 * a further link of this page; then writes it into *out. */
int knowledge_makes_up(const struct knowledge *, uint32_t id, const uint32_t *links, size_t n, struct buf *out);

/* Returns why a new URL does not belong to the crawl, or OUTCOME_NONE. */
enum outcome knowledge_judge_found(const struct knowledge *, const struct url *, const struct found *);

/* Judges a known page that was found again. Returns 1 with the new *verdict if the verdict changes, because the
 * path to the page is shorter than before or because a page outside its calendar links to it; else 0. */
int knowledge_judge_found_again(const struct knowledge *, uint32_t id, const struct found *, enum outcome *verdict);

/* The verdict on a page that was taken. OUTCOME_NONE: a request is made. Otherwise the page is refused for its
 * budget, or because its host was blocked while the page was in flight, or skipped as part of a trap (PAGE_REFUSED), or
 * deferred (OUTCOME_DEFERRED, PAGE_QUEUED), without a request. */
struct taken_verdict {
	enum outcome outcome;
	enum page_state state;
	uint32_t original; /* the page that this one is taken for a duplicate of; STORE_NO_PAGE: no particular one */
};

/* Judges a page that was taken from the frontier, before a request is made. */
struct taken_verdict knowledge_judge_taken(const struct knowledge *, uint32_t id);

/* Judges a crawled page that is to be visited again: it is refused if its host was blocked since. */
struct taken_verdict knowledge_judge_visited(const struct knowledge *, uint32_t id);

/* Returns the verdict of the trap detectors on a page, as if its turn came now. */
struct traps_verdict knowledge_trap_verdict(const struct knowledge *, uint32_t id);

/* Judges a page after a change of scope. Returns 1 with the new *verdict if the page is queued and is now refused,
 * or was refused by scope and now belongs to the crawl; else 0. */
int knowledge_judge_again(const struct knowledge *, uint32_t id, enum page_state, enum outcome *verdict);

/* Returns OUTCOME_CIRCLE if a redirect from page `id` to `target` closes a circle, OUTCOME_REDIRECTS if it is one too many in a
 * row, or OUTCOME_NONE. */
enum outcome knowledge_judge_redirect(struct knowledge *, uint32_t id, uint32_t target);

/* Returns the way in which the links of page `id`, which has arrived and is not crawled yet, are found. */
struct found knowledge_found_on(const struct knowledge *, uint32_t id);

/* Returns the way in which a later visit of page `id`, which is crawled, finds a page. */
struct found knowledge_found_on_visit(const struct knowledge *, uint32_t id);

/* Returns the way in which the target of a redirect of page `id` is found. */
struct found knowledge_found_by_redirect(const struct knowledge *, uint32_t id);

/* Judges a page of the list `nearer`. Returns 1 if it belongs to the crawl now. */
int knowledge_judge_nearer(const struct knowledge *, uint32_t id);

/* Returns the page that an alias leads to; a page that is no alias leads to itself. */
uint32_t knowledge_resolve(struct knowledge *, uint32_t id);

/* Returns the number of a page's host, which the store has. */
uint32_t knowledge_host(const struct knowledge *, uint32_t id);

/* Returns the number of redirects in a row that led to a page; 0 if a link led to it. */
unsigned knowledge_hops(const struct knowledge *, uint32_t id);

/* The values of known_page.tries of a page that is crawled, and of one that redirects to another: neither is ever tried again. */
#define KNOWN_CRAWLED 127
#define KNOWN_ALIAS   126

/* Says whether a page is crawled. */
static inline int knowledge_is_crawled(const struct knowledge *k, uint32_t id)
{
	return k->page[id].tries == KNOWN_CRAWLED;
}

/* Says whether a page is an alias. */
static inline int knowledge_is_alias(const struct knowledge *k, uint32_t id)
{
	return k->page[id].tries == KNOWN_ALIAS;
}

/* Returns the number of tries of a page since it was queued, at most FETCH_MAX_TRIES; 0 if the page is crawled or an alias. */
static inline unsigned knowledge_tries(const struct knowledge *k, uint32_t id)
{
	return knowledge_is_crawled(k, id) || knowledge_is_alias(k, id) ? 0 : k->page[id].tries;
}

/* Returns why scope or a trap refuses a page, by the last judgement; OUTCOME_NONE: the page belongs to the crawl. */
static inline enum outcome knowledge_refusal(const struct knowledge *k, uint32_t id)
{
	return outcome_of_refusal_1(k->page[id].refusal);
}

/* Computes the verdict of traps_turn() for page `id` of a store that no crawl has open, from the log and the options of traps in
 * the store. Time and memory are those of a resume. Returns 0, or ERR_DAMAGED if no crawl can have written this log. */
int trap_verdict_of(struct store *, uint32_t id, struct traps_verdict *, struct err_note *why) MUST_USE;

#endif
