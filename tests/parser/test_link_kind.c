/* The table of the kinds of links, and the Link header. */
#include "tests/test.h"

#include "base/buf.h"
#include "parser/link_kind.h"

static int add(void *ctx, struct html_text reference, enum link_kind kind)
{
	buf_format(ctx, " %s:%.*s", link_kinds[kind].name, (int)reference.n, reference.at);
	return 0;
}

static void links_of_a_header_have_the_kinds_of_elements(void **state)
{
	static const struct {
		const char *value, *want;
	} row[] = {
		{"<n>; rel=next", " next:n"},
		{"<n>;rel=\"prev  x\"", " next:n"},
		{" <a,b;c>; title=\"x, <y>; rel=next\"; rel = canonical , <z>; rel=NEXT", " canonical:a,b;c next:z"},
		{"<f>; type=application/rss+xml; rel=alternate, <t>; rel=alternate; hreflang=\"de\"", " alternate:f hreflang:t"},
		{"<f>; rel=alternate; type=\"application/atom+xml;charset=utf-8\"", " alternate:f"},
		{"<s>; rel=stylesheet, <p>; rel=preload, <x>", ""},
		{"<n>; rel=next; anchor=\"/other\", <m>; rel=next", " next:m"},
		{"<n>; rel=prefetch; rel=next", ""},
		{"<>; rel=next", " next:"},
		{"<n; rel=next", ""},
		{"<n>; rel=\"next", " next:n"},
		{"<n>; rel=", ""},
		{"<n>;", ""},
		{"n; rel=next", ""},
		{"", ""},
	};
	struct buf links = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const size_t n = strlen(row[i].value);
		char *exact = malloc(n + 1); /* sanitizers see what is read beyond it */
		memcpy(exact + 1, row[i].value, n);
		buf_clear(&links);
		buf_end(&links);
		link_header_read(exact + 1, n, add, &links);
		if (strcmp(links.at, row[i].want) != 0)
			fail_msg("<%s>: <%s>, not <%s>", row[i].value, links.at, row[i].want);
		free(exact);
	}
	buf_release(&links);
}

static int count_one(void *ctx, struct html_text reference, enum link_kind kind)
{
	(void)reference, (void)kind;
	return ++*(int *)ctx;
}

static void reading_ends_when_the_caller_says_so(void **state)
{
	static const char two[] = "<a>; rel=next, <b>; rel=next";
	int calls = 0;

	(void)state;
	link_header_read(two, strlen(two), count_one, &calls);
	assert_int_equal(calls, 1);
}

static void every_kind_says_what_it_is_and_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < LINK_KINDS; i++) {
		assert_true(*link_kinds[i].name && *link_kinds[i].element && *link_kinds[i].why);
		assert_int_equal(LINK_DEFAULTS >> i & 1, link_kinds[i].use == LINK_BY_DEFAULT);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(link_kinds[i].name, link_kinds[k].name);
	}
	/* the bytes of the kinds that older stores have */
	assert_int_equal(LINK_A, 0);
	assert_int_equal(LINK_FEED, 7);
	assert_int_equal(LINK_REQUISITE, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_of_a_header_have_the_kinds_of_elements),
		cmocka_unit_test(reading_ends_when_the_caller_says_so),
		cmocka_unit_test(every_kind_says_what_it_is_and_why),
	};

	return cmocka_run_group_tests_name("link_kind", tests, NULL, NULL);
}
