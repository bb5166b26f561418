#include "lab/report/coverage_report.h"
#include "base/ascii.h"
#include "lab/report/chart.h"

#include <math.h>
#include <stdio.h>

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
		sum += j->g->by_seeds[strategy][what][k].mean;
	return sum / COVERAGE_SEEDS;
}

/* Returns for how many numbers k of seeds one strategy is better than another. */
static int wins(const struct judge *j, size_t strategy, size_t other, int what)
{
	int n = 0;

	for (size_t k = 0; k < COVERAGE_SEEDS; k++)
		n += j->g->by_seeds[strategy][what][k].mean > j->g->by_seeds[other][what][k].mean;
	return n;
}

static void say(const struct judge *j, const char *claim, int holds, const char *seen)
{
	study_text(j->s, claim);
	study_text(j->s, holds ? "holds" : "does not hold");
	study_text(j->s, seen);
}

/* Appends the verdict on the claim that one strategy is better than another on average over k. */
static void over(const struct judge *j, const char *claim, size_t better, size_t worse, int what)
{
	char seen[160];

	ascii_format(seen, sizeof seen, "%+.1f%% against %+.1f%% on average; better at %d of %d k", mean_of(j, better, what),
		mean_of(j, worse, what), wins(j, better, worse, what), COVERAGE_SEEDS);
	say(j, claim, mean_of(j, better, what) > mean_of(j, worse, what), seen);
}

/* Judges whether the least gain of any strategy at any number of seeds is above 0. */
static void all_beat_random(const struct judge *j, int what, const char *claim)
{
	double least = INFINITY;
	size_t of = 0;
	char seen[160];

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		for (size_t k = 0; k < COVERAGE_SEEDS; k++) {
			if (j->g->by_seeds[s][what][k].mean >= least)
				continue;
			least = j->g->by_seeds[s][what][k].mean;
			of = s;
		}
	}
	ascii_format(seen, sizeof seen, "the least gain is %+.1f%%, of %s", least, coverage_strategy_name(of));
	say(j, claim, least > 0, seen);
}

/* Judges whether each strategy that looks at the links gains more pages than PageRank and OutDegree do. */
static void graph_based_over_heuristics(const struct judge *j)
{
	const double heuristic = fmax(mean_of(j, PAGERANK, COVERAGE_PAGES), mean_of(j, OUTDEGREE, COVERAGE_PAGES));
	int n = 0;
	char seen[160];

	for (size_t s = MAXOUT; s < COVERAGE_STRATEGIES; s++)
		n += mean_of(j, s, COVERAGE_PAGES) > heuristic;
	ascii_format(seen, sizeof seen, "%d of %d gain more pages than the better heuristic (%+.1f%%)", n,
		COVERAGE_STRATEGIES - MAXOUT, heuristic);
	say(j, "the graph-based strategies beat the heuristics", n == COVERAGE_STRATEGIES - MAXOUT, seen);
}

static void maxout_has_most_pages(const struct judge *j)
{
	size_t best = 0;
	char seen[160];

	for (size_t s = 1; s < COVERAGE_STRATEGIES; s++)
		if (mean_of(j, s, COVERAGE_PAGES) > mean_of(j, best, COVERAGE_PAGES))
			best = s;
	ascii_format(seen, sizeof seen, "best: %s, %+.1f%%; maxout %+.1f%%", coverage_strategy_name(best),
		mean_of(j, best, COVERAGE_PAGES), mean_of(j, MAXOUT, COVERAGE_PAGES));
	say(j, "MaxOut covers most pages", best == MAXOUT, seen);
}

/* Judges whether the gains of MaxWeight with d = 2 and d = 3 differ by no more than the standard error of their difference. */
static void depths_are_alike(const struct judge *j)
{
	const struct coverage_gain *two = j->g->by_seeds[MAXWEIGHT2][COVERAGE_VALUE];
	const struct coverage_gain *three = j->g->by_seeds[MAXWEIGHT3][COVERAGE_VALUE];
	int n = 0;
	char seen[160];

	for (size_t k = 0; k < COVERAGE_SEEDS; k++)
		n += fabs(two[k].mean - three[k].mean) <= sqrt(two[k].error * two[k].error + three[k].error * three[k].error);
	ascii_format(seen, sizeof seen, "%+.1f%% and %+.1f%% on average; within a standard error at %d of %d k",
		mean_of(j, MAXWEIGHT2, COVERAGE_VALUE), mean_of(j, MAXWEIGHT3, COVERAGE_VALUE), n, COVERAGE_SEEDS);
	say(j, "MaxWeight with d = 2 is like d = 3", n == COVERAGE_SEEDS, seen);
}

/* Judges in which directions the gains move as there are more seeds, and as hops from the seeds are added. */
static void gains_move(const struct judge *j)
{
	int falls = 0, rises = 0, value_rises = 0;
	char seen[160];

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		const struct coverage_gain *k = j->g->by_seeds[s][COVERAGE_PAGES];
		const struct coverage_gain *h = j->g->by_hops[s][COVERAGE_PAGES];
		const struct coverage_gain *v = j->g->by_hops[s][COVERAGE_VALUE];
		falls += k[0].mean > k[COVERAGE_SEEDS - 1].mean;
		rises += h[COVERAGE_HOPS - 1].mean > h[0].mean;
		value_rises += v[COVERAGE_HOPS - 1].mean > v[0].mean;
	}
	snprintf(seen, sizeof seen, "pages, k = 1 against 10: for %d of %d strategies", falls, COVERAGE_STRATEGIES);
	say(j, "the gain falls with the number of seeds", falls == COVERAGE_STRATEGIES, seen);
	snprintf(seen, sizeof seen, "h = 5 against 1: pages for %d, value for %d of %d strategies", rises, value_rises,
		COVERAGE_STRATEGIES);
	say(j, "the gain rises with the number of hops", rises == COVERAGE_STRATEGIES, seen);
}

/* Judges what the paper says by the figures of this study. */
static void claims(const struct judge *j)
{
	static const char *const columns[] = {"claim", "verdict", "seen", NULL};

	study_table(j->s, "claims", "What the paper says, and what is seen here",
		"Findings of Zheng, Dmitriev and Giles, judged by the figures below.", columns, STUDY_SHOWN);
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
static void draw(const struct judge *j, int what, int by_hops)
{
	enum { MOST = COVERAGE_SEEDS > COVERAGE_HOPS ? COVERAGE_SEEDS : COVERAGE_HOPS };
	const size_t points = by_hops ? COVERAGE_HOPS : COVERAGE_SEEDS;
	double x[MOST], y[COVERAGE_STRATEGIES][3][MOST];
	struct chart_curve curve[COVERAGE_STRATEGIES];
	struct drawing d;
	char label[80], name[80], caption[300];

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		const struct coverage_gain *g = by_hops ? j->g->by_hops[s][what] : j->g->by_seeds[s][what];
		for (size_t i = 0; i < points; i++) {
			const double error = isnan(g[i].error) ? 0 : g[i].error;
			x[i] = (double)(i + 1);
			y[s][0][i] = g[i].mean;
			y[s][1][i] = g[i].mean - error;
			y[s][2][i] = g[i].mean + error;
		}
		curve[s] = (struct chart_curve){coverage_strategy_name(s), x, y[s][0], y[s][1], y[s][2], points, 0};
	}
	const struct chart chart = {.x_label = by_hops ? "links from a seed, h" : "seeds, k",
		.y_label = "improvement over random, %",
		.curve = curve,
		.curves = COVERAGE_STRATEGIES};
	snprintf(label, sizeof label, "%s coverage by %s", what ? "Value" : "Page", by_hops ? "hops" : "seeds");
	snprintf(name, sizeof name, "%s-by-%s", what ? "value" : "pages", by_hops ? "hops" : "seeds");
	snprintf(caption, sizeof caption,
		"%s within %s, in percent better than random seeds: mean over the sites, bars are "
		"standard errors.",
		what ? "Value covered" : "Pages covered", by_hops ? "h links of 5 seeds" : "5 links of k seeds");
	chart_draw(&d, &chart);
	study_figure(j->s, name, &d, label, caption);
}

/* Writes the rows of all strategies, by the number of seeds or of hops. */
static void rows(const struct judge *j, int what, int by_hops)
{
	const size_t points = by_hops ? COVERAGE_HOPS : COVERAGE_SEEDS;

	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		for (size_t i = 0; i < points; i++) {
			const struct coverage_gain *g = by_hops ? &j->g->by_hops[s][what][i] : &j->g->by_seeds[s][what][i];
			study_text(j->s, coverage_strategy_name(s));
			study_text(j->s, what ? "value" : "pages");
			study_count(j->s, by_hops ? COVERAGE_FEW : i + 1);
			study_count(j->s, by_hops ? i + 1 : COVERAGE_HOPS);
			study_real(j->s, g->mean);
			study_real(j->s, g->error);
			study_count(j->s, g->sites);
		}
	}
}

/* Writes and draws the gains as means over the sites. */
static void averages(const struct judge *j)
{
	static const char *const columns[] = {"strategy", "pages,_k=1", "pages,_k=5", "pages,_k=10", "value,_k=1", "value,_k=5",
		"value,_k=10", NULL};
	char caption[240];

	ascii_format(caption, sizeof caption,
		"Improvement over random seeds in percent, 5 hops, %u sites of %.0f pages on "
		"average, %u draws of random seeds.",
		j->g->sites, j->g->pages / j->g->sites, j->in->draws);
	study_table(j->s, "coverage_average", "What the strategies cover", caption, columns, STUDY_SHOWN);
	for (int what = 0; what <= j->in->with_values; what++)
		for (int by_hops = 0; by_hops < 2; by_hops++)
			draw(j, what, by_hops);
	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		study_text(j->s, coverage_strategy_name(s));
		for (int what = 0; what < 2; what++) {
			study_real(j->s, j->g->by_seeds[s][what][0].mean);
			study_real(j->s, j->g->by_seeds[s][what][4].mean);
			study_real(j->s, j->g->by_seeds[s][what][9].mean);
		}
	}
}

void coverage_report(const struct coverage_study *in, const struct coverage_gains *gains, struct study *study)
{
	static const char *const columns[] = {"strategy", "what", "seeds", "hops", "gain", "standard_error", "sites", NULL};
	const struct judge j = {gains, in, study};

	claims(&j);
	averages(&j);
	study_table(study, "coverage", NULL, "", columns, STUDY_FILED);
	for (int what = 0; what < 2; what++)
		for (int by_hops = 0; by_hops < 2; by_hops++)
			rows(&j, what, by_hops);
}
