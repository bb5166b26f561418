/* Experiments as a contest, and the study that it is. */
#include "base/mem.h"
#include "cli/lab/experiment.h"
#include "lab/report/contest_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JUDGED 0.45 /* the IECA paper's point */

/* Two contests over the same crawls: `all` with every policy that ran on any graph; `candidates` with those that ran on every
 * graph and are no yardsticks. */
struct contests {
	struct contest all, candidates;
	struct contest_graph *graph; /* of both: 2 * n */
	const char **method;         /* of both: 2 * room */
};

static size_t place_of(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->n_policies; i++)
		if (strcmp(c->policies[i]->name, name) == 0)
			return i;
	return SIZE_MAX;
}

static int is_candidate(const struct experiment *x, size_t n, const char *name)
{
	for (size_t g = 0; g < n; g++) {
		const size_t place = place_of(&x[g].compare, name);
		if (place == SIZE_MAX || summary_is_yardstick(x[g].compare.policies[place]))
			return 0;
	}
	return 1;
}

static size_t list_methods(const struct experiment *x, size_t n, const char **method)
{
	size_t methods = 0;

	for (size_t g = 0; g < n; g++)
		for (size_t i = 0; i < x[g].compare.n_policies; i++) {
			const char *name = x[g].compare.policies[i]->name;
			size_t k = 0;
			while (k < methods && strcmp(method[k], name) != 0)
				k++;
			if (k == methods)
				method[methods++] = name;
		}
	return methods;
}

/* Returns the last part of a path. */
static const char *short_name(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && name[1] ? name + 1 : path;
}

/* Graphs are named by the last parts of their paths where those tell them apart. */
static int are_short_names_distinct(const struct experiment *x, size_t n)
{
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++)
			if (strcmp(short_name(x[a].graph_options->graph), short_name(x[b].graph_options->graph)) == 0)
				return 0;
	return 1;
}

static void set_graph(const struct experiment *x, const char *name, const struct contest *c, struct contest_graph *g)
{
	const struct compare **compare = mem_new(c->methods, sizeof *compare);
	size_t *place = mem_new(c->methods, sizeof *place);

	for (size_t m = 0; m < c->methods; m++) {
		compare[m] = &x->compare;
		place[m] = place_of(&x->compare, c->method[m]);
	}
	*g = (struct contest_graph){.name = name,
		.family = name,
		.seeds = x->compare.seeds,
		.fingerprint = x->found,
		.compare = compare,
		.place = place};
}

/* Returns the index of the point at which policies are judged: 45% of the pages, or the nearest point that was asked for. */
static size_t judged(const struct compare *c)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n_at; i++)
		if (fabs(c->at[i] - JUDGED) < fabs(c->at[best] - JUDGED))
			best = i;
	return best;
}

static void contests_make(struct contests *c, const struct experiment *x, size_t n)
{
	size_t room = 0, candidates = 0;

	for (size_t g = 0; g < n; g++)
		room += x[g].compare.n_policies;
	c->graph = mem_zero(2 * n, sizeof *c->graph);
	c->method = mem_new(2 * room, sizeof *c->method);
	c->all = (struct contest){.graph = c->graph,
		.graphs = n,
		.method = c->method,
		.methods = list_methods(x, n, c->method),
		.at = judged(&x->compare),
		.judge = MEASURE_DISCOVERABLE,
		.smallest_effect = 0.01,
		.draws = CONTEST_ALL_DRAWS};
	for (size_t m = 0; m < c->all.methods; m++)
		if (is_candidate(x, n, c->method[m]))
			c->method[room + candidates++] = c->method[m];
	c->candidates = c->all;
	c->candidates.graph = c->graph + n;
	c->candidates.method = c->method + room;
	c->candidates.methods = candidates;
	const int are_short = are_short_names_distinct(x, n);
	for (size_t g = 0; g < n; g++) {
		const char *path = x[g].graph_options->graph;
		const char *name = are_short ? short_name(path) : path;
		set_graph(&x[g], name, &c->all, &c->graph[g]);
		set_graph(&x[g], name, &c->candidates, &c->graph[n + g]);
	}
}

static void contests_release(struct contests *c)
{
	for (size_t g = 0; g < 2 * c->all.graphs; g++) {
		free((void *)(uintptr_t)c->graph[g].compare);
		free((void *)(uintptr_t)c->graph[g].place);
	}
	free(c->graph);
	free(c->method);
}

static char *title_of(const struct experiment *x, size_t n)
{
	struct buf title = BUF_EMPTY;

	if (n > 1)
		buf_format(&title, "Crawl policies on %zu graphs", n);
	else
		buf_format(&title, "Crawl policies on %s", short_name(x->graph_options->graph));
	return buf_take(&title);
}

void experiment_study(const struct experiment *x, size_t n, struct study *s)
{
	struct contests c;
	struct contest_across across;

	contests_make(&c, x, n);
	s->title = title_of(x, n);
	experiment_rows(x, n, s);
	experiment_times(x, n, s);
	experiment_agents(x, n, s);
	if (c.candidates.methods) {
		contest_across_make(&c.candidates, &across);
		contest_report(&c.candidates, &across, s);
		contest_across_release(&across);
	}
	contest_curves(&c.all, CONTEST_CURVES_ALL, s);
	contest_profiles(&c.all, x->report->timing ? CONTEST_TIMED : CONTEST_COUNTED, s);
	if (n > 1 && c.candidates.methods)
		contest_means(&c.candidates, s);
	contest_values(&c.all, s);
	contests_release(&c);
}
