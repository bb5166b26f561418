/* What is read of archives that other programs wrote, that are damaged, or that tell something else than the store. */
#include "tests/storage/made_crawl.h"
#include "tests/storage/warc_read.h"
#include "tests/storage/warc_write.h"

#include "base/buf.h"
#include "storage/warc_check.h"
#include "storage/warc.h"
#include "storage/warc_files.h"
#include "storage/warc_items.h"

#include <xxhash.h>

static struct warc_span span(const char *text)
{
	return (struct warc_span){text, strlen(text)};
}

static void a_field_is_found_whatever_its_case_blanks_and_lines(void **state)
{
	static const struct {
		const char *header, *value;
	} rows[] = {
		{"WARC/1.1\r\nName: a b\r\n", "a b"},
		{"WARC/1.1\r\nname:a\r\n", "a"},
		{"WARC/1.1\r\nNAME: \t a\t \r\n", "a"},
		{"WARC/1.1\nName: a\n", "a"},
		{"Name: first", "first"},
		{"Name: one\r\nName: two\r\n", "one"},
		{"Name: a\r\n b\r\n\tc\r\nNext: d\r\n", "a\r\n b\r\n\tc"},
		{"Next: x\r\n Name: no\r\nName: yes\r\n", "yes"},
		{"Names: no\r\nNam: no\r\nXName: no\r\n", ""},
		{"Name no\r\nName", ""},
		{"Name:\r\nNext: a\r\n", ""},
		{"Name:", ""},
		{"Name: \r\n", ""},
		{"", ""},
		{"\r\n\r\nName: a\r\n", "a"},
		{"Name: a\r\n\r\n b", "a"},
		{"Name: a\n ", "a"},
		{"Name: a\nb", "a"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct warc_span found = warc_field(span(rows[i].header), "Name");
		if (found.n != strlen(rows[i].value) || memcmp(found.at, rows[i].value, found.n) != 0)
			fail_msg("'%s': '%.*s'", rows[i].header, (int)found.n, found.at);
	}
	/* what lies behind the header is not looked at */
	assert_int_equal(warc_field((struct warc_span){"Name: abc", 7}, "Name").n, 1);
	assert_int_equal(warc_field((struct warc_span){"X: a\nName: abc", 5}, "Name").n, 0);
	assert_true(warc_is(span("Response"), "response"));
	assert_false(warc_is(span("response"), "responses"));
	assert_false(warc_is(span("responses"), "response"));
	assert_false(warc_is(span("respond!"), "response"));
}

static void a_message_is_split_at_its_first_blank_line(void **state)
{
	struct warc_span head, rest;
	(void)state;

	assert_int_equal(warc_split(span("a: b\r\nc: d\r\n\r\nbody\r\n\r\n"), &head, &rest), 0);
	assert_int_equal(head.n, 12);
	assert_memory_equal(head.at, "a: b\r\nc: d\r\n", 12);
	assert_int_equal(rest.n, 8);
	assert_memory_equal(rest.at, "body\r\n\r\n", 8);
	assert_int_equal(warc_split(span("a\r\n\r\n"), &head, &rest), 0);
	assert_int_equal(head.n, 3);
	assert_int_equal(rest.n, 0);
	assert_int_equal(warc_split(span("a\r\nb\n\nc"), &head, &rest), -1);
	assert_int_equal(warc_split(span("a\r\n\rb\r\n\r\nc"), &head, &rest), 0);
	assert_int_equal(head.n, 7);
}

/* Appends a gzip member. */
static void add_member(struct buf *out, const char *text, size_t n)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	const size_t most = libdeflate_gzip_compress_bound(c, n);

	const size_t packed = libdeflate_gzip_compress(c, text, n, buf_room(out, most), most);
	assert_true(packed > 0);
	out->used += packed;
	libdeflate_free_compressor(c);
}

static void only_a_whole_record_is_read(void **state)
{
	static const struct {
		const char *text;
		int is_read;
	} rows[] = {
		{"WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n", 1},
		{"WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n", 1},
		{"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", 1},
		{"WARC/2.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n", 0},
		{"HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n", 0},
		{"WARC/1.1\r\nContent-Length: 2\r\n\r\nabc\r\n\r\n", 0},
		{"WARC/1.1\r\nContent-Length: 4\r\n\r\nabc\r\n\r\n", 0},
		{"WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n", 0},
		{"WARC/1.1\r\nContent-Length: 3\r\n\r\nabc", 0},
		{"WARC/1.1\r\nContent-Size: 3\r\n\r\nabc\r\n\r\n", 0},
		{"WARC/1.1\r\nContent-Length: 3\r\nabc\r\n", 0},
		{"WARC/1.1\r\nContent-Length: -1\r\n\r\nabc", 0},
		{"WARC/1.", 0},
		{"", 0},
	};
	struct warc_reader reader;
	struct warc_item record;
	(void)state;

	warc_reader_init(&reader);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf packed = BUF_EMPTY;
		add_member(&packed, rows[i].text, strlen(rows[i].text));
		const size_t n = packed.used;
		buf_text(&packed, "and what follows");
		const size_t got = warc_read(&reader, (struct warc_span){packed.at, packed.used}, &record);
		if (got != (rows[i].is_read ? n : 0))
			fail_msg("%s: %zu", rows[i].text, got);
		if (got) {
			assert_int_equal(record.block.n, i == 2 ? 0 : 3);
			assert_memory_equal(record.block.at, "abc", record.block.n);
			assert_int_equal(record.header.n, 31);
		}
		/* cut short, and with a bit that has turned in its checksum */
		assert_int_equal(warc_read(&reader, (struct warc_span){packed.at, n - 1}, &record), 0);
		packed.at[n - 6] ^= 1;
		assert_int_equal(warc_read(&reader, (struct warc_span){packed.at, n}, &record), 0);
		buf_release(&packed);
	}
	warc_reader_release(&reader);
}

static void the_next_record_behind_damage_is_found(void **state)
{
	static const char record[] = "WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
	static const char *const before[] = {"", "x", "damage", "\x1f\x8b\x08", "\x1f\x8b", "\x1f\x8b\x08\x08_____\x1f\x8b\x08"};
	struct warc_reader reader;
	(void)state;

	warc_reader_init(&reader);
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		struct buf all = BUF_EMPTY;
		buf_text(&all, before[i]);
		assert_int_equal(warc_seek(&reader, (struct warc_span){all.at, all.used}, 0, all.used), all.used);
		const size_t at = all.used;
		add_member(&all, record, sizeof record - 1);
		assert_int_equal(warc_seek(&reader, (struct warc_span){all.at, all.used}, 0, all.used), at);
		buf_release(&all);
	}
	warc_reader_release(&reader);
}

static int add_name(void *ctx, const char *path, struct err_note *why)
{
	(void)why;
	buf_format(ctx, "%s ", strrchr(path, '/') + 1);
	return strstr(path, "-00002.") ? 7 : 0;
}

static void the_files_of_a_prefix_are_read_in_the_order_of_their_names(void **state)
{
	static const char *const names[] = {"x-20260101000000-00001.warc.gz", "x-20260101000000-00000.warc.gz",
		"x-20250101000000-123456.warc.gz", "x-2026010100000-00000.warc.gz", "x-202601010000000-00000.warc.gz",
		"x-20260101000000-0000.warc.gz", "x-20260101000000-00000.warc", "x-20260101000000-00000.warc.gz.old",
		"x-20260101000000_00000.warc.gz", "xx-20260101000000-00000.warc.gz", "y-20260101000000-00000.warc.gz",
		"x-20260101000000-0000a.warc.gz", "x_20260101000000-00000.warc.gz"};
	struct buf got = BUF_EMPTY;
	char folder[64], path[160];
	(void)state;

	strcpy(folder, scratch());
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		fclose(fopen(path, "w"));
	}
	snprintf(path, sizeof path, "%s/x", folder);
	assert_int_equal(warc_each_file(path, add_name, &got, NULL), 0);
	assert_string_equal(got.at,
		"x-20250101000000-123456.warc.gz x-20260101000000-00000.warc.gz "
		"x-20260101000000-00001.warc.gz ");
	/* the first other answer ends it */
	for (int i = 2; i < 4; i++) {
		snprintf(path, sizeof path, "%s/x-20260101000000-0000%d.warc.gz", folder, i);
		fclose(fopen(path, "w"));
	}
	buf_clear(&got);
	snprintf(path, sizeof path, "%s/x", folder);
	assert_int_equal(warc_each_file(path, add_name, &got, NULL), 7);
	assert_null(strstr(got.at, "-00003"));
	assert_int_equal(warc_each_file("/nonexistent/x", add_name, &got, NULL), 0);
	buf_release(&got);
}

/* --- streams */

/* The path of a file with this content, one for all. */
static const char *one_file(const char *content, size_t n)
{
	static char path[96];

	if (!*path)
		snprintf(path, sizeof path, "%s/file", scratch());
	FILE *f = fopen(path, "wb");
	fwrite(content, 1, n, f);
	fclose(f);
	return path;
}

#define BLOCKS 6

/* A file of records with blocks of all kinds; where each ends. */
static void make_stream(struct buf *text, struct buf block[BLOCKS], size_t end[BLOCKS])
{
	struct rng r = {4};

	for (int i = 0; i < BLOCKS; i++) {
		block[i] = (struct buf)BUF_EMPTY;
		for (uint64_t n = i ? rng_below(&r, 60) : 0; n > 0; n--)
			buf_byte(&block[i], "\r\nWARC/ab"[rng_below(&r, 9)]);
		buf_format(text,
			i % 2 ? "WARC/1.0\nWARC-Type: t%d\nContent-Length:%zu\n\n"
			      : "WARC/1.1\r\nWARC-Type: t%d\r\ncontent-length: %zu \r\n\r\n",
			i, block[i].used);
		buf_add(text, block[i].at, block[i].used);
		end[i] = text->used;
		buf_text(text, i == 3 ? "\n" : "\r\n\r\n");
	}
}

/* Reads what there is, in pieces of `piece` bytes: the number of records, or an error. */
static int read_stream(const char *path, const struct buf block[BLOCKS], size_t piece)
{
	struct warc_stream s;
	struct buf got = BUF_EMPTY;
	int records = 0, err = warc_stream_open(&s, path, NULL), next = 0;
	char type[16];

	while (!err && (next = warc_stream_next(&s, NULL)) > 0) {
		snprintf(type, sizeof type, "t%d", records);
		assert_true(warc_is(warc_field(s.header, "WARC-Type"), type));
		assert_int_equal(s.length, block[records].used);
		assert_int_equal(s.number, records + 1);
		buf_clear(&got);
		for (size_t most = 0; !err && piece && most < s.length; most += piece) {
			err = warc_stream_block(&s, &got, piece, NULL);
			assert_true(err || got.used == (most + piece < s.length ? most + piece : s.length));
		}
		assert_true(err || !piece || got.used == s.length);
		assert_memory_equal(got.at, block[records].at, got.used);
		records++;
	}
	warc_stream_close(&s);
	buf_release(&got);
	return err ? err : next < 0 ? next : records;
}

static void a_stream_has_the_records_and_blocks_that_were_written(void **state)
{
	struct buf text = BUF_EMPTY, packed = BUF_EMPTY, block[BLOCKS];
	size_t end[BLOCKS];
	(void)state;

	make_stream(&text, block, end);
	for (size_t piece = 0; piece < 64; piece++)
		assert_int_equal(read_stream(one_file(text.at, text.used), block, piece), BLOCKS);
	add_member(&packed, text.at, text.used / 2);
	add_member(&packed, text.at + text.used / 2, text.used - text.used / 2);
	assert_int_equal(read_stream(one_file(packed.at, packed.used), block, 7), BLOCKS);
	/* cut short anywhere: it is an error, but behind a whole block */
	for (size_t n = 0; n < text.used; n++) {
		int whole = 0, is_behind = n == 0;
		for (; whole < BLOCKS && end[whole] <= n; whole++)
			is_behind = n - end[whole] <= 4 &&
				(whole + 1 == BLOCKS || text.at[n] == '\r' || text.at[n] == '\n' || text.at[n] == 'W');
		const int got = read_stream(one_file(text.at, n), block, 9);
		if (got != ERR_FORMAT && !(is_behind && got == whole))
			fail_msg("%zu bytes: %d", n, got);
		if (is_behind && (whole == 0 || n == end[whole - 1]) && got != whole)
			fail_msg("%zu bytes are %d records: %d", n, whole, got);
	}
	for (int i = 0; i < BLOCKS; i++)
		buf_release(&block[i]);
	buf_release(&text);
	buf_release(&packed);
}

static void what_is_no_stream_of_records_is_refused(void **state)
{
	static const char *const texts[] = {"WARC/1.1\r\n\r\n", "WARC/1.1\r\nContent-Length: x\r\n\r\n",
		"WARC/1.1\r\nContent-Length: \r\n\r\n", "WARC/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
		"filedesc://x.arc 0.0.0.0 2026\nContent-Length: 0\n\n", "WARK/1.1\r\nContent-Length: 0\r\n\r\n", "WAR\n"};
	struct warc_stream s;
	struct buf text = BUF_EMPTY;
	(void)state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err_note why = {""};
		assert_int_equal(warc_stream_open(&s, one_file(texts[i], strlen(texts[i])), NULL), 0);
		if (warc_stream_next(&s, &why) != ERR_FORMAT || !strstr(why.text, "record 1 "))
			fail_msg("%s: %s", texts[i], why.text);
		warc_stream_close(&s);
	}
	/* a header of as many bytes as may be, and of one more */
	static const char before[] = "WARC/1.1\r\nContent-Length: 0\r\nX: ";
	for (int more = 0; more < 2; more++) {
		buf_clear(&text);
		buf_text(&text, before);
		while (text.used < WARC_HEADER_MOST - 4 + (size_t)more)
			buf_byte(&text, 'x');
		buf_text(&text, "\r\n\r\n\r\n\r\n");
		assert_int_equal(warc_stream_open(&s, one_file(text.at, text.used), NULL), 0);
		assert_int_equal(warc_stream_next(&s, NULL), more ? ERR_FORMAT : 1);
		warc_stream_close(&s);
	}
	buf_release(&text);
}

/* --- mending: an archive that was cut anywhere is left with its whole records, and an index of them */

static void an_archive_cut_anywhere_keeps_its_whole_records(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct warc_exchange x = exchange("http://a.test/1", "one"), y = exchange("http://a.test/2", "two");
	char archive[512], index[512], prefix[96];
	struct record r[8], left[8];
	size_t n, m;
	(void)state;

	put(w, &x);
	put(w, &y);
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(prefix, sizeof prefix, "%s/x", folder);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	snprintf(index, sizeof index, "%s", file(folder, ".cdxj", 0));
	char *bytes = content(archive, &n);
	const size_t records = read_all(archive, r, 8);
	assert_int_equal(records, 7);
	for (size_t cut = 0; cut < n; cut += cut % 64 == 63 || cut + 2 > n ? 1 : 11) {
		FILE *f = fopen(archive, "wb");
		fwrite(bytes, 1, cut, f);
		fclose(f);
		unlink(index);
		assert_int_equal(warc_mend(prefix, NULL), 0);
		size_t whole = 0;
		while (whole < records && (whole + 1 < records ? r[whole + 1].offset : n) <= cut)
			whole++;
		if (whole == 0 && access(archive, F_OK) != 0)
			continue;
		assert_int_equal(read_all(archive, left, 8), whole);
		char *lines = content(index, &m);
		size_t responses = 0;
		for (size_t i = 0; i < whole; i++) {
			assert_string_equal(left[i].header, r[i].header);
			responses += strcmp(value(&left[i], "WARC-Type"), "response") == 0;
			forget(&left[i]);
		}
		for (char *at = lines; (at = strchr(at, '\n')); at++)
			responses--;
		assert_int_equal(responses, 0);
		free(lines);
	}
	for (size_t i = 0; i < records; i++)
		forget(&r[i]);
	free(bytes);
}

/* --- the archive beside the store */

static void add_line(void *ctx, const char *line)
{
	buf_format(ctx, "%.3s%s ", line, strrchr(line, '/'));
}

/* A page that the store has with a result. */
static void add_result(struct store *s, const char *url, uint8_t state, uint16_t status, uint8_t outcome, const char *body)
{
	const uint32_t id = add(s, url);
	const XXH128_hash_t is = XXH3_128bits(body, strlen(body));
	const struct result r = {.state = state,
		.status = status,
		.outcome = outcome,
		.target = STORE_NO_PAGE,
		.digest = {*body ? is.low64 : 0, *body ? is.high64 : 0}};

	assert_int_equal(store_put_result(s, id, &r, NULL), 0);
}

static void the_archive_has_an_answer_for_each_result_of_the_store(void **state)
{
	static const struct {
		const char *path;  /* of the URL */
		unsigned archived; /* status in the archive; 0: not there */
		const char *body;
		uint8_t state;
		uint16_t status;
		uint8_t outcome;
		const char *stored;
		const char *told;
	} rows[] = {
		{"same", 200, "body", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "body", ""},
		{"again", 200, "body", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "body", ""},
		{"copied", 200, "body", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "other", "W3:/copied "},
		{"missing", 0, "", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "body", "W2:/missing "},
		{"status", 404, "no", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "no", "W2:/status "},
		{"other", 200, "thing", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "text", "W3:/other "},
		{"packed", 200, "\x1f\x8b\x08", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "text", ""},
		{"nearly", 200, "\x1f\x8b", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "text", "W3:/nearly "},
		{"almost", 200, "\x1f\x8a\x08", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "text", "W3:/almost "},
		{"barely", 200, "\x20\x8b\x08", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "text", "W3:/barely "},
		{"empty", 200, "thing", PAGE_CRAWLED, 200, OUTCOME_CRAWLED, "", ""},
		{"moved", 301, "", PAGE_REDIRECTED, 301, OUTCOME_REDIRECTED, "", ""},
		{"away", 0, "", PAGE_REDIRECTED, 301, OUTCOME_REDIRECTED, "", "W2:/away "},
		{"failed", 500, "", PAGE_FAILED, 500, OUTCOME_STATUS, "", ""},
		{"lost", 0, "", PAGE_FAILED, 500, OUTCOME_STATUS, "", "W2:/lost "},
		{"dns", 0, "", PAGE_FAILED, 0, OUTCOME_DNS, "", ""},
		{"late", 0, "", PAGE_FAILED, 500, OUTCOME_DNS, "", ""},
		{"robots", 0, "", PAGE_REFUSED, 200, OUTCOME_ROBOTS, "", ""},
		{"unchanged", 304, "", PAGE_CRAWLED, 304, OUTCOME_CRAWLED, "text", ""},
	};
	struct buf told = BUF_EMPTY;
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	char prefix[96], url[64];
	int lines = 0;
	(void)state;

	snprintf(prefix, sizeof prefix, "%s/x", folder);
	struct store *s = open_store(scratch(), STORE_WRITE);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(url, sizeof url, "http://h.test/%s", rows[i].path);
		struct warc_exchange x = exchange(url, rows[i].body);
		char head[64];
		snprintf(head, sizeof head, "HTTP/1.1 %u X\r\n\r\n", rows[i].archived);
		x.head = bytes(head);
		x.status = rows[i].archived;
		if (rows[i].archived)
			put(w, &x);
		add_result(s, url, rows[i].state, rows[i].status, rows[i].outcome, rows[i].stored);
	}
	add(s, "http://h.test/queued");
	assert_int_equal(warc_close(w, NULL), 0);
	const int n = warc_check(s, prefix, add_line, &told, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(url, sizeof url, "/%s ", rows[i].path);
		const char *at = told.used ? strstr(told.at, url) : NULL;
		if (*rows[i].told ? !at || at < told.at + 3 || memcmp(at - 3, rows[i].told, 3) != 0 : at != NULL)
			fail_msg("%s: %s", rows[i].path, told.at);
		lines += *rows[i].told != 0;
	}
	assert_int_equal(n, lines);
	/* and no archive at all is an error */
	struct err_note why = {""};
	snprintf(prefix, sizeof prefix, "%s/y", folder);
	assert_int_equal(warc_check(s, prefix, add_line, &told, &why), ERR_FILE);
	assert_non_null(strstr(why.text, prefix));
	store_drop(s);
	buf_release(&told);
}

static void keep_line(void *ctx, const char *line)
{
	buf_format(ctx, "%s\n", line);
}

static void bytes_that_are_no_record_are_told_with_their_places(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct warc_exchange x = exchange("http://h.test/a", "one");
	struct buf told = BUF_EMPTY;
	char archive[512], prefix[96], want[1300];
	struct record r[8];
	size_t n;
	(void)state;

	put(w, &x);
	assert_int_equal(warc_close(w, NULL), 0);
	snprintf(prefix, sizeof prefix, "%s/x", folder);
	snprintf(archive, sizeof archive, "%s", file(folder, ".warc.gz", 0));
	struct store *s = open_store(scratch(), STORE_WRITE);
	assert_int_equal(warc_check(s, prefix, keep_line, &told, NULL), 0);
	assert_int_equal(told.used, 0);
	const size_t records = read_all(archive, r, 8);
	char *all = content(archive, &n);
	all[r[1].offset + 20] ^= 1;
	FILE *f = fopen(archive, "wb");
	fwrite(all, 1, n - 1, f);
	fclose(f);
	assert_int_equal(warc_check(s, prefix, keep_line, &told, NULL), 2);
	snprintf(want, sizeof want, "W1: %s: bytes %zu to %zu are no record\nW1: %s: bytes %zu to %zu are no record\n", archive,
		(size_t)r[1].offset, (size_t)r[2].offset, archive, (size_t)r[records - 1].offset, n - 1);
	assert_string_equal(told.at, want);
	/* an empty file has none */
	fclose(fopen(archive, "wb"));
	assert_int_equal(warc_check(s, prefix, keep_line, &told, NULL), 0);
	for (size_t i = 0; i < records; i++)
		forget(&r[i]);
	store_drop(s);
	free(all);
	buf_release(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_is_found_whatever_its_case_blanks_and_lines),
		cmocka_unit_test(a_message_is_split_at_its_first_blank_line),
		cmocka_unit_test(only_a_whole_record_is_read),
		cmocka_unit_test(the_next_record_behind_damage_is_found),
		cmocka_unit_test(the_files_of_a_prefix_are_read_in_the_order_of_their_names),
		cmocka_unit_test(a_stream_has_the_records_and_blocks_that_were_written),
		cmocka_unit_test(what_is_no_stream_of_records_is_refused),
		cmocka_unit_test(an_archive_cut_anywhere_keeps_its_whole_records),
		cmocka_unit_test(the_archive_has_an_answer_for_each_result_of_the_store),
		cmocka_unit_test(bytes_that_are_no_record_are_told_with_their_places),
	};

	return cmocka_run_group_tests_name("warc_records", tests, NULL, NULL);
}
