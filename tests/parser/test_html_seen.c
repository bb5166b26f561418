#include "tests/test.h"

#include "base/rng.h"
#include "parser/html.h"

#define MOST 2000

struct links {
	char *text[MOST];
	unsigned kind[MOST];
	size_t n, calls;
};

/* Keeps what is new, by looking at all. */
static int keep(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	struct links *l = ctx;

	(void)anchor;
	l->calls++;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->text[i], target->text.at) == 0 && l->kind[i] == kind)
			return 0;
	assert_true(l->n < MOST);
	l->kind[l->n] = kind;
	l->text[l->n++] = strdup(target->text.at);
	return 0;
}

static void release(struct links *l)
{
	while (l->n)
		free(l->text[--l->n]);
}

/* References of few kinds, many of them again, some in a charset that is told late. */
static void make_page(struct buf *page, struct rng *r)
{
	static const char *const pieces[] = {"<a href='%x'>", "<a rel=nofollow href=%x>", "<area href=%x>",
		"<a href=\"\xe4?\xe4%x\">", "<a href='&#x61;%x'>", "<p %x>", "<a href=#%x>", "<iframe src=%x></iframe>"};

	buf_clear(page);
	for (uint64_t n = rng_below(r, 1500); n; n--) {
		const char *piece = pieces[rng_below(r, sizeof pieces / sizeof *pieces)];
		const char *mark = strchr(piece, '%');
		buf_add(page, piece, (size_t)(mark - piece));
		buf_format(page, "%llx", (unsigned long long)rng_below(r, 1 + rng_below(r, 60)));
		buf_text(page, mark + 2);
		if (rng_below(r, 700) == 0)
			buf_text(page, "<meta charset=windows-1252>");
	}
}

static void distinct_links_are_the_same_with_fewer_calls(void **state)
{
	struct url address = URL_EMPTY;
	struct buf page = BUF_EMPTY;
	struct rng r = {3};
	size_t calls = 0, fewer = 0;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h.test/d/", 16, NULL), URL_OK);
	for (int i = 0; i < 60; i++) {
		struct links all = {.n = 0}, distinct = {.n = 0};
		const unsigned kinds = (unsigned)rng_below(&r, 8);
		struct html_page out;
		make_page(&page, &r);
		html_read(page.at, page.used, &address, NULL, kinds, UINT64_MAX, keep, &all, &out);
		html_page_release(&out);
		html_read(page.at, page.used, &address, NULL, kinds | HTML_DISTINCT, UINT64_MAX, keep, &distinct, &out);
		html_page_release(&out);
		assert_int_equal(all.n, distinct.n);
		for (size_t k = 0; k < all.n; k++) {
			assert_string_equal(all.text[k], distinct.text[k]);
			assert_int_equal(all.kind[k], distinct.kind[k]);
		}
		calls += all.calls;
		fewer += distinct.calls;
		release(&all);
		release(&distinct);
	}
	assert_true(fewer < calls * 3 / 4);
	url_release(&address);
	buf_release(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distinct_links_are_the_same_with_fewer_calls),
	};

	return cmocka_run_group_tests_name("html seen", tests, NULL, NULL);
}
