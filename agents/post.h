/* The post of one agent: the numbers of its letters, and those letters that their receivers have not committed yet. Nothing
 * here sends or waits: agents/member.h does.
 *
 *   sender                                                  receiver
 *
 *   page and letter 7 in one commit (LOG_POSTED)
 *   post_add(): 7
 *   post_each_due()  ---- (sender, 7, letter) --- NATS --->  post_judge(): POST_NEXT
 *                                                           the letter's facts and its number in one commit (LOG_HEARD)
 *   post_confirm(7)  <--- "committed up to 7", in its news --
 *   the letter is forgotten
 *
 * The letters from one agent to another have the numbers 1, 2, 3 ... A receiver takes them in this order alone: a letter that
 * comes twice, or after a gap, changes nothing. A sender whose letters are not confirmed for POST_PATIENCE_MS sends all of
 * them again, so it does not matter what the stream between them loses. Both numbers are counted anew from the store's log
 * when a crawl is resumed.
 *
 * Of the letters to an agent the post keeps a run in memory; those behind it are in the store's log alone, from which the caller
 * restores them when they are needed:
 *
 *   1 ... confirmed | in memory, sent or due | in the log alone ... sent
 *
 * After a resume all letters are in the log alone, and the first confirmation tells which of them are needed. A confirmation that
 * goes back comes from an agent that has lost a part of its store: the letters behind it are needed again. One thread uses a
 * post. */
#ifndef AGENTS_POST_H
#define AGENTS_POST_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define POST_PATIENCE_MS  15000
#define POST_HEAD         11 /* bytes before a letter: a version, the sender, the number */
#define POST_RESTORE_MOST ((uint64_t)16 << 20)

/* The bytes that travel: a head and a letter. */
struct post_parcel {
	unsigned from;
	uint64_t number;
	const void *letter;
	size_t n;
};

/* Reads the head; the letter may be empty. Returns 0, or -1 if the bytes are none of this version. */
int post_parcel_read(struct post_parcel *, const void *bytes, size_t n);

/* Appends a parcel to a pack. A message on the bus is a pack of parcels to one agent: each with its length before it, 4 bytes, the
 * lowest first. */
void post_pack(struct buf *pack, const void *parcel, size_t n);

/* Reads the next parcel of a pack; *at moves behind it. Returns 1 with n bytes at *parcel, 0 at the end, or -1 if the bytes are no
 * pack. */
int post_unpack(const uint8_t **at, const uint8_t *end, const void **parcel, size_t *n);

struct post;

/* Makes the post of agent `self` of so many; agents that join later are added when they are first named. The caller frees it with
 * post_free(). */
struct post *post_new(unsigned agents, unsigned self);

/* Frees it; NULL is allowed. */
void post_free(struct post *);

/* Gives a letter to an agent its number, and keeps it until that number is confirmed. Returns the number. The log has the letter,
 * too. */
uint64_t post_add(struct post *, unsigned to, const void *letter, size_t n);

/* Counts a letter to an agent that an earlier process has added: the log has it. */
void post_count_earlier(struct post *, unsigned to);

/* Says whether letters are needed that are in the log alone, since all of their agent's that were in memory are confirmed. */
int post_lacks(const struct post *);

/* Returns the number of the first letter to an agent that is in the log alone and that the agent needs; 0: there is none, or it is
 * not known yet. */
uint64_t post_wanted(const struct post *, unsigned to);

/* Takes back letter `number` of those to an agent from the log, if it is the one that is wanted. Returns 1 if it is, and
 * POST_RESTORE_MOST bytes are in memory: it is taken later. Else 0. The caller hands over all letters of the log, in order. */
int post_restore(struct post *, unsigned to, uint64_t number, const void *letter, size_t n);

/* Hands the parcels that were not sent since post_add(), or since patience ended, to `send`, in order. If `send` returns other than
 * 0, the parcel and those behind it to the same agent stay due. `now` is in ms. */
void post_each_due(struct post *, int64_t now, int (*send)(void *ctx, unsigned to, const void *parcel, size_t n), void *ctx);

/* Notes that an agent has committed the letters to it up to a number, and none behind it: those up to it are forgotten. Returns the
 * number of letters that this agent is missing: it has taken them, and the own store has lost them. The caller gives them their
 * numbers with empty letters before any other letter. */
uint64_t post_confirm(struct post *, unsigned to, uint64_t number, int64_t now);

/* Makes all letters in memory to an agent due again, at once: another process of it has begun. */
void post_again(struct post *, unsigned to);

/* Returns the number of agents that the post knows. */
unsigned post_agents(const struct post *);

/* Returns the numbers of the last letter to an agent, and of the last one that the agent has confirmed. */
uint64_t post_sent(const struct post *, unsigned to);
uint64_t post_confirmed(const struct post *, unsigned to);

/* Forgets the letters to an agent that it has not confirmed, and never will: they count as confirmed. The caller does not call
 * post_confirm() for this agent any more. */
void post_close(struct post *, unsigned to);

/* What is to be done with a letter that has come. */
enum post_verdict { POST_NEXT, POST_AGAIN, POST_GAP };

/* Judges the number of a letter from an agent. */
enum post_verdict post_judge(const struct post *, unsigned from, uint64_t number);

/* Counts one more letter from an agent as taken. */
void post_took(struct post *, unsigned from);

/* Returns the number of the last letter that was taken from an agent. */
uint64_t post_mark(const struct post *, unsigned from);

struct post_counts {
	uint64_t sent, taken; /* numbers given and letters taken, of all agents */
	uint64_t waiting;     /* bytes of the letters in memory, which are not confirmed */
	int64_t since; /* when the oldest letter that was handed out and is not confirmed began to wait; INT64_MAX: there is none */
	uint64_t again; /* letters that were handed out more than once, or that were restored */
};

/* Fills in the counts. */
void post_count(const struct post *, struct post_counts *);

#endif
