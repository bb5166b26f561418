/* What an agent remembers of the bus, so that it notices when the bus forgets. A NATS server acknowledges messages before they are on
 * its disk, so after a crash its files may be some seconds older, and a lost disk has none. The agent's store keeps a text of:
 *
 *   the generation   a number that stands under the key "generation" of the bucket. Whoever notices that the bus has gone back draws a
 *                    new one, and all agents begin anew from their stores when they see it
 *   marks            the numbers of the last messages of bucket and logs that the agent has seen there, and the place of one of its own
 *                    in a log: a bus that has lower ones has gone back
 *   the table        of shares, which may be later than that of the bucket
 *
 *	if (!member_past_read(&past, text)) ... member_start(..., &past, why) ...
 *	member_remember(m, &text);                            into the store, with its next commit */
#ifndef AGENTS_MEMBER_PAST_H
#define AGENTS_MEMBER_PAST_H

#include "agents/bus.h"
#include "agents/partition.h"

struct member_past {
	uint64_t generation; /* 0: the agent has never been at the bus */
	struct bus_mark seen;
	unsigned partition; /* whose log has a message of the agent, */
	uint64_t message;   /* with this number; 0: there is none */
	struct share_table table;
};

/* Writes the text, which replaces what the buf has. */
void member_past_write(const struct member_past *, struct buf *);

/* Reads a text. Returns 0, or -1 with an empty past if the text is none or NULL. */
int member_past_read(struct member_past *, const char *text);

/* Says whether the bus lacks what the past has seen there. Returns 1, 0, or an error of the bus. */
int member_past_is_ahead(const struct member_past *, struct bus *, struct err_note *why) MUST_USE;

/* Finds the generation of the bus; draws one if there is none, or if the bus lacks what the past has seen in this one. *generation
 * becomes the bus's. Returns 0 or an error of the bus. */
int member_past_meet(const struct member_past *, struct bus *, uint64_t *generation, struct err_note *why) MUST_USE;

/* The key of the generation in the bucket, and the number of a text of n bytes there; 0: it is none. */
#define MEMBER_GENERATION "generation"
uint64_t member_generation_of(const char *text, size_t n);

#endif
