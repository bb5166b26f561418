#include "tests/simweb/web.h"

#include "simweb/site.h"

#include <sys/stat.h>

static void write_file(const char *dir, const char *name, const char *content, size_t n)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(content, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void make_link(const char *dir, const char *name, const char *to)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	assert_int_equal(symlink(to, path), 0);
}

static const struct {
	const char *file, *url, *host, *target, *type; /* type NULL: 404 */
} stored_rows[] = {
	{"pages/1-1", "http://a.test/", "a.test", "/", "text/html"},
	{"pages/1-1", "https://b.test/x.txt?q=a.css", "b.test", "/x.txt?q=a.css", "text/plain"},
	{"./pages//bytes.PDF", "http://b.test/bytes", "b.test", "/bytes", "application/pdf"},
	{"pages/empty", "http://b.test/empty", "b.test", "/empty", "text/html"},
	{"pages/1-1", "http://b.test/robots.txt", "b.test", "/robots.txt", "text/plain"},
	{"pages/..x", "http://b.test/dots", "b.test", "/dots", "text/html"},
	{"pages/missing", "http://b.test/missing", "b.test", "/missing", NULL},
	{"pages/link", "http://b.test/link", "b.test", "/link", NULL},
	{"linked/1-1", "http://b.test/linked", "b.test", "/linked", NULL},
	{"pages", "http://b.test/folder", "b.test", "/folder", NULL},
	{"pages/fifo", "http://b.test/fifo", "b.test", "/fifo", NULL},
	{"pages/1-1/x", "http://b.test/below", "b.test", "/below", NULL},
	{".", "http://b.test/dot", "b.test", "/dot", NULL},
};
#define STORED (sizeof stored_rows / sizeof *stored_rows)

static const char hello[] = "<a href=/x>hello</a>\n";
static const char bytes[] = "a\0b\r\n\xff\xfe";

static const char *make_folder(void)
{
	static char dir[128], path[256];
	struct buf index = BUF_EMPTY;

	strcpy(dir, scratch());
	snprintf(path, sizeof path, "%s/pages", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	write_file(dir, "pages/1-1", hello, sizeof hello - 1);
	write_file(dir, "pages/..x", hello, sizeof hello - 1);
	write_file(dir, "pages/bytes.PDF", bytes, sizeof bytes - 1);
	write_file(dir, "pages/empty", "", 0);
	make_link(dir, "pages/link", "1-1");
	make_link(dir, "linked", "pages");
	snprintf(path, sizeof path, "%s/pages/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	for (size_t i = 0; i < STORED; i++)
		buf_format(&index, "%s\t%s%s", stored_rows[i].file, stored_rows[i].url, i % 2 ? "\r\n\n" : "\n");
	write_file(dir, "index.tsv", index.at, index.used);
	buf_release(&index);
	return dir;
}

static void stored_pages_come_byte_for_byte(void **state)
{
	const char *dir = make_folder();

	(void)state;
	struct simweb *sw = start(&(struct simweb_settings){.pages_dir = dir, .threads = 2});
	assert_int_equal(simweb_pages(sw), STORED);
	for (size_t i = 0; i < STORED; i++) {
		struct reply r = get(sw, stored_rows[i].host, stored_rows[i].target);
		if (r.status != (stored_rows[i].type ? 200 : 404))
			fail_msg("%s: %d", stored_rows[i].url, r.status);
		if (stored_rows[i].type) {
			assert_string_equal(header(&r, "Content-Type"), stored_rows[i].type);
			assert_int_equal(r.told, r.body_length);
		}
		if (i == 0)
			assert_string_equal(r.body, hello);
		if (i == 2) {
			assert_int_equal(r.body_length, sizeof bytes - 1);
			assert_memory_equal(r.body, bytes, sizeof bytes - 1);
		}
		reply_release(&r);
	}
	static const char *const targets[] = {"/../../etc/passwd", "/pages/1-1", "/index.tsv", "/..%2f..%2fetc/passwd",
		"//etc/passwd", "/0", "/alias/0"};
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		assert_int_equal(status_of(sw, "b.test", targets[i]), 404);
	simweb_stop(sw);
	/* cut off and packed, the empty page too */
	struct simweb_settings set = {.pages_dir = dir};
	assert_int_equal(fault_parse(&set.faults, "truncate=1,gzip=1", NULL), 0);
	sw = start(&set);
	struct reply r = get(sw, "a.test", "/");
	assert_int_equal(r.told, sizeof hello - 1);
	assert_int_equal(r.body_length, (sizeof hello - 1) / 2);
	reply_release(&r);
	r = get(sw, "b.test", "/empty");
	assert_true(r.told == 1 && r.body_length == 0);
	reply_release(&r);
	r = ask(sw, "GET", "b.test", "/empty", "Accept-Encoding: gzip\r\n");
	assert_string_equal(header(&r, "Content-Encoding"), "gzip");
	reply_release(&r);
	simweb_stop(sw);
}

static void an_index_that_leads_out_is_refused(void **state)
{
	static const struct {
		const char *index, *why;
	} bad[] = {
		{"a\thttp://a.test/\n/etc/passwd\thttp://b.test/\n", ":2: '/etc/passwd' is no file below the folder"},
		{"../x\thttp://a.test/\n", ":1: '../x' is no file below the folder"},
		{"a/../../x\thttp://a.test/\n", ":1: 'a/../../x' is no file below the folder"},
		{"a/..\thttp://a.test/\n", ":1: 'a/..' is no file below the folder"},
		{"\thttp://a.test/\n", ":1: '' is no file below the folder"},
		{"a http://a.test/\n", ":1: no tab between file and URL"},
		{"a\t/relative\n", ":1: '/relative' is no absolute URL"},
		{"a\thttp:///x\n", ":1: 'http:///x' is no absolute URL"},
		{"\n\n", ": no pages in it"},
	};
	struct stored *s = NULL;
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *dir = scratch();
		write_file(dir, "index.tsv", bad[i].index, strlen(bad[i].index));
		assert_int_equal(stored_open(&s, dir, &why), ERR_FORMAT);
		if (!strstr(why.text, bad[i].why))
			fail_msg("%s", why.text);
	}
	struct buf line = BUF_EMPTY;
	for (int i = 0; i < 300; i++)
		buf_byte(&line, 'n');
	buf_text(&line, "\thttp://a.test/\n");
	const char *dir = scratch();
	assert_int_equal(stored_open(&s, dir, &why), ERR_FILE);
	write_file(dir, "index.tsv", line.at, line.used);
	assert_int_equal(stored_open(&s, dir, &why), ERR_FORMAT);
	assert_null(s);
	buf_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_pages_come_byte_for_byte),
		cmocka_unit_test(an_index_that_leads_out_is_refused),
	};

	return cmocka_run_group_tests_name("stored", tests, NULL, NULL);
}
