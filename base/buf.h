/* A growing run of bytes. A NUL that does not count always follows the bytes.
 *
 *	struct buf line = buf_of("%d pages", 3);             line.at is "3 pages", line.used is 7
 *	buf_release(&line); */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *at;    /* NULL while empty and never written to */
	size_t used; /* bytes */
	size_t room;
};

/* clang-format off */
#define BUF_EMPTY {NULL, 0, 0}
/* clang-format on */

/* Frees the memory and leaves the buffer empty. */
void buf_release(struct buf *b);

/* Makes the buffer empty and keeps its memory for later use. */
void buf_clear(struct buf *b);

/* Makes the memory larger, for buf_room(). */
char *buf_grow(struct buf *b, size_t n);

/* Makes room for n more bytes and returns the address behind the last used byte. The caller writes
 * up to n bytes there, adds their number to b->used, and calls buf_end(). */
static inline char *buf_room(struct buf *b, size_t n)
{
	return b->room - b->used > n ? b->at + b->used : buf_grow(b, n);
}

/* Writes the NUL behind the bytes, after the caller has changed b->used. */
static inline void buf_end(struct buf *b)
{
	*buf_room(b, 0) = 0;
}

/* Appends n bytes. */
void buf_add(struct buf *b, const void *bytes, size_t n);

/* Appends one byte. */
static inline void buf_byte(struct buf *b, int byte)
{
	*buf_room(b, 1) = (char)byte;
	b->at[++b->used] = 0;
}

/* Appends a NUL-terminated text. */
void buf_text(struct buf *b, const char *text);

/* Appends a text that is formatted as printf() does. */
void buf_format(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns a buffer that holds such a text. */
struct buf buf_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns such a text as a malloc'd string, which the caller owns. */
char *buf_made(const char *format, ...) __attribute__((format(printf, 1, 2), malloc));

/* Returns the contents as a malloc'd string, which the caller owns, and leaves the buffer empty. */
char *buf_take(struct buf *b);

/* Writes a variable-length integer, at most VARINT_MOST bytes: seven bits a byte, lowest bits first. Returns the end. */
#define VARINT_MOST 10
static inline uint8_t *varint_write(uint8_t *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (uint8_t)(value | 0x80);
	*to++ = (uint8_t)value;
	return to;
}

/* Returns the place of a signed integer in the series 0 -1 1 -2 2 ... */
static inline uint64_t zigzag_of(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

/* Appends a variable-length integer. */
void buf_varint(struct buf *b, uint64_t value);

/* Appends a signed integer as the varint of zigzag_of() it. */
void buf_zigzag(struct buf *b, int64_t value);

/* Reads an integer that buf_varint() wrote, and moves *at behind it. Returns 0, or -1 if the bytes
 * end too early or the integer overflows 64 bits. */
int varint_read_long(const uint8_t **at, const uint8_t *end, uint64_t *value);
static inline int varint_read(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	const uint8_t *p = *at;

	if (end - p < 2 || (p[0] >= 0x80 && p[1] >= 0x80)) /* most have a byte or two */
		return varint_read_long(at, end, value);
	*value = p[0] >= 0x80 ? (p[0] & 0x7fu) | (uint64_t)p[1] << 7 : p[0];
	*at = p + 1 + (p[0] >= 0x80);
	return 0;
}

/* Reads an integer that buf_zigzag() wrote, and moves *at behind it. Returns 0, or -1 if the bytes
 * end too early or the integer overflows 64 bits. */
int zigzag_read(const uint8_t **at, const uint8_t *end, int64_t *value);

/* Base64 (RFC 4648, section 4): bytes as text, with padding and without line breaks. */

/* Appends n bytes as base64, which are 4 characters for each 3 bytes begun. */
void base64_add(struct buf *out, const void *bytes, size_t n);

#endif
