/* A byte of how much is wanted, and what should be gzip: less than all is the beginning of it. */
#include "base/gunzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf whole = BUF_EMPTY, part = BUF_EMPTY;

	if (n < 1)
		return 0;
	const char *bytes = (const char *)data + 1;
	const enum gzip_end end = gzip_unpack(bytes, n - 1, MOST, &whole);
	check(whole.used <= MOST);
	check(end != GZIP_LONG || whole.used == MOST);
	if (n % 4 > 1) { /* once more takes as long again */
		buf_release(&whole);
		return 0;
	}
	buf_text(&part, "before");
	const size_t wanted = whole.used * data[0] / 256;
	const enum gzip_end less = gzip_unpack(bytes, n - 1, wanted, &part);
	check(part.used >= 6 && memcmp(part.at, "before", 6) == 0);
	if (whole.used) /* data[0] is below 256: something is left */
		check(less == GZIP_LONG && part.used == 6 + wanted && memcmp(part.at + 6, whole.at, wanted) == 0);
	else
		check(less == end);
	buf_release(&whole);
	buf_release(&part);
	return 0;
}
