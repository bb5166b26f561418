/* Sorting of whole numbers by their bytes, the lowest first. Not by comparing: no file can make it
 * slow. */
#ifndef GRAPH_MEMORY_RADIX_H
#define GRAPH_MEMORY_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* Sorts key[n], ascending, by their bits from `from_bit` (a multiple of 8) on, keeping the order of
 * equals; other[n] is needed meanwhile. Returns the one of the two that holds the result. A byte
 * that all keys share costs no pass. */
uint64_t *radix_sort(uint64_t *key, uint64_t *other, size_t n, unsigned from_bit);

/* Drops the repeats of sorted keys; returns how many are left. */
size_t radix_distinct(uint64_t *key, size_t n);

#endif
