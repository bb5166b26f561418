#include "storage/warc_rules.h"
#include "base/ascii.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "storage/warc_capture.h"

#include <arpa/inet.h>
#include <nettle/nettle-meta.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SHOWN 60 /* bytes of a value in a message */

/* The types of records, as bits. */
enum {
	WARCINFO = 1,
	RESPONSE = 2,
	RESOURCE = 4,
	REQUEST = 8,
	METADATA = 16,
	REVISIT = 32,
	CONVERSION = 64,
	CONTINUATION = 128,
	ALL = 255
};
static const char *const type_words[] = {"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion",
	"continuation"};

struct warc_rules {
	warc_breach_fn *tell;
	void *ctx;
	struct map ids;
	uint64_t records; /* of the file */
	unsigned type;    /* of the current record; 0: a type that the specification does not have */
	int is_1_0;
};

/* Tells a breach, with what a printf() of the last arguments says of it, of which control characters are '?'. */
#define breach(r, level, field, ...) \
	do { \
		struct err_note breach_text; \
		err_set(&breach_text, ERR_FORMAT, __VA_ARGS__); \
		(r)->tell((r)->ctx, level, field, breach_text.text); \
	} while (0)

/* --- the forms of values */

static int is_digits(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] < '0' || at[i] > '9')
			return 0;
	return n > 0;
}

static int is_number(const struct warc_rules *r, struct warc_span v)
{
	(void)r;
	return is_digits(v.at, v.n);
}

static int is_positive(const struct warc_rules *r, struct warc_span v)
{
	(void)r;
	while (v.n > 1 && *v.at == '0')
		v = (struct warc_span){v.at + 1, v.n - 1};
	return is_digits(v.at, v.n) && *v.at != '0';
}

/* An absolute URI: a scheme, and neither blanks nor control characters nor angle brackets. */
static int is_uri(const struct warc_rules *r, struct warc_span v)
{
	const char *colon = memchr(v.at, ':', v.n);

	(void)r;
	if (!colon || colon == v.at || !((*v.at | 0x20) >= 'a' && (*v.at | 0x20) <= 'z'))
		return 0;
	for (const char *p = v.at; p < v.at + v.n; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '<' || *p == '>')
			return 0;
	return 1;
}

static int is_bracketed(const struct warc_rules *r, struct warc_span v)
{
	return v.n > 2 && v.at[0] == '<' && v.at[v.n - 1] == '>' && is_uri(r, (struct warc_span){v.at + 1, v.n - 2});
}

/* WARC 1.0 has angle brackets in its grammar, and none in its examples. */
static int is_target(const struct warc_rules *r, struct warc_span v)
{
	return is_uri(r, v) || (r->is_1_0 && is_bracketed(r, v));
}

/* 2026-11-22T08:30:15Z; WARC 1.1 also allows less of it, from the year on, and fractions of a second. */
static int is_date(const struct warc_rules *r, struct warc_span v)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd";
	const size_t whole = sizeof form - 1;
	const size_t n = v.n && v.at[v.n - 1] == 'Z' ? v.n - 1 : v.n;

	for (size_t i = 0; i < n && i < whole; i++)
		if (form[i] == 'd' ? v.at[i] < '0' || v.at[i] > '9' : v.at[i] != form[i])
			return 0;
	if (n == whole)
		return n < v.n;
	if (r->is_1_0)
		return 0;
	if (n > whole)
		return n < v.n && v.at[whole] == '.' && n - whole - 1 <= 9 && is_digits(v.at + whole + 1, n - whole - 1);
	return n < v.n ? n == 16 : n == 4 || n == 7 || n == 10;
}

static int is_address(const struct warc_rules *r, struct warc_span v)
{
	char text[INET6_ADDRSTRLEN + 1] = "";
	unsigned char bytes[16];

	(void)r;
	memcpy(text, v.at, v.n < sizeof text ? v.n : 0);
	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static int is_labelled(const struct warc_rules *r, struct warc_span v)
{
	const char *colon = memchr(v.at, ':', v.n);

	(void)r;
	return colon && colon > v.at && colon + 1 < v.at + v.n && !memchr(v.at, ' ', v.n);
}

static int is_media_type(const struct warc_rules *r, struct warc_span v)
{
	const char *slash = memchr(v.at, '/', v.n);

	(void)r;
	return slash && slash > v.at && slash + 1 < v.at + v.n;
}

/* A known type; others are allowed, and readers pass over them. */
static int is_type(const struct warc_rules *r, struct warc_span v)
{
	(void)v;
	return r->type != 0;
}

static int is_truncation(const struct warc_rules *r, struct warc_span v)
{
	(void)r;
	return warc_is(v, "length") || warc_is(v, "time") || warc_is(v, "disconnect") || warc_is(v, "unspecified");
}

/* --- fields */

static const struct rule {
	const char *field;
	unsigned must, may; /* types that shall have the field, and types that may have it */
	int (*is_valid)(const struct warc_rules *, struct warc_span);
	const char *form; /* of the value, in words */
	enum warc_level level;
	int repeats;
} rules[] = {
	{"WARC-Record-ID", ALL, ALL, is_bracketed, "a URI between < and >", WARC_SHALL, 0},
	{"Content-Length", ALL, ALL, is_number, "a number of bytes", WARC_SHALL, 0},
	{"WARC-Date", ALL, ALL, is_date, "a UTC time such as 2026-11-22T08:30:15Z", WARC_SHALL, 0},
	{"WARC-Type", ALL, ALL, is_type, "one of the eight types", WARC_SHOULD, 0},
	{"Content-Type", 0, ALL, is_media_type, "a media type", WARC_SHALL, 0},
	{"WARC-Concurrent-To", 0, RESPONSE | RESOURCE | REQUEST | METADATA | REVISIT, is_bracketed, "a URI between < and >",
		WARC_SHALL, 1},
	{"WARC-Block-Digest", 0, ALL, is_labelled, "an algorithm, a colon and a digest", WARC_SHALL, 0},
	{"WARC-Payload-Digest", 0, ALL, is_labelled, "an algorithm, a colon and a digest", WARC_SHALL, 0},
	{"WARC-IP-Address", 0, RESPONSE | RESOURCE | REQUEST | METADATA | REVISIT, is_address, "an IP address", WARC_SHALL, 0},
	{"WARC-Refers-To", 0, METADATA | CONVERSION | REVISIT, is_bracketed, "a URI between < and >", WARC_SHALL, 0},
	{"WARC-Refers-To-Target-URI", 0, REVISIT, is_target, "a URI without brackets", WARC_SHALL, 0},
	{"WARC-Refers-To-Date", 0, REVISIT, is_date, "a UTC time", WARC_SHALL, 0},
	{"WARC-Target-URI", RESPONSE | RESOURCE | REQUEST | REVISIT | CONVERSION | CONTINUATION,
		(unsigned)ALL & ~(unsigned)WARCINFO, is_target, "a URI without brackets", WARC_SHALL, 0},
	{"WARC-Truncated", 0, ALL, is_truncation, "length, time, disconnect or unspecified", WARC_SHOULD, 0},
	{"WARC-Warcinfo-ID", 0, (unsigned)ALL & ~(unsigned)WARCINFO, is_bracketed, "a URI between < and >", WARC_SHALL, 0},
	{"WARC-Filename", 0, WARCINFO, NULL, "", WARC_SHALL, 0},
	{"WARC-Profile", REVISIT, ALL, is_uri, "a URI", WARC_SHALL, 0},
	{"WARC-Identified-Payload-Type", 0, ALL, is_media_type, "a media type", WARC_SHALL, 0},
	{"WARC-Segment-Number", CONTINUATION, ALL, is_positive, "a number from 1 on", WARC_SHALL, 0},
	{"WARC-Segment-Origin-ID", CONTINUATION, CONTINUATION, is_bracketed, "a URI between < and >", WARC_SHALL, 0},
	{"WARC-Segment-Total-Length", 0, CONTINUATION, is_number, "a number of bytes", WARC_SHALL, 0},
};
#define RULES (sizeof rules / sizeof *rules)

static const char *type_word(const struct warc_rules *r)
{
	for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
		if (r->type == 1u << i)
			return type_words[i];
	return "unknown";
}

/* Judges one field of the table by its value, and counts it. */
static void judge_field(const struct warc_rules *r, const struct rule *rule, struct warc_span value, unsigned count)
{
	if (count > 1 && !rule->repeats)
		breach(r, WARC_SHALL, rule->field, "stands %u times", count);
	if (r->type && !(rule->may & r->type))
		breach(r, WARC_SHALL, rule->field, "a %s record shall not have it", type_word(r));
	if (rule->is_valid && !rule->is_valid(r, value))
		breach(r, rule->level, rule->field, "'%.*s' is not %s", (int)(value.n < SHOWN ? value.n : SHOWN), value.at,
			rule->form);
}

/* --- the header */

static int is_token(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)at[i] <= ' ' || (unsigned char)at[i] >= 0x7f || strchr("()<>@,;:\\\"/[]?={}", at[i]))
			return 0;
	return n > 0;
}

/* Reads the version from the first line, and returns the lines behind it. */
static struct warc_span judge_version(struct warc_rules *r, struct warc_span header)
{
	const char *lf = memchr(header.at, '\n', header.n);
	const size_t n = lf ? (size_t)(lf - header.at) : header.n;
	const struct warc_span line = {header.at, n && header.at[n - 1] == '\r' ? n - 1 : n};

	r->is_1_0 = warc_is(line, "WARC/1.0");
	if (!r->is_1_0 && !warc_is(line, "WARC/1.1"))
		breach(r, WARC_SHALL, "", "the version '%.*s' is neither WARC/1.0 nor WARC/1.1",
			(int)(line.n < SHOWN ? line.n : SHOWN), line.at);
	if (line.n == n)
		breach(r, WARC_SHALL, "", "the first line does not end in CR LF");
	return (struct warc_span){header.at + (lf ? n + 1 : n), header.n - (lf ? n + 1 : n)};
}

/* Judges the lines of a header: their ends, names, and how often a field stands there. Adds to count[] by the rows of the table. */
static void judge_lines(const struct warc_rules *r, struct warc_span lines, unsigned count[RULES])
{
	const char *at = lines.at, *end = at + lines.n, *lf;
	int has_bare = 0;

	for (; at < end && (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1) {
		const char *stop = lf > at && lf[-1] == '\r' ? lf - 1 : lf;
		has_bare |= stop == lf;
		if (stop == at || *at == ' ' || *at == '\t')
			continue; /* the end of the header, or a line that continues the one before */
		const char *colon = memchr(at, ':', (size_t)(stop - at));
		if (!colon || !is_token(at, (size_t)(colon - at))) {
			breach(r, WARC_SHALL, "", "the line '%.*s' is no field", (int)(stop - at < SHOWN ? stop - at : SHOWN), at);
			continue;
		}
		for (size_t i = 0; i < RULES; i++)
			count[i] += (unsigned)warc_is((struct warc_span){at, (size_t)(colon - at)}, rules[i].field);
	}
	if (has_bare)
		breach(r, WARC_SHALL, "", "a line of the header does not end in CR LF");
}

/* --- digests */

/* Returns what a character stands for in an encoding of so many bits a character: base 16 and base 32 without regard to case, base
 * 64 in both of its alphabets; 64 if it has no place there. */
static uint32_t digit_of(char c, unsigned bits)
{
	static const char many[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
			  five[] = "abcdefghijklmnopqrstuvwxyz234567", four[] = "0123456789abcdef";
	const char *const alphabet = bits == 4 ? four : bits == 5 ? five : many;

	if (bits < 6 && c >= 'A' && c <= 'Z')
		c = (char)(c + 32);
	if (bits == 6 && (c == '-' || c == '_'))
		c = c == '-' ? '+' : '/';
	const char *p = memchr(alphabet, c, (size_t)1 << bits);
	return p ? (uint32_t)(p - alphabet) : 64;
}

/* Decodes a text of so many bits a character. Returns the number of bytes, 0 for a text that is none. */
static size_t decode(struct warc_span text, unsigned bits, uint8_t out[64])
{
	uint32_t held = 0;
	unsigned has = 0;
	size_t used = 0;

	for (size_t i = 0; i < text.n && text.at[i] != '='; i++) {
		const uint32_t digit = digit_of(text.at[i], bits);
		if (digit == 64 || used == 64)
			return 0;
		held = held << bits | digit;
		has += bits;
		if (has >= 8) {
			has -= 8;
			out[used++] = (uint8_t)(held >> has);
		}
	}
	return used;
}

/* Finds an algorithm by the name before the colon of a digest; NULL if it is not known. "sha-1" is sha1. */
static const struct nettle_hash *hash_of(struct warc_span said)
{
	const char *colon = memchr(said.at, ':', said.n);
	char name[16] = "";
	size_t n = 0;

	for (const char *p = said.at; colon && p < colon && n < sizeof name - 1; p++)
		if (*p != '-')
			name[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
	return nettle_lookup_hash(name);
}

size_t warc_digest_decode(struct warc_span said, uint8_t out[64])
{
	const struct nettle_hash *hash = hash_of(said);
	const char *colon = memchr(said.at, ':', said.n);

	if (!hash || hash->digest_size > 64)
		return 0;
	const struct warc_span value = {colon + 1, (size_t)(said.at + said.n - colon - 1)};
	const size_t size = hash->digest_size;
	/* the length tells the encoding, of which the specification names none */
	const unsigned bits = value.n == 2 * size ? 4 : value.n >= (8 * size + 4) / 5 ? 5 : 6;
	return decode(value, bits, out) == size ? size : 0;
}

enum digest_verdict warc_digest_verdict(struct warc_span said, struct warc_span bytes)
{
	const struct nettle_hash *hash = hash_of(said);
	uint8_t is[64], want[64];

	if (!memchr(said.at, ':', said.n))
		return DIGEST_MALFORMED;
	if (!hash || hash->digest_size > sizeof is)
		return DIGEST_UNKNOWN;
	const size_t size = warc_digest_decode(said, want);
	if (!size)
		return DIGEST_MALFORMED;
	void *context = mem_new(1, hash->context_size);
	hash->init(context);
	hash->update(context, bytes.n, (const uint8_t *)bytes.at);
	hash->digest(context, size, is);
	free(context);
	return memcmp(is, want, size) == 0 ? DIGEST_SAME : DIGEST_OTHER;
}

static void judge_digest(const struct warc_rules *r, const char *field, const char *what, enum digest_verdict verdict)
{
	if (verdict == DIGEST_OTHER)
		breach(r, WARC_SHALL, field, "the %s has another digest", what);
	else if (verdict == DIGEST_MALFORMED)
		breach(r, WARC_SHALL, field, "is no digest of its algorithm");
	else if (verdict == DIGEST_UNKNOWN)
		breach(r, WARC_SHOULD, field, "is of an algorithm that is not known here");
}

static void judge_digests(const struct warc_rules *r, const struct warc_item *item)
{
	static const char block_digest[] = "WARC-Block-Digest", payload_digest[] = "WARC-Payload-Digest";
	const struct warc_span block = warc_field(item->header, block_digest), payload = warc_field(item->header, payload_digest);
	struct capture c = {.time = 0};
	struct buf body = BUF_EMPTY;
	enum digest_verdict verdict = block.n ? warc_digest_verdict(block, item->block) : DIGEST_SAME;

	judge_digest(r, block_digest, "block", verdict);
	if (!payload.n || warc_field(item->header, "WARC-Truncated").n || !(r->type & (RESPONSE | RESOURCE | REQUEST)) ||
		warc_field(item->header, "WARC-Segment-Number").n || !capture_of_url(&c, item->header))
		return;
	/* what the payload is, programs do not agree on: the bytes behind the HTTP head, or these without chunks, or unpacked,
	 * too */
	(void)!capture_take(&c, item, SIZE_MAX, NULL);
	verdict = warc_digest_verdict(payload, capture_body(&c));
	if (verdict == DIGEST_OTHER && capture_join(&c, &body) == 0)
		verdict = warc_digest_verdict(payload, (struct warc_span){body.at ? body.at : "", body.used});
	buf_clear(&body);
	if (verdict == DIGEST_OTHER && capture_decode(&c, &body) == 0)
		verdict = warc_digest_verdict(payload, (struct warc_span){body.at ? body.at : "", body.used});
	judge_digest(r, payload_digest, "payload", verdict);
	buf_release(&body);
	capture_release(&c);
}

/* --- the record as a whole */

static void judge_http(const struct warc_rules *r, const struct warc_item *item)
{
	const struct warc_span type = warc_field(item->header, "Content-Type"), uri = warc_field(item->header, "WARC-Target-URI");
	const int is_http = uri.n > 5 && (ascii_same(uri.at, "http:", 5) || ascii_same(uri.at, "https", 5));
	struct warc_span head, rest;

	if (r->type == REVISIT && !item->block.n)
		return;
	if (!(r->type & (RESPONSE | REQUEST | REVISIT)) || !is_http || warc_field(item->header, "WARC-Segment-Number").n)
		return;
	if (type.n && !(type.n >= 16 && ascii_same(type.at, "application/http", 16)))
		breach(r, WARC_SHOULD, "Content-Type", "an HTTP message has the type application/http");
	else if (warc_split(item->block, &head, &rest))
		breach(r, WARC_SHOULD, "", "the HTTP head has no blank line behind it");
	else if (r->type != REQUEST && !(head.n > 5 && memcmp(head.at, "HTTP/", 5) == 0))
		breach(r, WARC_SHOULD, "", "the HTTP message has no status line");
}

static void judge_segments(const struct warc_rules *r, struct warc_span header)
{
	const struct warc_span number = warc_field(header, "WARC-Segment-Number");
	const int is_first = warc_is(number, "1");

	if (number.n && r->type && (r->type == CONTINUATION) == is_first)
		breach(r, WARC_SHALL, "WARC-Segment-Number",
			is_first ? "1 is the first segment, which is no continuation"
				 : "a segment behind the first is a continuation");
}

static void judge_record(struct warc_rules *r, const struct warc_item *item)
{
	const struct warc_span id = warc_field(item->header, "WARC-Record-ID"), profile = warc_field(item->header, "WARC-Profile");
	const size_t known = r->ids.used;

	if (id.n) {
		map_at(&r->ids, XXH3_64bits(id.at, id.n));
		if (r->ids.used == known)
			breach(r, WARC_SHALL, "WARC-Record-ID", "another record has the same");
	}
	if (item->block.n && r->type != CONTINUATION && !warc_field(item->header, "Content-Type").n)
		breach(r, WARC_SHOULD, "Content-Type", "is missing");
	if (r->type == REVISIT && memmem(profile.at, profile.n, "identical-payload-digest", 24) &&
		!warc_field(item->header, "WARC-Payload-Digest").n)
		breach(r, WARC_SHALL, "WARC-Payload-Digest", "a revisit of this profile shall have it");
	if (!item->is_ended)
		breach(r, WARC_SHALL, "", "the block is not followed by CR LF CR LF");
	if (item->place != WARC_NO_PLACE && !item->is_alone)
		breach(r, WARC_SHOULD, "", "the record shares its gzip member with others, so that no index can lead to it");
	if (r->records == 1 && r->type != WARCINFO)
		breach(r, WARC_SHOULD, "", "the first record of the file is no warcinfo record");
}

int warc_rules_record(struct warc_rules *r, const struct warc_item *record, struct err_note *why)
{
	struct warc_item whole = *record, *item = &whole;
	unsigned count[RULES] = {0};
	const struct warc_span type = warc_field(item->header, "WARC-Type");
	const int err = warc_item_block(record, SIZE_MAX, &whole.block, why);

	if (err)
		return err;
	whole.stream = NULL;
	r->records++;
	r->type = 0;
	for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
		if (warc_is(type, type_words[i]))
			r->type = 1u << i;
	judge_lines(r, judge_version(r, item->header), count);
	for (size_t i = 0; i < RULES; i++) {
		if (count[i])
			judge_field(r, &rules[i], warc_field(item->header, rules[i].field), count[i]);
		else if (rules[i].must & r->type || (!r->type && rules[i].must == ALL))
			breach(r, WARC_SHALL, rules[i].field, "is missing");
	}
	judge_segments(r, item->header);
	judge_record(r, item);
	judge_http(r, item);
	judge_digests(r, item);
	return 0;
}

void warc_rules_file(struct warc_rules *r)
{
	r->records = 0;
}

struct warc_rules *warc_rules_new(warc_breach_fn *tell, void *ctx)
{
	struct warc_rules *r = mem_zero(1, sizeof *r);

	*r = (struct warc_rules){.tell = tell, .ctx = ctx};
	map_init(&r->ids, sizeof(uint64_t));
	return r;
}

void warc_rules_free(struct warc_rules *r)
{
	if (r)
		map_release(&r->ids);
	free(r);
}
