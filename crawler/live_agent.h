/* One agent of a live crawl that several make: what happens beside the loop of its crawl, between frontier, store and the member's
 * thread (agents/member.h). The path of a letter:
 *
 *   agent A                                                        agent B
 *
 *   event: page u is crawled                                       step: member_take()
 *     exchange_page() writes a letter                                post_judge(): the next one of A
 *     LOG_POSTED, beside LOG_CRAWLED of u                            exchange_take(): URLs get ids, the frontier hears
 *   ... the recorder commits both ...                                LOG_HEARD
 *   step: everything is committed                                  ... the recorder, or step, commits ...
 *     post_each_due(): member_send()  ---- NATS ---------------->  step: everything is committed
 *   step: post_confirm()              <--- news of B ------------    the mark of A goes into the news; acknowledged
 *
 * So a letter is sent only if its page is crawled for good, and is confirmed only if it was taken for good. The log has all of it, in
 * the order in which the policy heard it: a resume reads it back by live_agent_entry(), and is where the agent was.
 *
 * The end. Agent 0 decides it. It numbers rounds; each agent writes the number that it has seen last into its news, together with its
 * counts of letters and whether it is idle. When all agents have answered a round, and were idle in this round and the one
 * before, and as many letters were taken by the one before as were sent by this one, then no letter is under way and no page is
 * queued anywhere: the crawl is done.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_LIVE_AGENT_H
#define CRAWLER_LIVE_AGENT_H

#include "agents/member.h"
#include "agents/partition.h"
#include "crawler/crawl.h"
#include "storage/store.h"

/* The settings of a store that is an agent's: its id, and the roster. */
#define LIVE_AGENT_ID     "agent"
#define LIVE_AGENT_ROSTER "agents"

struct live_agent;

/* How long an address rests after a request: see struct frontier_settings. */
struct live_rest {
	int64_t delay;
	double factor;
};

/* Makes agent `self` of so many agents. `member` is NULL for a crawl that is only looked at. */
struct live_agent *live_agent_new(struct member *, unsigned agents, unsigned self, struct live_rest);

/* Frees it; NULL is allowed. */
void live_agent_free(struct live_agent *);

/* Tells a network source which pages are this agent's. The caller does so before the frontier is made. */
void live_agent_divide(struct live_agent *, struct source *);

/* Joins the agent with the parts of its crawl, which must outlive it, before resume(). `commit` commits everything. */
void live_agent_join(struct live_agent *, struct store *, struct frontier *, struct source *,
	int (*commit)(void *ctx, struct err_note *why), void *ctx);

/* Reads back an entry of the log that is LOG_POSTED, LOG_HEARD or LOG_ELSEWHERE; the knowledge has its new pages. Returns 0 or
 * ERR_DAMAGED. */
int live_agent_entry(struct live_agent *, const struct log_entry *, struct err_note *why) MUST_USE;

/* The frontier was told of an event of the log. */
int live_agent_landed(struct live_agent *, struct err_note *why) MUST_USE;

/* The log has ended. */
void live_agent_resumed(struct live_agent *);

/* Returns the observer, which must come before the recorder. */
struct observer live_agent_observer(struct live_agent *);

/* Returns what the loop needs to know, valid until live_agent_free(). */
const struct crawl_fleet *live_agent_fleet(const struct live_agent *);

#endif
