#include "tests/test.h"

#include "base/unzstd.h"
#include "storage/warc.h"
#include "storage/warc_items.h"
#include "tests/storage/warc_read.h"
#include "tests/storage/warc_write.h"

#include <jansson.h>
#include <unistd.h>

/* A file's bytes again, but for so many at its end, then `more`. */
static void rewrite(const char *path, size_t less, const char *more)
{
	size_t n;
	char *text = content(path, &n);
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_true(less <= n);
	fwrite(text, 1, n - less, f);
	fputs(more, f);
	fclose(f);
	free(text);
}

static void what_a_killed_program_left_is_mended(void **state)
{
	static const char *const urls[] = {"http://a.test/z", "http://a.test/b?x", "http://a.test/a"};
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct record r[20];
	char archive[512], index[512], *after;
	size_t m, whole;
	(void)state;

	for (size_t i = 0; i < 3; i++) {
		struct warc_exchange x = exchange(urls[i], i ? "the same" : "one");
		put(w, &x);
	}
	struct warc_exchange unchanged = exchange("http://a.test/n", "");
	unchanged.status = 304;
	unchanged.type = NULL;
	unchanged.head = bytes("HTTP/1.1 304 Not Modified\r\n\r\n");
	put(w, &unchanged);
	/* as long as it is open nobody mends it */
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	free(content(archive, &whole));
	rewrite(archive, 0, "\x1f\x8b\x08cut");
	assert_int_equal(unlink(index), 0);
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	after = content(index, &m);
	assert_int_equal(read_all(archive, r, 20), 13);
	for (int i = 0; i < 13; i++)
		forget(&r[i]);
	free(content(archive, &m));
	assert_int_equal(m, whole);
	/* each line leads to its record */
	int lines = 0;
	for (char *line = strtok(after, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		json_t *o = json_loads(strchr(line, '{'), 0, NULL);
		struct record one;
		char *all = content(archive, &m);
		assert_non_null(o);
		const size_t at = (size_t)json_integer_value(json_object_get(o, "offset"));
		assert_int_equal(read_record(all, m, at, &one), json_integer_value(json_object_get(o, "length")));
		assert_string_equal(value(&one, "WARC-Target-URI"), json_string_value(json_object_get(o, "url")));
		forget(&one);
		free(all);
		json_decref(o);
	}
	assert_int_equal(lines, 4);
	free(after);
}

static void mending_gives_the_index_there_was(void **state)
{
	enum { EXCHANGES = 200 };
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	char archive[512], index[512], url[64], *body = malloc(40000);
	size_t n, m, k;
	(void)state;

	memset(body, 'a', 39999);
	for (int i = 0; i < EXCHANGES; i++) {
		snprintf(url, sizeof url, "http://a.test/%d", i);
		body[39999 - i * 199] = 0; /* of all sizes, the largest first */
		struct warc_exchange x = exchange(url, body);
		x.type = NULL;
		put(w, &x);
	}
	free(body);
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	char *bytes = content(archive, &n), *lines = content(index, &m);
	for (size_t cut = 0; cut < 3; cut++) {
		static const char *const more[] = {"", "\x1f\x8b\x08", "\x1f\x8b\x08\x04xxxxxxxx"};
		rewrite(archive, 0, more[cut]);
		assert_int_equal(unlink(index), 0);
		assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
		char *again = content(archive, &k);
		assert_int_equal(k, n);
		assert_memory_equal(again, bytes, n);
		free(again);
		again = content(index, &k);
		assert_string_equal(again, lines);
		free(again);
	}
	free(bytes);
	free(lines);
}

/* An archive of n exchanges whose index is gone: its bytes. */
static char *unindexed(const char *folder, int exchanges, char *archive, char *index, size_t *n)
{
	struct warc *w = opened(folder, WARC_LIMIT);
	char url[64];

	for (int i = 0; i < exchanges; i++) {
		snprintf(url, sizeof url, "http://a.test/%d", i);
		struct warc_exchange x = exchange(url, url);
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	strcpy(archive, file(folder, ".warc.gz", 0));
	strcpy(index, file(folder, ".cdxj", 0));
	assert_int_equal(unlink(index), 0);
	return content(archive, n);
}

static void holes_that_a_power_failure_left_are_closed(void **state)
{
	enum { EXCHANGES = 20, SECTOR = 512 };
	const char *folder = scratch();
	char archive[512], index[512], line[256];
	struct record r[3 * EXCHANGES + 1];
	size_t n, m, whole = 0;
	(void)state;

	char *bytes = unindexed(folder, EXCHANGES, archive, index, &n);
	const size_t records = read_all(archive, r, 3 * EXCHANGES + 1);
	/* sectors of the disk that were not written, at the start, alone and together; the end, too */
	static const size_t from[] = {0, 9, 13, 14}, lost = sizeof from / sizeof *from;
	char *kept[3 * EXCHANGES + 1];
	size_t kept_n = 0;
	for (size_t i = 0; i < lost; i++)
		memset(bytes + from[i] * SECTOR, 0, SECTOR);
	memset(bytes + n - 100, 0, 100);
	for (size_t i = 0; i < records; i++) {
		const size_t start = r[i].offset, end = i + 1 < records ? r[i + 1].offset : n;
		int is_whole = end <= n - 100;
		for (size_t k = 0; k < lost; k++)
			is_whole &= end <= from[k] * SECTOR || start >= (from[k] + 1) * SECTOR;
		if (is_whole) {
			kept[kept_n++] = r[i].header;
			whole += end - start;
		}
	}
	assert_in_range(kept_n, records / 2, records - 4);
	FILE *f = fopen(archive, "wb");
	fwrite(bytes, 1, n, f);
	fclose(f);
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	free(content(archive, &m));
	assert_int_equal(m, whole);
	struct record mended[3 * EXCHANGES + 1];
	assert_int_equal(read_all(archive, mended, 3 * EXCHANGES + 1), kept_n);
	size_t lines = 0;
	for (size_t i = 0; i < kept_n; i++) {
		assert_string_equal(mended[i].header, kept[i]);
		lines += strcmp(value(&mended[i], "WARC-Type"), "response") == 0;
		forget(&mended[i]);
	}
	/* and each line of the index leads to its record */
	f = fopen(index, "rb");
	char *all = content(archive, &m);
	for (; fgets(line, sizeof line, f); lines--) {
		struct record one;
		json_t *o = json_loads(strchr(line, '{'), 0, NULL);
		read_record(all, m, (size_t)json_integer_value(json_object_get(o, "offset")), &one);
		assert_string_equal(value(&one, "WARC-Target-URI"), json_string_value(json_object_get(o, "url")));
		forget(&one);
		json_decref(o);
	}
	assert_int_equal(lines, 0);
	fclose(f);
	for (size_t i = 0; i < records; i++)
		forget(&r[i]);
	free(all);
	free(bytes);
}

/* Writes a file and opens the prefix; whether it is there as it was. */
static int is_let_be(const char *folder, const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	size_t m = 0;

	fwrite(bytes, 1, n, f);
	fclose(f);
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	char *again = access(path, F_OK) == 0 ? content(path, &m) : NULL;
	const int same = again && m == n && memcmp(again, bytes, n) == 0;
	free(again);
	return same;
}

static void what_others_made_and_what_is_damaged_is_let_be(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	char archive[512], index[512], other[512];
	size_t n;
	(void)state;

	for (int i = 0; i < 100; i++) {
		struct warc_exchange x = exchange("http://a.test/", i ? "another" : "one");
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	char *bytes = content(archive, &n);
	assert_int_equal(unlink(index), 0);
	/* a bit that has turned in the middle: the records behind it are not lost for an index */
	bytes[n / 2] ^= 0x10;
	assert_true(is_let_be(folder, archive, bytes, n));
	assert_int_equal(access(index, F_OK), -1);
	bytes[n / 2] ^= 0x10;
	/* and at the beginning */
	bytes[30] ^= 0x10;
	assert_true(is_let_be(folder, archive, bytes, n));
	bytes[30] ^= 0x10;
	/* under a name that is not the one it says, as another program's */
	snprintf(other, sizeof other, "%s/x-20200101000000-00000.warc.gz", folder);
	assert_true(is_let_be(folder, other, bytes, n - 7));
	free(bytes);
}

static void what_is_no_archive_is_let_be(void **state)
{
	const char *folder = scratch();
	char path[512], link[512];
	size_t n;
	(void)state;

	snprintf(path, sizeof path, "%s/x-20260101000000-00000.warc.gz", folder);
	FILE *f = fopen(path, "wb");
	fputs("a letter", f);
	fclose(f);
	snprintf(link, sizeof link, "%s/x-20260101000000-00001.warc.gz", folder);
	f = fopen(link, "wb");
	fputs("\x1f\x8b", f); /* killed as it began */
	fclose(f);
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	char *text = content(path, &n);
	assert_string_equal(text, "a letter");
	free(text);
	assert_int_equal(access(link, F_OK), -1);
}

/* A record cut short, of a page of many headers with names that end behind the last: each is one of
 * a member that unpacks to much. */
static void a_page_made_to_be_unpacked_again_and_again_is_not(void **state)
{
	enum { HEADERS = 100000, ZEROS = 64 << 20 };
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	struct warc_exchange x = exchange("http://a.test/", "one");
	char archive[512], index[512];
	size_t n, m;
	(void)state;

	put(w, &x);
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	assert_int_equal(unlink(index), 0);
	char *before = content(archive, &n), *zeros = calloc(ZEROS, 1);
	char *bytes = malloc(n + 10 * HEADERS + 1 + ZEROS / 100);
	memcpy(bytes, before, n);
	for (int i = 0; i < HEADERS; i++, n += 10)
		memcpy(bytes + n, "\x1f\x8b\x08\x08______", 10);
	bytes[n++] = 0;
	m = libdeflate_deflate_compress(c, zeros, ZEROS, bytes + n, ZEROS / 100);
	assert_true(m > 0);
	assert_true(is_let_be(folder, archive, bytes, n + m));
	libdeflate_free_compressor(c);
	free(before);
	free(zeros);
	free(bytes);
}

static int count(void *ctx, const struct warc_item *item, struct err_note *why)
{
	(void)why;
	assert_true(item->is_alone && item->is_ended);
	++*(int *)ctx;
	return 0;
}

/* Frames of zstd, cut anywhere in the last one and followed by bytes that are none, keep all that were whole. */
static void an_archive_of_zstd_is_mended(void **state)
{
	char archive[512], index[512];
	struct warc_damage damage = {.places = 0};
	const char *folder = scratch();
	size_t whole, m;
	int records = 0;

	(void)state;
	if (!zstd_is_there())
		skip();
	struct warc *w = opened_as(folder, WARC_LIMIT, WARC_ZSTD);
	for (int i = 0; i < 3; i++) {
		struct warc_exchange x = exchange(i ? "http://a.test/b" : "http://a.test/a", i == 1 ? "another" : "one");
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.zst", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	free(content(archive, &whole));
	rewrite(archive, 0, "\x28\xb5\x2f\xfd cut");
	for (size_t less = 0; less < 8; less += 3) {
		rewrite(archive, less, "");
		assert_int_equal(unlink(index), 0);
		assert_int_equal(warc_close(opened_as(folder, WARC_LIMIT, WARC_ZSTD), NULL), 0);
		free(content(archive, &m));
		assert_true(less ? m < whole : m == whole);
		records = 0;
		assert_int_equal(warc_items(archive, count, &records, &damage, NULL), 0);
		assert_int_equal(damage.places, 0);
		assert_int_equal(records, 10 - (int)less / 3);
		char *after = content(index, &m);
		assert_non_null(strstr(after, "\"http://a.test/a\""));
		assert_int_equal(strstr(after, "warc/revisit") != NULL, 1);
		free(after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_killed_program_left_is_mended),
		cmocka_unit_test(mending_gives_the_index_there_was),
		cmocka_unit_test(holes_that_a_power_failure_left_are_closed),
		cmocka_unit_test(what_others_made_and_what_is_damaged_is_let_be),
		cmocka_unit_test(a_page_made_to_be_unpacked_again_and_again_is_not),
		cmocka_unit_test(what_is_no_archive_is_let_be),
		cmocka_unit_test(an_archive_of_zstd_is_mended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
