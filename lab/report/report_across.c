/* Several graphs taken together: the paper's Table II. */
#include "base/mem.h"
#include "lab/measure/across.h"
#include "lab/report/figure.h"
#include "lab/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The comparisons of a report, and the policies that all have. */
struct graphs {
	const struct compare **c;
	size_t n, *common, m;
};

/* As printed it is the best of those that are no yardsticks. */
static int is_best(const struct graphs *g, double x, double best, size_t policy)
{
	return fabs(x - best) < 0.5 && !summary_is_yardstick(g->c[0]->policies[policy]);
}

/* In tenths of a percent: of the graph, or beyond the last their mean. */
static double value(const struct graphs *g, size_t graph, size_t policy)
{
	size_t i = across_point(g->c[0]);

	if (graph == g->n)
		return round(1000 * across_mean(g->c, g->n, policy, MEASURE_HOT, i));
	size_t place = across_place(g->c[graph], g->c[0], policy);
	return round(1000 * summary_of(g->c[graph], place, MEASURE_HOT, i).mean);
}

static double best_value(const struct graphs *g, size_t graph)
{
	double best = NAN;

	for (size_t i = 0; i < g->m; i++)
		if (!summary_is_yardstick(g->c[0]->policies[g->common[i]]))
			best = fmax(best, value(g, graph, g->common[i]));
	return best;
}

static void row(struct writer *p, const struct graphs *g, const double *best, size_t policy)
{
	size_t at = across_point(g->c[0]);

	report_row_head(p->html, g->c[0], policy);
	for (size_t i = 0; i <= g->n; i++) {
		double x = value(g, i, policy);
		buf_format(p->html, "<td%s>%.1f</td>",
			is_best(g, x, best[i], policy) ? " class=\"best\"" : "", x / 10);
	}
	double place = across_rank(g->c, g->n, g->common, g->m, policy, MEASURE_HOT, at);
	if (isnan(place))
		buf_text(p->html, "<td>&ndash;</td>");
	else
		buf_format(p->html, "<td>%.1f</td>", place);
	buf_format(
		p->html, "<td>%.4f</td></tr>\n", across_mean(g->c, g->n, policy, MEASURE_AUC, 0));
}

static void table(struct writer *p, const struct graphs *g)
{
	double *best = mem_new(g->n + 1, sizeof *best);

	report_begin_scroll(p->html, "Table", ++p->tables);
	buf_format(p->html,
		"<table>\n<caption><b>Table %d.</b> Hot pages found (%%), of "
		"all, when %.4g%% of a graph is crawled, mean over %u draw%s; the mean of the "
		"graphs, the mean place on them, and the mean area under the curve.</caption>\n"
		"<thead><tr><th scope=\"col\">policy</th>",
		p->tables, 100 * g->c[0]->at[across_point(g->c[0])], g->c[0]->draws,
		g->c[0]->draws > 1 ? "s" : "");
	for (size_t i = 0; i <= g->n; i++) {
		best[i] = best_value(g, i);
		buf_text(p->html, "<th scope=\"col\">");
		figure_escape(
			p->html, i < g->n ? report_short_name(&p->report->graphs[i]) : "mean");
		buf_text(p->html, "</th>");
	}
	buf_text(p->html,
		"<th scope=\"col\">place</th><th scope=\"col\">AUC</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < g->m; i++)
		row(p, g, best, g->common[i]);
	buf_text(p->html, "</tbody></table></div>\n");
	free(best);
}

void report_across(struct writer *p)
{
	struct graphs g = {mem_new(p->report->n, sizeof *g.c), p->report->n, NULL, 0};

	for (size_t i = 0; i < g.n; i++)
		g.c[i] = p->report->graphs[i].compare;
	g.common = mem_new(g.c[0]->n_policies, sizeof *g.common);
	g.m = across_common(g.c, g.n, g.common);
	buf_text(p->html, "<h2>All graphs</h2>\n");
	if (g.m)
		table(p, &g);
	else
		buf_text(p->html, "<p>No policy ran on all of them.</p>\n");
	free(g.common);
	free(g.c);
}
