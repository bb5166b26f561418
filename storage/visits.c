#include "storage/visits.h"
#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_BYTES 16
#define UNDATED      0x80 /* in the byte of the presence */

/* Keys: be32 the page; for a change, be32 its number behind that. So a page stands before its changes. */
static size_t make_key(uint8_t key[8], uint32_t id, const uint32_t *number)
{
	const uint32_t parts[2] = {htobe32(id), number ? htobe32(*number) : 0};

	memcpy(key, parts, sizeof parts);
	return number ? 8 : 4;
}

static int read_key(struct bytes key, uint32_t *id, uint32_t *number)
{
	uint32_t parts[2] = {0, 0};

	if (key.n != 4 && key.n != 8)
		return -1;
	memcpy(parts, key.at, key.n);
	*id = be32toh(parts[0]);
	*number = be32toh(parts[1]);
	return 0;
}

const char *store_presence_word(enum store_presence now)
{
	static const char *const word[] = {[STORE_THERE] = "there", [STORE_GONE] = "gone", [STORE_MOVED] = "moved"};

	return word[now];
}

/* --- codecs */

static void write_digest(struct buf *b, const uint64_t digest[2])
{
	const uint64_t both[2] = {htole64(digest[0]), htole64(digest[1])};

	buf_add(b, both, DIGEST_BYTES);
}

static int read_digest(const uint8_t **at, const uint8_t *end, uint64_t digest[2])
{
	uint64_t both[2];

	if (end - *at < DIGEST_BYTES)
		return -1;
	memcpy(both, *at, DIGEST_BYTES);
	*at += DIGEST_BYTES;
	digest[0] = le64toh(both[0]);
	digest[1] = le64toh(both[1]);
	return 0;
}

static int read_count(const uint8_t **at, const uint8_t *end, uint64_t most, uint64_t *n)
{
	return varint_read(at, end, n) || *n > most ? -1 : 0;
}

/* Writes the record of a page's visits: state and undated flag in one byte, status, visits, changes, failures, first visit, last -
 * first, digest, Last-Modified, ETag. */
static void write_visited(struct buf *b, const struct store_visited *v)
{
	buf_byte(b, v->now | (v->is_undated ? UNDATED : 0));
	buf_varint(b, v->status);
	buf_varint(b, v->visits);
	buf_varint(b, v->changes);
	buf_varint(b, v->failures);
	buf_zigzag(b, v->first);
	buf_zigzag(b, v->last - v->first);
	write_digest(b, v->digest);
	buf_varint(b, (uint64_t)v->modified);
	buf_add(b, v->etag, v->etag_length);
}

static int read_visited(const uint8_t *at, size_t n, struct store_visited *v)
{
	const uint8_t *end = at + n;
	uint64_t status, visits, changes, failures, modified;
	int64_t more;

	if (!n)
		return -1;
	v->is_undated = (*at & UNDATED) != 0;
	v->now = *at++ & (uint8_t)~UNDATED;
	if (v->now > STORE_MOVED || read_count(&at, end, UINT16_MAX, &status) || read_count(&at, end, UINT32_MAX, &visits) ||
		read_count(&at, end, UINT32_MAX, &changes) || read_count(&at, end, UINT32_MAX, &failures) ||
		zigzag_read(&at, end, &v->first) || zigzag_read(&at, end, &more) ||
		__builtin_add_overflow(v->first, more, &v->last) || read_digest(&at, end, v->digest) ||
		read_count(&at, end, INT64_MAX, &modified))
		return -1;
	v->status = (uint16_t)status;
	v->visits = (uint32_t)visits;
	v->changes = (uint32_t)changes;
	v->failures = (uint32_t)failures;
	v->modified = (int64_t)modified;
	v->etag = (const char *)at;
	v->etag_length = (size_t)(end - at);
	return v->etag_length > STORE_ETAG_MAX ? -1 : 0;
}

/* Writes a change: state, status, the time of the visit before, the time of this visit - that time, Last-Modified, digest, size,
 * target + 1. */
static void write_change(struct buf *b, const struct store_change *c)
{
	buf_byte(b, c->now);
	buf_varint(b, c->status);
	buf_zigzag(b, c->before);
	buf_zigzag(b, c->at - c->before);
	buf_varint(b, (uint64_t)c->modified);
	write_digest(b, c->digest);
	buf_varint(b, c->bytes);
	buf_varint(b, c->target == STORE_NO_PAGE ? 0 : (uint64_t)c->target + 1);
}

static int read_change(const uint8_t *at, size_t n, struct store_change *c)
{
	const uint8_t *end = at + n;
	uint64_t status, modified, target;
	int64_t more;

	if (!n || *at > STORE_MOVED)
		return -1;
	c->now = *at++;
	if (read_count(&at, end, UINT16_MAX, &status) || zigzag_read(&at, end, &c->before) || zigzag_read(&at, end, &more) ||
		__builtin_add_overflow(c->before, more, &c->at) || read_count(&at, end, INT64_MAX, &modified) ||
		read_digest(&at, end, c->digest) || varint_read(&at, end, &c->bytes) || read_count(&at, end, UINT32_MAX, &target))
		return -1;
	c->status = (uint16_t)status;
	c->modified = (int64_t)modified;
	c->target = target ? (uint32_t)(target - 1) : STORE_NO_PAGE;
	return at == end ? 0 : -1;
}

static int is_known(const struct store *s, uint32_t target)
{
	return target == STORE_NO_PAGE || target < store_pages(s);
}

/* --- what is not committed */

struct index {
	uint64_t id;
	size_t of; /* new_visit + 1 */
};

static struct new_visit *add(struct kept_visits *k)
{
	k->news = mem_grow(k->news, &k->room, k->n + 1, sizeof *k->news);
	struct new_visit *v = &k->news[k->n++];
	*v = (struct new_visit){.value = BUF_EMPTY};
	return v;
}

int visits_fill(const struct kept_visits *k, struct env_batch *batch)
{
	const struct bytes none = {NULL, 0};
	int status = 0;

	for (size_t i = 0; i < k->n && status == 0; i++) {
		const struct new_visit *v = &k->news[i];
		status = env_put(batch, ENV_VISITS, (struct bytes){v->key, v->key_n}, (struct bytes){v->value.at, v->value.used},
			none, ENV_ANYWHERE);
	}
	return status;
}

void visits_committed(struct kept_visits *k)
{
	for (size_t i = 0; i < k->n; i++)
		buf_release(&k->news[i].value);
	k->n = 0;
	map_release(&k->pages);
	map_init(&k->pages, sizeof(struct index));
}

void visits_init(struct kept_visits *k)
{
	map_init(&k->pages, sizeof(struct index));
}

void visits_release(struct kept_visits *k)
{
	visits_committed(k);
	map_release(&k->pages);
	free(k->news);
}

/* --- one page */

int store_visited(struct store *s, uint32_t id, struct store_visited *out)
{
	const struct index *i = map_find(&s->visits.pages, id);
	struct bytes value;
	uint8_t key[8];

	if (i) {
		const struct buf *b = &s->visits.news[i->of - 1].value;
		return read_visited((const uint8_t *)b->at, b->used, out) == 0;
	}
	if (s->env.format < ENV_FORMAT_VISITS)
		return 0;
	const size_t n = make_key(key, id, NULL);
	return env_get(&s->env, ENV_VISITS, (struct bytes){key, n}, &value, NULL) == 1 && read_visited(value.at, value.n, out) == 0;
}

int store_put_visited(struct store *s, uint32_t id, const struct store_visited *v, struct err_note *why)
{
	const int status = store_take_room(s, &s->log, 80 + v->etag_length, why);

	assert(id < store_pages(s) && v->now <= STORE_MOVED && v->modified >= 0);
	assert(v->etag_length <= STORE_ETAG_MAX);
	if (status)
		return status;
	struct buf value = BUF_EMPTY;
	write_visited(&value, v); /* encoded before the old value is freed, since v->etag may point into it */
	struct index *i = map_at(&s->visits.pages, id);
	if (!i->of) {
		struct new_visit *fresh = add(&s->visits);
		i->of = s->visits.n;
		fresh->key_n = make_key(fresh->key, id, NULL);
	}
	buf_release(&s->visits.news[i->of - 1].value);
	s->visits.news[i->of - 1].value = value;
	return 0;
}

int store_change(struct store *s, uint32_t id, uint32_t number, struct store_change *out)
{
	struct bytes value;
	uint8_t key[8];
	const size_t n = make_key(key, id, &number);

	for (size_t i = s->visits.n; i-- > 0;) {
		const struct new_visit *v = &s->visits.news[i];
		if (v->key_n == n && memcmp(v->key, key, n) == 0)
			return read_change((const uint8_t *)v->value.at, v->value.used, out) == 0;
	}
	if (s->env.format < ENV_FORMAT_VISITS || env_get(&s->env, ENV_VISITS, (struct bytes){key, n}, &value, NULL) != 1 ||
		read_change(value.at, value.n, out))
		return 0;
	if (!is_known(s, out->target))
		out->target = STORE_NO_PAGE;
	return 1;
}

int store_put_change(struct store *s, uint32_t id, uint32_t number, const struct store_change *c, struct err_note *why)
{
	const int status = store_take_room(s, &s->log, 80, why);

	assert(id < store_pages(s) && c->now <= STORE_MOVED && c->modified >= 0);
	if (status)
		return status;
	struct new_visit *fresh = add(&s->visits);
	fresh->key_n = make_key(fresh->key, id, &number);
	write_change(&fresh->value, c);
	return 0;
}

/* --- all pages */

struct walk {
	struct store *store;
	store_visits_fn *tell;
	void *ctx;
	uint32_t id;      /* the page whose changes come */
	uint32_t changes; /* the changes of the page that were read so far */
	int has_page;
	struct store_visited visited;
};

static int damaged(const struct walk *w, uint32_t id, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: the visits of page %u", w->store->env.path, id);
}

/* Says whether all changes of the page that was read last have been read. */
static int is_complete(const struct walk *w)
{
	return !w->has_page || w->changes == w->visited.changes;
}

/* Reports a page's visits or a change of it, and checks that the changes of each page are there, in their order. */
static int each(void *ctx, struct bytes key, struct bytes value, struct err_note *why)
{
	struct walk *w = ctx;
	struct store_change change;
	uint32_t id, number;

	if (read_key(key, &id, &number) || id >= store_pages(w->store))
		return damaged(w, STORE_NO_PAGE, why);
	if (key.n == 4) {
		if (!is_complete(w) || read_visited(value.at, value.n, &w->visited))
			return damaged(w, is_complete(w) ? id : w->id, why);
		w->id = id;
		w->changes = 0;
		w->has_page = 1;
		return w->tell(w->ctx, id, &w->visited, NULL, why);
	}
	if (!w->has_page || id != w->id || number != w->changes || number >= w->visited.changes ||
		read_change(value.at, value.n, &change) || !is_known(w->store, change.target))
		return damaged(w, id, why);
	w->changes++;
	return w->tell(w->ctx, id, &w->visited, &change, why);
}

int store_visits_each(struct store *s, store_visits_fn *tell, void *ctx, struct err_note *why)
{
	struct walk w = {.store = s, .tell = tell, .ctx = ctx};

	if (s->env.format < ENV_FORMAT_VISITS)
		return 0;
	const int status = env_walk(&s->env, ENV_VISITS, each, &w, why);
	return status || is_complete(&w) ? status : damaged(&w, w.id, why);
}
