/* Seed methods by a fixed ranking, in which the choice of one seed does not change the key of another. */
#ifndef SEEDS_RANKED_H
#define SEEDS_RANKED_H

#include "seeds/method.h"

/* Chooses the nodes with the greatest keys that are not barred, until there are enough; of equal keys the lower id
 * comes first. key[] has one entry for each node of in->graph. */
void seeds_by_key(const struct seed_input *in, const uint64_t *key, size_t k, struct seed_output *out);

/* Returns the number of links of node u to other nodes. */
uint32_t seeds_outdegree(const struct graph *g, uint32_t u);

#endif
