/* Radix sort of 64-bit numbers. Its time does not depend on the input, so that no file can be made to sort slowly. */
#ifndef GRAPH_MEMORY_RADIX_H
#define GRAPH_MEMORY_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* Sorts n keys in ascending order by their bits from `from_bit` on, a multiple of 8; the order of keys that are
 * equal there stays. other[n] is scratch memory. Returns the one of the two arrays that contains the result. Each
 * byte in which keys differ costs one pass. */
uint64_t *radix_sort(uint64_t *key, uint64_t *other, size_t n, unsigned from_bit);

/* Removes repeated keys from n sorted keys, in place. Returns the number of distinct keys. */
size_t radix_distinct(uint64_t *key, size_t n);

#endif
