/* QFirst, QMax, QMin and QMean from their definitions: the scores of all crawled pages that link to a page, looked up anew each
 * time. All pages have a score. */
#include "base/mem.h"
#include "tests/policies/slow_policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int links(const struct graph *g, uint32_t u, uint32_t v)
{
	for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
		if (graph_row(g, u)[i] == v)
			return 1;
	return 0;
}

/* The key of a page that is no seed: some crawled page links to it. */
static double key_of(const struct slow *s, uint32_t v)
{
	double first = NAN, most = -INFINITY, least = INFINITY, sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const double score = s->target[s->order[i]];
		if (!links(s->g, s->order[i], v))
			continue;
		first = n++ ? first : score;
		most = fmax(most, score);
		least = fmin(least, score);
		sum += score;
	}
	return strcmp(s->policy, "qfirst") == 0  ? first
		: strcmp(s->policy, "qmax") == 0 ? most
		: strcmp(s->policy, "qmin") == 0 ? least
						 : sum / n;
}

void slow_quality(struct slow *s)
{
	const uint32_t nodes = s->g->nodes;
	uint32_t *seen = mem_new(nodes, sizeof *seen), n_seen = 0;
	unsigned char *is_seen = mem_zero(nodes, 1), *is_crawled = mem_zero(nodes, 1);

	s->order = mem_new(nodes, sizeof *s->order);
	s->key = mem_new(nodes, sizeof *s->key);
	s->n = 0;
	for (size_t i = 0; i < s->n_seeds; i++) {
		seen[n_seen++] = s->seeds[i];
		is_seen[s->seeds[i]] = 1;
	}
	for (;;) {
		double best = -INFINITY;
		uint32_t next = nodes;
		for (uint32_t i = 0; i < n_seen; i++) {
			if (is_crawled[seen[i]])
				continue;
			const double key = i < s->n_seeds ? 1e12 : key_of(s, seen[i]);
			if (key > best) {
				best = key;
				next = seen[i];
			}
		}
		if (next == nodes)
			break;
		is_crawled[next] = 1;
		s->key[s->n] = best;
		s->order[s->n++] = next;
		for (uint32_t i = 0; i < graph_outdegree(s->g, next); i++) {
			const uint32_t v = graph_row(s->g, next)[i];
			if (!is_seen[v])
				seen[n_seen++] = v;
			is_seen[v] = 1;
		}
	}
	free(is_crawled);
	free(is_seen);
	free(seen);
}
