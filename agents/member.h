/* An agent's membership in a crawl of several: a thread of its own that does all talking over the bus, so that the crawl never
 * waits for the network between the agents. The keys of the bucket:
 *
 *   roster       the agents (agents/roster.h)
 *   agent.ID     the news of each agent, and its lease (agents/news.h)
 *   state        what the operator or agent 0 has decided: running, paused, stopped, done
 *   seeds.N      seeds that the operator has added, a URL a line (agents/charter.h)
 *   address.IP   who may ask an address (agents/address_book.h)
 *   shares       who owns which partition (agents/partition.h)
 *   rebalance    a number; each change asks the agents to share out what is queued
 *   settings     the crawl's settings and seeds (cli/crawl/crawl_join.h)
 *   generation   a number that changes when the bus has gone back (agents/member_past.h)
 *
 *   coordinator                                        the member's thread
 *
 *   member_send(parcel)          --- outgoing --->     bus_send()
 *   member_take()                <-- incoming ----     bus_take()
 *   ... the store commits ...
 *   member_acknowledge(parcels)  --- committed -->     bus_acknowledge()
 *   member_tell(news)            --- news ------->     bus_set("agent.ID"), every NEWS_MS
 *   member_hear(news of all)     <-- news --------     bus_changed()
 *
 * The lease. An agent is sure of its lease for NEWS_LOST_MS, less a margin, from the moment before it sent its last news that the
 * server took; others take the lease for lost NEWS_LOST_MS after they saw these news, which is later. The clock of both runs while
 * a machine sleeps (clock_boot_ms()). The bucket takes news only from the process that wrote the last ones: if another process runs
 * as the same agent, the older one is told by member_fault().
 *
 * Any thread may call member_sure_until(); the coordinator thread calls the others. */
#ifndef AGENTS_MEMBER_H
#define AGENTS_MEMBER_H

#include "agents/bus.h"
#include "agents/member_past.h"
#include "agents/news.h"
#include "agents/roster.h"

#include <stdatomic.h>
#include "agents/partition.h"

#define MEMBER_MARGIN_MS 2000 /* an agent is sure of its lease for so much less than others think that it has it */

enum member_state { MEMBER_RUNNING, MEMBER_PAUSED, MEMBER_STOPPED, MEMBER_DONE };

/* Returns the word for a state ("running"), and the state for a word of n bytes; -1: it is none. */
const char *member_state_word(enum member_state);
int member_state_of(const char *word, size_t n);

/* A message that has come, a pack of parcels (agents/post.h). */
struct member_parcel {
	struct member_parcel *next;
	struct bus_letter letter;
	uint64_t place; /* in the order of arrival */
};

struct member;

/* Starts the thread of agent `self` of a complete roster, after the agent has its lease. An address whose last request is not known
 * rests for `rest` ms. `log_length` is the number of entries in the log of the agent's store, and `past` what the store remembers
 * of the bus. The member takes over the bus, also after an error. Returns 0; an error of the bus; ERR_OTHER if the other agents
 * have taken the agent's share; or ERR_USAGE if an earlier process of the agent has told the server of more entries than the store
 * has: the store is an older copy, and its lease stays as it is. */
int member_start(struct member **, struct bus *, const struct roster *, unsigned self, int64_t rest, uint64_t log_length,
	const struct member_past *past, struct err_note *why) MUST_USE;

/* Copies what the agent remembers of the bus now, for its next process. `is_whole` says that the logs have all that a bus which has
 * gone back has lost; else the past has the generation that it had at member_start(), so that the next process writes them from the
 * beginning, too. */
void member_remember(struct member *, int is_whole, struct member_past *);

/* Returns the generation of the bus. */
uint64_t member_generation(const struct member *);

/* Says whether the bus has gone back, or was lost, since an earlier process of the agent: the logs of its partitions are written
 * again, from the first entry of the store's log on. */
int member_rewrites(const struct member *);

/* Says whether the membership has ended because the bus has gone back, or was lost, while it ran: the agent is to begin anew, as a
 * process that has just been started. */
int member_begins_anew(struct member *);

/* Ends the membership with ERR_UNREACHABLE (member_fault()) when the server has not answered for so many ms; 0: never. */
void member_give_up_after(struct member *, int64_t ms);

/* Returns the most bytes of a parcel. */
size_t member_parcel_most(const struct member *);

/* Tells that the agent leaves, ends the thread, and closes the bus. NULL is allowed. */
void member_stop(struct member *);

/* Returns where the time stands, in ms of clock_boot_ms(), until which the agent is sure of its lease. The time changes; it is
 * valid until member_stop(). */
const _Atomic int64_t *member_sure_until(const struct member *);

/* Says whether the agent is sure of its lease now. */
int member_is_sure(const struct member *);

/* Returns 0, or the error with which the membership has ended: the crawl must end, too. */
int member_fault(struct member *, struct err_note *why);

/* Sends a parcel, which is copied, to an agent. */
void member_send(struct member *, unsigned to, const void *parcel, size_t n);

/* Returns the packs that have come, oldest first, or NULL; the caller gives each back to member_acknowledge(). */
struct member_parcel *member_take(struct member *);

/* Takes back packs whose letters are committed, or need not come again. */
void member_acknowledge(struct member *, struct member_parcel *);

/* Moves the seeds that the operator has added since the last call to `lines`, each with a line feed behind it. Returns 1 with the
 * revision of the last ones, or 0 if there are none. */
int member_take_seeds(struct member *, struct buf *lines, uint64_t *revision);

/* Sets the news that are written next; `run` is filled in. With `is_urgent` they are written soon, else when they are due. `held`
 * says why the agent may take no page, or is NULL; it lives as long as the program. An agent that asks for no page for four seconds
 * says why. */
void member_tell(struct member *, const struct news *, const char *held, int is_urgent);

/* Copies the last news of an agent, and how many ms ago they came (INT64_MAX: never). */
void member_hear(struct member *, unsigned agent, struct news *, int64_t *ago);

/* Says whether a request may be made at an address now, which no other agent asks then (agents/address_book.h); if so, the caller
 * tells the end of the request by member_asked(), and for how many ms the address rests afterwards. */
int member_ask(struct member *, const unsigned char ip[16]);
void member_asked(struct member *, const unsigned char ip[16], int64_t rest);

/* Counts a message or a value at the server that cannot be what an agent of this crawl has written, such as bytes that somebody
 * else has published or a record of a later version, and says so the first time. Whoever finds one passes over it, and the crawl
 * goes on. `what` is a noun: "a letter". NULL for the member is allowed. Any thread may call. */
void member_put_aside(struct member *, const char *what);

/* Returns where the number of these messages stands, which this process has found; it is valid until member_stop(). */
const _Atomic uint64_t *member_aside(const struct member *);

/* Returns the state of the crawl. */
enum member_state member_state(struct member *);

/* Sets the state of the crawl, soon. */
void member_set_state(struct member *, enum member_state);

/* --- the shares of the crawl
 *
 * A member watches and writes the table of shares, takes the leases of agents that are
 * lost, and writes and reads the logs of partitions.
 *
 *   coordinator                                                  the member's thread
 *
 *   member_shares(&table)           <-- the last table --------  bus_changed("shares")
 *   member_set_shares(&table)       --- the next one --------->  bus_set("shares"), by compare-and-set
 *   member_seize(agent)             -------------------------->  bus_set("agent.ID"), if its news are the last ones seen
 *   ticket = member_log(17, pack)   --- packs, in order ------>  bus_set_all()
 *   member_logged() >= ticket       <--------------------------
 *   member_read_log(17)             -------------------------->  a pack that closes the log to the owner before; bus_log_read()
 *   member_chapters()               <-- messages --------------
 *
 * Packs for several partitions travel together, and the thread waits for their answers once. A pack is written after all letters
 * that were handed to member_send() before it, and is dropped if the log has another owner. The coordinator thread calls these
 * functions. */

/* What an agent is told whose share others have taken. */
#define MEMBER_SHARE_TAKEN \
	"this agent was away for so long that the other agents have taken its share; the same command joins again, with a new store beside the one that it has"

/* Copies the table of shares if its epoch is above table->epoch. Returns 1 if it is. */
int member_shares(struct member *, struct share_table *table);

/* Writes a table soon, whose epoch is the next one after that of the bucket. Nothing happens if another agent changes the table
 * first: the caller sees that by member_shares(). */
void member_set_shares(struct member *, const struct share_table *);

/* Copies the roster if it has more agents than roster->n. Returns 1 if it has. */
int member_roster(struct member *, struct roster *);

/* Says whether another agent has lost its lease: no renewal by the other agent was heard for NEWS_LOST_MS, or for six times as
 * long if this process has heard none at all. Only the time counts since this agent was last unsure of its own lease. */
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
