/* The tables of a report. */
#include "base/mem.h"
#include "lab/report/charts.h"
#include "lab/report/figure.h"
#include "lab/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_count(struct buf *html, uint64_t n)
{
	if (n >= 1000) {
		report_count(html, n / 1000); /* seven levels at most */
		buf_format(html, ",%03llu", (unsigned long long)(n % 1000));
	} else {
		buf_format(html, "%llu", (unsigned long long)n);
	}
}

const char *report_short_name(const struct report_graph *g)
{
	const char *name = strrchr(g->name, '/');

	return name && name[1] ? name + 1 : g->name;
}

static void head_of(const struct writer *p, const struct column *column, struct buf *out)
{
	static const char *const names[] = {
		[MEASURE_AUC] = "AUC",
		[MEASURE_REGRET_IDEAL] = "regret, ideal",
		[MEASURE_REGRET_OMNISCIENT] = "regret, omniscient",
		[MEASURE_NS_A_LINK] = "ns a link",
		[MEASURE_NS_A_PAGE] = "ns a page",
		[MEASURE_BYTES_A_PAGE] = "bytes a page",
		[MEASURE_EFFORT] = "operations a link",
	};

	if (column->measure < MEASURE_HOT)
		buf_text(out, names[column->measure]);
	else
		buf_format(out, "%.4g%%", 100 * p->compare->at[column->i]);
}

/* With a minus sign in place of a hyphen, never before a zero; `plus` before what is above. */
static void number(struct buf *html, double x, int decimals, const char *plus)
{
	double unit = pow(10, -decimals), shown = round(x / unit);

	buf_format(html, "%s%.*f",
		shown < 0   ? "&minus;"
		: shown > 0 ? plus
			    : "",
		decimals, fabs(x));
}

/* One of the last printed digit of a column. */
static double unit_of(const struct column *column)
{
	return pow(10, -column->decimals) / column->scale;
}

/* The best mean of a column among what is no yardstick; NAN where all are equal as printed. */
static double best_of(const struct writer *p, const struct column *column)
{
	double low = NAN, high = NAN, unit = unit_of(column);

	for (size_t i = 0; column->best != NONE_IS_BEST && i < p->compare->n_policies; i++) {
		if (summary_is_yardstick(p->compare->policies[i]))
			continue;
		double x = summary_of(p->compare, i, column->measure, column->i).mean;
		low = fmin(low, x);
		high = fmax(high, x);
	}
	if (!(round(high / unit) - round(low / unit) > 0.5))
		return NAN;
	return column->best == LOWEST_IS_BEST ? low : high;
}

static void cell(const struct writer *p, const struct column *column, size_t policy, double best)
{
	struct interval v = summary_of(p->compare, policy, column->measure, column->i);

	double unit = unit_of(column); /* as printed */
	int is_best = fabs(round(v.mean / unit) - round(best / unit)) < 0.5 &&
		      !summary_is_yardstick(p->compare->policies[policy]);
	buf_format(p->html, "<td%s>", is_best ? " class=\"best\"" : "");
	if (isnan(v.mean))
		buf_text(p->html, "&ndash;");
	else
		number(p->html, column->scale * v.mean, column->decimals, "");
	if (!isnan(v.low))
		buf_format(p->html, " <small>&plusmn;%.*f</small>", column->decimals,
			column->scale * (v.high - v.mean));
	buf_text(p->html, "</td>");
}

void report_row_head(struct buf *html, const struct compare *c, size_t policy)
{
	buf_text(html, "<tr><th scope=\"row\"><span class=\"key\" style=\"background:");
	chart_colour(html, c, policy);
	buf_text(html, "\"></span>");
	figure_escape(html, c->policies[policy]->name);
	buf_text(html, "</th>");
}

static void begin_table(struct writer *p, const char *attributes, const char *caption)
{
	report_begin_scroll(p->html, "Table", ++p->tables);
	buf_format(p->html,
		"<table%s>\n<caption><b>Table %d.</b> %s</caption>\n"
		"<thead><tr><th scope=\"col\">policy</th>",
		attributes, p->tables, caption);
}

void report_table(struct writer *p, const struct column *columns, size_t n, const char *caption)
{
	double *best = mem_new(n, sizeof *best);

	begin_table(p, "", caption);
	for (size_t i = 0; i < n; i++) {
		best[i] = best_of(p, &columns[i]);
		buf_text(p->html, "<th scope=\"col\">");
		head_of(p, &columns[i], p->html);
		buf_text(p->html, "</th>");
	}
	buf_text(p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->compare->n_policies; i++) {
		report_row_head(p->html, p->compare, p->order[i]);
		for (size_t j = 0; j < n; j++)
			cell(p, &columns[j], p->order[i], best[j]);
		buf_text(p->html, "</tr>\n");
	}
	buf_text(p->html, "</tbody></table></div>\n");
	free(best);
}

void report_table_of_points(struct writer *p, enum measure m, double scale, int decimals,
	enum table_area area, const char *caption)
{
	size_t n = p->compare->n_at;
	struct column *columns = mem_zero(n + 1, sizeof *columns);

	for (size_t i = 0; i < n; i++)
		columns[i] = (struct column){m, i, scale, decimals, HIGHEST_IS_BEST};
	columns[n] = (struct column){MEASURE_AUC, 0, 1, 4, HIGHEST_IS_BEST};
	report_table(p, columns, n + (area == WITH_AREA), caption);
	free(columns);
}

static void pair_cell(const struct writer *p, size_t policy, size_t other)
{
	static const char *const classes[] = {"", " class=\"good\"", " class=\"bad\"", ""};

	if (policy == other) {
		buf_text(p->html, "<td></td>");
		return;
	}
	const struct pair *pair = &p->pairs[policy * p->compare->n_policies + other];
	buf_format(p->html, "<td%s title=\"", classes[pair->verdict]);
	struct buf text = BUF_EMPTY;
	verdict_sentence(p->compare, pair, &text);
	figure_escape(p->html, text.at);
	buf_release(&text);
	if (!isnan(pair->p))
		buf_format(p->html, "; Wilcoxon p %.2g, corrected %.2g", pair->p, pair->corrected);
	buf_text(p->html, "\">");
	number(p->html, 1e3 * pair->difference.mean, 1, "+");
	buf_text(p->html, pair->verdict == VERDICT_BETTER || pair->verdict == VERDICT_WORSE
				  ? "*</td>"
				  : "</td>");
}

void report_matrix(struct writer *p)
{
	const struct compare *c = p->compare;

	report_begin_scroll(p->html, "Table", ++p->tables);
	buf_format(p->html,
		"<table class=\"matrix\">\n<caption><b>Table %d.</b> AUC of "
		"the row less AUC of the column, in thousandths, mean over %u draws, on the same seeds. *: they "
		"differ (blue: the row is better, orange: worse) by Wilcoxon's signed-rank test, "
		"p &lt; %g after Holm's correction for all pairs, and by the 95%% interval of the "
		"mean difference.",
		p->tables, c->draws, VERDICT_LEVEL);
	if (c->draws < verdict_draws(c))
		buf_format(p->html, " %u draws tell nothing apart; %u or more are needed.",
			c->draws, verdict_draws(c));
	buf_text(p->html, "</caption>\n<thead><tr><th scope=\"col\">policy</th>");
	for (size_t i = 0; i < c->n_policies; i++) {
		buf_text(p->html, "<th scope=\"col\">");
		figure_escape(p->html, c->policies[p->order[i]]->name);
		buf_text(p->html, "</th>");
	}
	buf_text(p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < c->n_policies; i++) {
		report_row_head(p->html, c, p->order[i]);
		for (size_t j = 0; j < c->n_policies; j++)
			pair_cell(p, p->order[i], p->order[j]);
		buf_text(p->html, "</tr>\n");
	}
	buf_text(p->html, "</tbody></table></div>\n");
}

static void work_cell(struct buf *html, double x)
{
	buf_text(html, "<td>");
	if (isnan(x))
		buf_text(html, "&ndash;");
	else
		report_count(html, (uint64_t)llround(x));
	buf_text(html, "</td>");
}

static const char *const work_heads[] = {
	[WORK_LINKS] = "links <i>E</i>",
	[WORK_KEY_UPDATES] = "keys changed",
	[WORK_HEAP_MOVES] = "heap moves",
	[WORK_HEAP_BOUND] = "<i>E</i> log<sub>2</sub> <i>V</i>",
	[WORK_RANKED_PAGES] = "pages ranked",
	[WORK_RANKED_LINKS] = "links ranked",
	[WORK_RANK_BOUND] = "50 <i>E</i> (<i>K</i>+1)",
	[WORK_PEAK] = "most queued",
	[WORK_BYTES] = "bytes a page",
};

void report_work_table(struct writer *p)
{
	const struct compare *c = p->compare;

	begin_table(p, " class=\"wide\"",
		"What a crawl had to do, mean over the draws: links read as pages were crawled, "
		"queued pages whose key a link changed, moves within the heap and what the paper "
		"allows for them, pages and links visited to rank what is known and what the paper "
		"allows for <i>K</i> rankings, most pages queued at once, and the bytes kept a "
		"page of the graph.");
	for (int i = 0; i < WORK_FIGURES; i++)
		buf_format(p->html, "<th scope=\"col\">%s</th>", work_heads[i]);
	buf_text(p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < c->n_policies; i++) {
		report_row_head(p->html, c, p->order[i]);
		for (int j = 0; j < WORK_FIGURES; j++)
			work_cell(p->html, summary_of_work(c, p->order[i], (enum work_figure)j));
		buf_text(p->html, "</tr>\n");
	}
	buf_text(p->html, "</tbody></table></div>\n");
}
