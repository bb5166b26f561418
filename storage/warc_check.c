#include "storage/warc_check.h"
#include "base/map.h"
#include "base/zip.h"
#include "storage/handle.h"
#include "storage/warc_files.h"
#include "storage/warc_items.h"

#include <limits.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* What is recorded of a URL and a status, in addition to the digest of the payload: that there is an answer, and that one is
 * compressed. */
enum held { HELD_STATUS = 1, HELD_PACKED };

struct mark {
	uint64_t key; /* of URL and status, with a digest or an enum held */
};

struct payload {
	uint64_t key; /* of the digest that the archive says */
	uint64_t digest[2];
};

struct check {
	struct breaches b;
	struct map marks, payloads;
	struct warc_reader reader;
	size_t files;
};

static uint64_t key_of(const char *url, size_t n, unsigned status, uint64_t low, uint64_t high)
{
	const uint64_t about[] = {status, low, high};

	return XXH3_64bits_withSeed(url, n, XXH3_64bits(about, sizeof about));
}

static void note_answer(struct check *c, struct warc_span url, unsigned status, uint64_t low, uint64_t high)
{
	map_at(&c->marks, key_of(url.at, url.n, status, low, high));
}

static int is_packed(struct warc_span body)
{
	return body.n > 2 && (unsigned char)body.at[0] == 0x1f && (unsigned char)body.at[1] == 0x8b;
}

/* Notes an answer, or a revisit whose payload is that of an earlier answer. */
static void note_content(struct check *c, const struct warc_item *r, struct warc_span head, struct warc_span body)
{
	const struct warc_span url = warc_field(r->header, "WARC-Target-URI"),
			       digest = warc_field(r->header, "WARC-Payload-Digest");
	const char *blank = memchr(head.at, ' ', head.n);
	const unsigned status = blank ? (unsigned)strtoul(blank, NULL, 10) : 0;
	const uint64_t said = XXH3_64bits(digest.at, digest.n);

	note_answer(c, url, status, HELD_STATUS, 0);
	if (warc_is(warc_field(r->header, "WARC-Type"), "revisit")) {
		const struct payload *p = digest.n ? map_find(&c->payloads, said) : NULL;
		if (p)
			note_answer(c, url, status, p->digest[0], p->digest[1]);
		return;
	}
	const XXH128_hash_t is = XXH3_128bits(body.at, body.n);
	note_answer(c, url, status, is.low64, is.high64);
	if (is_packed(body))
		note_answer(c, url, status, HELD_PACKED, 0);
	if (digest.n) {
		struct payload *p = map_at(&c->payloads, said);
		p->digest[0] = is.low64;
		p->digest[1] = is.high64;
	}
}

static void note_record(struct check *c, const struct warc_item *r)
{
	const struct warc_span type = warc_field(r->header, "WARC-Type");
	struct warc_span head, body;

	if ((warc_is(type, "response") || warc_is(type, "revisit")) && warc_split(r->block, &head, &body) == 0)
		note_content(c, r, head, body);
}

/* Notes all records of a file, and reports the bytes that are no record. */
static void read_file(struct check *c, const char *path, struct warc_span all)
{
	struct warc_item record;

	for (size_t at = 0, n; at < all.n; at += n) {
		const struct warc_span rest = {all.at + at, all.n - at};
		n = warc_read(&c->reader, rest, &record);
		if (n) {
			note_record(c, &record);
			continue;
		}
		n = warc_seek(&c->reader, all, at + 1, all.n);
		n = (n < all.n ? n : all.n) - at;
		breach(&c->b, "W1: %s: bytes %zu to %zu are no record", path, at, at + n);
	}
}

/* Maps a file of the archive, and reads its records. */
static int open_file(void *ctx, const char *path, struct err_note *why)
{
	struct check *c = ctx;
	struct mapped file;
	const int got = mapped_open(&file, path, why);

	if (got >= 0) {
		c->files++;
		read_file(c, path, (struct warc_span){file.at, file.n});
	}
	mapped_close(&file);
	return got < 0 ? got : 0;
}

static int has_answer(const struct check *c, const struct store_page *page, unsigned status, uint64_t low, uint64_t high)
{
	return map_find(&c->marks, key_of(page->url, page->url_length, status, low, high)) != NULL;
}

/* Says whether the result of a page comes from an answer to the page itself. */
static int is_answered(const struct result *r)
{
	return r->status &&
		(r->state == PAGE_CRAWLED || r->state == PAGE_REDIRECTED ||
			(r->state == PAGE_FAILED && r->outcome == OUTCOME_STATUS));
}

static void check_page(struct check *c, const struct store_page *page, const struct result *r)
{
	if (!has_answer(c, page, r->status, HELD_STATUS, 0))
		breach(&c->b, "W2: not in the archive: %s", page->url);
	else if (r->state == PAGE_CRAWLED && r->status != 304 && (r->digest[0] || r->digest[1]) &&
		!has_answer(c, page, r->status, r->digest[0], r->digest[1]) && !has_answer(c, page, r->status, HELD_PACKED, 0))
		breach(&c->b, "W3: other content in the archive: %s", page->url);
}

int warc_check(struct store *s, const char *prefix, void (*tell)(void *ctx, const char *line), void *ctx, struct err_note *why)
{
	struct check c = {.b = {.tell = tell, .ctx = ctx}};
	struct result result;
	struct store_page page;

	map_init(&c.marks, sizeof(struct mark));
	map_init(&c.payloads, sizeof(struct payload));
	warc_reader_init(&c.reader);
	int err = warc_each_file(prefix, open_file, &c, why);
	if (!err && !c.files)
		err = err_set(why, ERR_FILE, "no archive: there is no file '%s-*.warc.gz'", prefix);
	for (uint32_t id = 0; !err && id < store_pages(s); id++)
		if (store_result(s, id, &result) && is_answered(&result) && store_page(s, id, &page))
			check_page(&c, &page, &result);
	warc_reader_release(&c.reader);
	map_release(&c.marks);
	map_release(&c.payloads);
	return err ? err : c.b.n;
}
