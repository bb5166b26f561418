/* The best of many by an integer key: static rankings are by (key descending, id ascending). */
#ifndef GRAPH_KERNELS_TOPK_H
#define GRAPH_KERNELS_TOPK_H

#include <stdint.h>

/* The `k` <= n places of the greatest keys, best first, equal ones in ascending order of their
 * place, into top[k]. O(n) for each of the digits that keys differ in (radix sort, 11 bits), and
 * only over what can be among the k. */
void topk(const uint64_t *key, uint32_t n, uint32_t k, uint32_t *top);

#endif
