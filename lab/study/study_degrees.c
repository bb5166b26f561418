#include "base/mem.h"
#include "graph/kernels/degrees.h"
#include "lab/report/chart.h"
#include "lab/study/seeds_study.h"

#include <math.h>
#include <stdlib.h>

/* Bins are so much wider than the one before: a log-log plot of raw counts is all noise at its end. */
#define POWER    1.3
#define BINS_MAX 100 /* 1.3 to the 84th is beyond 2^32 */

/* The middles of bins and the mean of pages over their width. */
struct bins {
	double degree[BINS_MAX], pages[BINS_MAX];
	size_t n;
};

/* Writes how many pages have each degree, in bins whose width grows by the factor POWER, and keeps the bins for the fit. */
static void add_degrees(const uint32_t *degree, uint32_t n, const char *side, struct study *s, struct bins *out)
{
	uint32_t most = 0;

	for (uint32_t v = 0; v < n; v++)
		most = degree[v] > most ? degree[v] : most;
	uint64_t *pages = mem_zero((size_t)most + 1, sizeof *pages);
	for (uint32_t v = 0; v < n; v++)
		pages[degree[v]]++;
	for (uint64_t from = 0, end; from <= most; from = end) {
		uint64_t sum = 0;
		end = from ? (uint64_t)ceil((double)from * POWER) : 1;
		end = end > from ? end : from + 1;
		end = end < (uint64_t)most + 1 ? end : (uint64_t)most + 1;
		for (uint64_t d = from; d < end; d++)
			sum += pages[d];
		study_text(s, side);
		study_count(s, from);
		study_count(s, end - 1);
		study_count(s, sum);
		if (!from || !sum || out->n == BINS_MAX)
			continue;
		out->degree[out->n] = sqrt((double)from * (double)(end - 1));
		out->pages[out->n++] = (double)sum / (double)(end - from);
	}
	free(pages);
}

void study_degrees(const struct graph *g, unsigned threads, struct study *s)
{
	static const char *const columns[] = {"side", "degree_from", "degree_to", "pages", NULL};
	uint32_t *degree = mem_new(g->nodes, sizeof *degree);
	struct bins in = {.n = 0}, out = {.n = 0};
	struct drawing d;

	study_table(s, "degrees", "Degrees", "", columns, STUDY_FILED);
	degrees_in(g, degree, threads);
	add_degrees(degree, g->nodes, "in", s, &in);
	degrees_out(g, degree, threads);
	add_degrees(degree, g->nodes, "out", s, &out);
	const struct chart_curve curve[] = {{.name = "in-degree", .x = in.degree, .y = in.pages, .n = in.n},
		{.name = "out-degree", .x = out.degree, .y = out.pages, .n = out.n}};
	const struct chart chart = {.x_label = "degree",
		.y_label = "pages with that degree",
		.x_scale = CHART_LOG,
		.y_scale = CHART_LOG,
		.marks = CHART_POINTS,
		.curve = curve,
		.curves = 2};
	chart_draw(&d, &chart);
	study_figure(s, "degrees", &d, "Degree distributions",
		"Pages by their links from and to others, both axes logarithmic, in bins that grow.");
	free(degree);
}
