/* A network source for tests, on a store and a web of its own. */
#ifndef TESTS_NET_BENCH_H
#define TESTS_NET_BENCH_H

#include "tests/test.h"
#include "tests/fetch/webtable.h"

#include "base/clock.h"
#include "crawler/network/net_source.h"
#include "frontier/policy.h"

#define NONE UINT32_MAX

/* A source on a store and a web, without a frontier. */
struct bench {
	struct web *web;
	struct store *store;
	struct scope *scope;
	struct source *source;
	struct frontier_world world;
	struct fetch_settings set;
	struct scope_settings scoped;
	char dir[128];
};

static inline void begin(struct bench *b)
{
	struct err_note why;

	if (store_open(&b->store, b->dir, STORE_WRITE, &why) || scope_new(&b->scope, &b->scoped, &why) ||
		net_source_new(&b->source, &b->set, b->scope, b->store, &why))
		fail_msg("%s", why.text);
	b->source->ops->world(b->source, &b->world);
}

static inline void bench_open(struct bench *b, const struct web_row *rows, size_t n)
{
	*b = (struct bench){.set = fetch_defaults, .scoped = {.max_depth = UINT32_MAX}};
	b->web = web_open(rows, n);
	b->set.user_agent = "testbot";
	b->set.proxy = "";
	b->set.parallel = 4;
	snprintf(b->dir, sizeof b->dir, "%s/store", scratch());
	begin(b);
}

static inline void end(struct bench *b)
{
	b->source->ops->close(b->source);
	scope_free(b->scope);
	store_drop(b->store);
}

static inline void bench_close(struct bench *b)
{
	end(b);
	web_close(b->web);
}

static inline uint32_t seed(struct bench *b, const char *url)
{
	struct url u = URL_EMPTY;
	uint32_t id, pages = store_pages(b->store);
	struct err_note why;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	assert_int_equal(net_source_find(b->source, &u, &id, &why), 0);
	if (id >= pages || !net_source_is_seed(b->source, id))
		assert_int_equal(net_source_seed(b->source, id, &why), 0);
	url_release(&u);
	return id;
}

static inline uint32_t seed_path(struct bench *b, const char *path)
{
	return seed(b, web_url(b->web, path));
}

static inline uint32_t find(struct bench *b, const char *url)
{
	uint32_t id;

	return store_find(b->store, url, strlen(url), &id) ? id : NONE;
}

static inline uint32_t find_path(struct bench *b, const char *path)
{
	return find(b, web_url(b->web, path));
}

static inline void reap(struct bench *b, struct result *e)
{
	const struct source_ops *ops = b->source->ops;
	struct err_note why;
	const struct result *events;
	int got = ops->reap(b->source, &events, ops->now(b->source) + 20000, &why);

	if (got != 1)
		fail_msg("%s", got ? why.text : "nothing came back");
	*e = *events;
}

/* The event of a page once its robots.txt is there. What the recorder would is put down. */
static inline void visit(struct bench *b, uint32_t id, struct result *e)
{
	static const enum log_kind kinds[] = {[PAGE_CRAWLED] = LOG_CRAWLED,
		[PAGE_FAILED] = LOG_FAILED,
		[PAGE_QUEUED] = LOG_REQUEUED,
		[PAGE_REFUSED] = LOG_REFUSED,
		[PAGE_REDIRECTED] = LOG_REDIRECTED};
	struct err_note why;

	do {
		b->source->ops->submit(b->source, &id, 1);
		reap(b, e);
		assert_int_equal(e->id, id);
		const struct log_entry entry = {.kind = kinds[e->state],
			.outcome = (uint8_t)e->outcome,
			.status = e->status,
			.id = id,
			.target = e->target,
			.time = e->not_before};
		assert_int_equal(store_log(b->store, &entry, &why), 0);
		if (e->state == PAGE_CRAWLED)
			assert_int_equal(store_put_links(b->store, id, e->links, e->kinds, NULL, e->n, &why), 0);
	} while (e->state == PAGE_QUEUED && outcome_has(e->outcome, TRAIT_WAITS));
}

static inline enum page_state visit_path(struct bench *b, const char *path)
{
	struct result e;
	uint32_t id = find_path(b, path);

	assert_int_not_equal(id, NONE);
	visit(b, id, &e);
	b->source->ops->release(b->source);
	return e.state;
}

/* Whether ids are those of the paths, separated by blanks, in that order. */
static inline void expect_paths(struct bench *b, const uint32_t *ids, size_t n, const char *paths)
{
	char text[1024] = "";
	struct store_page page;

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(store_page(b->store, ids[i], &page), 1);
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", strchr(page.url + 8, '/'));
	}
	assert_string_equal(text, paths);
}

static inline void expect_links(struct bench *b, const char *path, const char *paths)
{
	struct result e;

	visit(b, find_path(b, path), &e);
	assert_int_equal(e.state, PAGE_CRAWLED);
	expect_paths(b, e.links, e.n, paths);
	b->source->ops->release(b->source);
}

static inline int is_outside(struct bench *b, uint32_t id)
{
	return b->world.outside(b->world.ctx, id);
}

#endif
