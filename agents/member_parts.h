/* What the files of a member share: its parts, and which thread touches which. A member has two threads:
 *
 *   member.c           the calls of the coordinator, start and end; the member's own thread: its loop, and the changes of the
 *                      bucket that it sees
 *   member_log.c       the thread's writing and reading of the logs of partitions
 *   member_letters.c   the thread's writing of news, which renews the lease; its way for letters, out and in
 *
 * Each calls those below it. Nobody but these files includes this header. */
#ifndef AGENTS_MEMBER_PARTS_H
#define AGENTS_MEMBER_PARTS_H

#include "agents/address_book.h"
#include "agents/member.h"

#include <pthread.h>

#define MEMBER_PACK_HEAD 4   /* bytes before each parcel of a pack (post_pack()) */
#define MEMBER_AGAIN_MS  200 /* before a call that has failed is tried again */

/* What the coordinator hands over to the thread: parcels to agents, or messages for the logs of partitions. */
struct member_message {
	struct member_message *next;
	unsigned to;    /* the agent, or the partition */
	int is_written; /* into the log, or need not be; the thread's own */
	int is_part;    /* of a message that was divided; the last part is none */
	size_t n;
	char bytes[];
};
struct member_queue {
	struct member_message *first, **end;
	uint64_t added, removed; /* messages in all */
};

/* The parcels to one agent that will be one message: a message costs the server more than its bytes. */
struct member_pack {
	struct buf bytes;
	int64_t since; /* when the first parcel was put in, in ms of clock_boot_ms() */
};

/* A log that is to be read. */
struct member_reading {
	struct member_reading *next;
	unsigned partition;
	uint64_t after; /* the number of the last message that was handed over */
};

/* The shares of the crawl, and the logs of partitions. */
struct member_partitions {
	struct share_table table, wanted;
	int is_wanted; /* `wanted` is to be written */
	int seize;     /* the agent whose lease is to be taken; -1: none */
	uint64_t rebalance;
	struct member_queue out;
	struct member_reading *reading, **reading_end;
	struct member_chapter *in, **in_end;
};

/* What both threads touch, under the lock. */
struct member_shared {
	struct member_queue out;
	struct member_parcel *in, **in_end, *done;
	size_t in_n, done_n;
	struct news mine;
	const char *held; /* see member_tell() */
	int is_urgent;
	struct buf seeds;        /* lines that the coordinator has not taken yet */
	uint64_t seeds_revision; /* of the last of them */
	struct news *news;       /* of each agent */
	int64_t *heard;          /* when, in ms of clock_boot_ms(); 0: never */
	uint8_t *is_alive;       /* this process has heard of each agent twice or more */
	int64_t sure_since;      /* when the agent became sure of its lease, in ms of clock_boot_ms(); it was all the time since */
	struct member_partitions p;
	struct address_book *book;
	struct leases *leases;   /* of the agents, for the book */
	struct member_past past; /* but for the table */
	int begins_anew;
	enum member_state state;
	int wants_state; /* an enum member_state that is to be written; -1: none */
	int fault;
	struct err_note note;
};

struct member {
	struct bus *bus;
	struct roster roster; /* written by the thread, under the lock */
	unsigned self;
	pthread_t thread;
	int is_running;
	_Atomic int stops;
	_Atomic int64_t sure_until;
	_Atomic uint64_t aside;  /* messages that were put aside */
	_Atomic int64_t give_up; /* after so many ms without an answer of the server; 0: never */
	pthread_mutex_t lock;
	struct member_shared s;

	/* the thread's own */
	uint64_t run, revision, state_revision, table_revision;
	uint64_t generation_before;
	int rewrites;             /* the bus has gone back since an earlier process */
	uint64_t log_length;      /* entries of the store's log when this process began */
	uint64_t logged_before;   /* by an earlier process of the agent */
	uint64_t *agent_revision; /* of the news of each agent that were seen last */
	uint64_t *log_last;       /* of each partition: the number of the last message of its log that is known; 0: none is */
	int64_t told, changed;    /* when the last news were written, and the last change was seen */
	struct member_pack *pack; /* for each agent */
	uint64_t received;        /* packs so far */
	int64_t acknowledged;     /* when the last acknowledgement was sent */
	uint64_t listened;        /* packs before the last member_listen() */
	int is_cut_off;           /* the server does not answer */
	int64_t log_trouble;      /* since when logs fail; 0: they do not */
	int is_log_trouble_told;
	uint64_t still_pages[2]; /* crawled, and ended in any way, */
	int64_t still_since;     /* since this time */
	char still_why[160];     /* why none is asked for, */
	int64_t still_why_since;
	int is_still_told, is_still_usual;
	char still_told[160];       /* the last reason that was told */
	struct buf key, text, last; /* `last`: a message of a log */
};

/* --- member_log.c */

/* Takes what the bucket says of shares: the keys "shares", "roster", "rebalance", whose value is in m->text. Another value than a
 * later one of the crawl is put aside, and the last one is written again. */
void member_take_shares(struct member *, uint64_t revision);

/* Writes the table and the lease that the coordinator wishes for, if there are any. Returns 0 or an error of the bus. */
int member_write_shares(struct member *, struct err_note *why) MUST_USE;

/* Writes the messages that wait into their logs, many at a time, for a moment. Returns 0 or an error of the bus. */
int member_write_logs(struct member *, struct err_note *why) MUST_USE;

/* Reads logs that are to be read, for a moment. Returns 0 or an error of the bus. */
int member_read_logs(struct member *, struct err_note *why) MUST_USE;

/* --- member_letters.c */

/* Makes a message of n bytes, which are copied. */
struct member_message *member_message(unsigned to, const void *bytes, size_t n);

/* Copies n bytes to the end of a queue of the member. Returns the number of the message: 1, 2, 3 ... */
uint64_t member_queue_add(struct member *, struct member_queue *, unsigned to, const void *bytes, size_t n);

/* Takes the first message of a queue, which is not empty, out of it; the caller has the lock, and frees the message. */
struct member_message *member_queue_remove(struct member_queue *);

/* Makes a queue, and frees what is in it. */
void member_queue_make(struct member_queue *);
void member_queue_free(struct member_queue *);

/* Answers as member_is_lost(). The caller holds the lock. */
int member_has_lost(const struct member *, unsigned agent);

/* Writes the news once. Returns 1, 0 if they are to be written again, or an error of the bus; ERR_BUSY: another process runs as
 * this agent. */
int member_write_news(struct member *, struct err_note *why) MUST_USE;

/* Notes the number of a message that the bus has, of the bucket or of a log. */
void member_saw_key(struct member *, uint64_t revision);
void member_saw_log(struct member *, unsigned partition, uint64_t number);

/* Ends the membership, since the bus has gone back. */
void member_fall_back(struct member *);

/* Looks whether it has, and then ends the membership. Returns 0 or an error of the bus. */
int member_look_back(struct member *, struct err_note *why) MUST_USE;

/* Writes the news if they are due, and ends the membership if another process runs as this agent. */
void member_keep_lease(struct member *);

/* Tells the user that the server cannot be reached (err is not 0), or can be reached again; the same news are told once. */
void member_note_contact(struct member *, int err, const struct err_note *why);

/* Ends the membership with an error. */
void member_fail(struct member *, int err, const struct err_note *why);

/* Puts all parcels that wait into packs, and sends the packs that are full or have waited long enough. Returns 0, or the first
 * error of the bus; what was not sent is sent again by agents/post.h. */
int member_send_all(struct member *, struct err_note *why) MUST_USE;

/* Tells the server of the packs that the coordinator gave back. */
void member_acknowledge_all(struct member *);

/* Waits a moment for packs, and takes those that have come. Returns 0 or an error of the bus. */
int member_receive(struct member *, struct err_note *why) MUST_USE;

/* Lets the thread sleep. */
void member_pause(int64_t ms);

#endif
