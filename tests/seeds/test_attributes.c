/* What pages are worth, from their attributes: the rules in numbers, and files that are amiss. */
#include "tests/test.h"

#include "seeds/values.h"
#include "seeds/method.h"
#include "tests/seeds/seeding.h"

#define ONE SEED_VALUE_ONE

static void the_rules_apply_in_the_order_in_which_they_are_printed(void **state)
{
	static const struct {
		int spam, clicked;
		uint64_t uncrawled;
		struct uniqueness p;
		int64_t want;
	} cases[] = {
		{0, 0, 0, {1, 1}, ONE},
		{0, 0, 3, {1, 2}, ONE * 5 / 2},
		{1, 0, 3, {1, 2}, -ONE * 17 / 2},
		{1, 1, 0, {1, 1}, 10 * ONE},
		{0, 1, 7, {1, 1}, 17 * ONE},
		{0, 0, 1, {1, 3}, ONE + 333333},
		{0, 0, 2, {1, 3}, ONE + 666667},
		{0, 0, 1000000, {4294967295, 4294967295}, ONE + 1000000 * ONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(attributes_value(cases[i].spam, cases[i].clicked, cases[i].uncrawled, cases[i].p), cases[i].want);
}

/* Four pages, two on each of two hosts. */
struct web {
	struct graph g;
	struct names names;
	char text[8];
	uint32_t host[4];
	uint64_t start[2];
};

static void web_make(struct web *w)
{
	static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 3};

	graph_from_arcs(&w->g, 4, from, to, 3);
	memcpy(w->text, "a.x\0b.x", 8);
	memcpy(w->host, (const uint32_t[]){0, 0, 1, 1}, sizeof w->host);
	w->start[0] = 0;
	w->start[1] = 4;
	w->names = (struct names){.nodes = 4, .host = w->host, .hosts = 2, .host_text = w->text, .host_start = w->start};
}

static int read_them(struct web *w, const char *pages, const char *p_unique, const uint32_t *uncrawled, int64_t **value,
	struct err_note *why)
{
	char path[2][128];
	struct attributes a = {.graph = &w->g, .names = &w->names, .uncrawled = uncrawled};

	if (pages) {
		snprintf(path[0], sizeof path[0], "%s", scratch_file(pages, strlen(pages)));
		a.pages = path[0];
	}
	a.p_unique = p_unique;
	if (p_unique && strchr(p_unique, '\n')) {
		snprintf(path[1], sizeof path[1], "%s", scratch_file(p_unique, strlen(p_unique)));
		a.p_unique = path[1];
	}
	return attributes_read(&a, value, why);
}

static void pages_and_sites_are_read_from_files(void **state)
{
	static const uint32_t known[] = {4, 0, 2, 0};
	static const struct {
		const char *pages, *p_unique;
		const uint32_t *uncrawled;
		int64_t want[4];
	} cases[] = {
		{"# id\tspam\tclicked\tuncrawled\n0\t1\t0\t2\n3\t0\t1\t4\n", "0.5", NULL, {-9 * ONE, ONE, ONE, 12 * ONE}},
		{"2\t0\t0\t10\n", NULL, NULL, {ONE, ONE, 11 * ONE, ONE}},
		{NULL, "0.25", known, {2 * ONE, ONE, ONE * 3 / 2, ONE}},
		{"2\t0\t1\n0\t0\t0\t0\n", "1", known, {ONE, ONE, 12 * ONE, ONE}},
		{NULL, "b.x\t0.5\nnowhere\t0\n", known, {5 * ONE, ONE, 2 * ONE, ONE}},
		{NULL, "# past crawls\na.x\t1\t8\nb.x\t0\t0\n", known, {ONE * 3 / 2, ONE, 3 * ONE, ONE}},
	};
	struct web w;

	(void)state;
	web_make(&w);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err_note why = {""};
		int64_t *value;
		assert_int_equal(read_them(&w, cases[i].pages, cases[i].p_unique, cases[i].uncrawled, &value, &why), 0);
		assert_memory_equal(value, cases[i].want, sizeof cases[i].want);
		free(value);
	}
	graph_release(&w.g);
}

static void what_is_amiss_is_told_with_its_line(void **state)
{
	static const struct {
		const char *pages, *p_unique, *told;
	} cases[] = {
		{"0\t0\t0\t1\n0\t2\t0\t1\n", NULL, ":2: not of the form"},
		{"0\t0\n", NULL, ":1: not of the form"},
		{"0\t0\t0\t1\t1\n", NULL, ":1: not of the form"},
		{"4\t0\t0\t1\n", NULL, ":1: no such node"},
		{"x\t0\t0\t1\n", NULL, ":1: no such node"},
		{"0\t0\t0\t1000001\n", NULL, "a count of at most"},
		{"0\t0\t0\t-1\n", NULL, "a count of at most"},
		{NULL, "a.x\t1.5\n", ":1: not of the form site<TAB>share"},
		{NULL, "a.x\n", ":1: not of the form site<TAB>share"},
		{NULL, "a.x\t3\t2\n", ":1: not of the form site<TAB>unique<TAB>new"},
		{NULL, "1.01", "cannot"},
	};
	struct web w;

	(void)state;
	web_make(&w);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err_note why = {""};
		int64_t *value;
		assert_true(read_them(&w, cases[i].pages, cases[i].p_unique, NULL, &value, &why) < 0);
		assert_null(value);
		assert_non_null(strstr(why.text, cases[i].told));
	}
	graph_release(&w.g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rules_apply_in_the_order_in_which_they_are_printed),
		cmocka_unit_test(pages_and_sites_are_read_from_files),
		cmocka_unit_test(what_is_amiss_is_told_with_its_line),
	};

	return cmocka_run_group_tests_name("attributes", tests, NULL, NULL);
}
