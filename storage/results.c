#include "base/num.h"
#include "base/paged.h"
#include "storage/handle.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

/* The texts about a page, each with its NUL. */
#define ABOUT_MOST (ABOUT_TYPE + ABOUT_LANGUAGE + ABOUT_TITLE)

#define HASH_BYTES 8

/* Flags in the byte of the state: the parts of the record that are there. */
#define HAS_USAGE       0x08
#define HAS_SCORE       0x10
#define HAS_ABOUT       0x20
#define HAS_FINGERPRINT 0x40
#define HAS_SIMHASH     0x80
#define HAS_ANY         (HAS_USAGE | HAS_SCORE | HAS_ABOUT | HAS_FINGERPRINT | HAS_SIMHASH)

/* id state outcome status target+1 tries bytes time [usage] [score] [type NUL language NUL title NUL]
 * [digest [fingerprint] [simhash] [modified etag]] */

static void write_hash(struct buf *b, uint64_t hash)
{
	hash = htole64(hash);
	buf_add(b, &hash, HASH_BYTES);
}

static uint64_t read_hash(const uint8_t **at)
{
	uint64_t hash;

	memcpy(&hash, *at, HASH_BYTES);
	*at += HASH_BYTES;
	return le64toh(hash);
}

static uint64_t bits_of(double score)
{
	uint64_t bits;

	memcpy(&bits, &score, sizeof bits);
	return bits;
}

static int has_text(const char *text)
{
	return text && *text;
}

static int has_about(const struct result *r)
{
	return has_text(r->type) || has_text(r->language) || has_text(r->title);
}

static void write_text(struct buf *b, const char *text, size_t most)
{
	const size_t n = text ? strlen(text) : 0;

	assert(n < most);
	buf_add(b, text ? text : "", n);
	buf_byte(b, 0);
}

static int read_text(const uint8_t **at, const uint8_t *end, size_t most, const char **text)
{
	const size_t n = (size_t)(end - *at);
	const uint8_t *nul = memchr(*at, 0, n < most ? n : most);

	if (!nul)
		return -1;
	*text = (const char *)*at;
	*at = nul + 1;
	return 0;
}

/* Reads the texts about the page that the flags in `has` announce. */
static int read_about(const uint8_t **at, const uint8_t *end, unsigned has, struct result *out)
{
	out->type = out->language = out->title = "";
	if (!(has & HAS_ABOUT))
		return 0;
	return read_text(at, end, ABOUT_TYPE, &out->type) || read_text(at, end, ABOUT_LANGUAGE, &out->language) ||
			read_text(at, end, ABOUT_TITLE, &out->title)
		? -1
		: 0;
}

static uint8_t state_byte(const struct result *r)
{
	const int has_digest = r->digest[0] || r->digest[1];

	return (uint8_t)(r->state | (r->usage ? HAS_USAGE : 0) | (r->is_scored ? HAS_SCORE : 0) | (has_about(r) ? HAS_ABOUT : 0) |
		(has_digest && r->fingerprint ? HAS_FINGERPRINT : 0) | (has_digest && r->simhash ? HAS_SIMHASH : 0));
}

int store_put_result(struct store *s, uint32_t id, const struct result *r, struct err_note *why)
{
	struct buf *b = &s->scratch;

	assert(id < store_pages(s) && r->state <= PAGE_REDIRECTED);
	assert(r->target == STORE_NO_PAGE || r->target < store_pages(s));
	assert(!r->is_scored || (r->score >= 0 && r->score <= NUM_SCORE_MOST));
	assert(r->validators.etag_length <= STORE_ETAG_MAX && r->validators.modified >= 0);
	int status = store_take_room(s, &s->results, 107 + ABOUT_MOST + r->validators.etag_length, why);
	if (status)
		return status;
	buf_clear(b);
	buf_varint(b, id);
	buf_byte(b, state_byte(r));
	buf_byte(b, (int)r->outcome);
	buf_varint(b, r->status);
	buf_varint(b, r->target == STORE_NO_PAGE ? 0 : (uint64_t)r->target + 1);
	buf_varint(b, r->tries);
	buf_varint(b, r->bytes);
	buf_zigzag(b, r->ended + r->ahead);
	if (r->usage)
		buf_varint(b, r->usage);
	if (r->is_scored)
		write_hash(b, bits_of(r->score));
	if (has_about(r)) {
		write_text(b, r->type, ABOUT_TYPE);
		write_text(b, r->language, ABOUT_LANGUAGE);
		write_text(b, r->title, ABOUT_TITLE);
	}
	if (r->digest[0] || r->digest[1]) {
		write_hash(b, r->digest[0]);
		write_hash(b, r->digest[1]);
		if (r->fingerprint)
			write_hash(b, r->fingerprint);
		if (r->simhash)
			write_hash(b, r->simhash);
		if (r->validators.modified || r->validators.etag_length) {
			buf_varint(b, (uint64_t)r->validators.modified);
			buf_add(b, r->validators.etag, r->validators.etag_length);
		}
	}
	records_append(&s->results, b->at, b->used);
	s->uncommitted++;
	return 0;
}

/* Reads what the page asks of its users, if `has` announces it. */
static int read_usage(const uint8_t **at, const uint8_t *end, unsigned has, struct result *out)
{
	uint64_t usage = 0;

	if ((has & HAS_USAGE) && (varint_read(at, end, &usage) || !usage || usage > UINT16_MAX))
		return -1;
	out->usage = (uint16_t)usage;
	return 0;
}

/* Reads the score, if `has` announces it. */
static int read_score(const uint8_t **at, const uint8_t *end, unsigned has, struct result *out)
{
	uint64_t bits;

	out->is_scored = (has & HAS_SCORE) != 0;
	if (!out->is_scored)
		return 0;
	if (end - *at < HASH_BYTES)
		return -1;
	bits = read_hash(at);
	memcpy(&out->score, &bits, sizeof bits);
	return out->score >= 0 && out->score <= NUM_SCORE_MOST ? 0 : -1;
}

/* Reads the digest and the hashes beside it, as `has` announces them. */
static int read_hashes(const uint8_t **at, const uint8_t *end, unsigned has, struct result *out)
{
	const int hashes = (*at != end) * 2 + !!(has & HAS_FINGERPRINT) + !!(has & HAS_SIMHASH);

	if (end - *at < hashes * HASH_BYTES)
		return -1;
	if (*at != end)
		for (int i = 0; i < 2; i++)
			out->digest[i] = read_hash(at);
	if (has & HAS_FINGERPRINT)
		out->fingerprint = read_hash(at);
	if (has & HAS_SIMHASH)
		out->simhash = read_hash(at);
	return 0;
}

/* Reads the validators, which end a record that has them. */
static int read_validators(const uint8_t *at, const uint8_t *end, struct result *out)
{
	uint64_t modified = 0;

	if (at != end && varint_read(&at, end, &modified))
		return -1;
	out->validators = (struct validators){(int64_t)modified, (const char *)at, (size_t)(end - at)};
	return modified > INT64_MAX || out->validators.etag_length > STORE_ETAG_MAX ? -1 : 0;
}

int result_read(const struct store *s, const uint8_t *at, size_t n, struct result *out)
{
	const uint8_t *end = at + n;
	uint64_t page, status, target, tries, pages = store_pages(s);

	if (varint_read(&at, end, &page) || page >= pages || end - at < 2)
		return -1;
	const unsigned has = *at & HAS_ANY;
	*out = (struct result){.id = (uint32_t)page, .state = (enum page_state)(*at++ & (uint8_t)~HAS_ANY), .host_delay = -1};
	out->outcome = outcome_of_format_1(out->state, *at++);
	if (out->state > PAGE_REDIRECTED || varint_read(&at, end, &status) || status > UINT16_MAX ||
		varint_read(&at, end, &target) || target > pages || varint_read(&at, end, &tries) || tries > UINT32_MAX ||
		varint_read(&at, end, &out->bytes) || zigzag_read(&at, end, &out->ended))
		return -1;
	if (read_usage(&at, end, has, out) || read_score(&at, end, has, out) || read_about(&at, end, has, out) ||
		read_hashes(&at, end, has, out))
		return -1;
	out->started = out->not_before = out->ended;
	out->status = (uint16_t)status;
	out->target = target ? (uint32_t)(target - 1) : STORE_NO_PAGE;
	out->tries = (uint32_t)tries;
	return read_validators(at, end, out);
}

int result_is_crawl(const uint8_t *at, const uint8_t *end)
{
	return at < end && (*at & (uint8_t)~HAS_ANY) == PAGE_CRAWLED;
}

int store_result(struct store *s, uint32_t id, struct result *out)
{
	const uint8_t *at;
	uint64_t number;
	size_t n;

	if (!latest_find(s, &s->latest_result, &s->results, id, &number))
		return 0;
	if (!records_get(&s->results, number, &at, &n) || result_read(s, at, n, out) || out->id != id)
		return store_unread(s, "the result of page", id);
	return 1;
}

/* The index from a page to the last of its results, or of its records of links.
 *
 * Most pages have one such record, that of their crawl, which nobody asks for while the crawl goes on; and who asks for those of
 * many pages mostly does so in the order of the crawl (a crawl that resumes from its log). So the table has other pages only: those
 * that had a record before or without being crawled. Of the rest a bit says that there is a record, and the record is looked for
 * near the one that was found last. When it is not there, the pages are asked for in another order, and from then on the table has
 * them all. */

#define AHEAD 4096    /* records behind the last that was found */
#define TAIL  1000000 /* records at the end, where a crawl goes on from its snapshot; looked through once */

/* Returns the tag of a page: an odd factor gives each page a tag of its own, and spreads neighbours over the table. */
static uint32_t tag_of(uint64_t id)
{
	return (uint32_t)id * 0x9e3779b1u;
}

/* Finds the slot of a page. Returns 1, or 0 if the page has none. */
static int find(const struct tags *t, uint64_t id, size_t *slot)
{
	if (!t->used)
		return 0;
	*slot = tags_seek(t, tag_of(id));
	return tags_id(t, *slot, tag_of(id)) != TAGS_NO_ID;
}

/* Reads the page of a record. Returns 1; *is_crawl says whether it is the record of a page's crawl. Or returns 0 if the record is
 * damaged. */
static int page_of(struct store *s, struct records *r, uint64_t number, uint64_t *id, int *is_crawl)
{
	const uint8_t *at;
	size_t n;
	const uint8_t *end = records_get(r, number, &at, &n) ? at + n : NULL;

	if (!end || varint_read(&at, end, id) || *id >= store_pages(s))
		return store_unread(s, r == &s->links ? "the record of links" : "result", number);
	*is_crawl = r == &s->links || result_is_crawl(at, end);
	return 1;
}

static int is_alone(const struct latest *l, uint64_t id)
{
	return id / 64 < l->alone_room && l->alone[id / 64] >> id % 64 & 1;
}

static void set_alone(struct latest *l, uint64_t id)
{
	l->alone = paged_need(l->alone, &l->alone_room, (size_t)id / 64 + 1, sizeof *l->alone);
	l->alone[id / 64] |= (uint64_t)1 << id % 64;
}

/* Enters the records that were added since the last call. */
static void catch_up(struct store *s, struct latest *l, struct records *r)
{
	size_t slot;
	uint64_t id;
	int is_crawl;

	for (; l->seen < r->n; l->seen++) {
		if (!page_of(s, r, l->seen, &id, &is_crawl))
			continue; /* the store was opened as STORE_SUSPECT */
		if (find(&l->number, id, &slot))
			tags_replace(&l->number, slot, (uint32_t)l->seen);
		else if (!l->is_whole && is_crawl && !is_alone(l, id))
			set_alone(l, id);
		else
			tags_insert(&l->number, tag_of(id), (uint32_t)l->seen);
	}
}

/* Looks for the record of a page among from..to-1. Returns 1 with *number, or 0. */
static int look(struct store *s, struct records *r, uint64_t from, uint64_t to, uint32_t id, uint64_t *number)
{
	uint64_t of;
	int is_crawl;

	for (*number = from; *number < to; ++*number)
		if (page_of(s, r, *number, &of, &is_crawl) && of == id)
			return 1;
	return 0;
}

/* Looks for the record of a page that has one alone, near the one that was found last. */
static int look_near(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	const uint64_t rest = r->n - l->found;
	int found = look(s, r, l->found, l->found + (rest < AHEAD ? rest : AHEAD), id, number);

	if (!found && !l->has_looked)
		found = look(s, r, r->n > TAIL ? r->n - TAIL : 0, r->n, id, number);
	l->has_looked = 1;
	l->found = found ? *number : l->found;
	return found;
}

/* Makes the table one of all pages. */
static void make_whole(struct store *s, struct latest *l, struct records *r)
{
	latest_release(l);
	l->is_whole = 1;
	catch_up(s, l, r);
}

int latest_find(struct store *s, struct latest *l, struct records *r, uint32_t id, uint64_t *number)
{
	size_t slot;

	if (id >= store_pages(s))
		return 0;
	catch_up(s, l, r);
	if (!find(&l->number, id, &slot)) {
		if (!is_alone(l, id))
			return 0;
		if (look_near(s, l, r, id, number))
			return 1;
		make_whole(s, l, r);
		if (!find(&l->number, id, &slot))
			return 0; /* the record cannot be read any more */
	}
	*number = (uint32_t)l->number.slot[slot];
	return 1;
}

void latest_release(struct latest *l)
{
	tags_release(&l->number);
	paged_free(l->alone, l->alone_room, sizeof *l->alone);
	*l = (struct latest){.number = TAGS_INIT};
}
