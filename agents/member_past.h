/* What an agent remembers of the bus, so that it notices when the bus forgets. A NATS server acknowledges messages before they are
 * on its disk, so after a crash its files may be some seconds older, and a lost disk has none. The agent's store keeps a text of:
 *
 *   the generation   a number under the key "generation" of the bucket. An agent that notices that the bus has forgotten messages
 *                    writes a new random number there; every agent that reads the new number writes its logs again from its store
 *   the marks        the number of the last message that the agent has seen in the bucket and in each log, and the number of one of
 *                    its own messages in a log. A bus whose last message has a lower number, or that lacks this message,
 *                    has gone back
 *   the table        of shares as the agent knows it, which may be newer than the table in the bucket
 *
 *	if (!member_past_read(&past, text)) ... member_start(..., &past, why) ...
 *	member_remember(m, 1, &past);                         into the store, with its next commit */
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
