/* Knowledge of the whole graph, which only the laboratory can give a policy (enum policy_oracle): yardsticks crawl
 * with it. The yardstick `ideal` takes pages by it alone and is no crawl. */
#ifndef LAB_STUDY_ORACLE_H
#define LAB_STUDY_ORACLE_H

#include "frontier/policy.h"
#include "lab/measure/throughput.h"
#include "lab/study/dataset.h"
#include "lab/study/seedset.h"

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

/* --- The order of an oracle that has the map: a crawler that knows the whole graph, goes to the nearest hot page that it has not
 * taken, and has to crawl the way there. It is a yardstick beside `ideal`, which needs no way, and `omniscient`, which knows what
 * each discovered page is worth, but not where it leads to.
 *
 * After n pages, a page of rank r = 1, 2 ... that is d steps away, through pages that were not taken, is hot if r <= n + d: taken
 * as page n + d, it counts at once. The oracle goes to the hot page of the fewest steps, of several to that of the lowest rank; if
 * there is none, to the page of the lowest rank. It takes the first page on the way there, and looks anew. The way leads, backwards
 * from the destination, over pages of one step less, of several over that of the lowest rank. A page that is more than 64 steps
 * away is not looked at.
 *
 *	n = map_order(&graph, &benchmark, NULL, seeds, n_seeds, order);
 *
 * The steps to a page only become fewer, so all searches together visit a link as often as its page comes nearer. */

/* Writes the pages that can be reached from the seeds into order[], which has room for all nodes, and returns their number. A node
 * that `outside` (a byte a node; NULL: none) marks is not taken. */
uint32_t map_order(const struct graph *g, const struct benchmark *, const uint8_t *outside, const uint32_t *seeds, size_t n_seeds,
	uint32_t *order);

#endif
