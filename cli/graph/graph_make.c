/* `lycosa graph generate` and `offsets`: new graphs, and what one lacks. */
#include "base/log.h"
#include "cli/graph/graph_target.h"
#include "graph/formats/bvgraph.h"
#include "graph/kernels/generate.h"
#include "simweb/endless_graph.h"

#include <stdlib.h>

/* --- generate */

struct generate_options {
	struct standard_options standard;
	struct target_options target;
	uint64_t nodes, rng_seed;
	double arcs_per_node, intra_host;
	const char *endless;
};

/* Generates a part of an endless web, of --nodes pages. */
static int generate_endless(const struct generate_options *o, const char *out, struct err_note *why)
{
	AUTO(names) names = {0};
	struct endless web;
	AUTO(graph) g = {0};

	TRY(endless_parse(&web, o->endless, why));
	endless_graph(&web, (uint32_t)o->nodes, &g, &names);
	if (g.nodes < o->nodes)
		log_say("this web has %u pages only", g.nodes);
	return target_write(&o->target, &g, &names, NULL, out, why);
}

static int run_generate(const struct command *c, struct err_note *why)
{
	const struct generate_options *o = c->options;
	const char *out = c->flags->operands ? c->flags->operand[0] : "-";
	const struct graph_space space = target_space(&o->target, out);
	struct generate how = GENERATE_DEFAULT;
	AUTO(names) names = {0};
	AUTO(graph) g = {0};

	if (o->endless) {
		free((char *)(uintptr_t)space.folder);
		return generate_endless(o, out, why);
	}
	how.nodes = (uint32_t)o->nodes;
	how.arcs_per_node = o->arcs_per_node;
	how.intra_host = o->intra_host;
	how.rng_seed = o->rng_seed;
	int err = generate_within(&how, &space, &g, why);
	free((char *)(uintptr_t)space.folder);
	if (err)
		return err;
	if (o->target.write_urls || o->target.write_hosts)
		generate_names(&how, &names);
	err = target_write(&o->target, &g, &names, NULL, out, why);
	return err;
}

#define GENERATE(field) offsetof(struct generate_options, field)
static const struct generate_options generate_defaults = {.target.to = "edges",
	.nodes = 1000,
	.rng_seed = 1,
	.arcs_per_node = 10,
	.intra_host = 0.89};
static const struct flag generate_flags[] = {
	{"nodes", 0, FLAG_COUNT, GENERATE(nodes), "N", .help = "pages", .min = 1, .max = GRAPH_MAX_NODES},
	{"arcs-per-node", 0, FLAG_REAL, GENERATE(arcs_per_node), "D", .help = "links of a page, on average", .min = 0.01,
		.max = 100000},
	{"intra-host", 0, FLAG_REAL, GENERATE(intra_host), "SHARE", .help = "of the links, those within a host", .max = 1},
	{"endless", 0, FLAG_TEXT, GENERATE(endless), "SEED[,LIST]",
		.help = "the first pages of this web of 'lycosa serve' instead"},
	RNG_SEED_ROW(GENERATE(rng_seed)),
	TABLE_ROW(target_flags, GENERATE(target)),
	STANDARD_ROWS,
};

const struct verb verb_graph_generate = VERB("generate", "Generates a web-like graph; equal parameters, equal graph.",
	generate_flags, generate_defaults, run_generate, .operands = "[OUT]", .operand_file = FLAG_WRITES_GRAPH);

/* --- offsets */

struct offsets_options {
	struct standard_options standard;
	const char *graph;
};

static int run_offsets(const struct command *c, struct err_note *why)
{
	const struct offsets_options *o = c->options;

	if (!bvgraph_detect(o->graph))
		return err_set(why, ERR_USAGE, "'%s' is no BVGraph; no other format has offsets", o->graph);
	return bvgraph_write_offsets(o->graph, why);
}

static const struct offsets_options offsets_defaults;
static const struct flag offsets_flags[] = {
	{"graph", 0, FLAG_TEXT, offsetof(struct offsets_options, graph), "PATH",
		.help = "a BVGraph: x, for x.graph and x.properties", .required = 1, .is_noun = 1, .file = FLAG_WRITES_OFFSETS},
	STANDARD_ROWS,
};

const struct verb verb_graph_offsets =
	VERB("offsets", "Writes the .offsets file of a BVGraph that lacks one.", offsets_flags, offsets_defaults, run_offsets);
