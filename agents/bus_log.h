/* The logs of the partitions of a crawl: a stream lycosa-NAME-log, in which each partition has the messages of the subject
 * lycosa.NAME.log.PARTITION, which stay. The messages of a partition have ascending numbers, with gaps.
 *
 *	struct bus_log_message m[2] = {{.partition = 17, .bytes = a, .n = 5}, {.partition = 4, .bytes = b, .n = 7}};
 *	int got = bus_log_last(bus, 17, &text, &m[0].last, why);           the number of the last message; 0: there is none
 *	err = bus_log_add(bus, m, 2, why);                                 m[0].result is 0 if somebody else has added one to 17
 *	err = bus_log_read(bus, 17, 0, m[0].last, take, ctx, why);
 *
 * Messages for several partitions are added together, in one wait:
 *
 *   caller                     server
 *
 *   message to 17 ----------->   is 17's last message number m[0].last?
 *   message to  4 ----------->   is  4's last message number m[1].last?
 *   one wait      <-----------   "added, number 912", "another is the last" ... each by the place of its message */
#ifndef AGENTS_BUS_LOG_H
#define AGENTS_BUS_LOG_H

#include "agents/bus.h"

/* Makes the stream, unless it is there. Returns 0 or ERR_UNREACHABLE. */
int bus_log_open(struct bus *, struct err_note *why) MUST_USE;

/* Reads the last message of a partition's log. Returns 1 with the message and its *number; 0 with the *number 0; or an error. */
int bus_log_last(struct bus *, unsigned partition, struct buf *message, uint64_t *number, struct err_note *why) MUST_USE;

/* Returns the most bytes of a message that the server takes; its limit may change while the agents run. */
size_t bus_log_most(const struct bus *);

struct bus_log_message {
	unsigned partition;
	const void *bytes;
	size_t n;
	uint64_t last; /* the number of the partition's last message; 0: it has none */
	int result;
};

/* Adds messages, each to the log of another partition, if the partition's last message still has the number `last`. The server has
 * a message whose `result` is 1, and `last` is the message's number then. The result is 0 if the last message is another;
 * ERR_TOO_BIG if the message is larger than the server takes (max_payload) or the stream (max_msg_size), and was not added; or
 * another error, after which the message may have been added or not. Returns 0, or the first of these other errors. */
int bus_log_add(struct bus *, struct bus_log_message *, size_t count, struct err_note *why) MUST_USE;

/* Hands over the messages of a partition with numbers above `after`, up to `upto`, which is the number of the last message.
 * A call of `take` that returns a negative value ends the reading. Returns that value, 0, or an error. */
int bus_log_read(struct bus *, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx, struct err_note *why) MUST_USE;

#endif
