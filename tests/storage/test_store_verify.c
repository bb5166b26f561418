#include "tests/storage/made_crawl.h"

#include "base/progress.h"
#include "frontier/policy.h"
#include "storage/store.h"
#include "tests/storage/raw_store.h"

static void a_later_format_is_told_apart_from_damage(void **state)
{
	static const struct {
		const char *text;
		int want;
	} table[] = {{"2", 0}, {"3", 0}, {"4", 0}, {"5", 0}, {"6", 0}, {"7", ERR_NEWER}, {"70000", ERR_NEWER}, {"0", ERR_DAMAGED},
		{"", ERR_DAMAGED}, {"x", ERR_DAMAGED}, {"2 ", ERR_DAMAGED}, {"99999999999999999999999", ERR_DAMAGED}};
	char dir[64];
	struct store *s;
	struct err_note why;

	(void)state;
	strcpy(dir, scratch());
	store_drop(open_store(dir, STORE_WRITE));
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		raw_put(dir, "meta", "format", 6, table[i].text, strlen(table[i].text));
		for (int mode = 0; mode < 2; mode++) {
			assert_int_equal(store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why), table[i].want);
			store_drop(s);
		}
	}
	raw_put(dir, "meta", "format", 6, "7", 1);
	/* whatever else a later format may have */
	raw_put(dir, "blooms", "a", 1, "b", 1);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), ERR_NEWER);
	assert_non_null(strstr(why.text, "format 7"));
	assert_non_null(strstr(why.text, "up to 6"));
	/* an environment of somebody else */
	strcpy(dir, scratch());
	raw_put(dir, "accounts", "a", 1, "b", 1);
	assert_int_equal(store_open(&s, dir, STORE_WRITE, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "no store"));
}

static void an_earlier_format_can_be_read_and_no_crawl_goes_on_with_it(void **state)
{
	char dir[64];
	struct store *s;
	struct err_note why;

	(void)state;
	strcpy(dir, scratch());
	store_drop(open_store(dir, STORE_WRITE));
	raw_format_1(dir);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), 0);
	store_drop(s);
	assert_int_equal(store_open(&s, dir, STORE_WRITE, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "has format 1, which can be read"));
}

static void counts_that_do_not_fit_are_damage(void **state)
{
	/* hosts pages results links log */
	static const char *const counts[] = {"\1\2\0\0", "\1\2\0\0\0\0", "\1\3\0\0\0", "\1\1\0\0\0", "\1\2\1\0\0", "\0\2\0\0\0",
		"\xff\xff\xff\xff\x7f\2\0\0\0", "\1\2\0\0\1"};
	static const size_t n[] = {4, 6, 5, 5, 5, 5, 9, 5};
	char dir[64];
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	add(s, "http://h.test/1");
	commit(s);
	store_drop(s);
	for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
		raw_put(dir, "meta", "counts", 6, counts[i], n[i]);
		for (int mode = 0; mode < 2; mode++) {
			struct err_note why;
			int status = store_open(&s, dir, mode ? STORE_WRITE : STORE_READ, &why);
			/* a count too small by one is seen only where the chunk's end is looked at
			 */
			if (status == 0)
				status = store_verify(s, made_tell, NULL, &why) > 0 ? ERR_DAMAGED : 0;
			assert_int_equal(status, ERR_DAMAGED);
			store_drop(s);
		}
	}
	raw_put(dir, "meta", "counts", 6, "\1\2\0\0\0", 5);
	store_drop(open_store(dir, STORE_WRITE));
}

static void keep_first(void *ctx, const char *line)
{
	char *text = ctx;

	if (!*text)
		snprintf(text, 512, "%s", line);
}

static const struct log_entry sitting = {.kind = LOG_SITTING, .time = 1}, seed = {.kind = LOG_SEED, .id = 0},
			      seed_1 = {.kind = LOG_SEED, .id = 1}, take = {.kind = LOG_TAKE, .id = 0},
			      take_1 = {.kind = LOG_TAKE, .id = 1}, crawled = {.kind = LOG_CRAWLED, .id = 0},
			      failed = {.kind = LOG_FAILED, .id = 0}, retry = {.kind = LOG_REQUEUED, .id = 0},
			      refused = {.kind = LOG_REFUSED, .id = 0}, redirected = {.kind = LOG_REDIRECTED, .id = 0, .target = 1};

/* Two pages, what a crawl might have put of page 0, and what verify says first. */
struct breach_case {
	const struct log_entry *log[8];
	int state, target;  /* of the result of page 0; -1: none */
	const char *links;  /* of page 0; NULL: none */
	const char *breach; /* how the first line begins; NULL: there is none */
};

static void write_case(struct store *s, const struct breach_case *c, uint8_t refusal)
{
	struct store_page page = {"http://h.test/1", 15, 0, 1, refusal};
	struct result r = {.state = (uint8_t)c->state, .target = c->target < 0 ? STORE_NO_PAGE : (uint32_t)c->target};
	uint32_t links[8], n = 0, id;

	add(s, "http://h.test/0");
	assert_int_equal(store_add(s, &page, &id, NULL), 0);
	for (const char *p = c->links; p && *p; p++)
		links[n++] = (uint32_t)*p;
	if (c->links)
		assert_int_equal(store_put_links(s, 0, links, NULL, NULL, n, NULL), 0);
	if (c->state >= 0)
		assert_int_equal(store_put_result(s, 0, &r, NULL), 0);
	for (size_t k = 0; k < 8 && c->log[k]; k++)
		assert_int_equal(store_log(s, c->log[k], NULL), 0);
}

static void try_cases(const struct breach_case *c, size_t n, uint8_t refusal)
{
	for (size_t i = 0; i < n; i++, c++) {
		struct store *s = open_store(scratch(), STORE_WRITE);
		char line[512] = "";

		write_case(s, c, refusal);
		if (i % 2)
			commit(s);
		assert_int_equal(store_verify(s, keep_first, line, NULL) > 0, c->breach != NULL);
		line[c->breach ? strlen(c->breach) : 0] = 0;
		assert_string_equal(line, c->breach ? c->breach : "");
		store_drop(s);
	}
}

static void each_breach_is_told(void **state)
{
	static const struct breach_case cases[] = {
		{{&sitting, &seed, &seed_1, &take, &crawled}, PAGE_CRAWLED, -1, "", NULL},
		{{&seed, &take, &crawled}, PAGE_CRAWLED, -1, "\1", NULL},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, 1, NULL, NULL},
		{{&seed, &seed_1, &take, &retry, &take, &failed}, PAGE_FAILED, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &sitting, &take, &failed}, PAGE_FAILED, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &sitting, &retry, &take, &refused}, -1, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &retry}, PAGE_QUEUED, -1, NULL, NULL},
		{{&seed, &seed_1, &refused, &seed}, PAGE_REFUSED, -1, NULL, NULL},
		/* links distinct */
		{{&seed, &take, &crawled}, PAGE_CRAWLED, -1, "\1\1", "S7"},
		/* the order of discovery */
		{{&seed}, -1, -1, NULL, "S9: the log never discovers page 1"},
		{{&seed_1, &seed}, -1, -1, NULL, "S9: entry 0 discovers page 1"},
		{{&seed, &take_1, &seed_1}, -1, -1, NULL, "S10: entry 1 is 'take' of page 1, which is unseen"},
		/* the arrows */
		{{&seed, &seed_1, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &take}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &crawled, &take}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &crawled, &failed}, PAGE_FAILED, -1, NULL, "S10"},
		{{&seed, &seed_1, &retry}, -1, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &retry, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &take, &sitting, &crawled}, PAGE_CRAWLED, -1, NULL, "S10"},
		{{&seed, &seed_1, &refused, &take}, -1, -1, NULL, "S10"},
		/* the results */
		{{&seed, &seed_1, &take, &crawled}, -1, -1, NULL, "S11: page 0 is crawled, but has no result"},
		{{&seed, &seed_1, &take, &crawled}, PAGE_FAILED, -1, NULL, "S11"},
		{{&seed, &seed_1}, PAGE_CRAWLED, -1, NULL, "S11"},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, 0, NULL, "S11"},
		{{&seed, &take, &redirected}, PAGE_REDIRECTED, -1, NULL, "S6"},
		{{&seed, &seed_1, &take, &failed}, PAGE_FAILED, -1, "\1", "S11: page 0 has links"},
		{{&seed, &seed_1, &take, &failed}, PAGE_FAILED, 1, NULL, "S6"},
	};

	(void)state;
	try_cases(cases, sizeof cases / sizeof *cases, 0);
}

static void what_scope_refused_may_be_found_again(void **state)
{
	static const struct breach_case cases[] = {
		{{&seed, &take, &crawled}, PAGE_CRAWLED, -1, "\1", NULL},
		{{&seed, &take, &crawled, &take_1}, PAGE_CRAWLED, -1, "\1",
			"S10: entry 3 is 'take' of page 1, which is out of scope"},
		{{&seed, &take, &crawled, &seed_1, &take_1}, PAGE_CRAWLED, -1, "\1", NULL},
		{{&seed_1, &seed, &take_1}, -1, -1, NULL, "S9"},
		{{&seed, &seed_1, &take_1, &seed}, -1, -1, NULL, NULL},
		{{&seed, &take, &redirected, &take_1}, PAGE_REDIRECTED, 1, NULL, "S10"},
	};

	(void)state;
	try_cases(cases, sizeof cases / sizeof *cases, 1);
}

/* Page 1 is out of scope when page 0 leads to it; page 2 leads to it by a shorter way. */
static void a_page_is_in_scope_again_where_the_log_has_judged_it_so(void **state)
{
	static const uint32_t both[] = {1, 2}, one[] = {1};

	(void)state;
	for (int judged = 0; judged < 2; judged++) {
		struct store *s = open_store(scratch(), STORE_WRITE);
		struct result r = {.state = PAGE_CRAWLED, .target = STORE_NO_PAGE};
		const struct log_entry log[] = {{.kind = LOG_SEED}, {.kind = LOG_TAKE}, {.kind = LOG_CRAWLED},
			{.kind = LOG_TAKE, .id = 2},
			{.kind = LOG_JUDGED, .id = 1, .outcome = judged ? OUTCOME_NONE : OUTCOME_SUFFIX},
			{.kind = LOG_CRAWLED, .id = 2}, {.kind = LOG_TAKE, .id = 1}};
		char line[512] = "";
		uint32_t id;

		add(s, "http://h.test/0");
		assert_int_equal(store_add(s, &(struct store_page){"http://h.test/1", 15, 0, 9, 2}, &id, NULL), 0);
		add(s, "http://h.test/2");
		for (size_t i = 0; i < sizeof log / sizeof *log; i++)
			assert_int_equal(store_log(s, &log[i], NULL), 0);
		assert_int_equal(store_put_links(s, 0, both, NULL, NULL, 2, NULL), 0);
		assert_int_equal(store_put_links(s, 2, one, NULL, NULL, 1, NULL), 0);
		assert_int_equal(store_put_result(s, 0, &r, NULL), 0);
		assert_int_equal(store_put_result(s, 2, &r, NULL), 0);
		assert_int_equal(store_verify(s, keep_first, line, NULL), !judged);
		assert_string_equal(line, judged ? "" : "S10: entry 6 is 'take' of page 1, which is out of scope");
		store_drop(s);
	}
}

static void what_robots_refused_may_be_a_seed_later(void **state)
{
	static const struct breach_case cases[] = {
		{{&seed, &seed_1, &refused, &seed, &take}, PAGE_REFUSED, -1, NULL, NULL},
		{{&seed, &seed_1, &take, &refused, &sitting, &seed, &take, &failed}, PAGE_FAILED, -1, NULL, NULL},
		{{&seed, &seed_1, &refused, &seed}, PAGE_CRAWLED, -1, NULL, "S11"},
	};

	(void)state;
	try_cases(cases, sizeof cases / sizeof *cases, 0);
}

static void two_pages_of_one_url_are_a_breach(void **state)
{
	/* "a" NUL host depth refusal, twice, then where each ends */
	static const char twice[] = "a\0\0\0\0a\0\0\0\0\5\0\12\0";
	static const char blank[] = "a\0\0\0\0a \0\0\0\0\5\0\13\0";
	const char first[8] = {0};
	char dir[64], line[512] = "";
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	add(s, "http://h.test/1");
	commit(s);
	store_drop(s);
	raw_put(dir, "pages", first, 8, twice, sizeof twice - 1);
	s = open_store(dir, STORE_READ);
	assert_true(store_verify(s, keep_first, line, NULL) > 0);
	assert_string_equal(line, "S4: database 'pages', 0 and 1 are the same");
	store_drop(s);
	raw_put(dir, "pages", first, 8, blank, sizeof blank - 1);
	s = open_suspect(dir);
	*line = 0;
	assert_true(store_verify(s, keep_first, line, NULL) > 0);
	assert_string_equal(line, "S4: page 1 has a URL with bytes that no URL has");
	store_drop(s);
}

/* A table of hashes must not be made slow by a store made to. */
static void one_url_a_hundred_times_is_damage(void **state)
{
	const char first[8] = {0};
	char dir[64], line[512] = "";
	struct buf chunk = BUF_EMPTY;
	struct err_note why;
	struct store *s;
	uint32_t id;

	(void)state;
	for (int i = 0; i < 100; i++)
		buf_add(&chunk, "a\0\0\0", 5);
	for (int i = 1; i <= 100; i++) {
		buf_byte(&chunk, i * 5 & 255);
		buf_byte(&chunk, i * 5 >> 8);
	}
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	commit(s);
	store_drop(s);
	raw_put(dir, "pages", first, 8, chunk.at, chunk.used);
	raw_put(dir, "meta", "counts", 6, "\1\144\0\0\0", 5);
	assert_int_equal(store_open(&s, dir, STORE_WRITE, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "again and again"));
	s = open_store(dir, STORE_READ);
	assert_int_equal(store_find(s, "a", 1, &id), 1);
	assert_int_equal(id, 0);
	assert_true(store_verify(s, keep_first, line, NULL) > 99);
	store_drop(s);
	buf_release(&chunk);
}

/* A line is due from the first on: what is told of a store whose records are all looked at. */
static void how_far_it_has_come_is_shown(void **state)
{
	struct progress p = {.mode = PROGRESS_LOG, .what = "records", .drawn = -1000000};
	char line[200] = "", path[100];
	unsigned long long done, total;
	struct store *s = open_store(strcpy(path, scratch()), STORE_WRITE), *sound;
	struct suspect *suspect;
	FILE *said = tmpfile();
	const int old = dup(STDERR_FILENO);

	(void)state;
	for (uint32_t i = 0; i < 400; i++) {
		char url[64];
		snprintf(url, sizeof url, "http://h.test/%u", i);
		add(s, url);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = i}, NULL), 0);
	}
	commit(s);
	store_drop(s);
	assert_int_equal(suspect_open(&suspect, path, NULL), 0);
	dup2(fileno(said), STDERR_FILENO);
	const int breaches = suspect_verify(suspect, &p, made_tell, NULL, &sound, NULL);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	assert_int_equal(breaches, 0);
	assert_non_null(sound);
	suspect_drop(suspect);
	/* the host twice, pages three times, the entries of the log */
	assert_int_equal(p.total, 2 + 3 * 400 + 400);
	rewind(said);
	assert_non_null(fgets(line, sizeof line, said));
	assert_int_equal(sscanf(line, "lycosa: %llu of %llu (", &done, &total), 2);
	assert_true(total == p.total && done > 0 && done < total);
	fclose(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_later_format_is_told_apart_from_damage),
		cmocka_unit_test(an_earlier_format_can_be_read_and_no_crawl_goes_on_with_it),
		cmocka_unit_test(counts_that_do_not_fit_are_damage),
		cmocka_unit_test(each_breach_is_told),
		cmocka_unit_test(what_scope_refused_may_be_found_again),
		cmocka_unit_test(a_page_is_in_scope_again_where_the_log_has_judged_it_so),
		cmocka_unit_test(what_robots_refused_may_be_a_seed_later),
		cmocka_unit_test(one_url_a_hundred_times_is_damage),
		cmocka_unit_test(two_pages_of_one_url_are_a_breach),
		cmocka_unit_test(how_far_it_has_come_is_shown),
	};

	return cmocka_run_group_tests_name("store_verify", tests, NULL, NULL);
}
