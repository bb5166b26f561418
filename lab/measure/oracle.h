/* What the laboratory alone can tell a policy: of the whole graph (enum policy_oracle). And `ideal`,
 * which is told so much that it is no crawl. */
#ifndef LAB_MEASURE_ORACLE_H
#define LAB_MEASURE_ORACLE_H

#include "frontier/policy.h"
#include "lab/study/dataset.h"
#include "lab/measure/throughput.h"

/* A value a node into a new *oracle, to be free()d; NULL for a policy without an oracle. `benchmark`
 * may be NULL unless it is asked for PageRank. ERR_USAGE where a policy that goes by scores was given
 * none; ERR_FILE, or ERR_FORMAT for a line that is not "id TAB score" with the data set's own ids.
 * Lines that start with '#' are comments. */
int oracle_make(double **oracle, const struct policy *, const struct opt_set *,
	const struct dataset *, const struct benchmark *, struct err_note *why) MUST_USE;

/* All pages by their PageRank, whether links lead to them or not: what no crawl can beat. A policy
 * by its name and description alone; replay_run() has the order from the benchmark. */
extern const struct policy policy_ideal;

#endif
