/* The struct of a bus, for the files that call libnats: bus.c, bus_stream.c, bus_log.c and bus_answers.c. No other file includes
 * this header. */
#ifndef AGENTS_BUS_PARTS_H
#define AGENTS_BUS_PARTS_H

#include "agents/bus.h"

#ifdef HAVE_NATS

#include <nats/nats.h>

struct bus {
	struct bus_url url;
	natsConnection *connection;
	jsCtx *js;
	kvStore *bucket;
	natsSubscription *watch, *letters;
	/* agents/bus_answers.c: answers have the subjects ANSWER_BOX.NUMBER */
	natsSubscription *answers; /* NULL before the first question */
	char answer_box[64];
	uint64_t asked, answered;    /* the number of the last question, and of the last one of earlier rounds */
	char name[BUS_NAME_MAX + 8]; /* of bucket and stream */
};

/* Sets the note "cannot WHAT at the NATS server: WORDS". Returns ERR_UNREACHABLE. */
int bus_refused(const struct bus *, const char *what, const char *words, struct err_note *why);

/* Does the same with the words of a status of the library. */
int bus_unreachable(const struct bus *, const char *what, natsStatus, struct err_note *why);

/* Makes a stream. It is no error if the server answers that the name is in use or that the subjects overlap with another stream's,
 * and a stream of this name takes the first of the subjects: another agent has made it in the same moment, or an agent of another
 * version with other limits. *code is the server's error. */
natsStatus bus_make_stream(struct bus *, jsStreamConfig *, jsErrCode *code);

/* Reads the last message of a subject of a stream: its bytes into *out, its *number and when it was written, in ms since 1970.
 * Returns 1; 0 if there is none, or it says that a key was deleted; or an error. *number is 0 if there is none. */
int bus_last(struct bus *, const char *stream, const char *subject, const char *what, struct buf *out, uint64_t *number,
	int64_t *time, struct err_note *why);

/* --- bus_answers.c: values that a stream takes if the value before them is the one that the caller knows, many in one wait
 *
 *	natsStatus s = bus_ask_begin(b);
 *	for (i = 0; s == NATS_OK && i < n; i++)
 *		s = bus_ask(b, subject[i], bytes[i], length[i], last[i]);
 *	err = bus_answers(b, s, answers, n, "write a key", why);
 *
 * What costs is not a message but the wait for its answer: in it the server, the library's threads and the caller's thread each
 * wake once, whether one message travels or hundreds. */

/* Begins a round of questions. */
natsStatus bus_ask_begin(struct bus *);

/* Sends n bytes to a subject of a stream, which adds them if the number of its last message with this subject is `last`; 0: if it
 * has none. */
natsStatus bus_ask(struct bus *, const char *subject, const void *bytes, size_t n, uint64_t last);

/* The answer to a question: `result` is 1, and the message has this number; 0, and another message is the last; or an error, after
 * which the message may have been added or not; ERR_TOO_BIG: the stream does not take so large a message, and has not added it. */
struct bus_answer {
	int result;
	uint64_t number;
	int is_there; /* private */
};

/* Waits for the answers to the `count` questions of the round; `s` is the status of their sending. Returns 0 or the first error. */
int bus_answers(struct bus *, natsStatus s, struct bus_answer *, size_t count, const char *what, struct err_note *why);

#endif

#endif
