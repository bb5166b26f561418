/* One store of several: it keeps every invariant, and each page is as the stores say. */
#include "tests/storage/made_crawl.h"

#include "storage/store_merge.h"
#include "storage/visits.h"

/* Writes a made crawl into a new store, and opens it for reading. */
static struct store *made_store(char dir[64], uint64_t seed, size_t steps)
{
	struct made_crawl *m = made_crawl(seed, steps);
	struct err_note why;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, m->steps, &why), 0);
	commit(s);
	store_drop(s);
	made_free(m);
	return open_store(dir, STORE_READ);
}

static void tell(void *ctx, const char *line)
{
	(void)ctx;
	print_message("# %s\n", line);
}

static struct store *merged(char dir[64], struct store *const *from, size_t n, struct store_merge_counts *counts)
{
	struct err_note why = {""};

	strcpy(dir, scratch());
	struct store *into = open_store(dir, STORE_WRITE);
	if (store_merge(into, from, n, counts, &why))
		fail_msg("store_merge: %s", why.text);
	store_drop(into);
	into = open_store(dir, STORE_READ);
	assert_int_equal(store_verify(into, tell, NULL, &why), 0);
	return into;
}

/* How a store has left a page. PAGE_UNSEEN: it does not have it; PAGE_OUTSIDE: it was refused at its discovery, and may have
 * become a seed since. */
static enum page_state state_in(struct store *s, const struct store_page *page)
{
	struct store_page own;
	struct result r;
	uint32_t id;

	if (!store_find(s, page->url, page->url_length, &id))
		return PAGE_UNSEEN;
	if (store_result(s, id, &r))
		return (enum page_state)r.state;
	assert_int_equal(store_page(s, id, &own), 1);
	return own.refusal ? PAGE_OUTSIDE : PAGE_QUEUED;
}

static void a_merged_store_is_sound_and_has_the_pages_of_all(void **state)
{
	struct rng rng = {9};

	(void)state;
	for (int round = 0; round < 60; round++) {
		const size_t n = 1 + rng_below(&rng, 4);
		char dir[5][64];
		struct store *s[4];
		struct store_merge_counts counts;
		/* the same crawl, ended earlier or later, and another one: pages that all, some or one of them have */
		for (size_t i = 0; i < n; i++)
			s[i] = made_store(dir[i], i % 3 == 2 ? 1000 + (uint64_t)round : (uint64_t)round, 1 + rng_below(&rng, 150));
		struct store *into = merged(dir[4], s, n, &counts);
		assert_int_equal(counts.pages, store_pages(into));
		uint32_t crawled = 0;
		for (uint32_t id = 0; id < store_pages(into); id++) {
			struct store_page page;
			int has[PAGE_STATES] = {0};
			assert_int_equal(store_page(into, id, &page), 1);
			for (size_t i = 0; i < n; i++)
				has[state_in(s[i], &page)] = 1;
			const enum page_state got = state_in(into, &page);
			crawled += got == PAGE_CRAWLED;
			if (has[PAGE_CRAWLED] || has[PAGE_REDIRECTED])
				assert_true(has[got] && (got == PAGE_CRAWLED || got == PAGE_REDIRECTED));
			else if (has[PAGE_FAILED] || has[PAGE_REFUSED])
				assert_true(has[got] && (got == PAGE_FAILED || got == PAGE_REFUSED));
			else
				assert_true(got == PAGE_QUEUED || got == PAGE_OUTSIDE);
		}
		assert_int_equal(counts.crawled, crawled);
		for (size_t i = 0; i < n; i++) {
			struct store_page page;
			for (uint32_t id = 0; id < store_pages(s[i]); id++) {
				uint32_t to;
				assert_int_equal(store_page(s[i], id, &page), 1);
				assert_int_equal(store_find(into, page.url, page.url_length, &to), 1);
			}
			store_drop(s[i]);
		}
		store_drop(into);
	}
}

static void one_store_merged_has_the_same_ids_links_and_results(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 30; seed++) {
		char dir[2][64];
		struct store *s = made_store(dir[0], seed, 200);
		struct store_merge_counts counts;
		struct store *into = merged(dir[1], &s, 1, &counts);
		assert_int_equal(store_pages(into), store_pages(s));
		assert_int_equal(counts.repeated, 0);
		for (uint32_t id = 0; id < store_pages(s); id++) {
			struct store_page a, b;
			struct result x, y;
			const uint32_t *links, *same;
			const uint8_t *kinds, *same_kinds;
			assert_true(store_page(s, id, &a) && store_page(into, id, &b));
			assert_string_equal(a.url, b.url);
			assert_int_equal(a.depth, b.depth);
			assert_string_equal(store_host_name(s, a.host), store_host_name(into, b.host));
			const size_t n = store_links(s, id, &links, &kinds);
			assert_int_equal(n, store_links(into, id, &same, &same_kinds));
			if (n)
				assert_memory_equal(links, same, n * sizeof *links);
			if (n && kinds)
				assert_memory_equal(kinds, same_kinds, n);
			if (!store_result(s, id, &x) || x.state == PAGE_QUEUED)
				continue;
			assert_int_equal(store_result(into, id, &y), 1);
			assert_int_equal(x.state, y.state);
			assert_int_equal(x.ended, y.ended);
			assert_true(x.digest[0] == y.digest[0] && x.target == y.target);
		}
		store_drop(s);
		store_drop(into);
	}
}

/* A store with one seed, whose page was crawled at a time and links to one other page; it stays open for writing. */
static struct store *little_open(char dir[64], const char *seed, const char *link, int64_t time, uint64_t digest)
{
	const struct result r = {.state = PAGE_CRAWLED,
		.outcome = OUTCOME_CRAWLED,
		.status = 200,
		.target = STORE_NO_PAGE,
		.ended = time,
		.digest = {digest, 0}};
	const uint32_t one = 1;

	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SITTING, .time = 5}, NULL), 0);
	add(s, seed);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = 0}, NULL), 0);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_TAKE, .id = 0, .text = time > 50 ? "explore" : NULL}, NULL),
		0);
	add(s, link);
	assert_int_equal(store_put_result(s, 0, &r, NULL), 0);
	assert_int_equal(store_put_links(s, 0, &one, NULL, "next", 1, NULL), 0);
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_CRAWLED, .id = 0}, NULL), 0);
	assert_int_equal(store_set(s, "delay", "1s", NULL), 0);
	assert_int_equal(store_set(s, "policy", time > 50 ? "opic" : "ieca", NULL), 0);
	return s;
}

static struct store *reopened(struct store *s, const char *dir)
{
	commit(s);
	store_drop(s);
	return open_store(dir, STORE_READ);
}

static struct store *little(char dir[64], const char *seed, const char *link, int64_t time)
{
	return reopened(little_open(dir, seed, link, time, 0), dir);
}

static void the_rule_by_which_a_page_was_taken_stays(void **state)
{
	char dir[3][64];
	struct store *s[] = {little(dir[0], "http://a.test/", "http://a.test/x", 10),
		little(dir[1], "http://b.test/", "http://b.test/x", 60)};
	struct store_merge_counts counts;
	struct store *into = merged(dir[2], s, 2, &counts);
	struct store_log_cursor *c = store_log_start(into);
	struct log_entry e;
	int takes = 0;

	(void)state;
	while (store_log_next(c, &e, NULL) > 0)
		if (e.kind == LOG_TAKE) {
			assert_int_equal(e.text != NULL, takes == 1);
			assert_string_equal(e.text ? e.text : "explore", "explore");
			takes++;
		}
	assert_int_equal(takes, 2);
	store_log_stop(c);
	store_drop(into);
	store_drop(s[0]);
	store_drop(s[1]);
}

static void pages_are_numbered_by_the_time_of_their_discovery(void **state)
{
	char dir[3][64];
	struct store *s[2] = {little(dir[0], "http://a.test/", "http://a.test/late", 100),
		little(dir[1], "http://b.test/", "http://b.test/early", 10)};
	struct store_merge_counts counts;
	struct store *into = merged(dir[2], s, 2, &counts);
	static const char *const order[] = {"http://a.test/", "http://b.test/", "http://b.test/early", "http://a.test/late"};
	struct store_page page;

	(void)state;
	assert_int_equal(store_pages(into), 4);
	for (uint32_t id = 0; id < 4; id++) {
		assert_int_equal(store_page(into, id, &page), 1);
		assert_string_equal(page.url, order[id]);
	}
	assert_string_equal(store_get(into, "delay"), "1s"); /* both have it */
	assert_null(store_get(into, "policy"));              /* they differ */
	store_drop(s[0]);
	store_drop(s[1]);
	store_drop(into);
}

static void a_page_that_two_stores_crawled_is_there_once_as_it_came_first(void **state)
{
	char dir[3][64];
	struct store *s[2] = {little(dir[0], "http://a.test/", "http://a.test/new", 100),
		little(dir[1], "http://a.test/", "http://a.test/old", 10)};
	struct store_merge_counts counts;
	struct store *into = merged(dir[2], s, 2, &counts);
	struct result r;
	struct store_page page;
	const uint32_t *links;
	size_t n;

	(void)state;
	assert_int_equal(counts.crawled, 1);
	assert_int_equal(counts.repeated, 1);
	assert_int_equal(store_result(into, 0, &r), 1);
	assert_int_equal(r.ended, 10);
	assert_int_equal(store_links(into, 0, &links, NULL), 1);
	assert_int_equal(store_page(into, links[0], &page), 1);
	assert_string_equal(page.url, "http://a.test/old");
	assert_string_equal(store_anchor(into, 0, 0, &n), "next");
	assert_int_equal(store_find(into, "http://a.test/new", 17, &(uint32_t){0}), 1); /* queued in the other store */
	store_drop(s[0]);
	store_drop(s[1]);
	store_drop(into);
}

/* Writes the visits of page 0: `changes`, and the last visit, which has found no more. */
static void visit(struct store *s, int64_t first, int64_t last, uint32_t visits, const struct store_change *change,
	uint32_t changes)
{
	struct store_visited v = {.now = STORE_THERE,
		.status = 200,
		.visits = visits,
		.changes = changes,
		.first = first,
		.last = last,
		.etag = "\"e\"",
		.etag_length = 3};

	for (uint32_t i = 0; i < changes; i++) {
		assert_int_equal(store_put_change(s, 0, i, &change[i], NULL), 0);
		v.now = change[i].now;
		v.status = change[i].status;
		if (v.now == STORE_THERE)
			v.digest[0] = change[i].digest[0];
	}
	assert_int_equal(store_put_visited(s, 0, &v, NULL), 0);
}

static void the_visits_of_a_page_that_one_store_has_stay_as_they_are(void **state)
{
	const struct store_change change[] = {{.now = STORE_THERE,
						      .status = 200,
						      .before = 110,
						      .at = 120,
						      .digest = {2, 0},
						      .bytes = 7,
						      .target = STORE_NO_PAGE},
		{.now = STORE_MOVED, .status = 301, .before = 130, .at = 140, .target = 2}};
	char dir[3][64];
	struct store_merge_counts counts;
	struct store_visited v;
	struct store_change c;
	struct store_page page;
	struct log_entry e;
	int found = 0;

	(void)state;
	struct store *a = little_open(dir[0], "http://a.test/", "http://a.test/link", 100, 1);
	add(a, "http://a.test/moved"); /* found by a visit */
	assert_int_equal(store_log(a, &(struct log_entry){.kind = LOG_VISITED, .id = 0}, NULL), 0);
	visit(a, 100, 150, 4, change, 2);
	struct store *s[2] = {little(dir[1], "http://b.test/", "http://b.test/link", 50), reopened(a, dir[0])};
	struct store *into = merged(dir[2], s, 2, &counts);
	uint32_t id;
	assert_int_equal(store_find(into, "http://a.test/", 14, &id), 1);
	assert_true(id > 0);
	assert_int_equal(store_visited(into, id, &v), 1);
	assert_int_equal(v.visits, 4);
	assert_int_equal(v.changes, 2);
	assert_int_equal(v.now, STORE_MOVED);
	assert_int_equal(v.first, 100);
	assert_int_equal(v.last, 150);
	assert_int_equal(v.digest[0], 2);
	assert_memory_equal(v.etag, "\"e\"", 3);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(store_change(into, id, i, &c), 1);
		assert_true(c.before == change[i].before && c.at == change[i].at && c.now == change[i].now);
		assert_true(c.status == change[i].status && c.bytes == change[i].bytes && c.digest[0] == change[i].digest[0]);
	}
	assert_int_equal(store_page(into, c.target, &page), 1);
	assert_string_equal(page.url, "http://a.test/moved");
	struct store_log_cursor *log = store_log_start(into);
	while (store_log_next(log, &e, NULL) > 0)
		found += e.kind == LOG_VISITED && e.id == id && e.n_new == 1 && e.first_new == c.target;
	store_log_stop(log);
	assert_int_equal(found, 1);
	store_drop(s[0]);
	store_drop(s[1]);
	store_drop(into);
}

/* One store saw the second version at 30, the other, which crawled the page later, at 25; and that it was gone at 50. */
static void what_two_stores_have_seen_of_a_page_is_one_history(void **state)
{
	const struct store_change one = {.now = STORE_THERE,
					  .status = 200,
					  .before = 20,
					  .at = 30,
					  .digest = {2, 0},
					  .target = STORE_NO_PAGE},
				  two = {.now = STORE_GONE, .status = 404, .before = 45, .at = 50, .target = STORE_NO_PAGE};
	struct store_merge_counts counts;
	struct store_visited v;
	struct store_change c;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		char dir[3][64];
		struct store *a = little_open(dir[0], "http://a.test/", "http://a.test/1", 10, 1),
			     *b = little_open(dir[1], "http://a.test/", "http://a.test/2", 25, 2);
		visit(a, 10, 40, 2, &one, 1);
		visit(b, 25, 50, 1, &two, 1);
		struct store *s[2] = {reopened(turn ? b : a, dir[turn]), reopened(turn ? a : b, dir[!turn])};
		struct store *into = merged(dir[2], s, 2, &counts);
		assert_int_equal(counts.repeated, 1);
		assert_int_equal(store_visited(into, 0, &v), 1);
		assert_int_equal(v.visits, 4); /* three, and the second crawl */
		assert_int_equal(v.changes, 2);
		assert_int_equal(v.now, STORE_GONE);
		assert_int_equal(v.first, 10);
		assert_int_equal(v.last, 50);
		assert_int_equal(store_change(into, 0, 0, &c), 1);
		assert_true(c.before == 10 && c.at == 25 && c.now == STORE_THERE && c.digest[0] == 2);
		assert_int_equal(store_change(into, 0, 1, &c), 1);
		assert_true(c.before == 45 && c.at == 50 && c.now == STORE_GONE && c.status == 404);
		store_drop(s[0]);
		store_drop(s[1]);
		store_drop(into);
	}
}

/* Both stores have visited the page at the same time, and seen another answer; only all fields together tell the visits apart. */
static void the_order_of_stores_with_visits_at_one_time_changes_nothing(void **state)
{
	const struct store_change seen[2] = {{.now = STORE_THERE,
						     .status = 200,
						     .before = 20,
						     .at = 30,
						     .digest = {2, 0},
						     .bytes = 7,
						     .target = STORE_NO_PAGE},
		{.now = STORE_THERE, .status = 203, .before = 22, .at = 30, .digest = {2, 0}, .bytes = 8, .target = STORE_NO_PAGE}};
	struct store_merge_counts counts;
	struct store_visited v[2];
	struct store_change c[2];

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		char dir[3][64];
		struct store *a = little_open(dir[0], "http://a.test/", "http://a.test/1", 10, 1),
			     *b = little_open(dir[1], "http://a.test/", "http://a.test/2", 10, 1);
		visit(a, 10, 40, 1, &seen[0], 1);
		visit(b, 10, 40, 1, &seen[1], 1);
		struct store *s[2] = {reopened(turn ? b : a, dir[turn]), reopened(turn ? a : b, dir[!turn])};
		struct store *into = merged(dir[2], s, 2, &counts);
		assert_int_equal(store_visited(into, 0, &v[turn]), 1);
		assert_int_equal(v[turn].changes, 1);
		assert_int_equal(store_change(into, 0, 0, &c[turn]), 1);
		store_drop(s[0]);
		store_drop(s[1]);
		store_drop(into);
	}
	assert_int_equal(v[0].status, v[1].status);
	assert_true(c[0].status == c[1].status && c[0].bytes == c[1].bytes && c[0].before == c[1].before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_merged_store_is_sound_and_has_the_pages_of_all),
		cmocka_unit_test(one_store_merged_has_the_same_ids_links_and_results),
		cmocka_unit_test(the_rule_by_which_a_page_was_taken_stays),
		cmocka_unit_test(pages_are_numbered_by_the_time_of_their_discovery),
		cmocka_unit_test(a_page_that_two_stores_crawled_is_there_once_as_it_came_first),
		cmocka_unit_test(the_visits_of_a_page_that_one_store_has_stay_as_they_are),
		cmocka_unit_test(what_two_stores_have_seen_of_a_page_is_one_history),
		cmocka_unit_test(the_order_of_stores_with_visits_at_one_time_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
