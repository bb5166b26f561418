#include "base/num.h"
#include "base/paged.h"
#include "storage/coder.h"
#include "storage/handle.h"

#include <assert.h>
#include <string.h>

/* The texts about a page, each with its NUL. */
#define ABOUT_MOST (ABOUT_TYPE + ABOUT_LANGUAGE + ABOUT_TITLE)

/* Flags in the byte of the state: the parts of the record that are there. */
#define HAS_USAGE       0x08
#define HAS_SCORE       0x10
#define HAS_ABOUT       0x20
#define HAS_FINGERPRINT 0x40
#define HAS_SIMHASH     0x80
#define HAS_ANY         (HAS_USAGE | HAS_SCORE | HAS_ABOUT | HAS_FINGERPRINT | HAS_SIMHASH)

static int has_text(const char *text)
{
	return text && *text;
}

static int has_digest(const struct result *r)
{
	return r->digest[0] || r->digest[1];
}

static unsigned flags_of(const struct result *r)
{
	const int has_about = has_text(r->type) || has_text(r->language) || has_text(r->title);

	return (r->usage ? HAS_USAGE : 0u) | (r->is_scored ? HAS_SCORE : 0u) | (has_about ? HAS_ABOUT : 0u) |
		(has_digest(r) && r->fingerprint ? HAS_FINGERPRINT : 0u) | (has_digest(r) && r->simhash ? HAS_SIMHASH : 0u);
}

/* The parts of a result that not every one has: [usage] [score] [type NUL language NUL title NUL]
 * [digest [fingerprint] [simhash] [modified etag]] */
static void code_parts(struct coder *c, unsigned has, struct result *r)
{
	uint64_t bits;

	if (has & HAS_USAGE && !(r->usage = (uint16_t)code_count(c, r->usage, UINT16_MAX)))
		code_bad(c);
	r->is_scored = (has & HAS_SCORE) != 0;
	if (r->is_scored) {
		memcpy(&bits, &r->score, sizeof bits);
		bits = code_hash(c, bits);
		memcpy(&r->score, &bits, sizeof bits);
		if (!(r->score >= 0 && r->score <= NUM_SCORE_MOST))
			code_bad(c);
	}
	if (has & HAS_ABOUT) {
		r->type = code_text(c, r->type, ABOUT_TYPE);
		r->language = code_text(c, r->language, ABOUT_LANGUAGE);
		r->title = code_text(c, r->title, ABOUT_TITLE);
	}
	if (c->out ? has_digest(r) : c->at != c->end)
		for (int i = 0; i < 2; i++)
			r->digest[i] = code_hash(c, r->digest[i]);
	if (has & HAS_FINGERPRINT)
		r->fingerprint = code_hash(c, r->fingerprint);
	if (has & HAS_SIMHASH)
		r->simhash = code_hash(c, r->simhash);
	if (c->out ? has_digest(r) && (r->validators.modified || r->validators.etag_length) : c->at != c->end)
		r->validators.modified = (int64_t)code_count(c, (uint64_t)r->validators.modified, INT64_MAX);
}

/* A result: id state outcome status target+1 tries bytes time, and its parts. */
static void code_result(struct coder *c, uint64_t pages, struct result *r)
{
	r->id = (uint32_t)code_count(c, r->id, pages - 1);
	const unsigned first = code_byte(c, r->state | flags_of(r));
	r->state = (enum page_state)(first & ~(unsigned)HAS_ANY);
	r->outcome = outcome_of_format_1(r->state, code_byte(c, r->outcome));
	r->status = (uint16_t)code_count(c, r->status, UINT16_MAX);
	r->target = (uint32_t)code_count(c, r->target == STORE_NO_PAGE ? 0 : (uint64_t)r->target + 1, pages) - 1;
	r->tries = (uint32_t)code_count(c, r->tries, UINT32_MAX);
	r->bytes = code_count(c, r->bytes, UINT64_MAX);
	r->ended = code_signed(c, r->ended);
	code_parts(c, first & HAS_ANY, r);
}

int store_put_result(struct store *s, uint32_t id, const struct result *result, struct err_note *why)
{
	struct coder c = {.out = &s->scratch};
	struct result r = *result;

	assert(id < store_pages(s) && r.state <= PAGE_REDIRECTED);
	assert(r.target == STORE_NO_PAGE || r.target < store_pages(s));
	assert(!r.is_scored || (r.score >= 0 && r.score <= NUM_SCORE_MOST));
	assert(r.validators.etag_length <= STORE_ETAG_MAX && r.validators.modified >= 0);
	int status = store_take_room(s, &s->results, 107 + ABOUT_MOST + r.validators.etag_length, why);
	if (status)
		return status;
	buf_clear(c.out);
	r.id = id;
	r.ended += r.ahead;
	code_result(&c, store_pages(s), &r);
	if (has_digest(&r))
		buf_add(c.out, r.validators.etag, r.validators.etag_length);
	records_append(&s->results, c.out->at, c.out->used);
	return 0;
}

int result_read(const struct store *s, const uint8_t *at, size_t n, struct result *out)
{
	struct coder c = {.at = at, .end = at + n};

	if (!store_pages(s))
		return -1;
	*out = (struct result){.host_delay = -1, .type = "", .language = "", .title = ""};
	code_result(&c, store_pages(s), out);
	out->started = out->not_before = out->ended;
	out->validators.etag = (const char *)c.at;
	out->validators.etag_length = (size_t)(c.end - c.at);
	return c.is_bad || out->state > PAGE_REDIRECTED || out->validators.etag_length > STORE_ETAG_MAX ? -1 : 0;
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

/* Says whether the bytes of a result behind its page are those of a page that is crawled. */
static int is_crawl_result(const uint8_t *at, const uint8_t *end)
{
	return at < end && (*at & (uint8_t)~HAS_ANY) == PAGE_CRAWLED;
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
	*is_crawl = r == &s->links || is_crawl_result(at, end);
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
