/* What every test program includes: cmocka with what it needs, and the data that may be missing. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include "tests/paths.h"

#include <ftw.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Every test runs in the locale that the variable TEST_LOCALE names, if it is set; tests/cli/locales.sh sets it.
 * The results of lycosa depend on no locale. */
__attribute__((constructor)) static void take_locale(void)
{
	const char *locale = getenv("TEST_LOCALE");

	if (locale && !setlocale(LC_ALL, locale)) {
		fprintf(stderr, "there is no locale '%s'\n", locale);
		exit(2);
	}
}

/* Ends the test here, and the report tells why. */
#define skip_because(reason) \
	do { \
		print_message("# skipped: %s\n", reason); \
		skip(); \
	} while (0)

/* The path of a file below the shared data, static memory until the next call. Where it is
 * missing the test is skipped, loudly. */
static inline const char *shared(const char *name)
{
	static char path[2][4096];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", TEST_SHARED_DIR, name);
	if (!*TEST_SHARED_DIR || access(path[turn], R_OK) != 0) {
		char why[300];
		snprintf(why, sizeof why, "no shared data '%.200s' (see --with-shared)", name);
		skip_because(why);
	}
	return path[turn];
}

/* By how much a bound on time is multiplied here: sanitizers are slow, valgrind is slower. */
static inline int slowness(void)
{
	const char *given = getenv("TEST_SLOWNESS");
	int n = given ? atoi(given) : TEST_SLOWNESS;

	return n > 0 ? n : 1;
}

/* One program's scratch folders lie in `root`, which is removed when the process that made it exits;
 * a child that a test forked leaves it alone. */
struct scratch_space {
	char root[48];
	pid_t owner;
	unsigned made;
};

static inline struct scratch_space *scratch_space(void)
{
	static struct scratch_space space;

	return &space;
}

static inline int scratch_remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status, (void)type, (void)place;
	return remove(path);
}

static inline void scratch_remove(void)
{
	const struct scratch_space *space = scratch_space();

	if (space->owner == getpid())
		nftw(space->root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A new empty folder for one test's files, removed at exit with all that is in it. It lies in
 * $TMPDIR where that is a short path, or else in /tmp: the path has less than 64 bytes. It is static
 * memory until the next call. */
static inline const char *scratch(void)
{
	static char path[64];
	struct scratch_space *space = scratch_space();

	if (!space->made) {
		const char *given = getenv("TMPDIR");
		snprintf(space->root, sizeof space->root, "%s/lycosa-test-XXXXXX",
			given && *given && strlen(given) < 28 ? given : "/tmp");
		assert_non_null(mkdtemp(space->root));
		space->owner = getpid();
		assert_int_equal(atexit(scratch_remove), 0);
	}
	snprintf(path, sizeof path, "%s/%u", space->root, ++space->made);
	assert_int_equal(mkdir(path, 0700), 0);
	return path;
}

/* A file of a new scratch folder with this content; its path is static until the next call. */
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
