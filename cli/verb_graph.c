/* `lycosa graph`: what a graph is, and graphs from graphs. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cli/sites.h"
#include "cli/verbs.h"
#include "graph/components.h"
#include "graph/format.h"
#include "graph/generate.h"
#include "base/output.h"
#include "graph/scc.h"

#include <stdlib.h>
#include <string.h>

/* --- info */

struct info_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	uint64_t threads;
};

struct figures {
	uint64_t self_loops, dangling, without_inlinks;
	uint32_t most_out, most_in; /* links to itself count */
};

/* How many strongly, or weakly, connected components a graph has, and the size of the largest. */
struct parts {
	uint32_t count, largest;
};

static struct parts count_parts(
	const struct graph *g, uint32_t (*find)(const struct graph *, uint32_t *component))
{
	uint32_t *component = mem_big(g->nodes, sizeof *component);
	uint32_t *size = mem_big(g->nodes, sizeof *size);
	struct parts p = {g->nodes ? find(g, component) : 0, 0};

	for (uint32_t u = 0; u < g->nodes; u++)
		if (++size[component[u]] > p.largest)
			p.largest = size[component[u]];
	mem_big_free(component, g->nodes, sizeof *component);
	mem_big_free(size, g->nodes, sizeof *size);
	return p;
}

static void count_figures(const struct graph *g, struct figures *f)
{
	uint32_t *indegree = mem_big(g->nodes, sizeof *indegree);

	*f = (struct figures){0};
	for (uint32_t u = 0; u < g->nodes; u++) {
		uint32_t n = graph_outdegree(g, u);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t i = 0; i < n; i++) {
			indegree[row[i]]++;
			f->self_loops += row[i] == u;
		}
		f->dangling += !n;
		f->most_out = n > f->most_out ? n : f->most_out;
	}
	for (uint32_t u = 0; u < g->nodes; u++) {
		f->without_inlinks += !indegree[u];
		f->most_in = indegree[u] > f->most_in ? indegree[u] : f->most_in;
	}
	mem_big_free(indegree, g->nodes, sizeof *indegree);
}

static void add_count(struct results *r, const char *name, uint64_t count)
{
	results_name(r, name);
	results_count(r, count);
}

static int run_info(const struct command *c, struct err_note *why)
{
	const struct info_options *o = c->options;
	struct dataset d;
	struct figures f;
	struct results r;
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	count_figures(&d.graph, &f);
	struct parts strong = count_parts(&d.graph, scc), weak = count_parts(&d.graph, components);
	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, &d);
	results_figures(&r);
	add_count(&r, "nodes", d.graph.nodes);
	add_count(&r, "arcs", d.graph.arcs);
	add_count(&r, "self_loops", f.self_loops);
	add_count(&r, "dangling", f.dangling);
	add_count(&r, "without_inlinks", f.without_inlinks);
	add_count(&r, "max_outdegree", f.most_out);
	add_count(&r, "max_indegree", f.most_in);
	add_count(&r, "sccs", strong.count);
	add_count(&r, "largest_scc", strong.largest);
	add_count(&r, "weak_components", weak.count);
	add_count(&r, "largest_weak_component", weak.largest);
	if (d.names.nodes)
		add_count(&r, "hosts", d.names.hosts);
	dataset_release(&d);
	return results_end(&r, why);
}

static const struct info_options info_defaults;
static const struct flag_group info_groups[] = {
	{NULL, graph_flags, offsetof(struct info_options, graph), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, offsetof(struct info_options, threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, offsetof(struct info_options, report.json), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct verb verb_info = {
	.name = "info",
	.summary = "Tells the size, degrees and fingerprint of a graph.",
	.groups = info_groups,
	.defaults = &info_defaults,
	.size = sizeof info_defaults,
	.run = run_info,
};

/* --- what is written */

struct target_options {
	const char *to, *write_urls;
};

static const char *format_word(size_t i)
{
	for (const struct graph_format *f = graph_formats; f->name; f++)
		if (f->save && !i--)
			return f->name;
	return NULL;
}

#define TARGET(field) offsetof(struct target_options, field)
static const struct flag target_flags[] = {
	{"to", 0, FLAG_TEXT, TARGET(to), "FORMAT",
		.help = "what to write; see 'lycosa list formats'", .words = format_word},
	{"write-urls", 0, FLAG_TEXT, TARGET(write_urls), "FILE",
		.help = "write the URL of node i on line i, too"},
	{.name = NULL},
};

static int write_urls(const struct names *names, const char *path, struct err_note *why)
{
	struct output *out;

	if (!names->nodes || !names->text)
		return err_set(why, ERR_USAGE, "--write-urls %s: the graph has no URLs", path);
	int err = output_open(&out, path, why);
	if (err)
		return err;
	for (uint32_t i = 0; i < names->nodes; i++) {
		output_text(out, names_url(names, i));
		output_text(out, "\n");
	}
	return output_close(out, why);
}

static int write_target(const struct target_options *o, const struct graph *g,
	const struct names *names, const char *path, struct err_note *why)
{
	int err = graph_format_named(o->to)->save(g, path, why);

	if (!err && o->write_urls)
		err = write_urls(names, o->write_urls, why);
	if (!err)
		log_detail("wrote %u nodes, %llu arcs to '%s'", g->nodes,
			(unsigned long long)g->arcs, path);
	return err;
}

/* --- convert, transpose */

struct convert_options {
	struct standard_options standard;
	struct graph_options graph;
	struct target_options target;
	uint64_t threads;
};

static int run_convert(const struct command *c, struct err_note *why)
{
	const struct convert_options *o = c->options;
	struct dataset d;
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	err = write_target(&o->target, &d.graph, &d.names, c->flags->operand[0], why);
	dataset_release(&d);
	return err;
}

static int run_transpose(const struct command *c, struct err_note *why)
{
	const struct convert_options *o = c->options;
	struct dataset d;
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	err = write_target(&o->target, dataset_reverse(&d, threads_of(o->threads)), &d.names,
		c->flags->operand[0], why);
	dataset_release(&d);
	return err;
}

static const struct convert_options convert_defaults = {.target.to = "edges"};
static const struct flag_group convert_groups[] = {
	{NULL, graph_flags, offsetof(struct convert_options, graph), FLAGS_A_LINE_EACH},
	{NULL, target_flags, offsetof(struct convert_options, target), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, offsetof(struct convert_options, threads), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct verb verb_convert = {
	.name = "convert",
	.summary = "Writes a graph in another format.",
	.operands = "OUT",
	.least = 1,
	.most = 1,
	.groups = convert_groups,
	.defaults = &convert_defaults,
	.size = sizeof convert_defaults,
	.run = run_convert,
};

static const struct verb verb_transpose = {
	.name = "transpose",
	.summary = "Writes a graph with each arc turned round.",
	.operands = "OUT",
	.least = 1,
	.most = 1,
	.groups = convert_groups,
	.defaults = &convert_defaults,
	.size = sizeof convert_defaults,
	.run = run_transpose,
};

/* --- prune */

struct prune_options {
	struct standard_options standard;
	struct graph_options graph;
	struct target_options target;
	int by; /* enum site_by */
	uint64_t threads;
};

/* The graph without the arcs within a site; all nodes stay. site[h] is that of host[u]. */
static void drop_arcs_within(
	const struct graph *g, const uint32_t *host, const uint32_t *site, struct graph *out)
{
	uint64_t *offset = mem_new((size_t)g->nodes + 1, sizeof *offset);
	uint32_t *target = mem_new(g->arcs, sizeof *target);
	uint64_t arcs = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *row = graph_row(g, u);
		offset[u] = arcs;
		for (uint32_t i = 0, n = graph_outdegree(g, u); i < n; i++)
			if (site[host[row[i]]] != site[host[u]])
				target[arcs++] = row[i];
	}
	offset[g->nodes] = arcs;
	target = mem_resize(target, arcs, sizeof *target);
	graph_take_rows(out, g->nodes, offset, target, g->flags);
	if (g->label)
		graph_take_labels(out, mem_copy(g->label, g->nodes * sizeof *g->label));
}

static int run_prune(const struct command *c, struct err_note *why)
{
	const struct prune_options *o = c->options;
	struct graph pruned = {0};
	struct dataset d;
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	if (!d.names.host) {
		err = err_set(why, ERR_USAGE,
			"the hosts of '%s' are not known: give --urls or --hosts", o->graph.graph);
	} else {
		uint32_t *site = mem_new(d.names.hosts, sizeof *site);
		sites_of_hosts(&d.names, (enum site_by)o->by, site);
		drop_arcs_within(&d.graph, d.names.host, site, &pruned);
		free(site);
		err = write_target(&o->target, &pruned, &d.names, c->flags->operand[0], why);
	}
	graph_release(&pruned);
	dataset_release(&d);
	return err;
}

static const struct flag prune_flags[] = {
	{"by", 0, FLAG_CHOICE, offsetof(struct prune_options, by), SITE_WORDS,
		.help = "what links are dropped within"},
	{.name = NULL},
};
static const struct prune_options prune_defaults = {.target.to = "edges"};
static const struct flag_group prune_groups[] = {
	{NULL, graph_flags, offsetof(struct prune_options, graph), FLAGS_A_LINE_EACH},
	{NULL, prune_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, target_flags, offsetof(struct prune_options, target), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, offsetof(struct prune_options, threads), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct verb verb_prune = {
	.name = "prune",
	.summary = "Writes a graph without the links within a host or domain.",
	.operands = "OUT",
	.least = 1,
	.most = 1,
	.groups = prune_groups,
	.defaults = &prune_defaults,
	.size = sizeof prune_defaults,
	.run = run_prune,
};

/* --- generate */

struct generate_options {
	struct standard_options standard;
	struct target_options target;
	uint64_t nodes, rng_seed;
	double arcs_per_node, intra_host;
};

static int run_generate(const struct command *c, struct err_note *why)
{
	const struct generate_options *o = c->options;
	struct generate how = GENERATE_DEFAULT;
	struct names names = {0};
	struct graph g;

	how.nodes = (uint32_t)o->nodes;
	how.arcs_per_node = o->arcs_per_node;
	how.intra_host = o->intra_host;
	how.rng_seed = o->rng_seed;
	generate(&how, &g);
	if (o->target.write_urls)
		generate_names(&how, &names);
	int err = write_target(
		&o->target, &g, &names, c->flags->operands ? c->flags->operand[0] : "-", why);
	names_release(&names);
	graph_release(&g);
	return err;
}

#define GENERATE(field) offsetof(struct generate_options, field)
static const struct flag generate_flags[] = {
	{"nodes", 0, FLAG_COUNT, GENERATE(nodes), "N", .help = "pages", .min = 1,
		.max = GRAPH_MAX_NODES},
	{"arcs-per-node", 0, FLAG_REAL, GENERATE(arcs_per_node), "D",
		.help = "links of a page, on average", .min = 0.01, .max = 100000},
	{"intra-host", 0, FLAG_REAL, GENERATE(intra_host), "SHARE",
		.help = "of the links, those within a host", .max = 1},
	{.name = NULL},
};

static const struct generate_options generate_defaults = {.target.to = "edges",
	.nodes = 1000,
	.rng_seed = 1,
	.arcs_per_node = 10,
	.intra_host = 0.89};
static const struct flag_group generate_groups[] = {
	{NULL, generate_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, rng_seed_flag, GENERATE(rng_seed), FLAGS_A_LINE_EACH},
	{NULL, target_flags, GENERATE(target), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct verb verb_generate = {
	.name = "generate",
	.summary = "Makes a web-like graph; the same numbers make the same graph.",
	.operands = "[OUT]",
	.most = 1,
	.groups = generate_groups,
	.defaults = &generate_defaults,
	.size = sizeof generate_defaults,
	.run = run_generate,
};

static const struct verb *const graph_verbs[] = {
	&verb_info, &verb_convert, &verb_prune, &verb_transpose, &verb_generate, NULL};

const struct verb verb_graph = {
	.name = "graph",
	.summary = "Tells what a graph is; converts, prunes, transposes, makes them.",
	.verbs = graph_verbs,
};
