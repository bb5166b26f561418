#include "base/buf.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_release(struct buf *b)
{
	free(b->at);
	*b = (struct buf)BUF_EMPTY;
}

void buf_clear(struct buf *b)
{
	b->used = 0;
	if (b->at)
		b->at[0] = 0;
}

char *buf_grow(struct buf *b, size_t n)
{
	b->at = mem_grow(b->at, &b->room, b->used + n + 1, 1);
	return b->at + b->used;
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	char *to = buf_room(b, n);

	if (n)
		memcpy(to, bytes, n);
	to[n] = 0;
	b->used += n;
}

void buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static void format_list(struct buf *b, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	const int n = ascii_format_list(NULL, 0, format, args);
	if (n > 0) {
		ascii_format_list(buf_room(b, (size_t)n), (size_t)n + 1, format, again);
		b->used += (size_t)n;
	}
	va_end(again);
}

void buf_format(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_list(b, format, args);
	va_end(args);
}

struct buf buf_of(const char *format, ...)
{
	struct buf b = BUF_EMPTY;
	va_list args;

	va_start(args, format);
	format_list(&b, format, args);
	va_end(args);
	return b;
}

char *buf_made(const char *format, ...)
{
	struct buf b = BUF_EMPTY;
	va_list args;

	va_start(args, format);
	format_list(&b, format, args);
	va_end(args);
	return buf_take(&b);
}

char *buf_take(struct buf *b)
{
	buf_end(b);
	char *text = b->at;
	*b = (struct buf)BUF_EMPTY;
	return text;
}

void buf_varint(struct buf *b, uint64_t value)
{
	uint8_t *to = (uint8_t *)buf_room(b, VARINT_MOST);

	b->used += (size_t)(varint_write(to, value) - to);
}

void buf_zigzag(struct buf *b, int64_t value)
{
	buf_varint(b, zigzag_of(value));
}

int varint_read_long(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < end; shift += 7) {
		uint8_t byte = *(*at)++;
		if (shift == 63 && byte > 1)
			return -1;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*value = v;
			return 0;
		}
		if (shift == 63)
			return -1;
	}
	return -1;
}

int zigzag_read(const uint8_t **at, const uint8_t *end, int64_t *value)
{
	uint64_t v;

	if (varint_read(at, end, &v))
		return -1;
	*value = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
	return 0;
}

void base64_add(struct buf *out, const void *bytes, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const size_t size = (n + 2) / 3 * 4;
	const unsigned char *p = bytes;
	char *to = buf_room(out, size);

	for (; n; n -= n < 3 ? n : 3, p += 3, to += 4) {
		const uint32_t bits = (uint32_t)p[0] << 16 | (n > 1 ? (uint32_t)p[1] << 8 : 0u) | (n > 2 ? (uint32_t)p[2] : 0u);
		to[0] = digit[bits >> 18];
		to[1] = digit[bits >> 12 & 63];
		to[2] = n > 1 ? digit[bits >> 6 & 63] : '=';
		to[3] = n > 2 ? digit[bits & 63] : '=';
	}
	out->used += size;
	buf_end(out);
}
