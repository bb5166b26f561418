/* The messages of a partition's log (agents/bus.h). A message is a pack of records, compressed:
 *
 *	struct log_pack_out out = LOG_PACK_EMPTY;
 *	log_pack_add(&out, LOG_PACK_PAGE, 4711, bytes, n);
 *	log_pack_seal(&out, agent, &message);                                      `out` is empty again
 *	log_pack_out_release(&out);
 *
 *	struct log_pack in;
 *	err = log_pack_open(&in, message, n, why);
 *	while ((more = log_pack_next(&in, &record, why)) > 0) ...
 *	log_pack_release(&in);
 *
 * A record has a number, by log_pack_number(). In the log of a partition the numbers of one agent and one kind ascend. An agent
 * that is started again may add records that the log has already; so a reader skips a record whose number is not above the last one
 * of the same agent and kind.
 *
 * The bytes: a version (2; in version 1 the numbers had 8 bits for the records of an entry, and log_pack_next() widens them); a
 * varint of the agent, one of the unpacked length of the records, and the records, compressed by zlib. A record is one byte for its
 * kind, a varint of its number, a varint of its length, and its payload. A pack without records says that the partition has a new
 * owner. */
#ifndef AGENTS_LOG_PACK_H
#define AGENTS_LOG_PACK_H

#include "base/buf.h"
#include "base/err.h"

#define LOG_PACK_RAW_MAX ((size_t)64 << 20) /* bytes of the records of a pack */

enum log_pack_kind {
	LOG_PACK_LETTER =
		1, /* a letter to the partition was taken: varints of the sender and of the letter's number, and the letter */
	LOG_PACK_PAGE = 2,   /* a page of the partition has ended (crawler/agent/page_record.h) */
	LOG_PACK_QUEUED = 3, /* a page was queued that no letter leads to: its URL */
	LOG_PACK_REST =
		4 /* a host is to rest (Retry-After, back-off): a varint of the time until then, in ms since 1970, and the URL of a
				page of the host */
};

#define LOG_PACK_KINDS (LOG_PACK_REST + 1)

/* Returns the number of a record about an entry of the store's log. `before` is the number of the last record of the same kind in
 * the same log, or 0. The records of an entry are counted from 0 in the low 24 bits, so a number depends on the entry and on the
 * records of this entry alone: a process that begins at a later entry gives the same numbers as the process before it. */
uint64_t log_pack_number(uint64_t entry, uint64_t before);

/* What compresses packs. It takes a quarter of a megabyte, so those who write many packs of a few hundred bytes have one for
 * all. */
struct log_press;
struct log_press *log_press_new(void);
void log_press_free(struct log_press *); /* NULL is allowed */

struct log_pack_out {
	struct buf raw;
	uint64_t last;           /* the number of the last record */
	struct log_press *press; /* borrowed; NULL: log_pack_seal() makes one for the call */
};

/* clang-format off */
#define LOG_PACK_EMPTY {BUF_EMPTY, 0, NULL}
/* clang-format on */

/* Adds a record. */
void log_pack_add(struct log_pack_out *, enum log_pack_kind, uint64_t number, const void *bytes, size_t n);

/* Writes the records as a message of an agent, which replaces what *message has, and makes the pack empty. */
void log_pack_seal(struct log_pack_out *, unsigned agent, struct buf *message);

/* Frees the memory. */
void log_pack_out_release(struct log_pack_out *);

struct log_pack {
	unsigned agent;
	struct buf raw;
	const uint8_t *at; /* private */
	int version;       /* private */
};

struct log_pack_record {
	enum log_pack_kind kind;
	uint64_t number;
	const uint8_t *bytes; /* n; valid until log_pack_release() */
	size_t n;
};

/* Reads a message. Returns 0, or ERR_FORMAT if the bytes are none of this version; the caller calls log_pack_release() in each
 * case. */
int log_pack_open(struct log_pack *, const void *message, size_t n, struct err_note *why) MUST_USE;

/* Reads the next record. Returns 1, 0 at the end, or ERR_FORMAT. A record of a later version may have a kind that is none of enum
 * log_pack_kind; the next one can be read all the same. */
int log_pack_next(struct log_pack *, struct log_pack_record *, struct err_note *why) MUST_USE;

/* Frees the memory. */
void log_pack_release(struct log_pack *);

#endif
