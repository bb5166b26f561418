/* The partitions of a live agent: which partitions the agent owns, how the agent gives partitions away, and how it takes partitions
 * over. A partition goes from one owner to the next by its log (crawler/agent/agent_log.h), whether the old owner lives or not.
 *
 *   owner A                      NATS server                       owner B
 *
 *   ended pages, letters ----->  the log of partition p
 *   A gives p to B:
 *     LOG_SHARES; its pages
 *     become remote; the rest --> the log of p
 *     "p is B's" --------------> the table of shares ------------>  LOG_SHARES: p is its own
 *   or A is gone:                                                   a message that closes the log to A
 *     an heir deals p to B ---->  the table of shares               each record of the log, in order:
 *                                 the log of p ------------------->   a letter: LOG_HEARD of itself, exchange_take()
 *                                                                     a page: LOG_ADOPTED, its links and its result as
 *                                                                       if the page had been fetched here, its end;
 *                                                                       the policy hears of its links within p
 *   letters for p still at A                                        its hosts rest for the longest delay of their requests
 *                                                                     and as long as their servers have asked for (Retry-After)
 *     are sent on to B; those                                       B takes pages of p
 *     to an A that is gone are
 *     sent again by their senders
 *
 * So B's store knows what became of the pages of p, and what the policy heard of them, but for the ends that A had not written:
 * those pages are queued at B and are fetched again. Each change of owners is in the log of the store (LOG_SHARES), so that a
 * resume is where the agent was.
 *
 * A text of LOG_SHARES: lines "PARTITION OWNER NUMBER WHOLE": OWNER owns the partition from now on, the own log of which is read up
 * to message NUMBER; WHOLE is 1 if this is all, and the pages are settled: the partitions that come together become whole together.
 * A process that finds some that are not whole reads their logs from the first message again, and passes over what its store has. A
 * line "1024 AGENT 0 1" says that the agent is gone, and that the letters that it had not confirmed were sent to others.
 *
 * Which partitions move. An agent that has nothing to do, or whose queued pages will be crawled within six seconds at its present
 * speed, says in its news that it is hungry. The agent with most pages queued, the giver, then gives partitions to the hungry
 * agents, until each of them and the giver have about the same number of queued pages. A partition of which a page is in flight is
 * not given. Nothing is given if the giver's own pages last for less than three seconds, nor to an agent that already has three
 * quarters of this number. `lycosa fleet rebalance` lets all agents with more than the mean give to those with less. If an agent
 * has lost its lease, the lowest of the others takes the lease and deals the partitions to all.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_AGENT_SHARES_H
#define CRAWLER_AGENT_SHARES_H

#include "agents/exchange.h"
#include "crawler/agent/agent_log.h"
#include "crawler/agent/agent_pages.h"
#include "crawler/source.h"
#include "storage/store.h"

struct agent_shares;

/* What the shares work on; all must outlive them. */
struct agent_parts {
	struct member *member; /* NULL: the crawl is only looked at */
	unsigned self;
	struct shares *shares;
	struct post *post;
	struct store *store;
	struct frontier *frontier;
	struct source *source;
	struct exchange *exchange;
	struct agent_pages *pages;
	const struct agent_turns *turns; /* how long hosts rest */
	void *ctx;
	/* Sends a letter to the owner of a partition. One to an own partition is kept for log_own(), which writes those that were
	 * kept into the logs of their partitions; `at` is the entry of the store's log that tells of them. */
	int (*send)(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why);
	void (*log_own)(void *ctx, uint64_t at);
	/* Commits everything; called with commit_ctx. */
	int (*commit)(void *ctx, struct err_note *why);
	void *commit_ctx;
};

/* Makes the shares, which do nothing before agent_shares_join(). Freed by agent_shares_free(), for which NULL is allowed. */
struct agent_shares *agent_shares_new(struct member *, unsigned self);
void agent_shares_join(struct agent_shares *, const struct agent_parts *);
void agent_shares_free(struct agent_shares *);

/* --- what happens here, for the logs of the partitions */

/* Notes that a letter to an own partition stands in entry `at` of the store's log: letter `number` of agent `from`, or one of its
 * own. */
void agent_shares_letter(struct agent_shares *, unsigned partition, unsigned from, uint64_t number, const void *letter, size_t n,
	uint64_t at);

/* Notes that an own page has ended in entry `at`, and the store has its result and links. */
void agent_shares_ended(struct agent_shares *, const struct result *, uint64_t at);

/* Notes that an own page, to which perhaps no letter leads, was queued in entry `at`. */
void agent_shares_queued(struct agent_shares *, uint32_t id, uint64_t at);

/* --- reading back */

/* Says whether a LOG_SHARES tells that letters to an agent that is gone were addressed to others. */
int agent_shares_is_closing(const char *text);

/* Reads a LOG_SHARES. Returns 0 or ERR_DAMAGED. */
int agent_shares_entry(struct agent_shares *, const char *text, struct err_note *why) MUST_USE;

/* Reads a LOG_ADOPTED. */
void agent_shares_adopted(struct agent_shares *, uint32_t id);

/* Says whether the event of a page is one of an earlier owner, which agent_shares_inherit() tells the frontier. */
int agent_shares_is_heir(const struct agent_shares *, uint32_t id);
void agent_shares_inherit(struct agent_shares *, const struct result *);

/* Queues a page to which perhaps no letter leads, unless it was, or is another agent's. Returns 0 or an error of the store. */
int agent_shares_queue(struct agent_shares *, uint32_t id, struct err_note *why) MUST_USE;

/* Notes that a resume has read the whole log: moves that had begun go on. Returns 0 or an error of the store. */
int agent_shares_resumed(struct agent_shares *, struct err_note *why) MUST_USE;

/* --- living */

/* Hears the news of another agent, which came `ago` ms ago, in a generation of the bus (agents/member_past.h). */
void agent_shares_hear(struct agent_shares *, unsigned agent, const struct news *, int64_t ago, uint64_t generation);

/* Says whether the letters to an agent that is gone were addressed to the new owners of its partitions. */
int agent_shares_is_closed(const struct agent_shares *, unsigned agent);

/* Says whether another agent is hungry. */
int agent_shares_has_hungry(const struct agent_shares *);

/* Returns the lowest agent that lives; it may be this one. */
unsigned agent_shares_first(const struct agent_shares *);

/* Makes a step between two steps of the crawl; `is_running` says that the crawl is neither paused nor stopped, and `agents` how
 * many have joined. Returns 0; ERR_OTHER if other agents have taken the share of this one; or an error of the store. */
int agent_shares_step(struct agent_shares *, unsigned agents, int is_running, struct err_note *why) MUST_USE;

/* Everything is committed. The marks of the news become the numbers of the last letters of each of so many agents that the logs
 * have; before the logs have all letters that the store has, a process that has just begun has no marks. Returns 1 if any mark has
 * changed. */
int agent_shares_settle(struct agent_shares *, struct news *, unsigned agents, int64_t every);

/* Says whether no page may be taken now, because partitions are read back. */
int agent_shares_holds(const struct agent_shares *);

/* Says whether nothing is to be done for partitions, none belongs to an agent that is gone, the server has all that was to be
 * written, and all letters are confirmed. */
int agent_shares_is_quiet(const struct agent_shares *);

/* Returns the epoch of the table that the shares follow. */
uint64_t agent_shares_epoch(const struct agent_shares *);

/* Returns up to which entry of the store's log everything is in the logs of the partitions. */
uint64_t agent_shares_logged(const struct agent_shares *);

/* Fills in what the news, which have the counts of the agent's pages, say of shares: the agent is hungry if it has had no page for
 * a second. */
void agent_shares_tell(struct agent_shares *, struct news *);

#endif
