#include "seeds/per_site.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct site {
	uint32_t rank, pages;
	uint32_t first; /* its pages are node[first]..node[first + pages - 1], ascending */
	uint64_t share;
	struct seed_output found; /* the seeds found, as numbers of pages within the site */
	struct err_note why;
	int err;
};

struct all_sites {
	const struct seed_method *method;
	const struct seed_input *in;
	struct site *site; /* the largest first */
	uint32_t sites;
	uint32_t *node;   /* site by site */
	uint32_t *number; /* of each node within its site */
};

static int larger_first(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	if (x->pages != y->pages)
		return x->pages > y->pages ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Makes the graph of the links within a site. */
static void cut_out(const struct all_sites *s, const struct site *site, struct graph *g)
{
	const struct graph *whole = s->in->graph;
	const uint32_t *node = s->node + site->first, *host = s->in->host;
	uint64_t *offset = mem_new((size_t)site->pages + 1, sizeof *offset), arcs = 0, room = 0;

	for (uint32_t i = 0; i < site->pages; i++)
		room += graph_outdegree(whole, node[i]);
	uint32_t *target = mem_new(room, sizeof *target);
	for (uint32_t i = 0; i < site->pages; i++) {
		offset[i] = arcs;
		for (uint64_t a = whole->offset[node[i]]; a < whole->offset[node[i] + 1]; a++)
			if (host[whole->target[a]] == host[node[i]])
				target[arcs++] = s->number[whole->target[a]];
	}
	offset[site->pages] = arcs;
	graph_take_rows(g, site->pages, offset, target, whole->flags & GRAPH_ORDERED);
}

/* Runs the method on one site, as if the site were the whole graph, with the site's share of the seeds. */
static void run_site(void *ctx, uint32_t i)
{
	const struct all_sites *s = ctx;
	struct site *site = &s->site[i];
	struct seed_input in = *s->in;
	struct graph g, reverse = {0};
	int64_t *value = NULL;
	uint8_t *barred = NULL;

	if (!site->share)
		return;
	cut_out(s, site, &g);
	if (s->method->ways == SEEDS_BOTH_WAYS)
		graph_transpose(&g, &reverse, 1);
	if (in.value) {
		value = mem_new(site->pages, sizeof *value);
		for (uint32_t k = 0; k < site->pages; k++)
			value[k] = in.value[s->node[site->first + k]];
	}
	if (in.barred) {
		barred = mem_new(site->pages, sizeof *barred);
		for (uint32_t k = 0; k < site->pages; k++)
			barred[k] = in.barred[s->node[site->first + k]];
	}
	in.barred = barred;
	in.enough = NULL;
	in.graph = &g;
	in.reverse = &reverse;
	in.host = NULL;
	in.value = value;
	in.threads = 1;
	in.rng_seed += i;
	site->err = s->method->select(&in, site->share, &site->found, &site->why);
	free(barred);
	free(value);
	graph_release(&reverse);
	graph_release(&g);
}

/* Sites, the largest first, with their shares and pages. */
static void line_up(struct all_sites *s, uint32_t sites, const uint32_t *rank, size_t k)
{
	const uint32_t n = s->in->graph->nodes;
	AUTO_FREE uint32_t *pages = mem_zero(sites, sizeof *pages), *at = mem_new(sites, sizeof *at);
	AUTO_FREE uint64_t *importance = mem_new(sites, sizeof *importance);
	AUTO_FREE uint64_t *share = mem_new(sites, sizeof *share);
	uint32_t first = 0;

	for (uint32_t v = 0; v < n; v++)
		pages[s->in->host[v]]++;
	for (uint32_t i = 0; i < sites; i++)
		importance[i] = pages[i];
	allocate(k < n ? k : n, importance, rank, sites, share);
	s->site = mem_zero(sites, sizeof *s->site);
	s->sites = sites;
	for (uint32_t i = 0; i < sites; i++) {
		s->site[i] = (struct site){.rank = rank[i], .pages = pages[i], .first = first, .share = share[i]};
		at[i] = first;
		first += pages[i];
	}
	s->node = mem_new(n, sizeof *s->node);
	s->number = mem_new(n, sizeof *s->number);
	for (uint32_t v = 0; v < n; v++) {
		const uint32_t i = s->in->host[v];
		s->number[v] = at[i] - s->site[i].first;
		s->node[at[i]++] = v;
	}
	qsort(s->site, sites, sizeof *s->site, larger_first);
}

/* Adds the seeds of all sites to the output in rounds: the first seed of each site, then the second, and so on. */
static void collect(const struct all_sites *s, struct seed_output *out)
{
	uint32_t *left = mem_new(s->sites, sizeof *left), n = 0; /* sites with more than i */

	for (uint32_t k = 0; k < s->sites; k++)
		if (s->site[k].found.n)
			left[n++] = k;
	for (size_t i = 0; n; i++) {
		uint32_t still = 0;
		for (uint32_t k = 0; k < n; k++) {
			const struct site *site = &s->site[left[k]];
			seed_output_add(out, s->node[site->first + site->found.seed[i]]);
			left[still] = left[k];
			still += i + 1 < site->found.n;
		}
		n = still;
	}
	free(left);
}

int seeds_per_site(const struct seed_method *m, const struct seed_input *in, uint32_t sites, const uint32_t *rank, size_t k,
	struct seed_output *out, struct err_note *why)
{
	struct all_sites s = {.method = m, .in = in};
	int err = 0;

	line_up(&s, sites, rank, k);
	blocks_run(in->threads, sites, run_site, &s);
	for (uint32_t i = 0; i < sites && !err; i++)
		if (s.site[i].err)
			err = err_set(why, (enum err)s.site[i].err, "%s", s.site[i].why.text);
	if (!err)
		collect(&s, out);
	for (uint32_t i = 0; i < sites; i++)
		seed_output_release(&s.site[i].found);
	free(s.site);
	free(s.node);
	free(s.number);
	return err;
}

__extension__ typedef unsigned __int128 wide;

struct remainder {
	uint64_t left;
	uint32_t rank;
	size_t at;
};

static int most_left_first(const void *a, const void *b)
{
	const struct remainder *x = a, *y = b;

	if (x->left != y->left)
		return x->left > y->left ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

void allocate(uint64_t budget, const uint64_t *importance, const uint32_t *rank, size_t n, uint64_t *share)
{
	AUTO_FREE struct remainder *r = mem_new(n, sizeof *r);
	uint64_t sum = 0, given = 0;

	for (size_t i = 0; i < n; i++)
		sum += importance[i];
	for (size_t i = 0; i < n; i++) {
		const wide quota = (wide)budget * importance[i];
		share[i] = sum ? (uint64_t)(quota / sum) : 0;
		r[i] = (struct remainder){sum ? (uint64_t)(quota % sum) : 0, rank[i], i};
		given += share[i];
	}
	qsort(r, n, sizeof *r, most_left_first);
	for (size_t i = 0; sum && given < budget; i++, given++)
		share[r[i].at]++;
}
