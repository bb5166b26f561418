/* Packed and marked text: what is damaged is told, and a byte-order mark is no text. */
#include "tests/test.h"

#include "base/buf.h"
#include "base/input.h"
#include "base/rng.h"

#include <archive.h>
#include <archive_entry.h>

typedef int packing(struct archive *);

/* zstd is last: libarchive writes it without a checksum, which zstd's own program adds */
static packing *const packings[] = {archive_write_add_filter_gzip, archive_write_add_filter_xz, archive_write_add_filter_bzip2,
	archive_write_add_filter_zstd};

#define WITH_CHECKSUMS 3
#define PACKINGS       4

/* The packed text, malloc'd. */
static char *pack(packing *add, const char *text, size_t n, size_t *size)
{
	char *bytes = malloc(n + 10000);
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();

	assert_int_equal(add(a), ARCHIVE_OK);
	archive_write_set_format_raw(a);
	archive_write_set_bytes_per_block(a, 0);
	assert_int_equal(archive_write_open_memory(a, bytes, n + 10000, size), ARCHIVE_OK);
	archive_entry_set_pathname(e, "x");
	archive_entry_set_filetype(e, AE_IFREG);
	archive_write_header(a, e);
	archive_write_data(a, text, n);
	archive_entry_free(e);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
	return bytes;
}

static int read_all(const char *bytes, size_t n, char **text, size_t *length, struct err_note *why)
{
	return input_all(scratch_file(bytes, n), 1 << 20, text, length, why);
}

static void make_text(struct buf *text)
{
	struct rng rng = {5};

	for (int i = 0; i < 400; i++)
		buf_format(text, "%u\t%u\n", (unsigned)rng_below(&rng, 1000), (unsigned)rng_below(&rng, 1000));
}

/* One bit is another: an error, or the same text (a time of day in a header), never another text. */
static void a_flipped_bit_never_gives_another_text_in_silence(void **state)
{
	struct buf text = BUF_EMPTY;

	(void)state;
	make_text(&text);
	for (size_t p = 0; p < WITH_CHECKSUMS; p++) {
		struct rng rng = {p};
		size_t size, got, same = 0;
		char *bytes = pack(packings[p], text.at, text.used, &size), *all;
		struct err_note why;
		for (int i = 0; i < 400; i++) {
			/* the last 16 bytes one after the other, where checksums are; then anywhere */
			const size_t at = i < 128 ? 8 * (size - 16) + (size_t)i : (size_t)rng_below(&rng, 8 * size);
			bytes[at / 8] = (char)(bytes[at / 8] ^ 1 << at % 8);
			const int err = read_all(bytes, size, &all, &got, &why);
			if (!err && got == size) { /* the magic number is another: the bytes as they are */
				assert_true(at / 8 < 12);
				assert_memory_equal(all, bytes, size);
			} else if (!err) {
				assert_int_equal(got, text.used);
				assert_memory_equal(all, text.at, got);
			}
			bytes[at / 8] = (char)(bytes[at / 8] ^ 1 << at % 8);
			same += !err;
			if (!err)
				free(all);
		}
		assert_true(same < 40);
		free(bytes);
	}
	buf_release(&text);
}

static void a_packed_text_that_is_cut_short_is_an_error(void **state)
{
	struct buf text = BUF_EMPTY;

	(void)state;
	make_text(&text);
	for (size_t p = 0; p < PACKINGS; p++) {
		size_t size, got;
		char *bytes = pack(packings[p], text.at, text.used, &size), *all;
		struct err_note why;
		for (size_t cut = 1; cut < size; cut += cut < 20 ? 1 : size / 7)
			if (size - cut > 20)
				assert_true(read_all(bytes, size - cut, &all, &got, &why) < 0);
		free(bytes);
	}
	buf_release(&text);
}

/* Files that were packed one by one and joined are one text; zeros may follow, other bytes may not. */
static void gzip_members_follow_one_another(void **state)
{
	struct buf file = BUF_EMPTY;
	struct err_note why;
	char *all;
	size_t size, n;

	(void)state;
	for (int i = 0; i < 3; i++) {
		char *bytes = pack(archive_write_add_filter_gzip, "0 1\n", 4, &size);
		buf_add(&file, bytes, size);
		free(bytes);
	}
	assert_int_equal(read_all(file.at, file.used, &all, &n, &why), 0);
	assert_string_equal(all, "0 1\n0 1\n0 1\n");
	free(all);
	for (int i = 0; i < 512; i++)
		buf_byte(&file, 0);
	assert_int_equal(read_all(file.at, file.used, &all, &n, &why), 0);
	assert_int_equal(n, 12);
	free(all);
	buf_byte(&file, 'x');
	assert_int_equal(read_all(file.at, file.used, &all, &n, &why), ERR_FORMAT);
	assert_non_null(strstr(why.text, "follow the last member"));
	buf_release(&file);
}

static void a_byte_order_mark_is_no_part_of_the_first_line(void **state)
{
	static const struct {
		const char *text, *first, *second;
	} table[] = {
		{"\xef\xbb\xbfhttp://a.org/\n\xef\xbb\xbfx\n", "http://a.org/", "\xef\xbb\xbfx"},
		{"\xef\xbb\xbf\r\nx\n", "", "x"},
		{"\xef\xbb\n\xef\xbb\xbfx", "\xef\xbb", "\xef\xbb\xbfx"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct input *in;
		char *line;
		size_t n;
		assert_int_equal(input_open(&in, scratch_file(table[i].text, strlen(table[i].text)), NULL), 0);
		assert_int_equal(input_line(in, &line, &n, NULL), 1);
		assert_string_equal(line, table[i].first);
		assert_int_equal(n, strlen(line));
		assert_int_equal(input_line(in, &line, &n, NULL), 1);
		assert_string_equal(line, table[i].second);
		input_close(in);
	}
}

/* A frame of a dictionary that has none, or is cut short; a program without libzstd reads no such file, either. */
static void a_zstd_dictionary_without_bytes_is_an_error(void **state)
{
	static const char file[] = "\x5d\x2a\x4d\x18\0\0\0\0\x28\xb5\x2f\xfd";
	char *all;
	size_t length;

	(void)state;
	for (size_t n = 4; n < sizeof file; n++)
		assert_int_equal(read_all(file, n, &all, &length, NULL), ERR_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flipped_bit_never_gives_another_text_in_silence),
		cmocka_unit_test(a_packed_text_that_is_cut_short_is_an_error),
		cmocka_unit_test(gzip_members_follow_one_another),
		cmocka_unit_test(a_zstd_dictionary_without_bytes_is_an_error),
		cmocka_unit_test(a_byte_order_mark_is_no_part_of_the_first_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
