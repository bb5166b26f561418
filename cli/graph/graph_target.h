/* What the verbs of `lycosa graph` that write a graph have in common: --to --write-urls
 * --write-hosts --memory, and how they are obeyed. */
#ifndef CLI_GRAPH_GRAPH_TARGET_H
#define CLI_GRAPH_GRAPH_TARGET_H

#include "cli/flags/options.h"

struct target_options {
	const char *to, *write_urls, *write_hosts;
	uint64_t memory; /* 0: no bound */
};

extern const struct flag target_flags[];
extern const struct flag memory_flag[]; /* it alone: the uint64_t */

/* Where a graph may lie that is to be written to `out`: temporary files go to TMPDIR where that is
 * set, else beside it. Release with free() of its folder. */
struct graph_space target_space(const struct target_options *, const char *out);

/* Writes graph and names, and says what of the graph the format loses: nodes without links, and ids,
 * but where --write-ids tells them. */
int target_write(const struct target_options *, const struct graph *, const struct names *,
	const char *write_ids, const char *out, struct err_note *why) MUST_USE;

/* What the first n nodes written were called in `from`, a line each: node i was id[i] there, or i
 * where id is NULL. */
int target_write_ids(const char *path, const struct graph *from, const uint32_t *id, uint32_t n,
	struct err_note *why) MUST_USE;

extern const struct verb verb_graph_convert, verb_graph_transpose, verb_graph_generate,
	verb_graph_offsets, verb_graph_verify;
extern const struct verb verb_graph_prune, verb_graph_subgraph, verb_graph_relabel;

#endif
