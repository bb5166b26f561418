/* What an agent writes into the logs of its partitions (agents/bus.h): the letters that it has taken, and how its pages have
 * ended. A record goes this way:
 *
 *   agent_log_add()            the fact stands in the agent's store, and is not committed yet
 *        |  the store commits: agent_log_committed()
 *        +--- a letter, a queued page ------------------------------------------------------+
 *        +--- an ended page: it waits until the letters that were written about the         |
 *             agent's pages by then are confirmed by their receivers, and those to own      |
 *             partitions are handed over ---------------------------------- agent_log_write() --- in packs, every two seconds
 *                                                                                            for each partition: member_log()
 *   agent_log_is_written(): the server has it
 *
 * An agent writes its packs every two seconds, because a message costs the server more than its bytes do. Nothing is gained by
 * writing more often: the news tell the senders of letters every two seconds that their letters are in the log. An agent writes
 * every half a second if it has no work, or if others may wait for it (agent_gifts_are_awaited()), and at once when it leaves.
 * agent_log_close() writes the log of one partition, which is given away, at once.
 *
 * So if the log has the end of a page, the other agents have what the page leads to; and if an agent confirms a letter after it is
 * in the log, an agent that takes the partition over has the letter. Pages whose ends are not in the log when their agent is gone
 * for good are fetched again. Letters may stand before the ends of pages that ended earlier.
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_AGENT_LOG_H
#define CRAWLER_AGENT_LOG_H

#include "agents/log_pack.h"
#include "agents/member.h"
#include "agents/post.h"

struct agent_log;

/* Makes the log of agent `self`; `member` is NULL for a crawl that is only looked at, which writes nothing. Freed by
 * agent_log_free(), for which NULL is allowed. */
struct agent_log *agent_log_new(struct member *, unsigned self);
void agent_log_free(struct agent_log *);

/* Adds a record to the log of a partition. `at` is the number of the entry in the store's log that tells the same. Records of
 * entries that an earlier process has written are passed over. */
void agent_log_add(struct agent_log *, unsigned partition, enum log_pack_kind, uint64_t at, const void *bytes, size_t n);

/* Hands over the letters that were added for partitions of other agents, in order, and forgets them: a bus that has gone back may
 * have lost them, and only the owner of a partition writes its log. `send` returns 0 or an error. */
int agent_log_readdress(struct agent_log *, const uint16_t *owner,
	int (*send)(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why), void *ctx,
	struct err_note *why) MUST_USE;

/* Notes that everything that was added is committed, in a store whose log has so many entries. */
void agent_log_committed(struct agent_log *, const struct post *, uint64_t entries);

/* Notes that the letters to an agent that is gone were addressed to others: pages wait for their confirmations instead. */
void agent_log_readdressed(struct agent_log *, const struct post *);

/* Writes what may be written, if that was done last so many ms ago: 0 for an agent that leaves, AGENT_LOG_SOON_MS if somebody may
 * wait, else news_ms(), since the news tell of what is written. Returns 1 if something was written, else 0. */
#define AGENT_LOG_SOON_MS 500
int agent_log_write(struct agent_log *, const struct post *, int64_t every);

/* Keeps the records of a partition whose log is still to be read back until the release. */
void agent_log_hold(struct agent_log *, unsigned partition);
void agent_log_release(struct agent_log *, unsigned partition);

/* Says whether all letters that agent_log_committed() has seen are handed over to the member; *ticket is then that of the last
 * one. */
int agent_log_has_letters(const struct agent_log *, uint64_t *ticket);

/* Hands what a partition's log lacks over to the member, if that is everything up to an entry of the store's log; *ticket is then
 * that of the last pack. Returns 1, or 0 if pages of earlier entries wait for confirmations, or the partition is held. */
int agent_log_close(struct agent_log *, unsigned partition, uint64_t entries, uint64_t *ticket);

/* Says whether the server has everything up to a ticket. */
int agent_log_is_written(const struct agent_log *, uint64_t ticket);

/* Says whether nothing waits, and the server has everything. */
int agent_log_is_quiet(const struct agent_log *);

/* Returns up to which entry of the store's log everything is in the logs, for struct news. */
uint64_t agent_log_done(struct agent_log *);

#endif
