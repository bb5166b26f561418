#include "base/mem.h"
#include "graph/kernels/degrees.h"
#include "lab/study/seeds_study.h"

#include <math.h>
#include <stdlib.h>

#define POWER                                                                                      \
	1.3 /* from one bin to the next: log-log plots of raw counts are all noise at the end */

/* Pages by degree in bins that grow; the mean over the width of a bin is what is drawn. */
static void bin(
	const uint32_t *degree, uint32_t n, const char *side, struct study *s, struct buf *script)
{
	uint32_t most = 0;

	for (uint32_t v = 0; v < n; v++)
		most = degree[v] > most ? degree[v] : most;
	uint64_t *pages = mem_zero((size_t)most + 1, sizeof *pages);
	for (uint32_t v = 0; v < n; v++)
		pages[degree[v]]++;
	buf_format(script, "$%s << EOD\n", side);
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
		if (from && sum)
			buf_format(script, "%.9g %.9g\n", sqrt((double)from * (double)(end - 1)),
				(double)sum / (double)(end - from));
	}
	buf_text(script, "EOD\n");
	free(pages);
}

void study_degrees(const struct graph *g, unsigned threads, struct study *s)
{
	static const char *const columns[] = {"side", "degree_from", "degree_to", "pages", NULL};
	uint32_t *degree = mem_new(g->nodes, sizeof *degree);
	struct buf script = BUF_EMPTY;

	study_table(s, "degrees", "Degrees", "", columns, STUDY_FILED);
	study_script(
		&script, "degree", "pages with that degree", "set logscale xy\nset format '%g'\n");
	degrees_in(g, degree, threads);
	bin(degree, g->nodes, "in", s, &script);
	degrees_out(g, degree, threads);
	bin(degree, g->nodes, "out", s, &script);
	buf_format(&script,
		"plot $in using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb '%s' title "
		"'in-degree', $out using 1:2 with points pointtype 5 pointsize 0.6 linecolor rgb "
		"'%s' title 'out-degree'\n",
		study_colour(0), study_colour(1));
	study_figure(s, &script, "Degree distributions",
		"Pages by their links from and to others, both axes logarithmic, in bins that "
		"grow.");
	free(degree);
}
