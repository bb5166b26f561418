/* A policy says how good a queued page looks. It is arithmetic only.
 *
 * The frontier owns the pages and their queue. It calls the policy's hooks when pages are queued or crawled; the hooks write the
 * quantity of the policy's paper into page[].key, and the frontier takes the page with the best key. A policy never calls the
 * frontier, holds no lock and sees no clock. It may read its own state and the view, which contains nothing that a live crawl would
 * not know: links and counts, and of finders, hosts, URLs, scores, and kinds and anchor texts of links what the policy asks for
 * (enum policy_sight). Any hook may be NULL; its comment says what this means. The thread of the frontier calls all hooks.
 *
 *	static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree,
 *		const uint32_t *queued, size_t n)
 *	{
 *		for (size_t i = 0; i < n; i++)            Backlink: the key is the number of links to a page
 *			c->page[queued[i]].key += 1;
 *	}
 *
 * Pages of equal keys are crawled in the order of their discovery (page[].seq). */
#ifndef FRONTIER_POLICY_H
#define FRONTIER_POLICY_H

#include "base/err.h"
#include "base/opt.h"
#include "base/outcome.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* What the frontier keeps of a page: 16 bytes, so that one cache miss fetches all of it. A policy reads
 * `key` and `seq` and writes `key`; `slot` belongs to the queue. */
struct page {
	double key;    /* finite; does not change once the page is taken */
	uint32_t seq;  /* the position in the order of discovery: 0, 1, 2 ... (F1 in frontier/frontier.h) */
	uint32_t slot; /* where the queue keeps the page, as follows */
};

/* The values of page.slot. A value below SLOT_PART is the page's index in the heap of its host's pile
 * (frontier/pile.h); a value from SLOT_PART up to SLOT_FIFO - 1 is the mark of a part of this pile. */
#define SLOT_PART    0x80000000u
#define SLOT_FIFO    0xfffffffdu /* the page is in a FIFO (frontier/pile.h) */
#define SLOT_NONE    0xfffffffeu /* the page is in no pile */
#define SLOT_DELAYED 0xffffffffu /* the page is queued and waits for a time of its own (queue_delay()) */

enum policy_order { POLICY_LOWEST_FIRST, POLICY_HIGHEST_FIRST };

/* The knowledge of the whole graph that a policy needs: a value for each page. Only a replay in the laboratory has it; a
 * live crawl refuses the policy. */
enum policy_oracle {
	POLICY_NO_ORACLE,
	POLICY_TRUE_RANK,     /* a page's PageRank, as pagerank_key() has it */
	POLICY_TRUE_INDEGREE, /* the number of other pages that link to the page */
	POLICY_SCORES,        /* the page's score in the file of the policy's option `scores`; 0 if it has none */
	POLICY_TRUE_MAP       /* the higher, the earlier an oracle takes the page that knows all links (lab/study/oracle.h) */
};

/* What a policy may ask to see beside links and counts (policy.needs, policy.wants). A policy sees the same in a live crawl,
 * after a resume, and in a replay, except that a replay of a store knows redirects beforehand. Memory and time are spent only
 * on what a policy asks for. */
enum policy_sight {
	POLICY_SEES_FINDERS = 1,  /* view->found; 16 bytes for each page */
	POLICY_SEES_ORDER = 2,    /* view->order; 4 bytes for each page */
	POLICY_SEES_HOSTS = 4,    /* view->host; a graph has hosts only if --hosts or --urls gives them */
	POLICY_SEES_URLS = 8,     /* view_url(); a graph has URLs only if --urls gives them */
	POLICY_SEES_KINDS = 16,   /* view->found[].kind; only a live crawl and its store have them */
	POLICY_SEES_SCORES = 32,  /* view_score(); a crawl with --score-cmd, its store, and a replay with --target have them */
	POLICY_SEES_ANCHORS = 64, /* view_anchor(), and view->found; a crawl with --keep-anchors and its store have them */
};
#define POLICY_SEES_ALL 127u

/* The sights for which the frontier keeps view->found. */
#define POLICY_NEEDS_FOUND (POLICY_SEES_FINDERS | POLICY_SEES_KINDS | POLICY_SEES_ANCHORS)

#define POLICY_NO_PAGE UINT32_MAX

/* How a page was discovered. All fields are set when the page is queued for the first time, and stay as they are: if the page
 * is queued again, and if other pages link to it. The target that a redirect queues has those of the page that redirects
 * to it. */
struct policy_found {
	uint32_t finder; /* the crawled page that links to it; POLICY_NO_PAGE: the page is a seed */
	uint32_t link;   /* the index of the link among the distinct links of the finder; of a seed 0 */
	uint32_t when;   /* the number of crawled pages when the page was discovered, the finder included; 0 for the first seeds */
	uint16_t depth;  /* the depth of the finder + 1, at most UINT16_MAX; of a seed 0 */
	uint8_t kind;    /* enum link_kind of the link, with its flags (parser/html.h); 0 without POLICY_SEES_KINDS */
	uint8_t unused;
};

/* Counts of a policy's work in rerank(), which begin at 0. (The frontier itself counts the work of crawled().) */
struct policy_work {
	uint64_t pages; /* visits to pages, in all reranks: each time that the value of a page is computed or
			   distributed */
	uint64_t arcs;  /* links followed, in all reranks */
	uint64_t part;  /* the pages whose values the last rerank computed, crawled ones included; 0 stands for the
			   queued pages */
};

/* The facts that a policy may read. They are valid during a hook only. */
struct policy_view {
	/* In a crawl by several agents, `crawled`, `seen` and `queued` are the sums of this agent's counts and of the last counts
	 * that it has received from the other agents. */
	uint64_t crawled;           /* pages crawled so far; in crawled(), page u is among them */
	uint64_t seen;              /* pages ever discovered; a page and the pages that redirect to it count once */
	uint64_t queued;            /* pages queued now */
	uint64_t total;             /* the number of pages that the crawl is expected to find; 0: unknown */
	uint64_t batch;             /* the pages of the batch that the crawl is in, >= 1: see frontier/schedule.h */
	uint64_t rng_seed;          /* a seed for the policy's own random numbers */
	uint32_t ids;               /* all page ids are below this; pages with such ids may be unseen */
	uint32_t new_seq;           /* in crawled(): targets with seq >= new_seq were discovered on page u */
	const uint8_t *state;       /* enum page_state, by id */
	const double *oracle;       /* the values of the policy's oracle, by id; NULL if it has none */
	const struct opt_set *opts; /* the policy's options */
	struct policy_work *work;   /* rerank() adds to the counts */
	void *private_pages;        /* page_size bytes for each id, which only the policy uses; NULL for size 0 */
	void *links_of;             /* private: see view_links() */
	size_t (*links)(void *links_of, uint32_t u, const uint32_t **out); /* private: see view_links() */
	const char *(*url)(void *links_of, uint32_t id, size_t *n);        /* private: see view_url() */

	/* The bits of enum policy_sight that the policy sees: all of its needs, and those of its wants that the crawl can
	 * give. The arrays are by id, and NULL if the policy does not see them. */
	unsigned sees;
	double (*score)(void *links_of, uint32_t id); /* private: see view_score() */
	const struct policy_found *found;             /* of each page that has been queued */
	const uint32_t *host;                         /* the number of the host, of each page that has been queued */
	const uint32_t *order;                        /* the pages that were crawled, `crawled` of them, in their order */
	const char *(*anchor)(void *links_of, uint32_t u, uint32_t link, size_t *n); /* private: see view_anchor() */

	const uint64_t *row;    /* private: see view_links(). NULL: links() gives the links */
	const uint32_t *target; /* private: the links of u are target[row[u]] to target[row[u + 1] - 1] */

	uint64_t batches;     /* the batches that are complete; in crawled(), a batch that page u completes is among them */
	uint64_t batch_began; /* the pages that were crawled when the last of them was complete */
	double growth;        /* the pages of a batch in proportion to the pages crawled before it; 0: every batch has `batch` */
};

/* Says in crawled(), due() and rerank() whether the page that was crawled last has completed a batch. */
static inline int view_batch_ended(const struct policy_view *view)
{
	return view->crawled == view->batch_began;
}

/* Says in crawled() whether target v was discovered on the page that was crawled. */
static inline int view_is_new(const struct policy_view *view, const struct page *page, uint32_t v)
{
	return page[v].seq >= view->new_seq;
}

/* Gives the distinct targets of a crawled page u in *out, in link order, valid until the next call. Returns
 * their number, O(u); 0 for a page that is not crawled. */
static inline size_t view_links(const struct policy_view *view, uint32_t u, const uint32_t **out)
{
	if (view->state[u] != PAGE_CRAWLED)
		return 0;
	if (!view->row)
		return view->links(view->links_of, u, out);
	*out = view->target + view->row[u];
	return (size_t)(view->row[u + 1] - view->row[u]);
}

/* Returns the URL of page u, which has been discovered: *n bytes with a NUL behind them, valid until the next call, but no
 * longer than until the end of the hook. NULL if the page has no URL, or the policy does not see URLs. */
static inline const char *view_url(const struct policy_view *view, uint32_t u, size_t *n)
{
	*n = 0;
	return view->sees & POLICY_SEES_URLS ? view->url(view->links_of, u, n) : NULL;
}

/* Returns the anchor text of the link by which page u was discovered: *n bytes of UTF-8, fewer than LINK_ANCHOR, with a NUL behind
 * them, valid until the next call, but no longer than until the end of the hook. "" if the link has none; NULL if the page is a
 * seed, or if the policy does not see anchor texts. The pages that were discovered on the page that crawled() tells cost O(O(u))
 * together; for any other page the links of its finder are read again. */
static inline const char *view_anchor(const struct policy_view *view, uint32_t u, size_t *n)
{
	*n = 0;
	if (!(view->sees & POLICY_SEES_ANCHORS) || view->found[u].finder == POLICY_NO_PAGE)
		return NULL;
	return view->anchor(view->links_of, view->found[u].finder, view->found[u].link, n);
}

/* Returns the score of a crawled page u: what the user wants of pages (their quality, or how well they fit a topic). NAN if the
 * page is not crawled, if it has no score, or if the policy does not see scores. */
static inline double view_score(const struct policy_view *view, uint32_t u)
{
	return view->sees & POLICY_SEES_SCORES && view->state[u] == PAGE_CRAWLED ? view->score(view->links_of, u) : (double)NAN;
}

struct policy;

/* What every hook is called with. Fields may be added at the end, as to the view, without another POLICY_ABI. */
struct policy_call {
	void *state; /* the policy's own state_size bytes */
	const struct policy_view *view;
	struct page *page;           /* by id: a hook writes page[id].key; NULL in init and done */
	struct err_note *why;        /* in init: takes the note of an error; NULL in all other hooks */
	const struct policy *policy; /* whose hook it is: a policy may be the first field of a larger struct */
};

/* The turn of one policy in a plan. */
struct policy_turn {
	const struct policy *policy; /* not a chain */
	/* the turn ends when the crawl has crawled this many pages since its start; 0: the last turn, which does not
	 * end */
	uint64_t until;
	size_t opts_at; /* the index of the policy's first option among the options of the chain */
};

/* A plan: policies that order the queue one after the other. */
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
	/* Bits of enum policy_sight. A crawl that cannot give a need refuses the policy, with a sentence; a want that it cannot
	 * give is missing in view->sees. */
	unsigned needs, wants;
	double first_key;       /* the key of a page when it is discovered */
	size_t state_size;      /* the size of policy_call.state in bytes; the bytes are 0 before init */
	size_t page_size;       /* private bytes of each page (view->private_pages); they are 0 before the page is first
			      discovered, and kept if it is queued again later */
	const struct opt *opts; /* the policy's options; NULL: none */

	/* Reads the options and loads files, before the first page is known. Returns 0, or an error with a note.
	 * NULL: nothing is called. */
	int (*init)(const struct policy_call *);

	/* Writes the keys of n pages that were just queued as seeds, in their order. NULL: seeds keep first_key. */
	void (*seed)(const struct policy_call *, const uint32_t *seeds, size_t n);

	/* Is called after page u was crawled, and may write the keys of queued[] only. `outdegree` is O(u), the
	 * number of distinct links of u, including a link to u itself and links out of scope. queued[n] are the
	 * targets of u that are queued now, in link order; the key of a target that was discovered on u is
	 * first_key. NULL: no key changes. */
	void (*crawled)(const struct policy_call *, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n);

	/* Is called after page u was taken and not crawled: it failed, was refused, or is queued again because an attempt
	 * to fetch it failed (view->state[u] says which). It must not write keys. It is not called for a redirect, whose target may
	 * take over the private bytes of u. NULL: nothing is called. */
	void (*missed)(const struct policy_call *, uint32_t u);

	/* Is called after page u was taken and led by a redirect to another page. If the redirect has queued `target`, the target
	 * has the key, the private bytes and view->found of u; any other target, which view->state shows, keeps its own. It must
	 * not write keys. A replay of a store, which knows redirects beforehand, takes no page that redirects, and does not call
	 * it. NULL: nothing is called. */
	void (*redirected)(const struct policy_call *, uint32_t u, uint32_t target);

	/* Is called after crawled() when a reranking is due, and may write the key of any queued page. Returns 1 if
	 * it has written keys, 0 if it has not, or an error, which ends the crawl. NULL: there is no reranking. */
	int (*rerank)(const struct policy_call *);

	/* Says after each crawled() whether a reranking is due. NULL: one is due at the end of every batch. */
	int (*due)(const struct policy_call *);

	/* Returns the key of a host that has `pending` queued pages, which is not NaN. The best host is the one with the best key;
	 * if two keys are equal, the one whose best page has the lower seq. A page is then taken with the key of its host. NULL:
	 * the key of a host is the key of its best page. */
	double (*host_key)(const struct policy_call *, uint64_t pending);

	/* Returns the value of page u that logs and reports show when u is taken, for a policy whose keys are not the
	 * quantity of the paper itself (but a rounded one, for example). NULL: they show the key. */
	double (*value)(const struct policy_call *, uint32_t u);

	/* Names in a word the rule by which a discovered page u was chosen, or will be as things stand, for logs and reports:
	 * "oldest". Returns NULL if it is chosen by its key alone, as all pages are if the hook is NULL. The text is static. */
	const char *(*chosen_by)(const struct policy_call *, uint32_t u);

	/* Frees the memory that init and other hooks have allocated beside `state`. NULL: there is none, and the state and the
	 * private bytes contain no pointer, so that a snapshot of the frontier may copy them (frontier/snapshot.h). */
	void (*done)(const struct policy_call *);

	/* In a crawl by several agents (frontier/frontier.h, "pages of other agents"), crawled() is also called for a page
	 * u that another agent has crawled: view->state[u] is PAGE_REMOTE, and its key and the first page_sent private
	 * bytes are those that it had there; the others are 0. These bytes must contain no ids, which differ from agent to
	 * agent. */
	size_t page_sent;

	/* For a policy whose rerank() distributes values from page to page: returns the value that the remote page u has received
	 * since the last call, and sets it to 0. Returns 0 if the value is too small to be sent yet. NULL: no values are sent to
	 * other agents. */
	double (*take_mass)(const struct policy_call *, uint32_t u);

	/* Adds a value that another agent has taken by take_mass() to page u of this agent. It must not write keys. NULL: values
	 * that arrive are dropped. */
	void (*add_mass)(const struct policy_call *, uint32_t u, double mass);

	/* A chain has a plan, and otherwise only a name, an oracle, and the options of all its policies: no hooks,
	 * and sizes of 0. In any other policy plan.n is 0. See policy_plan(). */
	struct plan plan;
};

/* Returns the plan of a policy: the chain's plan; or, for any other policy, a plan of one turn that does not end. This
 * turn is written into *only, which must outlive the plan.
 *
 *	struct policy_turn only;
 *	const struct plan plan = policy_plan(policy, &only);
 *	plan.turns[0].policy is the policy that comes first */
static inline struct plan policy_plan(const struct policy *p, struct policy_turn *only)
{
	*only = (struct policy_turn){.policy = p};
	return p->plan.n ? p->plan : (struct plan){only, 1};
}

/* The symbol that a shared object with a policy exports (doc/policies.md):
 *
 *	const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &policy_mine};
 *
 * POLICY_ABI numbers the layout of the structs in this header and in base/opt.h; a module that was built with
 * another number is refused. A policy only reads struct policy_call and struct policy_view, so these two structs can
 * grow at their ends without a new number. */
#define POLICY_ABI    8
#define POLICY_SYMBOL "lycosa_policy"

struct policy_module {
	uint32_t abi;         /* POLICY_ABI */
	uint32_t policy_size; /* sizeof(struct policy) */
	const struct policy *policy;
};

#endif
