#include "config.h"

#include "base/err.h"
#include "lib/lib_internal.h"

#include <stdlib.h>
#include <unistd.h>

#define SAME(code) _Static_assert((int)LYCOSA_##code == (int)ERR_##code, "one code")
SAME(OTHER);
SAME(USAGE);
SAME(FILE);
SAME(FORMAT);
SAME(TOO_BIG);
SAME(BUSY);
SAME(DAMAGED);
SAME(NEWER);
SAME(NOTHING);
SAME(MEMORY);

const char *lycosa_error_text(int code)
{
	return err_text(code);
}

const char *lycosa_version(void)
{
	return PACKAGE_VERSION;
}

void lycosa_free(void *text)
{
	free(text);
}

unsigned inside_threads(unsigned threads)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!threads)
		return online > 0 ? (unsigned)online : 1;
	return threads < MOST_THREADS ? threads : MOST_THREADS;
}
