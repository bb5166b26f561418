/* Knowledge of the whole graph, which only the laboratory can give a policy (enum policy_oracle): yardsticks crawl
 * with it. The yardstick `ideal` takes pages by it alone and is no crawl. */
#ifndef LAB_STUDY_ORACLE_H
#define LAB_STUDY_ORACLE_H

#include "frontier/policy.h"
#include "lab/study/dataset.h"
#include "lab/study/seedset.h"
#include "lab/measure/throughput.h"

/* Makes *oracle, a value for each node, which the caller frees; NULL for a policy without an oracle. `benchmark`
 * may be NULL unless the policy wants PageRank. Returns ERR_USAGE if a policy that goes by a file of scores was given
 * none, and ERR_FILE, or ERR_FORMAT for a line of the file that is not "id TAB score" with the data set's own ids.
 * Lines that start with '#' are comments. */
int oracle_make(double **oracle, const struct policy *, const struct opt_set *, const struct dataset *, const struct benchmark *,
	const struct seedset *, struct err_note *why) MUST_USE;

/* Takes all pages by their PageRank, whether links lead to them or not; no crawl can find hot pages sooner. It has
 * a policy's name and description only: replay_run() copies the order from the benchmark. */
extern const struct policy policy_ideal;

/* Reads the scores of nodes from a file of lines "id TAB score" into score[], which is 0 for the nodes that the file does not
 * have. Returns 0, ERR_FILE, or ERR_FORMAT for a line that is none. */
int oracle_read_scores(const char *path, const struct graph *g, double *score, struct err_note *why) MUST_USE;

#endif
