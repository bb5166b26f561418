#include "lab/study/oracle.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "frontier/heap.h"
#include "graph/kernels/pagerank.h"

#include <stdlib.h>
#include <string.h>

const struct policy policy_ideal = {
	.name = "ideal",
	.summary = "all pages by PageRank, links or not: the bound, no crawl",
	.source = "yardstick; the IECA paper's perfect algorithm",
	.order = POLICY_HIGHEST_FIRST,
	.oracle = POLICY_TRUE_RANK,
};

static void count_links(const struct graph *g, double *indegree)
{
	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *row = graph_row(g, u);
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
			indegree[row[i]] += row[i] != u;
	}
}

/* Scores the pages by the order of the oracle with the map, from the number of nodes down; pages that it does not take have 0. */
static void draw_map(const struct dataset *d, const struct benchmark *b, const struct seedset *seeds, double *score)
{
	AUTO_FREE uint32_t *order = mem_new(d->graph.nodes, sizeof *order);
	const uint32_t n = map_order(&d->graph, b, d->outside, seeds->ids, seeds->n, order);

	for (uint32_t i = 0; i < n; i++)
		score[order[i]] = d->graph.nodes - i;
}

/* Reads a line "id<TAB>score"; blanks may stand in place of the TAB. Returns 0 or -1. */
static int read_line(char *line, uint64_t *id, double *score)
{
	size_t n = strcspn(line, "\t ");
	char *rest = line + n;

	if (!*rest)
		return -1;
	*rest++ = 0;
	rest += strspn(rest, "\t ");
	return num_count(line, UINT64_MAX, id) || num_real(rest, score) ? -1 : 0;
}

int oracle_read_scores(const char *path, const struct graph *g, double *score, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0) {
		uint64_t id;
		uint32_t u;
		double value;
		if (!*line || *line == '#')
			continue;
		if (read_line(line, &id, &value)) {
			err = err_set(why, ERR_FORMAT, "%s:%llu: 'id TAB score' is wanted", input_path(in),
				(unsigned long long)input_line_number(in));
			break;
		}
		if (!graph_find_label(g, id, &u)) {
			err = err_set(why, ERR_FORMAT, "%s:%llu: there is no node %llu in the graph", input_path(in),
				(unsigned long long)input_line_number(in), (unsigned long long)id);
			break;
		}
		score[u] = value;
	}
	input_close(in);
	return err;
}

int oracle_make(double **oracle, const struct policy *p, const struct opt_set *opts, const struct dataset *d,
	const struct benchmark *b, const struct seedset *seeds, struct err_note *why)
{
	const struct graph *g = &d->graph;
	int err = 0;

	*oracle = NULL;
	if (p->oracle == POLICY_NO_ORACLE)
		return 0;
	if (p->oracle == POLICY_SCORES && !opt_text(opts, "scores"))
		return err_set(why, ERR_USAGE,
			"the policy '%s' goes by a file: --policy-opt scores=FILE, a line 'id TAB "
			"score' a page",
			p->name);
	*oracle = mem_zero(g->nodes, sizeof **oracle);
	if (p->oracle == POLICY_SCORES)
		err = oracle_read_scores(opt_text(opts, "scores"), g, *oracle, why);
	else if (p->oracle == POLICY_TRUE_INDEGREE)
		count_links(g, *oracle);
	else if (p->oracle == POLICY_TRUE_MAP)
		draw_map(d, b, seeds, *oracle);
	else
		for (uint32_t u = 0; u < g->nodes; u++)
			(*oracle)[u] = (double)pagerank_key(b->rank[u], g->nodes);
	if (err) {
		free(*oracle);
		*oracle = NULL;
	}
	return err;
}

#define FARTHEST 64
#define NEVER    UINT32_MAX

/* The pages of a graph as the oracle sees them. */
struct map {
	const struct graph *g;
	uint32_t *rank;  /* of each page, from 0; NEVER: the page was taken */
	uint32_t *steps; /* of each page that was not taken, to it from the pages that were; NEVER: more than FARTHEST */
	uint32_t *from;  /* the page of the lowest rank that leads to it in one step less; NEVER: there is none */
	struct heap near[FARTHEST + 1]; /* by the steps, pages by rank; a page may also be in heaps of more steps */
	uint32_t *wave;                 /* pages whose steps have become fewer */
};

static const struct heap_indexes nowhere = {NULL, 0};

/* Notes that page v can be taken `steps` steps from now, from page u. Returns 1 if it could not be taken so soon before. */
static int reach(struct map *m, uint32_t v, uint32_t u, uint32_t steps)
{
	if (m->rank[v] == NEVER || steps > m->steps[v])
		return 0;
	if (steps == m->steps[v]) {
		if (m->from[v] != NEVER && (u == NEVER || m->rank[u] < m->rank[m->from[v]]))
			m->from[v] = u;
		return 0;
	}
	m->steps[v] = steps;
	m->from[v] = u;
	heap_push(&m->near[steps], entry_make(m->rank[v], 0, v), nowhere);
	return 1;
}

/* Goes on from the first n pages of the wave, which are one step away, breadth first. */
static void spread(struct map *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t u = m->wave[i], *row = graph_row(m->g, u);
		for (uint32_t k = 0; m->steps[u] < FARTHEST && k < graph_outdegree(m->g, u); k++)
			if (reach(m, row[k], u, m->steps[u] + 1))
				m->wave[n++] = row[k];
	}
}

/* Returns the page of the lowest rank that is so many steps away, or NEVER. */
static uint32_t best_at(struct map *m, uint32_t steps)
{
	struct heap *h = &m->near[steps];

	while (h->n && (m->rank[h->at[0].id] == NEVER || m->steps[h->at[0].id] != steps))
		heap_remove(h, 0, nowhere);
	return h->n ? h->at[0].id : NEVER;
}

/* Returns the page to which the oracle goes after `taken` pages: the nearest hot one, or else the best one; or NEVER. */
static uint32_t destination(struct map *m, uint32_t taken)
{
	uint32_t best = NEVER;

	for (uint32_t steps = 1; steps <= FARTHEST; steps++) {
		const uint32_t v = best_at(m, steps);
		if (v != NEVER && m->rank[v] < taken + steps)
			return v;
		if (v != NEVER && (best == NEVER || m->rank[v] < m->rank[best]))
			best = v;
	}
	return best;
}

/* Takes page u: pages to which it links are one step away from now on. */
static void take(struct map *m, uint32_t u)
{
	const uint32_t *row = graph_row(m->g, u);
	uint32_t n = 0;

	m->rank[u] = NEVER;
	for (uint32_t k = 0; k < graph_outdegree(m->g, u); k++)
		if (reach(m, row[k], NEVER, 1))
			m->wave[n++] = row[k];
	spread(m, n);
}

uint32_t map_order(const struct graph *g, const struct benchmark *b, const uint8_t *outside, const uint32_t *seeds, size_t n_seeds,
	uint32_t *order)
{
	struct map m = {.g = g,
		.rank = mem_new(g->nodes, sizeof *m.rank),
		.steps = mem_new(g->nodes, sizeof *m.steps),
		.from = mem_new(g->nodes, sizeof *m.from),
		.wave = mem_new(g->nodes, sizeof *m.wave)};
	uint32_t taken = 0, n = 0, u;

	for (uint32_t i = 0; i < g->nodes; i++) {
		m.rank[b->hot[i]] = outside && outside[b->hot[i]] ? NEVER : i;
		m.steps[i] = m.from[i] = NEVER;
	}
	for (size_t i = 0; i < n_seeds; i++)
		if (reach(&m, seeds[i], NEVER, 1))
			m.wave[n++] = seeds[i];
	spread(&m, n);
	while ((u = destination(&m, taken)) != NEVER) {
		while (m.from[u] != NEVER)
			u = m.from[u];
		order[taken++] = u;
		take(&m, u);
	}
	for (int i = 0; i <= FARTHEST; i++)
		heap_release(&m.near[i]);
	free(m.rank);
	free(m.steps);
	free(m.from);
	free(m.wave);
	return taken;
}
