/* `lycosa graph convert`, `transpose`, `prune`, `subgraph`, `relabel`: another form or direction, fewer links, fewer nodes, another
 * order. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/graph/graph_target.h"
#include "cli/sites.h"
#include "graph/memory/rows.h"
#include "graph/memory/subgraph.h"
#include "lab/study/seedset.h"

#include <stdlib.h>

/* A graph, what becomes of it, and where that goes. */
struct change_options {
	struct standard_options standard;
	struct graph_options graph;
	struct target_options target;
	uint64_t threads, rng_seed;
	int by; /* enum site_by, enum order_by */
	const char *nodes, *seeds, *order, *write_ids;
	int crawled;
};

/* The state of one verb: the graph that it reads, the graph that it makes, and in id[i] the node of the old graph that is node i
 * of the new one. `id` has an entry for each old node; it is set only if is_renumbered is set. */
struct change {
	const struct change_options *o;
	const struct graph_space *space;
	struct dataset *from;
	struct graph to;
	const struct graph *written; /* in place of `to`, if that was not made; NULL: `to` */
	uint32_t *id;
	int is_renumbered;
};

static int write_change(const struct change *x, const char *out, struct err_note *why)
{
	const struct graph *to = x->written ? x->written : &x->to;
	struct names names = x->from->names;
	int err;

	if (x->is_renumbered && x->from->names.nodes)
		names_pick(&x->from->names, x->id, to->nodes, &names);
	err = target_write(&x->o->target, to, &names, x->o->write_ids, out, why);
	if (x->is_renumbered)
		names_release(&names);
	if (!err && x->o->write_ids)
		err = target_write_ids(x->o->write_ids, &x->from->graph, x->is_renumbered ? x->id : NULL, to->nodes, why);
	return err;
}

static int run_change(const struct command *c, int (*make)(struct change *, struct err_note *why), struct err_note *why)
{
	const struct change_options *o = c->options;
	const char *out = c->flags->operand[0];
	const struct graph_space space = target_space(&o->target, out);
	struct dataset d;
	int err = graph_options_open_within(&o->graph, &space, threads_of(o->threads), &d, why);

	if (!err) {
		struct change x = {.o = o, .space = &space, .from = &d, .id = mem_new(d.graph.nodes, sizeof *x.id)};
		err = make(&x, why);
		if (!err)
			err = write_change(&x, out, why);
		graph_release(&x.to);
		free(x.id);
		dataset_release(&d);
	}
	free((char *)(uintptr_t)space.folder);
	return err;
}

#define CHANGE(field) offsetof(struct change_options, field)
/* What follows the rows of a verb. */
#define CHANGE_ROWS TABLE_ROW(target_flags, CHANGE(target)), THREADS_ROW(CHANGE(threads)), STANDARD_ROWS

#define WRITE_IDS_ROW \
	{ \
		"write-ids", 0, FLAG_TEXT, CHANGE(write_ids), "FILE", .help = "write what node i was called on line i, too", \
								      .file = FLAG_WRITES \
	}

static const struct change_options change_defaults = {.target.to = "edges", .rng_seed = 1};

/* --- convert, transpose */

static int make_same(struct change *x, struct err_note *why)
{
	(void)why;
	x->written = &x->from->graph;
	return 0;
}

static int run_convert(const struct command *c, struct err_note *why)
{
	return run_change(c, make_same, why);
}

static int make_transposed(struct change *x, struct err_note *why)
{
	if (x->space->memory)
		return graph_transpose_within(&x->from->graph, x->space, &x->to, why);
	x->written = dataset_reverse(x->from, threads_of(x->o->threads));
	return 0;
}

static int run_transpose(const struct command *c, struct err_note *why)
{
	return run_change(c, make_transposed, why);
}

static const struct flag convert_flags[] = {
	TABLE_ROW(graph_flags, CHANGE(graph)),
	TABLE_ROW(target_flags, CHANGE(target)),
	WRITE_IDS_ROW,
	THREADS_ROW(CHANGE(threads)),
	STANDARD_ROWS,
};

const struct verb verb_graph_convert = VERB("convert", "Writes a graph in another format.", convert_flags, change_defaults,
	run_convert, .operands = "OUT", .operand_file = FLAG_WRITES_GRAPH);

const struct verb verb_graph_transpose = VERB("transpose", "Writes a graph with the direction of each arc reversed.", convert_flags,
	change_defaults, run_transpose, .operands = "OUT", .operand_file = FLAG_WRITES_GRAPH);

/* --- prune */

/* Makes the graph without the arcs within a site; all nodes stay. site[h] is the site of host h. */
static int drop_arcs_within(struct change *x, const uint32_t *site, struct err_note *why)
{
	const struct graph *g = &x->from->graph;
	const uint32_t *host = x->from->names.host;
	uint64_t passed = 0;
	struct rows rows;

	TRY(rows_begin(&rows, g->nodes, x->space, why));
	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *row = graph_row(g, u), mine = site[host[u]];
		for (uint32_t i = 0, n = graph_outdegree(g, u); i < n; i++)
			if (site[host[row[i]]] != mine)
				rows_add(&rows, u, row[i]);
		graph_pass(g, &passed, u);
	}
	return rows_end(&rows, g->flags & GRAPH_ORDERED, g->label ? mem_copy(g->label, g->nodes * sizeof *g->label) : NULL, &x->to,
		why);
}

static int make_pruned(struct change *x, struct err_note *why)
{
	const struct names *names = &x->from->names;

	if (!names->host)
		return err_set(why, ERR_USAGE, "the hosts of '%s' are not known: give --urls or --hosts", x->o->graph.graph);
	AUTO_FREE uint32_t *site = mem_new(names->hosts, sizeof *site);
	sites_of_hosts(names, (enum site_by)x->o->by, site);
	return drop_arcs_within(x, site, why);
}

static int run_prune(const struct command *c, struct err_note *why)
{
	return run_change(c, make_pruned, why);
}

static const struct flag prune_flags[] = {
	TABLE_ROW(graph_flags, CHANGE(graph)),
	{"within", 0, FLAG_CHOICE, CHANGE(by), SITE_WORDS, .help = "what links are dropped within"},
	WRITE_IDS_ROW,
	{"by", 0, FLAG_ALIAS, 0, "within", .help = "what links are dropped within"},
	CHANGE_ROWS,
};

const struct verb verb_graph_prune = VERB("prune", "Writes a graph without the links within a host or domain.", prune_flags,
	change_defaults, run_prune, .operands = "OUT", .operand_file = FLAG_WRITES_GRAPH);

/* --- subgraph */

/* Marks the nodes that --select names. */
static int keep_named(const struct change *x, uint8_t *keep, struct err_note *why)
{
	AUTO(seedset) named = {0};

	TRY(seedset_read(&named, x->o->nodes, x->from, x->o->rng_seed, why));
	if (named.missing)
		log_say("%zu lines of '%s' are not in the graph", named.missing, x->o->nodes);
	for (size_t i = 0; i < named.n; i++)
		keep[named.ids[i]] = 1;
	return 0;
}

static int make_subgraph(struct change *x, struct err_note *why)
{
	const struct dataset *d = x->from;
	int err = 0;

	if (!x->o->nodes && !x->o->crawled)
		return err_set(why, ERR_USAGE, "which nodes? give --select or --crawled");
	if (x->o->crawled && !d->crawled)
		return err_set(why, ERR_USAGE, "--crawled: '%s' is no store of a crawl", x->o->graph.graph);
	AUTO_FREE uint8_t *keep = mem_zero(d->graph.nodes, 1);
	if (x->o->nodes)
		err = keep_named(x, keep, why);
	for (uint32_t u = 0; u < d->graph.nodes && x->o->crawled; u++)
		keep[u] = (x->o->nodes ? keep[u] : 1) && d->crawled[u];
	x->is_renumbered = 1;
	if (!err)
		err = graph_subgraph(&d->graph, keep, x->space, &x->to, x->id, why);
	return err;
}

static int run_subgraph(const struct command *c, struct err_note *why)
{
	return run_change(c, make_subgraph, why);
}

static const struct flag subgraph_flags[] = {
	RNG_SEED_ROW(CHANGE(rng_seed)),
	TABLE_ROW(graph_flags, CHANGE(graph)),
	{"select", 0, FLAG_TEXT, CHANGE(nodes), "SEEDS",
		.help = "the nodes: a file of ids or URLs, or a rule, as --seeds of replay", .file = FLAG_READS_SEEDS},
	{"crawled", 0, FLAG_SWITCH, CHANGE(crawled), .help = "of a store: the pages fetched"},
	WRITE_IDS_ROW,
	{"nodes", 0, FLAG_ALIAS, 0, "select", .help = "the nodes"},
	CHANGE_ROWS,
};

const struct verb verb_graph_subgraph = VERB("subgraph", "Writes some nodes of a graph, and the links between them.",
	subgraph_flags, change_defaults, run_subgraph, .operands = "OUT", .operand_file = FLAG_WRITES_GRAPH);

/* --- relabel */

enum order_by { ORDER_DISCOVERY, ORDER_URL };

static int put_order(struct change *x, struct err_note *why)
{
	const char *spec = x->o->order ? x->o->order : x->o->seeds;
	const struct graph *g = &x->from->graph;
	AUTO(seedset) named = {0};

	if (!x->o->order && x->o->by == ORDER_URL) {
		if (!x->from->names.text)
			return err_set(why, ERR_USAGE, "the URLs of '%s' are not known: give --urls", x->o->graph.graph);
		names_order(&x->from->names, x->id);
		return 0;
	}
	TRY(spec ? seedset_read(&named, spec, x->from, x->o->rng_seed, why) : 0);
	if (named.missing)
		log_say("%zu lines of '%s' are not in the graph", named.missing, spec);
	if (x->o->order)
		graph_first(g, named.ids, named.n, x->id);
	else
		graph_discovery(g, named.ids, named.n, x->id);
	return 0;
}

static int make_relabelled(struct change *x, struct err_note *why)
{
	int err = put_order(x, why);

	x->is_renumbered = 1;
	return err ? err : graph_relabel(&x->from->graph, x->id, x->space, &x->to, why);
}

static int run_relabel(const struct command *c, struct err_note *why)
{
	return run_change(c, make_relabelled, why);
}

static const struct flag relabel_flags[] = {
	RNG_SEED_ROW(CHANGE(rng_seed)),
	TABLE_ROW(graph_flags, CHANGE(graph)),
	{"sort", 0, FLAG_CHOICE, CHANGE(by), "discovery|url", .help = "breadth first, or sorted by URL"},
	{"seeds", 0, FLAG_TEXT, CHANGE(seeds), "SEEDS", .help = "where discovery begins; as of replay", .file = FLAG_READS_SEEDS},
	{"order-from", 0, FLAG_TEXT, CHANGE(order), "FILE", .help = "these first, in this order: a file that replay wrote",
		.file = FLAG_READS},
	WRITE_IDS_ROW,
	{"by", 0, FLAG_ALIAS, 0, "sort", .help = "how nodes are sorted"},
	{"order", 0, FLAG_ALIAS, 0, "order-from", .help = "these first"},
	CHANGE_ROWS,
};

const struct verb verb_graph_relabel = VERB("relabel", "Writes a graph with its nodes in another order.", relabel_flags,
	change_defaults, run_relabel, .operands = "OUT", .operand_file = FLAG_WRITES_GRAPH);
