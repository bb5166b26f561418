/* The data file of a store with bytes of it changed. The input: two bytes, how much of the file is cut off;
 * then patches, each a place (3 bytes), a length and so many bytes. What a value means is fuzz_store's; here it
 * is LMDB's pages, which must be found out before LMDB follows what they say. */
#include "storage/handle.h"
#include "tests/fuzz/fuzz_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static char folder[FUZZ_FOLDER], path[64];
static uint8_t *sound, *image;
static size_t size;

static void check(int holds)
{
	if (!holds)
		abort();
}

/* Trees with branches, values with pages of their own, and free pages: a second commit replaces some. */
static int fill(void *ctx, struct env_batch *batch)
{
	static uint8_t value[9000];
	const int second = *(int *)ctx;
	int status = 0;

	memset(value, 'x', sizeof value);
	for (unsigned i = 0; !status && i < 300; i++) {
		const uint8_t key[8] = {[6] = (uint8_t)(i >> 8), [7] = (uint8_t)i};
		const size_t length = i % 50 == 0 ? sizeof value - (size_t)second * 4000 : 60;
		if (second && i % 3)
			continue;
		status = env_put(batch, i % 2 ? ENV_LINKS : ENV_LOG, (struct bytes){key, 8}, (struct bytes){value, length},
			(struct bytes){NULL, 0}, ENV_ANYWHERE);
	}
	return status;
}

static void remove_all(void)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer"};
	char name[80];

	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s/%s", folder, files[i]);
		unlink(name);
	}
	rmdir(folder);
	free(sound);
	free(image);
}

static void make_ready(void)
{
	struct env made;
	struct stat about;
	int commit = 0;

	if (sound)
		return;
	fuzz_folder(folder);
	check(env_open(&made, folder, STORE_WRITE, NULL) == 0);
	check(env_write(&made, 100000, fill, &commit, NULL) == 0);
	commit = 1;
	check(env_write(&made, 100000, fill, &commit, NULL) == 0);
	env_close(&made);
	snprintf(path, sizeof path, "%s/data.mdb", folder);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	check(fd >= 0 && fstat(fd, &about) == 0);
	size = (size_t)about.st_size;
	sound = malloc(size);
	image = malloc(size);
	check(sound && image && read(fd, sound, size) == (ssize_t)size && atexit(remove_all) == 0);
	close(fd);
}

static size_t patch(const uint8_t *data, size_t n)
{
	const size_t cut = n >= 2 ? ((size_t)data[0] << 8 | data[1]) : 0;

	memcpy(image, sound, size);
	for (size_t i = 2; i + 4 < n;) {
		size_t at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % size;
		size_t length = data[i + 3];
		i += 4;
		if (length > n - i)
			length = n - i;
		if (length > size - at)
			length = size - at;
		memcpy(image + at, data + i, length);
		i += length ? length : 1;
	}
	return cut < size ? size - cut : 0;
}

static void hear(void *ctx, const char *line)
{
	(void)ctx, (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static FILE *null;
	struct err_note why;
	struct store *s;

	make_ready();
	const size_t length = patch(data, n);
	const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	check(fd >= 0 && write(fd, image, length) == (ssize_t)length);
	close(fd);
	if (!null)
		null = fopen("/dev/null", "w");
	if (store_open(&s, folder, n % 8 == 0 ? STORE_WRITE : STORE_READ, &why) == 0) {
		(void)!store_verify(s, hear, NULL, &why);
		(void)!store_dump(s, null, &why);
	}
	store_drop(s);
	return 0;
}
