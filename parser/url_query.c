/* The query of a link in a document whose encoding is not UTF-8. */
#include "parser/decode.h"
#include "parser/url.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <iconv.h>
#include <string.h>

/* How an encoding's encoder differs from iconv's. */
enum family { SINGLE_BYTE, MULTI_BYTE, GBK, BIG5, SHIFT_JIS, EUC_JP, ISO_2022_JP, USER_DEFINED };

struct encoder {
	const char *name;
	enum family family;
	iconv_t cd;
	int shifted; /* ISO-2022-JP: to Roman (1) or JIS X 0208 (2) by the last escape */
};

static enum family family_of(const char *name)
{
	static const struct {
		const char *name;
		enum family family;
	} known[] = {{"gbk", GBK}, {"gb18030", MULTI_BYTE}, {"euc-kr", MULTI_BYTE}, {"big5", BIG5}, {"shift_jis", SHIFT_JIS},
		{"euc-jp", EUC_JP}, {"iso-2022-jp", ISO_2022_JP}, {"x-user-defined", USER_DEFINED}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(name, known[i].name) == 0)
			return known[i].family;
	}
	return SINGLE_BYTE;
}

/* Says whether the query is encoded as UTF-8: the standard does so for UTF-16 and for the encoding "replacement". */
static int is_in_utf8(const char *name)
{
	return strncmp(name, "utf-", 4) == 0 || strcmp(name, "replacement") == 0;
}

static int encoder_open(struct encoder *e, const char *name)
{
	*e = (struct encoder){name, family_of(name), (iconv_t)-1, 0};
	if (is_in_utf8(name) || encoding_name(name, strlen(name)) == NULL)
		return -1;
	if (e->family == USER_DEFINED)
		return 0;
	/* the three Japanese encodings share a character set, which in iconv only CP932 has as the standard defines it */
	const int japanese = e->family == EUC_JP || e->family == ISO_2022_JP;
	e->cd = iconv_open(japanese ? "CP932" : encoding_iconv(name), "UTF-8");
	return e->cd == (iconv_t)-1 ? -1 : 0;
}

static void encoder_close(struct encoder *e)
{
	if (e->cd != (iconv_t)-1)
		iconv_close(e->cd);
}

/* Converts a code point by iconv. Returns the number of bytes; 0 if the encoding does not have it. */
static size_t convert(struct encoder *e, uint32_t c, char to[8])
{
	char in[4], *from = in, *end = to;
	size_t in_left = utf8_write(in, c), room = 8;

	iconv(e->cd, NULL, NULL, NULL, NULL);
	if (iconv(e->cd, &from, &in_left, &end, &room) != 0)
		return 0;
	/* flushes a character that iconv holds back because a combining mark might follow */
	return iconv(e->cd, NULL, NULL, &end, &room) == 0 ? (size_t)(end - to) : 0;
}

/* Says whether a Windows code page leaves the byte of a C1 control undefined: the standard encodes the control as this byte. Bit i
 * of `spare` stands for 0x80 + i. */
static int is_spare_control(const char *name, uint32_t c)
{
	static const struct {
		const char *name;
		uint32_t spare;
	} page[] = {
		{"windows-1250", 0x0101010a},
		{"windows-1251", 0x01000000},
		{"windows-1252", 0x2001a002},
		{"windows-1253", 0xf501f502},
		{"windows-1254", 0x6001e002},
		{"windows-1255", 0xf401f402},
		{"windows-1257", 0x9501150a},
		{"windows-1258", 0x6401e402},
	};

	for (size_t i = 0; i < sizeof page / sizeof *page; i++) {
		if (strcmp(name, page[i].name) == 0)
			return page[i].spare >> (c - 0x80) & 1;
	}
	return 0;
}

static size_t encode_single(struct encoder *e, uint32_t c, char to[8])
{
	static const struct {
		const char *name;
		uint32_t c;
		uint8_t byte;
	} other[] = {{"koi8-u", 0x40e, 0xbe}, {"koi8-u", 0x45e, 0xae}, {"macintosh", 0x2206, 0xc6}, {"windows-1255", 0x5ba, 0xca},
		{"x-mac-cyrillic", 0x20ac, 0xff}};

	if (c < 0xa0 && is_spare_control(e->name, c)) {
		to[0] = (char)c;
		return 1;
	}
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		if (c == other[i].c && strcmp(e->name, other[i].name) == 0) {
			to[0] = (char)other[i].byte;
			return 1;
		}
	}
	return convert(e, c, to) == 1;
}

/* Says whether iconv's CP932 encodes a code point that the standard does not. */
static int is_not_japanese(uint32_t c)
{
	return c == 0xa2 || c == 0xa3 || c == 0xac || c == 0x2014 || c == 0x2016 || c == 0x301c || (c >= 0xe000 && c < 0xf900);
}

static size_t encode_shift_jis(struct encoder *e, uint32_t c, char to[8])
{
	if (c == 0xa5 || c == 0x203e) { /* yen and overline, in JIS-Roman */
		to[0] = c == 0xa5 ? '\\' : '~';
		return 1;
	}
	return is_not_japanese(c) ? 0 : convert(e, c == 0x2212 ? 0xff0d : c, to);
}

/* Converts the bytes of Shift_JIS to those of EUC-JP, by row and cell. IBM's extensions lie beyond the 94 rows of EUC-JP; the
 * copies that NEC placed within these rows, in another order, are used. */
static size_t encode_euc_jp(struct encoder *e, uint32_t c, char to[8])
{
	enum { CELLS = 94, IBM = 10716, IBM_SYMBOLS = 10737, IBM_KANJI = 10744, NEC_KANJI = 8272 };
	size_t n = encode_shift_jis(e, c, to);

	if (n == 1 && (uint8_t)to[0] >= 0xa0) { /* half-width katakana */
		to[1] = to[0];
		to[0] = (char)0x8e;
		return 2;
	}
	if (n < 2)
		return n;
	int lead = (uint8_t)to[0], trail = (uint8_t)to[1];
	int place = (lead - (lead < 0xa0 ? 0x81 : 0xc1)) * 2 * CELLS + trail - (trail < 0x7f ? 0x40 : 0x41);
	if (place >= IBM_KANJI)
		place += NEC_KANJI - IBM_KANJI;
	else if (place >= IBM_SYMBOLS)
		place += NEC_KANJI + 373 - IBM_SYMBOLS;
	else if (place >= IBM)
		place += NEC_KANJI + 362 - IBM;
	to[0] = (char)(0xa1 + place / CELLS);
	to[1] = (char)(0xa1 + place % CELLS);
	return 2;
}

/* Encodes a code point that is not ASCII, without shift sequences. Returns the number of bytes; 0 if the encoding does not have
 * it. */
static size_t encode(struct encoder *e, uint32_t c, char to[8])
{
	size_t n;

	switch (e->family) {
	case SINGLE_BYTE:
		return encode_single(e, c, to);
	case USER_DEFINED:
		to[0] = (char)(c - 0xf780 + 0x80);
		return c >= 0xf780 && c < 0xf800;
	case GBK:
		if (c == 0x20ac) {
			to[0] = (char)0x80;
			return 1;
		}
		n = convert(e, c, to);
		return n <= 2 ? n : 0;
	case BIG5:
		n = convert(e, c, to);
		return n == 2 && (uint8_t)to[0] >= 0xa1 ? n : 0; /* codes below belong to Hong Kong's extension */
	case SHIFT_JIS:
		return encode_shift_jis(e, c, to);
	case EUC_JP:
	case ISO_2022_JP:
		return encode_euc_jp(e, c, to);
	case MULTI_BYTE:
		break;
	}
	return convert(e, c, to);
}

static void add(struct buf *out, const char *bytes, size_t n)
{
	char *to = buf_room(out, 3 * n);

	out->used = (size_t)(url_encode(to, bytes, bytes + n, URL_IN_QUERY) - out->at);
}

/* Writes the escape that leads from one of ISO-2022-JP's sets to another. */
static void shift(struct buf *out, struct encoder *e, int to)
{
	static const char *const escape[] = {"\33(B", "\33(J", "\33$B"};

	if (e->family == ISO_2022_JP && e->shifted != to)
		add(out, escape[to], 3);
	e->shifted = to;
}

/* Returns the full-width form of a half-width katakana, which ISO-2022-JP does not have; the table is in the order of U+FF61. Any
 * other code point is returned unchanged. */
static uint32_t full_width(uint32_t c)
{
	static const uint16_t kana[] = {0x3002, 0x300c, 0x300d, 0x3001, 0x30fb, 0x30f2, 0x30a1, 0x30a3, 0x30a5, 0x30a7, 0x30a9,
		0x30e3, 0x30e5, 0x30e7, 0x30c3, 0x30fc, 0x30a2, 0x30a4, 0x30a6, 0x30a8, 0x30aa, 0x30ab, 0x30ad, 0x30af, 0x30b1,
		0x30b3, 0x30b5, 0x30b7, 0x30b9, 0x30bb, 0x30bd, 0x30bf, 0x30c1, 0x30c4, 0x30c6, 0x30c8, 0x30ca, 0x30cb, 0x30cc,
		0x30cd, 0x30ce, 0x30cf, 0x30d2, 0x30d5, 0x30d8, 0x30db, 0x30de, 0x30df, 0x30e0, 0x30e1, 0x30e2, 0x30e4, 0x30e6,
		0x30e8, 0x30e9, 0x30ea, 0x30eb, 0x30ec, 0x30ed, 0x30ef, 0x30f3, 0x309b, 0x309c};

	return c >= 0xff61 && c <= 0xff9f ? kana[c - 0xff61] : c;
}

/* Appends a code point of a query in the encoding, percent-encoded; if the encoding does not have it, as the numeric reference
 * "&#N;", percent-encoded. */
static void add_point(struct buf *out, struct encoder *e, uint32_t c)
{
	char bytes[8];
	const int escaping = c == 0x0e || c == 0x0f || c == 0x1b;

	if (e->family == ISO_2022_JP)
		c = escaping ? UTF8_REPLACEMENT : full_width(c);
	if (c < 0x80) {
		shift(out, e, 0);
		bytes[0] = (char)c;
		add(out, bytes, 1);
		return;
	}
	size_t n = encode(e, c, bytes);
	shift(out, e, n == 2 ? 2 : n == 1);
	if (n == 0) {
		buf_format(out, "%%26%%23%u%%3B", (unsigned)c);
		return;
	}
	for (size_t i = 0; i < n && e->family == ISO_2022_JP; i++)
		bytes[i] = (char)(bytes[i] & 0x7f);
	add(out, bytes, n);
}

int url_query_in(struct buf *out, const char *query, size_t n, const char *encoding)
{
	const char *end = query + n;
	struct encoder e;

	if (encoder_open(&e, encoding))
		return -1;
	while (query < end && out->used <= URL_MAX)
		add_point(out, &e, utf8_read(&query, end));
	shift(out, &e, 0);
	encoder_close(&e);
	return 0;
}
