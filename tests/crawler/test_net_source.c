#include "tests/crawler/net_bench.h"

#include <time.h>

static void ids_follow_the_order_of_discovery(void **state)
{
	static const struct web_row rows[] = {
		{"/", .body = "<a href=/b></a><a href=/a></a><a href=/></a><a href=/b#x></a>"},
		{"/b", .body = "<a href=/c></a><a href=/a></a>"},
	};
	struct bench b;
	struct store_page page;
	struct result e;

	(void)state;
	bench_open(&b, rows, 2);
	assert_int_equal(seed_path(&b, "/"), 0);
	assert_int_equal(seed_path(&b, "/"), 0);
	visit(&b, 0, &e);
	assert_int_equal(e.state, PAGE_CRAWLED);
	static const uint32_t first[] = {1, 2, 0};
	assert_int_equal(e.n, 3);
	assert_memory_equal(e.links, first, sizeof first);
	assert_int_equal(e.kinds[2], LINK_A);
	assert_true(e.digest[0] | e.digest[1]);
	visit(&b, 1, &e);
	static const uint32_t second[] = {3, 2};
	assert_int_equal(e.n, 2);
	assert_memory_equal(e.links, second, sizeof second);
	expect_paths(&b, e.links, e.n, "/c /a");
	static const uint16_t depth[] = {0, 1, 1, 2};
	for (uint32_t id = 0; id < 4; id++) {
		assert_int_equal(store_page(b.store, id, &page), 1);
		assert_int_equal(page.depth, depth[id]);
		assert_int_equal(page.refusal, 0);
		assert_int_equal(b.world.host(b.world.ctx, id), 0);
	}
	const uint32_t *links;
	assert_int_equal(b.world.links(b.world.ctx, 0, &links), 3);
	assert_memory_equal(links, first, sizeof first);
	assert_int_equal(b.world.links(b.world.ctx, 2, &links), 0);
	bench_close(&b);
}

static void links_out_of_scope_have_ids_and_reasons(void **state)
{
	static const struct web_row rows[] = {
		{"/",
			.body = "<a href=http://other.test:81/x?y></a><a href=/in></a>"
				"<a href=//u:p@other.test:81/z></a><a href='http://[::1]:82/'></a>"
				"<a href='http://[::2]/'></a><a href=https://other.test/></a>"
				"<a href=/x.pdf></a>"},
		{"/away", .status = 301, .headers = "Location: http://other.test:81/x?y\r\n"},
	};
	static const char *const hosts[] = {"other.test:81", "", "other.test:81", "[::1]:82", "[::2]", "other.test", ""};
	struct bench b;
	struct store_page page;
	struct result e;

	(void)state;
	bench_open(&b, rows, 2);
	end(&b);
	b.scoped.reject = "pdf";
	begin(&b);
	seed_path(&b, "/");
	visit(&b, 0, &e);
	assert_int_equal(e.n, 7);
	for (uint32_t i = 0; i < 7; i++) {
		assert_int_equal(e.links[i], i + 1);
		assert_int_equal(store_page(b.store, i + 1, &page), 1);
		assert_int_equal(page.refusal, i == 1 ? OUTCOME_NONE : i == 6 ? OUTCOME_SUFFIX : OUTCOME_HOST);
		assert_int_equal(is_outside(&b, i + 1), i != 1);
		const char *host = store_host_name(b.store, page.host);
		if (*hosts[i])
			assert_string_equal(host, hosts[i]);
		else
			assert_memory_equal(host, "127.0.0.1:", 10);
	}
	/* an alias of what is refused; and a seed that was refused as a link */
	visit(&b, seed_path(&b, "/away"), &e);
	assert_int_equal(e.state, PAGE_REDIRECTED);
	assert_int_equal(e.target, 1);
	assert_int_equal(is_outside(&b, 1), 1);
	assert_int_equal(seed(&b, "http://other.test:81/x?y"), 1);
	assert_int_equal(is_outside(&b, 1), 0);
	bench_close(&b);
}

static void tries_are_counted_but_for_robots(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .status = 500, .headers = "Retry-After: 0\r\n", .times = 2},
		{"/bad", .status = 500, .headers = "Retry-After: 5\r\n"},
	};
	struct bench b;
	struct result e;

	(void)state;
	bench_open(&b, rows, 2);
	seed_path(&b, "/bad");
	for (int i = 0; i < 3; i++) {
		int64_t before = b.source->ops->now(b.source);
		visit(&b, 0, &e);
		assert_int_equal(e.state, i < 2 ? PAGE_QUEUED : PAGE_FAILED);
		assert_int_equal(e.status, 500);
		assert_int_equal(e.outcome, OUTCOME_STATUS);
		if (i < 2)
			assert_int_equal(e.not_before, e.ended + 5000);
		assert_true(before <= e.started && e.started <= e.ended);
		assert_true(e.ended <= b.source->ops->now(b.source));
	}
	assert_int_equal(web_count(b.web, "/bad"), 3);
	assert_int_equal(web_count(b.web, "/robots.txt"), 3);
	assert_in_range(b.source->ops->now(b.source) / 1000, time(NULL) - 60, time(NULL) + 60);
	bench_close(&b);
}

static void an_address_that_is_made_up_obeys_robots(void **state)
{
#define STUB(i) \
	{ \
		"/p/0" #i, .body = "<p>We are sorry, but nothing at all is here" \
	}
	static const struct web_row rows[] = {{"/robots.txt", .body = "User-agent: *\nDisallow: /p/\nAllow: /p/0\n"}, STUB(0),
		STUB(1), STUB(2), STUB(3), STUB(4), STUB(5), STUB(6), STUB(7), STUB(8)};
#undef STUB
	struct bench b;
	struct result e = {.n = 0};

	(void)state;
	bench_open(&b, rows, sizeof rows / sizeof *rows);
	for (size_t i = 1; i < sizeof rows / sizeof *rows && !e.n; i++)
		visit(&b, seed_path(&b, rows[i].path), &e);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.kinds[0], LINK_MADE_UP);
	const uint32_t id = e.links[0];
	visit(&b, id, &e);
	assert_int_equal(e.state, PAGE_REFUSED);
	assert_int_equal(e.outcome, OUTCOME_ROBOTS);
	bench_close(&b);
}

static void room_is_what_may_be_in_flight(void **state)
{
	static const struct web_row rows[] = {{"/robots.txt", .fault = WEB_SILENT}};
	struct bench b;
	const struct result *events;
	struct result e;
	struct err_note why;

	(void)state;
	bench_open(&b, rows, 1);
	const struct source_ops *ops = b.source->ops;
	for (char path[] = "/0"; path[1] < '4'; path[1]++) {
		assert_int_equal(ops->room(b.source), (size_t)('4' - path[1]));
		ops->submit(b.source, &(uint32_t){seed_path(&b, path)}, 1);
	}
	assert_int_equal(ops->room(b.source), 0);
	assert_int_equal(ops->reap(b.source, &events, ops->now(b.source) + 30, &why), 0);
	ops->abort(b.source);
	for (int i = 0; i < 4; i++) {
		reap(&b, &e);
		assert_int_equal(e.state, PAGE_QUEUED);
		assert_int_equal(e.outcome, OUTCOME_ABORTED);
		assert_true(e.not_before <= ops->now(b.source));
	}
	assert_int_equal(ops->room(b.source), 4);
	bench_close(&b);
}

static void a_damaged_log_is_told(void **state)
{
	static const uint32_t links[] = {0, 9};
	static const struct {
		struct log_entry entry;
		size_t n;
		int code;
	} rows[] = {
		{{.kind = LOG_CRAWLED, .id = 0}, 2, ERR_DAMAGED},
		{{.kind = LOG_CRAWLED, .id = 0}, 1, 0},
		{{.kind = LOG_CRAWLED, .id = 2}, 0, ERR_DAMAGED},
		{{.kind = LOG_TAKE, .id = NONE}, 0, ERR_DAMAGED},
		{{.kind = LOG_SITTING, .id = NONE}, 0, 0},
		{{.kind = LOG_REDIRECTED, .id = 0, .target = 2}, 0, ERR_DAMAGED},
		{{.kind = LOG_REDIRECTED, .id = 0, .target = 0}, 0, ERR_DAMAGED},
		{{.kind = LOG_REDIRECTED, .id = 0, .target = 1}, 0, 0},
		{{.kind = LOG_REDIRECTED, .id = 1, .target = 0}, 0, ERR_DAMAGED},
	};
	struct bench b;
	struct err_note why;

	(void)state;
	bench_open(&b, NULL, 0);
	seed_path(&b, "/a");
	seed_path(&b, "/b");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(knowledge_apply_entry(net_source_knowledge(b.source), &rows[i].entry, links, rows[i].n, &why),
			rows[i].code);
	bench_close(&b);
}

static void sitemaps_are_seeds_where_their_host_is_in_scope(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .body = "Sitemap: /map.xml\nSitemap: http://other.test/map.xml\n"},
	};
	struct bench b;
	struct result e;
	struct store_page page;

	(void)state;
	bench_open(&b, rows, 1);
	end(&b);
	b.set.kinds |= 1u << LINK_SITEMAP;
	b.scoped.reject = "xml";
	begin(&b);
	b.source->ops->submit(b.source, &(uint32_t){seed_path(&b, "/x")}, 1);
	reap(&b, &e);
	assert_int_equal(e.state, PAGE_QUEUED);
	assert_int_equal(e.outcome, OUTCOME_SITEMAPS);
	expect_paths(&b, e.links, e.n, "/map.xml");
	assert_int_equal(store_page(b.store, e.links[0], &page), 1);
	assert_int_equal(page.depth, 0);
	assert_int_equal(is_outside(&b, e.links[0]), 0);
	assert_int_equal(store_pages(b.store), 2);
	bench_close(&b);
}

/* The links of random pages, against a plain table of URLs. */
static int maze(void *ctx, const char *path, struct buf *body)
{
	unsigned n = (unsigned)strtoul(path + 1, NULL, 10);

	(void)ctx;
	if (strcmp(path, "/robots.txt") == 0)
		return 404;
	for (unsigned i = 0; i < n % 9; i++)
		buf_format(body, "<a href=/%u>x</a>", (n * 31 + i * i * 17) % 60);
	return 200;
}

static void ids_agree_with_a_plain_table(void **state)
{
	struct bench b;
	struct result e;
	unsigned number[61] = {1}; /* of the page, by id */
	uint32_t pages = 1;

	(void)state;
	bench_open(&b, NULL, 0);
	web_make(b.web, maze, NULL);
	seed_path(&b, "/1");
	for (uint32_t id = 0; id < pages; id++) {
		unsigned n = number[id];
		uint32_t want[9];
		size_t wanted = 0;
		visit(&b, id, &e);
		for (unsigned i = 0; i < n % 9; i++) {
			unsigned target = (n * 31 + i * i * 17) % 60;
			uint32_t at = 0;
			while (at < pages && number[at] != target)
				at++;
			if (at == pages)
				number[pages++] = target;
			size_t k = 0;
			while (k < wanted && want[k] != at)
				k++;
			if (k == wanted)
				want[wanted++] = at;
		}
		assert_int_equal(e.n, wanted);
		if (wanted)
			assert_memory_equal(e.links, want, wanted * sizeof *want);
	}
	assert_int_equal(store_pages(b.store), pages);
	assert_in_range(pages, 20, 60);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_follow_the_order_of_discovery),
		cmocka_unit_test(links_out_of_scope_have_ids_and_reasons),
		cmocka_unit_test(tries_are_counted_but_for_robots),
		cmocka_unit_test(an_address_that_is_made_up_obeys_robots),
		cmocka_unit_test(room_is_what_may_be_in_flight),
		cmocka_unit_test(a_damaged_log_is_told),
		cmocka_unit_test(sitemaps_are_seeds_where_their_host_is_in_scope),
		cmocka_unit_test(ids_agree_with_a_plain_table),
	};

	return cmocka_run_group_tests_name("net source", tests, NULL, NULL);
}
