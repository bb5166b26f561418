#include "storage/merge_visits.h"
#include "base/mem.h"
#include "storage/visits.h"

#include <stdlib.h>
#include <string.h>

#define COMMIT_EVERY 4096 /* pages */

/* A page of the new store, in one of the stores. */
struct place {
	uint32_t to, part, id;
};

struct merge_all {
	struct store *into;
	const struct merge_part *part;
	size_t parts;
	uint8_t *is_wanted; /* by page of the new store */
	struct place *place;
	size_t places, place_room;
	struct store_change *seen; /* of one page: all that the stores have seen of it */
	size_t n, room;
};

static int is_crawled(struct store *s, uint32_t id, struct result *out)
{
	return store_result(s, id, out) && out->state == PAGE_CRAWLED;
}

/* Differences of such times, ms since 1970, have 64 bits. */
static int is_time(int64_t ms)
{
	return ms > -((int64_t)1 << 61) && ms < (int64_t)1 << 61;
}

/* --- which pages */

enum { CRAWLED_ONCE = 1, WANTED = 2 };

/* Marks the pages whose history has to be merged: a store has visited the page again, or several stores have crawled it. */
static void mark(struct merge_all *m)
{
	struct store_visited visited;
	struct result result;

	for (size_t p = 0; p < m->parts; p++)
		for (uint32_t id = 0; id < store_pages(m->part[p].store); id++) {
			const uint32_t to = m->part[p].id[id];
			if (to == STORE_NO_PAGE || !is_crawled(m->part[p].store, id, &result))
				continue;
			const int is_again = m->is_wanted[to] || store_visited(m->part[p].store, id, &visited);
			m->is_wanted[to] = is_again ? WANTED : CRAWLED_ONCE;
		}
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->to != y->to ? (x->to < y->to ? -1 : 1) : (x->part > y->part) - (x->part < y->part);
}

static void gather_places(struct merge_all *m)
{
	struct result result;

	for (size_t p = 0; p < m->parts; p++)
		for (uint32_t id = 0; id < store_pages(m->part[p].store); id++) {
			const uint32_t to = m->part[p].id[id];
			if (to == STORE_NO_PAGE || m->is_wanted[to] != WANTED || !is_crawled(m->part[p].store, id, &result) ||
				!is_crawled(m->into, to, &result) || !is_time(result.ended))
				continue;
			m->place = mem_grow(m->place, &m->place_room, m->places + 1, sizeof *m->place);
			m->place[m->places++] = (struct place){to, (uint32_t)p, id};
		}
	if (m->places)
		qsort(m->place, m->places, sizeof *m->place, compare_places);
}

/* --- what was seen of a page */

/* Adds what one store has seen at a time, unless it leads to a page that the new store does not have. */
static void add_seen(struct merge_all *m, const struct place *at, struct store_change c)
{
	const struct merge_part *p = &m->part[at->part];

	if (c.target != STORE_NO_PAGE)
		c.target = c.target < store_pages(p->store) ? p->id[c.target] : STORE_NO_PAGE;
	if (!is_time(c.at) || (c.now == STORE_MOVED && c.target == STORE_NO_PAGE))
		return;
	m->seen = mem_grow(m->seen, &m->room, m->n + 1, sizeof *m->seen);
	m->seen[m->n++] = c;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Says whether visit a of a page says what the page is now, rather than b: the later one does; of two at the same time the one that
 * is more by its other fields, whatever the order of the stores is. */
static int is_newer(const struct store_visited *a, const struct store_visited *b)
{
	int order = (a->last > b->last) - (a->last < b->last);

	if (!order)
		order = (a->modified > b->modified) - (a->modified < b->modified);
	if (!order)
		order = (int)a->status - (int)b->status;
	if (!order)
		order = compare(a->failures, b->failures);
	if (!order)
		order = compare(a->etag_length, b->etag_length);
	return order ? order > 0 : a->etag_length && memcmp(a->etag, b->etag, a->etag_length) > 0;
}

/* Adds the crawl, the changes and the last visit of a page in one store, and its visits to *all; what is known of the page by the
 * latest visit stays. */
static void add_place(struct merge_all *m, const struct place *at, struct store_visited *all)
{
	struct store *s = m->part[at->part].store;
	struct store_visited v;
	struct result r;
	struct store_change c = {.target = STORE_NO_PAGE};

	(void)is_crawled(s, at->id, &r);
	if (!store_visited(s, at->id, &v))
		v = (struct store_visited){.now = STORE_THERE,
			.status = r.status,
			.first = r.ended,
			.last = r.ended,
			.digest = {r.digest[0], r.digest[1]},
			.modified = r.validators.modified,
			.etag = r.validators.etag,
			.etag_length = r.validators.etag_length};
	add_seen(m, at,
		(struct store_change){.now = STORE_THERE,
			.status = r.status,
			.before = INT64_MIN,
			.at = r.ended,
			.digest = {r.digest[0], r.digest[1]},
			.bytes = r.bytes,
			.target = STORE_NO_PAGE});
	for (uint32_t i = 0; i < v.changes && store_change(s, at->id, i, &c); i++)
		add_seen(m, at, c);
	add_seen(m, at,
		(struct store_change){.now = v.now,
			.status = v.status,
			.before = INT64_MIN,
			.at = v.last,
			.digest = {v.digest[0], v.digest[1]},
			.target = v.now == STORE_MOVED ? c.target : STORE_NO_PAGE});
	const uint32_t visits = v.visits < UINT32_MAX - 1 - all->visits ? all->visits + v.visits : UINT32_MAX - 1;
	const int is_undated = all->is_undated || v.is_undated;
	if (!all->visits || is_newer(&v, all))
		*all = v;
	all->visits = visits + 1; /* the crawl is one, too */
	all->is_undated = is_undated;
}

/* Orders observations by time, and then by all other fields, so that two which compare equal are equal, and the stores may come in
 * any order. */
static int compare_times(const void *a, const void *b)
{
	const struct store_change *x = a, *y = b;
	const uint64_t sign = (uint64_t)1 << 63; /* makes signed numbers unsigned ones in the same order */
	const uint64_t fields[][2] = {
		{(uint64_t)x->at ^ sign, (uint64_t)y->at ^ sign},
		{x->now, y->now},
		{x->digest[0], y->digest[0]},
		{x->digest[1], y->digest[1]},
		{(uint64_t)y->before ^ sign, (uint64_t)x->before ^ sign}, /* what bounds the change best comes first, and counts */
		{(uint64_t)x->modified ^ sign, (uint64_t)y->modified ^ sign},
		{x->status, y->status},
		{x->bytes, y->bytes},
		{x->target, y->target},
	};
	int order = 0;

	for (size_t i = 0; i < sizeof fields / sizeof *fields && !order; i++)
		order = compare(fields[i][0], fields[i][1]);
	return order;
}

static int is_same(const struct store_change *a, const struct store_change *b)
{
	if (a->now != b->now || a->now == STORE_GONE)
		return a->now == b->now;
	return a->now == STORE_MOVED ? a->target == b->target : a->digest[0] == b->digest[0] && a->digest[1] == b->digest[1];
}

/* Writes the changes between what was seen of page `to` since its crawl, in the order of time. */
static int write_changes(struct merge_all *m, uint32_t to, const struct result *crawl, struct store_visited *all,
	struct err_note *why)
{
	struct store_change last = {.now = STORE_THERE, .digest = {crawl->digest[0], crawl->digest[1]}, .target = STORE_NO_PAGE};
	int64_t before = crawl->ended;
	int err = 0;

	all->changes = 0;
	for (size_t i = 0; i < m->n && !err; i++) {
		struct store_change c = m->seen[i];
		if (c.at < crawl->ended)
			continue;
		if (!is_same(&c, &last)) {
			c.before = c.before > before && c.before <= c.at ? c.before : before;
			err = store_put_change(m->into, to, all->changes++, &c, why);
			last = c;
		}
		before = c.at;
	}
	all->now = last.now;
	all->first = crawl->ended;
	all->last = before;
	return err;
}

/* Puts together what n stores have seen of a page. */
static int merge_page(struct merge_all *m, const struct place *at, size_t n, struct err_note *why)
{
	struct store_visited all = {.visits = 0};
	struct result crawl;

	m->n = 0;
	for (size_t i = 0; i < n; i++)
		add_place(m, &at[i], &all);
	all.visits--; /* the crawl that counts */
	qsort(m->seen, m->n, sizeof *m->seen, compare_times);
	(void)is_crawled(m->into, at->to, &crawl);
	const int err = write_changes(m, at->to, &crawl, &all, why);
	return err ? err : store_put_visited(m->into, at->to, &all, why);
}

/* Copies the visits of a page that one store has. */
static int copy_page(struct merge_all *m, const struct place *at, struct err_note *why)
{
	struct store *s = m->part[at->part].store;
	struct store_visited v;
	struct store_change c;
	uint32_t changes = 0;
	int err = 0;

	if (!store_visited(s, at->id, &v))
		return 0;
	m->n = 0;
	for (uint32_t i = 0; i < v.changes && store_change(s, at->id, i, &c); i++)
		add_seen(m, at, c);
	for (; changes < m->n && !err; changes++)
		err = store_put_change(m->into, at->to, changes, &m->seen[changes], why);
	v.changes = changes;
	return err ? err : store_put_visited(m->into, at->to, &v, why);
}

static int merge_places(struct merge_all *m, struct err_note *why)
{
	size_t pages = 0, n;
	int err = 0;

	for (size_t i = 0; i < m->places && !err; i += n) {
		for (n = 1; i + n < m->places && m->place[i + n].to == m->place[i].to; n++)
			;
		err = n == 1 ? copy_page(m, &m->place[i], why) : merge_page(m, &m->place[i], n, why);
		if (!err && ++pages % COMMIT_EVERY == 0)
			err = store_commit(m->into, why);
	}
	return err;
}

int merge_visits(struct store *into, const struct merge_part *part, size_t n, struct err_note *why)
{
	struct merge_all m = {.into = into, .part = part, .parts = n};

	m.is_wanted = mem_zero((size_t)store_pages(into) + 1, 1);
	mark(&m);
	gather_places(&m);
	const int err = merge_places(&m, why);
	free(m.is_wanted);
	free(m.place);
	free(m.seen);
	return err;
}
