#include "lab/report/seeds_study.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/bfs.h"
#include "graph/kernels/degrees.h"
#include "graph/memory/blocks.h"
#include "lab/measure/stats.h"
#include "lab/measure/throughput.h"
#include "lab/report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS SEEDS_STUDY_LEVELS

/* The measurements that the verdicts on the claims rest on. */
struct evidence {
	struct core_distance_summary cores;
	double apart; /* the average distance of the graph */
	struct crawl_level own[LEVELS];
	struct interval pages[LEVELS], rank[LEVELS], mass[LEVELS]; /* of random seeds */
	double mean_hubs, mean_authorities;
};

/* --- cores */

/* Draws the numbers of hubs and authorities by the iteration that found the core. */
static void draw_cores(const struct seed_output *found, struct study *s)
{
	struct chart chart = {.x_label = "iteration", .y_label = "nodes", .y_scale = CHART_LOG};

	chart_curve(&chart, "hubs", CHART_CANDIDATE);
	for (size_t i = 0; i < found->cores; i++)
		chart_point(&chart, (double)(i + 1), (double)found->core[i].hubs);
	chart_curve(&chart, "authorities", CHART_CANDIDATE);
	for (size_t i = 0; i < found->cores; i++)
		chart_point(&chart, (double)(i + 1), (double)found->core[i].authorities);
	study_chart(s, &chart, mem_text("cores"), mem_text("Hubs and authorities of each core"),
		mem_text("Hubs and authorities of the core that each iteration extracts."));
}

/* Writes the cores, and notes the mean sizes for the claims. */
static void table_of_cores(const struct seeds_study *in, struct evidence *e, struct study *s)
{
	const struct seed_output *found = in->found;

	study_table(s, "cores", "Cores", NULL, "core seed hubs authorities density", STUDY_FILED);
	for (size_t i = 0; i < found->cores; i++) {
		const struct seed_core *c = &found->core[i];
		STUDY_CELLS(s, cell_count(i + 1), cell_count(graph_label(&in->data->graph, c->seed)), cell_count(c->hubs),
			cell_count(c->authorities), cell_real(c->density));
		e->mean_hubs += (double)c->hubs / (double)found->cores;
		e->mean_authorities += (double)c->authorities / (double)found->cores;
	}
	draw_cores(found, s);
}

/* Draws the cores as a map. */
static void draw_layout(const int32_t *distance, size_t n, struct study *s)
{
	AUTO_FREE double *x = mem_new(n, sizeof *x), *y = mem_new(n, sizeof *y);
	AUTO_FREE unsigned char *link = mem_zero(n * n, 1);
	struct drawing d;

	core_layout(distance, n, x, y);
	for (size_t i = 0; i < n * n; i++)
		link[i] = i / n != i % n && (distance[i] == 0 || distance[i] == 1);
	chart_map(&d, x, y, n, link);
	study_figure(s, &d, mem_text("core-map"), mem_text("The cores, drawn by their distances"),
		mem_text("The cores, named by the iteration that found them, drawn so that distances are "
			 "as near as may be to the shorter way between two; lines join cores that one link "
			 "parts at most. Cores without a way to the others lie outside."));
}

/* Writes how many ordered pairs of cores lie at each distance. Distances above the present one say whether a further row
 * follows. */
static void table_of_pairs(const int32_t *distance, size_t n, struct study *s)
{
	study_table(s, "distance_counts", NULL,
		mem_text("Ordered pairs of cores by their distance, and how many iterations apart they "
			 "were found, on average."),
		"distance pairs mean_iterations_apart", STUDY_SHOWN);
	for (int32_t d = 0, left = 1; left; d++) {
		uint64_t pairs = 0, apart = 0;
		left = 0;
		for (size_t i = 0; i < n * n; i++) {
			const size_t a = i / n, b = i % n;
			left |= a != b && distance[i] > d;
			if (a == b || distance[i] != d)
				continue;
			pairs++;
			apart += a > b ? a - b : b - a;
		}
		if (!pairs)
			continue;
		STUDY_CELLS(s, cell_count((uint64_t)d), cell_count(pairs), cell_real((double)apart / (double)pairs));
	}
}

/* Measures how far the cores are apart, in all and in pairs, and writes all of it. */
static void distances(const struct seeds_study *in, struct evidence *e, struct study *s)
{
	const size_t n = in->found->cores;
	AUTO_FREE int32_t *distance = mem_new(n * n, sizeof *distance);
	struct bfs_distance d = BFS_DISTANCE_DEFAULT;

	core_distances(&in->data->graph, in->found->core, n, in->threads, distance);
	core_distance_summarise(distance, n, &e->cores);
	d.threads = in->threads;
	d.rng_seed = in->rng_seed;
	bfs_distance(&in->data->graph, &d);
	e->apart = d.pairs ? d.average : NAN;
	study_table(s, "core_distances", "How far the cores are apart",
		mem_text("Shortest ways from any node of one core to any of another, on the whole graph; "
			 "the graph's average is that of shortest ways from 100 pages."),
		"figure value", STUDY_SHOWN);
	draw_layout(distance, n, s);
	STUDY_CELLS(s, cell_text("ordered pairs of cores"), cell_count(e->cores.pairs), cell_text("pairs with a way"),
		cell_count(e->cores.reached), cell_text("least distance"),
		cell_real(e->cores.reached ? (double)e->cores.least : NAN), cell_text("average distance"),
		cell_real(e->cores.average), cell_text("greatest distance"),
		cell_real(e->cores.reached ? (double)e->cores.most : NAN), cell_text("average distance of the graph"),
		cell_real(e->apart), cell_text("correlation of |i-j| with D(i,j)"), cell_real(e->cores.correlation),
		cell_text("its p, by shuffling the cores"), cell_real(e->cores.p));
	table_of_pairs(distance, n, s);
	study_table(s, "distances", NULL, NULL, "from to distance", STUDY_FILED);
	for (size_t i = 0; i < n * n; i++)
		STUDY_CELLS(s, cell_count(i / n + 1), cell_count(i % n + 1),
			distance[i] == CORE_UNREACHED ? cell_none() : cell_count((uint64_t)distance[i]));
}

/* --- crawls */

/* Returns the mean and interval of one figure over the draws; x[] has a row of `stride` figures for each draw. Draws where it is
 * NAN are left out. */
static struct interval over_draws(const double *x, uint32_t draws, size_t stride)
{
	AUTO_FREE double *known = mem_new(draws, sizeof *known);
	size_t n = 0;

	for (uint32_t i = 0; i < draws; i++)
		if (!isnan(x[i * stride]))
			known[n++] = x[i * stride];
	return stats_interval(known, n);
}

static size_t crawled_from(const struct seeds_study *in)
{
	return in->n < SEEDS_STUDY_CRAWLED ? in->n : SEEDS_STUDY_CRAWLED;
}

/* Crawls breadth first from the method's seeds and from draws of random ones, and notes what each level has found. */
static void crawl(const struct seeds_study *in, struct evidence *e)
{
	const struct graph *g = &in->crawled->graph;
	const size_t n = crawled_from(in);
	AUTO_FREE struct crawl_level *level = mem_new((size_t)in->draws * LEVELS, sizeof *level);
	uint32_t seed[SEEDS_STUDY_CRAWLED];
	AUTO(benchmark) b = {0};

	benchmark_make(&b, g, 1e-12, in->threads);
	crawl_levels(g, &b, in->seed, n, e->own, LEVELS);
	for (uint32_t i = 0; i < in->draws; i++) {
		struct rng rng = {in->rng_seed + i};
		rng_sample(&rng, g->nodes, (uint32_t)n, seed);
		crawl_levels(g, &b, seed, n, level + (size_t)i * LEVELS, LEVELS);
	}
	const size_t stride = sizeof *level / sizeof(double) * LEVELS;
	for (size_t l = 0; l < LEVELS; l++) {
		e->pages[l] = over_draws(&level[l].pages, in->draws, stride);
		e->rank[l] = over_draws(&level[l].rank, in->draws, stride);
		e->mass[l] = over_draws(&level[l].mass, in->draws, stride);
	}
}

static size_t deepest(const struct evidence *e)
{
	size_t n = 1;

	for (size_t l = 0; l < LEVELS; l++)
		if (e->own[l].pages > 0 || e->pages[l].mean > 0)
			n = l + 1;
	return n;
}

static void level_row(struct study *s, const char *from, size_t l, const struct interval v[3])
{
	STUDY_CELLS(s, cell_text(from), cell_count(l + 1));
	for (int i = 0; i < 3; i++)
		study_mean(s, v[i]);
}

/* Draws the mean PageRank (ranks: 1) or the number of pages of each level. */
static void draw_levels(const struct seeds_study *in, const struct evidence *e, int ranks, struct study *s)
{
	const struct interval *random = ranks ? e->rank : e->pages;
	struct chart chart = {.x_label = "iteration (depth + 1)",
		.y_label = ranks ? "mean PageRank, times N" : "pages",
		.y_scale = CHART_LOG};

	chart_curve(&chart, in->method, CHART_CANDIDATE);
	for (size_t l = 0; l < deepest(e); l++)
		chart_point(&chart, (double)(l + 1), ranks ? e->own[l].rank : e->own[l].pages);
	chart_curve(&chart, "random", CHART_CANDIDATE);
	for (size_t l = 0; l < deepest(e); l++)
		chart_interval(&chart, (double)(l + 1), random[l].mean, random[l].low, random[l].high);
	study_chart(s, &chart, mem_text(ranks ? "level-ranks" : "level-pages"),
		mem_text(ranks ? "Mean PageRank by iteration" : "Pages crawled by iteration"),
		mem_text(ranks ? "Mean PageRank of the pages that each iteration of a breadth-first crawl "
				 "finds; 1 is the mean of the graph. Bars are 95% intervals over draws of "
				 "random seeds."
			       : "Pages that each iteration of the same crawls finds."));
}

/* Writes and draws what the crawls have found at each level. */
static void levels(const struct seeds_study *in, struct evidence *e, struct study *s)
{
	crawl(in, e);
	study_table(s, "levels", "What a crawl from the seeds finds",
		buf_made("Breadth-first crawls from %zu seeds, and from as many random pages (%u draws, "
			 "95%% intervals): pages of each iteration, their mean PageRank times N, and the "
			 "PageRank of all so far.",
			crawled_from(in), in->draws),
		"seeds iteration pages pages_low pages_high rank rank_low rank_high mass mass_low mass_high", STUDY_SHOWN);
	draw_levels(in, e, 1, s);
	draw_levels(in, e, 0, s);
	for (size_t l = 0; l < deepest(e); l++) {
		const struct interval own[3] = {{e->own[l].pages, NAN, NAN}, {e->own[l].rank, NAN, NAN},
			{e->own[l].mass, NAN, NAN}};
		const struct interval random[3] = {e->pages[l], e->rank[l], e->mass[l]};
		level_row(s, in->method, l, own);
		level_row(s, "random", l, random);
	}
}

/* --- degrees */

/* Bins are so much wider than the one before: a log-log plot of raw counts is all noise at its end. */
#define POWER 1.3

/* Writes how many pages have each degree, in bins whose width grows by the factor POWER, and adds the middles of the bins and the
 * mean of pages over their width to the chart. */
static void add_degrees(const uint32_t *degree, uint32_t n, const char *side, struct study *s, struct chart *chart)
{
	uint32_t most = 0;

	for (uint32_t v = 0; v < n; v++)
		most = degree[v] > most ? degree[v] : most;
	AUTO_FREE uint64_t *pages = mem_zero((size_t)most + 1, sizeof *pages);
	for (uint32_t v = 0; v < n; v++)
		pages[degree[v]]++;
	for (uint64_t from = 0, end; from <= most; from = end) {
		uint64_t sum = 0;
		end = from ? (uint64_t)ceil((double)from * POWER) : 1;
		end = end > from ? end : from + 1;
		end = end < (uint64_t)most + 1 ? end : (uint64_t)most + 1;
		for (uint64_t d = from; d < end; d++)
			sum += pages[d];
		STUDY_CELLS(s, cell_text(side), cell_count(from), cell_count(end - 1), cell_count(sum));
		if (from && sum)
			chart_point(chart, sqrt((double)from * (double)(end - 1)), (double)sum / (double)(end - from));
	}
}

/* Appends the distributions of in- and out-degrees, links of pages to themselves left out: a table and a figure with
 * logarithmic axes. */
static void study_degrees(const struct graph *g, unsigned threads, struct study *s)
{
	AUTO_FREE uint32_t *degree = mem_new(g->nodes, sizeof *degree);
	struct chart chart = {.x_label = "degree",
		.y_label = "pages with that degree",
		.x_scale = CHART_LOG,
		.y_scale = CHART_LOG,
		.marks = CHART_POINTS};

	study_table(s, "degrees", "Degrees", NULL, "side degree_from degree_to pages", STUDY_FILED);
	chart_curve(&chart, "in-degree", CHART_CANDIDATE);
	degrees_in(g, degree, threads);
	add_degrees(degree, g->nodes, "in", s, &chart);
	chart_curve(&chart, "out-degree", CHART_CANDIDATE);
	degrees_out(g, degree, threads);
	add_degrees(degree, g->nodes, "out", s, &chart);
	study_chart(s, &chart, mem_text("degrees"), mem_text("Degree distributions"),
		mem_text("Pages by their links from and to others, both axes logarithmic, in bins that grow."));
}

/* --- claims */

/* Judges what the paper says of cores. A claim for which the graph has no evidence is undecided (-1). */
static void claims_of_cores(const struct evidence *e, struct study *s)
{
	const int pairs = e->cores.reached > 0, is_apart = pairs && !isnan(e->apart), has_order = !isnan(e->cores.correlation);

	study_claim(s, "cores have more hubs than authorities", e->mean_hubs > e->mean_authorities,
		buf_made("%.1f hubs and %.1f authorities a core on average", e->mean_hubs, e->mean_authorities));
	study_claim(s, "cores are apart: at least half the average distance of the graph",
		is_apart ? e->cores.average >= e->apart / 2 : -1,
		is_apart ? buf_made("%.2f between cores, %.2f between pages (the paper: 7.15 and 14.9)", e->cores.average, e->apart)
			 : buf_made("no way from one %s to another", pairs ? "page" : "core"));
	study_claim(s, "cores that are close are found in far iterations",
		has_order ? e->cores.correlation < 0 && e->cores.p < 0.05 : -1,
		has_order ? buf_made("correlation of |i-j| with D(i,j): %+.2f over %llu pairs, p %.3f", e->cores.correlation,
				    (unsigned long long)e->cores.reached, e->cores.p)
			  : buf_made("no correlation of |i-j| with D(i,j): %s",
				    pairs ? "one of them is always the same" : "no way from core to core"));
}

/* Judges what the paper says of crawls from its seeds. */
static void claims_of_crawls(const struct evidence *e, struct study *s)
{
	int rank = 0, compared = 0, pages = 0, above = 0;
	size_t n = deepest(e);
	double own = 0, random = 0;

	for (size_t l = 1; l < 4 && l < n; l++) {
		if (isnan(e->own[l].rank) || isnan(e->rank[l].mean))
			continue;
		compared++;
		rank += e->own[l].rank > e->rank[l].mean;
	}
	study_claim(s, "higher mean PageRank than from random seeds in iterations 2 to 4", compared ? rank == compared : -1,
		buf_made("at %d of %d iterations", rank, compared));
	for (size_t l = 0; l < n; l++) {
		own += e->own[l].pages;
		random += e->pages[l].mean;
		pages += own >= random;
		above += own > random;
	}
	study_claim(s, "more pages after each iteration than from random seeds", pages == (int)n,
		buf_made("ahead after %d of %zu iterations; %.0f pages in all against %.0f", above, n, own, random));
}

void seeds_study(const struct seeds_study *in, struct study *s)
{
	struct evidence e = {.apart = NAN};
	struct study details = {.tables = 0};

	if (in->found->cores) {
		table_of_cores(in, &e, &details);
		distances(in, &e, &details);
	}
	levels(in, &e, &details);
	study_degrees(&in->data->graph, in->threads, &details);
	study_table(s, "claims", "What the paper says, and what is seen here",
		mem_text("Claims of Daneshpajouh, Nasiri and Ghodsi, judged by the figures below."), "claim verdict seen",
		STUDY_SHOWN);
	if (in->found->cores)
		claims_of_cores(&e, s);
	claims_of_crawls(&e, s);
	study_append(s, &details);
}

#define NO_CORE UINT32_MAX

struct searching {
	const struct graph *g;
	const struct seed_core *core;
	size_t n;
	uint32_t *core_of; /* of a node; NO_CORE */
	int32_t *distance;
};

/* A breadth-first search from core i. */
struct search {
	const struct searching *all;
	int32_t *row;
	uint8_t *seen;
	uint32_t *queue, n;
	size_t met;
};

static void visit(struct search *s, uint32_t v, int32_t at)
{
	if (s->seen[v])
		return;
	s->seen[v] = 1;
	s->queue[s->n++] = v;
	const uint32_t c = s->all->core_of[v];
	if (c != NO_CORE && s->row[c] == CORE_UNREACHED) {
		s->row[c] = at;
		s->met++;
	}
}

/* Searches breadth first from all nodes of core i, and notes the level at which each other core is met. A task of blocks_run(). */
static void search_from(void *ctx, uint32_t i)
{
	const struct searching *all = ctx;
	const struct graph *g = all->g;
	const struct seed_core *core = &all->core[i];
	struct search s = {.all = all,
		.row = all->distance + (size_t)i * all->n,
		.seen = mem_zero(g->nodes, 1),
		.queue = mem_new(g->nodes, sizeof *s.queue)};
	uint32_t at = 0;

	for (size_t k = 0; k < core->hubs; k++)
		visit(&s, core->hub[k], 0);
	for (size_t k = 0; k < core->authorities; k++)
		visit(&s, core->authority[k], 0);
	for (int32_t level = 1; at < s.n && s.met < all->n; level++)
		for (const uint32_t end = s.n; at < end; at++)
			for (uint64_t a = g->offset[s.queue[at]]; a < g->offset[s.queue[at] + 1]; a++)
				visit(&s, g->target[a], level);
	free(s.seen);
	free(s.queue);
}

void core_distances(const struct graph *g, const struct seed_core *core, size_t n, unsigned threads, int32_t *distance)
{
	struct searching s = {g, core, n, mem_new(g->nodes, sizeof *s.core_of), distance};

	for (uint32_t v = 0; v < g->nodes; v++)
		s.core_of[v] = NO_CORE;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < core[i].hubs; k++)
			s.core_of[core[i].hub[k]] = (uint32_t)i;
		for (size_t k = 0; k < core[i].authorities; k++)
			s.core_of[core[i].authority[k]] = (uint32_t)i;
	}
	for (size_t i = 0; i < n * n; i++)
		distance[i] = CORE_UNREACHED;
	blocks_run(threads, (uint32_t)n, search_from, &s);
	free(s.core_of);
}

/* Returns Pearson's correlation of |name[i] - name[j]| with D(i, j) over the pairs with a path; NAN if one of both is constant. */
static double correlation(const int32_t *distance, size_t n, const uint32_t *name)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0, m = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			const double d = distance[i * n + j];
			const double apart = fabs((double)name[i] - (double)name[j]);
			if (i == j || distance[i * n + j] == CORE_UNREACHED)
				continue;
			m += 1;
			x += apart;
			y += d;
			xx += apart * apart;
			yy += d * d;
			xy += apart * d;
		}
	}
	const double spread = (m * xx - x * x) * (m * yy - y * y);
	return spread > 0 ? (m * xy - x * y) / sqrt(spread) : NAN;
}

#define SHUFFLES 999

/* Computes the correlation, and p: the share of SHUFFLES random orders of the cores, and of the order found, whose correlation
 * is at most that of the order found. */
static void correlate(const int32_t *distance, size_t n, struct core_distance_summary *summary)
{
	uint32_t *name = mem_new(n, sizeof *name), as_low = 1;
	struct rng rng = {1};

	for (size_t i = 0; i < n; i++)
		name[i] = (uint32_t)i;
	summary->correlation = correlation(distance, n, name);
	for (int round = 0; round < SHUFFLES && !isnan(summary->correlation); round++) {
		rng_sample(&rng, (uint32_t)n, (uint32_t)n, name);
		as_low += correlation(distance, n, name) <= summary->correlation;
	}
	if (!isnan(summary->correlation))
		summary->p = as_low / (SHUFFLES + 1.0);
	free(name);
}

void core_distance_summarise(const int32_t *distance, size_t n, struct core_distance_summary *summary)
{
	double sum = 0;

	*summary = (struct core_distance_summary){.pairs = (uint64_t)n * (n ? n - 1 : 0),
		.average = NAN,
		.correlation = NAN,
		.p = NAN};
	for (size_t i = 0; i < n * n; i++) {
		const int32_t d = distance[i];
		if (i / n == i % n || d == CORE_UNREACHED)
			continue;
		if (!summary->reached++ || d < summary->least)
			summary->least = d;
		if (d > summary->most)
			summary->most = d;
		sum += d;
	}
	if (summary->reached)
		summary->average = sum / (double)summary->reached;
	correlate(distance, n, summary);
}

#define LAYOUT_ROUNDS 500
#define PI            3.14159265358979323846

static double wanted(const int32_t *distance, size_t n, size_t i, size_t j, double far)
{
	const int32_t there = distance[i * n + j], back = distance[j * n + i];

	if (there == CORE_UNREACHED && back == CORE_UNREACHED)
		return far;
	const int32_t least = there == CORE_UNREACHED || (back != CORE_UNREACHED && back < there) ? back : there;
	return least > 0 ? least : 0.5;
}

/* Moves core i to the weighted mean of the positions that its target distances to the other cores ask for. */
static void move_point(const int32_t *distance, size_t n, size_t i, double far, double *x, double *y)
{
	double sum_x = 0, sum_y = 0, sum = 0;

	for (size_t j = 0; j < n; j++) {
		if (j == i)
			continue;
		const double d = wanted(distance, n, i, j, far), w = 1 / (d * d);
		const double dx = x[i] - x[j], dy = y[i] - y[j], apart = sqrt(dx * dx + dy * dy);
		const double pull = apart > 1e-9 ? d / apart : 0;
		sum_x += w * (x[j] + pull * dx);
		sum_y += w * (y[j] + pull * dy);
		sum += w;
	}
	if (sum > 0) {
		x[i] = sum_x / sum;
		y[i] = sum_y / sum;
	}
}

void core_layout(const int32_t *distance, size_t n, double *x, double *y)
{
	double far = 1;

	for (size_t i = 0; i < n * n; i++)
		far = distance[i] + 1 > far ? distance[i] + 1 : far;
	for (size_t i = 0; i < n; i++) {
		x[i] = far / 2 * cos(2 * PI * (double)i / (double)n);
		y[i] = far / 2 * sin(2 * PI * (double)i / (double)n);
	}
	for (int round = 0; round < LAYOUT_ROUNDS; round++)
		for (size_t i = 0; i < n; i++)
			move_point(distance, n, i, far, x, y);
}
