/* A policy says how good a page looks. It is arithmetic only.
 *
 * The frontier owns the pages and their queue. It tells the policy what has happened, and the policy writes
 * the quantity of its paper into page[].key; the frontier takes the page with the best key. A policy never
 * calls the frontier, holds no lock and sees no URL, host or clock. It may look at its own state and at the
 * view, which knows no more than a live crawl would. A hook that is NULL means what its comment says.
 *
 *	static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree,
 *		const uint32_t *queued, size_t n)
 *	{
 *		for (size_t i = 0; i < n; i++)            Backlink: pages by the links that lead to them
 *			c->page[queued[i]].key += 1;
 *	}
 *
 * Pages of equal keys are crawled in the order of their discovery (page[].seq). */
#ifndef FRONTIER_POLICY_H
#define FRONTIER_POLICY_H

#include "base/err.h"
#include "base/opt.h"
#include "base/outcome.h"

#include <stddef.h>
#include <stdint.h>

/* What the frontier keeps of a page: 16 bytes, so that one cache miss fetches all of it. A policy reads
 * `key` and `seq` and writes `key`; `place` belongs to the queue. */
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

/* What a policy must know of the whole graph. A crawl, which has not seen the whole, refuses such a policy;
 * the laboratory knows the graph. */
enum policy_oracle {
	POLICY_NO_ORACLE,
	POLICY_TRUE_RANK,     /* a page's PageRank, as pagerank_key() has it */
	POLICY_TRUE_INDEGREE, /* the pages that link to it, itself left out */
	POLICY_SCORES         /* what the file of the policy's option `scores` says; 0: nothing */
};

/* What a policy counts of its work in rerank(), from 0 on. The frontier counts the work of crawled(). */
struct policy_work {
	uint64_t pages; /* visits to pages: a page is counted each time its value is computed or
			   handed on */
	uint64_t arcs;  /* links followed, each time */
	uint64_t part;  /* pages whose values the last rerank computed, crawled ones included; a
			   policy that leaves it 0 means the queued pages */
};

/* What a policy may look at. It is valid during a hook. */
struct policy_view {
	uint64_t
		crawled; /* pages crawled, the one that crawled() tells of included: the paper's size */
	uint64_t seen;     /* pages ever discovered; a page and those that redirect to it are one */
	uint64_t queued;   /* pages queued now */
	uint64_t total;    /* pages the crawl is about; 0: unknown */
	uint64_t batch;    /* pages between two calls of rerank, >= 1 */
	uint64_t rng_seed; /* for a stream of the policy's own */
	uint32_t ids;      /* page ids run below this; some may be unseen */
	uint32_t new_seq;  /* in crawled(): targets with seq >= new_seq were discovered just now */
	const uint8_t *state;       /* enum page_state, by id */
	const double *oracle;       /* what the policy's oracle says of a page, by id; or NULL */
	const struct opt_set *opts; /* the policy's options */
	struct policy_work *work;   /* to be added to */
	void *private_pages;        /* page_size zeroed bytes a page, by id; NULL for size 0 */
	void *links_of;             /* for view_links() */
	size_t (*links)(void *links_of, uint32_t u, const uint32_t **out);
};

/* Says in crawled() whether target v was discovered just now. */
static inline int view_is_new(const struct policy_view *view, const struct page *page, uint32_t v)
{
	return page[v].seq >= view->new_seq;
}

/* Gives the distinct targets of a crawled page u in *out, in link order, valid until the next call. Returns
 * their number, O(u); 0 for a page that is not crawled. */
static inline size_t view_links(const struct policy_view *view, uint32_t u, const uint32_t **out)
{
	return view->state[u] == PAGE_CRAWLED ? view->links(view->links_of, u, out) : 0;
}

/* What every hook is called with. Fields may be added at the end, as to the view, without another POLICY_ABI. */
struct policy_call {
	void *state; /* the policy's own state_size bytes */
	const struct policy_view *view;
	struct page *page;    /* by id: a hook writes page[id].key; NULL in init and done */
	struct err_note *why; /* init: where it says what is wrong; otherwise NULL */
};

struct policy;

/* A policy of a plan, and how long its turn lasts. */
struct policy_turn {
	const struct policy *policy; /* no chain */
	/* the turn ends when so many pages are crawled in all; 0 for the last turn, which has no end */
	uint64_t until;
	size_t opts_at; /* the policy's options begin at this row of the chain's */
};

/* The policies that take turns, in their order. */
struct plan {
	const struct policy_turn *turns;
	size_t n; /* >= 1 */
};

struct policy {
	const char *name;    /* as typed */
	const char *summary; /* a line for --help */
	const char *source;  /* paper and equations */
	enum policy_order order;
	enum policy_oracle oracle;
	double first_key;  /* the key of a page when it is discovered */
	size_t state_size; /* bytes of the policy's own, zeroed before init */
	size_t page_size;  /* bytes of its own for each page, zeroed when the page is discovered */
	const struct opt *opts; /* its own options; NULL: none */

	/* Reads the options and loads files. Returns 0, or an error with a note. NULL: there is nothing
	 * to do. */
	int (*init)(const struct policy_call *);

	/* Writes the keys of n pages that were just queued as seeds, in their order. NULL: they keep
	 * first_key. */
	void (*seed)(const struct policy_call *, const uint32_t *seeds, size_t n);

	/* Hears that page u was crawled, and writes the keys of queued[] alone. `outdegree` is O(u), the
	 * number of its distinct links, a link to itself and links out of scope included. queued[n] are
	 * the targets that are queued now, in link order; new ones are among them, with first_key.
	 * NULL: keys stay as they are. */
	void (*crawled)(const struct policy_call *, uint32_t u, size_t outdegree,
		const uint32_t *queued, size_t n);

	/* Hears that page u was taken, but not crawled: it failed, was refused, or is queued again for another
	 * try (view->state[u] says which). Writes no key. It is not called for a page that redirects, whose
	 * private bytes its target gets. NULL: there is nothing to do. */
	void (*missed)(const struct policy_call *, uint32_t u);

	/* Is called every `batch` crawled pages, after crawled(), and may write the key of any queued page.
	 * Returns 1 if it has, 0 if it has not, or an error, which ends the crawl. NULL: keys are never
	 * reranked. */
	int (*rerank)(const struct policy_call *);

	/* Says after each crawled() whether it is time to rerank. NULL: every `batch` crawled pages. */
	int (*due)(const struct policy_call *);

	/* Returns the key of a host with so many pages queued. Hosts are taken in the order of their keys,
	 * at equal keys by the seq of their best pages, and a page is taken with the key of its host.
	 * NULL: a host is as good as its best page. */
	double (*host_key)(const struct policy_call *, uint64_t pending);

	/* Returns what is told of page u as its key when it is taken, in the terms of the paper, if the key
	 * that orders the queue is another one (a rounded one). NULL: the key. */
	double (*value)(const struct policy_call *, uint32_t u);

	/* Gives back what init took beside `state`. NULL: there is nothing to do. */
	void (*done)(const struct policy_call *);

	/* A chain has a plan, with a name, an oracle, and the options of all its policies; it has no hooks
	 * and no bytes of its own. Any other policy has none: n is 0. See policy_plan(). */
	struct plan plan;
};

/* Returns the plan of a policy: a chain's own; for any other policy the plan of one turn without end, which is
 * written into *only and borrowed.
 *
 *	struct policy_turn only;
 *	const struct plan plan = policy_plan(policy, &only);
 *	plan.turns[0].policy is the policy that comes first */
static inline struct plan policy_plan(const struct policy *p, struct policy_turn *only)
{
	*only = (struct policy_turn){.policy = p};
	return p->plan.n ? p->plan : (struct plan){only, 1};
}

/* What a shared object exports that holds a policy (doc/policies.md):
 *
 *	const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &policy_mine};
 *
 * POLICY_ABI numbers the layout of the structs of this header and of base/opt.h; a module that was built for
 * another number is refused. Hooks are handed one struct policy_call, which a policy only reads, so that struct
 * and struct policy_view can grow at their ends under the same number. */
#define POLICY_ABI    4
#define POLICY_SYMBOL "lycosa_policy"

struct policy_module {
	uint32_t abi;         /* POLICY_ABI */
	uint32_t policy_size; /* sizeof(struct policy) */
	const struct policy *policy;
};

#endif
