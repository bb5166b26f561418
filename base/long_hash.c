#include "base/long_hash.h"

#ifdef HAVE_XXH_DISPATCH
#include <xxh_x86dispatch.h> /* in which XXH3_64bits() and XXH3_128bits() are macros */
#else
#include <xxhash.h>
#endif

uint64_t long_hash(const void *bytes, size_t n)
{
	return XXH3_64bits(n ? bytes : "", n);
}

void long_hash_128(const void *bytes, size_t n, uint64_t out[2])
{
	const XXH128_hash_t h = XXH3_128bits(n ? bytes : "", n);

	out[0] = h.low64;
	out[1] = h.high64;
}
