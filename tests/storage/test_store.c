#include "tests/storage/made_crawl.h"

#include "frontier/policy.h"
#include "base/num.h"
#include "storage/store.h"

static void a_store_is_made_where_it_is_missing(void **state)
{
	char dir[128];
	struct store *s;
	struct store_page page;
	struct err_note why;
	uint32_t id;

	(void)state;
	snprintf(dir, sizeof dir, "%s/store", scratch());
	assert_int_equal(store_is(dir), 0);
	assert_int_equal(store_open(&s, dir, STORE_READ, &why), ERR_FILE);
	assert_null(s);
	assert_non_null(strstr(why.text, "no store in"));
	s = open_store(dir, STORE_WRITE);
	store_drop(s);
	assert_int_equal(store_is(dir), 1);
	for (int mode = 0; mode < 2; mode++) {
		s = open_store(dir, mode ? STORE_WRITE : STORE_READ);
		assert_int_equal(store_pages(s), 0);
		assert_int_equal(store_hosts(s), 0);
		assert_true(store_log_length(s) == 0);
		assert_int_equal(store_find(s, "http://a.test/", 14, &id), 0);
		assert_int_equal(store_page(s, 0, &page), 0);
		assert_null(store_host_name(s, 0));
		assert_null(store_get(s, "policy"));
		assert_int_equal(store_verify(s, made_tell, NULL, &why), 0);
		store_drop(s);
	}
}

static void what_holds_no_store_is_said(void **state)
{
	static const struct {
		const char *content;
		size_t n;
		enum store_mode mode;
		int want;
	} table[] = {
		{NULL, 0, STORE_READ, ERR_FILE},
		{"", 0, STORE_READ, ERR_FILE},
		{"", 0, STORE_WRITE, 0}, /* a writer died before its first byte */
		{"garbage", 7, STORE_READ, ERR_DAMAGED},
		{"garbage", 7, STORE_WRITE, ERR_DAMAGED},
	};
	struct store *s;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char dir[64], path[96];
		strcpy(dir, scratch());
		snprintf(path, sizeof path, "%s/data.mdb", dir);
		FILE *f = table[i].content ? fopen(path, "wb") : NULL;
		if (f) {
			fwrite(table[i].content, 1, table[i].n, f);
			fclose(f);
		}
		assert_int_equal(store_open(&s, dir, table[i].mode, &why), table[i].want);
		store_drop(s);
	}
	assert_int_equal(store_open(&s, "/dev/null", STORE_WRITE, &why), ERR_FILE);
	assert_int_equal(store_open(&s, "/nonexistent/a/b", STORE_WRITE, &why), ERR_FILE);
	assert_int_equal(store_open(&s, "/dev/null", STORE_READ, &why), ERR_FILE);
}

static void all_reads_back_before_and_after_the_commit(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		char dir[64];
		struct made_crawl *m = made_crawl(seed, 400);
		struct store *s;
		struct rng r = {seed};
		size_t at = 0;

		strcpy(dir, scratch());
		s = open_store(dir, STORE_WRITE);
		while (at < m->steps) {
			size_t to = at + 1 + rng_below(&r, 40);
			if (to > m->steps)
				to = m->steps;
			assert_int_equal(made_write(s, m, at, to, NULL), 0);
			at = to;
			if (rng_below(&r, 4) == 0)
				made_check(s, m, at);
			if (rng_below(&r, 2) == 0)
				commit(s);
			if (rng_below(&r, 6) == 0) {
				commit(s);
				store_drop(s);
				s = open_store(dir, STORE_WRITE);
				made_check(s, m, at);
			}
		}
		commit(s);
		made_check(s, m, m->steps);
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_drop(s);
		s = open_store(dir, STORE_READ);
		made_check(s, m, m->steps);
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_drop(s);
		made_free(m);
	}
}

static void what_is_not_committed_is_dropped(void **state)
{
	char dir[64];
	struct made_crawl *m = made_crawl(9, 300);
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(made_write(s, m, 0, 100, NULL), 0);
	assert_int_equal(store_set(s, "policy", "bfs", NULL), 0);
	commit(s);
	assert_int_equal(made_write(s, m, 100, 300, NULL), 0);
	assert_int_equal(store_set(s, "policy", "opic", NULL), 0);
	assert_int_equal(store_set(s, "scope", "x", NULL), 0);
	made_check(s, m, 300);
	store_drop(s);
	s = open_store(dir, STORE_WRITE);
	made_check(s, m, 100);
	assert_string_equal(store_get(s, "policy"), "bfs");
	assert_null(store_get(s, "scope"));
	/* and the same again may be written */
	assert_int_equal(made_write(s, m, 100, 300, NULL), 0);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	made_check(s, m, 300);
	store_drop(s);
	made_free(m);
}

static void settings_are_kept_and_limited(void **state)
{
	static char text[STORE_TEXT_MAX + 2];
	char dir[64], name[STORE_NAME_MAX + 1];
	struct store *s;

	(void)state;
	memset(text, 'x', sizeof text - 1);
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_set(s, name, text, NULL), ERR_TOO_BIG);
	text[STORE_TEXT_MAX] = 0;
	assert_int_equal(store_set(s, name, text, NULL), 0);
	assert_int_equal(store_set(s, "empty", "", NULL), 0);
	assert_int_equal(store_set(s, "policy", "bfs", NULL), 0);
	commit(s);
	assert_int_equal(store_set(s, "policy", "fica", NULL), 0);
	assert_string_equal(store_get(s, "policy"), "fica");
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_string_equal(store_get(s, name), text);
	assert_string_equal(store_get(s, "empty"), "");
	assert_string_equal(store_get(s, "policy"), "fica");
	assert_null(store_get(s, "polic"));
	store_drop(s);
}

static void urls_are_told_apart_by_every_byte(void **state)
{
	static const char *const urls[] = {"http://h.test/", "http://h.test/a", "http://h.test/b", "http://h.test/a/",
		"http://h.test/A", "h", "http://h.test/a?", "http://h.test"};
	static char longest[65536];
	char dir[64];
	struct store *s;
	uint32_t id;

	(void)state;
	memset(longest, 'z', sizeof longest - 1);
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(add(s, urls[i]), i);
	assert_int_equal(add(s, longest), 8);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < 8; i++) {
			assert_int_equal(store_find(s, urls[i], strlen(urls[i]), &id), 1);
			assert_int_equal(id, i);
		}
		assert_int_equal(store_find(s, longest, sizeof longest - 1, &id), 1);
		assert_int_equal(store_find(s, longest, sizeof longest - 2, &id), 0);
		assert_int_equal(store_find(s, "", 0, &id), 0);
		assert_int_equal(store_find(s, "http://h.test/a\0", 16, &id), 0);
		if (pass == 0)
			commit(s);
		store_drop(s);
		s = open_store(dir, STORE_READ);
	}
	store_drop(s);
}

static void hosts_are_numbered_once(void **state)
{
	char dir[64], name[32];
	struct store *s;
	uint32_t host;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (uint32_t i = 0; i < 3000; i++) {
		int n = snprintf(name, sizeof name, "%u.example:8080", i % 1500);
		assert_int_equal(store_host(s, name, (size_t)n, &host, NULL), 0);
		assert_int_equal(host, i % 1500);
	}
	assert_string_equal(store_host_name(s, 7), "7.example:8080");
	assert_int_equal(store_hosts(s), 1500);
	commit(s);
	assert_string_equal(store_host_name(s, 1499), "1499.example:8080");
	assert_string_equal(store_host_name(s, 7), "7.example:8080");
	store_drop(s);
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(store_host(s, "1499.example:8080", 17, &host, NULL), 0);
	assert_int_equal(host, 1499);
	assert_null(store_host_name(s, 1500));
	store_drop(s);
}

static void what_stands_beside_a_digest_is_kept(void **state)
{
	char long_tag[STORE_ETAG_MAX + 1] = "";
	const struct {
		uint64_t digest;
		int64_t modified;
		const char *etag;
		uint64_t fingerprint, simhash;
		int kept;
	} row[] = {
		{7, 784111777, "W/\"a b\"", 0, 0, 1},
		{7, 784111777, "", 0, 1, 1},
		{7, 0, "\"x\"", UINT64_MAX, 0, 1},
		{7, 0, "", 0x0123456789abcdef, 3, 1},
		{7, 0, "", 0, 0, 1},
		{7, INT64_MAX, long_tag, 1, UINT64_MAX, 1},
		{0, 784111777, "\"x\"", 5, 6, 0},
	};
	char dir[64];
	struct store *s;
	struct result r;

	(void)state;
	memset(long_tag, 'x', STORE_ETAG_MAX);
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
			const struct result in = {.state = PAGE_CRAWLED,
				.target = STORE_NO_PAGE,
				.digest = {row[i].digest, 0},
				.fingerprint = row[i].fingerprint,
				.simhash = row[i].simhash,
				.validators.modified = row[i].modified,
				.validators.etag = row[i].etag,
				.validators.etag_length = strlen(row[i].etag)};
			assert_int_equal(store_put_result(s, 0, &in, NULL), 0);
			if (pass) {
				commit(s);
				store_drop(s);
				s = open_store(dir, STORE_WRITE);
			}
			assert_int_equal(store_result(s, 0, &r), 1);
			assert_int_equal(r.digest[0], row[i].digest);
			assert_int_equal(r.state, PAGE_CRAWLED);
			assert_int_equal(r.fingerprint, row[i].kept ? row[i].fingerprint : 0);
			assert_int_equal(r.simhash, row[i].kept ? row[i].simhash : 0);
			assert_int_equal(r.validators.modified, row[i].kept ? row[i].modified : 0);
			assert_int_equal(r.validators.etag_length, row[i].kept ? in.validators.etag_length : 0);
			assert_memory_equal(r.validators.etag, row[i].etag, r.validators.etag_length);
		}
	}
	store_drop(s);
}

/* Each field at its ends, alone and with all others at theirs. */
static void a_result_keeps_the_least_and_the_largest_of_each_field(void **state)
{
	static char etag[STORE_ETAG_MAX], type[ABOUT_TYPE], language[ABOUT_LANGUAGE], title[ABOUT_TITLE];
	const struct result least = {.state = PAGE_QUEUED,
		.outcome = OUTCOME_DNS,
		.ended = INT64_MIN,
		.target = 0,
		.digest = {0, 1},
		.validators.etag = "",
		.type = "",
		.language = "",
		.title = ""};
	const struct result most = {.state = PAGE_REDIRECTED,
		.outcome = UINT8_MAX,
		.status = UINT16_MAX,
		.target = 39,
		.tries = UINT32_MAX,
		.bytes = UINT64_MAX,
		.ended = INT64_MAX,
		.digest = {UINT64_MAX, UINT64_MAX},
		.fingerprint = UINT64_MAX,
		.simhash = UINT64_MAX,
		.validators.modified = INT64_MAX,
		.validators.etag = etag,
		.validators.etag_length = sizeof etag,
		.type = type,
		.language = language,
		.title = title};
	char dir[64], url[64];
	struct result r;
	(void)state;

	memset(etag, 'e', sizeof etag);
	memset(type, 't', sizeof type - 1);
	memset(language, 'l', sizeof language - 1);
	memset(title, 'h', sizeof title - 1);
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	for (uint32_t id = 0; id < 40; id++) {
		snprintf(url, sizeof url, "http://h.test/%u", id);
		add(s, url);
	}
	for (int is_read = 0; is_read < 2; is_read++) {
		for (uint32_t id = 0; id < 40; id++) {
			/* bit by bit: page 0 has the least of all, page 39 the most, others the most of one field or of all but
			 * one */
			struct result want = id < 20 ? least : most;
			const struct result *other = id < 20 ? &most : &least;
			switch (id % 20) {
			case 1:
				want.state = other->state;
				break;
			case 2:
				want.outcome = other->outcome;
				break;
			case 3:
				want.status = other->status;
				break;
			case 4:
				want.target = other->target;
				break;
			case 5:
				want.tries = other->tries;
				break;
			case 6:
				want.bytes = other->bytes;
				break;
			case 7:
				want.ended = other->ended;
				break;
			case 8:
				want.digest[0] = other->digest[0];
				break;
			case 9:
				want.digest[1] = other->digest[1];
				break;
			case 10:
				want.fingerprint = other->fingerprint;
				break;
			case 11:
				want.simhash = other->simhash;
				break;
			case 12:
				want.validators.modified = other->validators.modified;
				break;
			case 13:
				want.validators.etag = other->validators.etag,
				want.validators.etag_length = other->validators.etag_length;
				break;
			case 14:
				want.type = other->type;
				break;
			case 15:
				want.language = other->language;
				break;
			case 16:
				want.title = other->title;
				break;
			case 17:
				want.target = STORE_NO_PAGE;
				break;
			default:
				break;
			}
			if (!is_read) {
				assert_int_equal(store_put_result(s, id, &want, NULL), 0);
				continue;
			}
			assert_int_equal(store_result(s, id, &r), 1);
			assert_int_equal(r.state, want.state);
			assert_int_equal(r.outcome, want.outcome);
			assert_int_equal(r.status, want.status);
			assert_true(r.target == want.target && r.tries == want.tries);
			assert_true(r.bytes == want.bytes && r.ended == want.ended &&
				r.validators.modified == want.validators.modified);
			assert_true(r.digest[0] == want.digest[0] && r.digest[1] == want.digest[1]);
			assert_true(r.fingerprint == want.fingerprint && r.simhash == want.simhash);
			assert_int_equal(r.validators.etag_length, want.validators.etag_length);
			assert_memory_equal(r.validators.etag, want.validators.etag, want.validators.etag_length);
			assert_string_equal(r.type, want.type);
			assert_string_equal(r.language, want.language);
			assert_string_equal(r.title, want.title);
		}
		commit(s);
	}
	assert_int_equal(store_result(s, 40, &r), 0);
	store_drop(s);
}

static void a_score_lasts_with_and_without_what_else_a_result_has(void **state)
{
	static const double scores[] = {0, 0.1, 5, 1e-300, NUM_SCORE_MOST};
	char dir[64];
	struct store *s;
	struct result r;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (unsigned i = 0; i < sizeof scores / sizeof *scores; i++)
		for (unsigned has = 0; has < 8; has++) {
			const struct result in = {.state = PAGE_CRAWLED,
				.target = STORE_NO_PAGE,
				.is_scored = has & 1 ? 1 : 0,
				.score = scores[i],
				.digest = {has & 2, 0},
				.simhash = has & 4};
			const uint32_t id = i * 8 + has;
			char url[64];
			snprintf(url, sizeof url, "http://h.test/%u", id);
			add(s, url);
			assert_int_equal(store_put_result(s, id, &in, NULL), 0);
		}
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	for (uint32_t id = 0; id < store_pages(s); id++) {
		assert_int_equal(store_result(s, id, &r), 1);
		assert_int_equal(r.is_scored, id & 1);
		assert_true(r.score == (id & 1 ? scores[id / 8] : 0));
		assert_int_equal(r.digest[0], id & 2);
		assert_int_equal(r.simhash, id & 2 ? id & 4 : 0);
	}
	store_drop(s);
}

static void the_last_result_and_links_of_a_page_count(void **state)
{
	static const uint32_t first[] = {0, 1, 2}, second[] = {2};
	const uint32_t *links;
	const uint8_t *kinds;
	char dir[64];
	struct store *s;
	struct result r = {.state = PAGE_QUEUED, .target = STORE_NO_PAGE, .tries = 1};

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	assert_int_equal(store_links(s, 0, &links, &kinds), 0);
	add(s, "http://h.test/1");
	add(s, "http://h.test/2");
	assert_int_equal(store_put_links(s, 1, first, NULL, NULL, 3, NULL), 0);
	assert_int_equal(store_links(s, 1, &links, &kinds), 3);
	assert_null(kinds);
	assert_int_equal(store_put_result(s, 1, &r, NULL), 0);
	assert_int_equal(store_result(s, 1, &r), 1);
	r.tries = 2;
	assert_int_equal(store_put_result(s, 1, &r, NULL), 0);
	commit(s);
	assert_int_equal(store_put_links(s, 1, second, (const uint8_t *)"\x83", NULL, 1, NULL), 0);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(store_links(s, 1, &links, &kinds), 1);
		assert_int_equal(links[0], 2);
		assert_int_equal(kinds[0], 0x83);
		assert_int_equal(store_links(s, 1, &links, NULL), 1);
		assert_int_equal(store_result(s, 1, &r), 1);
		assert_int_equal(r.tries, 2);
		assert_int_equal(store_result(s, 0, &r), 0);
		assert_int_equal(store_result(s, 3, &r), 0);
		assert_int_equal(store_links(s, 3, &links, &kinds), 0);
		commit(s);
		store_drop(s);
		s = open_store(dir, STORE_WRITE);
	}
	store_drop(s);
}

static void links_keep_their_anchor_texts(void **state)
{
	static const uint32_t to[] = {2, 0, 1}, one[] = {1};
	static const char anchors[] = "first\0\0a \"third\"";
	const uint32_t *links;
	const uint8_t *kinds;
	char dir[64];
	struct store *s;
	size_t n;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (int i = 0; i < 3; i++)
		add(s, i == 0 ? "http://h.test/0" : i == 1 ? "http://h.test/1" : "http://h.test/2");
	assert_int_equal(store_put_links(s, 0, to, (const uint8_t *)"\x80\x80\0", anchors, 3, NULL), 0);
	assert_int_equal(store_put_links(s, 1, one, NULL, NULL, 1, NULL), 0);
	assert_int_equal(store_put_links(s, 2, one, NULL, "old", 1, NULL), 0);
	assert_string_equal(store_anchor(s, 2, 0, &n), "old");
	assert_int_equal(store_put_links(s, 2, one, NULL, "new", 1, NULL), 0);
	for (int pass = 0; pass < 2; pass++) {
		assert_string_equal(store_anchor(s, 0, 2, &n), "a \"third\"");
		assert_int_equal(n, 9);
		assert_string_equal(store_anchor(s, 0, 0, &n), "first");
		assert_string_equal(store_anchor(s, 0, 1, &n), "");
		assert_int_equal(n, 0);
		assert_string_equal(store_anchor(s, 0, 3, &n), "");
		assert_string_equal(store_anchor(s, 1, 0, &n), "");
		assert_string_equal(store_anchor(s, 2, 0, &n), "new");
		assert_string_equal(store_anchor(s, 9, 0, &n), "");
		assert_int_equal(store_links(s, 0, &links, &kinds), 3);
		assert_memory_equal(links, to, sizeof to);
		assert_memory_equal(kinds, "\x80\x80\0", 3);
		commit(s);
		store_drop(s);
		s = open_store(dir, STORE_WRITE);
	}
	store_drop(s);
}

static void too_many_links_are_refused(void **state)
{
	char dir[64];
	size_t n = STORE_LINKS_MAX;
	uint32_t *links = mem_zero(n + 1, sizeof *links);
	const uint32_t *got;
	struct store *s;

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	add(s, "http://h.test/0");
	assert_int_equal(store_put_links(s, 0, links, NULL, NULL, n + 1, NULL), ERR_TOO_BIG);
	assert_int_equal(store_links(s, 0, &got, NULL), 0);
	assert_int_equal(store_put_links(s, 0, links, NULL, NULL, n, NULL), 0);
	assert_int_equal(store_links(s, 0, &got, NULL), n);
	commit(s);
	assert_int_equal(store_links(s, 0, &got, NULL), n);
	store_drop(s);
	free(links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_is_made_where_it_is_missing),
		cmocka_unit_test(what_holds_no_store_is_said),
		cmocka_unit_test(all_reads_back_before_and_after_the_commit),
		cmocka_unit_test(what_is_not_committed_is_dropped),
		cmocka_unit_test(settings_are_kept_and_limited),
		cmocka_unit_test(urls_are_told_apart_by_every_byte),
		cmocka_unit_test(hosts_are_numbered_once),
		cmocka_unit_test(what_stands_beside_a_digest_is_kept),
		cmocka_unit_test(a_result_keeps_the_least_and_the_largest_of_each_field),
		cmocka_unit_test(a_score_lasts_with_and_without_what_else_a_result_has),
		cmocka_unit_test(the_last_result_and_links_of_a_page_count),
		cmocka_unit_test(links_keep_their_anchor_texts),
		cmocka_unit_test(too_many_links_are_refused),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
