#include "base/base64.h"

#include <stdint.h>

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
