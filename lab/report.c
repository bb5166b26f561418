#include "lab/report.h"
#include "base/mem.h"
#include "lab/charts.h"
#include "lab/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Who writes a page. */
struct writer {
	struct buf *html;
	const struct report *report;
	const struct compare *compare;
	size_t *order; /* policies, best first */
	int figures, tables;
	int undrawn; /* there is no gnuplot: no second try */
	struct err_note why;
};

/* --- what was done */

static void entry(struct buf *html, const char *name, const char *text)
{
	buf_format(html, "<dt>%s</dt><dd>", name);
	figure_escape(html, text);
	buf_text(html, "</dd>\n");
}

/* 1,234,567 */
static void count(struct buf *html, uint64_t n)
{
	if (n >= 1000) {
		uint64_t above = n / 1000, scale = 1;
		while (above / scale >= 1000)
			scale *= 1000;
		buf_format(html, "%llu", (unsigned long long)(above / scale));
		for (scale /= 1000; scale; scale /= 1000)
			buf_format(html, ",%03llu", (unsigned long long)(above / scale % 1000));
		buf_format(html, ",%03llu", (unsigned long long)(n % 1000));
	} else {
		buf_format(html, "%llu", (unsigned long long)n);
	}
}

static void count_entry(struct buf *html, const char *name, uint64_t n)
{
	buf_format(html, "<dt>%s</dt><dd>", name);
	count(html, n);
	buf_text(html, "</dd>\n");
}

static void protocol(const struct writer *p)
{
	const struct compare *c = p->compare;
	struct buf *html = p->html;

	buf_text(html, "<h2>Protocol</h2>\n<dl>\n");
	entry(html, "graph", p->report->graph);
	buf_format(html, "<dt>fingerprint</dt><dd><code>%016llx</code></dd>\n",
		(unsigned long long)p->report->fingerprint);
	count_entry(html, "pages", c->data->graph.nodes);
	count_entry(html, "links", c->data->graph.arcs);
	entry(html, "seeds", c->seeds);
	buf_format(html, "<dt>draws</dt><dd>%u, the first of %u seeds, by rng seed %llu</dd>\n",
		c->draws, c->trials[0].seeds, (unsigned long long)c->rng_seed);
	count_entry(html, "pages between rerankings", c->batch);
	buf_format(html,
		"<dt>benchmark</dt><dd>PageRank, damping 0.85, to an L1 change of %g</dd>\n",
		c->benchmark->tolerance);
	buf_text(html, "<dt>policies</dt><dd>");
	for (size_t i = 0; i < c->n_policies; i++) {
		struct buf text = BUF_EMPTY;
		opt_describe(&c->opts[i], &text);
		buf_text(html, i ? "<br>" : "");
		figure_escape(html, c->policies[i]->name);
		if (text.used) {
			buf_text(html, " <span class=\"dim\">");
			figure_escape(html, text.at);
			buf_text(html, "</span>");
		}
		buf_release(&text);
	}
	buf_format(html, "</dd>\n<dt>lycosa</dt><dd>%s</dd>\n</dl>\n", p->report->version);
}

/* The sentence without the name that it begins with. */
static const char *behind_name(const char *sentence, const char *name)
{
	size_t n = strlen(name);

	return strncmp(sentence, name, n) == 0 && sentence[n] == ' ' ? sentence + n + 1 : sentence;
}

static void standing(const struct writer *p)
{
	const struct compare *c = p->compare;

	buf_text(p->html, "<h2>Standing</h2>\n<p>By the area under the strict curve, best first");
	buf_text(p->html,
		c->draws > 1 ? ", each against the next on the same seeds:</p>\n" : ":</p>\n");
	buf_text(p->html, "<ol class=\"standing\">\n");
	for (size_t i = 0; i < c->n_policies; i++) {
		struct interval v = summary_of(c, p->order[i], MEASURE_AUC, 0);
		buf_text(p->html, "<li>");
		figure_escape(p->html, c->policies[p->order[i]]->name);
		buf_format(p->html, " %.4f", v.mean);
		if (c->draws > 1 && i + 1 < c->n_policies) {
			struct pair pair = summary_pair(c, p->order[i], p->order[i + 1]);
			struct buf text = BUF_EMPTY;
			summary_sentence(c, &pair, &text);
			buf_text(p->html, " <span class=\"dim\">");
			figure_escape(
				p->html, behind_name(text.at, c->policies[p->order[i]]->name));
			buf_text(p->html, "</span>");
			buf_release(&text);
		}
		buf_text(p->html, "</li>\n");
	}
	buf_text(p->html, "</ol>\n");
}

/* --- figures */

static void figure(struct writer *p, enum chart chart, const char *label, const char *caption)
{
	struct buf script = BUF_EMPTY, svg = BUF_EMPTY;

	if (p->undrawn)
		return;
	chart_script(&script, p->compare, p->order, chart);
	int err = figure_draw(&svg, &script, label, &p->why);
	p->undrawn = err == ERR_OTHER;
	if (!p->undrawn)
		buf_format(p->html,
			"<figure>\n%s<figcaption><b>Figure %d.</b> %s</figcaption>\n</figure>\n",
			err ? "<p>There is nothing to draw.</p>\n" : svg.at, ++p->figures, caption);
	buf_release(&svg);
	buf_release(&script);
}

/* --- tables */

struct column {
	enum measure measure;
	size_t i;
	double scale;
	int decimals;
	int lowest_is_best;
};

static void head_of(const struct writer *p, const struct column *column, struct buf *out)
{
	static const char *const names[] = {
		[MEASURE_AUC] = "AUC",
		[MEASURE_REGRET_IDEAL] = "regret, ideal",
		[MEASURE_REGRET_OMNISCIENT] = "regret, omniscient",
		[MEASURE_NS_A_LINK] = "ns a link",
	};

	if (column->measure <= MEASURE_NS_A_LINK)
		buf_text(out, names[column->measure]);
	else
		buf_format(out, "%.4g%%", 100 * p->compare->at[column->i]);
}

/* The best mean of a column among what is no yardstick. */
static double best_of(const struct writer *p, const struct column *column)
{
	double best = NAN;

	for (size_t i = 0; i < p->compare->n_policies; i++) {
		if (summary_is_yardstick(p->compare->policies[i]))
			continue;
		double x = summary_of(p->compare, i, column->measure, column->i).mean;
		best = column->lowest_is_best ? fmin(best, x) : fmax(best, x);
	}
	return best;
}

static void cell(const struct writer *p, const struct column *column, size_t policy, double best)
{
	struct interval v = summary_of(p->compare, policy, column->measure, column->i);

	/* as printed */
	double unit = pow(10, -column->decimals) / column->scale;
	int is_best = fabs(round(v.mean / unit) - round(best / unit)) < 0.5 &&
		      !summary_is_yardstick(p->compare->policies[policy]);
	buf_format(p->html, "<td%s>", is_best ? " class=\"best\"" : "");
	if (isnan(v.mean))
		buf_text(p->html, "&ndash;");
	else
		buf_format(p->html, "%.*f", column->decimals, column->scale * v.mean);
	if (!isnan(v.low))
		buf_format(p->html, " <small>&plusmn;%.*f</small>", column->decimals,
			column->scale * (v.high - v.mean));
	buf_text(p->html, "</td>");
}

static void row_head(const struct writer *p, size_t policy)
{
	buf_text(p->html, "<tr><th><span class=\"key\" style=\"background:");
	chart_colour(p->html, p->compare, policy);
	buf_text(p->html, "\"></span>");
	figure_escape(p->html, p->compare->policies[policy]->name);
	buf_text(p->html, "</th>");
}

static void table(struct writer *p, const struct column *columns, size_t n, const char *caption)
{
	double *best = mem_new(n, sizeof *best);

	buf_format(p->html,
		"<div class=\"scroll\"><table>\n<caption><b>Table %d.</b> %s</caption>\n"
		"<thead><tr><th>policy</th>",
		++p->tables, caption);
	for (size_t i = 0; i < n; i++) {
		best[i] = best_of(p, &columns[i]);
		buf_text(p->html, "<th>");
		head_of(p, &columns[i], p->html);
		buf_text(p->html, "</th>");
	}
	buf_text(p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->compare->n_policies; i++) {
		row_head(p, p->order[i]);
		for (size_t j = 0; j < n; j++)
			cell(p, &columns[j], p->order[i], best[j]);
		buf_text(p->html, "</tr>\n");
	}
	buf_text(p->html, "</tbody></table></div>\n");
	free(best);
}

/* A column a point, and the measures of the whole crawl behind them. */
static void table_of_points(struct writer *p, enum measure m, double scale, int decimals,
	const enum measure *more, size_t n_more, const char *caption)
{
	size_t n = p->compare->n_at;
	struct column *columns = mem_zero(n + n_more, sizeof *columns);

	for (size_t i = 0; i < n; i++)
		columns[i] = (struct column){m, i, scale, decimals, 0};
	for (size_t i = 0; i < n_more; i++)
		columns[n + i] = (struct column){more[i], 0, 1,
			more[i] == MEASURE_NS_A_LINK ? 1 : 4, more[i] != MEASURE_AUC};
	table(p, columns, n + n_more, caption);
	free(columns);
}

static void pair_cell(const struct writer *p, size_t policy, size_t other)
{
	static const char *const classes[] = {"", " class=\"good\"", " class=\"bad\"", ""};

	if (policy == other) {
		buf_text(p->html, "<td></td>");
		return;
	}
	struct pair pair = summary_pair(p->compare, policy, other);
	buf_format(p->html, "<td%s title=\"", classes[pair.verdict]);
	struct buf text = BUF_EMPTY;
	summary_sentence(p->compare, &pair, &text);
	figure_escape(p->html, text.at);
	buf_release(&text);
	buf_format(p->html, "; Wilcoxon p %.2g\">%+.3f%s</td>", pair.p, pair.difference.mean,
		pair.verdict == VERDICT_EQUAL ? "&thinsp;=" : "");
}

static void matrix(struct writer *p)
{
	const struct compare *c = p->compare;

	buf_format(p->html,
		"<div class=\"scroll\"><table class=\"matrix\">\n<caption><b>Table %d.</b> AUC of "
		"the row "
		"less AUC of the column, mean over %u draws, on the same seeds. Blue: the row is "
		"better, "
		"orange: worse, by a 95%% bootstrap interval; =: they cannot be told apart.",
		++p->tables, c->draws);
	if (c->draws < SUMMARY_DRAWS)
		buf_format(p->html, " Fewer than %d draws tell nothing apart.", SUMMARY_DRAWS);
	buf_text(p->html,
		" Nothing is corrected for the number of pairs: one in twenty that are equal will "
		"not look it.</caption>\n<thead><tr><th></th>");
	for (size_t i = 0; i < c->n_policies; i++) {
		buf_text(p->html, "<th>");
		figure_escape(p->html, c->policies[p->order[i]]->name);
		buf_text(p->html, "</th>");
	}
	buf_text(p->html, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < c->n_policies; i++) {
		row_head(p, p->order[i]);
		for (size_t j = 0; j < c->n_policies; j++)
			pair_cell(p, p->order[i], p->order[j]);
		buf_text(p->html, "</tr>\n");
	}
	buf_text(p->html, "</tbody></table></div>\n");
}

/* --- the page */

#define MEANING                                                                                    \
	"Fraction of the <i>K</i> hot pages (those of highest PageRank) among the first <i>K</i> " \
	"crawled, of those that the seeds reach, against <i>K</i>/<i>N</i>. Grey: yardsticks "     \
	"that know the whole graph."

static void curves(struct writer *p)
{
	buf_text(p->html, "<h2>Which policy finds the hot pages first</h2>\n");
	figure(p, CHART_DISCOVERABLE,
		"Hot pages found, of those discoverable, against the fraction crawled",
		p->compare->draws > 1 ? MEANING " Bands: 95% intervals of the mean over the draws."
				      : MEANING);
	static const enum measure area[] = {MEASURE_AUC};
	table_of_points(p, MEASURE_DISCOVERABLE, 100, 1, NULL, 0,
		"Hot pages found (%), of those discoverable, when so much of the graph is "
		"crawled.");
	figure(p, CHART_HOT, "Hot pages found, of all, against the fraction crawled",
		"The same, of all hot pages, whether links lead to them or not (strict "
		"throughput).");
	table_of_points(p, MEASURE_HOT, 100, 1, area, 1,
		"Hot pages found (%), of all, and the area under that curve.");
	static const struct column regrets[] = {{MEASURE_AUC, 0, 1, 4, 0},
		{MEASURE_REGRET_OMNISCIENT, 0, 1, 4, 1}, {MEASURE_REGRET_IDEAL, 0, 1, 4, 1}};
	table(p, regrets, 3,
		"The area under the strict curve, and what it falls short of a crawl that knows "
		"the best "
		"of the pages it has discovered (omniscient) and of taking the hot pages in order "
		"(ideal).");
	figure(p, CHART_MASS, "PageRank found against the fraction crawled",
		"PageRank of the pages crawled, of all PageRank.");
	table_of_points(
		p, MEASURE_MASS, 100, 1, NULL, 0, "PageRank of the pages crawled (%), of all.");
	table_of_points(p, MEASURE_LIFT, 100, 1, NULL, 0,
		"Lift (%) over a random crawl: 0 finds hot pages at random, 100 finds all.");
	if (p->compare->with_tau)
		table_of_points(p, MEASURE_TAU, 1, 3, NULL, 0,
			"Kendall's &tau;<sub>b</sub> between the PageRank of the crawled part on "
			"its own and "
			"that of the whole graph.");
}

static void profiles(struct writer *p)
{
	buf_text(p->html, "<h2>Where the crawls went</h2>\n");
	figure(p, CHART_WINDOW, "Mean PageRank of each window of the crawl",
		"Mean PageRank of each fortieth of the graph, in the order crawled; 1 is the mean "
		"of the graph.");
	figure(p, CHART_DEPTH_RANK, "Mean PageRank by depth",
		"Mean PageRank of the pages by their depth when they were first discovered; the "
		"seeds are at "
		"0. Where a policy went deeper than is drawn, <code>results.tsv</code> goes on.");
	figure(p, CHART_DEPTH_PAGES, "Pages crawled by depth",
		"Pages crawled at each such depth, mean over the draws.");
	if (p->undrawn)
		buf_text(p->html, "<p>The profiles by window and depth are in "
				  "<code>results.tsv</code>.</p>\n");
}

static void costs(struct writer *p)
{
	static const enum measure more[] = {MEASURE_AUC, MEASURE_NS_A_LINK};

	if (!p->report->with_cost)
		return;
	buf_text(p->html, "<h2>What it costs</h2>\n");
	figure(p, CHART_COST, "CPU time a link against the area under the curve",
		"Area under the strict curve against the CPU time of the crawl loop, policy and "
		"frontier, a link.");
	struct column columns[] = {{more[0], 0, 1, 4, 0}, {more[1], 0, 1, 1, 1}};
	table(p, columns, 2, "Cost against quality.");
}

int report_write(struct buf *html, const struct report *r, struct err_note *why)
{
	struct writer p = {.html = html, .report = r, .compare = r->compare};
	const char *name = strrchr(r->graph, '/');
	struct buf title = BUF_EMPTY;

	p.order = mem_new(p.compare->n_policies, sizeof *p.order);
	summary_order(p.compare, p.order);
	buf_format(&title, "Crawl policies on %s", name && name[1] ? name + 1 : r->graph);
	report_begin_page(html, title.at);
	buf_release(&title);
	uint32_t seeds = p.compare->trials[0].seeds;
	buf_format(html, "<p class=\"dim\">%zu polic%s, %u draw%s of %u seed%s, ",
		p.compare->n_policies, p.compare->n_policies > 1 ? "ies" : "y", p.compare->draws,
		p.compare->draws > 1 ? "s" : "", seeds, seeds > 1 ? "s" : "");
	count(html, p.compare->data->graph.nodes);
	buf_text(html, " pages, ");
	count(html, p.compare->data->graph.arcs);
	buf_text(html, " links</p>\n");
	standing(&p);
	curves(&p);
	if (p.compare->draws > 1 && p.compare->n_policies > 1) {
		buf_text(html, "<h2>Which differences are real</h2>\n");
		matrix(&p);
	}
	profiles(&p);
	costs(&p);
	protocol(&p);
	if (p.undrawn)
		buf_text(html, "<p>The figures are left out: gnuplot was missing when this was "
			       "made.</p>\n");
	buf_text(html,
		"<p class=\"dim\">Every number is in <code>results.tsv</code>, the curves are in "
		"<code>curves.tsv</code>; <code>lycosa compare --from manifest.json</code> makes "
		"the same "
		"again.</p>\n</main>\n</body>\n</html>\n");
	free(p.order);
	if (p.undrawn && why)
		*why = p.why;
	return p.undrawn ? ERR_OTHER : 0;
}
