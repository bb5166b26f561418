/* URLs in the store, of which each record has only what differs from the record before it. */
#include "tests/storage/made_crawl.h"
#include "tests/storage/raw_store.h"

#include "base/rng.h"

#include <limits.h>

#define PAGES 3000

struct made_url {
	char *text;
	uint32_t host;
	uint16_t depth;
	uint8_t refusal;
};

static const char *const hosts[] = {"a.test", "b.test:8080", "c.test"};

/* A URL that shares any number of bytes with the one before, or all of them, or has more than a chunk has room for. */
static char *next_url(struct rng *r, const char *before, uint32_t number)
{
	struct buf b = BUF_EMPTY;
	const size_t n = strlen(before);

	buf_add(&b, before, rng_below(r, 8) ? (size_t)rng_below(r, n + 1) : n);
	if (rng_below(r, 500) == 0) {
		for (int i = 0; i < 40000; i++)
			buf_byte(&b, 'a' + (int)rng_below(r, 3));
	} else if (n > 300) {
		buf_clear(&b);
	}
	for (uint64_t i = rng_below(r, 4); i; i--)
		buf_byte(&b, "/ab\xc3"[rng_below(r, 4)]);
	if (b.used == 0 || rng_below(r, 2))
		buf_format(&b, "%x", number);
	return buf_take(&b);
}

static void make(struct store *s, struct made_url *made, uint32_t from, uint32_t to, uint64_t seed)
{
	struct rng r;

	r = (struct rng){.state = seed};
	for (uint32_t i = from; i < to; i++) {
		struct made_url *m = &made[i];
		struct store_page page;
		uint32_t id;
		m->text = NULL;
		do {
			free(m->text);
			m->text = next_url(&r, i ? made[i - 1].text : "http://", i);
		} while (store_find(s, m->text, strlen(m->text), &id));
		const int is_same = i && rng_below(&r, 4);
		const char *host = hosts[rng_below(&r, 3)];
		m->depth = is_same ? made[i - 1].depth : (uint16_t)rng_below(&r, 65536);
		m->refusal = is_same ? made[i - 1].refusal : rng_below(&r, 2) ? OUTCOME_HOST : 0;
		page = (struct store_page){.url = m->text, .url_length = strlen(m->text), .depth = m->depth, .refusal = m->refusal};
		if (is_same)
			page.host = made[i - 1].host;
		else
			assert_int_equal(store_host(s, host, strlen(host), &page.host, NULL), 0);
		m->host = page.host;
		assert_int_equal(store_add(s, &page, &id, NULL), 0);
		assert_int_equal(id, i);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = id}, NULL), 0);
		if (rng_below(&r, 40) == 0)
			commit(s);
	}
}

static void assert_page(struct store *s, const struct made_url *m, uint32_t id)
{
	struct store_page page;

	assert_int_equal(store_page(s, id, &page), 1);
	assert_int_equal(page.url_length, strlen(m->text));
	assert_string_equal(page.url, m->text);
	assert_int_equal(page.host, m->host);
	assert_int_equal(page.depth, m->depth);
	assert_int_equal(page.refusal, m->refusal);
}

/* A URL is found, and one that is shorter, longer or another by a byte only if it is there, too. */
static void assert_found(struct store *s, const struct made_url *made, uint32_t i, struct rng *r)
{
	struct store_page page;
	uint32_t id;
	const size_t n = strlen(made[i].text);
	const struct store_text expected[] = {{made[i].text, n}, {made[i].text, n - 1}, {"", 0},
		{made[i / 2].text, strlen(made[i / 2].text)}};
	char *near = mem_new(n + 2, 1);

	store_expect(s, expected, 4); /* which changes nothing; a reader has no index yet at its first call */
	assert_int_equal(store_find(s, made[i].text, n, &id), 1);
	assert_int_equal(id, i);
	for (int how = 0; how < 3; how++) {
		memcpy(near, made[i].text, n + 1);
		if (how == 0)
			near[n - 1] = 0;
		else if (how == 1)
			memcpy(near + n, "/", 2);
		else
			near[rng_below(r, n)] ^= 1;
		if (*near && store_find(s, near, strlen(near), &id)) {
			assert_int_equal(store_page(s, id, &page), 1);
			assert_string_equal(page.url, near);
		}
	}
	free(near);
}

static void forget(struct made_url *made, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(made[i].text);
	free(made);
}

static void urls_are_read_in_any_order_and_found(void **state)
{
	struct made_url *made = mem_zero(PAGES, sizeof *made);
	struct err_note why;
	struct rng r;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	r = (struct rng){.state = 5};
	struct store *s = open_store(dir, STORE_WRITE);
	make(s, made, 0, PAGES / 2, 1);
	for (int sitting = 0; sitting < 3; sitting++) {
		const uint32_t n = store_pages(s);
		for (uint32_t i = 0; i < n; i++)
			assert_page(s, &made[i], i);
		for (uint32_t i = n; i-- > 0;)
			assert_page(s, &made[i], i);
		for (int k = 0; k < PAGES; k++) {
			const uint32_t i = (uint32_t)rng_below(&r, n);
			assert_page(s, &made[i], i);
			assert_found(s, made, i, &r);
		}
		if (sitting == 0)
			commit(s);
		store_drop(s);
		s = open_store(dir, sitting ? STORE_READ : STORE_WRITE);
		if (sitting == 0) {
			make(s, made, n, PAGES, 2);
			commit(s);
		}
	}
	assert_int_equal(store_pages(s), PAGES);
	assert_int_equal(store_verify(s, made_tell, NULL, &why), 0);
	store_drop(s);
	forget(made, PAGES);
}

static void as_many_urls_are_valid_at_once_as_the_header_promises(void **state)
{
	struct made_url *made = mem_zero(PAGES, sizeof *made);
	struct store_page held[STORE_URLS_HELD];
	uint32_t id[STORE_URLS_HELD];
	struct rng r;

	(void)state;
	r = (struct rng){.state = 9};
	struct store *s = open_store(scratch(), STORE_WRITE);
	make(s, made, 0, PAGES, 3);
	for (int k = 0; k < PAGES; k++) {
		/* pages far apart, and neighbours */
		for (int i = 0; i < STORE_URLS_HELD; i++) {
			id[i] = i && k % 2 ? (id[i - 1] + 1) % PAGES : (uint32_t)rng_below(&r, PAGES);
			assert_int_equal(store_page(s, id[i], &held[i]), 1);
		}
		for (int i = 0; i < STORE_URLS_HELD; i++)
			assert_string_equal(held[i].url, made[id[i]].text);
	}
	store_drop(s);
	forget(made, PAGES);
}

/* Appends the record of a page as a format had it, whose `before` is NULL at the beginning of a group. */
static void put_record(struct buf *b, char format, const struct made_url *m, const struct made_url *before)
{
	size_t shared = 0;

	if (format == '3') {
		buf_add(b, m->text, strlen(m->text) + 1);
	} else {
		while (before && m->text[shared] && m->text[shared] == before->text[shared])
			shared++;
		buf_varint(b, shared << 1 | (before ? 1 : 0)); /* host, depth and refusal are equal in all */
	}
	if (format == '3' || !before) {
		buf_varint(b, m->host);
		buf_varint(b, m->depth);
		buf_byte(b, m->refusal);
	}
	if (format != '3')
		buf_add(b, m->text + shared, strlen(m->text) - shared);
}

/* Gives a store the pages of one chunk as an earlier format had them. */
static void put_pages_of(const char *dir, char format, const struct made_url *made, uint32_t n)
{
	static const char first[8];
	struct buf b = BUF_EMPTY;
	uint16_t end[64];

	assert_true(n <= 64);
	for (uint32_t i = 0; i < n; i++) {
		put_record(&b, format, &made[i], i % 8 ? &made[i - 1] : NULL);
		end[i] = (uint16_t)b.used;
	}
	for (uint32_t i = 0; i < n; i++) {
		buf_byte(&b, end[i] & 0xff);
		buf_byte(&b, end[i] >> 8);
	}
	raw_put(dir, "pages", first, sizeof first, b.at, b.used);
	raw_put(dir, "meta", "format", 6, &format, 1);
	buf_release(&b);
}

static void goes_on_from_format(char format)
{
	enum { OLD = 43 };
	struct made_url *made = mem_zero(PAGES, sizeof *made);
	struct err_note why;
	struct rng r;
	char dir[64];

	strcpy(dir, scratch());
	r = (struct rng){.state = 4};
	struct store *s = open_store(dir, STORE_WRITE);
	/* none so long that a chunk ends */
	for (uint32_t i = 0; i < OLD; i++) {
		char url[64];
		snprintf(url, sizeof url, "http://h.test/%s/%u", i % 3 ? "folder" : "other", i);
		made[i] = (struct made_url){.text = mem_text(url), .host = 0};
		assert_int_equal(add(s, url), i);
		assert_int_equal(store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = i}, NULL), 0);
	}
	commit(s);
	store_drop(s);
	put_pages_of(dir, format, made, OLD);
	for (int sitting = 0; sitting < 4; sitting++) {
		s = open_store(dir, sitting % 2 ? STORE_WRITE : STORE_READ);
		const uint32_t n = store_pages(s);
		for (uint32_t i = 0; i < n; i++) {
			assert_page(s, &made[i], i);
			assert_found(s, made, i, &r);
		}
		for (uint32_t i = n; i-- > 0;)
			assert_page(s, &made[i], i);
		assert_int_equal(store_verify(s, made_tell, NULL, &why), 0);
		if (sitting % 2) {
			make(s, made, n, n + 400, (uint64_t)sitting);
			commit(s);
			assert_int_equal(s->env.format, STORE_FORMAT);
		}
		store_drop(s);
	}
	forget(made, PAGES);
}

static void a_store_of_an_earlier_format_is_read_and_goes_on_as_one_of_the_present(void **state)
{
	(void)state;
	goes_on_from_format('3');
	goes_on_from_format('4');
}

static void a_record_that_shares_what_is_not_there_is_damage(void **state)
{
	/* two records: the first shares nothing and has host 0, depth 0, no refusal; the ends follow */
	static const struct {
		const char *value;
		size_t n;
	} bad[] = {
		{"\1\0\0\0http://h.test/a"
		 "\x41"
		 "b"
		 "\x13\0\x15\0",
			4 + 15 + 2 + 4}, /* shares 32 of 15 */
		{"\1\0\0\0http://h.test/a"
		 "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
		 "\x13\0\x1d\0",
			4 + 15 + 10 + 4},
		{"\1\0\0\0http://h.test/a"
		 "\xff"
		 "\x13\0\x14\0",
			4 + 15 + 1 + 4}, /* the number does not end */
		{"\1\0\0\0http://h.test/a"
		 "\x1d\0"
		 "\x13\0\x15\0",
			4 + 15 + 2 + 4}, /* a NUL in the URL */
		{"\1\0\0\0http://h.test/a"
		 "\x1c\0\0"
		 "\x13\0\x16\0",
			4 + 15 + 3 + 4}, /* no refusal */
		{"\1\0\0\0http://h.test/a"
		 "\x01"
		 "\x13\0\x14\0",
			4 + 15 + 1 + 4}, /* an empty URL */
	};
	static const char first[8];
	static const struct store_text both[] = {{"http://h.test/a", 15}, {"http://h.test/b", 15}};
	struct store_page page;
	struct err_note why;
	uint32_t id;
	char dir[64];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		strcpy(dir, scratch());
		struct store *s = open_store(dir, STORE_WRITE);
		add(s, "http://h.test/a");
		add(s, "http://h.test/b");
		commit(s);
		store_drop(s);
		raw_put(dir, "pages", first, sizeof first, bad[i].value, bad[i].n);
		s = open_suspect(dir);
		assert_int_equal(store_page(s, 0, &page), 1);
		assert_string_equal(page.url, "http://h.test/a");
		if (store_page(s, 1, &page))
			fail_msg("record %zu is read as '%s'", i, page.url);
		assert_int_equal(store_page(s, 0, &page), 1);
		assert_int_equal(store_find(s, "http://h.test/a", 15, &id), 1);
		store_expect(s, both, 2);
		assert_int_equal(store_find(s, both[0].at, both[0].n, &id), 1);
		assert_true(store_verify(s, made_tell, NULL, &why) > 0);
		store_drop(s);
		made_forget(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_are_read_in_any_order_and_found),
		cmocka_unit_test(as_many_urls_are_valid_at_once_as_the_header_promises),
		cmocka_unit_test(a_store_of_an_earlier_format_is_read_and_goes_on_as_one_of_the_present),
		cmocka_unit_test(a_record_that_shares_what_is_not_there_is_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
