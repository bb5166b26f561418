/* manifest.json: all that is needed to get the numbers of a comparison again.
 *
 * { "manifest": 1, "lycosa", "compiler",
 *   "graph": {"path", "urls", "hosts", "format", "nodes", "arcs", "fingerprint"},
 *   "seeds": {"spec", "draws", "rng_seed", "fingerprints": [one a draw]},
 *   "policies": [{"name", "options": {key: value}}],
 *   "batch", "total": a number or "reachable", "max_pages": 0 for all, "tolerance",
 *   "at": [fractions], "tau": whether it was measured, "ties": whether shared, "numbers": a fingerprint of the results }
 *
 * Fingerprints are 16 hexadecimal digits. Of several graphs:
 *
 * { "manifest": 2, "lycosa", "compiler", "graphs": [{"graph", "seeds" ... "numbers"} as above] }
 *
 * where draws, fractions, tau and ties are the same in all. */
#ifndef CLI_LAB_MANIFEST_H
#define CLI_LAB_MANIFEST_H

#include "cli/lab/experiment.h"

/* What a manifest says, as the flags would have said it. */
struct manifest {
	struct graph_options graph;
	struct experiment_options experiment;
	struct policy_options policy; /* threads 0 */
	struct flag_list policies;
	uint64_t draws;
	int tau;
	const char *version;
	uint64_t graph_fingerprint, numbers;
	uint64_t *seed_fingerprints; /* draws */
	struct manifest *more;       /* of the other graphs, graphs - 1; see manifest_of() */
	size_t graphs;               /* >= 1 */
	/* its own */
	struct json_t *whole; /* the file; NULL in `more` */
	struct json_t *root;  /* what it says of this graph */
	char **text;
	size_t texts, text_room;
};

/* ERR_FILE, ERR_FORMAT with what is amiss, ERR_NEWER. Follow with manifest_release() in any case.
 */
int manifest_read(struct manifest *, const char *path, struct err_note *why) MUST_USE;
/* Likewise from bytes; `name` is for messages. */
int manifest_parse(struct manifest *, const char *bytes, size_t n, const char *name,
	struct err_note *why) MUST_USE;
void manifest_release(struct manifest *);

/* What it says of the i-th graph. */
static inline const struct manifest *manifest_of(const struct manifest *m, size_t i)
{
	return i ? &m->more[i - 1] : m;
}

/* Appends the manifest of n experiments that have run. */
void manifest_write(const struct experiment *x, size_t n, struct buf *out);

#endif
