#include "lab/study/oracle.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "graph/kernels/pagerank.h"
#include "lab/study/map_order.h"

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
	uint32_t *order = mem_new(d->graph.nodes, sizeof *order);
	const uint32_t n = map_order(&d->graph, b, d->outside, seeds->ids, seeds->n, order);

	for (uint32_t i = 0; i < n; i++)
		score[order[i]] = d->graph.nodes - i;
	free(order);
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
