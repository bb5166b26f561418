/* A policy: how good a page looks. Arithmetic only.
 *
 * The frontier owns the pages and their queue; it tells the policy what happened and the policy
 * writes the paper's own quantity into page[].key. A policy never calls the frontier, holds no
 * lock and sees no URL, host or clock. Everything it may look at is its own state and the view,
 * which knows no more than a live crawl would. A NULL hook means what its comment says.
 *
 * Ties: pages of equal keys are crawled in the order of their discovery (page[].seq). */
#ifndef FRONTIER_POLICY_H
#define FRONTIER_POLICY_H

#include "base/err.h"
#include "base/opt.h"
#include "base/outcome.h"

#include <stddef.h>
#include <stdint.h>

/* What the frontier keeps of a page, 16 bytes, so that one cache miss fetches all of it. A policy
 * reads `key` and `seq` and writes `key`; `place` is the queue's own. */
struct page {
	double key;     /* finite; frozen once the page is taken */
	uint32_t seq;   /* order of first discovery: 0, 1, 2 ... */
	uint32_t place; /* where the queue holds it, see below */
};

/* What page.place says of a page. Below PLACE_PART it is the page's index in the heap of its host
 * (frontier/pile.h); from there up to PLACE_FIFO it is the mark of the part of the host's pile that
 * the page is in. */
#define PLACE_PART    0x80000000u
#define PLACE_FIFO    0xfffffffdu /* in the order of discovery (frontier/fifo.h) */
#define PLACE_NONE    0xfffffffeu /* in no pile */
#define PLACE_DELAYED 0xffffffffu /* queued, and waits for a time of its own */

enum policy_order { POLICY_LOWEST_FIRST, POLICY_HIGHEST_FIRST };

/* What a policy must know of the whole graph. A crawl that has not seen the whole refuses it; the
 * laboratory knows. */
enum policy_oracle {
	POLICY_NO_ORACLE,
	POLICY_TRUE_RANK,     /* a page's PageRank, as pagerank_key() has it */
	POLICY_TRUE_INDEGREE, /* the pages that link to it, itself left out */
	POLICY_SCORES         /* what the file of the policy's option `scores` says; 0: nothing */
};

/* What a policy counts of its own work in rerank(); crawled()'s is counted for it. All 0 at first. */
struct policy_work {
	uint64_t pages; /* visits to pages: a page is counted each time its value is computed or
			   handed on */
	uint64_t arcs;  /* links followed, each time */
	uint64_t part;  /* pages whose values the last rerank was about, crawled ones included;
			   left 0: those queued */
};

/* What a policy may look at, valid during a hook. */
struct policy_view {
	uint64_t crawled;  /* pages crawled, the one being told of included: the paper's size */
	uint64_t seen;     /* pages ever discovered; a page and those that redirect to it are one */
	uint64_t queued;   /* pages queued now */
	uint64_t total;    /* pages the crawl is about; 0: unknown */
	uint64_t batch;    /* pages between two calls of rerank, >= 1 */
	uint64_t rng_seed; /* for a stream of the policy's own */
	uint32_t ids;      /* page ids run below this; some may be unseen */
	uint32_t new_seq;  /* in crawled(): targets with seq >= new_seq were first seen just now */
	const uint8_t *state;       /* enum page_state, by id */
	const double *oracle;       /* what the policy's oracle says of a page, by id; or NULL */
	const struct opt_set *opts; /* the policy's options */
	struct policy_work *work;   /* to be added to */
	void *private_pages;        /* page_size zeroed bytes a page, by id; NULL for size 0 */
	void *links_of;             /* for view_links() */
	size_t (*links)(void *links_of, uint32_t u, const uint32_t **out);
};

/* Whether target v of the page being told of was first seen just now. */
static inline int view_is_new(const struct policy_view *view, const struct page *page, uint32_t v)
{
	return page[v].seq >= view->new_seq;
}

/* The distinct targets of a crawled page u into *out, in link order, valid until the next call;
 * returns their number, O(u). For a page not crawled it returns 0. */
static inline size_t view_links(const struct policy_view *view, uint32_t u, const uint32_t **out)
{
	return view->state[u] == PAGE_CRAWLED ? view->links(view->links_of, u, out) : 0;
}

/* What every hook is called with. Fields may be added at the end, as to the view, without a new POLICY_ABI. */
struct policy_call {
	void *state; /* the policy's own state_size bytes */
	const struct policy_view *view;
	struct page *page;    /* by id: a hook writes page[id].key; NULL in init and done */
	struct err_note *why; /* init: where it says what is wrong; otherwise NULL */
};

struct policy {
	const char *name;    /* as typed */
	const char *summary; /* a line for --help */
	const char *source;  /* paper and equations */
	enum policy_order order;
	enum policy_oracle oracle;
	double first_key;       /* key of a page when first seen */
	size_t state_size;      /* private bytes in all, zeroed before init */
	size_t page_size;       /* private bytes a page, zeroed when it is first seen */
	const struct opt *opts; /* its own options; NULL: none */

	/* Reads options, loads files. 0, or an error with a note. NULL: nothing to do. */
	int (*init)(const struct policy_call *);

	/* n pages that were just queued as seeds, in their order. Writes their keys.
	 * NULL: they keep first_key. */
	void (*seed)(const struct policy_call *, const uint32_t *seeds, size_t n);

	/* Page u was crawled. `outdegree` is O(u): its distinct links, one to itself and those out
	 * of scope included. queued[n] are its targets that are queued now, in link order, new
	 * ones included (with first_key). Writes the keys of queued[] alone.
	 * NULL: keys are left alone. */
	void (*crawled)(const struct policy_call *, uint32_t u, size_t outdegree,
		const uint32_t *queued, size_t n);

	/* Page u was taken, but not crawled: it failed, was refused, or is queued again for another try
	 * (view->state[u] says which). Writes no key. It is not called for a page that redirects, whose
	 * private bytes its target gets. NULL: nothing to do. */
	void (*missed)(const struct policy_call *, uint32_t u);

	/* Every `batch` crawled pages, after crawled(): may write the key of any queued page.
	 * 1: it has, 0: nothing has changed, or an error, which ends the crawl. NULL: never. */
	int (*rerank)(const struct policy_call *);

	/* After each crawled(): whether it is time to rerank. NULL: every `batch` crawled pages. */
	int (*due)(const struct policy_call *);

	/* The key of a host with so many pages queued, best first like those of pages: hosts are
	 * taken in its order (at equal keys by the seq of their best pages), and the key a page is
	 * taken with is its host's. NULL: a host is as good as its best page. */
	double (*host_key)(const struct policy_call *, uint64_t pending);

	/* What a key that is told should be, of page u as it is taken, in the paper's terms, where the
	 * key that orders the queue is another (a rounded one). NULL: the key. */
	double (*value)(const struct policy_call *, uint32_t u);

	/* Gives back what init took beside `state`. NULL: nothing to do. */
	void (*done)(const struct policy_call *);

	/* A chain, policies that take turns, else NULL and 0: then its hooks above are never called,
	 * but say what any of its policies has, and `opts` are the options of all. */
	const struct policy_turn *turns;
	size_t n_turns;
};

/* A policy of a chain. */
struct policy_turn {
	const struct policy *policy; /* no chain */
	uint64_t
		until; /* pages crawled in all when its turn ends; 0 for the last, which has no end */
	size_t opts_at; /* its options begin at this row of the chain's */
};

/* A policy in a file of its own, a shared object that exports
 *
 *   const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &policy_mine};
 *
 * See doc/policies.md. What the structs of this header and of base/opt.h look like has the number
 * POLICY_ABI; a module made for another is refused. Since hooks are handed one struct policy_call, which
 * a policy only reads, that struct and struct policy_view can grow at their ends under the same number. */
#define POLICY_ABI    4
#define POLICY_SYMBOL "lycosa_policy"

struct policy_module {
	uint32_t abi;         /* POLICY_ABI */
	uint32_t policy_size; /* sizeof(struct policy) */
	const struct policy *policy;
};

#endif
