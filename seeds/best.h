/* Finds the greatest of many numbers that change one by one. The numbers are divided into blocks; a change only
 * marks its block, and a query searches the marked blocks again.
 *
 *	best_init(&b, value, n);
 *	best_set(&b, 7, 100);
 *	place = best_find(&b, 0, n); */
#ifndef SEEDS_BEST_H
#define SEEDS_BEST_H

#include "seeds/method.h"

#include <stdint.h>

#define BEST_NONE UINT32_MAX

struct best {
	int64_t *value; /* value[n], borrowed; only best_set() may change it */
	uint8_t *out;   /* out[n]: 1 if the place is excluded */
	uint32_t n;
	uint32_t *top;  /* the best place of each block; BEST_NONE if all of its places are excluded */
	uint8_t *stale; /* 1 for each block whose top must be searched again */
};

/* Prepares for the numbers value[n], none of which is excluded. */
void best_init(struct best *b, int64_t *value, uint32_t n);

/* Frees the memory; `value` is the caller's. */
void best_release(struct best *b);

/* Changes the number at a place. */
void best_set(struct best *b, uint32_t place, int64_t value);

/* Excludes a place from all later queries. */
void best_take_out(struct best *b, uint32_t place);

/* Returns the place in [from, to) with the greatest number, the lowest one of several, or BEST_NONE if all places are
 * excluded. */
uint32_t best_find(struct best *b, uint32_t from, uint32_t to);

/* Seed methods by a fixed ranking, in which the choice of one seed does not change the key of another. */

/* Chooses the nodes with the greatest keys that are not barred, until there are enough; of equal keys the lower id
 * comes first. key[] has one entry for each node of in->graph. */
void seeds_by_key(const struct seed_input *in, const uint64_t *key, size_t k, struct seed_output *out);

/* Returns the number of links of node u to other nodes. */
uint32_t seeds_outdegree(const struct graph *g, uint32_t u);

#endif
