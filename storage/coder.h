/* How a record lies in the store, told once: a function that passes each field of a struct to a coder both writes and reads the
 * record, so that the two cannot differ. A coder that writes appends to `out`, and returns what it was given. A coder that reads
 * returns the field of the record, which may be damaged: what is missing or too large sets is_bad and is 0, and so is all behind
 * it.
 *
 *	struct coder c = {.out = &buf};                      or {.at = bytes, .end = bytes + n}
 *	x.count = (uint32_t)code_count(&c, x.count, UINT32_MAX);
 *	if (c.is_bad) ... */
#ifndef STORAGE_CODER_H
#define STORAGE_CODER_H

#include "base/buf.h"

#include <assert.h>
#include <endian.h>
#include <stdint.h>
#include <string.h>

struct coder {
	struct buf *out; /* NULL: reads */
	const uint8_t *at, *end;
	int is_bad;
};

/* Ends a coder that reads. Returns 0, which is the value of the field. */
static inline uint64_t code_bad(struct coder *c)
{
	c->is_bad = 1;
	c->at = c->end;
	return 0;
}

/* A varint, `most` at most. */
static inline uint64_t code_count(struct coder *c, uint64_t value, uint64_t most)
{
	if (c->out)
		buf_varint(c->out, value);
	else if (varint_read(&c->at, c->end, &value) || value > most)
		return code_bad(c);
	return value;
}

/* A signed number, as a zigzag varint. */
static inline int64_t code_signed(struct coder *c, int64_t value)
{
	if (c->out)
		buf_zigzag(c->out, value);
	else if (zigzag_read(&c->at, c->end, &value))
		return (int64_t)code_bad(c);
	return value;
}

/* A number that is stored as its difference from another one. */
static inline int64_t code_since(struct coder *c, int64_t from, int64_t value)
{
	const int64_t more = code_signed(c, c->out ? value - from : 0);

	return c->out ? value : __builtin_add_overflow(from, more, &value) ? (int64_t)code_bad(c) : value;
}

static inline uint8_t code_byte(struct coder *c, unsigned value)
{
	if (c->out)
		buf_byte(c->out, (int)value);
	else
		value = c->at < c->end ? *c->at++ : (unsigned)code_bad(c);
	return (uint8_t)value;
}

/* Eight bytes, the lowest first. */
static inline uint64_t code_hash(struct coder *c, uint64_t value)
{
	uint64_t bytes = htole64(value);

	if (c->out) {
		buf_add(c->out, &bytes, sizeof bytes);
		return value;
	}
	if (c->end - c->at < (ptrdiff_t)sizeof bytes)
		return code_bad(c);
	memcpy(&bytes, c->at, sizeof bytes);
	c->at += sizeof bytes;
	return le64toh(bytes);
}

/* A text of fewer than `most` bytes, and its NUL. NULL is written as "". */
static inline const char *code_text(struct coder *c, const char *text, size_t most)
{
	if (c->out) {
		const size_t n = text ? strlen(text) : 0;
		assert(n < most);
		buf_add(c->out, text ? text : "", n + 1);
		return text;
	}
	const size_t rest = (size_t)(c->end - c->at);
	const uint8_t *nul = rest ? memchr(c->at, 0, rest < most ? rest : most) : NULL;
	if (!nul) {
		code_bad(c);
		return "";
	}
	text = (const char *)c->at;
	c->at = nul + 1;
	return text;
}

/* n bytes. */
static inline const void *code_bytes(struct coder *c, const void *bytes, size_t n)
{
	if (c->out) {
		buf_add(c->out, bytes, n);
		return bytes;
	}
	bytes = c->at;
	if (n > (size_t)(c->end - c->at))
		code_bad(c);
	else
		c->at += n;
	return bytes;
}

#endif
