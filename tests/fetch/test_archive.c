/* What the archive keeps of requests and answers. */
#include "tests/fetch/fetching.h"
#include "tests/storage/warc_read.h"
#include "tests/storage/warc_write.h"

#include "fetch/archive.h"

/* An answer as it came, and what the record of the response says: its head and body, and fields of its header (NULL: none). */
struct row {
	const char *request, *head, *body;
	enum outcome error;
	const char *kept_request, *kept_head, *type, *truncated;
};

static void put_row(struct warc *w, const struct row *row)
{
	struct transfer_options options = {.set = {.archive = w}};
	struct transfer t = {.options = &options, .easy = curl_easy_init(), .url = URL_EMPTY, .started = 5, .ended = 12};

	assert_int_equal(url_parse(&t.url, "http://a.test/x", 15, NULL), URL_OK);
	for (const char *line = row->head; *line; line += strcspn(line, "\n") + 1)
		assert_int_equal(answer_line(&t.answer, line, strcspn(line, "\n") + 1, "lycosa", 0), 0);
	buf_text(&t.request, row->request);
	buf_text(&t.head, row->head);
	buf_text(&t.body, row->body);
	archive_put(&t, row->error, NULL, NULL);
	curl_easy_cleanup(t.easy);
	url_release(&t.url);
	answer_release(&t.answer);
	buf_release(&t.request);
	buf_release(&t.head);
	buf_release(&t.body);
}

static void exchanges_are_kept_without_secrets_and_as_they_would_be_in_http_1_1(void **state)
{
	static const struct row rows[] = {
		{"GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n\r\n", "one",
			OUTCOME_NONE, "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nContent-Length: 3\r\n\r\n", "text/html", NULL},
		{"GET /x HTTP/2\r\nHost: a.test\r\nAuthorization: Basic x\r\ncookie: a=b\r\nCookies: c\r\nProxy-Authorization:y\r\nX: z\r\n\r\nX: no\r\n",
			"HTTP/2 404 \r\ncontent-encoding: gzip\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\nContent-Lengths: 1\r\n\r\n",
			"two!", OUTCOME_NONE, "GET /x HTTP/1.1\r\nHost: a.test\r\nCookies: c\r\nX: z\r\n\r\n",
			"HTTP/1.1 404 \r\nX-Archive-Orig-content-encoding: gzip\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n"
			"X-Archive-Orig-Content-Length: 9\r\nContent-Lengths: 1\r\nContent-Length: 4\r\n\r\n",
			NULL, NULL},
		{"GET /x y HTTP/1.0\n\n", "HTTP/1.0\nContent-Type: ;x\n\n", "", OUTCOME_TOO_BIG, "GET /x y HTTP/1.1\r\n\r\n",
			"HTTP/1.1\r\nContent-Type: ;x\r\nContent-Length: 0\r\n\r\n", NULL, "length"},
		{"GET\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "four", OUTCOME_TIMEOUT, "GET HTTP/1.1\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", NULL, "time"},
		{"", "HTTP/1.1 200 OK\r\n\r\n", "five5", OUTCOME_TYPE, "\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", NULL,
			"unspecified"},
		{"GET /x", "HTTP/1.1 200 OK\r\n\r\n", "six666", OUTCOME_BROKEN, "\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n", NULL, "disconnect"},
	};
	enum { ROWS = sizeof rows / sizeof *rows };
	static const struct row none = {.request = "GET /x HTTP/1.1\r\n\r\n", .head = "HTTP/1.1 200 OK\r\n", .body = ""};
	char folder[64], index[4000];
	struct record r[3 * ROWS + 1];
	size_t n;
	(void)state;

	strcpy(folder, scratch());
	struct warc *w = opened(folder, WARC_LIMIT);
	for (size_t i = 0; i < ROWS; i++)
		put_row(w, &rows[i]);
	put_row(w, &none); /* headers that are not whole are no answer */
	put_row(NULL, &rows[0]);
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 3 * ROWS + 1), 3 * ROWS + 1);
	char *lines = content(file(folder, ".cdxj", 0), &n);
	snprintf(index, sizeof index, "%s", lines);
	free(lines);
	for (size_t i = 0; i < ROWS; i++) {
		const struct record *response = &r[1 + 3 * i], *request = &r[2 + 3 * i];
		const char *truncated = value(response, "WARC-Truncated");
		const size_t head = strlen(rows[i].kept_head);
		assert_int_equal(response->n, head + strlen(rows[i].body));
		assert_memory_equal(response->block, rows[i].kept_head, head);
		assert_string_equal(response->block + head, rows[i].body);
		assert_string_equal(request->block, rows[i].kept_request);
		assert_string_equal(truncated ? truncated : "", rows[i].truncated ? rows[i].truncated : "");
		assert_null(value(response, "WARC-IP-Address"));
		assert_string_equal(r[3 + 3 * i].block, "fetchTimeMs: 7\r\n");
	}
	assert_non_null(strstr(index, "text/html"));
	assert_null(strstr(index, "charset"));
	for (size_t i = 0; i < 3 * ROWS + 1; i++)
		forget(&r[i]);
}

static void a_fetched_page_is_archived_as_it_was_asked_for_and_answered(void **state)
{
	static const struct web_row rows[] = {{"/page", .headers = HTML "X-Own: 7\r\n", .body = TWO_LINKS}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(2);
	char folder[64];
	struct record r[8];
	(void)state;

	strcpy(folder, scratch());
	set.no_robots = 1;
	set.header.at = (const char *[]){"X-Mine: yes", "Cookie: secret=1", NULL};
	set.archive = opened(folder, WARC_LIMIT);
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch(f, web_url(web, "/page"), 0);
	assert_int_equal(page->result.state, PAGE_CRAWLED);
	assert_non_null(strstr(page->result.archived.path, ".warc.gz"));
	assert_false(page->result.archived.is_revisit);
	const uint64_t offset = page->result.archived.offset, length = page->result.archived.length;
	fetch_page_free(page);
	fetchers_free(f);
	assert_int_equal(warc_close(set.archive, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 8), 4);
	assert_int_equal(r[1].offset, offset);
	assert_int_equal(r[2].offset, offset + length);
	assert_string_equal(value(&r[1], "WARC-Target-URI"), web_url(web, "/page"));
	assert_string_equal(value(&r[1], "WARC-IP-Address"), "127.0.0.1");
	assert_memory_equal(r[1].block, "HTTP/1.1 200 ", 13);
	assert_non_null(strstr(r[1].block, "\r\nX-Own: 7\r\n"));
	assert_non_null(strstr(r[1].block, "\r\n\r\n" TWO_LINKS));
	assert_memory_equal(r[2].block, "GET /page HTTP/1.1\r\n", 20);
	assert_non_null(strstr(r[2].block, "\r\nX-Mine: yes\r\n"));
	assert_non_null(strstr(r[2].block, "\r\nUser-Agent: testbot/1.0 (+http://x.test/)\r\n"));
	assert_null(strstr(r[2].block, "secret"));
	for (size_t i = 0; i < 4; i++)
		forget(&r[i]);
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanges_are_kept_without_secrets_and_as_they_would_be_in_http_1_1),
		cmocka_unit_test(a_fetched_page_is_archived_as_it_was_asked_for_and_answered),
	};

	return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
