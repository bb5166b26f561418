#include "lab/report/coverage_study.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/generate.h"
#include "graph/memory/blocks.h"
#include "lab/report/study.h"
#include "lab/study/dataset.h"
#include "lab/study/compare.h"
#include "lab/study/seedset.h"
#include "policies/policies.h"
#include "seeds/ball.h"
#include "seeds/method.h"
#include "seeds/values.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Writes the results of a coverage study (lab/report/coverage_study.h): tables, figures, and verdicts on the paper's claims. */

/* A gain over random seeds in percent: its mean over the sites, and the standard error of this mean. */
struct coverage_gain {
	double mean, error;
	uint32_t sites; /* the sites where random seeds covered anything */
};

/* The indices are those of struct coverage_figures. */
struct coverage_gains {
	struct coverage_gain of[2][COVERAGE_STRATEGIES][COVERAGE_SEEDS][2];
	uint32_t sites;
	double pages;
};

static const size_t points[] = {[COVERAGE_BY_SEEDS] = COVERAGE_SEEDS, [COVERAGE_BY_HOPS] = COVERAGE_HOPS};

#define RANDOM COVERAGE_STRATEGIES

static const struct {
	const char *name, *method;
	uint32_t depth;
} strategies[COVERAGE_STRATEGIES + 1] = {
	{"pagerank", "pagerank", 0},
	{"outdegree", "outdegree", 0},
	{"maxout", "maxout", 0},
	{"maxweight(2)", "maxweight", 2},
	{"maxweight(3)", "maxweight", 3},
	{"maxscc", "maxscc", 2},
	{"rootscc", "rootscc", 2},
	{"random", "random", 0},
};

enum { PAGERANK, OUTDEGREE, MAXOUT, MAXWEIGHT2, MAXWEIGHT3, MAXSCC, ROOTSCC };

/* --- the paper's findings */

struct judge {
	const struct coverage_gains *g;
	const struct coverage_study *in;
	struct study *s;
};

static double mean_of(const struct judge *j, size_t strategy, int what)
{
	double sum = 0;

	for (size_t k = 0; k < COVERAGE_SEEDS; k++)
		sum += j->g->of[COVERAGE_BY_SEEDS][strategy][k][what].mean;
	return sum / COVERAGE_SEEDS;
}

/* Returns for how many numbers k of seeds one strategy is better than another. */
static int wins(const struct judge *j, size_t strategy, size_t other, int what)
{
	int n = 0;

	for (size_t k = 0; k < COVERAGE_SEEDS; k++)
		n += j->g->of[COVERAGE_BY_SEEDS][strategy][k][what].mean > j->g->of[COVERAGE_BY_SEEDS][other][k][what].mean;
	return n;
}

/* Appends the verdict on the claim that one strategy is better than another on average over k. */
static void over(const struct judge *j, const char *claim, size_t better, size_t worse, int what)
{
	const double first = mean_of(j, better, what), second = mean_of(j, worse, what);

	study_claim(j->s, claim, first > second,
		buf_made("%+.1f%% against %+.1f%% on average; better at %d of %d k", first, second, wins(j, better, worse, what),
			COVERAGE_SEEDS));
}

/* Judges whether the least gain of any strategy at any number of seeds is above 0. */
static void all_beat_random(const struct judge *j, int what, const char *claim)
{
	double least = INFINITY;
	size_t of = 0;

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		for (size_t k = 0; k < COVERAGE_SEEDS; k++) {
			const double gain = j->g->of[COVERAGE_BY_SEEDS][s][k][what].mean;
			of = gain < least ? s : of;
			least = gain < least ? gain : least;
		}
	}
	study_claim(j->s, claim, least > 0, buf_made("the least gain is %+.1f%%, of %s", least, strategies[of].name));
}

/* Judges whether each strategy that looks at the links gains more pages than PageRank and OutDegree do. */
static void graph_based_over_heuristics(const struct judge *j)
{
	const double heuristic = fmax(mean_of(j, PAGERANK, COVERAGE_PAGES), mean_of(j, OUTDEGREE, COVERAGE_PAGES));
	int n = 0;

	for (size_t s = MAXOUT; s < COVERAGE_STRATEGIES; s++)
		n += mean_of(j, s, COVERAGE_PAGES) > heuristic;
	study_claim(j->s, "the graph-based strategies beat the heuristics", n == COVERAGE_STRATEGIES - MAXOUT,
		buf_made("%d of %d gain more pages than the better heuristic (%+.1f%%)", n, COVERAGE_STRATEGIES - MAXOUT,
			heuristic));
}

static void maxout_has_most_pages(const struct judge *j)
{
	size_t best = 0;

	for (size_t s = 1; s < COVERAGE_STRATEGIES; s++)
		if (mean_of(j, s, COVERAGE_PAGES) > mean_of(j, best, COVERAGE_PAGES))
			best = s;
	study_claim(j->s, "MaxOut covers most pages", best == MAXOUT,
		buf_made("best: %s, %+.1f%%; maxout %+.1f%%", strategies[best].name, mean_of(j, best, COVERAGE_PAGES),
			mean_of(j, MAXOUT, COVERAGE_PAGES)));
}

/* Judges whether the gains of MaxWeight with d = 2 and d = 3 differ by no more than the standard error of their difference. */
static void depths_are_alike(const struct judge *j)
{
	int n = 0;

	for (size_t k = 0; k < COVERAGE_SEEDS; k++) {
		const struct coverage_gain two = j->g->of[COVERAGE_BY_SEEDS][MAXWEIGHT2][k][COVERAGE_VALUE];
		const struct coverage_gain three = j->g->of[COVERAGE_BY_SEEDS][MAXWEIGHT3][k][COVERAGE_VALUE];
		n += fabs(two.mean - three.mean) <= sqrt(two.error * two.error + three.error * three.error);
	}
	study_claim(j->s, "MaxWeight with d = 2 is like d = 3", n == COVERAGE_SEEDS,
		buf_made("%+.1f%% and %+.1f%% on average; within a standard error at %d of %d k",
			mean_of(j, MAXWEIGHT2, COVERAGE_VALUE), mean_of(j, MAXWEIGHT3, COVERAGE_VALUE), n, COVERAGE_SEEDS));
}

/* Returns how the last gain of a series compares with its first: 1 it is above, -1 below, 0 neither. */
static int rise(const struct judge *j, int by, size_t strategy, int what)
{
	const double first = j->g->of[by][strategy][0][what].mean, last = j->g->of[by][strategy][points[by] - 1][what].mean;

	return (last > first) - (last < first);
}

/* Judges in which directions the gains move as there are more seeds, and as hops from the seeds are added. */
static void gains_move(const struct judge *j)
{
	int falls = 0, rises = 0, value_rises = 0;

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		falls += rise(j, COVERAGE_BY_SEEDS, s, COVERAGE_PAGES) < 0;
		rises += rise(j, COVERAGE_BY_HOPS, s, COVERAGE_PAGES) > 0;
		value_rises += rise(j, COVERAGE_BY_HOPS, s, COVERAGE_VALUE) > 0;
	}
	study_claim(j->s, "the gain falls with the number of seeds", falls == COVERAGE_STRATEGIES,
		buf_made("pages, k = 1 against 10: for %d of %d strategies", falls, COVERAGE_STRATEGIES));
	study_claim(j->s, "the gain rises with the number of hops", rises == COVERAGE_STRATEGIES,
		buf_made("h = 5 against 1: pages for %d, value for %d of %d strategies", rises, value_rises, COVERAGE_STRATEGIES));
}

/* Judges what the paper says by the figures of this study. */
static void claims(const struct judge *j)
{
	study_table(j->s, "claims", "What the paper says, and what is seen here",
		mem_text("Findings of Zheng, Dmitriev and Giles, judged by the figures below."), "claim verdict seen", STUDY_SHOWN);
	all_beat_random(j, COVERAGE_PAGES, "all strategies cover more pages than Random");
	over(j, "OutDegree covers more pages than PageRank", OUTDEGREE, PAGERANK, COVERAGE_PAGES);
	graph_based_over_heuristics(j);
	maxout_has_most_pages(j);
	if (j->in->with_values) {
		all_beat_random(j, COVERAGE_VALUE, "all strategies cover more value than Random");
		over(j, "OutDegree covers more value than PageRank", OUTDEGREE, PAGERANK, COVERAGE_VALUE);
		over(j, "MaxOut is poor in value: MaxWeight covers more", MAXWEIGHT2, MAXOUT, COVERAGE_VALUE);
	}
	over(j, "MaxWeight covers more value than MaxSCC", MAXWEIGHT2, MAXSCC, COVERAGE_VALUE);
	over(j, "MaxSCC covers more value than RootSCC", MAXSCC, ROOTSCC, COVERAGE_VALUE);
	over(j, "RootSCC covers less value than OutDegree", OUTDEGREE, ROOTSCC, COVERAGE_VALUE);
	depths_are_alike(j);
	gains_move(j);
}

/* --- tables and figures */

/* Draws the gains of all strategies over random seeds, by the number of seeds or of hops. */
static void draw(const struct judge *j, int what, int by)
{
	const char *of = by == COVERAGE_BY_HOPS ? "hops" : "seeds";
	struct chart chart = {.x_label = by == COVERAGE_BY_HOPS ? "links from a seed, h" : "seeds, k",
		.y_label = "improvement over random, %"};

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		chart_curve(&chart, strategies[s].name, CHART_CANDIDATE);
		for (size_t i = 0; i < points[by]; i++) {
			const struct coverage_gain g = j->g->of[by][s][i][what];
			const double error = isnan(g.error) ? 0 : g.error;
			chart_interval(&chart, (double)(i + 1), g.mean, g.mean - error, g.mean + error);
		}
	}
	study_chart(j->s, &chart, buf_made("%s-by-%s", what ? "value" : "pages", of),
		buf_made("%s coverage by %s", what ? "Value" : "Page", of),
		buf_made("%s within %s, in percent better than random seeds: mean over the sites, bars are standard errors.",
			what ? "Value covered" : "Pages covered",
			by == COVERAGE_BY_HOPS ? "h links of 5 seeds" : "5 links of k seeds"));
}

/* Writes the rows of all strategies, by the number of seeds or of hops. */
static void rows(const struct judge *j, int what, int by)
{
	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		for (size_t i = 0; i < points[by]; i++) {
			const struct coverage_gain *g = &j->g->of[by][s][i][what];
			STUDY_CELLS(j->s, cell_text(strategies[s].name), cell_text(what ? "value" : "pages"),
				cell_count(by == COVERAGE_BY_HOPS ? COVERAGE_FEW : i + 1),
				cell_count(by == COVERAGE_BY_HOPS ? i + 1 : COVERAGE_HOPS), cell_real(g->mean), cell_real(g->error),
				cell_count(g->sites));
		}
	}
}

/* Writes and draws the gains as means over the sites. */
static void averages(const struct judge *j)
{
	static const size_t shown[] = {0, 4, 9};

	study_table(j->s, "coverage_average", "What the strategies cover",
		buf_made(
			"Improvement over random seeds in percent, 5 hops, %u sites of %.0f pages on average, %u draws of random seeds.",
			j->g->sites, j->g->pages / j->g->sites, j->in->draws),
		"strategy pages,_k=1 pages,_k=5 pages,_k=10 value,_k=1 value,_k=5 value,_k=10", STUDY_SHOWN);
	for (int what = 0; what <= j->in->with_values; what++)
		for (int by = 0; by < 2; by++)
			draw(j, what, by);
	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		STUDY_CELLS(j->s, cell_text(strategies[s].name));
		for (int what = 0; what < 2; what++)
			for (size_t k = 0; k < 3; k++)
				STUDY_CELLS(j->s, cell_real(j->g->of[COVERAGE_BY_SEEDS][s][shown[k]][what].mean));
	}
}

/* Appends tables, figures and verdicts to a study. */
static void coverage_report(const struct coverage_study *in, const struct coverage_gains *gains, struct study *study)
{
	const struct judge j = {gains, in, study};

	claims(&j);
	averages(&j);
	study_table(study, "coverage", NULL, NULL, "strategy what seeds hops gain standard_error sites", STUDY_FILED);
	for (int what = 0; what < 2; what++)
		for (int by = 0; by < 2; by++)
			rows(&j, what, by);
}

struct measuring {
	const struct coverage_site *site;
	struct graph reverse;
	uint8_t *seen;
};

static void set_if_known(struct opt_set *opts, const char *name, uint32_t number)
{
	char text[40];

	for (const struct opt *o = opts->table; o && o->name; o++) {
		if (strcmp(o->name, name) != 0)
			continue;
		snprintf(text, sizeof text, "%s=%u", name, number);
		const int err = opt_give(opts, text, NULL);
		assert(!err);
		(void)err;
	}
}

/* Selects k seeds of a site by a strategy, with its options `hops` and `depth`, where it has them. */
static void select_seeds(const struct measuring *m, size_t strategy, uint32_t hops, size_t k, uint64_t rng_seed,
	struct seed_output *out)
{
	const struct seed_method *method = seed_method_named(strategies[strategy].method);
	struct opt_set opts;
	const struct seed_input in = {.graph = &m->site->graph,
		.reverse = &m->reverse,
		.value = m->site->value,
		.threads = 1,
		.rng_seed = rng_seed,
		.opts = &opts};

	opt_init(&opts, method->opts, method->name);
	set_if_known(&opts, "hops", hops);
	set_if_known(&opts, "depth", strategies[strategy].depth);
	const int err = method->select(&in, k, out, NULL);
	assert(!err);
	(void)err;
	opt_release(&opts);
}

/* Adds to covered[k] what the first k + 1 seeds cover, for k < most. If fewer seeds were found, the coverage of all of them
 * counts for every further k. */
static void cover(const struct measuring *m, const struct seed_output *found, uint32_t hops, size_t most, double (*covered)[2])
{
	const uint32_t nodes = m->site->graph.nodes;
	double pages = 0;
	int64_t value = 0;
	struct ball b;

	ball_init(&b, nodes);
	memset(m->seen, 0, nodes);
	for (size_t k = 0; k < most; k++) {
		if (k < found->n)
			ball_search(&b, &m->site->graph, &found->seed[k], 1, hops);
		else
			b.n = 0;
		for (uint32_t i = 0; i < b.n; i++) {
			if (m->seen[b.node[i]])
				continue;
			m->seen[b.node[i]] = 1;
			pages += 1;
			value += m->site->value ? m->site->value[b.node[i]] : SEED_VALUE_ONE;
		}
		covered[k][COVERAGE_PAGES] += pages;
		/* in whatever unit the values have: a gain is a quotient */
		covered[k][COVERAGE_VALUE] += (double)value / (double)SEED_VALUE_ONE;
	}
	ball_release(&b);
}

/* Adds the coverage of one strategy, with the seeds that it selects for this rng seed, to the sums in `out`. */
static void measure_one(const struct measuring *m, size_t strategy, uint64_t rng_seed, struct coverage_figures *out)
{
	for (uint32_t hops = 1; hops <= COVERAGE_HOPS; hops++) {
		AUTO(seed_output) found = {0};
		double few[COVERAGE_SEEDS][2] = {{0}};
		const size_t k = hops == COVERAGE_HOPS ? COVERAGE_SEEDS : COVERAGE_FEW;
		select_seeds(m, strategy, hops, k, rng_seed, &found);
		cover(m, &found, hops, k, few);
		for (int what = 0; what < 2; what++) {
			out->of[COVERAGE_BY_HOPS][strategy][hops - 1][what] += few[COVERAGE_FEW - 1][what];
			for (size_t i = 0; hops == COVERAGE_HOPS && i < k; i++)
				out->of[COVERAGE_BY_SEEDS][strategy][i][what] += few[i][what];
		}
	}
}

void coverage_measure(const struct coverage_site *site, uint32_t draws, uint64_t rng_seed, struct coverage_figures *out)
{
	struct measuring m = {.site = site, .seen = mem_new(site->graph.nodes, 1)};

	memset(out, 0, sizeof *out);
	graph_transpose(&site->graph, &m.reverse, 1);
	for (size_t s = 0; s < RANDOM; s++)
		measure_one(&m, s, rng_seed, out);
	for (uint32_t i = 0; i < draws; i++)
		measure_one(&m, RANDOM, rng_seed + i, out);
	for (int by = 0; by < 2; by++)
		for (size_t i = 0; i < points[by]; i++)
			for (int what = 0; what < 2; what++)
				out->of[by][RANDOM][i][what] /= draws;
	graph_release(&m.reverse);
	free(m.seen);
}

struct measured {
	const struct coverage_study *in;
	struct coverage_figures *figures;
	double *pages; /* of each site */
};

static void measure_site(void *ctx, uint32_t i)
{
	const struct measured *m = ctx;
	struct coverage_site site = {.value = NULL};

	m->in->make(m->in->ctx, i, &site);
	m->pages[i] = site.graph.nodes;
	coverage_measure(&site, m->in->draws, m->in->rng_seed, &m->figures[i]);
	graph_release(&site.graph);
	free(site.value);
}

/* Returns the mean gain of a strategy over random seeds in percent, over the sites where random seeds cover anything. */
static struct coverage_gain gain_of(const struct coverage_figures *f, uint32_t sites, int by, size_t strategy, size_t i, int what)
{
	double sum = 0, squares = 0, n = 0;

	for (uint32_t site = 0; site < sites; site++) {
		const double random = f[site].of[by][RANDOM][i][what];
		if (random <= 0)
			continue;
		const double gain = 100 * (f[site].of[by][strategy][i][what] - random) / random;
		n += 1;
		sum += gain;
		squares += gain * gain;
	}
	const double mean = n > 0 ? sum / n : NAN;
	const double variance = n > 1 ? fmax(0, squares - n * mean * mean) / (n - 1) : NAN;
	return (struct coverage_gain){mean, sqrt(variance / n), (uint32_t)n};
}

/* Computes the gains of each strategy over Random, by the number of seeds and by hops. */
static void summarise(const struct coverage_figures *f, uint32_t sites, struct coverage_gains *gains)
{
	for (int by = 0; by < 2; by++)
		for (size_t s = 0; s < COVERAGE_STRATEGIES; s++)
			for (size_t i = 0; i < points[by]; i++)
				for (int what = 0; what < 2; what++)
					gains->of[by][s][i][what] = gain_of(f, sites, by, s, i, what);
}

void coverage_study(const struct coverage_study *in, struct study *study)
{
	struct measured m = {in, mem_zero(in->sites, sizeof *m.figures), mem_zero(in->sites, sizeof *m.pages)};
	AUTO_FREE struct coverage_gains *gains = mem_zero(1, sizeof *gains);

	blocks_run(in->threads, in->sites, measure_site, &m);
	summarise(m.figures, in->sites, gains);
	gains->sites = in->sites;
	for (uint32_t i = 0; i < in->sites; i++)
		gains->pages += m.pages[i];
	coverage_report(in, gains, study);
	free(m.figures);
	free(m.pages);
}

/* Returns for each host whether a page of another host links to it. */
static uint8_t *find_entered(const struct coverage_sites *s, uint32_t hosts)
{
	uint8_t *entered = mem_zero(hosts, 1);

	for (uint32_t u = 0; u < s->graph->nodes; u++)
		for (uint64_t a = s->graph->offset[u]; a < s->graph->offset[u + 1]; a++)
			if (s->host[s->graph->target[a]] != s->host[u])
				entered[s->host[s->graph->target[a]]] = 1;
	return entered;
}

/* Returns how many of node[begin] to node[end - 1] were fetched. */
static uint32_t count_fetched(const struct coverage_sites *s, uint32_t begin, uint32_t end, const uint8_t *fetched)
{
	uint32_t n = 0;

	for (uint32_t at = begin; at < end; at++)
		n += !fetched || fetched[s->node[at]];
	return n;
}

void coverage_sites_init(struct coverage_sites *s, const struct graph *g, const uint32_t *host, uint32_t hosts,
	const int64_t *value, const uint8_t *fetched)
{
	*s = (struct coverage_sites){.graph = g,
		.host = host,
		.value = value,
		.site = mem_new(hosts, sizeof *s->site),
		.first = mem_zero((size_t)hosts + 2, sizeof *s->first),
		.node = mem_new(g->nodes, sizeof *s->node),
		.number = mem_new(g->nodes, sizeof *s->number)};
	AUTO_FREE uint8_t *entered = find_entered(s, hosts);
	for (uint32_t v = 0; v < g->nodes; v++)
		s->first[host[v] + 2]++;
	for (uint32_t i = 0; i < hosts; i++)
		s->first[i + 2] += s->first[i + 1];
	for (uint32_t v = 0; v < g->nodes; v++)
		s->node[s->first[host[v] + 1]++] = v;
	for (uint32_t i = 0; i < hosts; i++) {
		const uint32_t begin = s->first[i], end = s->first[i + 1];
		for (uint32_t at = begin; at < end; at++)
			s->number[s->node[at]] = at - begin;
		if (entered[i] && count_fetched(s, begin, end, fetched) >= COVERAGE_SITE_PAGES)
			s->site[s->n++] = i;
	}
}

void coverage_sites_release(struct coverage_sites *s)
{
	free(s->site);
	free(s->first);
	free(s->node);
	free(s->number);
	*s = (struct coverage_sites){0};
}

void coverage_sites_make(void *ctx, uint32_t i, struct coverage_site *site)
{
	const struct coverage_sites *s = ctx;
	const struct graph *g = s->graph;
	const uint32_t *node = s->node + s->first[s->site[i]];
	const uint32_t n = s->first[s->site[i] + 1] - s->first[s->site[i]];
	uint64_t *offset = mem_new((size_t)n + 1, sizeof *offset), arcs = 0, room = 0;

	for (uint32_t k = 0; k < n; k++)
		room += graph_outdegree(g, node[k]);
	uint32_t *target = mem_new(room, sizeof *target);
	for (uint32_t k = 0; k < n; k++) {
		offset[k] = arcs;
		for (uint64_t a = g->offset[node[k]]; a < g->offset[node[k] + 1]; a++)
			if (s->host[g->target[a]] == s->host[node[k]])
				target[arcs++] = s->number[g->target[a]];
	}
	offset[n] = arcs;
	graph_take_rows(&site->graph, n, offset, target, g->flags & GRAPH_ORDERED);
	site->value = s->value ? mem_new(n, sizeof *site->value) : NULL;
	for (uint32_t k = 0; s->value && k < n; k++)
		site->value[k] = s->value[node[k]];
}

void coverage_made_site(void *ctx, uint32_t i, struct coverage_site *site)
{
	const uint64_t seed = *(const uint64_t *)ctx;
	struct rng rng = {seed + ((uint64_t)i << 32)};
	struct generate with = GENERATE_DEFAULT;

	with.nodes = (uint32_t)(COVERAGE_SITE_PAGES * pow(10, rng_unit(&rng) * rng_unit(&rng)));
	with.arcs_per_node = 2 + 10 * rng_unit(&rng);
	with.intra_host = 0.5 + 0.5 * rng_unit(&rng); /* its hosts stand for sections */
	with.rng_seed = rng_next(&rng);
	generate(&with, &site->graph);
	site->value = mem_new(with.nodes, sizeof *site->value);
	const struct uniqueness p = {rng_below(&rng, 1000001), 1000000};
	for (uint32_t v = 0; v < with.nodes; v++) {
		const int spam = rng_below(&rng, 20) == 0, clicked = rng_below(&rng, 20) == 0;
		const uint64_t uncrawled = rng_below(&rng, 3) ? 0 : rng_below(&rng, 10);
		site->value[v] = attributes_value(spam, clicked, uncrawled, p);
	}
}

#define STEPS 50

/* The seeds of one kind, and the crawls from them, one of each policy. */
struct kind {
	const char *name;
	struct seed_output seeds;
	struct compare crawls; /* measured at each step */
};

struct grid {
	const struct seed_sources *in;
	struct benchmark benchmark;
	double at[STEPS];
	const struct policy **policy;
	struct opt_set *opts; /* of each policy: its usual ones */
	size_t policies, kinds;
	struct kind *kind; /* the draws of random seeds are the last */
};

/* Selects seeds by a method as the next kind, unless it finds none. */
static int choose(struct grid *g, const struct seed_method *m, uint64_t rng_seed, struct err_note *why)
{
	const struct seed_sources *in = g->in;
	struct kind *k = &g->kind[g->kinds];
	const struct seed_input given = {.host = in->host,
		.value = in->value,
		.barred = in->barred,
		.threads = in->threads,
		.rng_seed = rng_seed};
	const int err = method_seeds(m, in->data, &given, in->seeds, &k->seeds, why);

	k->name = m->name;
	if (!err && k->seeds.n)
		g->kinds++;
	else
		seed_output_release(&k->seeds);
	return err;
}

/* Selects the seeds of every method except random, and then `draws` sets of random ones. */
static int choose_all(struct grid *g, struct err_note *why)
{
	size_t methods = 0;

	while (seed_methods[methods])
		methods++;
	g->kind = mem_zero(methods + g->in->draws, sizeof *g->kind);
	for (size_t i = 0; i < methods; i++)
		if (seed_methods[i] != &seed_method_random && (seed_methods[i] != &seed_method_hits || g->in->host))
			TRY(choose(g, seed_methods[i], g->in->rng_seed, why));
	for (uint32_t d = 0; d < g->in->draws; d++)
		TRY(choose(g, &seed_method_random, g->in->rng_seed + d, why));
	return 0;
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
	g->opts = mem_new(n, sizeof *g->opts);
	for (size_t i = 0; i < n; i++) {
		if (!is_judged(policies[i], g->in->data))
			continue;
		opt_init(&g->opts[g->policies], policies[i]->opts, policies[i]->name);
		g->policy[g->policies++] = policies[i];
	}
}

/* Crawls from each kind of seeds with each policy. Returns the error of the first crawl that failed. */
static int run_all(struct grid *g, struct err_note *why)
{
	for (size_t k = 0; k < g->kinds; k++) {
		g->kind[k].crawls = (struct compare){.data = g->in->data,
			.crawl = {.benchmark = &g->benchmark, .rng_seed = g->in->rng_seed},
			.policies = g->policy,
			.opts = g->opts,
			.n_policies = g->policies,
			.seed_ids = g->kind[k].seeds.seed,
			.n_seed_ids = g->kind[k].seeds.n,
			.draws = 1,
			.at = g->at,
			.n_at = STEPS,
			.threads = g->in->threads};
		TRY(compare_run(&g->kind[k].crawls, why));
	}
	return 0;
}

/* Returns the mean over the draws of a kind of seeds, which are consecutive: of the AUC if step < 0, else of the throughput at
 * this step. */
static double grid_mean(const struct grid *g, size_t kind, size_t policy, int step)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = kind; k < g->kinds && g->kind[k].name == g->kind[kind].name; k++, n++) {
		const struct trial *t = &g->kind[k].crawls.trials[policy];
		sum += step < 0 ? t->auc : t->points[step].strict;
	}
	return sum / (double)n;
}

static int is_first(const struct grid *g, size_t kind)
{
	return !kind || g->kind[kind].name != g->kind[kind - 1].name;
}

/* Draws the hot pages that one policy finds, a curve for each kind of seeds. */
static void draw_grid(const struct grid *g, size_t policy, struct study *s)
{
	const char *name = g->policy[policy]->name;
	struct chart chart = {.x_label = "pages crawled, %", .y_label = "hot pages of all, %"};

	for (size_t k = 0; k < g->kinds; k++) {
		if (!is_first(g, k))
			continue;
		chart_curve(&chart, g->kind[k].name, CHART_CANDIDATE);
		for (int step = 0; step < STEPS; step++)
			chart_point(&chart, 100 * (step + 1) / (double)STEPS, 100 * grid_mean(g, k, policy, step));
	}
	study_chart(s, &chart, buf_made("kinds-%s", name), buf_made("Hot pages found by %s from each kind of seeds", name),
		buf_made("%s from each kind of seeds: hot pages found, of all.", name));
}

/* Writes the area under each curve, its difference from random seeds, and the curves. */
static void report(const struct grid *g, struct study *s)
{
	size_t random = g->kinds - g->in->draws;

	study_table(s, "kinds", "Hot pages from every kind of seeds",
		buf_made(
			"The area under the curve of hot pages found, of all, for %u seeds of each kind; random: mean of %u draws.",
			g->in->seeds, g->in->draws),
		"policy seeds auc against_random seeds_found", STUDY_SHOWN);
	for (size_t p = 0; p < g->policies; p++)
		draw_grid(g, p, s);
	for (size_t p = 0; p < g->policies; p++)
		for (size_t k = 0; k < g->kinds; k++)
			if (is_first(g, k))
				STUDY_CELLS(s, cell_text(g->policy[p]->name), cell_text(g->kind[k].name),
					cell_real(grid_mean(g, k, p, -1)),
					cell_real(grid_mean(g, k, p, -1) - grid_mean(g, random, p, -1)),
					cell_count(g->kind[k].seeds.n));
	study_table(s, "kinds_curves", NULL, NULL, "policy seeds fraction hot", STUDY_FILED);
	for (size_t p = 0; p < g->policies; p++)
		for (size_t k = 0; k < g->kinds; k++)
			for (int step = 0; is_first(g, k) && step < STEPS; step++)
				STUDY_CELLS(s, cell_text(g->policy[p]->name), cell_text(g->kind[k].name), cell_real(g->at[step]),
					cell_real(grid_mean(g, k, p, step)));
}

int seed_sources(const struct seed_sources *in, struct study *study, struct err_note *why)
{
	struct grid g = {.in = in};

	for (int step = 0; step < STEPS; step++)
		g.at[step] = (step + 1) / (double)STEPS;
	dataset_reverse(in->data, in->threads);
	benchmark_make(&g.benchmark, &in->data->graph, 1e-12, in->threads);
	list_policies(&g);
	int err = choose_all(&g, why);
	if (!err)
		err = run_all(&g, why);
	if (!err)
		report(&g, study);
	benchmark_release(&g.benchmark);
	for (size_t k = 0; k < g.kinds; k++) {
		compare_release(&g.kind[k].crawls);
		seed_output_release(&g.kind[k].seeds);
	}
	for (size_t i = 0; i < g.policies; i++)
		opt_release(&g.opts[i]);
	free(g.kind);
	free(g.policy);
	free(g.opts);
	return err;
}
