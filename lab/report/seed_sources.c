#include "lab/report/seed_sources.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"
#include "lab/report/chart.h"
#include "lab/study/seedset.h"
#include "lab/study/replay.h"
#include "policies/policies.h"
#include "seeds/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 50
#define KINDS 16 /* room for */

struct kind {
	const char *name;
	struct seedset seeds;
	uint32_t draws; /* how many consecutive kinds are draws of the same method: random's draws, else 1 */
};

/* A crawl, and its throughput at each step. */
struct crawl {
	const struct policy *policy;
	const struct seedset *seeds;
	double auc, curve[STEPS];
	int err;
	struct err_note why;
};

struct grid {
	const struct seed_sources *in;
	const struct benchmark *benchmark;
	const struct policy **policy;
	size_t policies;
	struct kind *kind;
	size_t kinds;
	struct crawl *crawl; /* kind by kind, policy by policy */
};

/* Selects seeds by a method. */
static int choose(const struct seed_sources *in, const struct seed_method *m, uint64_t rng_seed, struct seedset *seeds,
	struct err_note *why)
{
	struct seed_output found = {0};
	const struct seed_input given = {.host = in->host,
		.value = in->value,
		.barred = in->barred,
		.threads = in->threads,
		.rng_seed = rng_seed};
	int err = method_seeds(m, in->data, &given, in->seeds, &found, why);

	if (!err && found.n) {
		seeds->ids = mem_copy(found.seed, found.n * sizeof *found.seed);
		seeds->n = found.n;
	}
	seed_output_release(&found);
	return err;
}

/* Selects the seeds of every method except random, and then `draws` sets of random ones. Methods that find none are left out. */
static int choose_all(struct grid *g, struct err_note *why)
{
	const struct seed_sources *in = g->in;
	int err = 0;

	for (size_t i = 0; !err && seed_methods[i]; i++) {
		const struct seed_method *m = seed_methods[i];
		if (m == &seed_method_random || (m == &seed_method_hits && !in->host))
			continue;
		struct kind *k = &g->kind[g->kinds];
		k->name = m->name;
		k->draws = 1;
		err = choose(in, m, in->rng_seed, &k->seeds, why);
		g->kinds += !err && k->seeds.n;
	}
	for (uint32_t d = 0; !err && d < in->draws; d++) {
		struct kind *k = &g->kind[g->kinds];
		k->name = "random";
		k->draws = in->draws;
		err = choose(in, &seed_method_random, in->rng_seed + d, &k->seeds, why);
		g->kinds += !err && k->seeds.n;
	}
	return err;
}

/* Says whether a policy knows nothing of the whole graph, and sees in the data set all that it needs. */
static int is_judged(const struct policy *p, const struct dataset *d)
{
	return !p->oracle && !(policy_needs(p) & ~dataset_sights(d));
}

static void list_policies(struct grid *g)
{
	size_t n = 0;

	while (policies[n])
		n++;
	g->policy = mem_new(n, sizeof *g->policy);
	for (size_t i = 0; i < n; i++)
		if (is_judged(policies[i], g->in->data))
			g->policy[g->policies++] = policies[i];
}

/* Makes one crawl of the grid, and measures its throughput. */
static void run_one(void *ctx, uint32_t i)
{
	const struct grid *g = ctx;
	const struct dataset *d = g->in->data;
	struct crawl *c = &g->crawl[i];
	struct opt_set opts;
	struct replay replay = {.policy = c->policy, .opts = &opts, .rng_seed = g->in->rng_seed, .benchmark = g->benchmark};
	struct throughput hot;

	opt_init(&opts, c->policy->opts, c->policy->name);
	c->err = replay_run(&replay, d, c->seeds, &c->why);
	if (!c->err) {
		throughput_measure(&hot, g->benchmark, &d->graph, d->outside, replay.order, replay.crawled, c->seeds->ids,
			c->seeds->n);
		c->auc = hot.auc;
		for (int s = 0; s < STEPS; s++)
			c->curve[s] = throughput_at(&hot, throughput_k((s + 1) / (double)STEPS, d->graph.nodes)).strict;
		throughput_release(&hot);
	}
	replay_release(&replay);
	opt_release(&opts);
}

/* Crawls from each kind of seeds with each policy, in parallel. Returns the error of the first crawl that failed. */
static int run_all(struct grid *g, struct err_note *why)
{
	const size_t n = g->kinds * g->policies;

	g->crawl = mem_zero(n, sizeof *g->crawl);
	for (size_t i = 0; i < n; i++) {
		g->crawl[i].seeds = &g->kind[i / g->policies].seeds;
		g->crawl[i].policy = g->policy[i % g->policies];
	}
	blocks_run(g->in->threads, (uint32_t)n, run_one, g);
	for (size_t i = 0; i < n; i++)
		if (g->crawl[i].err)
			return err_set(why, (enum err)g->crawl[i].err, "%s", g->crawl[i].why.text);
	return 0;
}

/* Returns the mean over the draws of a kind of seeds, which are consecutive: of the AUC if step < 0, else of the throughput at
 * this step. */
static double mean_of(const struct grid *g, size_t kind, size_t policy, int step)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = kind; k < g->kinds && g->kind[k].name == g->kind[kind].name; k++, n++) {
		const struct crawl *c = &g->crawl[k * g->policies + policy];
		sum += step < 0 ? c->auc : c->curve[step];
	}
	return sum / (double)n;
}

static int is_first(const struct grid *g, size_t kind)
{
	return !kind || g->kind[kind].name != g->kind[kind - 1].name;
}

/* Draws the hot pages that one policy finds, a curve for each kind of seeds. */
static void draw(const struct grid *g, size_t policy, struct study *s)
{
	double x[STEPS], y[KINDS][STEPS];
	struct chart_curve curve[KINDS];
	struct buf label = BUF_EMPTY, caption = BUF_EMPTY, name = BUF_EMPTY;
	struct drawing d;
	size_t curves = 0;

	for (int step = 0; step < STEPS; step++)
		x[step] = 100 * (step + 1) / (double)STEPS;
	for (size_t k = 0; k < g->kinds && curves < KINDS; k++) {
		if (!is_first(g, k))
			continue;
		for (int step = 0; step < STEPS; step++)
			y[curves][step] = 100 * mean_of(g, k, policy, step);
		curve[curves] = (struct chart_curve){.name = g->kind[k].name, .x = x, .y = y[curves], .n = STEPS};
		curves++;
	}
	const struct chart chart = {.x_label = "pages crawled, %",
		.y_label = "hot pages of all, %",
		.curve = curve,
		.curves = curves};
	buf_format(&label, "Hot pages found by %s from each kind of seeds", g->policy[policy]->name);
	buf_format(&caption, "%s from each kind of seeds: hot pages found, of all.", g->policy[policy]->name);
	buf_format(&name, "kinds-%s", g->policy[policy]->name);
	chart_draw(&d, &chart);
	study_figure(s, name.at, &d, label.at, caption.at);
	buf_release(&label);
	buf_release(&caption);
	buf_release(&name);
}

/* Writes the area under each curve, its difference from random seeds, and the curves. */
static void report(const struct grid *g, struct study *s)
{
	static const char *const columns[] = {"policy", "seeds", "auc", "against_random", "seeds_found", NULL};
	static const char *const curve[] = {"policy", "seeds", "fraction", "hot", NULL};
	size_t random = g->kinds - g->in->draws;
	struct buf caption = BUF_EMPTY;

	buf_format(&caption,
		"The area under the curve of hot pages found, of all, for %u seeds of each kind; "
		"random: mean of %u draws.",
		g->in->seeds, g->in->draws);
	study_table(s, "kinds", "Hot pages from every kind of seeds", caption.at, columns, STUDY_SHOWN);
	buf_release(&caption);
	for (size_t p = 0; p < g->policies; p++)
		draw(g, p, s);
	for (size_t p = 0; p < g->policies; p++) {
		for (size_t k = 0; k < g->kinds; k++) {
			if (!is_first(g, k))
				continue;
			study_text(s, g->policy[p]->name);
			study_text(s, g->kind[k].name);
			study_real(s, mean_of(g, k, p, -1));
			study_real(s, mean_of(g, k, p, -1) - mean_of(g, random, p, -1));
			study_count(s, g->kind[k].seeds.n);
		}
	}
	study_table(s, "kinds_curves", NULL, "", curve, STUDY_FILED);
	for (size_t p = 0; p < g->policies; p++) {
		for (size_t k = 0; k < g->kinds; k++) {
			for (int step = 0; is_first(g, k) && step < STEPS; step++) {
				study_text(s, g->policy[p]->name);
				study_text(s, g->kind[k].name);
				study_real(s, (step + 1) / (double)STEPS);
				study_real(s, mean_of(g, k, p, step));
			}
		}
	}
}

int seed_sources(const struct seed_sources *in, struct study *study, struct err_note *why)
{
	struct grid g = {.in = in, .kind = mem_zero(KINDS + (size_t)in->draws, sizeof *g.kind)};
	struct benchmark b;

	dataset_reverse(in->data, in->threads);
	benchmark_make(&b, &in->data->graph, 1e-12, in->threads);
	g.benchmark = &b;
	list_policies(&g);
	int err = choose_all(&g, why);
	if (!err)
		err = run_all(&g, why);
	if (!err)
		report(&g, study);
	benchmark_release(&b);
	for (size_t i = 0; i < g.kinds; i++)
		seedset_release(&g.kind[i].seeds);
	free(g.kind);
	free(g.policy);
	free(g.crawl);
	return err;
}
