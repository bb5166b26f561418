/* The flags --to, --write-urls, --write-hosts and --memory of the verbs of `lycosa graph` that write a graph, and
 * the functions that carry them out. */
#ifndef CLI_GRAPH_GRAPH_TARGET_H
#define CLI_GRAPH_GRAPH_TARGET_H

#include "cli/flags/options.h"
#include "graph/kernels/harmonic.h"

struct target_options {
	const char *to, *write_urls, *write_hosts;
	uint64_t memory; /* 0: no bound */
};

extern const struct flag target_flags[];
/* clang-format off */
#define MEMORY_ROW(at) \
	{"memory", 0, FLAG_BYTES, at, "SIZE", .help = "for links; what is more goes to temporary files"}
#define REGISTERS_ROW(at, of) \
	{"registers", 0, FLAG_COUNT, at, "N", .help = "of a counter of " of ", if the graph is large; 0: exact", .max = HARMONIC_MOST}
/* clang-format on */

/* Sets the value of --registers to HARMONIC_BY_SIZE if the flag is not given. Refuses a number that is no power of two. */
int registers_of(const struct command *c, uint64_t *registers, struct err_note *why) MUST_USE;

/* Returns the bound on memory for a graph that will be written to `out`. Temporary files go to TMPDIR if it is
 * set, or else to the folder of `out`. The caller frees the result's `folder` with free(). */
struct graph_space target_space(const struct target_options *, const char *out);

/* Writes the graph and its names. A message on stderr says what the format loses: nodes without links; and the
 * ids, unless write_ids (--write-ids, or NULL) names a file for them. Returns 0 or an error of the format. */
int target_write(const struct target_options *, const struct graph *, const struct names *, const char *write_ids, const char *out,
	struct err_note *why) MUST_USE;

/* Writes a file with one line for each of n nodes: its label in the graph `from`, where node i was id[i], or i if
 * `id` is NULL. Returns 0 or ERR_FILE. */
int target_write_ids(const char *path, const struct graph *from, const uint32_t *id, uint32_t n, struct err_note *why) MUST_USE;

extern const struct verb verb_graph_convert, verb_graph_transpose, verb_graph_generate, verb_graph_offsets, verb_graph_verify;
extern const struct verb verb_graph_prune, verb_graph_subgraph, verb_graph_relabel;

#endif
