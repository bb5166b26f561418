/* Jobs: files by hand, manifests, what one makes of the other, and what is amiss. */
#include "tests/test.h"

#include "base/mem.h"
#include "cli/lab/study_job.h"
#include "cli/verbs.h"

#include <jansson.h>

static int parse(struct job *j, const char *text, struct err_note *why)
{
	char *bytes = mem_text(text);

	job_init(j);
	const int err = job_parse(j, "j", bytes, strlen(bytes), why);
	free(bytes);
	return err;
}

static const char by_hand[] = "# a comment\n[global]\npolicies = bfs, ieca\n draws = 3 \n\n; another\n"
			      "policy-opt = ieca.beta=0.2\n[one]\ngraph = g.txt\nbatch = N/16\n"
			      "policy-opt = ieca.f=literal\r\n[two]\ngraph=h.txt";

static void a_file_says_what_stands_there(void **state)
{
	struct job j;
	struct err_note why;
	const char **texts;

	(void)state;
	assert_int_equal(parse(&j, by_hand, &why), 0);
	assert_int_equal(j.graphs, 2);
	assert_string_equal(j.graph[1].name, "two");
	assert_string_equal(job_text(&j, NULL, JOB_POLICIES), "bfs, ieca");
	assert_string_equal(job_text(&j, &j.graph[0], JOB_BATCH), "N/16");
	assert_string_equal(job_text(&j, &j.graph[1], JOB_BATCH), "growth"); /* the usual one */
	assert_string_equal(job_text(&j, &j.graph[1], JOB_DRAWS), "3");
	assert_null(job_text(&j, NULL, JOB_TITLE));
	assert_int_equal(job_texts(&j, &j.graph[0], JOB_POLICY_OPT, &texts), 2);
	assert_string_equal(texts[0], "ieca.beta=0.2");
	assert_string_equal(texts[1], "ieca.f=literal");
	free(texts);
	job_release(&j);
}

static void a_manifest_is_the_same_job(void **state)
{
	struct job j, again;
	struct err_note why;
	struct buf text = BUF_EMPTY, second = BUF_EMPTY;

	(void)state;
	assert_int_equal(parse(&j, by_hand, &why), 0);
	job_manifest(&j, &text);
	assert_int_equal(parse(&again, text.at, &why), 0);
	job_manifest(&again, &second);
	assert_string_equal(second.at, text.at);
	assert_string_equal(job_text(&again, &again.graph[0], JOB_BATCH), "N/16");
	job_set(&again.global, JOB_DRAWS, "5");
	assert_string_equal(job_text(&again, NULL, JOB_DRAWS), "5");
	job_clear(&again.global, JOB_DRAWS);
	assert_string_equal(job_text(&again, NULL, JOB_DRAWS), "10");
	job_release(&again);
	job_release(&j);
	buf_release(&text);
	buf_release(&second);
}

#define GRAPHS "\"graphs\": [{\"name\": \"g\", \"graph\": \"g.txt\"}]}"

static const struct {
	const char *text, *told;
	int err;
} amiss[] = {
	{"draws = 3", "j:1: before the first [SECTION]", ERR_USAGE},
	{"[global\n", "j:1: no [SECTION]", ERR_USAGE},
	{"[]\n", "j:1: no [SECTION]", ERR_USAGE},
	{"[global]\ndrwas = 3", "j:2: no key 'drwas'; the nearest is draws", ERR_USAGE},
	{"[global]\nx\n", "j:2: neither KEY = VALUE nor [SECTION]", ERR_USAGE},
	{"[g]\npolicies = bfs\n", "j:2: a key of [global] alone", ERR_USAGE},
	{"[g]\ngraph = ${NO_SUCH_NAME}/x\n", "the environment has no 'NO_SUCH_NAME'", ERR_USAGE},
	{"{", "line 1 is no JSON", ERR_FORMAT},
	{"{\"manifest\": 4}", "form 4", ERR_NEWER},
	{"{\"manifest\": 1}", "\"manifest\": 3", ERR_FORMAT},
	{"{\"manifest\": \"3\"}", "\"manifest\": 3", ERR_FORMAT},
	{"{\"manifest\": 3}", "no object \"global\"", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {}}", "no list \"graphs\"", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {\"drwas\": \"3\"}, " GRAPHS, "the nearest is draws", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {\"draws\": 3}, " GRAPHS, "a text is wanted for draws", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {\"claim\": \"x\"}, " GRAPHS, "a list is wanted for claim", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {\"claim\": [1]}, " GRAPHS, "a text is wanted for claim", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {\"policies\": \"bfs, ./x.so\"}, " GRAPHS, "only run when --policies names it", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {}, \"graphs\": [{}]}", "a graph has no name", ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {}, \"graphs\": [{\"name\": \"g\", \"title\": \"t\"}]}", "a key of \"global\" alone: title",
		ERR_FORMAT},
	{"{\"manifest\": 3, \"global\": {}, \"graphs\": [{\"name\": \"g\"}, {\"name\": \"g\"}]}", "two graphs of one name: g",
		ERR_FORMAT},
};

static void what_is_amiss_is_told(void **state)
{
	struct job j;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof amiss / sizeof *amiss; i++) {
		assert_int_equal(parse(&j, amiss[i].text, &why), amiss[i].err);
		if (!strstr(why.text, amiss[i].told))
			fail_msg("'%s' is told as '%s'", amiss[i].text, why.text);
		job_release(&j);
	}
}

static void half_a_manifest_is_none(void **state)
{
	struct job j;
	struct err_note why;
	struct buf text = BUF_EMPTY;

	(void)state;
	assert_int_equal(parse(&j, by_hand, &why), 0);
	job_manifest(&j, &text);
	job_release(&j);
	for (size_t n = text.used - 2; n > 0; n -= n > 7 ? 7 : n) {
		char *half = mem_text(text.at);
		half[n] = 0;
		assert_int_equal(parse(&j, half, &why), ERR_FORMAT);
		job_release(&j);
		free(half);
	}
	buf_release(&text);
	const char *nowhere = "/nonexistent";
	assert_int_equal(job_read(&j, &nowhere, 1, &why), ERR_FILE);
	job_release(&j);
}

/* Flags of a comparison that no key has: they say how its results are shown, or are a part of another flag's key. */
static int has_no_key(const char *name)
{
	static const char *const names[] = {"out", "from", "threads", "json", "timing", "progress", "quiet", "verbose", "help",
		"version", "policy" /* policies */, "rerank-growth" /* batch */, "lag", "shares" /* agents */};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return 1;
	return 0;
}

static void each_flag_of_a_comparison_is_a_key_of_its_job(void **state)
{
	static const struct verb *const verbs[] = {&verb_compare, &verb_measure};
	const struct flag *row;
	enum job_key key;
	int flags = 0;

	(void)state;
	for (size_t v = 0; v < 2; v++)
		for (size_t i = 0; (row = flags_row(verbs[v]->flags, i, NULL)) != NULL; i++) {
			if (row->kind == FLAG_ALIAS || row->kind == FLAG_FOREIGN)
				continue;
			if (!job_key_named(row->name, &key) && !has_no_key(row->name))
				fail_msg("--%s of %s is lost on the way to the job", row->name, verbs[v]->name);
			flags++;
		}
	assert_true(flags > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_says_what_stands_there),
		cmocka_unit_test(a_manifest_is_the_same_job),
		cmocka_unit_test(what_is_amiss_is_told),
		cmocka_unit_test(half_a_manifest_is_none),
		cmocka_unit_test(each_flag_of_a_comparison_is_a_key_of_its_job),
	};

	return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
