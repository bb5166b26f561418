/* What a comparison comes to: regrets, profiles, and the page that tells of them. */
#include "tests/test.h"

#include "base/mem.h"
#include "lab/study/oracle.h"
#include "lab/report/contest_report.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#include <math.h>

static struct dataset data;
static struct benchmark benchmark;
static const struct policy *const few[] = {&policy_bfs, &policy_ieca, &policy_omniscient, &policy_ideal};
#define FEW (sizeof few / sizeof *few)

static int make_g12(void **state)
{
	(void)state;
	g12(&data.graph);
	benchmark_make(&benchmark, &data.graph, 1e-13, 1);
	return 0;
}

static int release_g12(void **state)
{
	(void)state;
	benchmark_release(&benchmark);
	dataset_release(&data);
	return 0;
}

/* A comparison on the worked example. */
static void compare_few(struct compare *c, struct opt_set *opts, uint32_t draws, uint64_t max_pages)
{
	static const double at[] = {0.25, 0.5, 1};

	for (size_t i = 0; i < FEW; i++)
		opt_init(&opts[i], few[i]->opts, few[i]->name);
	*c = (struct compare){.data = &data,
		.crawl = {.benchmark = &benchmark, .batch = 3, .rng_seed = 1, .max_pages = max_pages},
		.policies = few,
		.opts = opts,
		.n_policies = FEW,
		.seeds = "random:2",
		.draws = draws,
		.at = at,
		.n_at = 3,
		.threads = 1,
		.with_profiles = 1,
		.with_tau = 1};
	assert_int_equal(compare_run(c, NULL), 0);
}

static void release_few(struct compare *c, struct opt_set *opts)
{
	compare_release(c);
	for (size_t i = 0; i < FEW; i++)
		opt_release(&opts[i]);
}

static void regrets_are_differences_of_area(void **state)
{
	(void)state;
	for (uint64_t most = 0; most <= 12; most++) {
		struct opt_set opts[FEW];
		struct compare c;
		compare_few(&c, opts, 2, most);
		for (size_t d = 0; d < 2; d++) {
			double ideal = compare_trial(&c, 3, d)->auc;
			for (size_t p = 0; p < FEW; p++) {
				const struct trial *t = compare_trial(&c, p, d);
				assert_true(fabs(t->regret_ideal - (ideal - t->auc)) < 1e-15);
				assert_true(t->regret_omniscient == compare_trial(&c, 2, d)->auc - t->auc);
			}
		}
		release_few(&c, opts);
	}
}

static void trials_keep_curves_windows_and_depths(void **state)
{
	struct opt_set opts[FEW];
	struct compare c;

	(void)state;
	compare_few(&c, opts, 1, 0);
	for (size_t p = 0; p < FEW; p++) {
		const struct trial *t = compare_trial(&c, p, 0);
		assert_true(t->curve[24].strict == t->points[0].strict);
		assert_true(t->curve[49].mass == t->points[1].mass);
		assert_true(t->curve[99].strict == 1 && t->curve[99].k == 12);
		assert_int_equal(t->windows, 12);
		assert_true(fabs(t->tau[2] - 1) < 1e-12);
	}
	assert_int_equal(compare_trial(&c, 0, 0)->depth[0].pages, 2);
	assert_true(measure_of(&c, compare_trial(&c, 0, 0), MEASURE_DEPTH_PAGES, 99) == 0);
	assert_true(isnan(measure_of(&c, compare_trial(&c, 0, 0), MEASURE_DEPTH_RANK, 99)));
	assert_true(isnan(summary_of(&c, 0, MEASURE_AUC, 0).low));
	release_few(&c, opts);
}

/* The fingerprint tells apart what the numbers tell apart, the seeds' too. */
static void fingerprints_are_of_the_numbers(void **state)
{
	struct opt_set opts[FEW], other_opts[FEW];
	struct compare c, other;
	struct err_note why;

	(void)state;
	compare_few(&c, opts, 3, 0);
	compare_few(&other, other_opts, 3, 0);
	assert_true(compare_fingerprint(&c) == compare_fingerprint(&other));
	assert_memory_equal(c.drawn, other.drawn, 3 * sizeof *c.drawn);
	assert_true(c.drawn[0] != c.drawn[1] && c.drawn[1] != c.drawn[2]);
	other.trials[4].points[1].mass += 1e-16;
	assert_true(compare_fingerprint(&c) != compare_fingerprint(&other));
	release_few(&other, other_opts);
	/* draws that are expected to be others */
	uint64_t expected[3] = {c.drawn[0], c.drawn[1] ^ 1, c.drawn[2]};
	for (size_t i = 0; i < FEW; i++)
		opt_init(&other_opts[i], few[i]->opts, few[i]->name);
	other = c;
	other.opts = other_opts;
	other.expected = expected;
	assert_int_equal(compare_run(&other, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "draw 2 of the seeds 'random:2' is another"));
	for (size_t i = 0; i < FEW; i++)
		opt_release(&other_opts[i]);
	release_few(&c, opts);
}

/* The contest of one comparison, for the tables and figures of all its policies. */
static void contest_of(const struct compare *c, struct contest *contest, struct contest_graph *graph, struct contest_entry *entry,
	const char **name)
{
	for (size_t i = 0; i < c->n_policies; i++) {
		entry[i] = (struct contest_entry){c, i};
		name[i] = c->policies[i]->name;
	}
	*graph = (struct contest_graph){"a/<i>&\"g", "g", c->seeds, 1, entry};
	*contest = (struct contest){.graph = graph,
		.graphs = 1,
		.method = name,
		.methods = c->n_policies,
		.judge = MEASURE_DISCOVERABLE};
}

static void the_page_stands_alone(void **state)
{
	struct opt_set opts[FEW];
	struct compare c;
	struct contest contest;
	struct contest_graph graph;
	struct contest_entry entry[FEW];
	size_t drawn = 0;
	const char *name[FEW];
	struct study s = {.title = mem_text("Policies on <i>&\"g")};
	struct buf html = BUF_EMPTY;

	(void)state;
	compare_few(&c, opts, 5, 0);
	contest_of(&c, &contest, &graph, entry, name);
	contest_curves(&contest, CONTEST_CURVES_ALL, &s);
	contest_profiles(&contest, CONTEST_TIMED, &s);
	study_page(&s, "0", &html);
	assert_int_equal(strlen(html.at), html.used);
	assert_memory_equal(html.at, "<!DOCTYPE html>", 15);
	assert_non_null(strstr(html.at, "<h1>Policies on &lt;i&gt;&amp;&quot;g</h1>"));
	assert_null(strstr(html.at, "<i>&\"g"));
	static const char *const foreign[] = {"http:", "https:", " src=", "@import", "url(", "<link", "import(", "fetch("};
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (strstr(html.at, foreign[i]))
			fail_msg("there is '%s': %.60s", foreign[i], strstr(html.at, foreign[i]));
	for (const char *p = html.at; (p = strstr(p, "<svg viewBox=\"0 0 ")); p++)
		drawn++;
	assert_int_equal(drawn, 9);
	buf_release(&html);
	study_release(&s);
	release_few(&c, opts);
}

static void policies_that_are_equal_share_their_places(void **state)
{
	struct opt_set opts[FEW];
	struct compare c;
	struct contest contest;
	struct contest_graph graph;
	struct contest_entry entry[FEW];
	const char *name[FEW];
	struct contest_across a;

	(void)state;
	compare_few(&c, opts, 5, 0);
	contest_of(&c, &contest, &graph, entry, name);
	for (size_t i = 0; i < FEW; i++)
		entry[i].place = 0; /* one policy under all names */
	contest_across_make(&contest, &a);
	for (size_t i = 0; i < FEW; i++)
		assert_true(a.ranks.place[i] == (FEW + 1) / 2.0);
	contest_across_release(&a);
	release_few(&c, opts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regrets_are_differences_of_area),
		cmocka_unit_test(trials_keep_curves_windows_and_depths),
		cmocka_unit_test(fingerprints_are_of_the_numbers),
		cmocka_unit_test(the_page_stands_alone),
		cmocka_unit_test(policies_that_are_equal_share_their_places),
	};

	return cmocka_run_group_tests_name("summary", tests, make_g12, release_g12);
}
