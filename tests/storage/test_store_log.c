#include "tests/storage/made_crawl.h"

#include "base/buf.h"
#include "storage/env.h"
#include "storage/store.h"

#define PAGES 5000u

/* A store with pages to speak of. */
static struct store *open_with_pages(const char *dir)
{
	struct store *s;
	struct store_page page = {.url_length = 0};
	char url[32];
	uint32_t id;

	assert_int_equal(store_open(&s, dir, STORE_WRITE, NULL), 0);
	assert_int_equal(store_host(s, "h.test", 6, &page.host, NULL), 0);
	for (uint32_t i = 0; i < PAGES; i++) {
		page.url_length = (size_t)snprintf(url, sizeof url, "http://h.test/%u", i);
		page.url = url;
		assert_int_equal(store_add(s, &page, &id, NULL), 0);
	}
	return s;
}

static struct store *reopen(struct store *s, const char *dir, enum store_mode mode)
{
	store_drop(s);
	assert_int_equal(store_open(&s, dir, mode, NULL), 0);
	return s;
}

static struct log_entry draw(struct rng *r)
{
	static char text[3][5000];
	struct log_entry e = {.kind = (enum log_kind)rng_below(r, LOG_KINDS)};

	memset(text[1], 'p', 100);
	memset(text[2], 'q', sizeof text[2] - 1);
	if (e.kind == LOG_SITTING || e.kind == LOG_REQUEUED)
		e.time = (int64_t)rng_next(r) >> rng_below(r, 64);
	if (e.kind == LOG_FAILED || e.kind == LOG_REQUEUED) {
		e.status = (uint16_t)rng_below(r, 65536);
		e.outcome = (uint8_t)(32 + rng_below(r, 224)); /* format 1 meant others by less */
	}
	if (e.kind == LOG_REFUSED || e.kind == LOG_EXPELLED)
		e.outcome = (uint8_t)(32 + rng_below(r, 224));
	if (e.kind == LOG_CRAWLED || e.kind == LOG_REDIRECTED)
		e.outcome = e.kind == LOG_CRAWLED ? OUTCOME_CRAWLED : OUTCOME_REDIRECTED;
	if (e.kind == LOG_POSTED || e.kind == LOG_HEARD) {
		e.agent = (uint32_t)rng_below(r, 1024);
		e.letter = text[rng_below(r, 3)];
		e.letter_n = rng_below(r, sizeof text[0]);
	}
	if (e.kind == LOG_POLICY || e.kind == LOG_SCOPE || e.kind == LOG_ELSEWHERE || e.kind == LOG_SHARES)
		e.text = text[rng_below(r, 3)];
	else if (e.kind == LOG_POSTED || e.kind == LOG_HEARD)
		e.id = STORE_NO_PAGE;
	else if (e.kind != LOG_SITTING)
		e.id = (uint32_t)rng_below(r, PAGES);
	if (e.kind == LOG_REDIRECTED)
		e.target = (uint32_t)rng_below(r, PAGES);
	return e;
}

static void check_log(struct store *s, const struct log_entry *want, uint64_t n)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;

	assert_true(store_log_length(s) == n);
	for (uint64_t i = 0; i < n; i++) {
		assert_int_equal(store_log_next(c, &e, NULL), 1);
		made_check_entry(&e, &want[i]);
	}
	assert_int_equal(store_log_next(c, &e, NULL), 0);
	assert_int_equal(store_log_next(c, &e, NULL), 0);
	store_log_stop(c);
}

static void extremes_come_back(void **state)
{
	static const struct log_entry want[] = {
		{.kind = LOG_SITTING, .time = INT64_MIN},
		{.kind = LOG_SITTING, .time = INT64_MAX},
		{.kind = LOG_SEED, .id = PAGES - 1},
		{.kind = LOG_SEED, .id = 0},
		{.kind = LOG_REQUEUED, .id = 1, .time = INT64_MIN, .status = 65535, .outcome = 255},
		{.kind = LOG_REQUEUED, .id = 1, .time = 0, .outcome = OUTCOME_ABORTED},
		{.kind = LOG_REDIRECTED, .id = 0, .target = PAGES - 1, .outcome = OUTCOME_REDIRECTED},
		{.kind = LOG_REDIRECTED, .id = PAGES - 1, .target = 0, .outcome = OUTCOME_REDIRECTED},
		{.kind = LOG_POLICY, .text = ""},
		{.kind = LOG_FAILED, .id = 3, .status = 404, .outcome = OUTCOME_STATUS},
	};
	const uint64_t n = sizeof want / sizeof *want;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_with_pages(dir);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(store_log(s, &want[i], NULL), 0);
	check_log(s, want, n);
	assert_int_equal(store_commit(s, NULL), 0);
	check_log(s, want, n);
	s = reopen(s, dir, STORE_READ);
	check_log(s, want, n);
	store_drop(s);
}

static void a_text_has_a_limit(void **state)
{
	static char text[STORE_TEXT_MAX + 2];
	struct log_entry e = {.kind = LOG_POLICY, .text = text};
	char dir[64];

	(void)state;
	memset(text, 't', sizeof text - 1);
	strcpy(dir, scratch());
	struct store *s = open_with_pages(dir);
	assert_int_equal(store_log(s, &e, NULL), ERR_TOO_BIG);
	assert_true(store_log_length(s) == 0);
	text[STORE_TEXT_MAX] = 0;
	assert_int_equal(store_log(s, &e, NULL), 0);
	check_log(s, &e, 1);
	assert_int_equal(store_commit(s, NULL), 0);
	s = reopen(s, dir, STORE_WRITE);
	check_log(s, &e, 1);
	store_drop(s);
}

/* Commits and reopenings fall anywhere, in and between chunks. */
static void any_log_comes_back(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		const size_t n = 20000;
		struct log_entry *want = mem_new(n, sizeof *want);
		struct rng r = {seed};
		char dir[64];

		strcpy(dir, scratch());
		struct store *s = open_with_pages(dir);
		for (size_t i = 0; i < n; i++) {
			want[i] = draw(&r);
			assert_int_equal(store_log(s, &want[i], NULL), 0);
			uint64_t what = rng_below(&r, 1000);
			if (what < 10)
				assert_int_equal(store_commit(s, NULL), 0);
			if (what == 0)
				s = reopen(s, dir, STORE_WRITE);
			if (what == 1)
				check_log(s, want, i + 1);
		}
		assert_int_equal(store_commit(s, NULL), 0);
		check_log(s, want, n);
		s = reopen(s, dir, STORE_READ);
		check_log(s, want, n);
		store_drop(s);
		free(want);
	}
}

/* A cursor that has come to the end goes on when there is more. */
static void a_cursor_follows_the_writer(void **state)
{
	struct rng r = {4};
	struct log_entry want, got;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_with_pages(dir);
	struct store_log_cursor *c = store_log_start(s);
	assert_int_equal(store_log_next(c, &got, NULL), 0);
	for (int i = 0; i < 5000; i++) {
		want = draw(&r);
		assert_int_equal(store_log(s, &want, NULL), 0);
		if (i % 100 == 50)
			assert_int_equal(store_commit(s, NULL), 0);
		assert_int_equal(store_log_next(c, &got, NULL), 1);
		made_check_entry(&got, &want);
		assert_int_equal(store_log_next(c, &got, NULL), 0);
	}
	store_log_stop(c);
	store_drop(s);
}

/* A page taken and crawled in the order of ids costs a few bytes. */
static void a_common_entry_is_small(void **state)
{
	struct err_note why;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_with_pages(dir);
	for (uint32_t i = 0; i < PAGES; i++) {
		struct log_entry take = {.kind = LOG_TAKE, .id = i};
		struct log_entry crawled = {.kind = LOG_CRAWLED, .id = i};
		assert_int_equal(store_log(s, &take, &why), 0);
		assert_int_equal(store_log(s, &crawled, &why), 0);
	}
	/* a form, a step, and of a page crawled a count, of one byte each: 1632 entries to a chunk of 4080 */
	assert_int_equal(s->log.chunks, (2 * PAGES + 1631) / 1632);
	store_drop(s);
}

/* Pages that no entry has led to yet are those of the next entry that leads anywhere. */
#define MARK "this text stands behind the code"

struct copy {
	struct buf key, value;
};

/* For env_walk(): copies the record, with another code in the entry whose text is MARK. */
static int change_code(void *ctx, struct bytes key, struct bytes value, struct err_note *why)
{
	struct copy *copy = ctx;

	(void)why;
	buf_add(&copy->key, key.at, key.n);
	buf_add(&copy->value, value.at, value.n);
	char *mark = memmem(copy->value.at, copy->value.used, MARK, strlen(MARK));
	assert_non_null(mark);
	mark[-1] = 99;
	return 1;
}

/* For env_write(). */
static int put_back(void *ctx, struct env_batch *batch)
{
	const struct copy *copy = ctx;

	return env_put(batch, ENV_LOG, (struct bytes){copy->key.at, copy->key.used},
		(struct bytes){copy->value.at, copy->value.used}, (struct bytes){"", 0}, ENV_ANYWHERE);
}

/* Keeps the first chunk, with a byte more. */
static int add_byte(void *ctx, struct bytes key, struct bytes value, struct err_note *why)
{
	struct copy *copy = ctx;

	(void)why;
	buf_add(&copy->key, key.at, key.n);
	buf_add(&copy->value, value.at, value.n);
	buf_byte(&copy->value, 0);
	return 1;
}

/* A later version may write entries of further kinds. */
static void an_entry_of_an_unknown_kind_is_of_a_newer_version(void **state)
{
	const struct log_entry entry = {.kind = LOG_SCOPE, .text = MARK};
	struct copy copy = {BUF_EMPTY, BUF_EMPTY};
	const char *dir = scratch();
	struct store *s = open_with_pages(dir);
	struct err_note why = {""};
	struct log_entry e;
	struct env env;

	(void)state;
	assert_int_equal(store_log(s, &entry, NULL), 0);
	assert_int_equal(store_commit(s, NULL), 0);
	store_drop(s);
	assert_int_equal(env_open(&env, dir, STORE_WRITE, NULL), 0);
	assert_int_equal(env_walk(&env, ENV_LOG, change_code, &copy, NULL), 1);
	assert_int_equal(env_write(&env, 100000, put_back, &copy, NULL), 0);
	env_close(&env);
	assert_int_equal(store_open(&s, dir, STORE_READ, NULL), 0);
	struct store_log_cursor *c = store_log_start(s);
	assert_int_equal(store_log_next(c, &e, &why), ERR_NEWER);
	assert_non_null(strstr(why.text, "code 99"));
	store_log_stop(c);
	store_drop(s);
	buf_release(&copy.key);
	buf_release(&copy.value);
}

static void bytes_behind_the_last_entry_are_damage(void **state)
{
	struct copy copy = {BUF_EMPTY, BUF_EMPTY};
	const char *dir = scratch();
	struct store *s = open_with_pages(dir);
	struct err_note why = {""};
	struct env env;

	(void)state;
	assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SCOPE, .text = MARK}, NULL), 0);
	assert_int_equal(store_commit(s, NULL), 0);
	store_drop(s);
	assert_int_equal(env_open(&env, dir, STORE_WRITE, NULL), 0);
	assert_int_equal(env_walk(&env, ENV_LOG, add_byte, &copy, NULL), 1);
	assert_int_equal(env_write(&env, 100000, put_back, &copy, NULL), 0);
	env_close(&env);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), 0); /* its checksum fits */
	assert_int_equal(store_decode(s, &why), ERR_DAMAGED);
	assert_non_null(strstr(why.text, "after entry"));
	store_drop(s);
	buf_release(&copy.key);
	buf_release(&copy.value);
}

static void an_entry_tells_which_pages_it_led_to_first(void **state)
{
	static const struct {
		struct log_entry entry;
		uint32_t pages; /* added before it */
		uint32_t first_new, n_new;
	} rows[] = {
		{{.kind = LOG_SEED, .id = 0}, 2, 0, 1},
		{{.kind = LOG_SEED, .id = 1}, 0, 1, 1},
		{{.kind = LOG_SEED, .id = 1}, 0, 2, 0},
		{{.kind = LOG_TAKE, .id = 0}, 0, 2, 0},
		{{.kind = LOG_JUDGED, .id = 1, .outcome = OUTCOME_DEPTH}, 3, 2, 0},
		{{.kind = LOG_CRAWLED, .id = 0}, 0, 2, 3},
		{{.kind = LOG_REDIRECTED, .id = 1, .target = 5}, 1, 5, 1},
		{{.kind = LOG_CRAWLED, .id = 2}, 0, 6, 0},
		{{.kind = LOG_SITEMAP, .id = 6}, 2, 6, 1}, /* alone, though two pages are new */
		{{.kind = LOG_SITEMAP, .id = 6}, 0, 7, 0},
	};
	struct store_page page = {.depth = 0};
	struct log_entry e;
	char dir[64], url[64];
	uint32_t id, pages = 0;
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	assert_int_equal(store_open(&s, dir, STORE_WRITE, NULL), 0);
	assert_int_equal(store_host(s, "h.test", 6, &page.host, NULL), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (uint32_t k = 0; k < rows[i].pages; k++) {
			page.url_length = (size_t)snprintf(url, sizeof url, "http://h.test/%u", pages++);
			page.url = url;
			assert_int_equal(store_add(s, &page, &id, NULL), 0);
		}
		assert_int_equal(store_log(s, &rows[i].entry, NULL), 0);
		if (i == 3) { /* a later sitting goes on counting */
			assert_int_equal(store_commit(s, NULL), 0);
			s = reopen(s, dir, STORE_WRITE);
		}
	}
	struct store_log_cursor *c = store_log_start(s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(store_log_next(c, &e, NULL), 1);
		assert_int_equal(e.first_new, rows[i].first_new);
		assert_int_equal(e.n_new, rows[i].n_new);
	}
	store_log_stop(c);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extremes_come_back),
		cmocka_unit_test(a_text_has_a_limit),
		cmocka_unit_test(any_log_comes_back),
		cmocka_unit_test(a_cursor_follows_the_writer),
		cmocka_unit_test(a_common_entry_is_small),
		cmocka_unit_test(an_entry_of_an_unknown_kind_is_of_a_newer_version),
		cmocka_unit_test(bytes_behind_the_last_entry_are_damage),
		cmocka_unit_test(an_entry_tells_which_pages_it_led_to_first),
	};

	return cmocka_run_group_tests_name("store_log", tests, NULL, NULL);
}
