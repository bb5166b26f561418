#include "parser/html_base.h"
#include "parser/html_token.h"

#include <stdint.h>
#include <string.h>

#define BLOCK  128 /* bytes that are looked at together */
#define BEHIND 3   /* and the bytes behind them */

typedef uint8_t wide __attribute__((vector_size(32)));
typedef uint64_t quarters __attribute__((vector_size(32)));

/* Says whether the text "<b.s" begins in one of the blocks at p. The function is compiled as a part of each caller, for the
 * vectors of the caller's target. */
__attribute__((always_inline)) static inline int seek(const char *p, size_t blocks)
{
	for (; blocks; blocks--, p += BLOCK) {
		wide any = {0}, first, second, fourth;
#pragma GCC unroll 4
		for (size_t i = 0; i < BLOCK; i += sizeof(wide)) {
			memcpy(&first, p + i, sizeof first);
			memcpy(&second, p + i + 1, sizeof second);
			memcpy(&fourth, p + i + 3, sizeof fourth);
			any |= (wide)(first == '<') & (wide)((second | 0x20) == 'b') & (wide)((fourth | 0x20) == 's');
		}
		const quarters bits = (quarters)any;
		if (bits[0] | bits[1] | bits[2] | bits[3])
			return 1;
	}
	return 0;
}

static int seek_plainly(const char *p, size_t blocks)
{
	return seek(p, blocks);
}

#if defined __x86_64__ && defined __GNUC__
__attribute__((target("avx2"))) static int seek_by_avx2(const char *p, size_t blocks)
{
	return seek(p, blocks);
}

static int seek_in_blocks(const char *p, size_t blocks)
{
	return __builtin_cpu_supports("avx2") ? seek_by_avx2(p, blocks) : seek_plainly(p, blocks);
}
#else
static int seek_in_blocks(const char *p, size_t blocks)
{
	return seek_plainly(p, blocks);
}
#endif

int html_may_have_base(const char *bytes, size_t n)
{
	const size_t blocks = n < BEHIND ? 0 : (n - BEHIND) / BLOCK;

	if (seek_in_blocks(bytes, blocks))
		return 1;
	bytes += blocks * BLOCK;
	for (n -= blocks * BLOCK; n >= 5; bytes++, n--)
		if (*bytes == '<' && html_is_name(bytes + 1, 4, "base"))
			return 1;
	return 0;
}
