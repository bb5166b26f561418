#include "tests/test.h"

#include "cli/flags/flags.h"

struct deep {
	uint64_t number;
	const char *note;
};

struct all {
	int quiet, hosts, no_talk;
	const char *file, *shape;
	uint64_t count, bytes;
	double real;
	int64_t time;
	int mode;
	struct flag_list headers, domains;
	struct deep deep;
};

static const char *shape_word(size_t i)
{
	static const char *const word[] = {"circle", "square", NULL};

	return word[i];
}

#define ALL(field) offsetof(struct all, field)
static const struct flag table[] = {
	{"quiet", 'q', FLAG_SWITCH, ALL(quiet), .help = "no talk"},
	{"span-hosts", 'H', FLAG_SWITCH, ALL(hosts), .help = "all hosts"},
	{"file", 'f', FLAG_TEXT, ALL(file), "FILE", .help = "a file", .required = 1, .is_noun = 1},
	{"shape", 0, FLAG_TEXT, ALL(shape), "SHAPE", .help = "a shape", .words = shape_word},
	{"count", 'n', FLAG_COUNT, ALL(count), "N", .help = "how many", .min = 1},
	{"bytes", 0, FLAG_BYTES, ALL(bytes), "N", .help = "how much"},
	{"real", 0, FLAG_REAL, ALL(real), "X", .help = "a number", .max = 1},
	{"time", 0, FLAG_TIME, ALL(time), "T", .help = "how long"},
	{"mode", 0, FLAG_CHOICE, ALL(mode), "auto|bar|none", .help = "which way"},
	{"header", 0, FLAG_EACH, ALL(headers), "TEXT", .help = "a header"},
	{"domains", 'D', FLAG_COMMAS, ALL(domains), "LIST", .help = "domains"},
	{"no-talk", 0, FLAG_SWITCH, ALL(no_talk), .help = "quiet, too"},
	{"how-many", 0, FLAG_ALIAS, 0, "count", .help = "how many"},
	{"zp", 0, FLAG_FOREIGN, 0, "wget", .help = "--no-parent"},
	{"level", 0, FLAG_FOREIGN, 0, "wget", .help = "--max-depth N"},
	{"P", 0, FLAG_FOREIGN, 0, "wget", .help = "--store DIR"},
	{.name = NULL},
};
static const struct flag deep_table[] = {
	{"number", 0, FLAG_COUNT, offsetof(struct deep, number), "N", .help = "within", .max = 9},
	{"note", 0, FLAG_TEXT, offsetof(struct deep, note), "TEXT", .help = "or none", .may_be_empty = 1},
	{.name = NULL},
};
static const struct flag rows[] = {
	{"", 0, FLAG_TABLE, 0, .rows = table},
	{.name = "Deep", .kind = FLAG_NAMES},
	{"", 0, FLAG_TABLE, ALL(deep), .rows = deep_table},
	{.name = NULL},
};

#define WORDS 12

/* Reads a line of words parted by '|', '' being an empty one. */
static int read_line(struct flags *f, struct all *a, const char *line, struct err_note *why)
{
	static char copy[256];
	const char *argv[WORDS];
	size_t n = 0;
	char *rest = copy, *word;

	snprintf(copy, sizeof copy, "%s", line);
	while (*line && (word = strsep(&rest, "|")) != NULL && n < WORDS)
		argv[n++] = word;
	memset(a, 0, sizeof *a);
	return flags_read(f, "lycosa test", rows, a, argv, n, why);
}

static void flags_are_read_in_every_form(void **state)
{
	static const char *const same[] = {
		"--file|x|--count|7|-H|-q|a|-",
		"--file=x|--count=7|--span-hosts|--quiet|a|-",
		"-f|x|-n|7|-Hq|a|-",
		"-fx|-n7|-qH|a|-",
		"a|-|-qHn7|-fx",
		"-qHfx|a|--count|7|--|-",
		"--count|3|-n7|-f|y|-fx|-H|-q|a|-",
	};
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		assert_int_equal(read_line(&f, &a, same[i], &why), 0);
		assert_string_equal(a.file, "x");
		assert_int_equal(a.count, 7);
		assert_int_equal(a.hosts, 1);
		assert_int_equal(a.quiet, 1);
		assert_int_equal(f.operands, 2);
		assert_string_equal(f.operand[0], "a");
		assert_string_equal(f.operand[1], "-");
		assert_true(flags_given(&f, "count"));
		assert_false(flags_given(&f, "number"));
		flags_release(&f);
	}
}

static void what_follows_two_dashes_is_no_flag(void **state)
{
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	assert_int_equal(read_line(&f, &a, "-q|--|--count|-x|--|y", &why), 0);
	assert_int_equal(f.operands, 4);
	assert_string_equal(f.operand[0], "--count");
	assert_string_equal(f.operand[1], "-x");
	assert_string_equal(f.operand[2], "--");
	flags_release(&f);
	/* a value may look like a flag */
	assert_int_equal(read_line(&f, &a, "--file=--count|--header|--|--header|--other|--header|-q", &why), 0);
	assert_string_equal(a.file, "--count");
	assert_string_equal(a.headers.at[0], "--");
	assert_string_equal(a.headers.at[1], "--other");
	assert_string_equal(a.headers.at[2], "-q");
	assert_int_equal(f.operands, 0);
	flags_release(&f);
}

static void values_are_of_their_kind(void **state)
{
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	assert_int_equal(read_line(&f, &a,
				 "--bytes=1.5K|--real=1e-3|--time=500ms|--mode=none|--number=9|--"
				 "shape=square",
				 &why),
		0);
	assert_int_equal(a.bytes, 1536);
	assert_true(a.real == 1e-3);
	assert_int_equal(a.time, 500);
	assert_int_equal(a.mode, 2);
	assert_int_equal(a.deep.number, 9);
	assert_string_equal(a.shape, "square");
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "--header=a,b|--header|c|-Dx.org,y.org|--domains=z", &why), 0);
	assert_int_equal(a.headers.count, 2);
	assert_string_equal(a.headers.at[0], "a,b");
	assert_string_equal(a.headers.at[1], "c");
	assert_null(a.headers.at[2]);
	assert_int_equal(a.domains.count, 3);
	assert_string_equal(a.domains.at[0], "x.org");
	assert_string_equal(a.domains.at[1], "y.org");
	assert_string_equal(a.domains.at[2], "z");
	assert_null(a.domains.at[3]);
	flags_release(&f);
	assert_null(a.domains.at);
	assert_int_equal(read_line(&f, &a, "--note=", &why), 0);
	assert_string_equal(a.deep.note, "");
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "--count=18446744073709551615", &why), 0);
	assert_true(a.count == UINT64_MAX);
	flags_release(&f);
}

static void wrong_usage_is_told(void **state)
{
	static const struct {
		const char *line, *text;
	} wrong[] = {
		{"--cuont=3", "unknown flag '--cuont'; the nearest is '--count'"},
		{"--span", "unknown flag '--span'; the nearest is '--span-hosts'"},
		{"--rhubarb", "unknown flag '--rhubarb'; see 'lycosa test --help'"},
		{"-qx", "unknown flag '-x' in '-qx'; see 'lycosa test --help'"},
		{"--level=3", "'--level' is wget's; here: --max-depth N"},
		{"-zp", "'-zp' is wget's; here: --no-parent"},
		{"-qP|x", "'-P' is wget's; here: --store DIR"},
		{"--no-file", "unknown flag '--no-file'; see 'lycosa test --help'"},
		{"--no-rhubarb", "unknown flag '--no-rhubarb'; see 'lycosa test --help'"},
		{"--no-count=3", "--no-count takes no value, but '3' was given"},
		{"--count=1.2345k", "--count takes a whole number, at least 1, not '1.2345k'"},
		{"--quiet=1", "--quiet takes no value, but '1' was given"},
		{"--count", "--count needs a value: N"},
		{"-qn", "--count needs a value: N"},
		{"-f|--count|7", "--file needs a value: FILE; '--count' is a flag, and as a value it is written --file=--count"},
		{"--header|--count=7",
			"--header needs a value: TEXT; '--count=7' is a flag, and as a value it is written --header=--count=7"},
		{"--header|--no-count",
			"--header needs a value: TEXT; '--no-count' is a flag, and as a value it is written --header=--no-count"},
		{"--file=", "--file needs a value: FILE"},
		{"-q|-f||x", "--file needs a value: FILE"},
		{"--shape=", "--shape needs a value: SHAPE"},
		{"--header=", "--header needs a value: TEXT"},
		{"-D|", "--domains: an empty entry in ''"},
		{"--count=", "--count takes a whole number, at least 1, not ''"},
		{"--count=0", "--count takes a whole number, at least 1, not '0'"},
		{"--count=-1", "--count takes a whole number, at least 1, not '-1'"},
		{"--count=18446744073709551616", "--count takes a whole number, at least 1, not '18446744073709551616'"},
		{"--number=10", "--number takes a whole number from 0 to 9, not '10'"},
		{"--real=1.1", "--real takes a number from 0 to 1, not '1.1'"},
		{"--real=nan", "--real takes a number from 0 to 1, not 'nan'"},
		{"--bytes=1X", "--bytes takes a number of bytes such as 500K or 2G, not '1X'"},
		{"--time=soon", "--time takes a time such as 2, 500ms, 10m or 1h30m, not 'soon'"},
		{"--mode=ba", "--mode is one of auto|bar|none, not 'ba'"},
		{"--shape=sqaure", "--shape: there is no 'sqaure'; the nearest is 'square'"},
		{"--shape=hexagon", "--shape: there is no 'hexagon'; there are circle, square"},
		{"-Da,,b", "--domains: an empty entry in 'a,,b'"},
		{"-Da,", "--domains: an empty entry in 'a,'"},
		{"--\x1b[2J", "unknown flag '--?[2J'; see 'lycosa test --help'"},
	};
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(read_line(&f, &a, wrong[i].line, &why), ERR_USAGE);
		assert_string_equal(why.text, wrong[i].text);
		flags_release(&f);
	}
	assert_int_equal(read_line(&f, &a, "-q", &why), 0);
	assert_int_equal(flags_require(&f, &why), ERR_USAGE);
	assert_string_equal(why.text, "--file FILE is needed; see 'lycosa test --help'");
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "-f|x", &why), 0);
	assert_int_equal(flags_require(&f, &why), 0);
	flags_release(&f);
}

static void help_shows_names_and_defaults(void **state)
{
	static const char want[] = "  -q, --quiet           no talk\n"
				   "  -H, --span-hosts      all hosts\n"
				   "  -f, --file FILE       a file\n"
				   "  --shape SHAPE         a shape (circle)\n"
				   "  -n, --count N         how many (7)\n"
				   "  --bytes N             how much (2M)\n"
				   "  --real X              a number (0.25)\n"
				   "  --time T              how long (1.5s)\n"
				   "  --mode=auto|bar|none  which way (bar)\n"
				   "  --header TEXT         a header\n"
				   "  -D, --domains LIST    domains\n"
				   "  --no-talk             quiet, too\n"
				   "Deep: --number N, --note TEXT\n";
	struct all a = {.shape = "circle", .count = 7, .bytes = 2 << 20, .real = 0.25, .time = 1500, .mode = 1};
	struct buf text = BUF_EMPTY;

	(void)state;
	flags_help(rows, &a, FLAGS_SCREEN, &text);
	assert_string_equal(text.at, want);
	buf_clear(&text);
	flags_usage(rows, &text);
	assert_string_equal(text.at, " [--file] FILE");
	buf_clear(&text);
	flags_help(rows, &a, FLAGS_ALL, &text);
	assert_non_null(strstr(text.at, "Deep:\n  --number N            within\n"));
	assert_null(strstr(text.at, "level"));
	buf_release(&text);
}

static void a_flag_is_taken_back_by_no(void **state)
{
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	assert_int_equal(read_line(&f, &a, "-q|--count=7|-Da,b|--note=x|--no-talk|--no-quiet|--no-count", &why), 0);
	assert_int_equal(a.quiet, 0);
	assert_int_equal(a.count, 0);
	assert_int_equal(a.no_talk, 1);
	assert_int_equal(a.domains.count, 2);
	assert_false(flags_given(&f, "count"));
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "--no-talk|--talk|-Da,b|--no-domains|-Dc|--no-note", &why), 0);
	assert_int_equal(a.no_talk, 0);
	assert_int_equal(a.domains.count, 1);
	assert_string_equal(a.domains.at[0], "c");
	assert_null(a.deep.note);
	flags_release(&f);
}

static void an_old_name_is_the_new_flag(void **state)
{
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	assert_int_equal(read_line(&f, &a, "--how-many|2.5k", &why), 0);
	assert_int_equal(a.count, 2500);
	assert_true(flags_given(&f, "count"));
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "--how-many=2|--no-how-many", &why), 0);
	assert_int_equal(a.count, 0);
	flags_release(&f);
}

static void the_noun_needs_no_name(void **state)
{
	struct flags f;
	struct all a;
	struct err_note why;

	(void)state;
	assert_int_equal(read_line(&f, &a, "x|y", &why), 0);
	assert_int_equal(flags_fill_noun(&f, 1, 2, &why), 0);
	assert_string_equal(a.file, "x");
	assert_int_equal(f.operands, 1);
	assert_string_equal(f.operand[0], "y");
	assert_int_equal(flags_require(&f, &why), 0);
	flags_release(&f);
	/* what is the verb's own stays so */
	assert_int_equal(read_line(&f, &a, "x", &why), 0);
	assert_int_equal(flags_fill_noun(&f, 1, 1, &why), 0);
	assert_null(a.file);
	flags_release(&f);
	assert_int_equal(read_line(&f, &a, "x|-f|z", &why), 0);
	assert_int_equal(flags_fill_noun(&f, 0, 0, &why), 0);
	assert_string_equal(a.file, "z");
	assert_int_equal(f.operands, 1);
	flags_release(&f);
}

/* Any words at all: no crash, no leak, and an operand is one of them. */
static void any_words_are_read_or_refused(void **state)
{
	static const char *const piece[] = {"-", "--", "q", "H", "f", "n", "=", ",", "count", "file", "domains", "7", "\xff", "x"};
	struct flags f;
	struct all a;
	struct err_note why;
	uint64_t x = 1;
	int good = 0, bad = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[WORDS][32];
		const char *argv[WORDS];
		size_t n = 0;
		for (; n < 4; n++) {
			text[n][0] = 0;
			for (int k = 0; k < 4; k++) {
				x = x * 6364136223846793005u + 1442695040888963407u;
				if (x >> 62)
					strcat(text[n], piece[(x >> 40) % 14]);
			}
			argv[n] = text[n];
		}
		memset(&a, 0, sizeof a);
		int err = flags_read(&f, "lycosa test", rows, &a, argv, n, &why);
		assert_true(err == 0 || err == ERR_USAGE);
		assert_true(f.operands <= n);
		good += !err;
		bad += err != 0;
		flags_release(&f);
	}
	assert_true(good > 100 && bad > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_are_read_in_every_form),
		cmocka_unit_test(what_follows_two_dashes_is_no_flag),
		cmocka_unit_test(values_are_of_their_kind),
		cmocka_unit_test(wrong_usage_is_told),
		cmocka_unit_test(help_shows_names_and_defaults),
		cmocka_unit_test(a_flag_is_taken_back_by_no),
		cmocka_unit_test(an_old_name_is_the_new_flag),
		cmocka_unit_test(the_noun_needs_no_name),
		cmocka_unit_test(any_words_are_read_or_refused),
	};

	return cmocka_run_group_tests_name("flags", tests, NULL, NULL);
}
