#include "tests/test.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/input.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/rng.h"

#include <archive.h>
#include <archive_entry.h>

static void splitmix_gives_the_known_numbers(void **state)
{
	struct rng r = {1};
	static const uint64_t want[] = {0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e};
	static const int below[] = {5, 7, 9, 4, 4, 7, 8, 5};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_true(rng_next(&r) == want[i]);
	r.state = 1;
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(rng_below(&r, 10), below[i]);
}

static void sample_is_a_partial_fisher_yates(void **state)
{
	uint32_t out[12], whole[500], slow[500];
	static const uint32_t want[] = {6, 9, 11, 0};
	struct rng r = {1};

	(void)state;
	rng_sample(&r, 12, 4, out);
	assert_memory_equal(out, want, sizeof want);
	/* against the plain array */
	struct rng a = {77}, b = {77};
	rng_sample(&a, 500, 500, whole);
	for (uint32_t i = 0; i < 500; i++)
		slow[i] = i;
	for (uint32_t i = 0; i < 500; i++) {
		uint32_t j = i + (uint32_t)rng_below(&b, 500 - i), t = slow[i];
		slow[i] = slow[j];
		slow[j] = t;
	}
	assert_memory_equal(whole, slow, sizeof slow);
}

static void varints_come_back(void **state)
{
	static const uint64_t values[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
	static const int64_t signs[] = {0, -1, 1, INT64_MIN, INT64_MAX, -64, 64};
	struct buf b = BUF_EMPTY;
	uint64_t v;
	int64_t s;

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		buf_varint(&b, values[i]);
		buf_zigzag(&b, signs[i]);
	}
	const uint8_t *at = (const uint8_t *)b.at, *end = at + b.used;
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(varint_read(&at, end, &v), 0);
		assert_true(v == values[i]);
		assert_int_equal(zigzag_read(&at, end, &s), 0);
		assert_true(s == signs[i]);
	}
	assert_int_equal(varint_read(&at, end, &v), -1);
	static const uint8_t too_long[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
	at = too_long;
	assert_int_equal(varint_read(&at, too_long + sizeof too_long, &v), -1);
	buf_release(&b);
}

static void errors_have_texts_and_statuses(void **state)
{
	struct err_note note;

	(void)state;
	assert_int_equal(err_status(0), 0);
	assert_int_equal(err_status(ERR_USAGE), 2);
	assert_int_equal(err_status(ERR_DAMAGED), 18);
	assert_int_equal(err_status(-1000), 1);
	assert_string_equal(err_text(-1000), "unknown error");
	assert_int_equal(err_set(&note, ERR_FILE, "a\x1b[2J%s", "\xff\xe2\x80\xae ok \xc3\xa9"), ERR_FILE);
	assert_string_equal(note.text, "a?[2J???? ok \xc3\xa9");
	assert_int_equal(err_set(NULL, ERR_FILE, "nobody reads this"), ERR_FILE);
}

static int sign_of(int order)
{
	return (order > 0) - (order < 0);
}

static void texts_are_compared_without_the_case_of_ascii_letters_alone(void **state)
{
	static const struct {
		const char *a, *b;
		int order;
	} table[] = {{"TITLE iI", "title Ii", 0}, {"a", "B", -1}, {"B", "a", 1}, {"ab", "A", 1}, {"", "a", -1}, {"", "", 0},
		{"[", "{", -1}, {"@", "`", -1}, {"\xc4\xb0", "i", 1}, {"\xc4\xb1", "I", 1}, {"\xe4", "\xc4", 1}};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		assert_int_equal(sign_of(ascii_order(table[i].a, table[i].b)), table[i].order);
		assert_int_equal(ascii_same(table[i].a, table[i].b, 9), table[i].order == 0);
	}
	assert_true(ascii_same("ABx", "aby", 2));
	assert_false(ascii_same("ABx", "aby", 3));
	assert_true(ascii_same("", "", 5));
	const char *text = "a TiTitle";
	assert_ptr_equal(ascii_find(text, "TITLE"), text + 4);
	assert_ptr_equal(ascii_find(text, ""), text);
	assert_null(ascii_find(text, "titles"));
	assert_null(ascii_find("", "t"));
}

static void each_byte_is_of_the_classes_it_has_in_ascii(void **state)
{
	(void)state;
	for (int i = 0; i < 256; i++) {
		const char c = (char)i;
		const int lower = i >= 'a' && i <= 'z', upper = i >= 'A' && i <= 'Z', digit = i >= '0' && i <= '9';
		assert_int_equal(ascii_is_letter(c), lower || upper);
		assert_int_equal(ascii_is_digit(c), digit);
		assert_int_equal(ascii_is_alnum(c), lower || upper || digit);
		assert_int_equal(ascii_is_hex(c), i && strchr("0123456789abcdefABCDEF", i) != NULL);
		assert_int_equal(ascii_is_space(c), i && strchr(" \t\n\v\f\r", i) != NULL);
		assert_true(ascii_lower(c) == (upper ? (char)(i + 'a' - 'A') : c));
		assert_true(ascii_upper(c) == (lower ? (char)(i - ('a' - 'A')) : c));
	}
}

static void numbers_have_a_decimal_point(void **state)
{
	char text[32], *end;
	const char *number = "-2.5e-1,5";
	regex_t r;
	FILE *f;

	(void)state;
	assert_true(ascii_real(number, &end) == -0.25);
	assert_string_equal(end, ",5");
	assert_int_equal(ascii_format(text, sizeof text, "%.2f %g %d", 1234.5, 0.5, 1000), 16);
	assert_string_equal(text, "1234.50 0.5 1000");
	assert_int_equal(ascii_format(text, 4, "%g", 0.125), 5);
	assert_string_equal(text, "0.1");
	assert_non_null(f = fmemopen(text, sizeof text, "w"));
	assert_int_equal(ascii_print(f, "%g;", 1.5), 4);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, "1.5;");
	assert_int_equal(ascii_regex(&r, "^.{2}$", REG_EXTENDED | REG_NOSUB), 0);
	assert_int_equal(regexec(&r, "\xc3\xa4", 0, NULL, 0), 0);
	regfree(&r);
	/* the thread's locale is as it was before */
	const char *locale = getenv("TEST_LOCALE");
	snprintf(text, sizeof text, "%.1f", 2.5);
	assert_string_equal(text, locale ? "2,5" : "2.5");
}

static void numbers_are_read_strictly(void **state)
{
	static const char *const bad[] = {"", "1x", " 1", "0x10", "nan", "inf", "1e999", "-", "."};
	double d;
	uint64_t u = 9;
	int64_t t;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(num_real(bad[i], &d), -1);
	assert_int_equal(num_real("-1.5e-3", &d), 0);
	assert_true(d == -1.5e-3);
	assert_int_equal(num_count("18446744073709551616", UINT64_MAX, &u), -1);
	assert_int_equal(num_count("-1", UINT64_MAX, &u), -1);
	assert_int_equal(num_count("11", 10, &u), -1);
	assert_int_equal(u, 9);
	assert_int_equal(num_bytes("1.5K", &u), 0);
	assert_int_equal(u, 1536);
	assert_int_equal(num_bytes("2GiB", &u), 0);
	assert_true(u == (uint64_t)2 << 30);
	assert_int_equal(num_bytes("2X", &u), -1);
	assert_int_equal(num_time("0.25", &t), 0);
	assert_int_equal(t, 250);
	assert_int_equal(num_time("3m", &t), 0);
	assert_int_equal(t, 180000);
	assert_int_equal(num_time("1h30m", &t), 0);
	assert_int_equal(t, 90 * 60000);
	assert_int_equal(num_time("1d2h3m4s5ms", &t), 0);
	assert_int_equal(t, (((24 + 2) * 60 + 3) * 60 + 4) * 1000 + 5);
	/* what is printed of a time reads back as it was */
	for (int64_t ms = 1; ms < 100000; ms += 7) {
		char text[40];
		ascii_format(text, sizeof text, "%.17gs", (double)ms / 1000);
		assert_int_equal(num_time(text, &t), 0);
		assert_int_equal(t, ms);
	}
	static const char *const no_time[] = {"-1", "", "1h30", "1x", "h", "1h-3m", "1mm", "1e300d"};
	for (size_t i = 0; i < sizeof no_time / sizeof *no_time; i++)
		assert_int_equal(num_time(no_time[i], &t), -1);
	static const struct {
		const char *text;
		uint64_t n;
	} scaled[] = {{"0", 0}, {"18446744073709551615", UINT64_MAX}, {"1k", 1000}, {"1.5K", 1500}, {"2M", 2000000},
		{"0.25G", 250000000}};
	for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
		assert_int_equal(num_scaled(scaled[i].text, &u), 0);
		assert_true(u == scaled[i].n);
	}
	static const char *const unscaled[] = {"", "k", "1.5", "1.2345k", "-1k", "1kk", "1T", "1e30k"};
	for (size_t i = 0; i < sizeof unscaled / sizeof *unscaled; i++)
		assert_int_equal(num_scaled(unscaled[i], &u), -1);
}

static const struct opt table[] = {
	{"delta0", OPT_REAL, 0.35, 0, 1, NULL, "start of delta"},
	{"hops", OPT_COUNT, 2, 1, 9, NULL, "hops"},
	{"f", OPT_CHOICE, 0, 0, 0, "literal|symmetric", "form"},
	{"values", OPT_TEXT, 0, 0, 0, NULL, "a file"},
	{NULL, OPT_TEXT, 0, 0, 0, NULL, NULL},
};

static void options_are_checked_and_described(void **state)
{
	struct opt_set set;
	struct err_note why;
	struct buf text = BUF_EMPTY;

	(void)state;
	opt_init(&set, table, "policy 'x'");
	opt_describe(&set, &text);
	assert_string_equal(text.at, "delta0=0.35 hops=2 f=literal");
	assert_int_equal(opt_give(&set, "delta0=0.1", &why), 0);
	assert_int_equal(opt_give(&set, "f=symmetric", &why), 0);
	assert_int_equal(opt_give(&set, "values=/a=b", &why), 0);
	assert_int_equal(opt_give(&set, "delta=0.1", &why), ERR_USAGE);
	assert_string_equal(why.text, "policy 'x' has no option 'delta'; the nearest is 'delta0'");
	assert_int_equal(opt_give(&set, "delta0=1.5", &why), ERR_USAGE);
	assert_string_equal(why.text, "policy 'x': option 'delta0' takes a number from 0 to 1, not '1.5'");
	assert_int_equal(opt_give(&set, "hops=1.5", &why), ERR_USAGE);
	assert_int_equal(opt_give(&set, "f=lit", &why), ERR_USAGE);
	assert_int_equal(opt_give(&set, "f", &why), ERR_USAGE);
	assert_int_equal(opt_give(&set, "values=", &why), ERR_USAGE);
	buf_clear(&text);
	opt_describe(&set, &text);
	assert_string_equal(text.at, "delta0=0.1 hops=2 f=symmetric values=/a=b");
	assert_true(opt_number(&set, "f") == 1);
	opt_release(&set);
	opt_init(&set, NULL, "policy 'bfs'");
	assert_int_equal(opt_give(&set, "a=b", &why), ERR_USAGE);
	assert_string_equal(why.text, "policy 'bfs' has no options, but 'a' was given");
	opt_release(&set);
	buf_release(&text);
}

static void nearest_names_are_found(void **state)
{
	const char *best = NULL;
	size_t d = 0;

	(void)state;
	nearest_try("ceia", "bfs", &best, &d);
	nearest_try("ceia", "ieca", &best, &d);
	nearest_try("ceia", "opic", &best, &d);
	assert_string_equal(best, "ieca");
	best = NULL;
	nearest_try("bsf", "dfs", &best, &d);
	nearest_try("bsf", "bfs", &best, &d);
	assert_string_equal(best, "bfs");
	assert_int_equal(d, 1);
	assert_false(nearest_is_near("rhubarb", 5));
	best = NULL;
	nearest_try("OPIC", "opic", &best, &d);
	assert_int_equal(d, 0);
}

/* The same text through every packing, and lines across the chunks' ends. */
static void input_reads_lines_of_plain_and_packed_files(void **state)
{
	static int (*const filter[])(struct archive *) = {archive_write_add_filter_none, archive_write_add_filter_gzip,
		archive_write_add_filter_xz, archive_write_add_filter_zstd, archive_write_add_filter_bzip2};
	struct buf text = BUF_EMPTY;

	(void)state;
	for (int i = 0; i < 40000; i++)
		buf_format(&text, "line %d%s", i, i % 3 ? "\n" : "\r\n");
	buf_text(&text, "the end");
	for (size_t f = 0; f < sizeof filter / sizeof *filter; f++) {
		char path[128];
		snprintf(path, sizeof path, "%s/packed", scratch());
		struct archive *a = archive_write_new();
		filter[f](a);
		archive_write_set_format_raw(a);
		assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
		struct archive_entry *e = archive_entry_new();
		archive_entry_set_pathname(e, "x");
		archive_entry_set_filetype(e, AE_IFREG);
		archive_write_header(a, e);
		archive_write_data(a, text.at, text.used);
		archive_entry_free(e);
		archive_write_free(a);

		struct input *in;
		struct err_note why;
		char *line, want[32];
		size_t n;
		assert_int_equal(input_open(&in, path, &why), 0);
		for (int i = 0; i < 40000; i++) {
			assert_int_equal(input_line(in, &line, &n, &why), 1);
			snprintf(want, sizeof want, "line %d", i);
			assert_string_equal(line, want);
			assert_int_equal(n, strlen(want));
		}
		assert_int_equal(input_line(in, &line, &n, &why), 1);
		assert_string_equal(line, "the end");
		assert_int_equal(input_line_number(in), 40001);
		assert_int_equal(input_line(in, &line, &n, &why), 0);
		input_close(in);
		char *all;
		assert_int_equal(input_all(path, text.used, &all, &n, &why), 0);
		assert_int_equal(n, text.used);
		assert_memory_equal(all, text.at, n);
		free(all);
		assert_int_equal(input_all(path, text.used - 1, &all, &n, &why), ERR_TOO_BIG);
		unlink(path);
	}
	buf_release(&text);
}

static void input_refuses_what_it_cannot_read(void **state)
{
	struct input *in;
	struct err_note why;
	char *line;
	size_t n;

	(void)state;
	assert_int_equal(input_open(&in, "/nonexistent/x", &why), ERR_FILE);
	assert_string_equal(why.text, "cannot open '/nonexistent/x': No such file or directory");
	assert_int_equal(input_open(&in, "/tmp", &why), ERR_FILE);
	assert_int_equal(input_open(&in, scratch_file("", 0), &why), 0);
	assert_int_equal(input_line(in, &line, &n, &why), 0);
	input_close(in);
	assert_int_equal(input_open(&in, scratch_file("a\nb\0c\n", 6), &why), 0);
	assert_int_equal(input_line(in, &line, &n, &why), 1);
	assert_int_equal(input_line(in, &line, &n, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, ":2: a NUL byte"));
	input_close(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitmix_gives_the_known_numbers),
		cmocka_unit_test(sample_is_a_partial_fisher_yates),
		cmocka_unit_test(varints_come_back),
		cmocka_unit_test(errors_have_texts_and_statuses),
		cmocka_unit_test(texts_are_compared_without_the_case_of_ascii_letters_alone),
		cmocka_unit_test(each_byte_is_of_the_classes_it_has_in_ascii),
		cmocka_unit_test(numbers_have_a_decimal_point),
		cmocka_unit_test(numbers_are_read_strictly),
		cmocka_unit_test(options_are_checked_and_described),
		cmocka_unit_test(nearest_names_are_found),
		cmocka_unit_test(input_reads_lines_of_plain_and_packed_files),
		cmocka_unit_test(input_refuses_what_it_cannot_read),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
