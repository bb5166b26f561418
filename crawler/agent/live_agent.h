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
 * So a letter is sent only after the entry of its page is committed, and confirmed only after its receiver has committed it. The
 * log has all letters, in the order in which the policy heard them; a resume passes them to live_agent_entry(), which restores the
 * agent's state.
 *
 * The end. The first agent that lives decides it. It numbers rounds; each agent writes the number that it has seen last into its
 * news, together with the count of its letters and whether it is idle: it has no page queued or in flight, and all its letters are
 * confirmed. When all agents have answered a round, and were idle in this round and the one before, and have sent no letter in
 * between, then no letter is under way and no page is queued anywhere: the crawl is done. Until each agent has taken the seeds that
 * the operator has added, it is not.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_LIVE_AGENT_H
#define CRAWLER_LIVE_AGENT_H

#include "agents/member.h"
#include "agents/partition.h"
#include "crawler/agent/agent_charter.h"
#include "crawler/agent/agent_shares.h"
#include "crawler/crawl.h"
#include "storage/store.h"

/* The settings of a store that is an agent's: its id, and the roster. */
#define LIVE_AGENT_ID     "agent"
#define LIVE_AGENT_ROSTER "agents"
/* What the agent remembers of the bus (agents/member_past.h), and the name of the crawl there. */
#define LIVE_AGENT_PAST  "agent-bus"
#define LIVE_AGENT_CRAWL "agent-crawl"
/* The process of the agent that has joined last. */
#define LIVE_AGENT_PROCESS "agent-process"

struct live_agent;

/* How long an address rests after a request: see struct frontier_settings. */
struct live_rest {
	int64_t delay;
	double factor;
};

/* Makes agent `self` of a roster, which is copied. `member` is NULL for a crawl that is only looked at. */
struct live_agent *live_agent_new(struct member *, const struct roster *, unsigned self, struct live_rest);

/* Frees it; NULL is allowed. */
void live_agent_free(struct live_agent *);

/* Tells a network source which pages are this agent's. The caller does so before the frontier is made. */
void live_agent_divide(struct live_agent *, struct source *);

/* Joins the agent with the parts of its crawl, which must outlive it, before resume_from_log(). `commit` commits everything. */
void live_agent_join(struct live_agent *, struct store *, struct frontier *, struct source *,
	int (*commit)(void *ctx, struct err_note *why), void *ctx);

/* Gives the agent the function that adds a seed and queues it, which is called with the `ctx` of live_agent_join() for each seed
 * that the operator adds to the crawl while it runs (`lycosa fleet seeds`). */
void live_agent_seed_by(struct live_agent *, agent_charter_seed *);

/* Reads back entry number `at` of the log, which is LOG_POSTED, LOG_HEARD, LOG_ELSEWHERE, LOG_SHARES or LOG_ADOPTED; the knowledge
 * has its new pages. Returns 0 or ERR_DAMAGED. */
int live_agent_entry(struct live_agent *, const struct log_entry *, uint64_t at, struct err_note *why) MUST_USE;

/* Notes that the frontier is about to be told of an event of entry number `at`. Returns 0 or ERR_DAMAGED. */
int live_agent_lands(struct live_agent *, const struct result *, uint64_t at, struct err_note *why) MUST_USE;

/* Tells the frontier of the event of a page that is one of an earlier owner, as agent_shares_is_heir() says. */
void live_agent_inherit(struct live_agent *, const struct result *, uint64_t at);

/* Returns the partitions of the agent, until live_agent_free(). */
struct agent_shares *live_agent_moves(struct live_agent *);

/* Notes that the frontier was told of an event of the log. Returns 0 or an error. */
int live_agent_landed(struct live_agent *, struct err_note *why) MUST_USE;

/* Notes that a resume has read the whole log. Returns 0 or an error of the store. */
int live_agent_resumed(struct live_agent *, struct err_note *why) MUST_USE;

/* Returns the observer, which must come before the recorder. */
struct observer live_agent_observer(struct live_agent *);

/* Returns the observer that must come behind the recorder. */
struct observer live_agent_after(struct live_agent *);

/* Ends the agent's part of the crawl, after the last commit: sends the letters that wait, and writes what the logs of the
 * partitions lack, as far as the other agents answer within moments. Returns 0 or an error. */
int live_agent_leave(struct live_agent *, struct err_note *why) MUST_USE;

/* Returns what the loop needs to know, valid until live_agent_free(). */
const struct crawl_fleet *live_agent_fleet(const struct live_agent *);

#endif
