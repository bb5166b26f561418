/* Captures of archives: whatever the parts are in which files are read, and however many threads read them, all is found once, in
 * the order of the files. */
#include "tests/test.h"

#include "base/buf.h"
#include "crawler/live/captures.h"

#include <libdeflate.h>

#define WHOLE (UINT64_C(1) << 40)

/* Appends a gzip member with some bytes; level 0 leaves them as they are. */
static void pack(struct buf *out, const struct buf *bytes, int level)
{
	struct libdeflate_compressor *packer = libdeflate_alloc_compressor(level);
	const size_t room = libdeflate_gzip_compress_bound(packer, bytes->used);

	out->used += libdeflate_gzip_compress(packer, bytes->at, bytes->used, buf_room(out, room), room);
	buf_end(out);
	libdeflate_free_compressor(packer);
}

static void put_record(struct buf *out, const char *type, const char *url, const char *media, const struct buf *body, int level)
{
	struct buf record =
		buf_of("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n", type, url);
	struct buf http = buf_of("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n", media);

	buf_add(&http, body->at, body->used);
	buf_format(&record, "Content-Type: application/http\r\nContent-Length: %zu\r\n\r\n", http.used);
	buf_add(&record, http.at, http.used);
	buf_text(&record, "\r\n\r\n");
	pack(out, &record, level);
	buf_release(&record);
	buf_release(&http);
}

/* Appends pages FIRST to END - 1 of a site, each with two links. */
static void put_pages(struct buf *out, const char *site, int first, int end)
{
	for (int i = first; i < end; i++) {
		struct buf url = buf_of("http://%s/%d", site, i);
		struct buf body = buf_of("<title>%d</title><a href=/%d>x</a><a href=/%d>y</a>", i, i * 7 % 50, i * 3 % 50);
		put_record(out, "response", url.at, "text/html", &body, 6);
		buf_release(&url);
		buf_release(&body);
	}
}

/* Reads archives, and writes down all that is found. */
static void tell(struct buf *out, const struct warc_files *files, uint64_t part, unsigned threads)
{
	struct fetch_settings fetch = fetch_defaults;
	const struct captures_settings set = {.fetch = &fetch, .threads = threads, .part = part};
	struct captures_counts counts;
	struct captures *c;
	struct captures_one one;
	struct err_note why = {""};
	int got = captures_read(&c, &set, files, &counts, &why);

	buf_clear(out);
	while (!got && (got = captures_next(c, &one, &why)) > 0) {
		buf_format(out, "%s%s%s", one.url, one.is_last ? "" : " earlier", one.is_revisit ? " revisit" : "");
		for (uint32_t i = 0; one.page && i < one.page->n; i++)
			buf_format(out, " %s", one.page->text + one.page->start[i]);
		buf_format(out, " %s %.*s\n", one.page ? one.page->result.title : "", (int)one.robots_n,
			one.robots ? one.robots : "");
		got = 0;
	}
	if (got)
		fail_msg("%s", why.text);
	buf_format(out, "%d records, %d foreign, %d damaged: %s\n", (int)counts.records, (int)counts.foreign,
		(int)counts.damage.places, counts.damage.first.text);
	captures_free(c);
}

/* Compares readings in parts of many sizes by several threads with one of whole files by one thread, in which `want` is found. */
static void compare(const struct warc_files *files, const char *want)
{
	static const uint64_t sizes[] = {37, 100, 333, 1000, 4096};
	struct buf whole = BUF_EMPTY, parts = BUF_EMPTY;

	tell(&whole, files, WHOLE, 1);
	if (!strstr(whole.at, want))
		fail_msg("no '%s' in '%s'", want, whole.at);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (unsigned threads = 1; threads < 4; threads++) {
			tell(&parts, files, sizes[i], threads);
			if (strcmp(parts.at, whole.at) != 0)
				fail_msg("parts of %d bytes, %u threads: '%s' is not '%s'", (int)sizes[i], threads, parts.at,
					whole.at);
		}
	buf_release(&whole);
	buf_release(&parts);
}

static void compare_one(const struct buf *archive, const char *want)
{
	char *path = (char *)(uintptr_t)scratch_file(archive->at, archive->used);
	const struct warc_files files = {&path, 1, 1};

	compare(&files, want);
}

static void parts_and_threads_change_nothing(void **state)
{
	const struct buf rules = {(char[]){"User-agent: *"}, 13, 14}, none = {(char[]){""}, 0, 1};
	struct buf archive = BUF_EMPTY;

	(void)state;
	put_record(&archive, "response", "http://a.test/robots.txt", "text/plain", &rules, 6);
	put_pages(&archive, "a.test", 0, 40);
	put_record(&archive, "revisit", "http://a.test/3", "text/html", &none, 6);
	put_record(&archive, "response", "ftp://a.test/3", "text/html", &none, 6);
	put_pages(&archive, "a.test", 20, 25);
	compare_one(&archive, "http://a.test/20 earlier");
	compare_one(&archive, "http://a.test/robots.txt  User-agent: *");
	compare_one(&archive, "http://a.test/3 http://a.test/21 http://a.test/9 3 \n");
	compare_one(&archive, "48 records, 1 foreign, 0 damaged");
	buf_release(&archive);
}

static void records_of_an_archive_that_was_captured_are_no_records(void **state)
{
	struct buf archive = BUF_EMPTY, inner = BUF_EMPTY;

	(void)state;
	put_pages(&inner, "inner.test", 0, 30);
	put_pages(&archive, "a.test", 0, 3);
	put_record(&archive, "response", "http://a.test/x.warc.gz", "application/gzip", &inner, 0);
	put_pages(&archive, "a.test", 3, 6);
	assert_non_null(memmem(archive.at, archive.used, inner.at, inner.used));
	compare_one(&archive, "7 records, 0 foreign, 0 damaged");
	buf_release(&inner);
	buf_release(&archive);
}

static void damage_is_counted_once(void **state)
{
	struct buf archive = BUF_EMPTY;

	(void)state;
	put_pages(&archive, "a.test", 0, 10);
	const size_t at = archive.used;
	put_pages(&archive, "a.test", 10, 20);
	memset(archive.at + at + 20, 0, 30);
	buf_text(&archive, "noise between the members");
	put_pages(&archive, "a.test", 20, 30);
	compare_one(&archive, "29 records, 0 foreign, 2 damaged");
	archive.used -= 20;
	compare_one(&archive, "28 records, 0 foreign, 3 damaged");
	buf_release(&archive);
}

static void a_first_record_that_is_damaged_loses_nothing_else(void **state)
{
	struct buf archive = BUF_EMPTY;

	(void)state;
	put_pages(&archive, "a.test", 0, 10);
	memset(archive.at + 20, 0, 30);
	compare_one(&archive, "9 records, 0 foreign, 1 damaged");
	buf_release(&archive);
}

static void records_that_go_on_from_one_member_to_the_next_are_read(void **state)
{
	const struct buf body = {(char[]){"<a href=/1>x</a>"}, 16, 17};
	struct buf archive = BUF_EMPTY, all = BUF_EMPTY;

	(void)state;
	for (int i = 0; i < 3; i++)
		buf_format(&all,
			"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.test/%d\r\nContent-Type: text/html\r\n"
			"Content-Length: %zu\r\n\r\n%s\r\n\r\n",
			i * 5, body.used, body.at);
	for (size_t at = 0; at < all.used; at += 100) {
		struct buf piece = {all.at + at, all.used - at < 100 ? all.used - at : 100, 0};
		pack(&archive, &piece, 6);
	}
	compare_one(&archive,
		"http://a.test/0 http://a.test/1  \nhttp://a.test/5 http://a.test/1  \nhttp://a.test/10 http://a.test/1  \n3 records");
	buf_release(&archive);
	buf_release(&all);
}

static void several_files_of_several_kinds_are_read_in_their_order(void **state)
{
	struct buf one = BUF_EMPTY, two = BUF_EMPTY, plain = BUF_EMPTY;
	char *path[3];

	(void)state;
	put_pages(&one, "a.test", 0, 10);
	put_pages(&two, "b.test", 0, 10);
	buf_text(&plain,
		"WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://c.test/\nContent-Type: text/html\nContent-Length: 14\n\n"
		"<a href=/x>y\n\n");
	path[0] = strdup(scratch_file(one.at, one.used));
	path[1] = strdup(scratch_file(plain.at, plain.used));
	path[2] = strdup(scratch_file(two.at, two.used));
	compare(&(struct warc_files){path, 3, 3},
		"http://a.test/9 http://a.test/13 http://a.test/27 9 \nhttp://c.test/ http://c.test/x  \nhttp://b.test/0");
	for (int i = 0; i < 3; i++)
		free(path[i]);
	buf_release(&one);
	buf_release(&two);
	buf_release(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_and_threads_change_nothing),
		cmocka_unit_test(records_of_an_archive_that_was_captured_are_no_records),
		cmocka_unit_test(damage_is_counted_once),
		cmocka_unit_test(a_first_record_that_is_damaged_loses_nothing_else),
		cmocka_unit_test(records_that_go_on_from_one_member_to_the_next_are_read),
		cmocka_unit_test(several_files_of_several_kinds_are_read_in_their_order),
	};

	return cmocka_run_group_tests_name("captures", tests, NULL, NULL);
}
