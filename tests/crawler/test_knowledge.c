#include "crawler/knowledge/knowledge.h"
#include "crawler/network/net_pages.h"
#include "tests/crawler/net_bench.h"

static const struct web_row aliases[] = {
	{"/", .body = "<a href=/old></a><a href=/older></a><a href=/new></a><a href=/b></a>"},
	{"/old", .status = 301, .headers = "Location: /new\r\n"},
	{"/older", .status = 302, .headers = "Location: /old\r\n"},
	{"/b", .body = "<a href=/older></a><a href=/b></a><a href=/new></a><a href=/fresh></a>"},
	{"/fresh", .status = 301, .headers = "Location: /b\r\n"},
};

static void aliases_become_one_page(void **state)
{
	struct bench b;
	struct result e;
	const uint32_t *links;

	(void)state;
	bench_open(&b, aliases, 5);
	seed_path(&b, "/");
	expect_links(&b, "/", "/old /older /new /b");
	visit(&b, find_path(&b, "/old"), &e);
	assert_int_equal(e.state, PAGE_REDIRECTED);
	assert_int_equal(e.target, find_path(&b, "/new"));
	size_t n = b.world.links(b.world.ctx, 0, &links);
	expect_paths(&b, links, n, "/new /older /b");
	visit(&b, find_path(&b, "/older"), &e);
	assert_int_equal(e.state, PAGE_REDIRECTED);
	assert_int_equal(e.target, find_path(&b, "/new")); /* not /old, which is a name only */
	n = b.world.links(b.world.ctx, 0, &links);
	expect_paths(&b, links, n, "/new /b");
	expect_links(&b, "/b", "/new /b /fresh");
	assert_int_equal(visit_path(&b, "/fresh"), PAGE_REDIRECTED);
	n = b.world.links(b.world.ctx, find_path(&b, "/b"), &links);
	expect_paths(&b, links, n, "/new /b");
	bench_close(&b);
}

/* A chain that is too long from its first page is not from one that a link leads to. */
static void the_shortest_way_to_a_redirect_counts(void **state)
{
	static char header[14][64], path[14][32];
	struct web_row rows[16] = {{"/", .body = "<a href=/c0></a><a href=/c6></a>"}, {"/c14", .body = "x"}};
	struct bench b;

	(void)state;
	for (int i = 0; i < 14; i++) {
		snprintf(path[i], sizeof path[i], "/c%d", i);
		snprintf(header[i], sizeof header[i], "Location: /c%d\r\n", i + 1);
		rows[2 + i] = (struct web_row){path[i], .status = 302, .headers = header[i]};
	}
	bench_open(&b, rows, 16);
	seed_path(&b, "/");
	expect_links(&b, "/", "/c0 /c6");
	for (int i = 0; i < 14; i++)
		assert_int_equal(visit_path(&b, path[i]), PAGE_REDIRECTED);
	assert_int_equal(visit_path(&b, "/c14"), PAGE_CRAWLED);
	bench_close(&b);
}

static void circles_and_long_chains_of_redirects_fail(void **state)
{
	static char header[16][64], path[16][32];
	struct web_row rows[20] = {
		{"/self", .status = 301, .headers = "Location: /self#x\r\n"},
		{"/one", .status = 301, .headers = "Location: /two\r\n"},
		{"/two", .status = 301, .headers = "Location: /one\r\n"},
	};
	struct bench b;
	struct result e;

	(void)state;
	for (int i = 0; i < 16; i++) {
		snprintf(path[i], sizeof path[i], "/chain%d", i);
		snprintf(header[i], sizeof header[i], "Location: /chain%d\r\n", i + 1);
		rows[3 + i] = (struct web_row){path[i], .status = 302, .headers = header[i]};
	}
	bench_open(&b, rows, 19);
	visit(&b, seed_path(&b, "/self"), &e);
	assert_int_equal(e.state, PAGE_FAILED);
	assert_int_equal(e.outcome, OUTCOME_CIRCLE);
	assert_int_equal(e.status, 301);
	visit(&b, seed_path(&b, "/one"), &e);
	assert_int_equal(e.state, PAGE_REDIRECTED);
	assert_int_equal(visit_path(&b, "/two"), PAGE_FAILED);
	uint32_t id = seed_path(&b, "/chain0");
	for (int hops = 0; hops < 10; hops++) {
		visit(&b, id, &e);
		assert_int_equal(e.state, PAGE_REDIRECTED);
		struct store_page page;
		assert_int_equal(store_page(b.store, e.target, &page), 1);
		assert_int_equal(page.depth, 0);
		id = e.target;
	}
	visit(&b, id, &e);
	assert_int_equal(e.state, PAGE_FAILED);
	assert_int_equal(e.outcome, OUTCOME_REDIRECTS);
	assert_int_equal(find_path(&b, "/chain11"), NONE);
	bench_close(&b);
}

/* /far is first found too deep, then by a shorter way. */
static const struct web_row ways[] = {
	{"/", .body = "<a href=/1></a><a href=/near></a>"},
	{"/1", .body = "<a href=/2></a>"},
	{"/2", .body = "<a href=/far></a><a href=http://other.test/></a>"},
	{"/near", .body = "<a href=/far></a><a href=http://other.test/></a>"},
	{"/far", .body = "<a href=/beyond></a>"},
};

static void a_shorter_way_brings_a_page_into_scope(void **state)
{
	struct bench b;
	struct store_page page;

	(void)state;
	bench_open(&b, ways, 5);
	end(&b);
	b.scoped.max_depth = 2;
	begin(&b);
	seed_path(&b, "/");
	expect_links(&b, "/", "/1 /near");
	expect_links(&b, "/1", "/2");
	expect_links(&b, "/2", "/far /");
	uint32_t far = find_path(&b, "/far"), other = find(&b, "http://other.test/");
	assert_int_equal(is_outside(&b, far), 1);
	assert_int_equal(is_outside(&b, other), 1);
	assert_int_equal(store_page(b.store, far, &page), 1);
	assert_int_equal(page.refusal, OUTCOME_DEPTH);
	expect_links(&b, "/near", "/far /");
	assert_int_equal(is_outside(&b, far), 0);
	assert_int_equal(is_outside(&b, other), 1); /* its host is wrong, however near it is */
	expect_links(&b, "/far", "/beyond");
	assert_int_equal(is_outside(&b, find_path(&b, "/beyond")), 1);
	bench_close(&b);
}

#define CHAIN 40

static uint32_t add_found(struct bench *b, const char *path, uint32_t from, uint16_t depth, enum outcome refusal)
{
	struct knowledge *k = net_source_knowledge(b->source);
	const char *url = web_url(b->web, path);
	const struct store_page page = {.url = url, .url_length = strlen(url), .depth = depth, .refusal = (uint8_t)refusal};
	const struct found found = {.by = FOUND_BY_LINK, .from = from, .depth = depth};
	struct err_note why;
	uint32_t id;

	assert_int_equal(store_add(b->store, &page, &id, &why), 0);
	assert_int_equal(knowledge_apply(k, &(struct fact){.kind = FACT_FOUND, .id = id, .found = found}, &why), 0);
	return id;
}

static void crawl_with_links(struct bench *b, uint32_t id, const uint32_t *links, size_t n)
{
	struct knowledge *k = net_source_knowledge(b->source);
	struct err_note why;

	assert_int_equal(store_put_links(b->store, id, links, NULL, NULL, n, &why), 0);
	assert_int_equal(knowledge_apply(k, &(struct fact){.kind = FACT_ARRIVED, .id = id}, &why), 0);
	assert_int_equal(knowledge_apply(k, &(struct fact){.kind = FACT_CRAWLED, .id = id, .links = links, .n = n}, &why), 0);
}

/* A page that links to every page of a long chain, the first one first, makes the ways to all pages behind each of them shorter. */
static void a_page_with_many_shorter_ways_has_each_page_read_once(void **state)
{
	uint32_t chain[CHAIN + 1];
	char path[32];
	struct bench b;

	(void)state;
	bench_open(&b, NULL, 0);
	end(&b);
	b.scoped.max_depth = CHAIN;
	begin(&b);
	const struct knowledge *k = net_source_knowledge(b.source);
	const uint32_t first = seed_path(&b, "/first"), shorter = seed_path(&b, "/shorter");
	for (unsigned i = 0; i <= CHAIN; i++) {
		snprintf(path, sizeof path, "/%u", i + 1);
		chain[i] =
			add_found(&b, path, i ? chain[i - 1] : first, (uint16_t)(i + 1), i < CHAIN ? OUTCOME_NONE : OUTCOME_DEPTH);
		crawl_with_links(&b, i ? chain[i - 1] : first, &chain[i], 1);
	}
	assert_int_equal(k->page[chain[CHAIN]].depth, CHAIN + 1);
	assert_int_equal(k->nearer.n, 0);
	crawl_with_links(&b, shorter, chain + 1, CHAIN - 1);
	for (unsigned i = 1; i < CHAIN; i++)
		assert_int_equal(k->page[chain[i]].depth, 1);
	assert_int_equal(k->page[chain[CHAIN]].depth, 2);
	assert_int_equal(k->nearer.n, 1);
	assert_int_equal(k->nearer.id[0], chain[CHAIN]);
	assert_int_equal(k->shrunk.n, CHAIN - 1);
	bench_close(&b);
}

/* Tells a new source what the log says. */
static void recall_all(struct bench *b)
{
	struct store_log_cursor *c = store_log_start(b->store);
	struct log_entry entry;
	struct err_note why;
	const uint32_t *stored;
	uint32_t links[16];

	while (store_log_next(c, &entry, &why) > 0) {
		size_t n = entry.kind == LOG_CRAWLED ? store_links(b->store, entry.id, &stored, NULL) : 0;
		assert_true(n <= 16);
		if (n)
			memcpy(links, stored, n * sizeof *links);
		if (knowledge_apply_entry(net_source_knowledge(b->source), &entry, links, n, &why))
			fail_msg("%s", why.text);
	}
	store_log_stop(c);
}

static void come_back(struct bench *b)
{
	struct err_note why;

	assert_int_equal(store_commit(b->store, &why), 0);
	end(b);
	begin(b);
	recall_all(b);
}

static void a_source_that_comes_back_knows_what_it_knew(void **state)
{
	struct bench b;
	struct result e;
	const uint32_t *links;
	struct web_row rows[11];

	(void)state;
	memcpy(rows, aliases, sizeof aliases);
	for (int i = 1; i < 5; i++)
		rows[4 + i] = ways[i];
	rows[9] = (struct web_row){"/seed", .body = "<a href=/1></a><a href=/near></a>"};
	rows[10] = (struct web_row){"/bad", .status = 500};
	bench_open(&b, rows, 11);
	end(&b);
	b.scoped.max_depth = 2;
	begin(&b);
	seed_path(&b, "/");
	seed_path(&b, "/seed");
	seed_path(&b, "/bad");
	visit(&b, find_path(&b, "/bad"), &e);
	come_back(&b);
	visit(&b, find_path(&b, "/bad"), &e);
	assert_int_equal(e.state, PAGE_QUEUED);
	come_back(&b);
	visit(&b, find_path(&b, "/bad"), &e);
	assert_int_equal(e.state, PAGE_FAILED); /* the third try */
	expect_links(&b, "/", "/old /older /new /b");
	expect_links(&b, "/seed", "/1 /near");
	expect_links(&b, "/1", "/2");
	expect_links(&b, "/2", "/far /");
	visit_path(&b, "/older");
	visit_path(&b, "/old");
	come_back(&b);
	size_t n = b.world.links(b.world.ctx, 0, &links);
	expect_paths(&b, links, n, "/new /b");
	expect_links(&b, "/b", "/new /b /fresh");
	assert_int_equal(is_outside(&b, find_path(&b, "/far")), 1);
	expect_links(&b, "/near", "/far /");
	assert_int_equal(is_outside(&b, find_path(&b, "/far")), 0);
	come_back(&b);
	assert_int_equal(is_outside(&b, find_path(&b, "/far")), 0);
	assert_int_equal(is_outside(&b, find(&b, "http://other.test/")), 1);
	/* what the log says was judged is not judged again, whatever the scope has become */
	b.scoped.max_depth = 0;
	come_back(&b);
	assert_int_equal(is_outside(&b, find_path(&b, "/far")), 0);
	assert_int_equal(is_outside(&b, find(&b, "http://other.test/")), 1);
	bench_close(&b);
}

/* As a resume tells of a page that was in flight when its crawl was killed. */
static void a_page_that_is_queued_again_leaves_its_budget(void **state)
{
	struct bench b;
	struct err_note why;

	(void)state;
	bench_open(&b, NULL, 0);
	end(&b);
	b.scoped.max_per_host = 1;
	begin(&b);
	struct knowledge *k = net_source_knowledge(b.source);
	const uint32_t one = seed_path(&b, "/1"), two = seed_path(&b, "/2");
	assert_int_equal(knowledge_apply(k, &(struct fact){.kind = FACT_TAKEN, .id = one}, &why), 0);
	assert_int_equal(knowledge_judge_taken(k, two).outcome, OUTCOME_BUDGET);
	const struct log_entry back = {.kind = LOG_REQUEUED, .outcome = OUTCOME_ABORTED, .id = one};
	assert_int_equal(knowledge_apply_entry(k, &back, NULL, 0, &why), 0);
	assert_int_equal(knowledge_judge_taken(k, one).outcome, OUTCOME_NONE);
	assert_int_equal(knowledge_judge_taken(k, two).outcome, OUTCOME_NONE);
	bench_close(&b);
}

/* Judging is a look: however often it is done, the next page is found as if it had not been. */
static void a_judgement_changes_nothing(void **state)
{
	const struct found found = {.by = FOUND_BY_LINK, .depth = 1};
	const struct url_parts {
		const char *path;
		enum outcome verdict;
	} rows[] = {{"/p?a=1&b=2", OUTCOME_NONE}, {"/p?b=2&a=1", OUTCOME_NONE}};
	struct bench b;
	struct url u;

	(void)state;
	bench_open(&b, NULL, 0);
	const struct knowledge *k = net_source_knowledge(b.source);
	seed_path(&b, "/");
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			const char *url = web_url(b.web, rows[i].path);
			assert_int_equal(url_split(&u, url, strlen(url)), URL_OK);
			assert_int_equal(knowledge_judge_found(k, &u, &found), rows[i].verdict);
		}
	seed_path(&b, "/p?a=1&b=2");
	const char *url = web_url(b.web, "/p?b=2&a=1");
	assert_int_equal(url_split(&u, url, strlen(url)), URL_OK);
	assert_int_equal(knowledge_judge_found(k, &u, &found), OUTCOME_NONE); /* known in another form: put off, and not refused */
	assert_int_equal(store_pages(b.store), 2);
	bench_close(&b);
}

static void a_list_takes_each_page_once(void **state)
{
	struct distinct d = {.n = 0};

	(void)state;
	for (uint32_t round = 0; round < 4; round++) {
		if (round == 2)
			d.list = UINT32_MAX; /* the lists' numbers begin again */
		distinct_begin(&d);
		for (uint32_t i = 0; i < 5000; i++) {
			const uint32_t id = i * 2654435761u;
			assert_int_equal(distinct_add(&d, id), 1);
			assert_int_equal(distinct_add(&d, id), 0);
			assert_int_equal(distinct_add(&d, i / 2 * 2654435761u), 0);
		}
	}
	distinct_release(&d);
}

/* However many the log of a store has: they never begin anew. */
static void tries_are_counted_up_to_the_most(void **state)
{
	static const struct web_row rows[] = {{"/", .status = 500}};
	struct bench b;
	struct result e;
	struct err_note why;

	(void)state;
	bench_open(&b, rows, 1);
	end(&b);
	b.set.tries = FETCH_MAX_TRIES;
	b.set.no_robots = 1;
	begin(&b);
	const uint32_t id = seed_path(&b, "/");
	const struct log_entry again = {.kind = LOG_REQUEUED, .outcome = OUTCOME_STATUS, .id = id, .status = 500};
	for (int i = 0; i < 256; i++)
		assert_int_equal(knowledge_apply_entry(net_source_knowledge(b.source), &again, NULL, 0, &why), 0);
	visit(&b, id, &e);
	assert_int_equal(e.state, PAGE_FAILED);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aliases_become_one_page),
		cmocka_unit_test(a_list_takes_each_page_once),
		cmocka_unit_test(the_shortest_way_to_a_redirect_counts),
		cmocka_unit_test(circles_and_long_chains_of_redirects_fail),
		cmocka_unit_test(a_shorter_way_brings_a_page_into_scope),
		cmocka_unit_test(a_page_with_many_shorter_ways_has_each_page_read_once),
		cmocka_unit_test(a_source_that_comes_back_knows_what_it_knew),
		cmocka_unit_test(tries_are_counted_up_to_the_most),
		cmocka_unit_test(a_judgement_changes_nothing),
		cmocka_unit_test(a_page_that_is_queued_again_leaves_its_budget),
	};

	return cmocka_run_group_tests_name("net pages", tests, NULL, NULL);
}
