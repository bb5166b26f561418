#include "tests/test.h"

#include "parser/url.h"
#include "traps/sinks.h"

static struct url split(const char *text)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_split(&u, text, strlen(text)), URL_OK);
	return u;
}

/* Says whether a text has a form, in which '#' stands for a letter from g to z or a digit and each other character for itself. */
static int has_form(const char *text, const char *form)
{
	for (; *text && *form; text++, form++)
		if (*form == '#' ? (*text < 'g' || *text > 'z') && (*text < '0' || *text > '9') : *text != *form)
			return 0;
	return !*text && !*form;
}

static void an_address_is_made_up_where_two_differ(void **state)
{
	static const struct {
		const char *url, *like, *form; /* NULL: none is made up */
	} rows[] = {
		{"http://a/o/4f7.html", "http://a/o/31c9.html", "http://a/o/############.html"},
		{"http://a/o/17", "http://a/o/18", "http://a/o/############"},
		{"http://a/o/17/", "http://a/o/x/", "http://a/o/############/"},
		{"http://a/0123456789abcdef", "http://a/0123456789abcdee", "http://a/################"},
		{"http://a/q?t=a_5&a=1", "http://a/q?t=a_6&a=1", "http://a/q?t=############&a=1"},
		{"http://a/q?i=5&a=1", "http://a/q?i=6&a=2", "http://a/q?i=############&a=############"},
		{"http://a/%C3%9F/1", "http://a/%C3%A4/1", "http://a/############/1"},
		{"http://a/o/", "http://a/o/1", NULL},
		{"http://a/o", "http://b/o", NULL},
	};
	struct buf out = BUF_EMPTY, again = BUF_EMPTY;
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct url u = split(rows[i].url), like = split(rows[i].like);
		const int is_made = sinks_make_up(&u, &like, SINKS_DRAWN, &out);
		buf_end(&out);
		if (rows[i].form && (!is_made || !has_form(out.at, rows[i].form)))
			fail_msg("%s: %s", rows[i].url, out.at);
		assert_int_equal(sinks_make_up(&u, &like, SINKS_DRAWN, &again), is_made);
		if (is_made)
			assert_memory_equal(out.at, again.at, out.used);
	}
	buf_release(&out);
	buf_release(&again);
}

static struct sinks_page page(uint32_t id, uint64_t bytes)
{
	return (struct sinks_page){.host = 1, .text = 2, .bytes = bytes, .id = id, .length = 20};
}

static void pages_are_junk_once_an_address_that_was_made_up_has_their_text(void **state)
{
	struct sinks s;
	uint32_t like = 0, asked = 0;
	(void)state;

	sinks_init(&s);
	for (uint32_t id = 1; id <= 70; id++) {
		if (sinks_asks(&s, 1, 2, &like)) {
			assert_int_equal(like, id - 1);
			asked = 100 * asked + id;
			sinks_made(&s, 1, 2, 1000 + id);
		}
		assert_false(sinks_add(&s, &(struct sinks_page){1, 2, 500, id, 20}));
	}
	assert_int_equal(asked, 8163264);
	sinks_made(&s, 1, 2, 99);
	assert_true(sinks_add(&s, &(struct sinks_page){1, 2, 500, 99, 22}));
	static const struct {
		uint64_t bytes;
		uint32_t length;
		int is_junk;
	} rows[] = {{500, 22, 1}, {508, 22, 1}, {509, 22, 0}, {491, 22, 0}, {540, 26, 1}, {541, 26, 0}, {460, 18, 1}, {459, 18, 0}};
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sinks_page p = page(200 + i, rows[i].bytes);
		p.length = rows[i].length;
		if (sinks_add(&s, &p) != rows[i].is_junk)
			fail_msg("row %u", i);
	}
	struct sinks_page other = page(300, 500);
	other.host = 7;
	assert_false(sinks_add(&s, &other));
	while (like++ < 600)
		assert_false(sinks_asks(&s, 1, 2, &asked));
	sinks_release(&s);
}

static void a_host_that_knows_its_addresses_is_asked_twenty_times(void **state)
{
	struct sinks s;
	uint32_t n = 0;

	(void)state;
	sinks_init(&s);
	for (; n < 100 && sinks_may_ask(&s, 1); n++)
		sinks_made(&s, 1, 2, n);
	assert_int_equal(n, 20);
	assert_true(sinks_may_ask(&s, 2));
	/* the text of its pages under an address that was made up */
	sinks_add(&s, &(struct sinks_page){1, 2, 500, 5, 20});
	assert_true(sinks_may_ask(&s, 1));
	sinks_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_made_up_where_two_differ),
		cmocka_unit_test(a_host_that_knows_its_addresses_is_asked_twenty_times),
		cmocka_unit_test(pages_are_junk_once_an_address_that_was_made_up_has_their_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
