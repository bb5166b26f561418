/* The page of a study: how numbers and texts stand in its tables. */
#include "tests/test.h"

#include "base/mem.h"
#include "lab/report/study.h"

static char *page_of(const struct study *s)
{
	struct buf html = BUF_EMPTY;

	study_page(s, "1.0", &html);
	buf_end(&html);
	return buf_take(&html);
}

static void counts_have_a_comma_before_every_third_digit(void **state)
{
	static const struct {
		uint64_t count;
		const char *shown;
	} rows[] = {{0, ">0<"}, {999, ">999<"}, {1000, ">1,000<"}, {7588, ">7,588<"}, {38269, ">38,269<"}, {7588896, ">7,588,896<"},
		{1000000, ">1,000,000<"}, {12000345678, ">12,000,345,678<"}};
	struct study s = {.title = mem_text("Counts")};

	(void)state;
	study_table(&s, "counts", "Counts", NULL, "what count real", STUDY_SHOWN);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		STUDY_CELLS(&s, cell_text("a"), cell_count(rows[i].count), cell_real((double)rows[i].count));
	}
	char *html = page_of(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *at = strstr(html, rows[i].shown);
		assert_non_null(at);
		assert_non_null(strstr(at + 1, rows[i].shown)); /* the real number is shown alike */
	}
	free(html);
	study_release(&s);
}

static void settings_are_shown_as_they_are_typed(void **state)
{
	struct study s = {.title = mem_text("Facts")};

	(void)state;
	study_fact(&s, "rng_seed", cell_count(1234567));
	study_fact(&s, "graph", cell_text("a<b>.txt"));
	char *html = page_of(&s);
	assert_non_null(strstr(html, "<dd>1234567</dd>"));
	assert_non_null(strstr(html, "<dd>a&lt;b&gt;.txt</dd>"));
	free(html);
	study_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_have_a_comma_before_every_third_digit),
		cmocka_unit_test(settings_are_shown_as_they_are_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
