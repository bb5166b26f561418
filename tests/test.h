/* What every test program includes: cmocka with what it needs, and the data that may be missing. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The path of a file below the shared data, static memory until the next call. Where it is
 * missing the test is skipped, loudly. */
static inline const char *shared(const char *name)
{
	static char path[2][4096];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", TEST_SHARED_DIR, name);
	if (!*TEST_SHARED_DIR || access(path[turn], R_OK) != 0) {
		print_message("# skipped: no shared data '%s' (see --with-shared)\n", name);
		skip();
	}
	return path[turn];
}

/* A new empty folder for one test's files, static memory until the next call. */
static inline const char *scratch(void)
{
	static char path[64];

	strcpy(path, "/tmp/lycosa-test-XXXXXX");
	assert_non_null(mkdtemp(path));
	return path;
}

/* A file of the scratch folder with this content; its path is static until the next call. */
static inline const char *scratch_file(const char *content, size_t n)
{
	static char path[96];

	snprintf(path, sizeof path, "%s/file", scratch());
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(content, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	return path;
}

#endif
