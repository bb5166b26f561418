#include "storage/warc_pack.h"
#include "base/mem.h"

#include <libdeflate.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

void warc_make_id(char id[WARC_ID_SIZE])
{
	unsigned char b[16];

	if (getrandom(b, sizeof b, 0) != sizeof b)
		abort();
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	snprintf(id, WARC_ID_SIZE, "<urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x>", b[0], b[1],
		b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

void warc_make_date(char date[WARC_DATE_SIZE], int64_t ms)
{
	const time_t seconds = (time_t)(ms / 1000);
	struct tm tm = {0};

	gmtime_r(&seconds, &tm);
	const size_t n = strftime(date, WARC_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(date + n, WARC_DATE_SIZE - n, ".%03dZ", (int)(ms % 1000));
}

void warc_make_digest(char text[WARC_DIGEST_SIZE], const unsigned char digest[WARC_SHA1_SIZE])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	size_t n = 5;

	memcpy(text, "sha1:", n);
	for (unsigned bit = 0; bit < 8 * WARC_SHA1_SIZE; bit += 5) {
		unsigned five = 0;
		for (unsigned i = bit; i < bit + 5; i++)
			five = five << 1 | ((unsigned)digest[i / 8] >> (7 - i % 8) & 1u);
		text[n++] = letters[five];
	}
	text[n] = 0;
}

void warc_digest(unsigned char digest[WARC_SHA1_SIZE], const char *at, size_t n)
{
	struct sha1_ctx sha;

	sha1_init(&sha);
	sha1_update(&sha, n, (const uint8_t *)at);
	sha1_digest(&sha, WARC_SHA1_SIZE, digest);
}

void warc_pack_begin(struct warc_pack *r, const char *type, const char *id, const char *date)
{
	buf_clear(&r->text);
	buf_format(&r->text, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Date: %s\r\n", type, id, date);
}

void warc_pack_field(struct warc_pack *r, const char *name, const char *value)
{
	buf_format(&r->text, "%s: %s\r\n", name, value);
}

void warc_pack_target(struct warc_pack *r, const char *name, struct warc_bytes url)
{
	buf_format(&r->text, "%s: %.*s\r\n", name, (int)url.n, url.at);
}

uint64_t warc_pack_end(struct warc_pack *r, const char *type, struct warc_bytes head, struct warc_bytes body)
{
	struct libdeflate_compressor *const c = r->compressor ? r->compressor : libdeflate_alloc_compressor(r->level);

	if (!c)
		mem_exhausted();
	r->compressor = c;
	warc_pack_field(r, "Content-Type", type);
	buf_format(&r->text, "Content-Length: %zu\r\n\r\n", head.n + body.n);
	buf_add(&r->text, head.at, head.n);
	buf_add(&r->text, body.at, body.n);
	buf_text(&r->text, "\r\n\r\n");
	const size_t bound = libdeflate_gzip_compress_bound(c, r->text.used);
	const size_t n = libdeflate_gzip_compress(c, r->text.at, r->text.used, buf_room(&r->packed, bound), bound);
	r->packed.used += n;
	return n;
}

void warc_pack_clear(struct warc_pack *r)
{
	buf_clear(&r->text);
	buf_clear(&r->packed);
	if (r->text.room + r->packed.room > WARC_PACK_KEPT) {
		buf_release(&r->text);
		buf_release(&r->packed);
	}
}

void warc_pack_release(struct warc_pack *r)
{
	libdeflate_free_compressor(r->compressor);
	r->compressor = NULL;
	buf_release(&r->text);
	buf_release(&r->packed);
}
