/* Claims of a paper over several graphs: verdicts, findings, and findings that the verdicts contradict. */
#include "tests/test.h"

#include "lab/report/contest_report.h"

/* Adds four claims. Eight graphs confirm 'hubs: more' and contradict 'fewer'; 'some' holds on a but not on b, and c does not test
 * it; 'none' is tested on no graph. */
static void add_all(struct paper_claims *p)
{
	static const char *const more[] = {"c", "d", "e", "f", "g", "h"};
	static const struct {
		const char *graph, *claim, *verdict;
	} rows[] = {{"a", "hubs: more", "holds"}, {"a", "fewer", "does not hold"}, {"a", "some", "holds"},
		{"a", "none", "not tested"}, {"b", "hubs: more", "holds"}, {"b", "fewer", "does not hold"},
		{"b", "some", "does not hold"}, {"b", "none", "not tested"}, {"c", "some", "not tested"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		paper_claims_add(p, rows[i].graph, rows[i].claim, rows[i].verdict, "figures");
	for (size_t i = 0; i < 6; i++) {
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
		assert_string_equal(paper_claims_verdict(&p, i), want[i]);
	assert_int_equal(p.claim[2].graphs, 2);
	/* 5 of 5 are 0.0625, 8 of 9 are 0.039, 8 of 10 are 0.109 */
	static const struct {
		size_t holds, graphs;
		const char *verdict;
	} alone[] = {{5, 5, "not shown"}, {8, 9, "holds"}, {1, 9, "contradicted"}, {8, 10, "not shown"}};
	for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
		struct paper_claim one = {.graphs = alone[i].graphs, .holds = alone[i].holds};
		assert_string_equal(paper_claims_verdict(&(struct paper_claims){.claim = &one, .claims = 1}, 0), alone[i].verdict);
	}
	paper_claims_release(&p);
}

static void claims_are_corrected_for_one_another(void **state)
{
	struct paper_claim three[] = {{.graphs = 6, .holds = 6}, {.graphs = 9, .holds = 9}, {.graphs = 2, .holds = 1},
		{.graphs = 0}};
	const struct paper_claims p = {.claim = three, .claims = 4};

	(void)state;
	/* 0.031 twice, 0.0039 three times; the fourth claim is tested on no graph */
	assert_string_equal(paper_claims_verdict(&p, 0), "not shown");
	assert_string_equal(paper_claims_verdict(&p, 1), "holds");
	assert_string_equal(paper_claims_verdict(&p, 3), "not shown");
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
			const int is_so = strcmp(paper_claims_verdict(&p, c), verdicts[v]) == 0;
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
	assert_string_equal(s.table[0].cell[2].text, "on 1 of 2 graphs, p = 1 by the sign test after Holm over 3");
	assert_string_equal(s.table[0].cell[3].text, "finding");
	assert_int_equal(s.table[0].cells, 4 * 5);
	assert_int_equal(s.table[1].cells, 4 * 21);
	study_release(&s);
	paper_claims_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_claim_holds_or_is_contradicted_by_more_graphs_than_chance_explains),
		cmocka_unit_test(claims_are_corrected_for_one_another),
		cmocka_unit_test(a_finding_is_refused_unless_its_claim_has_the_stated_verdict),
		cmocka_unit_test(a_finding_of_no_claim_or_without_a_verdict_is_wrong_usage),
		cmocka_unit_test(numbers_of_a_finding_are_those_of_its_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
