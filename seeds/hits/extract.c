/* HITS: Extract-Seeds (Daneshpajouh, Nasiri and Ghodsi 2008). Links within a host are dropped;
 * then, again and again, HITS is run, a bipartite core is grown from the best authority, a hub of
 * it is a seed, and the core is removed with its links. Deviation: "select a node arbitrarily from
 * HubSet" is the best hub of the core, unless the option `choice` says otherwise. */
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/hits.h"
#include "seeds/hits/cores.h"
#include "seeds/best.h"

#include <stdlib.h>

enum choice { BEST_HUB, RANDOM_HUB, MOST_LINKS };
enum site { HOST_SITES, DOMAIN_SITES, PAGE_SITES }; /* for domains the caller numbers those */

struct extraction {
	const struct seed_input *in;
	struct pruned pruned;
	struct hits_rank rank;
	struct core_rules rules;
	struct core core;
	enum choice choice;
	struct rng rng;
};

static int compare_hubs(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Hubs by (score descending, id), with their scores. */
static void sort_hubs(const struct extraction *x, struct seed_core *out)
{
	const struct core_side *hubs = &x->core.side[HUBS];
	AUTO_FREE struct candidate *sorted = mem_new(hubs->n, sizeof *sorted);

	for (size_t i = 0; i < hubs->n; i++)
		sorted[i] = (struct candidate){hits_rank_key(&x->rank, HUBS, hubs->node[i]), hubs->node[i]};
	qsort(sorted, hubs->n, sizeof *sorted, compare_hubs);
	out->hubs = hubs->n;
	out->hub = mem_new(hubs->n, sizeof *out->hub);
	out->hub_score = mem_new(hubs->n, sizeof *out->hub_score);
	for (size_t i = 0; i < hubs->n; i++) {
		out->hub[i] = sorted[i].node;
		out->hub_score[i] = sorted[i].key;
	}
}

/* Returns the index of the hub that is the seed of a core, or c->hubs if none of the hubs may be a seed. */
static size_t choose_hub(struct extraction *x, const struct seed_core *c)
{
	size_t may = 0, best = c->hubs, place;
	uint32_t links = 0;

	for (size_t i = 0; i < c->hubs; i++)
		may += !seeds_barred(x->in, x->pruned.id[c->hub[i]]);
	place = x->choice == RANDOM_HUB && may ? (size_t)rng_below(&x->rng, may) : 0;
	for (size_t i = 0; i < c->hubs; i++) {
		const uint32_t u = x->pruned.id[c->hub[i]];
		if (seeds_barred(x->in, u))
			continue;
		if (x->choice != MOST_LINKS) {
			if (place-- == 0)
				return i;
			continue;
		}
		const uint32_t n = seeds_outdegree(x->in->graph, u);
		if (best == c->hubs || n > links) {
			links = n;
			best = i;
		}
	}
	return best;
}

static void name(const struct extraction *x, uint32_t *node, size_t n)
{
	for (size_t i = 0; i < n; i++)
		node[i] = x->pruned.id[node[i]];
}

/* Appends the core and its seed to the output, with the ids of the whole graph, and removes the core's nodes. A core without a
 * hub that may be a seed is only removed. */
static void record(struct extraction *x, struct seed_output *out)
{
	const struct core_side *authorities = &x->core.side[AUTHORITIES];
	struct seed_core c = {.density = core_density(&x->core), .authorities = authorities->n};

	sort_hubs(x, &c);
	c.authority = mem_copy(authorities->node, c.authorities * sizeof *c.authority);
	c.authority_score = mem_new(c.authorities, sizeof *c.authority_score);
	for (size_t i = 0; i < c.authorities; i++)
		c.authority_score[i] = hits_rank_key(&x->rank, AUTHORITIES, c.authority[i]);
	const size_t place = choose_hub(x, &c);
	if (place < c.hubs)
		c.seed = x->pruned.id[c.hub[place]];
	for (size_t i = 0; i < c.hubs; i++)
		hits_rank_remove(&x->rank, c.hub[i]);
	for (size_t i = 0; i < c.authorities; i++)
		hits_rank_remove(&x->rank, c.authority[i]);
	name(x, c.hub, c.hubs);
	name(x, c.authority, c.authorities);
	if (place == c.hubs) {
		seed_core_release(&c);
		return;
	}
	seed_output_add(out, c.seed);
	seed_output_take_core(out, &c);
}

static int read_options(struct extraction *x, struct err_note *why)
{
	const struct opt_set *opts = x->in->opts;

	x->rules = (struct core_rules){.density = opt_number(opts, "density"),
		.size = (uint64_t)opt_number(opts, "size"),
		.new_members = (uint64_t)opt_number(opts, "new-members"),
		.max_hubs = (uint64_t)opt_number(opts, "max-hubs"),
		.growth = (enum core_growth)opt_number(opts, "growth")};
	x->choice = (enum choice)opt_number(opts, "choice");
	x->rng.state = x->in->rng_seed;
	if (x->rules.size == 1)
		return err_set(why, ERR_USAGE, "%s: a core of size 1 has no hub; 2 is the least, 0 is no size at all", opts->owner);
	if (!x->in->host && opt_number(opts, "site") != PAGE_SITES)
		return err_set(why, ERR_USAGE,
			"%s needs the hosts of the pages: give --hosts or --urls, or the option "
			"site=page to keep all links but those of a page to itself",
			opts->owner);
	return 0;
}

/* Selects seeds: extracts a core after the other from the pruned graph, until there are enough seeds or no arcs. */
static int extract(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	struct extraction x = {.in = in};

	TRY(read_options(&x, why));
	prune(&x.pruned, in->graph, opt_number(in->opts, "site") == PAGE_SITES ? NULL : in->host, in->threads);
	hits_rank_init(&x.rank, &x.pruned, (unsigned)opt_number(in->opts, "iterations"), in->threads);
	core_init(&x.core, &x.rank, &x.rules);
	while (!seeds_enough(in, k, out) && x.rank.arcs) {
		hits_rank_update(&x.rank);
		core_grow(&x.core);
		record(&x, out);
	}
	core_release(&x.core);
	hits_rank_release(&x.rank);
	pruned_release(&x.pruned);
	return 0;
}

static const struct opt opts[] = {
	{"density", OPT_REAL, 100, 0, 100, NULL, "least share of links of a core, in percent"},
	{"size", OPT_COUNT, 0, 0, 1e9, NULL, "grow each core to so many nodes instead; 0: do not"},
	{"new-members", OPT_COUNT, 1, 1, 1e9, NULL, "with size: so many join a side in a round"},
	{"iterations", OPT_COUNT, HITS_ITERATIONS, 1, 1e6, NULL, "of HITS"},
	{"max-hubs", OPT_COUNT, 999, 1, 1e9, NULL, "of a core"},
	{"growth", OPT_CHOICE, 0, 0, 0, "stop|close-side|skip",
		"when a node breaks the density: end, close its side, try the next"},
	{"choice", OPT_CHOICE, 0, 0, 0, "hub|random|max-outdegree", "which hub is the seed"},
	{"site", OPT_CHOICE, 0, 0, 0, "host|domain|page",
		"links within a host go; or within a registrable domain; or of a page to itself"},
	{.name = NULL},
};

const struct seed_method seed_method_hits = {
	.name = "hits",
	.summary = "the best hubs of bipartite cores, found by HITS among links between hosts",
	.source = "Daneshpajouh, Nasiri and Ghodsi 2008, Extract-Seeds",
	.nothing = "no link leads from one host to another; --method-opt site=page takes those within hosts",
	.opts = opts,
	.select = extract,
};
