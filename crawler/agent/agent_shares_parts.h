/* The struct of agent_shares, for its two files: agent_shares.c follows who owns what, gives partitions away and deals the
 * partitions of an agent that is gone; agent_adopt.c, which it calls, reads logs back. Nobody else but their tests includes this
 * header. */
#ifndef CRAWLER_AGENT_SHARES_PARTS_H
#define CRAWLER_AGENT_SHARES_PARTS_H

#include "crawler/agent/agent_shares.h"
#include "crawler/agent/page_record.h"

#define NO_PARTITION PARTITIONS /* in a LOG_SHARES */

/* What is known of another agent, by its news. */
struct neighbour {
	uint8_t is_gone, is_live, is_hungry;
	uint8_t is_closed; /* it is gone, and letters to it were sent to others */
	uint8_t is_built;  /* its logs have all that its store has, in the present generation of the bus */
	uint8_t is_kept;   /* it has said so at a time at which it had no letter that was to be sent on, too: */
	uint64_t kept;     /* the letters to it that it had confirmed by then stand in logs, its own or others' */
	uint64_t queued;
	int64_t lasts; /* agent_gifts_duration() */
};

/* A partition that is given away. */
struct gift {
	unsigned partition, to;
	uint64_t entries; /* of the store's log, up to which it must be in the log of the partition */
	uint64_t ticket;  /* of the last pack of its log */
	uint64_t letters; /* of the last letter there */
	int has_ticket, has_letters;
};

/* How far the adoption of an own partition is. All partitions that come together become whole together: LOG_SHARES says so in the
 * same commit in which their pages are settled and their hosts begin to rest. A process that is killed before that begins the
 * reading anew. */
enum reading {
	READING_NOTHING, /* the partition is whole, or it is not own */
	READING_LOG,
	READING_ENDED /* to its end; its pages are not settled */
};

struct agent_shares {
	struct agent_parts parts;
	struct agent_log *log;
	struct share_table table;
	struct buf text; /* scratch */

	/* of each partition */
	uint64_t *read;               /* the message up to which its log is read */
	uint8_t is_given[PARTITIONS]; /* its last change was that it was given away here */
	uint8_t *reading;             /* enum reading */
	int64_t *rest;                /* how long its hosts are to rest when it is read */
	unsigned n_unfinished;        /* partitions whose log is READING_LOG or READING_ENDED */

	/* the reading of a log: agent_adopt.c */
	struct member_chapter *chapter; /* those that came, and are not taken */
	unsigned reads;                 /* the partition whose records were taken last, plus 1; 0: a reading has ended since */
	uint64_t *seen[LOG_PACK_KINDS]; /* in it: of each agent, the number of its last record of a kind */
	struct page_record record;
	uint32_t heir;   /* the page whose event is that of an earlier owner; UINT32_MAX: none */
	uint32_t *links; /* scratch */
	uint8_t *kinds;
	size_t links_room, kinds_room;
	size_t uncommitted; /* bytes of records */

	struct neighbour *of; /* NEWS_AGENTS */
	unsigned agents;
	struct gift *gift;
	size_t n_gifts, gifts_room;
	int64_t looked, gave;
	int64_t idle_since; /* or the last time at which the agent told of work; 0: it has told nothing yet */
	int is_running;     /* in the last step */
	int is_fed;         /* when it told last: the agent may take pages, and waits for no partition */
	uint64_t queued;    /* this agent's queued pages, when it told last */
	int64_t lasts;      /* ms in which these pages would be crawled at the present speed; INT64_MAX: the speed is not known */
	uint64_t rebalance; /* the number that was seen last */
	int has_rebalance;

	uint64_t *marks; /* waiting for `marks_ticket`; NEWS_AGENTS */
	uint64_t marks_ticket;
	int has_marks;
};

/* Returns the partition of a page. */
unsigned agent_shares_partition(const struct agent_shares *, uint32_t id);

/* Writes a LOG_SHARES that n partitions have these owners from now on, and makes the change. Returns 0 or an error of the store. */
int agent_shares_change(struct agent_shares *, const unsigned *partitions, const uint16_t *owners, size_t n,
	struct err_note *why) MUST_USE;

/* Returns for how many ms the queued pages of an agent last at its speed, by its news; INT64_MAX: it has crawled nothing lately. */
int64_t agent_gifts_duration(const struct news *);

/* Says whether this agent is hungry: it has nothing to do, or soon will have nothing to do. */
int agent_gifts_are_needed(const struct agent_shares *);

/* Says whether another agent has no page, and one has enough to give: a gift may wait for what this agent writes into its logs. */
int agent_gifts_are_awaited(const struct agent_shares *);

/* Sends the letters that nobody may have since an agent is gone to the new owners of its partitions, once it owns none. Returns 0
 * or an error. */
int agent_gone_close(struct agent_shares *, struct err_note *why) MUST_USE;

/* Takes a letter to an own partition that no agent has sent to this one: LOG_HEARD of the agent itself. Returns 0 or an error. */
int agent_take_own(struct agent_shares *, const void *letter, size_t n, struct err_note *why) MUST_USE;

/* Takes what has come of the logs that are read. Returns 0 or an error. */
int agent_adopt(struct agent_shares *, struct err_note *why) MUST_USE;

#endif
