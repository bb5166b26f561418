/* A growing run of bytes. The bytes are always followed by a NUL that does not count. */
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

void buf_release(struct buf *b);
void buf_clear(struct buf *b); /* keeps the memory */
void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_byte(struct buf *b, int byte);
void buf_text(struct buf *b, const char *text);
void buf_format(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for n more bytes; returns where they go. Follow with b->used += what was written and
 * buf_end(). */
char *buf_room(struct buf *b, size_t n);
void buf_end(struct buf *b);

/* The contents as a malloc'd string, which the caller owns; b is empty afterwards. */
char *buf_take(struct buf *b);

/* Variable-length integers: seven bits a byte, lowest first. */
void buf_varint(struct buf *b, uint64_t value);
/* Signed, small magnitudes first: 0 -1 1 -2 2 ... */
void buf_zigzag(struct buf *b, int64_t value);

/* Reads one from *at, which moves on; returns 0, or -1 where the bytes end or overflow 64 bits. */
int varint_read(const uint8_t **at, const uint8_t *end, uint64_t *value);
int zigzag_read(const uint8_t **at, const uint8_t *end, int64_t *value);

#endif
