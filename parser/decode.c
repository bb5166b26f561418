#include "parser/decode.h"
#include "parser/encoding.h"
#include "parser/utf8.h"

#include <errno.h>
#include <string.h>

void decoder_init(struct decoder *d, const char *encoding)
{
	*d = (struct decoder){.encoding = encoding};
}

void decoder_release(struct decoder *d)
{
	if (d->opened > 0)
		iconv_close(d->iconv);
	d->opened = 0;
}

static int is(const struct decoder *d, const char *encoding)
{
	return strcmp(d->encoding, encoding) == 0;
}

static int is_utf16(const struct decoder *d)
{
	return strncmp(d->encoding, "utf-16", 6) == 0;
}

int decoder_keeps_ascii(const struct decoder *d)
{
	return !is_utf16(d) && !is(d, "iso-2022-jp") && !is(d, "replacement");
}

uint32_t decode_windows_1252(unsigned char byte)
{
	static const uint16_t c1[32] = {0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
		0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122,
		0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178};

	return byte >= 0x80 && byte < 0xa0 ? c1[byte - 0x80] : byte;
}

static void add(struct buf *out, uint32_t c)
{
	out->used += utf8_write(buf_room(out, 4), c);
}

/* Decodes an encoding of one byte for each character: one that needs no iconv, or any if iconv does not have it. */
static void decode_bytes(const struct decoder *d, const char *bytes, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)bytes[i];
		if (c < 0x80)
			add(out, c);
		else if (is(d, "windows-1252"))
			add(out, decode_windows_1252(c));
		else
			add(out, is(d, "x-user-defined") ? 0xf780u + c - 0x80 : UTF8_REPLACEMENT);
	}
}

static void decode_utf8(const char *bytes, size_t n, struct buf *out)
{
	for (const char *end = bytes + n; bytes < end;) {
		uint32_t c = utf8_read(&bytes, end);
		add(out, c == UTF8_MALFORMED ? UTF8_REPLACEMENT : c);
	}
}

/* Returns the character for malformed bytes at *at, of which n > 0 are left, and moves *at behind them. As the standard says,
 * bytes that a windows code page leaves undefined become the C1 controls; a lone 0x80, which iconv refuses, has a character in
 * gb18030, gbk and shift_jis; and an ASCII byte after an invalid lead byte is kept. */
static uint32_t replace(const struct decoder *d, const char **at, size_t n)
{
	uint8_t byte = (uint8_t)(*at)[0];
	int is_windows = strncmp(d->encoding, "windows-", 8) == 0;
	size_t skipped = 1;

	if (is_utf16(d) || (!is_windows && n > 1 && (uint8_t)(*at)[1] >= 0x80 && strncmp(d->encoding, "iso-8859", 8) != 0))
		skipped = 2;
	if (byte == 0x80 && (strncmp(d->encoding, "gb", 2) == 0 || is(d, "shift_jis"))) {
		++*at;
		return is(d, "shift_jis") ? byte : 0x20ac;
	}
	*at += skipped < n ? skipped : n;
	return is_windows && byte >= 0x80 && byte < 0xa0 ? byte : UTF8_REPLACEMENT;
}

/* Decodes by iconv; malformed bytes become what replace() returns. */
static void decode_iconv(struct decoder *d, const char *bytes, size_t n, struct buf *out)
{
	const char *end = bytes + n;

	iconv(d->iconv, NULL, NULL, NULL, NULL);
	while (bytes <= end) {
		int flush = bytes == end;
		char *in = (char *)(uintptr_t)bytes, *to = buf_room(out, 64);
		size_t in_left = (size_t)(end - bytes), room = out->room - out->used - 1;
		size_t before = room;
		size_t result = flush ? iconv(d->iconv, NULL, NULL, &to, &room) : iconv(d->iconv, &in, &in_left, &to, &room);
		int err = errno;
		bytes = in;
		out->used += before - room;
		if (flush)
			break;
		if (result != (size_t)-1)
			continue;
		if (err == E2BIG)
			buf_room(out, 2 * in_left + 64);
		else
			add(out, replace(d, &bytes, in_left));
	}
}

void decode(struct decoder *d, const char *bytes, size_t n, struct buf *out)
{
	const char *name = encoding_iconv(d->encoding);

	if (is(d, "utf-8")) {
		decode_utf8(bytes, n, out);
	} else if (is(d, "replacement")) {
		if (n)
			add(out, UTF8_REPLACEMENT);
	} else {
		if (!d->opened) {
			d->opened = -1;
			d->iconv = name && !is(d, "windows-1252") ? iconv_open("UTF-8", name) : (iconv_t)-1;
			if (d->iconv != (iconv_t)-1)
				d->opened = 1;
		}
		if (d->opened > 0)
			decode_iconv(d, bytes, n, out);
		else
			decode_bytes(d, bytes, n, out);
	}
	buf_end(out);
}
