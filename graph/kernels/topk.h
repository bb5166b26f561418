/* Selects the best of many by an integer key. */
#ifndef GRAPH_KERNELS_TOPK_H
#define GRAPH_KERNELS_TOPK_H

#include <stdint.h>

/* Writes the indices of the k greatest of n keys, k <= n, into top[k]: by descending key, then by ascending index.
 * Time: a radix sort with digits of 11 bits, over the digits in which keys differ and over the keys that may be
 * among the k greatest. */
void topk(const uint64_t *key, uint32_t n, uint32_t k, uint32_t *top);

#endif
