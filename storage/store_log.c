#include "base/mem.h"
#include "storage/coder.h"
#include "storage/handle.h"

#include <assert.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* An entry: the code of its form, then the form's fields, in the order of these bits. */
enum field {
	FIELD_ID = 1,
	FIELD_CAUSE = 2, /* status, outcome */
	FIELD_TARGET = 4,
	FIELD_TIME = 8,
	FIELD_TEXT = 16,
	FIELD_OUTCOME = 32,
	FIELD_NEW = 64,    /* how many pages it was the first to lead to */
	FIELD_LETTER = 128 /* agent, letter */
};

/* By code: append only. A kind with several forms is written in the last one; LOG_TAKE without a text in the first. */
static const struct form {
	enum log_kind kind;
	unsigned fields;
} forms[] = {
	{LOG_SITTING, FIELD_TIME},
	{LOG_SEED, FIELD_ID}, /* format 1 */
	{LOG_TAKE, FIELD_ID},
	{LOG_CRAWLED, FIELD_ID}, /* format 1 */
	{LOG_FAILED, FIELD_ID | FIELD_CAUSE},
	{LOG_REQUEUED, FIELD_ID | FIELD_CAUSE | FIELD_TIME},
	{LOG_REFUSED, FIELD_ID},                   /* format 1 */
	{LOG_REDIRECTED, FIELD_ID | FIELD_TARGET}, /* format 1 */
	{LOG_POLICY, FIELD_TEXT},
	{LOG_SITEMAP, FIELD_ID}, /* format 1 */
	{LOG_SCOPE, FIELD_TEXT},
	{LOG_ADMITTED, FIELD_ID},
	{LOG_EXPELLED, FIELD_ID}, /* format 1 */
	{LOG_REFUSED, FIELD_ID | FIELD_OUTCOME},
	{LOG_EXPELLED, FIELD_ID | FIELD_OUTCOME},
	{LOG_SEED, FIELD_ID | FIELD_NEW},
	{LOG_CRAWLED, FIELD_ID | FIELD_NEW},
	{LOG_REDIRECTED, FIELD_ID | FIELD_TARGET | FIELD_NEW},
	{LOG_SITEMAP, FIELD_ID | FIELD_NEW},
	{LOG_JUDGED, FIELD_ID | FIELD_OUTCOME},
	{LOG_VISITED, FIELD_ID | FIELD_NEW},
	{LOG_POSTED, FIELD_LETTER},
	{LOG_HEARD, FIELD_LETTER | FIELD_NEW},
	{LOG_ELSEWHERE, FIELD_TEXT},
	{LOG_SHARES, FIELD_TEXT},
	{LOG_ADOPTED, FIELD_ID},
	{LOG_TAKE, FIELD_ID | FIELD_TEXT},
};
#define FORMS (sizeof forms / sizeof *forms)

static unsigned code_of(enum log_kind kind, const char *text)
{
	unsigned code = FORMS - 1;

	while (forms[code].kind != kind || (kind == LOG_TAKE && !text && forms[code].fields & FIELD_TEXT))
		code--;
	return code;
}

/* The id and the time against which the next entry is encoded: an entry has the differences from the entry before it, the first
 * entry of a chunk the differences from 0. */
struct base {
	uint32_t id;
	int64_t time;
};

struct store_log_cursor {
	struct store *store;
	uint64_t next; /* the number of the next entry */
	size_t chunk;  /* the chunk of the next entry, or, at the end of a chunk, that of the entry before */
	size_t offset;
	struct base base;
	uint64_t pages; /* the number of pages that the entries so far have discovered */
	uint64_t sum;   /* the checksum of the entries so far */
	int is_whole;   /* the cursor has read the log from its first entry on */
};

/* Returns the checksum of a log after one more entry, given the bytes of the entry. */
static uint64_t sum_with(uint64_t sum, const void *bytes, size_t n)
{
	return XXH3_64bits_withSeed(bytes, n, sum);
}

/* A page of the store, as the difference from the id `from`. */
static uint32_t code_page(struct coder *c, uint64_t pages, uint32_t from, uint32_t id)
{
	const int64_t to = code_since(c, from, id);

	return (uint32_t)(to < 0 || (uint64_t)to >= pages ? code_bad(c) : (uint64_t)to);
}

/* The fields of an entry behind the code of its form. A page that the store does not have is damage. */
static void code_fields(struct coder *c, uint64_t pages, unsigned has, const struct base *base, struct log_entry *e)
{
	if (has & FIELD_ID)
		e->id = code_page(c, pages, base->id, e->id);
	if (has & FIELD_CAUSE)
		e->status = (uint16_t)code_count(c, e->status, UINT16_MAX);
	if (has & (FIELD_CAUSE | FIELD_OUTCOME))
		e->outcome = code_byte(c, e->outcome);
	if (has & FIELD_TARGET)
		e->target = code_page(c, pages, e->id, e->target);
	if (has & FIELD_NEW)
		e->n_new = (uint32_t)code_count(c, e->n_new, pages);
	if (has & FIELD_TIME) /* a difference of times may be too large for a number with a sign, and is one without */
		e->time = (int64_t)((uint64_t)base->time +
			(uint64_t)code_signed(c, (int64_t)((uint64_t)e->time - (uint64_t)base->time)));
	if (has & FIELD_TEXT)
		e->text = code_text(c, e->text, SIZE_MAX);
	if (has & FIELD_LETTER) {
		e->agent = (uint32_t)code_count(c, e->agent, UINT16_MAX);
		e->letter_n = (size_t)code_count(c, e->letter_n, SIZE_MAX);
		e->letter = code_bytes(c, e->letter, e->letter_n);
	}
}

static void move_base(struct base *base, const struct log_entry *e, unsigned code)
{
	if (forms[code].fields & FIELD_ID)
		base->id = e->id;
	if (forms[code].fields & FIELD_TIME)
		base->time = e->time;
}

static void write_entry(const struct store *s, struct buf *b, struct log_entry *e, unsigned code, const struct base *base)
{
	struct coder c = {.out = b};

	buf_clear(b);
	buf_byte(b, (int)code);
	code_fields(&c, store_pages(s), forms[code].fields, base, e);
}

/* Returns the outcome of an entry. An entry of format 1 may have none: then the outcome follows from its kind. */
static enum outcome outcome_of(const struct log_entry *e)
{
	static const struct {
		enum page_state state;
		enum outcome none; /* the outcome of an entry that has none */
	} kinds[LOG_KINDS] = {
		[LOG_CRAWLED] = {PAGE_CRAWLED, OUTCOME_CRAWLED},
		[LOG_FAILED] = {PAGE_FAILED, OUTCOME_STATUS},
		[LOG_REQUEUED] = {PAGE_QUEUED, OUTCOME_STATUS},
		[LOG_REFUSED] = {PAGE_REFUSED, OUTCOME_ROBOTS},
		[LOG_REDIRECTED] = {PAGE_REDIRECTED, OUTCOME_REDIRECTED},
		[LOG_EXPELLED] = {PAGE_REFUSED, OUTCOME_OLD_SCOPE},
	};

	if (e->kind == LOG_REQUEUED && !e->outcome && !e->status)
		return OUTCOME_ABORTED; /* the process of the sitting before was killed */
	return e->outcome ? outcome_of_format_1(kinds[e->kind].state, e->outcome) : kinds[e->kind].none;
}

/* Reads an entry from *at on, and moves *at behind it. Returns 0 or -1. */
static int read_entry(uint64_t pages, const uint8_t **at, const uint8_t *end, struct base *base, struct log_entry *e)
{
	struct coder c = {.at = *at, .end = end};

	*e = (struct log_entry){.target = STORE_NO_PAGE, .id = STORE_NO_PAGE, .n_new = STORE_NO_PAGE};
	const unsigned code = code_byte(&c, 0);
	if (c.is_bad || code >= FORMS)
		return -1;
	e->kind = forms[code].kind;
	code_fields(&c, pages, forms[code].fields, base, e);
	if (c.is_bad)
		return -1;
	e->outcome = (uint8_t)outcome_of(e);
	move_base(base, e, code);
	*at = c.at;
	return 0;
}

/* Returns the number of pages that an entry discovers: for SEED and SITEMAP 1 if its page is the next page without an entry, else
 * 0; for any other kind all pages that were added to the store since the entry before. */
static uint32_t count_new(const struct store *s, const struct log_entry *e, unsigned has)
{
	if (!(has & FIELD_NEW))
		return 0;
	if (e->kind == LOG_SEED || e->kind == LOG_SITEMAP)
		return e->id == s->log_pages;
	return store_pages(s) - s->log_pages;
}

int store_log(struct store *s, const struct log_entry *entry, struct err_note *why)
{
	struct base base = {s->log_id, s->log_time};
	const unsigned code = code_of(entry->kind, entry->text), has = forms[code].fields;
	struct log_entry with_new = *entry, *e = &with_new;

	assert(!(has & FIELD_ID) || e->id < store_pages(s));
	assert(!(has & FIELD_TARGET) || e->target < store_pages(s));
	if (has & FIELD_TEXT && strlen(e->text) > STORE_TEXT_MAX)
		return err_set(why, ERR_TOO_BIG, "an entry of the log is too long");
	if (has & FIELD_LETTER && e->letter_n > STORE_LETTER_MAX)
		return err_set(why, ERR_TOO_BIG, "a letter of %zu bytes to another agent is too long", e->letter_n);
	e->n_new = count_new(s, entry, has);
	write_entry(s, &s->scratch, e, code, &base);
	if (!records_fits(&s->log, s->scratch.used)) {
		/* the chunk must be ended explicitly: encoded against 0, the entry may become short enough to fit into it */
		records_end_chunk(&s->log);
		base = (struct base){0, 0};
		write_entry(s, &s->scratch, e, code, &base);
	}
	int status = store_take_room(s, &s->log, s->scratch.used, why);
	if (status)
		return status;
	records_append(&s->log, s->scratch.at, s->scratch.used);
	move_base(&base, e, code);
	s->log_id = base.id;
	s->log_time = base.time;
	s->log_pages += e->n_new;
	if (s->log_sum_known)
		s->log_sum = sum_with(s->log_sum, s->scratch.at, s->scratch.used);
	return 0;
}

uint64_t store_log_length(const struct store *s)
{
	return s->log.n;
}

struct store_log_cursor *store_log_start(struct store *s)
{
	struct store_log_cursor *c = mem_zero(1, sizeof *c);

	c->store = s;
	c->is_whole = 1;
	return c;
}

void store_log_stop(struct store_log_cursor *c)
{
	free(c);
}

/* Says whether entries of a kind discover pages. */
static int leads(enum log_kind kind)
{
	return (forms[code_of(kind, NULL)].fields & FIELD_NEW) != 0;
}

int store_log_next(struct store_log_cursor *c, struct log_entry *e, struct err_note *why)
{
	struct records *r = &c->store->log;

	if (c->next >= r->n) {
		if (c->is_whole) {
			c->store->log_sum = c->sum;
			c->store->log_sum_known = 1;
		}
		return 0;
	}
	if (c->next == records_chunk_end(r, c->chunk)) {
		c->chunk++;
		c->offset = 0;
		c->base = (struct base){0, 0};
	}
	int status = records_read_chunk(r, c->chunk, why);
	if (status)
		return status;
	const struct chunk *k = &r->chunk[c->chunk];
	const uint8_t *at = k->bytes + c->offset, *end = k->bytes + k->size;
	if (at < end && *at >= FORMS)
		return err_set(why, ERR_NEWER,
			"'%s': entry %llu of the log has code %u, which this version does not know: a newer lycosa has written it; use that one",
			r->env->path, (unsigned long long)c->next, *at);
	if (read_entry(store_pages(c->store), &at, end, &c->base, e))
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: entry %llu of the log", r->env->path,
			(unsigned long long)c->next);
	/* an entry of a kind without `new` discovers no pages; for the other kinds format 1 does not record the number */
	if (e->n_new == STORE_NO_PAGE && !leads(e->kind))
		e->n_new = 0;
	e->first_new = (uint32_t)c->pages;
	c->pages += e->n_new == STORE_NO_PAGE ? 0 : e->n_new;
	c->sum = sum_with(c->sum, k->bytes + c->offset, (size_t)(at - k->bytes) - c->offset);
	c->offset = (size_t)(at - k->bytes);
	c->next++;
	/* bytes behind the last entry of a chunk are damage */
	if (c->next == records_chunk_end(r, c->chunk) && at != end)
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: after entry %llu of the log", r->env->path,
			(unsigned long long)c->next - 1);
	return 1;
}

int store_log_sum(const struct store *s, uint64_t *sum)
{
	*sum = s->log_sum;
	return s->log_sum_known;
}

uint64_t store_log_told(const struct store_log_cursor *c, uint64_t *sum, uint32_t *pages)
{
	*sum = c->sum;
	*pages = (uint32_t)c->pages;
	return c->next;
}

int store_log_skip(struct store_log_cursor *c)
{
	const struct records *r = &c->store->log;

	c->is_whole = 0;
	if (c->next >= r->n)
		return 0;
	c->chunk = records_chunk_of(r, c->next);
	c->next = records_chunk_end(r, c->chunk);
	return 1;
}

int log_count(const uint8_t *at, size_t n, uint64_t *entries)
{
	const uint8_t *end = at + n;
	struct base base = {0, 0};
	struct log_entry e;

	for (*entries = 0; at < end; ++*entries)
		if (read_entry(UINT32_MAX - 1, &at, end, &base, &e))
			return -1;
	return 0;
}

int log_open(struct store *s, struct err_note *why)
{
	struct store_log_cursor c = {.store = s};
	struct log_entry e;
	int status = 1;

	if (s->log.chunks == 0) {
		s->log_sum_known = 1;
		s->log_pages = store_pages(s);
		return 0;
	}
	c.chunk = s->log.chunks - 1;
	c.next = s->log.chunk[c.chunk].first;
	while (status == 1)
		status = store_log_next(&c, &e, why);
	s->log_id = c.base.id;
	s->log_time = c.base.time;
	/* a commit has all pages that its entries lead to */
	s->log_pages = store_pages(s);
	return status;
}
