#include "storage/handle.h"
#include "base/clock.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>
#include <xxhash.h>

/* A record of a page is a URL with the page's host, its depth and its refusal. The pages that one page links to
 * are discovered one after the other, and mostly share the beginning of their URLs, their host and their depth. So a record says
 * how many bytes its URL shares with the URL of the record before it, and has the rest only (front coding). The first record of a
 * chunk, and every 16th after it, shares nothing: a group begins there, and a URL is read from the beginning of its group.
 *
 *	place  URL                              what the record has of it
 *	0      https://example.org/a/one        0 shared, host, depth, "https://example.org/a/one"
 *	1      https://example.org/a/two        22 shared, as before, "two"
 *	2      https://example.org/b            20 shared, as before, "b"
 *
 * A record is a varint, the bytes shared times 2, + 1 if host, depth and refusal are those of the record before; if they are not, a
 * varint host, a varint depth and a byte, the refusal; then the rest of the URL. The first record of a chunk has 1, and its host,
 * depth and refusal follow.
 *
 * In a chunk of format 4 the first record has 0, and every 8th record begins a group. The records of a chunk of format 3 or earlier
 * have the whole URL instead: URL, NUL, host, depth, refusal. So the first byte of a chunk tells the three apart: 1, 0, or one of a
 * URL.
 *
 * A record of a host is its name and a NUL. */

#define URLS_GROUP      16 /* the records from one that shares nothing to the next */
#define URLS_GROUP_OF_4 8  /* in a chunk of format 4 */

#define LINE         64 /* bytes of memory that a processor fetches at once */
#define SAME         1u /* host, depth and refusal are those of the record before */
#define BUILD_BLOCK  32
#define ONE_TAG_MOST 64 /* Equal tags occur by chance twice at most; more of them mean that a store was made to be slow. */
#define URL_END      65536u

/* A record with front coding. */
struct coded {
	uint64_t shared;
	int is_same;
	const uint8_t *at, *end; /* what follows: host, depth and refusal unless they are the same; then the rest of the URL */
};

/* Makes *e a copy of another entry. */
static void url_entry_copy(struct url_entry *e, const struct url_entry *of)
{
	if (e == of)
		return;
	buf_clear(&e->url);
	buf_add(&e->url, of->url.at, of->url.used);
	e->host = of->host;
	e->depth = of->depth;
	e->refusal = of->refusal;
	e->number = of->number;
}

static int is_front_coded(const struct records *r, const struct chunk *k)
{
	return r->db == ENV_PAGES && k->size > 0 && k->bytes[0] <= SAME;
}

/* Returns the first record of the group of record i. */
static uint64_t group_of(const struct chunk *k, uint64_t i)
{
	return i - (i - k->first) % (k->bytes[0] == SAME ? URLS_GROUP : URLS_GROUP_OF_4);
}

/* Reads the first field of record i, which in the first record of a chunk says how large its groups are. Returns 0, or -1 if the
 * record is damaged. */
static inline int read_head(const struct chunk *k, uint64_t i, struct coded *c)
{
	uint64_t head;
	size_t n;

	if (!chunk_record(k, i, &c->at, &n))
		return -1;
	c->end = c->at + n;
	if (varint_read(&c->at, c->end, &head))
		return -1;
	c->shared = head >> 1;
	c->is_same = i > k->first && head & SAME;
	return 0;
}

static int read_facts(const uint8_t **at, const uint8_t *end, uint64_t *host, uint64_t *depth, uint8_t *refusal)
{
	if (varint_read(at, end, host) || varint_read(at, end, depth) || *at == end)
		return -1;
	*refusal = *(*at)++;
	return 0;
}

/* Decodes record i into *e, which has the record before; if record i is the first of its group, the contents of *e do not
 * matter. Returns 0, or -1 if the record is damaged. */
static int step(const struct chunk *k, uint64_t i, struct url_entry *e)
{
	const int is_first = i == group_of(k, i);
	struct coded c;

	if (read_head(k, i, &c) || c.shared > (is_first ? 0 : e->url.used) || (c.is_same && is_first) ||
		(!c.is_same && read_facts(&c.at, c.end, &e->host, &e->depth, &e->refusal)))
		return -1;
	const size_t rest = (size_t)(c.end - c.at);
	if (memchr(c.at, 0, rest))
		return -1;
	e->url.used = (size_t)c.shared;
	buf_add(&e->url, c.at, rest);
	return e->url.used ? 0 : -1;
}

/* Reads a record that has its whole text. */
static int read_plain(const struct records *r, const struct chunk *k, uint64_t i, struct url_entry *e)
{
	const uint8_t *at, *nul;
	size_t n;

	if (!chunk_record(k, i, &at, &n) || !(nul = memchr(at, 0, n)))
		return -1;
	buf_clear(&e->url);
	buf_add(&e->url, at, (size_t)(nul - at));
	if (r->db != ENV_PAGES)
		return 0;
	const uint8_t *end = at + n;
	at = nul + 1;
	return read_facts(&at, end, &e->host, &e->depth, &e->refusal) || at != end || !e->url.used ? -1 : 0;
}

/* Reads record i into *e. It costs least if *e has the record before it, and nothing if *e has the record itself. Returns 1; or 0
 * if there is no such record or it is damaged, and then *e has none. */
static int urls_read(struct records *r, uint64_t i, struct url_entry *e)
{
	const struct chunk *k;

	if (e->number == i + 1 && i < r->n)
		return 1;
	const uint64_t has = e->number; /* the record after the one that the entry has */
	e->number = 0;
	k = records_chunk(r, i);
	if (!k)
		return 0;
	if (!is_front_coded(r, k)) {
		if (read_plain(r, k, i, e))
			return 0;
	} else {
		const uint64_t group = group_of(k, i);
		for (uint64_t at = has > group && has <= i ? has : group; at <= i; at++)
			if (step(k, at, e))
				return 0;
	}
	e->number = i + 1;
	return 1;
}

/* Says whether the rest of a URL in a record begins with n bytes of a text. */
static int begins(struct coded *c, const char *text, size_t n)
{
	uint64_t host, depth;
	uint8_t refusal;

	if (!c->is_same && read_facts(&c->at, c->end, &host, &depth, &refusal))
		return 0;
	return (size_t)(c->end - c->at) >= n && memcmp(c->at, text, n) == 0;
}

/* Says whether the URL of record i, which is stored without the beginning that it shares with the record before it, equals a
 * text. */
static int is_coded(const struct chunk *k, uint64_t i, const char *text, size_t n)
{
	const uint64_t group = group_of(k, i);
	struct coded c;

	if (read_head(k, i, &c) || c.shared > n || !begins(&c, text + c.shared, n - (size_t)c.shared) ||
		(size_t)(c.end - c.at) != n - (size_t)c.shared)
		return 0;
	/* compares the bytes that the record shares with the records before it, from the nearest of these backwards, each with
	 * the bytes that it adds */
	size_t missing = (size_t)c.shared;
	while (missing && i > group) {
		if (read_head(k, --i, &c))
			return 0;
		if (c.shared >= missing)
			continue;
		if (!begins(&c, text + c.shared, missing - (size_t)c.shared))
			return 0;
		missing = (size_t)c.shared;
	}
	return !missing;
}

/* Says whether the text of record i is one of n bytes, without decoding it. A damaged record has no text. */
static int urls_is(struct records *r, uint64_t i, const char *text, size_t n)
{
	const struct chunk *k = records_chunk(r, i);
	const uint8_t *at;
	size_t size;

	if (!k)
		return 0;
	if (is_front_coded(r, k))
		return is_coded(k, i, text, n);
	return chunk_record(k, i, &at, &size) && size > n && at[n] == 0 && memcmp(at, text, n) == 0;
}

/* Fetches the memory that urls_is() of record i, which is in the chunk, will read: its lines at once, while urls_is() would wait
 * for one after the other. */
static void urls_expect(const struct records *r, const struct chunk *k, uint64_t i)
{
	const uint8_t *at, *to;
	size_t n;

	if (!chunk_record(k, i, &to, &n))
		return;
	to += n;
	if (is_front_coded(r, k) && !chunk_record(k, group_of(k, i), &at, &n))
		return;
	for (at = to - n; at < to; at += LINE)
		__builtin_prefetch(at);
}

static size_t common(const char *a, size_t a_n, const char *b, size_t b_n)
{
	const size_t n = a_n < b_n ? a_n : b_n;
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Appends the record of a page, whose URL has n bytes, n > 0. *last is the caller's and is for this call alone: it remembers the
 * record that was appended last. `scratch` is overwritten. Writers only. */
static void urls_append(struct records *r, const char *url, size_t n, uint32_t host, uint16_t depth, uint8_t refusal,
	struct url_entry *last, struct buf *scratch)
{
	const struct chunk *open = r->chunks ? &r->chunk[r->chunks - 1] : NULL;
	size_t shared = 0;
	int is_same = 0;

	assert(n > 0);
	if (open && open->bytes[0] != SAME) /* it has the form of an earlier format */
		records_end_chunk(r);
	uint64_t place = records_next_place(r, n + 24); /* 24: more than the varints and the refusal take */
	if (place % URLS_GROUP && urls_read(r, r->n - 1, last)) {
		shared = common(last->url.at, last->url.used, url, n);
		is_same = last->host == host && last->depth == depth && last->refusal == refusal;
	} else if (place % URLS_GROUP) {
		records_end_chunk(r); /* the record before is damaged */
		place = 0;
	}
	buf_clear(scratch);
	buf_varint(scratch, (uint64_t)shared << 1 | (is_same || !place ? SAME : 0));
	if (!is_same) {
		buf_varint(scratch, host);
		buf_varint(scratch, depth);
		buf_byte(scratch, refusal);
	}
	buf_add(scratch, url + shared, n - shared);
	records_append(r, scratch->at, scratch->used);
}

/* --- texts, and an index from a text to its record */

static void texts_init(struct texts *t, struct env *env, enum env_db db, size_t chunk_most)
{
	records_init(&t->records, env, db, RECORDS_BY_NUMBER, chunk_most);
	/* the seed changes no result; the clock is good enough if the system has no entropy yet */
	if (getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) != sizeof t->seed)
		t->seed = (uint64_t)clock_ns();
}

void pages_init(struct store *s)
{
	texts_init(&s->hosts, &s->env, ENV_HOSTS, CHUNK_BYTES(1));
	texts_init(&s->pages, &s->env, ENV_PAGES, CHUNK_BYTES(8));
}

static void texts_release(struct texts *t)
{
	records_release(&t->records);
	tags_release(&t->tags);
	buf_release(&t->reading.url);
}

void pages_release(struct store *s)
{
	texts_release(&s->hosts);
	texts_release(&s->pages);
	buf_release(&s->last_page.url);
	for (int i = 0; i < STORE_URLS_HELD; i++)
		buf_release(&s->read[i].url);
}

int texts_read(struct texts *t, uint32_t id, const char **text, size_t *n)
{
	const int read = urls_read(&t->records, id, &t->reading);

	*text = t->reading.url.at;
	*n = t->reading.url.used;
	return read;
}

static uint32_t tag_of(const struct texts *t, const void *text, size_t n)
{
	return (uint32_t)(XXH3_64bits_withSeed(text, n, t->seed) >> 32);
}

int texts_find(struct texts *t, const char *text, size_t n, uint32_t *id)
{
	struct env *env = t->records.env;
	struct err_note note;
	uint32_t found, tag;

	const int err = t->built ? 0 : texts_build(t, &note);
	if (err && !env->is_suspect) /* texts that cannot be read are not found */
		(void)!env_unread(env, err, &note, NULL);
	if (t->tags.used == 0)
		return 0;
	tag = tag_of(t, text, n);
	for (size_t i = tags_seek(&t->tags, tag); (found = tags_id(&t->tags, i, tag)) != TAGS_NO_ID; i++) {
		if (urls_is(&t->records, found, text, n)) {
			*id = found;
			return 1;
		}
	}
	return 0;
}

/* First the slots of all texts are fetched, then the ends of the records that these name, then the records: what one step reads has
 * arrived when the step before has been made for all texts. */
void store_expect(struct store *s, const struct store_text *text, size_t n)
{
	struct texts *t = &s->pages;
	const struct chunk *chunk[STORE_EXPECT_MOST];
	uint32_t tag[STORE_EXPECT_MOST], id[STORE_EXPECT_MOST];
	size_t found = 0;

	assert(n <= STORE_EXPECT_MOST);
	if (!t->built || t->tags.used == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		tag[i] = tag_of(t, text[i].at, text[i].n);
		__builtin_prefetch(t->tags.slot + tags_home(&t->tags, tag[i]));
	}
	for (size_t i = 0; i < n; i++) {
		id[found] = tags_id(&t->tags, tags_seek(&t->tags, tag[i]), tag[i]);
		if (id[found] == TAGS_NO_ID || !(chunk[found] = records_chunk(&t->records, id[found])))
			continue;
		const struct chunk *k = chunk[found];
		__builtin_prefetch(k->bytes);
		if (k->ends)
			__builtin_prefetch(k->ends + 2 * (id[found] - k->first));
		found++;
	}
	for (size_t i = 0; i < found; i++)
		urls_expect(&t->records, chunk[i], id[i]);
}

/* Adds the last record, whose text has n bytes and was not there yet, to the index. Returns the record's number. */
static uint32_t texts_added(struct texts *t, const char *text, size_t n)
{
	const uint32_t id = (uint32_t)t->records.n - 1;

	assert(t->built && id < TAGS_NO_ID);
	tags_insert(&t->tags, tag_of(t, text, n), id);
	return id;
}

static int unusable(const struct texts *t, uint32_t id, const char *what, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: database '%s', record %u %s", t->records.env->path,
		env_db_name(t->records.db), id, what);
}

/* Enters n texts into the table. All tags are computed first, so that their slots are prefetched when they are filled. */
static int build_block(struct texts *t, uint32_t first, uint32_t n, struct err_note *why)
{
	uint32_t tag[BUILD_BLOCK], id[BUILD_BLOCK], good = 0;
	const char *text;
	size_t length;
	int status = 0;

	for (uint32_t i = first; i < first + n; i++) {
		id[good] = i;
		if (!texts_read(t, i, &text, &length)) {
			status = unusable(t, i, "has no text", why);
			continue;
		}
		tag[good] = tag_of(t, text, length);
		__builtin_prefetch(t->tags.slot + tags_home(&t->tags, tag[good++]), 1);
	}
	for (uint32_t i = 0; i < good; i++) {
		size_t at = tags_seek(&t->tags, tag[i]), same = 0;
		while (tags_id(&t->tags, at + same, tag[i]) != TAGS_NO_ID)
			same++;
		if (same < ONE_TAG_MOST)
			tags_insert(&t->tags, tag[i], id[i]);
		else
			status = unusable(t, id[i], "is there again and again", why);
	}
	return status;
}

int texts_build(struct texts *t, struct err_note *why)
{
	uint32_t all = (uint32_t)t->records.n;
	int status = 0;

	tags_release(&t->tags);
	tags_reserve(&t->tags, all);
	t->built = 1;
	for (uint32_t first = 0; first < all; first += BUILD_BLOCK) {
		uint32_t n = all - first < BUILD_BLOCK ? all - first : BUILD_BLOCK;
		int err = build_block(t, first, n, why);
		if (err)
			status = err;
	}
	return status;
}
/* --- pages */

int store_find(struct store *s, const char *url, size_t n, uint32_t *id)
{
	return texts_find(&s->pages, url, n, id);
}

int store_add(struct store *s, const struct store_page *page, uint32_t *id, struct err_note *why)
{
	assert(page->url_length > 0 && page->url_length < URL_END);
	assert(page->host < store_hosts(s));
	assert(!store_find(s, page->url, page->url_length, id));
	int status = store_take_room(s, &s->pages.records, page->url_length + 16, why);
	if (status)
		return status;
	urls_append(&s->pages.records, page->url, page->url_length, page->host, page->depth, page->refusal, &s->last_page,
		&s->scratch);
	*id = texts_added(&s->pages, page->url, page->url_length);
	return 0;
}

/* Returns the entry that has the page; else the one that was returned longest ago. If an entry has the page before, that is copied
 * into it, since the page is decoded from there. */
static struct url_entry *entry_for(struct store *s, uint32_t id)
{
	const struct url_entry *before = NULL;
	int oldest = 0, found = -1;

	for (int i = 0; i < STORE_URLS_HELD; i++) {
		if (s->read[i].number == (uint64_t)id + 1)
			found = i;
		if (id && s->read[i].number == id)
			before = &s->read[i];
		if (s->read_turn[i] < s->read_turn[oldest])
			oldest = i;
	}
	if (found < 0) {
		found = oldest;
		if (before)
			url_entry_copy(&s->read[found], before);
	}
	s->read_turn[found] = ++s->turns;
	return &s->read[found];
}

int store_page(struct store *s, uint32_t id, struct store_page *out)
{
	struct url_entry *e = entry_for(s, id);

	if (!urls_read(&s->pages.records, id, e) || e->host >= s->hosts.records.n || e->depth > UINT16_MAX)
		return id < store_pages(s) ? store_unread(s, "the URL of page", id) : 0;
	out->url = e->url.at;
	out->url_length = e->url.used;
	out->host = (uint32_t)e->host;
	out->depth = (uint16_t)e->depth;
	/* format 1 numbered refusals on their own, below those of outcomes */
	out->refusal = (uint8_t)(e->refusal < OUTCOME_HOST ? outcome_of_refusal_1(e->refusal) : e->refusal);
	return 1;
}

int store_log_is_whole(const struct store *s)
{
	return s->env.format >= ENV_FORMAT_SUMS;
}

uint32_t store_pages(const struct store *s)
{
	return (uint32_t)s->pages.records.n;
}

/* --- hosts: name NUL */

int store_host(struct store *s, const char *name, size_t n, uint32_t *host, struct err_note *why)
{
	struct buf *b = &s->scratch;

	assert(n > 0 && n < URL_END && !memchr(name, 0, n));
	if (texts_find(&s->hosts, name, n, host))
		return 0;
	int status = store_take_room(s, &s->hosts.records, n + 1, why);
	if (status)
		return status;
	buf_clear(b);
	buf_add(b, name, n);
	buf_byte(b, 0);
	records_append(&s->hosts.records, b->at, b->used);
	*host = texts_added(&s->hosts, name, n);
	return 0;
}

int store_find_host(struct store *s, const char *name, size_t n, uint32_t *host)
{
	return texts_find(&s->hosts, name, n, host);
}

const char *store_host_name(struct store *s, uint32_t host)
{
	const char *name;
	size_t n;

	if (texts_read(&s->hosts, host, &name, &n))
		return name;
	if (host < store_hosts(s))
		store_unread(s, "the name of host", host);
	return NULL;
}

uint32_t store_hosts(const struct store *s)
{
	return (uint32_t)s->hosts.records.n;
}
