/* A connection to the NATS server by which the agents of a crawl find each other. JetStream keeps two things of a crawl with
 * the name NAME, which the first agent makes:
 *
 *   the bucket  lycosa-NAME    short values by key (agents/member.h has the list), each with a revision
 *   the stream  lycosa-NAME    letters, with the subjects lycosa.NAME.to.AGENT, in the server's memory; each stays until its
 *                              receiver has acknowledged it, or the server ends
 *
 *	int err = bus_open(&bus, "nats://127.0.0.1:4222/web", &access, why);
 *	if (!err) err = bus_set(bus, "greeting", "hello", 5, &revision, why);           1: it is written
 *	if (!err) err = bus_send(bus, "00c0ffee00c0ffee", letter, n, why);
 *	while ((n = bus_take(bus, letters, 16, 20, why)) > 0)
 *		... bus_acknowledge(&letters[i]) ...
 *	bus_close(bus);
 *
 * A connection that is lost is made again for as long as it takes; meanwhile the calls return ERR_UNREACHABLE, and may be
 * repeated. One thread uses a bus. Only bus.c calls libnats; in a program that was configured --without-nats (bus_absent.c),
 * bus_open() says so. */
#ifndef AGENTS_BUS_H
#define AGENTS_BUS_H

#include "agents/bus_access.h"
#include "base/buf.h"

#define BUS_CONNECT_MS 5000 /* the longest time that bus_open() waits for a connection; it tries three */
/* the longest time that a call waits for an answer: the server may be busy. The connection counts as lost six seconds after a
 * server was heard last, and the call then returns. */
#define BUS_FIRST_WAIT_MS 10000
#define BUS_WAIT_MS       2000   /* the same for a member, whose next news are due then */
#define BUS_LETTER_MAX    900000 /* bytes of a letter: the server takes a million by default */
#define BUS_LETTER_LEAST  65536  /* of which a server takes so many at least, or is of no use */
#define BUS_STREAM_MOST \
	((int64_t)256 << 20) /* bytes of the letters that the server keeps; it refuses more, which come again later */

struct bus;

/* Connects to the server, and makes bucket and stream unless they are there. The URL is that of agents/bus_access.h. Returns 0;
 * ERR_USAGE for another text, for a wrong file of `access`, or if this program was built without NATS; ERR_FILE for a file that
 * cannot be read; or ERR_UNREACHABLE, also if the server has no JetStream. */
int bus_open(struct bus **, const char *url, const struct bus_access *access, struct err_note *why) MUST_USE;

/* Sets the longest time that a call waits for an answer from now on, which was BUS_FIRST_WAIT_MS. */
void bus_wait_at_most(struct bus *, int64_t ms);

/* Sends what is still to be sent, waiting a second at most, and frees the bus. NULL is allowed. */
void bus_close(struct bus *);

/* Ends the threads of the NATS library, which run on when the last bus is closed. A program calls this before it ends, when no bus
 * is open; it need not have opened one. */
void bus_end(void);

/* The numbers of the last messages of the bucket and of the logs. They only grow, unless the server's files go back or are lost. */
struct bus_mark {
	uint64_t bucket, log;
};

/* Reads them; 0: there is no message, or nothing is there at all. Returns 0 or an error. */
int bus_mark(struct bus *, struct bus_mark *, struct err_note *why) MUST_USE;

/* --- the bucket */

/* Reads a value. Returns 1 with the *value and its *revision, 0 if there is none, or an error. */
int bus_get(struct bus *, const char *key, struct buf *value, uint64_t *revision, struct err_note *why) MUST_USE;

/* Tells when a key was written, in ms since 1970 of the server's clock. Returns 1, 0 if there is none, or an error. */
int bus_written(struct bus *, const char *key, int64_t *time, struct err_note *why) MUST_USE;

/* Writes a value of n bytes, if the key still has the revision *revision, or has none (it was never set, or was deleted) if that is
 * 0. Returns 1 with the new *revision; 0 if the key has another revision, and nothing is written; or an error, after which the
 * value may have been written or not. */
int bus_set(struct bus *, const char *key, const void *value, size_t n, uint64_t *revision, struct err_note *why) MUST_USE;

struct bus_value {
	const char *key;
	const void *bytes;
	size_t n;
	uint64_t revision;
	int result;
};

/* Writes values of several keys in one wait. The `result` of each is what bus_set() would return, but a key that was deleted keeps
 * its revision, and the result is ERR_TOO_BIG if the value is larger than the server takes (max_payload) or the stream
 * (max_msg_size), and was not written. Returns 0, or the first of the other errors.
 *
 *   caller                     server
 *
 *   a value of "a" ----------->   has "a" the revision that the caller knows?
 *   one of "log.4" ----------->   has "log.4"?
 *   one wait       <-----------   "written, revision 912", "it has another" ... each by the place of its value */
int bus_set_all(struct bus *, struct bus_value *, size_t count, struct err_note *why) MUST_USE;

/* Begins to watch the keys that match a pattern ("agent.*"); the values that are there come first. A bus watches one
 * pattern; a second call begins anew. */
int bus_watch(struct bus *, const char *pattern, struct err_note *why) MUST_USE;

/* Takes the next change, if there is one now. Returns 1 with the *key, the *value and the *revision; 0;
 * or an error. */
int bus_changed(struct bus *, struct buf *key, struct buf *value, uint64_t *revision, struct err_note *why) MUST_USE;

/* --- letters */

/* Begins to take the letters to an agent. Letters that were taken by an earlier process of the agent and not acknowledged come
 * again. A second call begins anew. Another process that takes letters to the same agent gets none from then on: the caller has the
 * agent's lease. */
int bus_listen(struct bus *, const char *agent, struct err_note *why) MUST_USE;

struct bus_letter {
	const void *bytes; /* valid until the letter is acknowledged or dropped */
	size_t n;
	void *message;   /* private */
	struct bus *bus; /* private */
};

/* Takes up to `most` letters, waiting up to wait_ms for the first one. Returns their number, 0 if there are none, or an
 * error. */
int bus_take(struct bus *, struct bus_letter *, int most, int64_t wait_ms, struct err_note *why) MUST_USE;

/* Tells the server that this letter, and all that were taken before it, need not come again, and frees this one. Letters that were
 * taken before the last bus_listen() must not be acknowledged: the server may have been started again and use their numbers for
 * others. */
void bus_acknowledge(struct bus_letter *);

/* Frees a letter, which comes again later. */
void bus_drop_letter(struct bus_letter *);

/* Returns the most bytes of a letter that the server takes: BUS_LETTER_MAX, or fewer where it is set up so (max_payload). */
size_t bus_letter_most(const struct bus *);

/* Sends a letter of n bytes, at most bus_letter_most(). The function does not wait until the server has it, and the letter may be
 * lost, as one to an agent that has never called bus_listen() is; letters that arrive are in the order of the calls. */
int bus_send(struct bus *, const char *agent, const void *letter, size_t n, struct err_note *why) MUST_USE;

/* --- the logs of the partitions of a crawl
 *
 * The logs are a stream lycosa-NAME-log, in which each partition has the messages of the subject lycosa.NAME.log.PARTITION, which
 * stay. For bus_get(), bus_set() and bus_set_all() they are the values of the key "log.PARTITION", whose revisions are the
 * messages' numbers: they ascend, with gaps. So whoever adds a message must know the last one. */
#define BUS_LOG "log."

/* Makes the stream, unless it is there. Returns 0 or ERR_UNREACHABLE. */
int bus_log_open(struct bus *, struct err_note *why) MUST_USE;

/* Returns the most bytes of a message that the server takes; its limit may change while the agents run. */
size_t bus_log_most(const struct bus *);

/* Hands over the messages of a partition with numbers above `after`, up to `upto`, which is the number of the last message.
 * A call of `take` that returns a negative value ends the reading. Returns that value, 0, or an error. */
int bus_log_read(struct bus *, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx, struct err_note *why) MUST_USE;

#endif
