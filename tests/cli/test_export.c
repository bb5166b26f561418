#include "tests/test.h"

#include "base/input.h"
#include "cli/export/export_filter.h"
#include "cli/export/export_table.h"

#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct column columns[] = {{"n", CELL_COUNT, 1, "a number"}, {"a", CELL_TEXT, 1, "a text"},
	{"b", CELL_TEXT, 0, "another"}};
static const struct table table = {"things", "a row a thing", columns, 3, 0};

#define REPLACED "\xef\xbf\xbd"

/* Texts that a page may send, and the same in all forms; and as CSV has them. */
static const struct {
	const char *text;
	size_t n;
	const char *want, *csv;
} texts[] = {
	{"plain", 5, "plain", "plain"},
	{"a,b", 3, "a,b", "\"a,b\""},
	{"say \"x\"", 7, "say \"x\"", "\"say \"\"x\"\"\""},
	{"\"", 1, "\"", "\"\"\"\""},
	{"two\r\nlines", 10, "two\r\nlines", "\"two\r\nlines\""},
	{"tab\tbell\x07", 9, "tab\tbell\x07", "tab\tbell" REPLACED},
	{"\x1b[2J\xc2\x9b\x7f", 7, "\x1b[2J\xc2\x9b\x7f", REPLACED "[2J" REPLACED REPLACED},
	{"\xc2\xa0=", 3, "\xc2\xa0=", "\xc2\xa0="},
	{"=1+1", 4, "=1+1", "=1+1"},
	{"-2,\"x\"", 6, "-2,\"x\"", "\"-2,\"\"x\"\"\""},
	{"@SUM(A1)", 8, "@SUM(A1)", "@SUM(A1)"},
	{"\t=1", 3, "\t=1", "\t=1"},
	{"a\0b", 3, "a" REPLACED "b", "a" REPLACED "b"},
	{"\xff\xfe", 2, REPLACED REPLACED, REPLACED REPLACED},
	{"\xed\xa0\x80", 3, REPLACED REPLACED REPLACED, REPLACED REPLACED REPLACED},
	{"caf\xc3", 4, "caf" REPLACED, "caf" REPLACED},
	{"\xc3\xa9\xf0\x9f\x95\xb7", 6, "\xc3\xa9\xf0\x9f\x95\xb7", "\xc3\xa9\xf0\x9f\x95\xb7"},
	{"\\u0041\\", 7, "\\u0041\\", "\\u0041\\"},
};
#define TEXTS (sizeof texts / sizeof *texts)

static void write_table(enum table_form form, const char *path)
{
	struct table_writer *w;
	struct err_note why;

	assert_int_equal(table_open(&w, form, path, &why), 0);
	assert_int_equal(table_begin(w, &table, &why), 0);
	for (size_t i = 0; i < TEXTS; i++) {
		const struct cell row[] = {i ? cell_count(i) : cell_none(), cell_bytes(texts[i].text, texts[i].n),
			cell_bytes("", 0)};
		assert_int_equal(table_row(w, row, &why), 0);
		if (i % 3 == 0)
			assert_int_equal(table_flush(w, &why), 0);
	}
	assert_int_equal(table_close(w, &why), 0);
}

/* Says which of the texts above a spreadsheet would take for a formula. */
static int is_formula(const char *text)
{
	return strchr("=+-@\t", *text) != NULL;
}

/* Writes the table as CSV, or for spreadsheets, and compares it with what it is to be. */
static void check_csv(enum table_form form)
{
	struct buf want = BUF_EMPTY;
	char path[80];
	FILE *in;

	snprintf(path, sizeof path, "%s/t.csv", scratch());
	write_table(form, path);
	buf_text(&want, "n,a,b\r\n");
	for (size_t i = 0; i < TEXTS; i++) {
		const char *csv = texts[i].csv;
		const int is_quoted = *csv == '"', is_marked = form == TABLE_SHEET && is_formula(texts[i].text);
		if (i)
			buf_format(&want, "%zu", i);
		buf_format(&want, ",%s%s%s,\r\n", is_quoted ? "\"" : "", is_marked ? "'" : "", csv + is_quoted);
	}
	char *got = malloc(want.used + 2);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_int_equal(fread(got, 1, want.used + 2, in), want.used);
	assert_memory_equal(got, want.at, want.used);
	fclose(in);
	free(got);
	buf_release(&want);
}

static void csv_is_that_of_rfc_4180(void **state)
{
	(void)state;
	check_csv(TABLE_CSV);
}

static void a_sheet_has_no_formulas(void **state)
{
	(void)state;
	check_csv(TABLE_SHEET);
}

static void json_lines_are_read_back_by_a_strict_parser(void **state)
{
	char path[80], line[512];
	json_error_t error;

	(void)state;
	snprintf(path, sizeof path, "%s/t.jsonl", scratch());
	write_table(TABLE_JSONL, path);
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	for (size_t i = 0; i < TEXTS; i++) {
		assert_non_null(fgets(line, sizeof line, in));
		json_t *row = json_loads(line, JSON_REJECT_DUPLICATES, &error);
		assert_non_null(row);
		assert_string_equal(json_string_value(json_object_get(row, "a")), texts[i].want);
		assert_true(json_is_null(json_object_get(row, "b")));
		if (i)
			assert_int_equal(json_integer_value(json_object_get(row, "n")), i);
		else
			assert_true(json_is_null(json_object_get(row, "n")));
		json_decref(row);
	}
	assert_null(fgets(line, sizeof line, in));
	fclose(in);
}

/* The one value of a query, which the caller frees. */
static char *value_of(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	const unsigned char *text = sqlite3_column_text(statement, 0);
	char *copy = text ? strdup((const char *)text) : NULL;
	sqlite3_finalize(statement);
	return copy;
}

static void assert_value(sqlite3 *db, const char *sql, const char *want)
{
	char *got = value_of(db, sql);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
	free(got);
}

static void a_database_has_rows_indexes_and_a_readme(void **state)
{
	char path[80], sql[160];
	sqlite3 *db;

	(void)state;
	snprintf(path, sizeof path, "%s/t.db", scratch());
	/* an earlier file, of whatever, is replaced */
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs("no database", out);
	fclose(out);
	write_table(TABLE_SQLITE, path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_value(db, "PRAGMA integrity_check", "ok");
	for (size_t i = 0; i < TEXTS; i++) {
		snprintf(sql, sizeof sql, "SELECT a FROM things WHERE rowid = %zu", i + 1);
		assert_value(db, sql, texts[i].want);
	}
	assert_value(db, "SELECT n FROM things WHERE rowid = 1", NULL);
	assert_value(db, "SELECT count(b) FROM things", "0");
	assert_value(db, "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'things'", "2");
	assert_value(db, "SELECT text FROM readme WHERE topic = 'things.a'", "a text");
	sqlite3_close(db);
}

static void what_cannot_be_written_says_so_and_leaves_nothing(void **state)
{
	struct table_writer *w;
	struct err_note why;
	char folder[64], path[80];

	(void)state;
	strcpy(folder, scratch());
	snprintf(path, sizeof path, "%s/t.db", folder);
	assert_int_equal(table_open(&w, TABLE_SQLITE, "-", &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "stdout"));
	assert_int_equal(table_open(&w, TABLE_SQLITE, "/nowhere/t.db", &why), ERR_FILE);
	assert_int_equal(table_open(&w, TABLE_SQLITE, "/dev/null", &why), ERR_FILE);
	assert_int_equal(table_open(&w, TABLE_CSV, "/nowhere/t.csv", &why), ERR_FILE);
	for (int form = TABLE_CSV; form <= TABLE_SQLITE; form++) {
		assert_int_equal(table_open(&w, (enum table_form)form, path, &why), 0);
		assert_int_equal(table_begin(w, &table, &why), 0);
		table_abandon(w);
		assert_int_equal(rmdir(folder), 0);
		assert_int_equal(mkdir(folder, 0777), 0);
	}
}

/* Returns the number of a process that has ended. */
static pid_t dead(void)
{
	const pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return child;
}

static void what_a_killed_export_has_left_is_removed_by_the_next_one(void **state)
{
	char folder[64], path[80], name[4][128];
	const pid_t pid = dead();

	(void)state;
	strcpy(folder, scratch());
	snprintf(path, sizeof path, "%s/t.db", folder);
	snprintf(name[0], sizeof name[0], "%s.%ld-0.part", path, (long)pid);
	snprintf(name[1], sizeof name[1], "%s.%ld-1.part", path, (long)getppid()); /* of a process that lives */
	snprintf(name[2], sizeof name[2], "%s.%ld-0.partly", path, (long)pid);
	snprintf(name[3], sizeof name[3], "%s/other.db.%ld-0.part", folder, (long)pid);
	for (int i = 0; i < 4; i++) {
		FILE *f = fopen(name[i], "w");
		assert_non_null(f);
		fclose(f);
	}
	write_table(TABLE_SQLITE, path);
	assert_int_not_equal(access(name[0], F_OK), 0);
	for (int i = 1; i < 4; i++)
		assert_int_equal(unlink(name[i]), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0); /* and nothing else is left */
}

static void times_are_dates_or_times_in_utc(void **state)
{
	static const struct {
		const char *text;
		int64_t want; /* -1: none */
	} rows[] = {{"1970-01-01", 0}, {"2026-11-22", 1795305600000}, {"2026-11-22T08:30", 1795336200000},
		{"2026-11-22T08:30:15", 1795336215000}, {"2026-11-22T08:30:15Z", 1795336215000},
		{"2026-11-22 08:30", 1795336200000}, {"@1795305600", 1795305600000}, {"@", -1}, {"@-1", -1},
		{"@99999999999999999999", -1}, {"", -1}, {"yesterday", -1}, {"2026-13-01", -1}, {"2026-11", -1},
		{"2026-11-22T08:30 and more", -1}, {"2026-11-22T25:00", -1}, {"2024-02-29", 1709164800000}, {"2026-02-29", -1},
		{"2026-02-30", -1}, {"2026-02-30T08:30", -1}, {"2026-04-31", -1}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err_note why;
		int64_t ms = -1;
		assert_int_equal(export_time(rows[i].text, "since", &ms, &why), rows[i].want < 0 ? ERR_USAGE : 0);
		assert_int_equal(ms, rows[i].want);
	}
}

static void a_filter_takes_what_fits_all_of_it(void **state)
{
	static const char *hosts[] = {"a.test:8080", NULL}, *states[] = {"crawled", "failed", NULL};
	static const struct {
		const char *url, *host;
		enum page_state state;
		int64_t time;
		int want;
	} rows[] = {
		{"http://a.test:8080/x", "a.test:8080", PAGE_CRAWLED, 5000, 1},
		{"http://a.test/x", "a.test", PAGE_CRAWLED, 5000, 0},
		{"http://www.example.org:81/x", "www.example.org:81", PAGE_FAILED, 5000, 1},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 5000, 1},
		{"http://badexample.org/x", "badexample.org", PAGE_CRAWLED, 5000, 0},
		{"http://example.org/x", "example.org", PAGE_QUEUED, 5000, 0},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 0, 0},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 1000, 1},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 999, 0},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 9000, 0},
		{"http://example.org/x", "example.org", PAGE_CRAWLED, 8999, 1},
		{"http://example.org/x.pdf", "example.org", PAGE_CRAWLED, 5000, 0},
		{"http://example.org/y", "example.org", PAGE_CRAWLED, 5000, 0},
	};
	const struct export_filter_options options = {.states = {states, 2},
		.hosts = {hosts, 1},
		.domains = "b.test,,example.org,",
		.accept_regex = "/x",
		.reject_regex = "[.]pdf$",
		.since = "@1",
		.until = "@9"};
	struct export_filter f;
	struct err_note why;

	(void)state;
	assert_int_equal(export_filter_init(&f, &options, &why), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct ending ending = {.state = rows[i].state};
		assert_int_equal(export_filter_takes(&f, rows[i].url, rows[i].host, &ending, rows[i].time), rows[i].want);
	}
	export_filter_release(&f);
	assert_int_equal(export_filter_init(&f, &(struct export_filter_options){.accept_regex = "("}, &why), ERR_USAGE);
	export_filter_release(&f);
}

/* --- the thread that writes the rows of a database */

#define MANY 30000

static void a_database_has_the_rows_of_a_table_in_their_order(void **state)
{
	char path[80], text[80];
	struct table_writer *w;
	struct err_note why;
	sqlite3_stmt *query;
	sqlite3 *db;

	(void)state;
	snprintf(path, sizeof path, "%s/many.db", scratch());
	assert_int_equal(table_open(&w, TABLE_SQLITE, path, &why), 0);
	assert_int_equal(table_begin(w, &table, &why), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		const int n =
			snprintf(text, sizeof text, "the text of row %u, of some length", i); /* the memory of the row before */
		const struct cell row[] = {cell_count(i), cell_bytes(text, (size_t)n), i % 3 ? cell_none() : cell_bytes(text, 3)};
		assert_int_equal(table_row(w, row, &why), 0);
		if (i % 7000 == 0)
			assert_int_equal(table_flush(w, &why), 0);
	}
	assert_int_equal(table_close(w, &why), 0);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT n, a, b FROM things ORDER BY rowid", -1, &query, NULL), SQLITE_OK);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(sqlite3_step(query), SQLITE_ROW);
		assert_int_equal(sqlite3_column_int(query, 0), i);
		snprintf(text, sizeof text, "the text of row %d, of some length", i);
		assert_string_equal((const char *)sqlite3_column_text(query, 1), text);
		assert_int_equal(sqlite3_column_type(query, 2), i % 3 ? SQLITE_NULL : SQLITE_TEXT);
	}
	assert_int_equal(sqlite3_step(query), SQLITE_DONE);
	sqlite3_finalize(query);
	sqlite3_close(db);
}

/* A row that cannot be written is told by a later call, and no file is left. */
static void a_full_disk_ends_an_export_into_a_database(void **state)
{
	const struct rlimit little = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
	char *folder = strdup(scratch()), path[80], *text = malloc(60000);
	struct rlimit before;
	struct table_writer *w;
	struct err_note why = {""};
	int err = 0, rows = 0;

	(void)state;
	snprintf(path, sizeof path, "%s/x.db", folder);
	memset(text, 'x', 60000);
	assert_int_equal(table_open(&w, TABLE_SQLITE, path, &why), 0);
	assert_int_equal(table_begin(w, &table, &why), 0);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &little);
	/* SQLite keeps 64 MB in memory before it writes */
	for (; !err && rows < 10000; rows++) {
		const struct cell row[] = {cell_count((uint64_t)rows), cell_bytes(text, 60000), cell_none()};
		err = table_row(w, row, &why);
		if (!err && rows % 16 == 0)
			err = table_flush(w, &why);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(err, ERR_FILE);
	assert_non_null(strstr(why.text, "cannot write"));
	table_abandon(w);
	assert_int_equal(rmdir(folder), 0); /* it is empty */
	free(folder);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_that_of_rfc_4180),
		cmocka_unit_test(a_sheet_has_no_formulas),
		cmocka_unit_test(json_lines_are_read_back_by_a_strict_parser),
		cmocka_unit_test(a_database_has_rows_indexes_and_a_readme),
		cmocka_unit_test(what_cannot_be_written_says_so_and_leaves_nothing),
		cmocka_unit_test(what_a_killed_export_has_left_is_removed_by_the_next_one),
		cmocka_unit_test(times_are_dates_or_times_in_utc),
		cmocka_unit_test(a_filter_takes_what_fits_all_of_it),
		cmocka_unit_test(a_database_has_the_rows_of_a_table_in_their_order),
		cmocka_unit_test(a_full_disk_ends_an_export_into_a_database),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
