/* A ZIP file of any program: its files lie within it, and each is read alike at once and as a stream. */
#include "base/input.h"
#include "base/zip.h"
#include "tests/fuzz/graph_input.h"

#define MOST ((size_t)1 << 20)

/* Reads a member as a stream. Returns its length, or -1 if it cannot be read. */
static long stream(const char *path, uint32_t *sum)
{
	struct input *in;
	const char *bytes;
	size_t n = 0;
	long all = 0;
	int got;

	if (input_open(&in, path, NULL))
		return -1;
	while ((got = input_chunk(in, &bytes, &n, NULL)) > 0 && all <= (long)MOST) {
		all += (long)n;
		for (size_t i = 0; i < n; i++)
			*sum = *sum * 31 + (unsigned char)bytes[i];
	}
	input_close(in);
	return got < 0 ? -1 : all;
}

static void try_entry(const struct zip_entry *e, const struct mapped *file, const char *path, int is_only)
{
	struct buf room = BUF_EMPTY;
	const char *at;
	size_t n;
	uint32_t sum = 0, want = 0;

	if (!e->wrong)
		graph_input_require(e->at >= file->at && e->packed <= (size_t)(file->at + file->n - e->at));
	const int err = zip_contents(e, MOST, &room, &at, &n, NULL);
	char *member = buf_made("%s/%s", path, e->name);
	const long got = stream(member, &sum);
	for (size_t i = 0; !err && i < n; i++)
		want = want * 31 + (unsigned char)at[i];
	/* a packed member is unpacked once more by the stream */
	if (!err && is_only && n > 4 && memcmp(at, "page", 4) == 0)
		graph_input_require(got == (long)n && sum == want);
	free(member);
	buf_release(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	struct mapped file;
	struct zip zip = {0};
	char path[64];

	graph_input_file(&fd, bytes, n, path);
	if (mapped_open(&file, path, NULL) > 0 && zip_read(&zip, file.at, file.n, NULL) == 0)
		for (size_t i = 0; i < zip.n && i < 100; i++)
			try_entry(&zip.entry[i], &file, path, zip_find(&zip, zip.entry[i].name) == &zip.entry[i]);
	zip_release(&zip);
	mapped_close(&file);
	return 0;
}
