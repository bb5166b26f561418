/* The table of gaps: the challenger against the best of the others on each graph, and the yardstick. */
#include "base/mem.h"
#include "lab/measure/contest_gap.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100 /* percent */

/* Means of the graphs of one family, which count as one graph. */
struct family {
	const char *name;
	double difference, share;
	size_t graphs, shares; /* of them, those whose gap counts */
};

/* How many graphs the challenger is above and below on, at all and by more than the draws explain. */
struct tally {
	size_t above, surely_above, below, surely_below;
};

static void count_side(struct tally *t, const struct contest_gap *gap)
{
	const int is_sure = gap->p < CONTEST_LEVEL;

	t->above += gap->difference.mean >= 0;
	t->below += gap->difference.mean < 0;
	t->surely_above += is_sure && gap->difference.mean > 0;
	t->surely_below += is_sure && gap->difference.mean < 0;
}

/* Adds a graph's gap to the sums of its family, which is a new one if no earlier graph was of it. */
static void add_to_family(struct family *family, size_t *families, const struct contest_graph *g, const struct contest_gap *gap)
{
	struct family *f = family;

	while (f < family + *families && strcmp(f->name, g->family) != 0)
		f++;
	*families += f == family + *families;
	f->name = g->family;
	f->graphs++;
	f->difference += gap->difference.mean;
	if (!isnan(gap->share)) {
		f->shares++;
		f->share += gap->share;
	}
}

static void write_row(const struct contest *c, size_t graph, const struct contest_gap *gap, struct study *s)
{
	study_text(s, c->graph[graph].name);
	study_count(s, contest_kept(c, graph));
	study_text(s, c->method[gap->best]);
	study_real(s, POINTS * gap->of_best.mean);
	study_real(s, POINTS * gap->of_challenger.mean);
	study_real(s, POINTS * gap->of_yardstick.mean);
	study_interval(s, gap->difference, POINTS);
	study_real(s, gap->p);
	study_real(s, POINTS * gap->gap);
	study_real(s, POINTS * gap->share);
}

/* Writes the last row: the mean over families, each of which counts once, whatever the number of its graphs. */
static void write_means(const struct family *family, size_t families, struct study *s)
{
	double difference = 0, share = 0;
	size_t shares = 0;

	for (size_t i = 0; i < families; i++) {
		difference += family[i].difference / (double)family[i].graphs / (double)families;
		shares += family[i].shares > 0;
		share += family[i].shares ? family[i].share / (double)family[i].shares : 0;
	}
	study_text(s, "mean of independent graphs");
	for (int i = 0; i < 5; i++)
		study_none(s);
	study_interval(s, (struct interval){difference, NAN, NAN}, POINTS);
	study_none(s);
	study_none(s);
	study_real(s, shares ? POINTS * share / (double)shares : NAN);
}

static void write_caption(const struct contest *c, const struct tally *t, struct buf *out)
{
	const char *name = c->method[c->challenger];

	buf_format(out,
		"%s against the best of the other policies on each graph, which is chosen in hindsight, and the part of the gap "
		"from this best one to %s that it closes; in percentage points. p is Wilcoxon's over the draws, corrected by "
		"Holm's method for all other policies. A graph whose gap is below %.3g points has no share. %s is at or above the "
		"best of the others on %zu graphs (on %zu with p < %.2g) and below on %zu (on %zu with p < %.2g).",
		name, c->yardstick, POINTS * c->least_gap, name, t->above, t->surely_above, CONTEST_LEVEL, t->below,
		t->surely_below, CONTEST_LEVEL);
}

void contest_gaps(const struct contest *c, struct study *s)
{
	const char *const columns[] = {"graph", "draws", "best_of_the_others", "best", c->method[c->challenger], c->yardstick,
		"difference", "p", "gap", "share_of_the_gap,_%", NULL};
	struct contest_gap *gap = mem_zero(c->graphs, sizeof *gap);
	struct family *family = mem_zero(c->graphs, sizeof *family);
	struct buf caption = BUF_EMPTY;
	struct tally tally = {0};
	size_t families = 0;

	for (size_t g = 0; g < c->graphs; g++) {
		if (!contest_kept(c, g))
			continue;
		contest_gap(c, g, &gap[g]);
		count_side(&tally, &gap[g]);
		add_to_family(family, &families, &c->graph[g], &gap[g]);
	}
	write_caption(c, &tally, &caption);
	study_table(s, "gaps", "The gap to the yardstick", caption.at, columns, STUDY_SHOWN);
	for (size_t g = 0; g < c->graphs; g++)
		if (contest_kept(c, g))
			write_row(c, g, &gap[g], s);
	write_means(family, families, s);
	buf_release(&caption);
	free(family);
	free(gap);
}
