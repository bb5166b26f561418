#include "seeds/greedy.h"
#include "base/mem.h"
#include "graph/kernels/scc.h"

#include <stdlib.h>

const struct opt greedy_opts[] = {
	{"hops", OPT_COUNT, 5, 0, 1e6, NULL, "a seed covers the pages within so many links"},
	{"depth", OPT_COUNT, 2, 0, 1e6, NULL, "d: a page's weight is that of its ball of this radius"},
	{"values", OPT_TEXT, 0, 0, 0, NULL, "file of id<TAB>value lines; 1 for pages it lacks"},
	{"page-attrs", OPT_TEXT, 0, 0, 0, NULL, "or of id<TAB>spam<TAB>clicked<TAB>uncrawled"},
	{"p-unique", OPT_TEXT, 0, 0, 0, NULL, "what an uncrawled link is worth: 0 to 1, or a file"},
	{"stop-nonpositive", OPT_COUNT, 0, 0, 1, NULL, "1: end where no seed would gain anything"},
	{.name = NULL},
};

/* Divides the pages into groups, the strongly connected components or one group of all pages, and lists the pages of each group. */
static void group_pages(struct greedy *g, enum greedy_groups groups)
{
	const struct graph *graph = g->in->graph;
	const uint32_t n = graph->nodes;

	g->group = mem_zero(n, sizeof *g->group);
	g->groups = groups == GREEDY_COMPONENTS ? scc(graph, g->group) : n > 0;
	g->begin = mem_zero((size_t)g->groups + 2, sizeof *g->begin);
	g->page = mem_new(n, sizeof *g->page);
	g->place = mem_new(n, sizeof *g->place);
	g->sum = mem_zero(g->groups, sizeof *g->sum);
	g->unchosen = mem_zero(g->groups, sizeof *g->unchosen);
	for (uint32_t v = 0; v < n; v++) {
		g->begin[g->group[v] + 2]++;
		g->unchosen[g->group[v]]++;
		g->sum[g->group[v]] += g->worth[v];
	}
	for (uint32_t c = 0; c < g->groups; c++)
		g->begin[c + 2] += g->begin[c + 1];
	for (uint32_t v = 0; v < n; v++) {
		g->place[v] = g->begin[g->group[v] + 1]++;
		g->page[g->place[v]] = v;
	}
}

static void weigh(struct greedy *g)
{
	const uint32_t n = g->in->graph->nodes;
	AUTO_FREE int64_t *of_page = mem_new(n, sizeof *of_page);

	g->weight = mem_new(n, sizeof *g->weight);
	ball_sums(g->in->graph, g->worth, g->depth, g->in->threads, of_page);
	for (uint32_t v = 0; v < n; v++)
		g->weight[g->place[v]] = of_page[v];
}

/* Removes page v from the candidates. */
static void take_out(struct greedy *g, uint32_t v)
{
	best_take_out(&g->best_page, g->place[v]);
	if (--g->unchosen[g->group[v]] == 0)
		best_take_out(&g->best_group, g->group[v]);
}

void greedy_init(struct greedy *g, const struct seed_input *in, enum greedy_groups groups)
{
	const uint32_t n = in->graph->nodes;

	*g = (struct greedy){.in = in,
		.hops = (uint32_t)opt_number(in->opts, "hops"),
		.depth = (uint32_t)opt_number(in->opts, "depth"),
		.worth = mem_new(n, sizeof *g->worth)};
	for (uint32_t v = 0; v < n; v++) {
		g->worth[v] = in->value ? in->value[v] : SEED_VALUE_ONE;
		g->worthy += g->worth[v] != 0;
	}
	ball_init(&g->cover, n);
	ball_init(&g->back, n);
	group_pages(g, groups);
	weigh(g);
	best_init(&g->best_page, g->weight, n);
	best_init(&g->best_group, g->sum, g->groups);
	for (uint32_t v = 0; in->barred && v < n; v++)
		if (in->barred[v])
			take_out(g, v);
}

void greedy_release(struct greedy *g)
{
	ball_release(&g->cover);
	ball_release(&g->back);
	best_release(&g->best_page);
	best_release(&g->best_group);
	free(g->worth);
	free(g->group);
	free(g->begin);
	free(g->page);
	free(g->place);
	free(g->weight);
	free(g->sum);
	free(g->unchosen);
}

/* Covers page x: its value is subtracted from the weights of all pages whose balls contain it. */
static void zero(struct greedy *g, uint32_t x)
{
	const int64_t worth = g->worth[x];
	const uint32_t c = g->group[x];

	if (worth == 0)
		return;
	g->worth[x] = 0;
	g->worthy--;
	best_set(&g->best_group, c, g->sum[c] - worth);
	ball_search(&g->back, g->in->reverse, &x, 1, g->depth);
	for (uint32_t i = 0; i < g->back.n; i++) {
		const uint32_t place = g->place[g->back.node[i]];
		best_set(&g->best_page, place, g->weight[place] - worth);
	}
}

static void choose(struct greedy *g, uint32_t place, struct seed_output *out)
{
	const uint32_t seed = g->page[place];

	seed_output_add(out, seed);
	take_out(g, seed);
	ball_search(&g->cover, g->in->graph, &seed, 1, g->hops);
	for (uint32_t i = 0; i < g->cover.n; i++)
		zero(g, g->cover.node[i]);
}

void greedy_run(struct greedy *g, size_t k, greedy_pick *pick, void *ctx, struct seed_output *out)
{
	const int must_gain = opt_number(g->in->opts, "stop-nonpositive") > 0;

	while (!seeds_enough(g->in, k, out) && g->worthy) {
		const uint32_t c = pick(g, ctx);
		if (c == BEST_NONE)
			break;
		const uint32_t place = best_find(&g->best_page, g->begin[c], g->begin[c + 1]);
		if (must_gain && g->weight[place] <= 0)
			break;
		choose(g, place, out);
	}
}

uint32_t greedy_richest(struct greedy *g, void *ctx)
{
	(void)ctx;
	return best_find(&g->best_group, 0, g->groups);
}

/* MaxWeight(d): chooses the page whose ball of radius d has the greatest value. With d = hops and no negative value this is greedy
 * maximum coverage, which reaches at least 1 - 1/e of the best possible coverage. MaxSCC(d): chooses it in the strongly connected
 * component with the greatest value. */
static int choose_richest(const struct seed_input *in, enum greedy_groups groups, size_t k, struct seed_output *out)
{
	struct greedy g;

	greedy_init(&g, in, groups);
	greedy_run(&g, k, greedy_richest, NULL, out);
	greedy_release(&g);
	return 0;
}

static int choose_maxweight(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	(void)why;
	return choose_richest(in, GREEDY_ONE_GROUP, k, out);
}

static int choose_maxscc(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	(void)why;
	return choose_richest(in, GREEDY_COMPONENTS, k, out);
}

const struct seed_method seed_method_maxweight = {
	.name = "maxweight",
	.summary = "the page whose surroundings are worth most, then again without what it covers",
	.source = "Zheng, Dmitriev and Giles 2009, MaxWeight",
	GREEDY_METHOD,
	.select = choose_maxweight,
};

const struct seed_method seed_method_maxscc = {
	.name = "maxscc",
	.summary = "maxweight within the strongly connected component that is worth most",
	.source = "Zheng, Dmitriev and Giles 2009, MaxSCC",
	GREEDY_METHOD,
	.select = choose_maxscc,
};
