/* Archives with damage: what lies around it is read, and the damage is counted and named. Archives of zstd: frames are members. */
#include "config.h"

#include "tests/test.h"

#include "base/buf.h"
#include "storage/warc_files.h"
#include "storage/warc_items.h"

#ifdef HAVE_ZSTD
#include <zdict.h>
#include <zstd.h>
#endif

#define RECORD(id, length, body) "WARC/1.0\r\nWARC-Type: resource\r\nX-Id: " id "\r\nContent-Length: " length "\r\n\r\n" body

static int tell(void *ctx, const struct warc_item *item, struct err_note *why)
{
	const struct warc_span id = warc_field(item->header, "X-Id");

	(void)why;
	buf_format(ctx, "%.*s=%.*s ", (int)id.n, id.at, (int)item->block.n, item->block.at);
	return 0;
}

static void what_lies_around_damage_is_read(void **state)
{
	static const struct {
		const char *text, *want;
		uint64_t places;
	} table[] = {
		{RECORD("1", "2", "ab") "\r\n\r\n" RECORD("2", "0", "") "\r\n\r\n", "1=ab 2= ", 0},
		{RECORD("1", "2", "ab") "\r\n" RECORD("2", "2", "cd"), "1=ab 2=cd ", 0},
		{"WARC/1.0\nX-Id: 1\nContent-Length: 2\n\nab\n\n" RECORD("2", "1", "c"), "1=ab 2=c ", 0},
		/* lengths that are wrong, missing or no numbers */
		{RECORD("1", "1", "ab") "\r\n\r\n" RECORD("2", "2", "cd"), "1=a 2=cd ", 1},
		{RECORD("1", "", "ab") "\r\n\r\n" RECORD("2", "2", "cd"), "2=cd ", 1},
		{RECORD("1", "-5", "ab") "\r\n\r\n" RECORD("2", "2", "cd"), "2=cd ", 1},
		{RECORD("1", "99999999999999999999", "ab") "\r\n\r\n" RECORD("2", "2", "cd"), "2=cd ", 1},
		{RECORD("1", "2", "ab") "\r\n\r\n" RECORD("2", "4000", "cd") "\r\n\r\n" RECORD("3", "1", "e"), "1=ab 3=e ", 1},
		/* other bytes between records, and a file that is cut short */
		{RECORD("1", "2", "ab") "\r\n\r\nnoise\nnoise" RECORD("2", "1", "c") "\n" RECORD("3", "1", "d"), "1=ab 3=d ", 1},
		{RECORD("1", "2", "ab") "\r\n\r\nWARC/1.0\r\nContent-Le", "1=ab ", 1},
		{RECORD("1", "2", "ab") "\r\n\r\nWARC", "1=ab ", 1},
	};
	struct buf got = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct warc_damage damage = {.places = 0};
		struct err_note why = {""};
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		buf_clear(&got);
		assert_int_equal(warc_items(path, tell, &got, &damage, &why), 0);
		if (strcmp(got.at, table[i].want) != 0 || damage.places != table[i].places)
			fail_msg("%zu: '%s' and %d damaged places", i, got.at, (int)damage.places);
		if (damage.places)
			assert_non_null(strstr(damage.first.text, path));
	}
	buf_release(&got);
}

static int find(void *ctx, const struct warc_item *item, struct err_note *why)
{
	(void)why;
	if (warc_is(warc_field(item->header, "X-Id"), "2"))
		*(uint64_t *)ctx = item->place;
	return 0;
}

static void a_record_is_found_again_by_its_place(void **state)
{
	static const char text[] = RECORD("1", "2", "ab") "\r\n\r\n" RECORD("2", "2", "cd") "\r\n\r\n";
	struct warc_damage damage = {.places = 0};
	struct buf got = BUF_EMPTY;
	uint64_t place = WARC_NO_PLACE;
	const char *path = scratch_file(text, sizeof text - 1);
	struct err_note why;

	(void)state;
	assert_int_equal(warc_items(path, find, &place, &damage, &why), 0);
	assert_int_equal(warc_item_at(path, place, tell, &got, &why), 0);
	assert_string_equal(got.at, "2=cd ");
	assert_int_equal(warc_item_at(path, 1 << 20, tell, &got, &why), ERR_FORMAT);
	buf_release(&got);
}

#ifdef HAVE_ZSTD
#define ROOM 4096

/* Trains a dictionary with records, and returns its size. */
static size_t train(char *dictionary)
{
	struct buf text = BUF_EMPTY;
	size_t sizes[400];

	for (size_t i = 0; i < 400; i++) {
		const size_t before = text.used;
		buf_format(&text, RECORD("%zu", "44", "what all pages of this site share, number %zu"), i, i * 7919 % 1000);
		sizes[i] = text.used - before;
	}
	const size_t n = ZDICT_trainFromBuffer(dictionary, ROOM, text.at, sizes, 400);
	assert_false(ZDICT_isError(n));
	buf_release(&text);
	return n;
}

static void add_frame(struct buf *file, const char *text, size_t n, const char *dictionary, size_t dictionary_n)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	const size_t room = ZSTD_compressBound(n);

	file->used += ZSTD_compress_usingDict(c, buf_room(file, room), room, text, n, dictionary, dictionary_n, 3);
	buf_end(file);
	ZSTD_freeCCtx(c);
}

static void add_skippable(struct buf *file, int first, const char *bytes, size_t n)
{
	buf_byte(file, first);
	buf_add(file, "\x2a\x4d\x18", 3);
	for (unsigned shift = 0; shift < 32; shift += 8)
		buf_byte(file, (int)(n >> shift & 255));
	buf_add(file, bytes, n);
}

/* Both readers, and each place, give the records of an archive whose frames are packed with a dictionary that is plain (0), packed
 * (1) or is not in the file (2: nothing can be read). */
static void try_dictionary(int kind, const char *dictionary, size_t n)
{
	static const char one[] = RECORD("1", "2", "ab") "\r\n\r\n", two[] = RECORD("2", "2", "cd") "\r\n\r\n";
	struct warc_damage damage = {.places = 0};
	struct buf file = BUF_EMPTY, packed = BUF_EMPTY, got = BUF_EMPTY;
	uint64_t place = WARC_NO_PLACE;
	struct warc_stream stream;
	struct err_note why = {""};
	int records = 0;

	add_frame(&packed, dictionary, n, NULL, 0);
	if (kind < 2)
		add_skippable(&file, 0x5d, kind ? packed.at : dictionary, kind ? packed.used : n);
	add_frame(&file, one, sizeof one - 1, dictionary, n);
	add_skippable(&file, 0x50, "", 0);
	add_frame(&file, two, sizeof two - 1, dictionary, n);
	const char *path = scratch_file(file.at, file.used);
	const int err = warc_items(path, tell, &got, &damage, &why);
	assert_int_equal(err, kind < 2 ? 0 : ERR_FORMAT);
	int next = warc_stream_open(&stream, path, NULL);
	while (!next && warc_stream_next(&stream, &why) > 0)
		records++;
	warc_stream_close(&stream);
	assert_int_equal(records, kind < 2 ? 2 : 0);
	if (kind < 2) {
		assert_string_equal(got.at, "1=ab 2=cd ");
		assert_int_equal(damage.places, 0);
		buf_clear(&got);
		assert_int_equal(warc_items(path, find, &place, &damage, &why), 0);
		assert_int_equal(warc_item_at(path, place, tell, &got, &why), 0);
		assert_string_equal(got.at, "2=cd ");
	} else {
		assert_non_null(strstr(why.text, "with a dictionary that is not in it"));
	}
	buf_release(&file);
	buf_release(&packed);
	buf_release(&got);
}

static void frames_of_zstd_are_read_with_the_dictionary_before_them(void **state)
{
	char dictionary[ROOM];
	const size_t n = train(dictionary);

	(void)state;
	for (int kind = 0; kind < 3; kind++)
		try_dictionary(kind, dictionary, n);
}
#endif

static void what_is_no_archive_is_none(void **state)
{
	static const char *const texts[] = {"", "no archive\n", "filedesc://x 0.0.0.0 20260101000000 text/plain 1\n"};
	struct buf got = BUF_EMPTY;
	struct warc_files files;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct warc_damage damage = {.places = 0};
		struct err_note why = {""};
		const char *path = scratch_file(texts[i], strlen(texts[i]));
		assert_int_equal(warc_items(path, tell, &got, &damage, &why), ERR_FORMAT);
		assert_non_null(strstr(why.text, path));
		/* ARC is told by its name, where a list of archives is taken, too */
		assert_int_equal(warc_files_find(&files, path), i == 2);
		assert_int_equal(strstr(why.text, "ARC, the format before WARC") != NULL, i == 2);
		warc_files_release(&files);
	}
	assert_int_equal(warc_files_find(&files, "/nonexistent.warc"), 0);
	warc_files_release(&files);
	buf_release(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_around_damage_is_read),
		cmocka_unit_test(a_record_is_found_again_by_its_place),
#ifdef HAVE_ZSTD
		cmocka_unit_test(frames_of_zstd_are_read_with_the_dictionary_before_them),
#endif
		cmocka_unit_test(what_is_no_archive_is_none),
	};

	return cmocka_run_group_tests_name("warc_items", tests, NULL, NULL);
}
