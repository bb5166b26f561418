/* HITS extraction: the worked example in all its variants, and the algorithm as it is written down,
 * recomputed from nothing, on random graphs. */
#include "tests/seeds/seeding.h"

#include "base/mem.h"
#include "graph/kernels/hits.h"
#include "seeds/hits/bicover.h"
#include "tests/graph/shapes.h"

#include <math.h>

static struct seeding example(const struct graph *g)
{
	return (struct seeding){.g = g, .method = &seed_method_hits, .host = h14_host, .k = 99};
}

static void list(char *text, size_t room, const uint32_t *node, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t used = strlen(text);
		snprintf(text + used, room - used, "%s%u", i ? "," : "", node[i]);
	}
}

/* "hubs|authorities>seed ..." */
static void describe(const struct seed_output *out, char *text, size_t room)
{
	*text = 0;
	assert_int_equal(out->n, out->cores);
	for (size_t i = 0; i < out->cores; i++) {
		const struct seed_core *c = &out->core[i];
		char hubs[4000] = "", authorities[4000] = "";
		const size_t used = strlen(text);
		assert_int_equal(c->seed, out->seed[i]);
		list(hubs, sizeof hubs, c->hub, c->hubs);
		list(authorities, sizeof authorities, c->authority, c->authorities);
		snprintf(text + used, room - used, "%s%s|%s>%u", i ? " " : "", hubs, authorities, c->seed);
	}
}

static void the_worked_example_has_its_cores_in_every_variant(void **state)
{
	static const struct {
		const char *opts[3], *want;
	} cases[] = {
		{{NULL}, "0,1|3,4,5>0 7,8|9,10>7"},
		{{"density=80"}, "0,1,2|3,4,5>0 7,8,6|9,10>7"},
		{{"max-hubs=1"}, "0|3,4,5>0 7|9,10>7"},
		{{"size=4"}, "0,1|3,4>0 7,8|9,10>7 13|5>13"},
		{{"size=5", "new-members=2"}, "0,1|3,4,5>0 7,8,6|9,10>7"},
		{{"iterations=200"}, "0,1|3,4,5>0 7,8|9,10>7"},
		{{"choice=max-outdegree"}, "0,1|3,4,5>0 7,8|9,10>7"},
		{{"growth=skip"}, "0,1|3,4,5>0 7,8|9,10>7"},
		{{"growth=close-side"}, "0,1|3,4,5>0 7,8|9,10>7"},
	};
	struct graph g;

	(void)state;
	h14(&g);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (unsigned threads = 1; threads < 4; threads++) {
			struct seeding s = example(&g);
			struct seed_output out;
			char text[400];
			memcpy(s.opts, cases[i].opts, sizeof cases[i].opts);
			s.threads = threads;
			assert_int_equal(seeding_run(&s, &out), 0);
			describe(&out, text, sizeof text);
			assert_string_equal(text, cases[i].want);
			seed_output_release(&out);
		}
	}
	graph_release(&g);
}

static void a_core_has_its_scores_and_its_density(void **state)
{
	static const double want[] = {.591467 / .591467, 1, .427185 / .591467};
	struct seed_output out;
	struct graph g;

	(void)state;
	h14(&g);
	struct seeding s = example(&g);
	s.opts[0] = "density=80";
	s.k = 1;
	assert_int_equal(seeding_run(&s, &out), 0);
	assert_int_equal(out.n, 1);
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs((double)out.core[0].hub_score[i] / 1e9 - want[i]) < 2e-6);
	assert_int_equal(out.core[0].authority_score[0], 1000000000);
	assert_true(fabs((double)out.core[0].authority_score[2] / 1e9 - .470451 / .661059) < 2e-6);
	assert_true(fabs(out.core[0].density - 800.0 / 9) < 1e-12);
	seed_output_release(&out);
	graph_release(&g);
}

static void pruning_drops_links_within_a_host_and_nodes_without_any(void **state)
{
	struct graph g;
	struct pruned p;

	(void)state;
	h14(&g);
	prune(&p, &g, h14_host, 1);
	assert_int_equal(p.rows[HUBS].arcs, 21);
	assert_int_equal(p.nodes, 14);
	pruned_release(&p);
	const uint32_t two[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
	prune(&p, &g, two, 1);
	assert_int_equal(p.rows[HUBS].arcs, 5); /* 3 -> 11, 11 -> 12, 11 -> 13, 12 -> 11, 13 -> 11 */
	assert_int_equal(p.nodes, 4);
	assert_int_equal(p.id[0], 3);
	assert_int_equal(p.id[3], 13);
	pruned_release(&p);
	prune(&p, &g, NULL, 1);
	assert_int_equal(p.rows[HUBS].arcs, 27);
	pruned_release(&p);
	graph_release(&g);
}

static void without_hosts_it_says_what_to_give(void **state)
{
	struct seed_output out;
	struct graph g;

	(void)state;
	h14(&g);
	struct seeding s = example(&g);
	s.host = NULL;
	assert_int_equal(seeding_run(&s, &out), ERR_USAGE);
	assert_non_null(strstr(s.why.text, "--hosts"));
	seed_output_release(&out);
	s.opts[0] = "site=page";
	assert_int_equal(seeding_run(&s, &out), 0);
	assert_true(out.n > 0);
	seed_output_release(&out);
	s.opts[0] = "size=1";
	assert_int_equal(seeding_run(&s, &out), ERR_USAGE);
	seed_output_release(&out);
	graph_release(&g);
}

/* Three hubs share two authorities, and the first has one of its own. */
static void a_private_authority_ends_a_core_unless_growth_says_otherwise(void **state)
{
	static const struct {
		const char *growth, *want;
	} cases[] = {
		{"growth=skip", "0,1,2|4,5>0"},
		{"growth=close-side", "0,1,2|4,5>0"},
		{"growth=stop", "0,1|4,5>0"},
	};
	static const uint32_t from[] = {0, 0, 1, 1, 2, 2, 0, 3}, to[] = {4, 5, 4, 5, 4, 5, 6, 6};
	static const uint32_t host[] = {0, 1, 2, 3, 4, 5, 6};
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 7, from, to, 8);
	for (size_t i = 0; i < 3; i++) {
		struct seeding s = {.g = &g, .method = &seed_method_hits, .opts = {cases[i].growth}, .host = host, .k = 1};
		struct seed_output out;
		char text[100];
		assert_int_equal(seeding_run(&s, &out), 0);
		describe(&out, text, sizeof text);
		assert_string_equal(text, cases[i].want);
		seed_output_release(&out);
	}
	graph_release(&g);
}

/* --- the slow second method: dense matrices, everything anew for each seed */

enum { MOST = 60 };

struct slow {
	uint32_t n;
	uint8_t link[MOST][MOST], dead[MOST], hub[MOST], authority[MOST];
	uint64_t qh[MOST], qa[MOST];
	uint32_t hubs[MOST], authorities[MOST];
	size_t n_hubs, n_authorities;
};

static void slow_rank(struct slow *s, const struct graph *g)
{
	double h[MOST], a[MOST];
	struct hits hits;

	hits_init(&hits, g, 1);
	hits_run(&hits, HITS_ITERATIONS, s->dead, h, a);
	hits_keys(h, s->n, s->qh);
	hits_keys(a, s->n, s->qa);
	hits_release(&hits);
}

/* Whether some member of a side links to u (or u to it); the candidates of the other side. */
static int touches(const struct slow *s, uint32_t u, int as_hub)
{
	for (uint32_t v = 0; v < s->n; v++)
		if (as_hub ? s->authority[v] && s->link[u][v] : s->hub[v] && s->link[v][u])
			return 1;
	return 0;
}

static uint32_t slow_best(const struct slow *s, int as_hub, const uint8_t *rejected)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t u = 0; u < s->n; u++) {
		const uint64_t *key = as_hub ? s->qh : s->qa;
		if (s->dead[u] || s->hub[u] || s->authority[u] || rejected[u] || !touches(s, u, as_hub))
			continue;
		if (best == UINT32_MAX || key[u] > key[best])
			best = u;
	}
	return best;
}

static double slow_density(const struct slow *s)
{
	double links = 0;

	for (size_t i = 0; i < s->n_hubs; i++)
		for (size_t k = 0; k < s->n_authorities; k++)
			links += s->link[s->hubs[i]][s->authorities[k]];
	return s->n_hubs && s->n_authorities ? 100 * links / (double)(s->n_hubs * s->n_authorities) : 100;
}

static void slow_join(struct slow *s, int as_hub, uint32_t u)
{
	if (as_hub) {
		s->hub[u] = 1;
		s->hubs[s->n_hubs++] = u;
	} else {
		s->authority[u] = 1;
		s->authorities[s->n_authorities++] = u;
	}
}

static void slow_leave(struct slow *s, int as_hub)
{
	if (as_hub)
		s->hub[s->hubs[--s->n_hubs]] = 0;
	else
		s->authority[s->authorities[--s->n_authorities]] = 0;
}

static void slow_stop(struct slow *s, double density, size_t max_hubs)
{
	const uint8_t none[MOST] = {0};

	for (;;) {
		int joined[2] = {0, 0};
		for (int as_hub = 1; as_hub >= 0; as_hub--) {
			uint32_t u = as_hub && s->n_hubs >= max_hubs ? UINT32_MAX : slow_best(s, as_hub, none);
			if (u == UINT32_MAX)
				continue;
			slow_join(s, as_hub, u);
			joined[as_hub] = 1;
		}
		if (!joined[0] && !joined[1])
			return;
		if (slow_density(s) >= density)
			continue;
		for (int as_hub = 0; as_hub < 2 && slow_density(s) < density; as_hub++)
			if (joined[as_hub])
				slow_leave(s, as_hub);
		return;
	}
}

static void slow_tries(struct slow *s, double density, size_t max_hubs, int skips)
{
	uint8_t rejected[2][MOST] = {{0}};
	int closed[2] = {0, 0}, tried = 1;

	while (tried) {
		tried = 0;
		for (int as_hub = 1; as_hub >= 0; as_hub--) {
			if (closed[as_hub] || (as_hub && s->n_hubs >= max_hubs))
				continue;
			uint32_t u = slow_best(s, as_hub, rejected[as_hub]);
			if (u == UINT32_MAX)
				continue;
			tried = 1;
			slow_join(s, as_hub, u);
			if (slow_density(s) >= density)
				continue;
			slow_leave(s, as_hub);
			rejected[as_hub][u] = 1;
			closed[as_hub] = !skips;
		}
	}
}

static void slow_size(struct slow *s, size_t size, size_t members, size_t max_hubs)
{
	const uint8_t none[MOST] = {0};
	size_t before;

	do {
		before = s->n_hubs + s->n_authorities;
		for (int as_hub = 1; as_hub >= 0; as_hub--) {
			for (size_t m = 0; m < members && s->n_hubs + s->n_authorities < size; m++) {
				uint32_t u = as_hub && s->n_hubs >= max_hubs ? UINT32_MAX : slow_best(s, as_hub, none);
				if (u != UINT32_MAX)
					slow_join(s, as_hub, u);
			}
		}
	} while (s->n_hubs + s->n_authorities > before);
}

struct variant {
	const char *opts[5];
	double density;
	size_t size, members, max_hubs;
	int growth; /* 0 stop, 1 close, 2 skip */
};

static void slow_core(struct slow *s, const struct graph *g, const struct variant *v)
{
	uint32_t top = 0;

	memset(s->hub, 0, sizeof s->hub);
	memset(s->authority, 0, sizeof s->authority);
	s->n_hubs = s->n_authorities = 0;
	slow_rank(s, g);
	for (uint32_t u = 0; u < s->n; u++)
		if (s->qa[u] > s->qa[top])
			top = u;
	slow_join(s, 0, top);
	if (v->size)
		slow_size(s, v->size, v->members, v->max_hubs);
	else if (v->growth == 0)
		slow_stop(s, v->density, v->max_hubs);
	else
		slow_tries(s, v->density, v->max_hubs, v->growth == 2);
}

/* Compares a core with the one of the slow method, and removes it there. */
static void same_core(struct slow *s, const struct seed_core *c)
{
	assert_int_equal(c->hubs, s->n_hubs);
	assert_int_equal(c->authorities, s->n_authorities);
	assert_memory_equal(c->authority, s->authorities, s->n_authorities * sizeof *s->authorities);
	for (size_t i = 0; i < c->hubs; i++) {
		assert_true(s->hub[c->hub[i]]);
		assert_int_equal(c->hub_score[i], s->qh[c->hub[i]]);
		if (i)
			assert_true(s->qh[c->hub[i - 1]] > s->qh[c->hub[i]] ||
				(s->qh[c->hub[i - 1]] == s->qh[c->hub[i]] && c->hub[i - 1] < c->hub[i]));
	}
	assert_int_equal(c->seed, c->hub[0]);
	assert_true(c->density == slow_density(s));
	for (uint32_t u = 0; u < s->n; u++)
		s->dead[u] |= s->hub[u] | s->authority[u];
}

static int has_arcs(const struct slow *s)
{
	for (uint32_t u = 0; u < s->n; u++)
		for (uint32_t v = 0; v < s->n; v++)
			if (s->link[u][v] && !s->dead[u] && !s->dead[v])
				return 1;
	return 0;
}

static void compare(const struct graph *g, const uint32_t *host, const struct variant *v)
{
	static struct slow s;
	struct seeding run = {.g = g, .method = &seed_method_hits, .host = host, .k = MOST, .threads = 2};
	struct shape between = {0};
	struct seed_output out;
	struct graph pruned;

	s = (struct slow){.n = g->nodes};
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			if (host[u] == host[g->target[a]])
				continue;
			s.link[u][g->target[a]] = 1;
			shape_add(&between, u, g->target[a]);
		}
	}
	shape_end(&between, g->nodes, &pruned);
	memcpy(run.opts, v->opts, sizeof v->opts);
	assert_int_equal(seeding_run(&run, &out), 0);
	for (size_t i = 0; i < out.cores; i++) {
		assert_true(has_arcs(&s));
		slow_core(&s, &pruned, v);
		same_core(&s, &out.core[i]);
	}
	assert_false(has_arcs(&s));
	seed_output_release(&out);
	graph_release(&pruned);
}

static void cores_are_those_of_the_algorithm_on_random_graphs(void **state)
{
	static const struct variant variants[] = {
		{{NULL}, 100, 0, 1, 999, 0},
		{{"density=70"}, 70, 0, 1, 999, 0},
		{{"density=50", "max-hubs=3"}, 50, 0, 1, 3, 0},
		{{"growth=skip"}, 100, 0, 1, 999, 2},
		{{"growth=skip", "density=66"}, 66, 0, 1, 999, 2},
		{{"growth=close-side", "density=60", "max-hubs=4"}, 60, 0, 1, 4, 1},
		{{"growth=close-side"}, 100, 0, 1, 999, 1},
		{{"size=7", "new-members=2"}, 0, 7, 2, 999, 0},
		{{"size=9", "new-members=3", "max-hubs=2"}, 0, 9, 3, 2, 0},
		{{"density=0"}, 0, 0, 1, 999, 0},
	};
	struct rng r = {11};
	uint32_t host[MOST];

	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		const uint32_t n = 2 + (uint32_t)rng_below(&r, MOST - 2);
		struct graph g;
		shape_random(&g, n, rng_below(&r, 4 * (uint64_t)n), round % 3 ? 0 : 6, &r);
		for (uint32_t u = 0; u < n; u++)
			host[u] = (uint32_t)rng_below(&r, 1 + n / 3);
		for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
			compare(&g, host, &variants[v]);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worked_example_has_its_cores_in_every_variant),
		cmocka_unit_test(a_core_has_its_scores_and_its_density),
		cmocka_unit_test(pruning_drops_links_within_a_host_and_nodes_without_any),
		cmocka_unit_test(without_hosts_it_says_what_to_give),
		cmocka_unit_test(a_private_authority_ends_a_core_unless_growth_says_otherwise),
		cmocka_unit_test(cores_are_those_of_the_algorithm_on_random_graphs),
	};

	return cmocka_run_group_tests_name("hits_cores", tests, NULL, NULL);
}
