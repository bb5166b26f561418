#include "tests/test.h"

#include "cli/results.h"

#include <jansson.h>
#include <math.h>

static const char *const columns[] = {"id", "score", "url", NULL};

/* What the same calls print in one form; the caller's to free. */
static char *print_rows(enum results_form form)
{
	struct results r;
	struct err_note why;
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	results_begin(&r, out, form);
	results_fact(&r, "graph", cell_text("a\tb\x1b[2J\xff\xc3\xa9.txt"));
	results_fact(&r, "batch", cell_count(40));
	results_fact(&r, "tol", cell_real(1e-12));
	results_columns(&r, columns);
	RESULTS_CELLS(&r, cell_count(7), cell_real(0.1), cell_text("http://x/\n"), cell_count(UINT64_MAX), cell_real(NAN),
		cell_text(NULL));
	assert_false(results_stopped(&r));
	assert_int_equal(results_end(&r, &why), 0);
	fclose(out);
	return text;
}

static void rows_are_printed_as_tsv(void **state)
{
	char *text = print_rows(RESULTS_TSV);

	(void)state;
	assert_memory_equal(text, "# lycosa: ", 10);
	assert_string_equal(strchr(text, '\n') + 1,
		"# graph: a\\x09b\\x1b[2J\\xff\xc3\xa9.txt\n"
		"# batch: 40\n"
		"# tol: 1e-12\n"
		"id\tscore\turl\n"
		"7\t0.1\thttp://x/\\x0a\n"
		"18446744073709551615\t\t\n");
	free(text);
}

/* Controls beyond ASCII, and marks that turn the direction of a line, reach no terminal as they are. */
static void no_control_character_is_printed(void **state)
{
	static const char *const marks[] = {"\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\x1b"};
	(void)state;

	for (enum results_form form = RESULTS_TSV; form <= RESULTS_JSON; form++)
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
			struct results r;
			struct err_note why;
			char *text, name[16];
			size_t n;
			FILE *out = open_memstream(&text, &n);
			snprintf(name, sizeof name, "a%sb", marks[i]);
			results_begin(&r, out, form);
			results_fact(&r, "graph", cell_text(name));
			results_columns(&r, columns);
			RESULTS_CELLS(&r, cell_count(7), cell_real(0.1), cell_text(name), cell_count(1), cell_real(2),
				cell_text(name));
			assert_int_equal(results_end(&r, &why), 0);
			fclose(out);
			if (strstr(text, marks[i]))
				fail_msg("form %d, mark %zu: %s", form, i, text);
			free(text);
		}
}

static void rows_are_printed_as_json(void **state)
{
	char *text = print_rows(RESULTS_JSON);
	json_error_t error;
	json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &error), *row;
	json_int_t id, batch;
	const char *graph, *url;
	double score;

	(void)state;
	assert_non_null(all);
	assert_int_equal(json_unpack(all, "{s:s, s:I}", "graph", &graph, "batch", &batch), 0);
	assert_string_equal(graph, "a\\x09b\\x1b[2J\\xff\xc3\xa9.txt");
	assert_int_equal(batch, 40);
	assert_int_equal(json_array_size(json_object_get(all, "rows")), 2);
	row = json_array_get(json_object_get(all, "rows"), 0);
	assert_int_equal(json_unpack(row, "{s:I, s:F, s:s}", "id", &id, "score", &score, "url", &url), 0);
	assert_int_equal(id, 7);
	assert_true(score == 0.1);
	assert_string_equal(url, "http://x/\n");
	row = json_array_get(json_object_get(all, "rows"), 1);
	assert_true(json_is_null(json_object_get(row, "score")));
	assert_string_equal(json_string_value(json_object_get(row, "id")), "18446744073709551615");
	assert_non_null(strstr(text, "{\"id\":7,\"score\":0.1,\"url\":"));
	json_decref(all);
	free(text);
}

static void figures_are_lines_or_members(void **state)
{
	for (int form = RESULTS_TSV; form <= RESULTS_JSON; form++) {
		struct results r;
		char *text;
		size_t n;
		FILE *out = open_memstream(&text, &n);
		results_begin(&r, out, (enum results_form)form);
		results_figures(&r);
		results_fact(&r, "nodes", cell_count(3));
		results_fact(&r, "mean", cell_real(2));
		assert_int_equal(results_end(&r, NULL), 0);
		fclose(out);
		if (form == RESULTS_TSV) {
			assert_string_equal(strchr(text, '\n') + 1, "name\tvalue\nnodes\t3\nmean\t2\n");
		} else {
			json_t *all = json_loads(text, 0, NULL);
			assert_int_equal(json_integer_value(json_object_get(all, "nodes")), 3);
			assert_true(json_real_value(json_object_get(all, "mean")) == 2);
			json_decref(all);
		}
		free(text);
	}
	(void)state;
}

static void a_table_may_follow_the_figures(void **state)
{
	static const char *const far[] = {"links", "pairs", NULL};

	(void)state;
	for (int form = RESULTS_TSV; form <= RESULTS_JSON; form++) {
		struct results r;
		char *text;
		size_t n;
		FILE *out = open_memstream(&text, &n);
		results_begin(&r, out, (enum results_form)form);
		results_figures(&r);
		results_fact(&r, "nodes", cell_count(3));
		results_table(&r, "far", far);
		RESULTS_CELLS(&r, cell_count(0), cell_real(3));
		RESULTS_CELLS(&r, cell_count(1), cell_real(4.5));
		assert_int_equal(results_end(&r, NULL), 0);
		fclose(out);
		if (form == RESULTS_TSV) {
			assert_string_equal(strchr(text, '\n') + 1,
				"name\tvalue\nnodes\t3\n#far\tlinks\tpairs\n#far\t0\t3\n#far\t1\t4.5\n");
		} else {
			json_t *all = json_loads(text, 0, NULL), *rows = json_object_get(all, "far");
			assert_int_equal(json_integer_value(json_object_get(all, "nodes")), 3);
			assert_int_equal(json_array_size(rows), 2);
			assert_true(json_real_value(json_object_get(json_array_get(rows, 1), "pairs")) == 4.5);
			json_decref(all);
		}
		free(text);
	}
}

static void tables_follow_the_rows(void **state)
{
	static const char *const other[] = {"a", "b", NULL};

	(void)state;
	for (int form = RESULTS_TSV; form <= RESULTS_JSON; form++) {
		struct results r;
		char *text;
		size_t n;
		FILE *out = open_memstream(&text, &n);
		results_begin(&r, out, (enum results_form)form);
		for (int i = 0; i < 3; i++) {
			results_fact(&r, "policy", cell_text(i ? "x" : "bfs"));
		}
		results_columns(&r, columns);
		RESULTS_CELLS(&r, cell_count(1), cell_none(), cell_text("u"));
		for (int t = 0; t < 2; t++) {
			results_table(&r, t ? "second" : "first", other);
			for (int i = 0; i < 2 * t; i++) {
				RESULTS_CELLS(&r, cell_none(), cell_real(1.0 / 3));
			}
		}
		assert_int_equal(results_end(&r, NULL), 0);
		fclose(out);
		if (form == RESULTS_TSV) {
			assert_string_equal(strchr(text, '\n') + 1,
				"# policy: bfs\n# policy: x\n# policy: x\nid\tscore\turl\n1\t\tu\n"
				"#first\ta\tb\n#second\ta\tb\n"
				"#second\t\t0.3333333333333333\n#second\t\t0.3333333333333333\n");
		} else {
			json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
			assert_non_null(all);
			assert_int_equal(json_array_size(json_object_get(all, "policy")), 3);
			assert_int_equal(json_array_size(json_object_get(all, "rows")), 1);
			assert_int_equal(json_array_size(json_object_get(all, "first")), 0);
			json_t *row = json_array_get(json_object_get(all, "second"), 1);
			assert_true(json_is_null(json_object_get(row, "a")));
			assert_true(json_real_value(json_object_get(row, "b")) == 1.0 / 3);
			assert_non_null(strstr(text, ":0.3333333333333333}"));
			json_decref(all);
		}
		free(text);
	}
}

static void no_rows_are_an_empty_list(void **state)
{
	struct results r;
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	results_begin(&r, out, RESULTS_JSON);
	results_columns(&r, columns);
	assert_int_equal(results_end(&r, NULL), 0);
	fclose(out);
	json_t *all = json_loads(text, 0, NULL);
	assert_true(json_is_array(json_object_get(all, "rows")));
	assert_int_equal(json_array_size(json_object_get(all, "rows")), 0);
	json_decref(all);
	free(text);
}

static void a_full_disk_is_told(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct results r;
	struct err_note why;

	(void)state;
	if (!full)
		skip_because("no /dev/full");
	results_begin(&r, full, RESULTS_TSV);
	results_columns(&r, columns);
	for (uint64_t i = 0; i < 10000 && !results_stopped(&r); i++) {
		RESULTS_CELLS(&r, cell_count(i), cell_real(0), cell_text("x"));
	}
	assert_true(results_stopped(&r));
	assert_true(r.rows < 10000);
	assert_int_equal(results_end(&r, &why), ERR_RESULTS);
	assert_memory_equal(why.text, "cannot write the results: ", 26);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_printed_as_tsv),
		cmocka_unit_test(rows_are_printed_as_json),
		cmocka_unit_test(no_control_character_is_printed),
		cmocka_unit_test(figures_are_lines_or_members),
		cmocka_unit_test(a_table_may_follow_the_figures),
		cmocka_unit_test(tables_follow_the_rows),
		cmocka_unit_test(no_rows_are_an_empty_list),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
