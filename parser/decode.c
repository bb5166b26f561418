#include "parser/decode.h"
#include "base/ascii.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <errno.h>
#include <stddef.h>
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

/* The names of encodings: the standard's name, and its labels with blanks between; the most frequent first. iconv's decoders
 * differ from the standard's in a few bytes only; the differences of its encoders are corrected in url_query.c. */
static const struct {
	const char *name, *iconv, *labels;
} encoding[] = {
	{"utf-8", "UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8"},
	{"windows-1252", "CP1252",
		"ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
		"iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252"},
	{"ibm866", "CP866", "866 cp866 csibm866"},
	{"iso-8859-2", "ISO-8859-2",
		"csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 "
		"latin2"},
	{"iso-8859-3", "ISO-8859-3",
		"csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 "
		"latin3"},
	{"iso-8859-4", "ISO-8859-4",
		"csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 "
		"latin4"},
	{"iso-8859-5", "ISO-8859-5",
		"csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
		"iso_8859-5:1988"},
	{"iso-8859-6", "ISO-8859-6",
		"arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 "
		"iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 "
		"iso_8859-6:1987"},
	{"iso-8859-7", "ISO-8859-7",
		"csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 "
		"iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"},
	{"iso-8859-8", "ISO-8859-8",
		"csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 "
		"iso88598 iso_8859-8 iso_8859-8:1988 visual"},
	{"iso-8859-8-i", "ISO-8859-8", "csiso88598i logical"},
	{"iso-8859-10", "ISO-8859-10", "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
	{"iso-8859-13", "ISO-8859-13", "iso8859-13 iso885913"},
	{"iso-8859-14", "ISO-8859-14", "iso8859-14 iso885914"},
	{"iso-8859-15", "ISO-8859-15", "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"},
	{"iso-8859-16", "ISO-8859-16", ""},
	{"koi8-r", "KOI8-R", "cskoi8r koi koi8 koi8_r"},
	{"koi8-u", "KOI8-U", "koi8-ru"},
	{"macintosh", "MACINTOSH", "csmacintosh mac x-mac-roman"},
	{"windows-874", "CP1162", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"},
	{"windows-1250", "CP1250", "cp1250 x-cp1250"},
	{"windows-1251", "CP1251", "cp1251 x-cp1251"},
	{"windows-1253", "CP1253", "cp1253 x-cp1253"},
	{"windows-1254", "CP1254",
		"cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
		"iso_8859-9:1989 l5 latin5 x-cp1254"},
	{"windows-1255", "CP1255", "cp1255 x-cp1255"},
	{"windows-1256", "CP1256", "cp1256 x-cp1256"},
	{"windows-1257", "CP1257", "cp1257 x-cp1257"},
	{"windows-1258", "CP1258", "cp1258 x-cp1258"},
	{"x-mac-cyrillic", "MAC-UK", "x-mac-ukrainian"},
	{"gbk", "GB18030", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk"},
	{"gb18030", "GB18030", ""},
	{"big5", "BIG5-HKSCS", "big5-hkscs cn-big5 csbig5 x-x-big5"},
	{"euc-jp", "EUC-JP-MS", "cseucpkdfmtjapanese x-euc-jp"},
	{"iso-2022-jp", "ISO-2022-JP", "csiso2022jp"},
	{"shift_jis", "CP932", "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis"},
	{"euc-kr", "CP949",
		"cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 "
		"ksc5601 ksc_5601 windows-949"},
	{"replacement", NULL, "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr"},
	{"utf-16be", "UTF-16BE", "unicodefffe"},
	{"utf-16le", "UTF-16LE", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16"},
	{"x-user-defined", NULL, ""},
};

static int is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

const char *encoding_name(const char *label, size_t n)
{
	while (n && is_space(*label)) {
		label++;
		n--;
	}
	while (n && is_space(label[n - 1]))
		n--;
	if (!n)
		return NULL; /* as of most answers, whose Content-Type names none */
	for (size_t i = 0; i < sizeof encoding / sizeof *encoding; i++) {
		const char *name = encoding[i].name;
		if (ascii_is_among(label, n, name) || ascii_is_among(label, n, encoding[i].labels))
			return name;
	}
	return NULL;
}

const char *encoding_iconv(const char *name)
{
	for (size_t i = 0; i < sizeof encoding / sizeof *encoding; i++) {
		if (strcmp(encoding[i].name, name) == 0)
			return encoding[i].iconv;
	}
	return NULL;
}

void decode_prepare(void)
{
	AUTO(buf) domain = BUF_EMPTY;

	(void)!url_idna(&domain, "b\xc3\xbc\x63her.test", sizeof "b\xc3\xbc\x63her.test" - 1);
	for (size_t i = 0; i < sizeof encoding / sizeof *encoding; i++)
		if (encoding[i].iconv) {
			(void)iconv_open("UTF-8", encoding[i].iconv);
			(void)iconv_open(encoding[i].iconv, "UTF-8");
		}
}
