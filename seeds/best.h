/* The greatest of many numbers that change one by one: kept block by block, so that a change costs
 * nothing and a question what has changed since. */
#ifndef SEEDS_BEST_H
#define SEEDS_BEST_H

#include <stdint.h>

#define BEST_NONE UINT32_MAX

struct best {
	int64_t *value; /* n; borrowed; change it through best_set() */
	uint8_t *out;   /* n: this place is out of the running */
	uint32_t n;
	uint32_t *top; /* of a block: its best place, BEST_NONE where all are out */
	uint8_t *stale;
};

void best_init(struct best *b, int64_t *value, uint32_t n);
void best_release(struct best *b);
void best_set(struct best *b, uint32_t place, int64_t value);
void best_take_out(struct best *b, uint32_t place);

/* The place of the greatest value of from..to-1 that is in the running, of equals the lowest;
 * BEST_NONE where there is none. */
uint32_t best_find(struct best *b, uint32_t from, uint32_t to);

#endif
