/* Flags from a file, and how they are told again. */
#include "cli/flags/flags.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct all {
	const char *config, *name;
	uint64_t count, size;
	double real;
	int64_t time;
	int on, place;
	struct flag_list each, commas;
};

#define ALL(field) offsetof(struct all, field)
static const struct flag rows[] = {
	{"config", 0, FLAG_CONFIG, ALL(config), "FILE", .help = ""},
	{"name", 'n', FLAG_TEXT, ALL(name), "TEXT", .help = "", .may_be_empty = 1},
	{"count", 0, FLAG_COUNT, ALL(count), "N", .help = "", .max = 100},
	{"real", 0, FLAG_REAL, ALL(real), "R", .help = ""},
	{"size", 0, FLAG_BYTES, ALL(size), "BYTES", .help = ""},
	{"time", 0, FLAG_TIME, ALL(time), "TIME", .help = ""},
	{"on", 0, FLAG_SWITCH, ALL(on), .help = ""},
	{"choice", 0, FLAG_CHOICE, ALL(place), "one|two", .help = ""},
	{"each", 0, FLAG_EACH, ALL(each), "TEXT", .help = ""},
	{"commas", 0, FLAG_COMMAS, ALL(commas), "LIST", .help = ""},
	{.name = NULL},
};

static char path[64];

static void write_file(const char *text)
{
	snprintf(path, sizeof path, "flag_file.%ld", (long)getpid());
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Reads the file's text with such arguments before --config. */
static int read_all(struct flags *f, struct all *all, const char *text, const char *const *more, size_t n, struct err_note *why)
{
	const char *argv[8];

	write_file(text);
	for (size_t i = 0; i < n; i++)
		argv[i] = more[i];
	argv[n] = "--config";
	argv[n + 1] = path;
	*all = (struct all){.count = 7, .time = 1500};
	int err = flags_read(f, "test", rows, all, argv, n + 2, why);
	if (!err)
		err = flags_read_file(f, why);
	unlink(path);
	return err;
}

static void a_file_gives_what_flags_give(void **state)
{
	struct err_note why = {""};
	struct flags f;
	struct all all;
	(void)state;

	assert_int_equal(read_all(&f, &all,
				 "\xef\xbb\xbf# a comment\n\n  name =  a b # no comment  \r\ncount=42\nreal = 0.5\nsize = 2K\n"
				 "time = 10m\non = yes\nchoice = two\neach = x\neach = \"y\\n\\\"\\x41 \"\ncommas = p,q",
				 NULL, 0, &why),
		0);
	assert_string_equal(all.name, "a b # no comment");
	assert_int_equal(all.count, 42);
	assert_true(all.real == 0.5);
	assert_int_equal(all.size, 2048);
	assert_int_equal(all.time, 600000);
	assert_int_equal(all.on, 1);
	assert_int_equal(all.place, 1);
	assert_int_equal(all.each.count, 2);
	assert_string_equal(all.each.at[1], "y\n\"A ");
	assert_int_equal(all.commas.count, 2);
	assert_true(flags_given(&f, "count"));
	flags_release(&f);
}

static void the_command_line_goes_before_the_file(void **state)
{
	static const char *const more[] = {"--count", "1", "--each", "mine"};
	struct flags f;
	struct all all;
	(void)state;

	assert_int_equal(read_all(&f, &all, "count = 2\neach = a\neach = b\nname = x\nname = y\non = no\n", more, 4, NULL), 0);
	assert_int_equal(all.count, 1);
	assert_int_equal(all.each.count, 1);
	assert_string_equal(all.each.at[0], "mine");
	assert_string_equal(all.name, "y"); /* the last one, as with flags */
	assert_int_equal(all.on, 0);
	flags_release(&f);
	/* what a file says goes before the default, and what the command line says before the file */
	static const char *const off[] = {"--no-on", "--no-count"};
	assert_int_equal(read_all(&f, &all, "on = yes\ncount = 2\nno-time = yes\nno-real = no\n", off, 2, NULL), 0);
	assert_int_equal(all.on, 0);
	assert_int_equal(all.count, 7);
	assert_int_equal(all.time, 1500);
	flags_release(&f);
	assert_int_equal(read_all(&f, &all, "on = yes\non = no\n", NULL, 0, NULL), 0);
	assert_int_equal(all.on, 0);
	flags_release(&f);
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *problem;
	} bad[] = {
		{"\nconut = 1\n", ":2: unknown key 'conut'; the nearest is 'count'"},
		{"something-else = 1\n", ":1: unknown key 'something-else'; keys are the flags"},
		{"count\n", ":1: 'count' is not of the form 'key = value'"},
		{"= 1\n", ":1: unknown key ''"},
		{"count = many\n", ":1: --count takes a whole number"},
		{"count = 101\n", ":1: --count takes"},
		{"on = 1\n", ":1: a switch is yes or no, not '1'"},
		{"no-count = 3\n", ":1: a switch is yes or no, not '3'"},
		{"on =\n", ":1: a switch is yes or no"},
		{"name = \"ab\n", ": \"ab has quotes or escapes"},
		{"name = \"a\" b\n", "quotes or escapes"},
		{"name = \"\\\n", "quotes or escapes"},
		{"name = \"\\x4\"\n", "quotes or escapes"},
		{"name = \"\\x00\"\n", "quotes or escapes"},
		{"name = \"a\\q\"\n", ": \"a\\q\" has quotes or escapes"},
		{"config = other\n", ":1: a file of settings cannot name another: 'other'"},
		{"\x1b]0;x\n", "is not of the form"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err_note why = {""};
		struct flags f;
		struct all all;
		assert_int_equal(read_all(&f, &all, bad[i].text, NULL, 0, &why), ERR_USAGE);
		if (!strstr(why.text, bad[i].problem))
			fail_msg("'%s' is not in '%s'", bad[i].problem, why.text);
		assert_null(strchr(why.text, '\x1b'));
		flags_release(&f);
	}
	const char *const none[] = {"--config", "no/such/file"};
	struct flags f;
	struct all all = {0};
	assert_int_equal(flags_read(&f, "test", rows, &all, none, 2, NULL), 0);
	assert_int_equal(flags_read_file(&f, NULL), ERR_FILE);
	flags_release(&f);
}

static const char *keep(void *ctx, const char *name, const char **value)
{
	(void)ctx;
	*value = "kept value";
	return strcmp(name, "name") == 0 ? "kept in 'x'" : NULL;
}

static void settings_are_told_with_where_they_come_from(void **state)
{
	static const char *const more[] = {"--each", "mine", "--no-size", "--no-on"};
	struct buf text = BUF_EMPTY;
	char expected[500];
	struct flags f;
	struct all all;
	(void)state;

	assert_int_equal(read_all(&f, &all, "\ncount = 0\ncommas = a,b\non = yes\n", more, 4, NULL), 0);
	flags_print(&f, keep, NULL, &text);
	snprintf(expected, sizeof expected,
		"# kept in 'x'\n#name = kept value\n# %s:2\ncount = 0\n# default\n#real =\n# command line\nno-size = yes\n"
		"# default\n#time = 1.5s\n# command line\non = no\n# default\n#choice = one\n# command line\neach = mine\n"
		"# %s:3\ncommas = a,b\n",
		path, path);
	assert_string_equal(text.at, expected);
	buf_release(&text);
	flags_release(&f);
}

/* Any text, given as a flag, is told so that the file gives it again. */
static void what_is_told_reads_back(void **state)
{
	static const char *const texts[] = {"plain", "", " blank before", "blank behind ", "\"", "\"q\"", "a#b", "# c", "tab\there",
		"line\nfeed", "\x1b[31m", "\xff\xfe", "\xc3\xa4", "back\\slash", "\\x41", "=", "a = b", "\x7f", "\r"};
	(void)state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *each = *texts[i] ? texts[i] : "no empty one";
		const char *const more[] = {"--name", texts[i], "--each", each, "--time", "1ms"};
		struct buf text = BUF_EMPTY;
		struct flags f, g;
		struct all all, again;
		assert_int_equal(read_all(&f, &all, "", more, 6, NULL), 0);
		flags_print(&f, NULL, NULL, &text);
		for (const char *p = text.at; *p; p++)
			assert_true(*p == '\n' || (unsigned char)*p >= ' ');
		assert_int_equal(read_all(&g, &again, text.at, NULL, 0, NULL), 0);
		assert_string_equal(again.name, texts[i]);
		assert_int_equal(again.each.count, 1);
		assert_string_equal(again.each.at[0], each);
		assert_int_equal(again.time, 1);
		buf_release(&text);
		flags_release(&f);
		flags_release(&g);
	}
}

static void a_list_that_is_reset_and_given_again_is_told_once(void **state)
{
	static const char *const more[] = {"--each", "first", "--no-each", "--each", "second"};
	struct buf text = BUF_EMPTY;
	struct flags f;
	struct all all;
	(void)state;

	assert_int_equal(read_all(&f, &all, "", more, 5, NULL), 0);
	flags_print(&f, NULL, NULL, &text);
	assert_non_null(strstr(text.at, "# command line\neach = second\n# default\n#commas"));
	assert_null(strstr(text.at, "first"));
	buf_release(&text);
	flags_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gives_what_flags_give),
		cmocka_unit_test(the_command_line_goes_before_the_file),
		cmocka_unit_test(what_is_wrong_is_told_with_its_line),
		cmocka_unit_test(settings_are_told_with_where_they_come_from),
		cmocka_unit_test(what_is_told_reads_back),
		cmocka_unit_test(a_list_that_is_reset_and_given_again_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
