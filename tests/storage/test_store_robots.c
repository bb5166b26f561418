#include "tests/storage/made_crawl.h"
#include "tests/storage/raw_store.h"

#include "base/clock.h"

#define DAY ((int64_t)86400000)

static void put(struct store *s, const char *origin, const char *text, int64_t expires)
{
	assert_int_equal(store_put_robots(s, origin, strlen(origin), text, strlen(text), expires, NULL), 0);
}

/* What is kept of an origin at a time; "(none)". Static until the next call. */
static const char *kept(struct store *s, const char *origin, int64_t now)
{
	static char text[128];
	struct store_robots r;

	if (!store_robots(s, origin, strlen(origin), now, &r))
		return "(none)";
	snprintf(text, sizeof text, "%.*s", (int)r.n, r.text);
	return text;
}

static void what_is_kept_holds_until_it_expires(void **state)
{
	const int64_t now = clock_wall_ms();
	char dir[64];
	struct store *s;
	(void)state;

	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	put(s, "http://a.test", "Disallow: /x", now + DAY);
	put(s, "https://a.test", "", now + DAY);
	put(s, "http://b.test", "first", now + DAY);
	put(s, "http://b.test", "second", now + DAY / 2);
	put(s, "http://gone.test", "old", now - 1);
	assert_string_equal(kept(s, "http://a.test", now), "(none)"); /* not committed */
	commit(s);
	put(s, "http://a.test", "dropped", now + DAY);
	store_drop(s);
	for (int mode = 0; mode < 2; mode++) {
		s = open_store(dir, mode ? STORE_WRITE : STORE_READ);
		assert_string_equal(kept(s, "http://a.test", now), "Disallow: /x");
		assert_string_equal(kept(s, "http://a.test", now + DAY - 1), "Disallow: /x");
		assert_string_equal(kept(s, "http://a.test", now + DAY), "(none)");
		assert_string_equal(kept(s, "https://a.test", now), "");
		assert_string_equal(kept(s, "http://b.test", now), "second");
		assert_string_equal(kept(s, "http://b.test", now + DAY / 2), "(none)");
		assert_string_equal(kept(s, "http://c.test", now), "(none)");
		assert_int_equal(store_verify(s, made_tell, NULL, NULL), 0);
		store_drop(s);
	}
}

static void what_has_expired_goes_and_there_is_a_bound(void **state)
{
	const int64_t now = clock_wall_ms();
	char dir[64], origin[600], *large = malloc(STORE_ROBOTS_TEXT + 1);
	struct store *s;
	struct store_robots r;
	(void)state;

	strcpy(dir, scratch());
	memset(large, 'x', STORE_ROBOTS_TEXT + 1);
	s = open_store(dir, STORE_WRITE);
	put(s, "http://old.test", "old", now - 1);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(s->values, 1); /* to be dropped */
	put(s, "http://new.test", "new", now + DAY);
	commit(s);
	store_drop(s);
	s = open_store(dir, STORE_WRITE);
	assert_int_equal(s->values, 0);
	/* one that is too large, one of a name that is too long, and more than all may have */
	assert_int_equal(store_put_robots(s, "a", 1, large, STORE_ROBOTS_TEXT + 1, now + DAY, NULL), 0);
	memset(origin, 'o', sizeof origin);
	assert_int_equal(store_put_robots(s, origin, sizeof origin, "x", 1, now + DAY, NULL), 0);
	for (int i = 0; i < 200; i++) {
		snprintf(origin, sizeof origin, "http://%d.test", i);
		assert_int_equal(store_put_robots(s, origin, strlen(origin), large, STORE_ROBOTS_TEXT, now + DAY, NULL), 0);
	}
	commit(s);
	assert_int_equal(store_robots(s, "a", 1, now, &r), 0);
	assert_int_equal(store_robots(s, "http://0.test", 13, now, &r), 1);
	assert_int_equal(r.n, STORE_ROBOTS_TEXT);
	assert_int_equal(store_robots(s, "http://199.test", 15, now, &r), 0);
	assert_in_range(s->robots_bytes, STORE_ROBOTS_MAX / 2, STORE_ROBOTS_MAX);
	store_drop(s);
	free(large);
}

static void keep_line(void *ctx, const char *line)
{
	snprintf(ctx, 512, "%s", line);
}

static void one_that_is_damaged_is_not_there_and_is_a_breach(void **state)
{
	const int64_t now = clock_wall_ms();
	char dir[64], line[512] = "";
	struct store *s;
	(void)state;

	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	put(s, "http://a.test", "Disallow: /", now + DAY);
	commit(s);
	store_drop(s);
	raw_put_plain(dir, "robots", "http://a.test", 13, "\1Disallow: /12345678", 20);
	s = open_suspect(dir);
	assert_string_equal(kept(s, "http://a.test", now), "(none)");
	assert_int_equal(store_verify(s, keep_line, line, NULL), 1);
	assert_non_null(strstr(line, "database 'robots' has a value whose checksum is wrong"));
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_holds_until_it_expires),
		cmocka_unit_test(what_has_expired_goes_and_there_is_a_bound),
		cmocka_unit_test(one_that_is_damaged_is_not_there_and_is_a_breach),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
