/* What an experiment prints: its facts, its rows, and who is best. */
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/lab/experiment.h"
#include "cli/lab/study_files.h"
#include "lab/study/summary.h"
#include "lab/report/contest_report.h"
#include "lab/study/seedset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What the agents of a crawl did: the table "agents" of replay, compare and study. */

static void add_row(struct study *s, const struct trial *t, const char *agent, const struct fleet_share *one, double idle)
{
	STUDY_CELLS(s, cell_text(t->policy->name), cell_count(t->draw), cell_text(agent), cell_count(one->partitions),
		cell_count(one->pages), cell_count(one->crawled), cell_real(idle), cell_count(one->letters), cell_count(one->bytes),
		cell_count(one->taken));
}

static void add_trial(struct study *s, const struct trial *t, const char *graph, int with_each)
{
	const struct fleet_figures *f = t->figures;
	char name[16];

	if (graph)
		STUDY_CELLS(s, cell_text(graph));
	add_row(s, t, "all", &f->all, fleet_idle(f));
	STUDY_CELLS(s, cell_count(f->ticks), cell_count(f->moves), cell_count(f->twice));
	for (unsigned a = 0; with_each && a < f->agents; a++) {
		const struct fleet_share *one = &f->share[a];
		snprintf(name, sizeof name, "%u", a);
		if (graph)
			STUDY_CELLS(s, cell_text(graph));
		add_row(s, t, name, one, f->ticks ? (double)one->idle / (double)f->ticks : 0);
		STUDY_CELLS(s, cell_count(f->ticks), cell_none(), cell_none());
	}
}

/* Appends a table "agents" if the crawls have agents: a row a policy and draw with the sums, and, of a single crawl, a row an
 * agent. */
static void experiment_agents(const struct experiment *x, size_t graphs, struct study *s)
{
	static const char columns[] =
		"graph policy draw agent partitions pages crawled idle letters bytes arrived ticks moves twice";
	const int is_single = graphs == 1 && x->compare.n_policies * x->compare.draws == 1;

	if (!x->compare.crawl.fleet)
		return;
	study_table(s, "agents", "Agents",
		mem_text(
			"What the agents did, and how many letters they sent. idle: the share of the turns without a page; moves: partitions "
			"that moved to another agent; twice: pages "
			"that were asked for more than once."),
		columns + (graphs > 1 ? 0 : sizeof "graph"), STUDY_FILED);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			if (c->trials[t].figures)
				add_trial(s, &c->trials[t], graphs > 1 ? x[g].o->graph.graph : NULL, is_single);
	}
}

/* --- What the orders of other crawlers were: the tables "orders" and "unknown" of measure. */

#define UNKNOWN_SHOWN 1000 /* pages of an order that are not in the graph, and are named */

static void add_order(const struct experiment *x, const struct crawl_order *o, const char *crawler, uint32_t draw, struct study *s)
{
	STUDY_CELLS(s, cell_text(crawler), cell_count(draw), cell_text(o->path), cell_text(o->format), cell_count(o->read),
		cell_count(o->pages), cell_count(o->entries), cell_count(o->repeated), cell_count(o->redirects),
		cell_count(o->failed), cell_count(o->unknown), cell_count(o->name.count));
	if (o->unknown)
		log_say("%s, draw %u: %llu entries are of %zu%s pages that are not in '%s'; the first is '%.200s'", crawler, draw,
			(unsigned long long)o->unknown, o->name.count, o->names_more ? " or more" : "", x->o->graph.graph,
			o->name.text.at);
}

static void add_unknown(const struct crawl_order *o, const char *crawler, uint32_t draw, struct study *s)
{
	for (size_t i = 0; i < o->name.count && i < UNKNOWN_SHOWN; i++)
		STUDY_CELLS(s, cell_text(crawler), cell_count(draw), cell_text(o->name.text.at + o->name.start[i]));
}

/* Appends the tables if orders were measured. */
static void experiment_orders(const struct experiment *x, struct study *s)
{
	const struct crawl_orders *all = &x->orders;

	if (!all->crawlers)
		return;
	study_table(s, "orders", "Orders",
		mem_text(
			"The orders that were given. pages: distinct pages of the graph that were fetched; began_with: of these, those to which "
			"no page before them links; not_in_graph: entries of other pages, and how many distinct ones."),
		"crawler draw file format entries pages began_with repeated redirects failed not_in_graph distinct", STUDY_FILED);
	for (size_t i = 0; i < all->crawlers * all->draws; i++)
		add_order(x, &all->order[i], all->name[i / all->draws], (uint32_t)(i % all->draws) + 1, s);
	study_table(s, "unknown", NULL,
		mem_text("Pages that were fetched and are not in the graph, the first thousand of an order."), "crawler draw page",
		STUDY_FILED);
	for (size_t i = 0; i < all->crawlers * all->draws; i++)
		add_unknown(&all->order[i], all->name[i / all->draws], (uint32_t)(i % all->draws) + 1, s);
}

/* Adds the facts that belong to one graph. */
static void tell_graph(const struct experiment *x, struct study *s)
{
	char text[FINGERPRINT_ROOM];

	study_fact(s, "graph", cell_text(x->o->graph.graph));
	study_fact(s, "format", cell_text(x->format));
	study_fact(s, "fingerprint", cell_text(fingerprint_text(x->found, text)));
	study_fact(s, "nodes", cell_count(x->compare.nodes));
}

static int is_told(const struct study *s, const char *text)
{
	for (size_t i = 0; i < s->facts; i++)
		if (strcmp(s->fact[i].name, "policy") == 0 && strcmp(s->fact[i].value.text, text) == 0)
			return 1;
	return 0;
}

/* Policies with their options, each once. */
static void tell_policies(const struct experiment *x, size_t n, struct study *s)
{
	for (size_t g = 0; g < n; g++)
		for (size_t i = 0; i < x[g].compare.n_policies; i++) {
			AUTO(buf) text = BUF_EMPTY;
			buf_text(&text, x[g].policy[i]->name);
			opt_describe(&x[g].opts[i], &text);
			if (!is_told(s, text.at))
				study_fact(s, "policy", cell_text(text.at));
		}
}

static void tell_crawl(const struct experiment *x, struct study *s)
{
	const struct compare *c = &x->compare;
	AUTO(buf) batch = BUF_EMPTY;

	batch_describe(c->crawl.batch, c->crawl.growth, &batch);
	study_fact(s, "seeds_found", cell_count(c->trials[0].seeds));
	study_fact(s, "batch", cell_text(batch.at));
	if (c->crawl.total && c->crawl.total != COMPARE_REACHABLE)
		study_fact(s, "total", cell_count(c->crawl.total));
	else
		study_fact(s, "total", cell_text(c->crawl.total ? "reachable" : "unknown"));
}

static void tell_facts(const struct experiment *x, size_t n, struct study *s)
{
	const struct compare *c = &x->compare;

	for (size_t i = 0; i < n; i++)
		tell_graph(&x[i], s);
	tell_policies(x, n, s);
	study_fact(s, "seeds", cell_text(c->seeds));
	for (size_t i = 0; i < n; i++)
		tell_crawl(&x[i], s);
	if (c->crawl.max_pages)
		study_fact(s, "max_pages", cell_count(c->crawl.max_pages));
	study_fact(s, "rng_seed", cell_count(c->crawl.rng_seed));
	study_fact(s, "tolerance", cell_real(c->tolerance));
	if (x->o->target)
		study_fact(s, "target", cell_text(x->o->target));
	if (x->o->ties)
		study_fact(s, "ties", cell_text("shared"));
	if (c->crawl.fleet) {
		study_fact(s, "agents", cell_count(c->crawl.fleet->agents));
		study_fact(s, "lag", cell_count(c->crawl.fleet->lag));
		study_fact(s, "shares", cell_text(c->crawl.fleet->shares == FLEET_LOAD ? "load" : "fixed"));
	}
	if (c->crawl.virtual_time) {
		study_fact(s, "politeness", cell_text(x->o->politeness));
		if (c->crawl.max_time)
			study_fact(s, "max_time", cell_real((double)c->crawl.max_time / 1000));
	}
}

/* --- tables. A column is one line of a list: its name, whether the table has it, and the type and the value of a cell. */

#define COLUMN_NAME(name, is_there, type, value) name,
#define COLUMN_KEEP(name, is_there, type, value) \
	if (is_there) \
		names[n++] = (name);
#define COLUMN_CELL(name, is_there, type, value) \
	if (is_there) \
		STUDY_CELLS(s, cell_##type(value));

/* of trial t at its point p; `ideal` has no loop, and so no links a second */
#define ROW_COLUMNS(COLUMN) \
	COLUMN("graph", graphs > 1, text, x->o->graph.graph) \
	COLUMN("policy", 1, text, t->policy->name) \
	COLUMN("draw", 1, count, t->draw) \
	COLUMN("crawled", 1, count, p->crawled) \
	COLUMN("hot", 1, real, p->strict) \
	COLUMN("hot_discoverable", 1, real, p->discoverable) \
	COLUMN("mass", 1, real, p->mass) \
	COLUMN("lift", 1, real, p->lift) \
	COLUMN("auc", 1, real, i + 1 == x->compare.n_at ? t->auc : NAN) \
	COLUMN("at", 1, real, x->at[i]) \
	COLUMN("tau", x->compare.with_tau, real, t->tau[i]) \
	COLUMN("cpu_seconds", x->report->timing, real, (double)t->cpu_ns / 1e9) \
	COLUMN("links_per_second", x->report->timing, real, t->cpu_ns ? (double)t->links / ((double)t->cpu_ns / 1e9) : NAN)

static void add_point(const struct experiment *x, size_t graphs, struct study *s, const struct trial *t, size_t i)
{
	const struct throughput_point *p = &t->points[i];

	ROW_COLUMNS(COLUMN_CELL)
}

/* Fills a study: what was done, as facts, and a table "rows" with a row a policy, draw and fraction; of several
 * graphs the graph stands first. */
static void experiment_rows(const struct experiment *x, size_t graphs, struct study *s)
{
	const char *names[] = {ROW_COLUMNS(COLUMN_NAME)};
	size_t n = 0;

	tell_facts(x, graphs, s);
	ROW_COLUMNS(COLUMN_KEEP)
	study_table(s, "rows", NULL, NULL, "", STUDY_FILED);
	study_columns(s, names, n);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			for (size_t i = 0; i < c->n_at; i++)
				add_point(&x[g], graphs, s, &c->trials[t], i);
	}
}

static int is_changing(const struct experiment *x, size_t graphs)
{
	for (size_t g = 0; g < graphs; g++)
		if (x[g].compare.n_when && x[g].compare.trials[0].then)
			return 1;
	return 0;
}

/* of trial t at its time p; the last four columns are those of a changing web, whose values are unknown if `then` is NULL */
#define TIME_COLUMNS(COLUMN) \
	COLUMN("graph", graphs > 1, text, x->o->graph.graph) \
	COLUMN("policy", 1, text, t->policy->name) \
	COLUMN("draw", 1, count, t->draw) \
	COLUMN("seconds", 1, real, (double)p->ms / 1000) \
	COLUMN("crawled", 1, count, p->crawled) \
	COLUMN("found", 1, real, p->found) \
	COLUMN("mass", 1, real, p->mass) \
	COLUMN("hot", 1, real, p->strict) \
	COLUMN("hot_discoverable", 1, real, p->discoverable) \
	COLUMN("pages_per_minute", 1, real, p->ms ? p->crawled / ((double)p->ms / 60000) : NAN) \
	COLUMN("hot_then", changes, real, then ? then->strict : NAN) \
	COLUMN("found_then", changes, real, then ? then->found : NAN) \
	COLUMN("mass_then", changes, real, then ? then->mass : NAN) \
	COLUMN("fresh", changes, real, then ? then->fresh : NAN)

static void add_time(const struct experiment *x, size_t graphs, int changes, struct study *s, const struct trial *t, size_t i)
{
	const struct time_point *p = &t->timed[i];
	const struct then_point *then = t->then ? &t->then[i] : NULL;

	TIME_COLUMNS(COLUMN_CELL)
}

/* Appends a table "times" with a row a policy, draw and time, if the crawls are in virtual time. */
static void experiment_times(const struct experiment *x, size_t graphs, struct study *s)
{
	const char *names[] = {TIME_COLUMNS(COLUMN_NAME)};
	size_t n = 0;

	if (!x->compare.crawl.virtual_time)
		return;
	const int changes = is_changing(x, graphs);
	TIME_COLUMNS(COLUMN_KEEP)
	study_table(s, "times", "By time",
		mem_text("What each crawl had found after a time. found: of the tenth of all pages with the highest PageRank; "
			 "the last row of a crawl is its end."),
		"", STUDY_FILED);
	study_columns(s, names, n);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			for (size_t i = 0; c->trials[t].timed && i <= c->n_when; i++)
				/* nothing changes after the end */
				if (i == c->n_when || c->when[i] < c->trials[t].lasted)
					add_time(&x[g], graphs, changes, s, &c->trials[t], i);
	}
}

/* --- talk */

static void tell_one(const struct experiment *x, const char *where)
{
	const struct compare *c = &x->compare;
	AUTO_FREE size_t *order = mem_new(c->n_policies, sizeof *order);
	AUTO(buf) text = BUF_EMPTY;

	summary_order(c, order);
	AUTO_FREE struct pair *pairs = verdict_pairs(c);
	for (size_t i = 0; i < c->n_policies; i++) {
		struct interval v = summary_of(c, order[i], MEASURE_AUC, 0);
		buf_clear(&text);
		buf_format(&text, "%s: auc %.4f [%.4f, %.4f]", c->policies[order[i]]->name, v.mean, v.low, v.high);
		if (i + 1 < c->n_policies) {
			buf_text(&text, "; ");
			verdict_sentence(c, &pairs[order[i] * c->n_policies + order[i + 1]], &text);
		}
		log_say("%s%s%s", where ? where : "", where ? ": " : "", text.at);
	}
}

void experiment_tell(const struct experiment *x, size_t n)
{
	if (x->compare.draws == 1) {
		log_say("one draw of seeds has no interval and no verdict");
		return;
	}
	if (!x->orders.crawlers && !seedset_is_drawn(x->compare.seeds))
		log_say("the seeds '%s' are the same in every draw", x->compare.seeds);
	for (size_t i = 0; i < n; i++)
		tell_one(&x[i], n > 1 ? x[i].o->graph.graph : NULL);
}

/* --- Experiments as a contest, and the study that it is. */

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

/* Graphs are named by the last parts of their paths where those tell them apart. */
static int are_short_names_distinct(const struct experiment *x, size_t n)
{
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++)
			if (strcmp(short_name(x[a].o->graph.graph), short_name(x[b].o->graph.graph)) == 0)
				return 0;
	return 1;
}

static void set_graph(const struct experiment *x, const char *name, const struct contest *c, struct contest_graph *g)
{
	*g = (struct contest_graph){.name = name,
		.family = name,
		.seeds = x->compare.seeds,
		.fingerprint = x->found,
		.entry = mem_new(c->methods, sizeof *g->entry)};
	for (size_t m = 0; m < c->methods; m++)
		g->entry[m] = (struct contest_entry){&x->compare, place_of(&x->compare, c->method[m])};
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
		const char *path = x[g].o->graph.graph;
		const char *name = are_short ? short_name(path) : path;
		set_graph(&x[g], name, &c->all, &c->graph[g]);
		set_graph(&x[g], name, &c->candidates, &c->graph[n + g]);
	}
}

static void contests_release(struct contests *c)
{
	for (size_t g = 0; g < 2 * c->all.graphs; g++)
		free(c->graph[g].entry);
	free(c->graph);
	free(c->method);
}

int experiment_print(const struct experiment *x, size_t n, struct err_note *why)
{
	const int is_judged = x->compare.n_policies > 1 && x->compare.draws > 1;
	AUTO(study) s = {.tables = 0};
	struct contests c;

	experiment_rows(x, n, &s);
	experiment_times(x, n, &s);
	experiment_agents(x, n, &s);
	experiment_orders(x, &s);
	if (is_judged) {
		contests_make(&c, x, n);
		contest_verdicts(&c.all, &s);
		contests_release(&c);
	}
	return study_print(&s, x->report, why);
}

void experiment_study(const struct experiment *x, size_t n, struct study *s)
{
	AUTO(contests) c = {0};
	struct contest_across across;

	contests_make(&c, x, n);
	s->title = n > 1 ? buf_made("Crawl policies on %zu graphs", n)
			 : buf_made("Crawl policies on %s", short_name(x->o->graph.graph));
	experiment_rows(x, n, s);
	experiment_times(x, n, s);
	experiment_agents(x, n, s);
	experiment_orders(x, s);
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
}
