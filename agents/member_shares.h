/* What a member (agents/member.h) does for the shares of a crawl: it watches and writes the table of shares, takes the leases of
 * agents that are lost, and writes and reads the logs of partitions.
 *
 *   coordinator                                                  the member's thread
 *
 *   member_shares(&table)           <-- the last table --------  bus_changed("shares")
 *   member_set_shares(&table)       --- the next one --------->  bus_set("shares"), by compare-and-set
 *   member_seize(agent)             -------------------------->  bus_set("agent.ID"), if its news are the last ones seen
 *   ticket = member_log(17, pack)   --- packs, in order ------>  bus_log_add()
 *   member_logged() >= ticket       <--------------------------
 *   member_read_log(17)             -------------------------->  a pack that closes the log to the owner before; bus_log_read()
 *   member_chapters()               <-- messages --------------
 *
 * Packs for several partitions travel together, and the thread waits for their answers once. A pack is written after all letters
 * that were handed to member_send() before it, and is dropped if the log has another owner. The coordinator thread calls these
 * functions. */
#ifndef AGENTS_MEMBER_SHARES_H
#define AGENTS_MEMBER_SHARES_H

#include "agents/member.h"
#include "agents/share_table.h"

/* What an agent is told whose share others have taken. */
#define MEMBER_SHARE_TAKEN \
	"this agent was away for so long that the other agents have taken its share; its store keeps what it has crawled: join again with a new --store"

/* Copies the table of shares if its epoch is above table->epoch. Returns 1 if it is. */
int member_shares(struct member *, struct share_table *table);

/* Writes a table soon, whose epoch is the next one after that of the bucket. Nothing happens if another agent changes the table
 * first: the caller sees that by member_shares(). */
void member_set_shares(struct member *, const struct share_table *);

/* Copies the roster if it has more agents than roster->n. Returns 1 if it has. */
int member_roster(struct member *, struct roster *);

/* Says whether an agent has lost its lease: this agent, which was sure of its own lease all the time, has not heard of it for
 * NEWS_LOST_MS, or for six times as long if this process has never heard it renew its lease. */
int member_is_lost(struct member *, unsigned agent);

/* Takes the lease of an agent that is lost, unless it is renewed meanwhile: its news have `is_gone` from then on, and the agent
 * ends when it sees that. */
void member_seize(struct member *, unsigned agent);

/* Returns the number under the key "rebalance": each change asks the agents to share out what is queued. */
uint64_t member_rebalance(struct member *);

/* Returns up to which entry of its log an earlier process of the agent has written the logs of its partitions; 0: none has. */
uint64_t member_logged_before(const struct member *);

/* Adds a message to the log of a partition of this agent. Returns its ticket: 1, 2, 3 ... */
uint64_t member_log(struct member *, unsigned partition, const void *message, size_t n);

/* Returns the ticket up to which the server has all messages. */
uint64_t member_logged(struct member *);

/* Begins to read the log of a partition that this agent owns now, from its first message. */
void member_read_log(struct member *, unsigned partition);

/* A message of a log that was read. */
struct member_chapter {
	struct member_chapter *next;
	unsigned partition;
	uint64_t number;
	int is_last; /* the log has been read to its end; there is no message here */
	size_t n;
	char message[];
};

/* Returns the messages that were read since the last call, in order, or NULL; the caller frees each with free(). */
struct member_chapter *member_chapters(struct member *);

#endif
