/* Static rankings: no choice changes what the next one is worth. */
#ifndef SEEDS_RANKED_H
#define SEEDS_RANKED_H

#include "seeds/method.h"

/* The k nodes of the greatest keys that may be seeds, of equals the lower id, all where k is more
 * than there are. key[] is of the nodes of in->graph. */
void seeds_by_key(
	const struct seed_input *in, const uint64_t *key, size_t k, struct seed_output *out);

/* The links of u to other pages. */
uint32_t seeds_outdegree(const struct graph *g, uint32_t u);

#endif
