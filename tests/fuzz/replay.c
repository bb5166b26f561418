/* The main function of a fuzz target in a build without libFuzzer: each file of the target's corpus,
 * or each file named, is one input and one test. An input that crashes the target, or takes it more
 * than a minute, ends the program, and the comment above tells which it was. */
#include "tests/paths.h"

#include <dirent.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { INPUT_MAX = 1 << 24, INPUT_SECONDS = 60 };

/* The file's bytes in a block of just that size, so that a sanitizer sees a read past the end;
 * NULL where it cannot be read. */
static uint8_t *read_input(const char *path, size_t *n)
{
	struct stat status;
	FILE *f = fopen(path, "rb");

	if (!f)
		return NULL;
	uint8_t *bytes = NULL;
	if (fstat(fileno(f), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= INPUT_MAX) {
		*n = (size_t)status.st_size;
		bytes = malloc(*n ? *n : 1);
		if (bytes && fread(bytes, 1, *n, f) != *n) {
			free(bytes);
			bytes = NULL;
		}
	}
	fclose(f);
	return bytes;
}

static void replay(int number, const char *path)
{
	size_t n = 0;
	uint8_t *bytes = read_input(path, &n);

	printf("# %s, %zu bytes\n", path, n);
	if (!bytes) {
		printf("not ok %d - %s can be read\n", number, path);
		return;
	}
	alarm(INPUT_SECONDS);
	LLVMFuzzerTestOneInput(bytes, n);
	alarm(0);
	free(bytes);
	printf("ok %d - %s\n", number, path);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_corpus(const char *corpus)
{
	struct dirent **entries;
	int n = chdir(corpus) == 0 ? scandir(".", &entries, is_visible, alphasort) : 0;

	if (n <= 0) {
		printf("1..1\nnot ok 1 - there are inputs in %s\n", corpus);
		return 1;
	}
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		replay(i + 1, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1) {
		printf("1..%d\n", argc - 1);
		for (int i = 1; i < argc; i++)
			replay(i, argv[i]);
		return 0;
	}
	const char *name = basename(argv[0]);
	char corpus[4096];

	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus/%s", TEST_SOURCE_DIR, name);
	return replay_corpus(corpus);
}
