/* liblycosa from within: what its header promises of errors, ownership and threads. */
#include "lib/lycosa.h"
#include "tests/storage/made_crawl.h"
#include "tests/test.h"

#include "config.h"

#include <math.h>
#include <pthread.h>

static const uint32_t from[] = {0, 0, 1, 2, 3, 3, 0}, to[] = {1, 2, 2, 0, 0, 4, 1};

static struct lycosa_graph *small(void)
{
	struct lycosa_graph *g;
	struct lycosa_note why;

	assert_int_equal(lycosa_graph_from_arcs(&g, 5, from, to, 7, &why), 0);
	return g;
}

static void a_graph_from_arcs_merges_parallel_ones_and_shows_its_rows_without_a_copy(void **state)
{
	struct lycosa_graph *g = small();
	uint32_t n;

	(void)state;
	assert_int_equal(lycosa_graph_nodes(g), 5);
	assert_int_equal(lycosa_graph_arcs(g), 6);
	assert_string_equal(lycosa_graph_format(g), "arcs");
	assert_string_equal(lycosa_graph_remark(g), "");
	const uint32_t *row = lycosa_graph_row(g, 3, &n);
	assert_int_equal(n, 2);
	assert_int_equal(row[0], 0);
	assert_int_equal(row[1], 4);
	assert_ptr_equal(row, lycosa_graph_targets(g) + lycosa_graph_offsets(g)[3]);
	assert_null(lycosa_graph_url(g, 0));
	assert_int_equal(lycosa_graph_label(g, 4), 4);
	assert_int_equal(lycosa_graph_find(g, 4, &n), 1);
	assert_int_equal(n, 4);
	assert_int_equal(lycosa_graph_find(g, 5, &n), 0);
	lycosa_graph_close(g);
}

static void arcs_to_nodes_that_are_not_there_are_refused_by_their_number(void **state)
{
	struct lycosa_graph *g;
	struct lycosa_note why;

	(void)state;
	assert_int_equal(lycosa_graph_from_arcs(&g, 4, from, to, 7, &why), LYCOSA_USAGE);
	assert_null(g);
	assert_string_equal(why.text, "arc 5 leads from 3 to 4 in a graph of 4 nodes");
	assert_int_equal(lycosa_graph_from_arcs(&g, UINT32_MAX, NULL, NULL, 0, NULL), LYCOSA_USAGE);
}

static void kernels_of_a_small_graph_have_the_values_worked_out_by_hand(void **state)
{
	struct lycosa_graph *g = small();
	struct lycosa_pagerank_options options = {.damping = 0.5};
	struct lycosa_note why;
	double rank[5], hub[5], authority[5], sum = 0;
	uint32_t component[5], level[5], reached;
	const uint32_t seed = 1;

	(void)state;
	assert_int_equal(lycosa_pagerank(g, &options, rank, &why), 0);
	for (int i = 0; i < 5; i++)
		sum += rank[i];
	assert_true(fabs(sum - 1) < 1e-12 && options.sweeps > 5 && options.change < 1e-12);
	/* nothing leads to 3: its rank is (1 - d)/n + d/n of the rank of 4, which has no links */
	assert_true(fabs(rank[3] - (0.1 + 0.1 * rank[4])) < 1e-12);
	assert_true(fabs(rank[4] - (rank[3] + 0.25 * rank[3])) < 1e-12);
	assert_int_equal(lycosa_hits(g, 0, 1, hub, authority, &why), 0);
	assert_true(hub[4] == 0 && authority[3] == 0 && hub[0] > 0);
	assert_int_equal(lycosa_scc(g, component), 3);
	assert_true(component[0] == 0 && component[1] == 0 && component[2] == 0);
	assert_true(component[3] == 1 && component[4] == 2);
	assert_int_equal(lycosa_bfs(g, &seed, 1, level, &reached, &why), 0);
	assert_int_equal(reached, 3);
	assert_true(level[1] == 0 && level[2] == 1 && level[0] == 2);
	assert_int_equal(level[3], LYCOSA_UNREACHED);
	lycosa_graph_close(g);
}

static void arguments_out_of_range_are_errors_and_no_crash(void **state)
{
	struct lycosa_graph *g = small(), *none;
	struct lycosa_pagerank_options options = {.damping = NAN};
	struct lycosa_rows *rows = (struct lycosa_rows *)g;
	struct lycosa_note why;
	const uint32_t seed = 5;
	uint32_t level[5];
	double rank[5];

	(void)state;
	assert_int_equal(lycosa_pagerank(g, &options, rank, &why), LYCOSA_USAGE);
	options = (struct lycosa_pagerank_options){.damping = 1};
	assert_int_equal(lycosa_pagerank(g, &options, rank, NULL), LYCOSA_USAGE);
	options = (struct lycosa_pagerank_options){.tolerance = -1};
	assert_int_equal(lycosa_pagerank(g, &options, rank, &why), LYCOSA_USAGE);
	const double nothing[5] = {0};
	options = (struct lycosa_pagerank_options){.start = nothing};
	assert_int_equal(lycosa_pagerank(g, &options, rank, &why), LYCOSA_USAGE);
	assert_int_equal(lycosa_bfs(g, &seed, 1, level, NULL, &why), LYCOSA_USAGE);
	assert_string_equal(why.text, "seed 5 is no node: the graph has 5");
	assert_int_equal(lycosa_hits(g, UINT32_MAX, UINT32_MAX, rank, rank, &why), LYCOSA_USAGE);
	assert_string_equal(why.text, "4294967295 iterations: 1000000 are the most");
	const char *const policy = "bfs";
	const struct lycosa_crawl_options crawl = {.policies = &policy,
		.n_policies = 1,
		.seeds = "random:1",
		.draws = UINT32_MAX,
		.threads = UINT32_MAX};
	struct lycosa_comparison *comparison;
	assert_int_equal(lycosa_compare(&comparison, g, &crawl, &why), LYCOSA_USAGE);
	assert_string_equal(why.text, "4294967295 draws: 1000000 are the most");
	assert_null(comparison);
	assert_int_equal(lycosa_graph_open(&none, "/no/such/graph", NULL, &why), LYCOSA_FILE);
	assert_null(none);
	assert_int_equal(lycosa_rows_open(&rows, "/no/such/graph", &why), LYCOSA_FILE);
	assert_null(rows);
	lycosa_graph_close(g);
	lycosa_graph_close(NULL);
	lycosa_rows_close(NULL);
	lycosa_replay_free(NULL);
	lycosa_comparison_free(NULL);
	lycosa_page_free(NULL);
	lycosa_robots_free(NULL);
	lycosa_store_close(NULL);
}

static void a_crawl_refuses_what_it_cannot_do_in_one_line(void **state)
{
	struct lycosa_graph *g = small();
	struct lycosa_replay *r;
	struct lycosa_note why;
	const char *policy = "opic", *option = "no-such=1";
	const uint32_t seed = 9;
	struct lycosa_crawl_options o = {.policies = &policy, .n_policies = 1};

	(void)state;
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), LYCOSA_NOTHING);
	assert_null(r);
	o.seed_ids = &seed, o.n_seed_ids = 1;
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), LYCOSA_USAGE);
	assert_string_equal(why.text, "seed 9 is no node: the graph has 5");
	o.seeds = "random:1";
	o.policy_options = &option, o.n_policy_options = 1;
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), LYCOSA_USAGE);
	assert_non_null(strstr(why.text, "no-such"));
	o.n_policy_options = 0, policy = "largest-site";
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), LYCOSA_USAGE);
	assert_non_null(strstr(why.text, "hosts"));
	o.n_policies = 0;
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), LYCOSA_USAGE);
	lycosa_graph_close(g);
}

static void a_replay_from_given_nodes_takes_them_first_and_repeats_none(void **state)
{
	struct lycosa_graph *g = small();
	struct lycosa_replay *r;
	struct lycosa_note why;
	struct lycosa_point point[5];
	const char *policy = "bfs";
	const uint32_t seeds[] = {3, 1, 3};
	const struct lycosa_crawl_options o = {.policies = &policy, .n_policies = 1, .seed_ids = seeds, .n_seed_ids = 3};
	const uint32_t wanted[] = {3, 1, 0, 4, 2};
	uint32_t n;

	(void)state;
	assert_int_equal(lycosa_replay_run(&r, g, &o, &why), 0);
	const uint32_t *order = lycosa_replay_order(r, &n);
	assert_int_equal(n, 5);
	assert_memory_equal(order, wanted, sizeof wanted);
	lycosa_replay_curve(r, point, 5);
	assert_true(point[0].k == 1 && point[4].k == 5 && point[4].strict == 1);
	assert_true(isnan(point[4].lift));
	lycosa_replay_free(r);
	lycosa_graph_close(g);
}

static void a_comparison_without_policies_runs_every_one_that_can(void **state)
{
	struct lycosa_graph *g = small();
	struct lycosa_comparison *c;
	struct lycosa_note why;
	const uint32_t seed = 3;
	const struct lycosa_crawl_options o = {.seed_ids = &seed, .n_seed_ids = 1, .draws = 2};
	size_t n;

	(void)state;
	assert_int_equal(lycosa_compare(&c, g, &o, &why), 0);
	const struct lycosa_trial *t = lycosa_comparison_trials(c, &n);
	assert_true(n >= 20 && n % 2 == 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(t[i].draw, i % 2 + 1);
		assert_int_equal(t[i].crawled, 5);
		assert_int_equal(t[i].points, 100);
		assert_true(t[i].curve[99].strict == 1 && t[i].auc > 0 && t[i].auc <= 1);
	}
	const size_t policies = n / 2;
	const struct lycosa_pair *pair = lycosa_comparison_pairs(c, &n);
	assert_int_equal(n, policies * (policies - 1) / 2);
	for (size_t i = 0; i < n; i++) {
		const double d = pair[i].difference;
		assert_true(pair[i].comparisons == n && pair[i].draws == 1);
		assert_true(pair[i].share == (d > 0 ? 1 : d < 0 ? 0 : 0.5));
		assert_string_equal(pair[i].verdict, "too few draws");
	}
	lycosa_comparison_free(c);
	lycosa_graph_close(g);
}

/* --- threads */

/* --- policies of the caller */

static int more_links(struct lycosa_crawl *c, uint32_t page, const uint32_t *links, size_t n)
{
	(void)page;
	for (size_t i = 0; i < n; i++)
		c->key[links[i]] += 1;
	return 0;
}

static int own_begin(struct lycosa_crawl *c, void *user)
{
	c->mine = user;
	return 0;
}

static void own_end(struct lycosa_crawl *c)
{
	++*(int *)c->mine;
}

static int fails_late(struct lycosa_crawl *c, uint32_t page, const uint32_t *links, size_t n)
{
	(void)page, (void)links, (void)n;
	assert_true(c->state[page] == LYCOSA_CRAWLED);
	return c->crawled < 7 ? 0 : -5;
}

static int fails_at_once(struct lycosa_crawl *c, void *user)
{
	c->mine = user;
	return -1;
}

static int no_number(struct lycosa_crawl *c)
{
	for (uint32_t u = 0; u < c->nodes; u++)
		c->key[u] = 0.0 / (c->key[u] - c->key[u]);
	return 0;
}

/* The graph of the contract tests of the caller's policies: 400 nodes, 1,600 arcs. */
static struct lycosa_graph *tangle(void)
{
	uint32_t source[1600], target[1600];
	struct lycosa_graph *g;

	for (uint32_t i = 0; i < 1600; i++) {
		source[i] = i / 4;
		target[i] = (i * i * 7 + i / 3) % 400;
	}
	assert_int_equal(lycosa_graph_from_arcs(&g, 400, source, target, 1600, NULL), 0);
	return g;
}

static void a_policy_of_the_caller_takes_the_pages_that_its_keys_name(void **state)
{
	struct lycosa_graph *g = tangle();
	struct lycosa_replay *mine, *twin;
	const char *backlink = "backlink";
	const uint32_t seed = 5;
	int ends = 0;
	const struct lycosa_policy own = {.name = "mine", .begin = own_begin, .end = own_end, .crawled = more_links, .user = &ends};
	struct lycosa_crawl_options o = {.own = &own, .n_own = 1, .seed_ids = &seed, .n_seed_ids = 1, .batch = 1};
	uint32_t n, n_twin;

	(void)state;
	assert_int_equal(lycosa_replay_run(&mine, g, &o, NULL), 0);
	o.n_own = 0;
	o.policies = &backlink;
	o.n_policies = 1;
	assert_int_equal(lycosa_replay_run(&twin, g, &o, NULL), 0);
	const uint32_t *order = lycosa_replay_order(mine, &n), *order_twin = lycosa_replay_order(twin, &n_twin);
	assert_int_equal(n, n_twin);
	assert_memory_equal(order, order_twin, n * sizeof *order);
	assert_int_equal(ends, 1);
	lycosa_replay_free(mine);
	lycosa_replay_free(twin);
	lycosa_graph_close(g);
}

static void a_policy_of_the_caller_that_fails_ends_the_crawl_once_and_says_so(void **state)
{
	struct lycosa_graph *g = tangle();
	struct lycosa_replay *r;
	struct lycosa_comparison *c;
	struct lycosa_note why;
	int ends = 0;
	const struct {
		struct lycosa_policy own;
		int error;
		const char *says;
	} cases[] = {
		{{.name = "a", .begin = own_begin, .end = own_end, .crawled = fails_late}, LYCOSA_OTHER,
			"'a' has ended the crawl with -5"},
		{{.name = "b", .begin = fails_at_once, .end = own_end}, LYCOSA_OTHER, "'b' has ended the crawl with -1"},
		{{.name = "c", .begin = own_begin, .end = own_end, .rerank = no_number}, LYCOSA_USAGE, "which is not finite"},
		{{.name = "d", .begin = own_begin, .end = own_end, .first_key = HUGE_VAL}, LYCOSA_USAGE, "the key inf"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lycosa_policy own = cases[i].own;
		own.user = &ends;
		const struct lycosa_crawl_options o = {.own = &own, .n_own = 1, .seeds = "random:3", .draws = 4, .threads = 3};
		ends = 0;
		assert_int_equal(lycosa_replay_run(&r, g, &o, &why), cases[i].error);
		assert_null(r);
		assert_non_null(strstr(why.text, cases[i].says));
		assert_int_equal(ends, 1);
		assert_int_equal(lycosa_compare(&c, g, &o, &why), cases[i].error);
		assert_null(c);
		assert_non_null(strstr(why.text, cases[i].says));
	}
	lycosa_graph_close(g);
}

static void *replay_once(void *graph)
{
	static const char *const policy = "ieca";
	const struct lycosa_crawl_options o = {.policies = &policy, .n_policies = 1, .seeds = "random:2"};
	struct lycosa_replay *r;
	double *auc = malloc(sizeof *auc);

	*auc = -1;
	if (lycosa_replay_run(&r, graph, &o, NULL) == 0)
		*auc = lycosa_replay_auc(r);
	lycosa_replay_free(r);
	return auc;
}

static void threads_share_a_graph_and_its_ranking(void **state)
{
	struct lycosa_graph *g = small();
	pthread_t thread[8];
	double *alone;

	(void)state;
	for (int i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, replay_once, g), 0);
	alone = replay_once(g);
	assert_true(*alone > 0);
	for (int i = 0; i < 8; i++) {
		void *auc;
		pthread_join(thread[i], &auc);
		assert_true(*(double *)auc == *alone);
		free(auc);
	}
	free(alone);
	lycosa_graph_close(g);
}

/* --- texts */

static void urls_are_resolved_and_normalised_or_refused(void **state)
{
	struct lycosa_note why;
	char *url;

	(void)state;
	assert_int_equal(lycosa_url_resolve(&url, "../z#top", 8, "http://a.test/x/y", &why), 0);
	assert_string_equal(url, "http://a.test/z");
	lycosa_free(url);
	assert_int_equal(lycosa_url_resolve(&url, "z", 1, NULL, &why), LYCOSA_FORMAT);
	assert_null(url);
	assert_string_equal(why.text, "'z' is no URL");
	assert_int_equal(lycosa_url_resolve(&url, "mailto:a@b", 10, NULL, &why), LYCOSA_FORMAT);
	assert_int_equal(lycosa_url_normalise(&url, "http://a.test/?utm_id=1&b=2", 27, "tracking", &why), 0);
	assert_string_equal(url, "http://a.test/?b=2");
	lycosa_free(url);
	assert_int_equal(lycosa_url_normalise(&url, "http://a.test/", 14, "trackin", &why), LYCOSA_USAGE);
}

static void a_page_without_links_has_a_base_and_an_encoding(void **state)
{
	struct lycosa_page *p;
	struct lycosa_note why;
	size_t n;

	(void)state;
	assert_int_equal(lycosa_page_parse(&p, "", 0, "http://a.test/", NULL, &why), 0);
	lycosa_page_links(p, &n);
	assert_int_equal(n, 0);
	assert_string_equal(lycosa_page_base(p), "http://a.test/");
	assert_string_equal(lycosa_page_charset(p), "windows-1252");
	assert_null(lycosa_page_canonical(p));
	lycosa_page_free(p);
	assert_int_equal(lycosa_page_parse(&p, "", 0, "about:blank", NULL, &why), LYCOSA_FORMAT);
	assert_null(p);
}

/* --- stores */

static void make_store(const char *dir)
{
	static const char *const url[] = {"http://a.test/", "http://a.test/b", "http://a.test/c"};
	const uint32_t links[] = {2, 1};
	struct store *s = open_store(dir, STORE_WRITE);
	struct result result = {.state = PAGE_CRAWLED,
		.outcome = OUTCOME_CRAWLED,
		.status = 200,
		.target = STORE_NO_PAGE,
		.tries = 1,
		.bytes = 77,
		.ended = 1234,
		.digest = {0xab, 0x1}};
	uint32_t id, host;

	assert_int_equal(store_host(s, "a.test", 6, &host, NULL), 0);
	for (int i = 0; i < 3; i++) {
		const struct store_page page = {.url = url[i],
			.url_length = strlen(url[i]),
			.host = host,
			.depth = (uint16_t)(i > 0),
			.refusal = i == 2 ? OUTCOME_PARENT : 0};
		assert_int_equal(store_add(s, &page, &id, NULL), 0);
	}
	assert_int_equal(store_put_result(s, 0, &result, NULL), 0);
	assert_int_equal(store_put_links(s, 0, links, NULL, NULL, 2, NULL), 0);
	assert_int_equal(store_set(s, "policy", "opic", NULL), 0);
	commit(s);
	store_drop(s);
}

static void a_store_with_a_flipped_bit_is_refused(void **state)
{
	static const char url[] = "http://a.test/";
	const char *dir = scratch();
	struct lycosa_store *s;
	struct lycosa_graph *g;
	struct lycosa_note why;
	char path[128], bytes[1 << 16], *at;

	(void)state;
	make_store(dir);
	snprintf(path, sizeof path, "%s/data.mdb", dir);
	FILE *file = fopen(path, "r+b");
	const size_t n = fread(bytes, 1, sizeof bytes, file);
	assert_non_null(at = memmem(bytes, n, url, strlen(url)));
	assert_int_equal(fseek(file, at - bytes, SEEK_SET), 0);
	assert_int_equal(fputc(*url ^ 1, file), *url ^ 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(lycosa_store_open(&s, dir, &why), LYCOSA_DAMAGED);
	assert_non_null(strstr(why.text, "3 of 3 URLs of pages"));
	assert_null(s);
	assert_int_equal(lycosa_graph_open(&g, dir, NULL, &why), LYCOSA_DAMAGED);
}

static void a_store_tells_of_each_page_what_became_of_it(void **state)
{
	const char *dir = scratch();
	struct lycosa_store *s;
	struct lycosa_store_page page;
	struct lycosa_note why;
	uint32_t id;
	size_t n;

	(void)state;
	make_store(dir);
	assert_int_equal(lycosa_store_open(&s, dir, &why), 0);
	assert_int_equal(lycosa_store_pages(s), 3);
	assert_int_equal(lycosa_store_page(s, 0, &page, &why), 0);
	assert_string_equal(page.url, "http://a.test/");
	assert_string_equal(page.state, "crawled");
	assert_string_equal(page.digest, "000000000000000100000000000000ab");
	assert_true(page.status == 200 && page.bytes == 77 && page.time == 1234 && page.tries == 1);
	assert_int_equal(page.target, LYCOSA_NO_PAGE);
	assert_int_equal(lycosa_store_page(s, 1, &page, &why), 0);
	assert_true(page.depth == 1 && !strcmp(page.state, "queued") && !*page.digest);
	assert_int_equal(lycosa_store_page(s, 2, &page, &why), 0);
	assert_string_equal(page.state, "refused");
	assert_string_equal(page.outcome, "parent");
	assert_int_equal(lycosa_store_page(s, 3, &page, &why), LYCOSA_USAGE);
	assert_int_equal(lycosa_store_find(s, "http://a.test/b", 15, &id), 1);
	assert_int_equal(id, 1);
	assert_int_equal(lycosa_store_find(s, "http://a.test/d", 15, &id), 0);
	const uint32_t *links = lycosa_store_links(s, 0, &n);
	assert_true(n == 2 && links[0] == 2 && links[1] == 1);
	lycosa_store_links(s, 3, &n);
	assert_int_equal(n, 0);
	assert_string_equal(lycosa_store_setting(s, "policy"), "opic");
	assert_null(lycosa_store_setting(s, "no-such"));
	lycosa_store_close(s);
}

/* LMDB would give the second handle the locks of the first, and take them away again. */
static void a_store_that_this_process_has_open_is_busy(void **state)
{
	const char *dir = scratch();
	struct lycosa_store *s, *again;
	struct lycosa_graph *g;
	struct lycosa_note why;

	(void)state;
	make_store(dir);
	assert_int_equal(lycosa_store_open(&s, dir, &why), 0);
	assert_int_equal(lycosa_store_open(&again, dir, &why), LYCOSA_BUSY);
	assert_null(again);
	assert_non_null(strstr(why.text, "this process has it open"));
	assert_int_equal(lycosa_graph_open(&g, dir, NULL, &why), LYCOSA_BUSY);
	lycosa_store_close(s);
	assert_int_equal(lycosa_graph_open(&g, dir, NULL, &why), 0);
	assert_string_equal(lycosa_graph_format(g), "store");
	assert_string_equal(lycosa_graph_url(g, 1), "http://a.test/b");
	assert_int_equal(lycosa_store_open(&s, dir, &why), 0);
	lycosa_store_close(s);
	lycosa_graph_close(g);
}

static void the_codes_have_texts(void **state)
{
	(void)state;
	assert_string_equal(lycosa_error_text(0), "no error");
	assert_string_equal(lycosa_error_text(LYCOSA_FORMAT), "malformed input");
	assert_string_equal(lycosa_version(), PACKAGE_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_graph_from_arcs_merges_parallel_ones_and_shows_its_rows_without_a_copy),
		cmocka_unit_test(arcs_to_nodes_that_are_not_there_are_refused_by_their_number),
		cmocka_unit_test(kernels_of_a_small_graph_have_the_values_worked_out_by_hand),
		cmocka_unit_test(arguments_out_of_range_are_errors_and_no_crash),
		cmocka_unit_test(a_crawl_refuses_what_it_cannot_do_in_one_line),
		cmocka_unit_test(a_replay_from_given_nodes_takes_them_first_and_repeats_none),
		cmocka_unit_test(a_comparison_without_policies_runs_every_one_that_can),
		cmocka_unit_test(a_policy_of_the_caller_takes_the_pages_that_its_keys_name),
		cmocka_unit_test(a_policy_of_the_caller_that_fails_ends_the_crawl_once_and_says_so),
		cmocka_unit_test(threads_share_a_graph_and_its_ranking),
		cmocka_unit_test(urls_are_resolved_and_normalised_or_refused),
		cmocka_unit_test(a_page_without_links_has_a_base_and_an_encoding),
		cmocka_unit_test(a_store_with_a_flipped_bit_is_refused),
		cmocka_unit_test(a_store_tells_of_each_page_what_became_of_it),
		cmocka_unit_test(a_store_that_this_process_has_open_is_busy),
		cmocka_unit_test(the_codes_have_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
