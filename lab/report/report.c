#include "base/mem.h"
#include "base/num.h"
#include "lab/report/charts.h"
#include "lab/report/figure.h"
#include "lab/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what was done */

static void entry(struct buf *html, const char *name, const char *text)
{
	buf_format(html, "<dt>%s</dt><dd>", name);
	figure_escape(html, text);
	buf_text(html, "</dd>\n");
}

static void count_entry(struct buf *html, const char *name, uint64_t n)
{
	buf_format(html, "<dt>%s</dt><dd>", name);
	report_count(html, n);
	buf_text(html, "</dd>\n");
}

static void protocol(const struct writer *p)
{
	const struct compare *c = p->compare;
	struct buf *html = p->html;
	char fingerprint[FINGERPRINT_ROOM];

	buf_text(html, "<h2>Protocol</h2>\n<dl>\n");
	entry(html, "graph", p->graph->name);
	entry(html, "fingerprint", fingerprint_text(p->graph->fingerprint, fingerprint));
	count_entry(html, "pages", c->nodes);
	count_entry(html, "links", c->arcs);
	entry(html, "seeds", c->seeds);
	buf_format(html, "<dt>draws</dt><dd>%u, the first of %u seeds, by rng seed %llu</dd>\n",
		c->draws, c->trials[0].seeds, (unsigned long long)c->rng_seed);
	count_entry(html, "pages between rerankings", c->batch);
	entry(html, "hot pages",
		p->report->ties ? "the first K by PageRank, and those as good as the K-th"
				: "the first K by PageRank, ties by number");
	buf_format(html,
		"<dt>benchmark</dt><dd>PageRank, damping 0.85, to an L1 change of %g</dd>\n",
		c->tolerance);
	if (c->draws > 1 && c->n_policies > 1)
		buf_format(html,
			"<dt>verdicts</dt><dd>Wilcoxon&rsquo;s signed-rank test of the AUC on the "
			"same draws, p &lt; %g after Holm&rsquo;s correction for %zu pairs, and the "
			"95%% interval (Student&rsquo;s t) of the mean difference</dd>\n",
			VERDICT_LEVEL, c->n_policies * (c->n_policies - 1) / 2);
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

/* A hyphen before a number is a minus. */
static void sentence(struct buf *html, const char *text)
{
	struct buf typeset = BUF_EMPTY;

	for (const char *c = text; *c; c++)
		if (*c == '-' && c > text && strchr(" [", c[-1]) && c[1] >= '0' && c[1] <= '9')
			buf_text(&typeset, "\xe2\x88\x92");
		else
			buf_byte(&typeset, (unsigned char)*c);
	buf_end(&typeset);
	figure_escape(html, typeset.at);
	buf_release(&typeset);
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
			const struct pair *pair =
				&p->pairs[p->order[i] * c->n_policies + p->order[i + 1]];
			struct buf text = BUF_EMPTY;
			verdict_sentence(c, pair, &text);
			buf_text(p->html, " <span class=\"dim\">");
			sentence(p->html, behind_name(text.at, c->policies[p->order[i]]->name));
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
		report_figure(p->html, ++p->figures, err ? NULL : svg.at, caption);
	buf_release(&svg);
	buf_release(&script);
}

/* --- the page */

#define MEANING                                                                                    \
	"Fraction of the <i>K</i> hot pages (those of highest PageRank) among the first <i>K</i> " \
	"crawled, of those that the seeds reach, against <i>K</i>/<i>N</i>. Grey: yardsticks "     \
	"that know the whole graph."

#define FOUND                                                                                          \
	"Hot pages found (%), of those discoverable, when so much of the graph is crawled. Bold: the " \
	"best that is no yardstick."

static void curves(struct writer *p)
{
	buf_text(p->html, "<h2>Which policy finds the hot pages first</h2>\n");
	figure(p, CHART_DISCOVERABLE,
		"Hot pages found, of those discoverable, against the fraction crawled",
		p->compare->draws >= CHART_BAND_DRAWS ? MEANING
			" Bands: 95% intervals of the mean over the draws."
						      : MEANING);
	report_table_of_points(p, MEASURE_DISCOVERABLE, 100, 1, WITHOUT_AREA,
		p->compare->draws > 1 ? FOUND
			" &plusmn;: half of the 95% interval of the mean over the draws."
				      : FOUND);
	figure(p, CHART_HOT, "Hot pages found, of all, against the fraction crawled",
		"The same, of all hot pages, whether links lead to them or not (strict "
		"throughput).");
	report_table_of_points(p, MEASURE_HOT, 100, 1, WITH_AREA,
		"Hot pages found (%), of all, and the area under that curve.");
	static const struct column regrets[] = {{MEASURE_AUC, 0, 1, 4, HIGHEST_IS_BEST},
		{MEASURE_REGRET_OMNISCIENT, 0, 1, 4, LOWEST_IS_BEST},
		{MEASURE_REGRET_IDEAL, 0, 1, 4, LOWEST_IS_BEST}};
	report_table(p, regrets, 3,
		"The area under the strict curve, and what it falls short of a crawl that knows "
		"the best "
		"of the pages it has discovered (omniscient) and of taking the hot pages in order "
		"(ideal).");
	figure(p, CHART_MASS, "PageRank found against the fraction crawled",
		"PageRank of the pages crawled, of all PageRank.");
	report_table_of_points(p, MEASURE_MASS, 100, 1, WITHOUT_AREA,
		"PageRank of the pages crawled (%), of all.");
	report_table_of_points(p, MEASURE_LIFT, 100, 1, WITHOUT_AREA,
		"Lift (%) over a random crawl: 0 finds hot pages at random, 100 finds all.");
	if (p->compare->with_tau)
		report_table_of_points(p, MEASURE_TAU, 1, 3, WITHOUT_AREA,
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

static void looks(struct writer *p)
{
	buf_text(p->html, "<h2>What it had to look at</h2>\n");
	figure(p, CHART_PART, "Pages that take part in the ranking against the fraction crawled",
		"Pages that take part in the computation of importance, of all: those queued or, "
		"under policies that rank all they know, those crawled as well.");
	report_work_table(p);
	figure(p, CHART_EFFORT, "Operations a link against the area under the curve",
		"Quality against cost: the area under the strict curve, and links read, moves in "
		"the heap and links visited for a ranking, a link read.");
	static const struct column cheap[] = {{MEASURE_AUC, 0, 1, 4, HIGHEST_IS_BEST},
		{MEASURE_EFFORT, 0, 1, 2, LOWEST_IS_BEST},
		{MEASURE_BYTES_A_PAGE, 0, 1, 1, LOWEST_IS_BEST}};
	report_table(p, cheap, 3, "Quality, operations and memory.");
}

static void costs(struct writer *p)
{
	static const struct column columns[] = {{MEASURE_AUC, 0, 1, 4, HIGHEST_IS_BEST},
		{MEASURE_NS_A_LINK, 0, 1, 1, LOWEST_IS_BEST},
		{MEASURE_NS_A_PAGE, 0, 1, 0, LOWEST_IS_BEST}};

	if (!p->report->with_cost)
		return;
	buf_text(p->html, "<h2>What it cost here</h2>\n");
	figure(p, CHART_COST, "CPU time a link against the area under the curve",
		"Area under the strict curve against the CPU time of the crawl loop, policy and "
		"frontier, a link.");
	report_table(p, columns, 3, "CPU time of the crawl loop against quality.");
}

static void section(struct writer *p, const struct report_graph *graph)
{
	const struct compare *c = graph->compare;
	uint32_t seeds = c->trials[0].seeds;

	p->graph = graph;
	p->compare = c;
	p->order = mem_new(c->n_policies, sizeof *p->order);
	summary_order(c, p->order);
	p->pairs = verdict_pairs(c);
	if (p->report->n > 1) {
		buf_text(p->html, "<h1 class=\"graph\">");
		figure_escape(p->html, report_short_name(graph));
		buf_text(p->html, "</h1>\n");
	}
	buf_format(p->html, "<p class=\"dim\">%zu polic%s, %u draw%s of %u seed%s, ", c->n_policies,
		c->n_policies > 1 ? "ies" : "y", c->draws, c->draws > 1 ? "s" : "", seeds,
		seeds > 1 ? "s" : "");
	report_count(p->html, c->nodes);
	buf_text(p->html, " pages, ");
	report_count(p->html, c->arcs);
	buf_text(p->html, " links</p>\n");
	standing(p);
	curves(p);
	if (c->draws > 1 && c->n_policies > 1) {
		buf_text(p->html, "<h2>Which differences are real</h2>\n");
		report_matrix(p);
	}
	profiles(p);
	looks(p);
	costs(p);
	protocol(p);
	free(p->pairs);
	free(p->order);
}

int report_write(struct buf *html, const struct report *r, struct err_note *why)
{
	struct writer p = {.html = html, .report = r};
	struct buf title = BUF_EMPTY;

	if (r->n > 1)
		buf_format(&title, "Crawl policies on %zu graphs", r->n);
	else
		buf_format(&title, "Crawl policies on %s", report_short_name(&r->graphs[0]));
	report_begin_page(html, title.at);
	buf_release(&title);
	if (r->n > 1)
		report_across(&p);
	for (size_t i = 0; i < r->n; i++)
		section(&p, &r->graphs[i]);
	if (p.undrawn)
		buf_text(html, "<p>The figures are left out: gnuplot was missing when this was "
			       "made.</p>\n");
	buf_text(html,
		"<p class=\"dim\">Every number is in <code>results.tsv</code>, the curves are in "
		"<code>curves.tsv</code>; <code>lycosa compare --from manifest.json</code> makes "
		"the same "
		"again.</p>\n</main>\n</body>\n</html>\n");
	if (p.undrawn && why)
		*why = p.why;
	return p.undrawn ? ERR_OTHER : 0;
}
