/* What every verb of the table keeps to. */
#include "tests/test.h"

#include "cli/verb.h"

#define SCREEN_LINES 40

static void walk(const struct verb *v, const char *called, void (*each)(const struct verb *, const char *called))
{
	each(v, called);
	for (size_t i = 0; v->verbs && v->verbs[i]; i++) {
		char below[128];
		snprintf(below, sizeof below, "%s %s", called, v->verbs[i]->name);
		walk(v->verbs[i], below, each);
	}
}

static void check_help(const struct verb *v, const char *called)
{
	struct buf text = BUF_EMPTY;
	size_t lines = 0;

	verb_help(v, called, FLAGS_SCREEN, &text);
	for (const char *p = text.at; *p; lines++) {
		size_t n = strcspn(p, "\n");
		assert_int_equal(p[n], '\n');
		if (n > FLAGS_WIDTH)
			fail_msg("%s --help: a line of %zu columns: %.*s", called, n, (int)n, p);
		if (n && p[n - 1] == ' ')
			fail_msg("%s --help: a blank at the end: %.*s", called, (int)n, p);
		p += n + 1;
	}
	if (lines > SCREEN_LINES)
		fail_msg("%s --help: %zu lines do not fit a screen", called, lines);
	buf_release(&text);
}

/* --help=all: a line of 80 columns for each flag, and its help. */
static void check_help_all(const struct verb *v, const char *called)
{
	struct buf text = BUF_EMPTY;
	const struct flag *row;

	verb_help(v, called, FLAGS_ALL, &text);
	for (const char *p = text.at; *p; p += strcspn(p, "\n") + 1)
		if (strcspn(p, "\n") > FLAGS_WIDTH)
			fail_msg("%s --help=all: a line is too long: %.90s", called, p);
	for (size_t i = 0; !v->verbs && (row = flags_row(v->flags, i, NULL)) != NULL; i++) {
		char name[80];
		snprintf(name, sizeof name, "--%s", row->name);
		if (row->kind != FLAG_ALIAS && row->kind != FLAG_FOREIGN &&
			!(strstr(text.at, name) && strstr(text.at, row->help) != NULL) && strlen(row->help) < 40)
			fail_msg("%s --help=all does not tell %s", called, name);
	}
	buf_release(&text);
}

static void the_help_of_every_flag_can_be_read(void **state)
{
	(void)state;
	walk(&lycosa, "lycosa", check_help_all);
}

static void the_help_of_every_verb_fits_one_screen(void **state)
{
	(void)state;
	walk(&lycosa, "lycosa", check_help);
}

static void check_row(const struct verb *v, const char *called, size_t i)
{
	const struct flag *other, *row = flags_row(v->flags, i, NULL);

	for (size_t k = 0; k < i && (other = flags_row(v->flags, k, NULL)) != NULL; k++) {
		if (strcmp(row->name, other->name) == 0)
			fail_msg("%s: --%s twice", called, row->name);
		if (row->letter && row->letter == other->letter)
			fail_msg("%s: -%c twice", called, row->letter);
	}
	if (!row->help || !*row->help)
		fail_msg("%s: --%s has no help", called, row->name);
	if (row->kind != FLAG_SWITCH && !row->argument)
		fail_msg("%s: --%s: an argument has a name", called, row->name);
}

static void check_verb(const struct verb *v, const char *called)
{
	size_t n = strlen(v->summary), rows = 0, at;

	if (!n || v->summary[n - 1] == ' ')
		fail_msg("%s has no summary", called);
	if (v->verbs) {
		assert_null(v->run);
		return;
	}
	assert_non_null(v->run);
	assert_non_null(v->defaults);
	for (; flags_row(v->flags, rows, &at); rows++) {
		if (at >= v->size)
			fail_msg("%s: row %zu is not in its struct", called, rows);
		check_row(v, called, rows);
	}
	/* main reads the flags that every verb has at the start of its struct */
	const struct flag *last = flags_row(v->flags, rows - 1, &at);
	assert_string_equal(last->name, "version");
	assert_int_equal(at, offsetof(struct standard_options, version));
}

/* All verbs' rows that have been met so far. */
static const struct flag *met[1000];
static size_t n_met;

static void compare_rows(const struct verb *v, const char *called)
{
	const struct flag *row;

	for (size_t i = 0; !v->verbs && (row = flags_row(v->flags, i, NULL)) != NULL; i++) {
		if (row->kind == FLAG_ALIAS || row->kind == FLAG_FOREIGN)
			continue;
		for (size_t k = 0; k < n_met; k++)
			if (strcmp(met[k]->name, row->name) == 0 &&
				/* "a number, or 'reachable'" */
				strcmp(row->name, "total") != 0 &&
				/* export's tables are switches; serve's are a folder and a file; --to is a place or a form */
				strcmp(row->name, "to") != 0 && strcmp(row->name, "pages") != 0 &&
				strcmp(row->name, "hosts") != 0 &&
				(met[k]->kind != row->kind || met[k]->letter != row->letter ||
					(row->kind == FLAG_CHOICE && strcmp(met[k]->argument, row->argument) != 0)))
				/* compare takes several graphs, and measure several orders */
				if (strcmp(row->name, "graph") != 0 && strcmp(row->name, "order") != 0)
					fail_msg("%s: --%s takes something else than in another verb", called, row->name);
		if (n_met < sizeof met / sizeof *met)
			met[n_met++] = row;
	}
}

static void a_flag_takes_the_same_in_every_verb(void **state)
{
	(void)state;
	walk(&lycosa, "lycosa", compare_rows);
	assert_true(n_met > 200 && n_met < sizeof met / sizeof *met);
}

static void the_rows_of_every_verb_are_sound(void **state)
{
	(void)state;
	walk(&lycosa, "lycosa", check_verb);
}

static void verbs_that_are_not_there_are_refused(void **state)
{
	static const struct {
		const char *argv[4], *text;
	} wrong[] = {
		{{"lycosa", "rnak"}, "unknown verb 'rnak'; the nearest is 'rank'"},
		{{"lycosa", "graph", "covnert"}, "unknown verb 'covnert'; the nearest is 'convert'"},
		{{"lycosa"}, "lycosa needs a verb"},
		{{"lycosa", "graph"}, "lycosa graph needs a verb"},
		{{"lycosa", "--hlep"}, "unknown flag '--hlep'; the nearest is '--help'"},
		{{"lycosa", "rank"}, "--graph PATH is needed; see 'lycosa rank --help'"},
		{{"lycosa", "list", "formats", "x"},
			"'x' is too much: lycosa list formats takes flags only; see "
			"'lycosa list formats --help'"},
		{{"lycosa", "graph", "convert", "--graph=x"}, "lycosa graph convert needs OUT; see 'lycosa graph convert --help'"},
	};
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		int n = 0;
		while (n < 4 && wrong[i].argv[n])
			n++;
		assert_int_equal(verb_main(n, wrong[i].argv, &why), ERR_USAGE);
		assert_string_equal(why.text, wrong[i].text);
	}
}

static void the_usage_of_operands_says_how_many_there_are(void **state)
{
	static const struct {
		const char *operands;
		size_t least, most;
	} row[] = {{NULL, 0, 0}, {"URL", 1, 1}, {"[NAME]", 0, 1}, {"FILE...", 1, SIZE_MAX}, {"[NAME...]", 0, SIZE_MAX},
		{"EARLIER LATER", 2, 2}, {"URL [SEED...]", 1, SIZE_MAX}, {"IN... OUT", 2, SIZE_MAX}};
	size_t least, most;
	(void)state;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		verb_operands(&(struct verb){.operands = row[i].operands}, &least, &most);
		assert_int_equal(least, row[i].least);
		assert_true(most == row[i].most);
	}
	verb_operands(&(struct verb){.operands = "FILE...", .most = 7}, &least, &most);
	assert_int_equal(most, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_help_of_every_verb_fits_one_screen),
		cmocka_unit_test(the_help_of_every_flag_can_be_read),
		cmocka_unit_test(a_flag_takes_the_same_in_every_verb),
		cmocka_unit_test(the_rows_of_every_verb_are_sound),
		cmocka_unit_test(verbs_that_are_not_there_are_refused),
		cmocka_unit_test(the_usage_of_operands_says_how_many_there_are),
	};

	return cmocka_run_group_tests_name("verbs", tests, NULL, NULL);
}
