/* Pages of other agents (frontier/frontier.h).
 *
 * A crawl may have several agents, each with a frontier of its own, which divide the hosts among them
 * (agents/partition.h). A page of another agent is PAGE_REMOTE here: it is never queued, and no count contains it. When an
 * agent has crawled a page, it describes the page to the agents to which its links lead:
 *
 *	the agent that crawls page u                      an agent with targets of u
 *
 *	frontier_describe(f, u, &page);
 *	frontier_ended(f, u, &end);        --- page --->   frontier_tell(f, u, &page);
 *
 * At the agent with targets of u, the policy's hook crawled() is called with the key and the private bytes that page u had at its
 * owner, and with those links of u that lead to the agent's own pages. So the policy does what it would do if this agent had
 * crawled page u, but later. Agents name pages to each other by URLs; each agent has ids of its own.
 *
 * The functions below need a frontier_world with `is_remote`, and a policy that is no chain. The policy does not see the
 * order of the crawl (POLICY_SEES_ORDER). */
#ifndef FRONTIER_REMOTE_H
#define FRONTIER_REMOTE_H

#include "frontier/frontier.h"

/* What another agent needs to know of a page that was crawled. */
struct frontier_remote {
	double key;          /* the page's key */
	uint16_t depth;      /* the depth at which it was discovered; 0 if no policy sees finders */
	const void *private; /* the first n_private of its private bytes: policy.page_sent */
	size_t n_private;
	uint32_t seq;     /* of a page that is given away: its seq at the old owner */
	size_t outdegree; /* O(u), the links to pages of all agents */
	/* distinct links, in link order, and their kinds (NULL: all 0); of a page that is told, those links alone that lead
	 * to pages of the agent that is told */
	const uint32_t *links;
	const uint8_t *kinds;
	size_t n_links;
};

/* Fills in key, depth and private bytes of a page in flight, as they are before frontier_ended(). The bytes are the
 * frontier's until then. */
void frontier_describe(const struct frontier *, uint32_t id, struct frontier_remote *);

/* Tells the policy of page `id`, which another agent has crawled, or this agent before the partition of the links moved here;
 * n_private must be the policy's page_sent (asserted). In the hook the page is PAGE_REMOTE; behind it an own page is what it was,
 * also if it is still queued, because the news of its end come later. A page may be told more than once, with other links. The
 * policy does not rerank. */
void frontier_tell(struct frontier *, uint32_t id, const struct frontier_remote *);

/* Tells that page `id` of another agent was redirected to `target`. The target is queued if it is this agent's, unseen and in
 * scope; it takes over the key and the private bytes that page `id` had, and gets a seq of its own. Nothing happens if page `id` is
 * none of another agent. `page` needs no links. */
void frontier_tell_target(struct frontier *, uint32_t id, uint32_t target, const struct frontier_remote *page);

/* A partition that moves from one agent to another takes its pages along, page by page, in the order of their seqs (a page
 * without a seq, UINT32_MAX, comes last). frontier_give() is called at the old owner, and frontier_adopt() at the new one:
 *
 *	state = frontier_give(old, id, &page, &mass);
 *	frontier_adopt(new, its_id, state, &page, mass);
 *
 * The page is PAGE_REMOTE at the old owner from then on, and in the same state as there at the new one: PAGE_QUEUED with its key,
 * or ended. A crawled page stays in the count of the agent that crawled it; page->links are all of its links at the new owner, who
 * must know them from then on (frontier_world.links). `mass` is the mass that the policy of the old owner returns by take_mass(),
 * and the policy of the new owner gets by add_mass(). No page of the partition may be in flight (asserted). */

/* Gives away a page, and returns its state, PAGE_UNSEEN or PAGE_REMOTE if there was nothing to give. */
enum page_state frontier_give(struct frontier *, uint32_t id, struct frontier_remote *, double *mass);

/* Takes over a page that is PAGE_UNSEEN or PAGE_REMOTE here (asserted). */
void frontier_adopt(struct frontier *, uint32_t id, enum page_state, const struct frontier_remote *, double mass);

/* A partition may also come without its old owner, by the log of what became of its pages. Ends queued page `id` as the owner
 * before has ended it (PAGE_CRAWLED, _FAILED, _REFUSED or _REDIRECTED): no request is counted, and its host does not rest.
 * end->links and end->kinds of a crawled page are those of its links, of `outdegree` in all, that lead to pages of its partition;
 * the policy hears of them as frontier_tell() does, and the page stays in the count of the agent that crawled it. */
void frontier_inherit(struct frontier *, uint32_t id, const struct frontier_end *, size_t outdegree);

/* Makes the host of page `id` rest until a time, unless it rests longer. */
void frontier_rest(struct frontier *, uint32_t id, int64_t until);

/* Makes a PAGE_REMOTE page PAGE_UNSEEN, after its partition has moved to this agent while its old owner had not discovered the
 * page. The page is then discovered by a letter that is under way, or by the crawl of a page that links to it. The policy has heard
 * nothing of the page: its private bytes are zeros. Does nothing for a page in any other state. */
void frontier_forget(struct frontier *, uint32_t id);

/* The counts of all other agents together. */
struct frontier_elsewhere {
	uint64_t crawled, seen, queued;
};

/* Sets the counts of the other agents, which the policy's view adds to those of this frontier. `crawled` never becomes less.
 * While `crawled` grows by leaps, the view shows the end of each batch that it passes once, when a page is crawled here:
 * after a leap over several, only the last of them. So a policy that reranks at the end of a batch needs no code for agents. */
void frontier_hear(struct frontier *, const struct frontier_elsewhere *);

/* Returns how often the policy has reranked. */
uint64_t frontier_reranks(const struct frontier *);

/* Takes from the policy the mass of each remote page, in the order of their ids, and hands it to `send` if it is not 0.
 * Nothing happens if the policy has no take_mass. The caller does so after a reranking; the owners of the pages give the
 * mass to frontier_add_mass(). */
void frontier_take_mass(struct frontier *, void (*send)(void *ctx, uint32_t id, double mass), void *ctx);

/* Gives mass that comes from another agent to the policy, for a page that has been discovered. Mass for an unseen page, or for
 * a policy without add_mass, is dropped. */
void frontier_add_mass(struct frontier *, uint32_t id, double mass);

#endif
