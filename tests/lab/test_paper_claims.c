/* Claims of a paper over several graphs: verdicts, findings, and findings that the verdicts contradict. */
#include "tests/test.h"

#include "lab/report/contest_report.h"

/* Adds four claims. Six graphs confirm 'hubs: more' and contradict 'fewer'; 'some' holds on a but not on b, and c does not test it;
 * 'none' is tested on no graph. */
static void add_all(struct paper_claims *p)
{
	static const char *const more[] = {"c", "d", "e", "f"};
	static const struct {
		const char *graph, *claim, *verdict;
	} rows[] = {{"a", "hubs: more", "holds"}, {"a", "fewer", "does not hold"}, {"a", "some", "holds"},
		{"a", "none", "not tested"}, {"b", "hubs: more", "holds"}, {"b", "fewer", "does not hold"},
		{"b", "some", "does not hold"}, {"b", "none", "not tested"}, {"c", "some", "not tested"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		paper_claims_add(p, rows[i].graph, rows[i].claim, rows[i].verdict, "figures");
	for (size_t i = 0; i < 4; i++) {
		paper_claims_add(p, more[i], "hubs: more", "holds", "figures");
		paper_claims_add(p, more[i], "fewer", "does not hold", "figures");
	}
}

static void a_claim_holds_or_is_contradicted_by_more_graphs_than_chance_explains(void **state)
{
	static const char *const want[] = {"holds", "contradicted", "not shown", "not shown"};
	struct paper_claims p = {.claims = 0};

	(void)state;
	add_all(&p);
	assert_int_equal(p.claims, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(paper_claims_verdict(&p.claim[i]), want[i]);
	assert_int_equal(p.claim[2].graphs, 2);
	/* 5 of 5 are 0.0625, 8 of 9 are 0.039, 8 of 10 are 0.109 */
	assert_string_equal(paper_claims_verdict(&(struct paper_claim){.graphs = 5, .holds = 5}), "not shown");
	assert_string_equal(paper_claims_verdict(&(struct paper_claim){.graphs = 9, .holds = 8}), "holds");
	assert_string_equal(paper_claims_verdict(&(struct paper_claim){.graphs = 9, .holds = 1}), "contradicted");
	assert_string_equal(paper_claims_verdict(&(struct paper_claim){.graphs = 10, .holds = 8}), "not shown");
	paper_claims_release(&p);
}

static void a_finding_is_refused_unless_its_claim_has_the_stated_verdict(void **state)
{
	static const char *const claims[] = {"hubs: more", "fewer", "some", "none"};
	static const char *const verdicts[] = {"holds", "not shown", "contradicted"};

	(void)state;
	for (size_t c = 0; c < 4; c++)
		for (size_t v = 0; v < 3; v++) {
			struct paper_claims p = {.claims = 0};
			struct err_note why;
			char text[100];
			add_all(&p);
			snprintf(text, sizeof text, "%s is %s: as told", claims[c], verdicts[v]);
			assert_int_equal(paper_claims_find(&p, text, &why), 0);
			const int is_so = strcmp(paper_claims_verdict(&p.claim[c]), verdicts[v]) == 0;
			assert_int_equal(paper_claims_check(&p, &why), is_so ? 0 : ERR_OTHER);
			if (!is_so)
				assert_non_null(strstr(why.text, "the finding 'as told'"));
			paper_claims_release(&p);
		}
}

static void a_finding_of_no_claim_or_without_a_verdict_is_wrong_usage(void **state)
{
	struct paper_claims p = {.claims = 0};
	struct err_note why;

	(void)state;
	add_all(&p);
	assert_int_equal(paper_claims_find(&p, "fewr is holds: text", &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "'fewr', which is no claim; the nearest is 'fewer'"));
	assert_int_equal(paper_claims_find(&p, "fewer is true: text", &why), ERR_USAGE);
	assert_int_equal(paper_claims_find(&p, "fewer: text", &why), ERR_USAGE);
	assert_int_equal(p.findings, 0);
	paper_claims_release(&p);
}

static void numbers_of_a_finding_are_those_of_its_claim(void **state)
{
	struct paper_claims p = {.claims = 0};
	struct err_note why;
	struct study s = {.tables = 0};

	(void)state;
	add_all(&p);
	assert_int_equal(paper_claims_find(&p, "some is not shown: on {holds} of {graphs}, {else}", &why), 0);
	paper_claims_report(&p, &s);
	assert_int_equal(s.tables, 2);
	assert_string_equal(s.table[0].cell[0].text, "on 1 of 2, {else}");
	assert_string_equal(s.table[0].cell[1].text, "not shown");
	assert_string_equal(s.table[0].cell[3].text, "finding");
	assert_int_equal(s.table[0].cells, 4 * 5);
	assert_int_equal(s.table[1].cells, 4 * 17);
	study_release(&s);
	paper_claims_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_claim_holds_or_is_contradicted_by_more_graphs_than_chance_explains),
		cmocka_unit_test(a_finding_is_refused_unless_its_claim_has_the_stated_verdict),
		cmocka_unit_test(a_finding_of_no_claim_or_without_a_verdict_is_wrong_usage),
		cmocka_unit_test(numbers_of_a_finding_are_those_of_its_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
