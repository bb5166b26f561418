/* `lycosa graph`: what a graph is, and graphs from graphs. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/graph/graph_target.h"
#include "cli/verbs.h"
#include "graph/formats/bvgraph.h"
#include "graph/kernels/scc.h"
#include "lab/measure/stats.h"

#include <math.h>
#include <string.h>

/* --- lycosa graph verify */

/* `lycosa graph verify`: whether graph files are whole. */

struct verify_options {
	struct standard_options standard;
	struct report_options report;
	uint64_t threads;
};

/* Verifies one file: prints a row, or the error that says what is wrong with the file. */
static int verify(const struct verify_options *o, const char *path, struct results *r, struct err_note *why)
{
	struct err_note odd = {""};
	const struct graph_load load = {.threads = threads_of(o->threads), .care = GRAPH_WHOLE, .odd = &odd};
	const struct graph_format *format;
	AUTO(graph) g = {0};

	TRY(graph_open(path, &load, &g, &format, why));
	if (format->verify)
		TRY(format->verify(path, why));
	if (*odd.text)
		log_say("%s", odd.text);
	RESULTS_CELLS(r, cell_text(path), cell_text(format->name), cell_count(g.nodes), cell_count(g.arcs),
		cell_hash(graph_fingerprint(&g)));
	return 0;
}

/* Verifies all files, also after an error in one of them. */
static int run_verify(const struct command *c, struct err_note *why)
{
	static const char *const columns[] = {"file", "format", "nodes", "arcs", "fingerprint", NULL};
	const struct verify_options *o = c->options;
	struct err_note note;
	struct results r;
	int err = 0;

	report_begin(&o->report, &r);
	results_columns(&r, columns);
	for (size_t i = 0; i < c->flags->operands; i++) {
		const int failed = verify(o, c->flags->operand[i], &r, &note);
		if (failed && err)
			log_say("%s", note.text);
		else if (failed)
			err = err_set(why, (enum err)failed, "%s", note.text);
	}
	const int end = results_end(&r, err ? NULL : why);
	return err ? err : end;
}

static const struct verify_options verify_defaults;
static const struct flag verify_flags[] = {
	THREADS_ROW(offsetof(struct verify_options, threads)),
	JSON_ROW(offsetof(struct verify_options, report.json)),
	STANDARD_ROWS,
};

const struct verb verb_graph_verify = VERB("verify", "Checks graph files against their checksums and headings.", verify_flags,
	verify_defaults, run_verify, .operands = "FILE...", .operand_file = FLAG_READS_GRAPH);

/* --- info */

struct info_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	uint64_t threads, memory;
	int distances;
	uint64_t registers, runs, rng_seed;
};

struct figures {
	uint64_t self_loops, dangling, without_inlinks;
	uint32_t most_out, most_in; /* links to itself count */
};

/* How many strongly, or weakly, connected components a graph has, and the size of the largest. */
struct parts {
	uint32_t count, largest;
};

static struct parts count_parts(const struct graph *g, uint32_t (*find)(const struct graph *, uint32_t *component))
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

static int measure(const struct info_options *o, const struct graph_space *space, const struct graph *g, struct harmonic *h,
	struct distances *d, struct err_note *why)
{
	AUTO(graph) reverse = {0};

	TRY(graph_transpose_within(g, space, &reverse, why));
	*h = (struct harmonic){(uint32_t)o->registers, threads_of(o->threads), .hash_seed = o->rng_seed};
	harmonic_distances(h, (uint32_t)o->runs, &reverse, d);
	return 0;
}

static void print_distances(const struct harmonic *h, const struct distances *d, struct results *r)
{
	static const char *const names[][2] = {{"reachable_pairs", "reachable_pairs_error"},
		{"average_distance", "average_distance_error"}, {"spid", "spid_error"},
		{"effective_diameter", "effective_diameter_error"}, {"harmonic_diameter", "harmonic_diameter_error"}};
	static const char *const columns[] = {"links", "pairs", "error", NULL};
	const int exact = h->registers == HARMONIC_EXACT;

	results_fact(r, "registers", exact ? cell_text("exact") : cell_count(h->registers));
	results_fact(r, "runs", cell_count(d->runs));
	if (!exact)
		results_fact(r, "interval_errors", cell_real(d->runs > 1 ? stats_student(0.95, d->runs - 1) : NAN));
	for (int i = 0; i < DISTANCE_PAIRS; i++) {
		results_fact(r, names[i][0], cell_real(d->value[i]));
		if (!exact)
			results_fact(r, names[i][1], cell_real(d->error[i]));
	}
	results_table(r, "neighbourhood", columns);
	for (uint32_t t = 0; t <= d->steps && !results_stopped(r); t++)
		RESULTS_CELLS(r, cell_count(t), cell_real(d->value[DISTANCE_PAIRS + t]), cell_real(d->error[DISTANCE_PAIRS + t]));
}

static int run_info(const struct command *c, struct err_note *why)
{
	struct info_options *o = c->options;
	struct harmonic h;
	struct distances distances = {.value = NULL};
	AUTO(dataset) d = {0};
	struct figures f;
	struct results r;
	const struct graph_space space = {.memory = o->memory};
	int err = registers_of(c, &o->registers, why);

	for (size_t i = 0; !err && !o->distances && i < 3; i++) {
		static const char *const of_distances[] = {"registers", "runs", "rng-seed"};
		if (flags_given(c->flags, of_distances[i]))
			err = err_set(why, ERR_USAGE, "--%s is for --distances, which is not given", of_distances[i]);
	}
	if (!err)
		err = graph_options_open_within(&o->graph, &space, threads_of(o->threads), &d, why);
	if (err)
		return err;
	if (o->distances && (err = measure(o, &space, &d.graph, &h, &distances, why)) != 0)
		return err;
	if (strcmp(d.format, "bvgraph") == 0 && !bvgraph_has_offsets(o->graph.graph))
		log_say("no .offsets file beside it: 'lycosa graph offsets --graph %s' writes one", o->graph.graph);
	count_figures(&d.graph, &f);
	struct parts strong = count_parts(&d.graph, scc), weak = count_parts(&d.graph, components);
	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, &d);
	results_figures(&r);
	RESULTS_COUNTS(&r, {"nodes", d.graph.nodes}, {"arcs", d.graph.arcs}, {"self_loops", f.self_loops}, {"dangling", f.dangling},
		{"without_inlinks", f.without_inlinks}, {"max_outdegree", f.most_out}, {"max_indegree", f.most_in},
		{"sccs", strong.count}, {"largest_scc", strong.largest}, {"weak_components", weak.count},
		{"largest_weak_component", weak.largest});
	if (d.names.nodes)
		results_fact(&r, "hosts", cell_count(d.names.hosts));
	if (o->distances)
		print_distances(&h, &distances, &r);
	harmonic_distances_release(&distances);
	return results_end(&r, why);
}

static const struct info_options info_defaults = {.registers = HARMONIC_REGISTERS, .runs = 8, .rng_seed = 1};
static const struct flag info_flags[] = {
	TABLE_ROW(graph_flags, offsetof(struct info_options, graph)),
	THREADS_ROW(offsetof(struct info_options, threads)),
	MEMORY_ROW(offsetof(struct info_options, memory)),
	{"distances", 0, FLAG_SWITCH, offsetof(struct info_options, distances),
		.help = "also print how far nodes are from each other"},
	REGISTERS_ROW(offsetof(struct info_options, registers), "--distances"),
	{"runs", 0, FLAG_COUNT, offsetof(struct info_options, runs), "N",
		.help = "of --distances, if the graph is large; for the errors", .min = 1, .max = 1000},
	RNG_SEED_ROW(offsetof(struct info_options, rng_seed)),
	JSON_ROW(offsetof(struct info_options, report.json)),
	STANDARD_ROWS,
};

static const struct verb verb_info =
	VERB("info", "Prints the size, degrees and fingerprint of a graph.", info_flags, info_defaults, run_info);

static const struct verb *const graph_verbs[] = {&verb_info, &verb_graph_convert, &verb_graph_transpose, &verb_graph_prune,
	&verb_graph_subgraph, &verb_graph_relabel, &verb_graph_generate, &verb_graph_offsets, &verb_graph_verify, NULL};

const struct verb verb_graph = {
	.name = "graph",
	.summary = "Describes, converts, changes and makes graphs.",
	.verbs = graph_verbs,
};
