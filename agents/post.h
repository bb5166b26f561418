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
 * when a crawl is resumed. One thread uses a post. */
#ifndef AGENTS_POST_H
#define AGENTS_POST_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define POST_PATIENCE_MS 15000
#define POST_HEAD        11 /* bytes before a letter: a version, the sender, the number */

/* The bytes that travel: a head and a letter. */
struct post_parcel {
	unsigned from;
	uint64_t number;
	const void *letter;
	size_t n;
};

/* Reads the head. Returns 0, or -1 if the bytes are none of this version. */
int post_parcel_read(struct post_parcel *, const void *bytes, size_t n);

/* A message on the bus is a pack of parcels to one agent: each with its length before it, 4 bytes, the lowest first. */
void post_pack(struct buf *pack, const void *parcel, size_t n);

/* Reads the next parcel of a pack; *at moves behind it. Returns 1 with n bytes at *parcel, 0 at the end, or -1 if the bytes are no
 * pack. */
int post_unpack(const uint8_t **at, const uint8_t *end, const void **parcel, size_t *n);

struct post;

/* Makes the post of agent `self`; the caller frees it with post_free(). */
struct post *post_new(unsigned agents, unsigned self);

/* Frees it; NULL is allowed. */
void post_free(struct post *);

/* Gives a letter to an agent its number, and keeps it until that number is confirmed. Returns the number. */
uint64_t post_add(struct post *, unsigned to, const void *letter, size_t n);

/* Hands the parcels that were not sent since post_add(), or since patience ended, to `send`, in order. If `send` returns other than 0, the
 * parcel stays due, and this value is returned. `now` is in ms. */
int post_each_due(struct post *, int64_t now, int (*send)(void *ctx, unsigned to, const void *parcel, size_t n), void *ctx);

/* Forgets the letters to an agent up to a number, which it has committed. */
void post_confirm(struct post *, unsigned to, uint64_t number, int64_t now);

/* Makes all letters to an agent that it has not confirmed due again, at once: another process of it has begun. */
void post_again(struct post *, unsigned to);

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
	uint64_t waiting;     /* bytes of the letters that are not confirmed */
	uint64_t again;       /* letters that were handed out more than once */
};

/* Fills in the counts. */
void post_count(const struct post *, struct post_counts *);

#endif
