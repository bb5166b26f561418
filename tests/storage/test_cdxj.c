/* Indexes that are searched by halves: the lines of a URL are those that a reader of the whole index finds, and few others are
 * read. */
#include "tests/test.h"

#include "base/buf.h"
#include "storage/cdxj.h"

#include <unistd.h>

#define HOSTS 12
#define PATHS 24

static const char *const paths[] = {"", "a", "a/", "A", "a?x=1", "a?y=2&x=1", "a?x=1&y=2", "ab", "a/b", "a-b", "?q", "z/"};

static char *url_of(int host, int path)
{
	const int n = (int)(sizeof paths / sizeof *paths);

	return buf_made("http://%s%d.test%s/%s%s", host % 2 ? "www.h" : "h", host / 2, host % 7 ? "" : ":8080",
		path / n ? "dir/" : "", paths[path % n]);
}

/* How many captures a URL has. */
static int captures_of(int host, int path)
{
	return (host * 7 + path) % 4;
}

/* Sorted lines of captures. */
static void make_lines(struct buf *lines, const char *head)
{
	for (int host = 0; host < HOSTS; host++)
		for (int path = 0; path < PATHS; path++)
			for (int i = 0; i < captures_of(host, path); i++) {
				char *url = url_of(host, path);
				cdxj_line(lines,
					&(struct cdxj_entry){.url = url,
						.url_length = strlen(url),
						.time = 1700000000000 + i * 1000,
						.status = 200,
						.type = "text/html",
						.digest = "-",
						.file = "x.warc.gz",
						.offset = (uint64_t)(host * PATHS + path) * 4 + (uint64_t)i});
				free(url);
			}
	cdxj_sort(lines);
	struct buf all = BUF_EMPTY;
	buf_text(&all, head);
	buf_add(&all, lines->at, lines->used);
	buf_release(lines);
	*lines = all;
}

struct found {
	const char *url;
	struct buf offsets;
	size_t read;
};

static int take(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	struct found *f = ctx;

	(void)why;
	f->read++;
	if (!f->url || (strlen(f->url) == e->url_length && memcmp(f->url, e->url, e->url_length) == 0))
		buf_format(&f->offsets, "%llu ", (unsigned long long)e->offset);
	return 0;
}

static char *beside(const char *end, const struct buf *bytes)
{
	static char folder[96];

	if (!*folder)
		snprintf(folder, sizeof folder, "%s", scratch());
	char *path = buf_made("%s/%s", folder, end);
	FILE *f = fopen(path, "wb");
	fwrite(bytes->at ? bytes->at : "", 1, bytes->used, f);
	fclose(f);
	return path;
}

/* Every URL, and some that no index has, has the lines that were written, and few others are read. */
static void compare(const char *path, size_t most)
{
	for (int host = 0; host < HOSTS + 2; host++)
		for (int page = 0; page < PATHS; page++) {
			char *url = url_of(host, page);
			struct buf want = BUF_EMPTY;
			struct found got = {.url = url};
			struct err_note why = {""};
			for (int i = 0; host < HOSTS && i < captures_of(host, page); i++)
				buf_format(&want, "%d ", (host * PATHS + page) * 4 + i);
			if (cdxj_find(path, url, 0, take, &got, &why))
				fail_msg("%s: %s", path, why.text);
			if (strcmp(want.used ? want.at : "", got.offsets.used ? got.offsets.at : "") != 0)
				fail_msg("%s of %s: %s, not %s", url, path, got.offsets.at, want.at);
			if (want.used && got.read > most)
				fail_msg("%s: %zu lines are read", url, got.read);
			buf_release(&want);
			buf_release(&got.offsets);
			free(url);
		}
}

static void a_sorted_index_is_searched_by_halves(void **state)
{
	static const char *const heads[] = {"", "!meta 0 {}\n"};
	(void)state;

	for (int i = 0; i < 2; i++) {
		struct buf lines = BUF_EMPTY;
		make_lines(&lines, heads[i]);
		char *path = beside("x.cdxj", &lines);
		compare(path, 40);
		lines.used -= 1; /* without its last line feed */
		free(beside("x.cdxj", &lines));
		compare(path, 40);
		free(path);
		buf_release(&lines);
	}
	struct buf none = BUF_EMPTY;
	struct found f = {.url = "http://a.test/"};
	char *path = beside("empty.cdxj", &none);
	assert_int_equal(cdxj_find(path, f.url, 0, take, &f, NULL), 0);
	assert_int_equal(f.read, 0);
	free(path);
}

/* The summary as that of Common Crawl's indexes. */
static void with_tabs(const struct buf *summary, const char *file, struct buf *out)
{
	for (const char *at = summary->at, *lf; (lf = strchr(at, '\n')) != NULL; at = lf + 1) {
		const char *brace = strchr(at, '{');
		unsigned long long offset, length;
		if (*at != '!' && sscanf(brace, "{\"offset\":%llu,\"length\":%llu", &offset, &length) == 2)
			buf_format(out, "%.*s\t%s\t%llu\t%llu\t1\n", (int)(brace - at - 1), at, file, offset, length);
	}
}

static void a_packed_index_is_searched_through_its_summary(void **state)
{
	(void)state;
	for (size_t block = 1; block < 300; block = block * 6 + 1) {
		struct buf lines = BUF_EMPTY, packed = BUF_EMPTY, summary = BUF_EMPTY, tabs = BUF_EMPTY;
		struct found all = {.url = NULL}, want = {.url = NULL};
		make_lines(&lines, "");
		char *whole = beside("whole.cdxj", &lines);
		cdxj_pack(&lines, block, "x.cdx.gz", &packed, &summary);
		with_tabs(&summary, "x.cdx.gz", &tabs);
		char *gz = beside("x.cdx.gz", &packed), *idx = beside("x.idx", &summary), *other = beside("cluster.idx", &tabs);
		compare(gz, 40);
		compare(idx, 40);
		compare(other, 40);
		/* the summary alone stands for all lines */
		assert_int_equal(cdxj_each(whole, take, &want, NULL), 0);
		assert_int_equal(cdxj_each(other, take, &all, NULL), 0);
		assert_string_equal(all.offsets.at, want.offsets.at);
		/* a summary that leads nowhere is an error that names both */
		struct err_note why = {""};
		unlink(gz);
		assert_true(cdxj_find(idx, "http://h1.test/a", 0, take, &all, &why) < 0);
		assert_non_null(strstr(why.text, "x.cdx.gz"));
		free(beside("x.cdx.gz", &(struct buf){(char[]){"short"}, 5, 6}));
		assert_int_equal(cdxj_find(idx, "http://h1.test/a", 0, take, &all, &why), ERR_FORMAT);
		assert_non_null(strstr(why.text, "where"));
		buf_release(&lines);
		buf_release(&packed);
		buf_release(&summary);
		buf_release(&tabs);
		buf_release(&all.offsets);
		buf_release(&want.offsets);
		free(whole);
		free(gz);
		free(idx);
		free(other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sorted_index_is_searched_by_halves),
		cmocka_unit_test(a_packed_index_is_searched_through_its_summary),
	};

	return cmocka_run_group_tests_name("cdxj", tests, NULL, NULL);
}
