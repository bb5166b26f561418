/* XXH3 hashes of long texts. The values are those that XXH3_64bits() and XXH3_128bits() always give; but where libxxhash
 * was built with a choice of vector instructions, the widest that the processor has are used (AVX2 halves the time). For
 * texts of a few words, xxhash.h with XXH_INLINE_ALL is faster. */
#ifndef BASE_LONG_HASH_H
#define BASE_LONG_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the 64-bit hash of n bytes. `bytes` may be NULL if n is 0. */
uint64_t long_hash(const void *bytes, size_t n);

/* Writes the low and the high half of the 128-bit hash of n bytes. `bytes` may be NULL if n is 0. */
void long_hash_128(const void *bytes, size_t n, uint64_t out[2]);

#endif
