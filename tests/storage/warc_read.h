/* Reading WARC files back, member by member. */
#ifndef TESTS_WARC_READ_H
#define TESTS_WARC_READ_H

#include "tests/test.h"

#include <libdeflate.h>

#define MOST (8u << 20)

struct record {
	char *header; /* with its blank line, NUL-terminated */
	char *block;
	size_t n;
	uint64_t offset;
};

/* The value of a header's field, static until the next call but one; NULL for none. */
static inline const char *value(const struct record *r, const char *name)
{
	static char text[2][1024];
	static int turn;
	char want[128];

	snprintf(want, sizeof want, "\r\n%s: ", name);
	const char *at = strstr(r->header, want);
	if (!at)
		return NULL;
	turn = !turn;
	at += strlen(want);
	snprintf(text[turn], sizeof text[turn], "%.*s", (int)strcspn(at, "\r"), at);
	return text[turn];
}

/* The record whose member begins at `offset` of a file's bytes; returns the member's length. */
static inline size_t read_record(const char *bytes, size_t n, uint64_t offset, struct record *r)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	char *text = malloc(MOST);
	size_t used, length;

	assert_int_equal(libdeflate_gzip_decompress_ex(d, bytes + offset, n - offset, text, MOST - 1, &used, &length),
		LIBDEFLATE_SUCCESS);
	libdeflate_free_decompressor(d);
	text[length] = 0;
	char *blank = strstr(text, "\r\n\r\n");
	assert_non_null(blank);
	assert_memory_equal(text, "WARC/1.1\r\n", 10);
	r->header = strndup(text, (size_t)(blank - text) + 4);
	r->n = strtoul(value(r, "Content-Length"), NULL, 10);
	r->offset = offset;
	assert_int_equal((size_t)(blank - text) + 4 + r->n + 4, length);
	assert_memory_equal(text + length - 4, "\r\n\r\n", 4);
	r->block = malloc(r->n + 1);
	memcpy(r->block, blank + 4, r->n);
	r->block[r->n] = 0;
	free(text);
	return used;
}

static inline void forget(struct record *r)
{
	free(r->header);
	free(r->block);
}

static inline char *content(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *text = malloc(MOST);

	assert_non_null(f);
	*n = fread(text, 1, MOST - 1, f);
	text[*n] = 0;
	fclose(f);
	return text;
}

/* All records of a file. */
static inline size_t read_all(const char *path, struct record *out, size_t most)
{
	size_t n, count = 0;
	char *text = content(path, &n);

	for (uint64_t at = 0; at < n;) {
		assert_true(count < most);
		at += read_record(text, n, at, &out[count++]);
	}
	free(text);
	return count;
}

#endif
