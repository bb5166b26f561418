#include "tests/test.h"

#include "base/flag.h"

#include <string.h>

struct all {
	int on;
	const char *text, *maybe;
	uint64_t count, bytes, depth;
	double real;
	int64_t time;
	int choice;
	struct flag_list each, commas;
};

#define ALL(field) offsetof(struct all, field)
static const struct flag rows[] = {
	{"on", 0, FLAG_SWITCH, ALL(on), .help = ""},
	{"text", 0, FLAG_TEXT, ALL(text), "TEXT", .help = ""},
	{"maybe", 0, FLAG_TEXT, ALL(maybe), "TEXT", .help = "", .may_be_empty = 1},
	{"count", 0, FLAG_COUNT, ALL(count), "N", .help = ""},
	{"depth", 0, FLAG_COUNT, ALL(depth), "N", .help = "", .max = 65535},
	{"bytes", 0, FLAG_BYTES, ALL(bytes), "BYTES", .help = ""},
	{"real", 0, FLAG_REAL, ALL(real), "R", .help = ""},
	{"time", 0, FLAG_TIME, ALL(time), "TIME", .help = ""},
	{"choice", 0, FLAG_CHOICE, ALL(choice), "one|two", .help = ""},
	{"each", 0, FLAG_EACH, ALL(each), "TEXT", .help = ""},
	{"commas", 0, FLAG_COMMAS, ALL(commas), "LIST", .help = ""},
	{.name = NULL},
};

static void *field(struct all *all, const struct flag *row)
{
	return (char *)all + row->at;
}

/* What is kept of a value is the same value again, and what is kept of that the same text. */
static void what_is_kept_is_recalled(void **state)
{
	static const struct {
		const char *name, *given, *kept;
	} cases[] = {
		{"on", NULL, "1"},
		{"text", "a b", "a b"},
		{"maybe", "", "\"\""},
		{"maybe", "http://x", "http://x"},
		{"count", "0", "0"},
		{"count", "18446744073709551615", "18446744073709551615"},
		{"count", "1.5k", "1500"},
		{"depth", "65535", "65535"},
		{"bytes", "0", "0"},
		{"bytes", "1.5M", "1536K"},
		{"bytes", "1025", "1025"},
		{"real", "0", "0"},
		{"real", "0.1", "0.1"},
		{"time", "0", "0s"},
		{"time", "2007ms", "2007ms"},
		{"time", "1h30m", "5400s"},
		{"choice", "two", "two"},
		{"each", "a,b c", "a,b c"},
		{"commas", "a,b", "a,b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct flag_texts texts = {NULL, 0, 0};
		struct all a = {0}, b = {0};
		struct buf kept = BUF_EMPTY, again = BUF_EMPTY;
		const struct flag *row = rows;
		while (strcmp(row->name, cases[i].name) != 0)
			row++;
		assert_int_equal(flag_take(row, field(&a, row), cases[i].given, &texts, NULL), 0);
		flag_keep(row, field(&a, row), &kept);
		assert_string_equal(kept.at, cases[i].kept);
		assert_int_equal(flag_recall(row, field(&b, row), kept.at, &texts, NULL), 0);
		flag_keep(row, field(&b, row), &again);
		assert_string_equal(again.at, kept.at);
		flag_list_release(&a.each);
		flag_list_release(&a.commas);
		flag_list_release(&b.each);
		flag_list_release(&b.commas);
		flag_texts_release(&texts);
		buf_release(&kept);
		buf_release(&again);
	}
}

static void lists_keep_their_pieces(void **state)
{
	struct flag_texts texts = {NULL, 0, 0};
	struct buf kept = BUF_EMPTY;
	struct all a = {0};

	(void)state;
	for (const struct flag *row = &rows[9]; row->name; row++) {
		assert_int_equal(flag_recall(row, field(&a, row), row->kind == FLAG_EACH ? "x=1\ny,z" : "x,y", &texts, NULL), 0);
		assert_int_equal(((struct flag_list *)field(&a, row))->count, 2);
		flag_keep(row, field(&a, row), &kept);
		buf_byte(&kept, ';');
	}
	assert_string_equal(kept.at, "x=1\ny,z;x,y;");
	flag_list_release(&a.each);
	flag_list_release(&a.commas);
	flag_texts_release(&texts);
	buf_release(&kept);
}

/* A text that is none of a kind is refused with the flag's name, and an empty one changes nothing. */
static void a_damaged_text_is_refused(void **state)
{
	static const struct {
		size_t row;
		const char *text;
	} bad[] = {{3, "many"}, {4, "65536"}, {5, "x"}, {6, "nan"}, {7, "soon"}, {8, "three"}, {10, "a,,b"}};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct flag_texts texts = {NULL, 0, 0};
		const struct flag *row = &rows[bad[i].row];
		struct err_note why = {""};
		struct all a = {0};
		assert_int_equal(flag_recall(row, field(&a, row), bad[i].text, &texts, &why), ERR_USAGE);
		assert_non_null(strstr(why.text, row->name));
		flag_list_release(&a.commas);
		flag_texts_release(&texts);
	}
	for (const struct flag *row = rows; row->name; row++) {
		struct all a = {.count = 7, .time = 3}, b = a;
		assert_int_equal(flag_recall(row, field(&a, row), "", NULL, NULL), 0);
		assert_memory_equal(&a, &b, sizeof a);
	}
}

/* "No limit" as a default beyond the largest value is not told. */
static void a_count_beyond_its_maximum_is_none(void **state)
{
	struct all a = {.depth = UINT64_MAX, .count = UINT64_MAX};
	struct buf text = BUF_EMPTY;

	(void)state;
	flag_show(&rows[4], &a.depth, &text);
	flag_keep(&rows[4], &a.depth, &text);
	assert_int_equal(text.used, 0);
	flag_show(&rows[3], &a.count, &text);
	assert_string_equal(text.at, "18446744073709551615");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_recalled),
		cmocka_unit_test(lists_keep_their_pieces),
		cmocka_unit_test(a_damaged_text_is_refused),
		cmocka_unit_test(a_count_beyond_its_maximum_is_none),
	};

	return cmocka_run_group_tests_name("flag", tests, NULL, NULL);
}
