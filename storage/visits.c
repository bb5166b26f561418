#include "storage/visits.h"
#include "storage/coder.h"
#include "storage/handle.h"

#include <assert.h>

#define UNDATED 0x80 /* in the byte of the presence */

/* A key: be32 the page; for a change, be32 its number behind that. So a page stands before its changes. */
struct key {
	uint32_t part[2];
};

static struct bytes make_key(struct key *key, uint32_t id, const uint32_t *number)
{
	*key = (struct key){{htobe32(id), number ? htobe32(*number) : 0}};
	return (struct bytes){key, number ? 8 : 4};
}

static int read_key(struct bytes key, uint32_t *id, uint32_t *number)
{
	struct key parts = {{0, 0}};

	if (key.n != 4 && key.n != 8)
		return -1;
	memcpy(&parts, key.at, key.n);
	*id = be32toh(parts.part[0]);
	*number = be32toh(parts.part[1]);
	return 0;
}

const char *store_presence_word(enum store_presence now)
{
	static const char *const word[] = {[STORE_THERE] = "there", [STORE_GONE] = "gone", [STORE_MOVED] = "moved"};

	return word[now];
}

/* --- codecs */

static void code_digest(struct coder *c, uint64_t digest[2])
{
	for (int i = 0; i < 2; i++)
		digest[i] = code_hash(c, digest[i]);
}

/* The record of a page's visits: state and undated flag in one byte, status, visits, changes, failures, first visit, last -
 * first, digest, Last-Modified, and to the end the ETag. */
static void code_visited(struct coder *c, struct store_visited *v)
{
	const unsigned first = code_byte(c, v->now | (v->is_undated ? UNDATED : 0u));

	v->is_undated = (first & UNDATED) != 0;
	v->now = (uint8_t)(first & ~(unsigned)UNDATED);
	v->status = (uint16_t)code_count(c, v->status, UINT16_MAX);
	v->visits = (uint32_t)code_count(c, v->visits, UINT32_MAX);
	v->changes = (uint32_t)code_count(c, v->changes, UINT32_MAX);
	v->failures = (uint32_t)code_count(c, v->failures, UINT32_MAX);
	v->first = code_signed(c, v->first);
	v->last = code_since(c, v->first, v->last);
	code_digest(c, v->digest);
	v->modified = (int64_t)code_count(c, (uint64_t)v->modified, INT64_MAX);
}

static int read_visited(struct bytes value, struct store_visited *v)
{
	struct coder c = {.at = value.at, .end = (const uint8_t *)value.at + value.n};

	*v = (struct store_visited){.now = 0};
	code_visited(&c, v);
	v->etag = (const char *)c.at;
	v->etag_length = (size_t)(c.end - c.at);
	return c.is_bad || v->now > STORE_MOVED || v->etag_length > STORE_ETAG_MAX ? -1 : 0;
}

/* A change: state, status, the time of the visit before, the time of this visit - that time, Last-Modified, digest, size,
 * target + 1. */
static void code_change(struct coder *c, struct store_change *x)
{
	x->now = code_byte(c, x->now);
	x->status = (uint16_t)code_count(c, x->status, UINT16_MAX);
	x->before = code_signed(c, x->before);
	x->at = code_since(c, x->before, x->at);
	x->modified = (int64_t)code_count(c, (uint64_t)x->modified, INT64_MAX);
	code_digest(c, x->digest);
	x->bytes = code_count(c, x->bytes, UINT64_MAX);
	x->target = (uint32_t)code_count(c, x->target == STORE_NO_PAGE ? 0 : (uint64_t)x->target + 1, UINT32_MAX) - 1;
}

static int read_change(struct bytes value, struct store_change *x)
{
	struct coder c = {.at = value.at, .end = (const uint8_t *)value.at + value.n};

	*x = (struct store_change){.target = STORE_NO_PAGE};
	code_change(&c, x);
	return c.is_bad || x->now > STORE_MOVED || c.at != c.end ? -1 : 0;
}

static int is_known(const struct store *s, uint32_t target)
{
	return target == STORE_NO_PAGE || target < store_pages(s);
}

/* --- one page */

int store_visited(struct store *s, uint32_t id, struct store_visited *out)
{
	struct bytes value;
	struct key key;

	return values_get(s, ENV_VISITS, make_key(&key, id, NULL), &value) && read_visited(value, out) == 0;
}

int store_known(struct store *s, uint32_t id, struct store_visited *out)
{
	struct result r;

	if (store_visited(s, id, out))
		return 1;
	if (!store_result(s, id, &r))
		return 0;
	*out = (struct store_visited){.now = STORE_THERE,
		.status = r.status,
		.first = r.ended,
		.last = r.ended,
		.digest = {r.digest[0], r.digest[1]},
		.modified = r.validators.modified,
		.etag = r.validators.etag,
		.etag_length = r.validators.etag_length};
	return 1;
}

int store_put_visited(struct store *s, uint32_t id, const struct store_visited *visited, struct err_note *why)
{
	const int status = store_take_room(s, &s->log, 80 + visited->etag_length, why);
	struct store_visited v = *visited;
	struct buf value = BUF_EMPTY;
	struct key key;

	assert(id < store_pages(s) && v.now <= STORE_MOVED && v.modified >= 0 && v.etag_length <= STORE_ETAG_MAX);
	if (status)
		return status;
	code_visited(&(struct coder){.out = &value}, &v);
	buf_add(&value, v.etag, v.etag_length); /* which may be that of the value that is replaced */
	values_take(s, ENV_VISITS, make_key(&key, id, NULL), value);
	return 0;
}

int store_change(struct store *s, uint32_t id, uint32_t number, struct store_change *out)
{
	struct bytes value;
	struct key key;

	if (!values_get(s, ENV_VISITS, make_key(&key, id, &number), &value) || read_change(value, out))
		return 0;
	if (!is_known(s, out->target))
		out->target = STORE_NO_PAGE;
	return 1;
}

int store_put_change(struct store *s, uint32_t id, uint32_t number, const struct store_change *change, struct err_note *why)
{
	const int status = store_take_room(s, &s->log, 80, why);
	struct store_change x = *change;
	struct buf value = BUF_EMPTY;
	struct key key;

	assert(id < store_pages(s) && x.now <= STORE_MOVED && x.modified >= 0);
	if (status)
		return status;
	code_change(&(struct coder){.out = &value}, &x);
	values_take(s, ENV_VISITS, make_key(&key, id, &number), value);
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
		if (!is_complete(w) || read_visited(value, &w->visited))
			return damaged(w, is_complete(w) ? id : w->id, why);
		w->id = id;
		w->changes = 0;
		w->has_page = 1;
		return w->tell(w->ctx, id, &w->visited, NULL, why);
	}
	if (!w->has_page || id != w->id || number != w->changes || number >= w->visited.changes || read_change(value, &change) ||
		!is_known(w->store, change.target))
		return damaged(w, id, why);
	w->changes++;
	return w->tell(w->ctx, id, &w->visited, &change, why);
}

int store_visits_each(struct store *s, store_visits_fn *tell, void *ctx, struct err_note *why)
{
	struct walk w = {.store = s, .tell = tell, .ctx = ctx};

	const int status = env_walk(&s->env, ENV_VISITS, each, &w, why);
	return status || is_complete(&w) ? status : damaged(&w, w.id, why);
}
