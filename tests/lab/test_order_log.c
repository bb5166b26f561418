/* lab/measure/order_log.h: each format with lines as its program writes them, and files that are none. */
#include "tests/test.h"

#include "base/buf.h"
#include "lab/measure/order_log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A log, and what it says: a word for each entry, with a sign for its fate: + fetched, > redirected, ! failed, - taken back. */
static const struct {
	const char *format, *text, *wanted;
} logs[] = {
	{"wget",
		"--2026-11-27 14:02:39--  http://a.test/\n"
		"Resolving a.test (a.test)... 127.0.0.1, ::1\n"
		"Connecting to a.test (a.test)|127.0.0.1|:80... connected.\n"
		"HTTP request sent, awaiting response... 301 Moved Permanently\n"
		"Location: http://a.test/start [following]\n"
		"--2026-11-27 14:02:39--  http://a.test/start\n"
		"Reusing existing connection to a.test:80.\n"
		"HTTP request sent, awaiting response... 200 OK\n"
		"Length: 527 [text/html]\n"
		"     0K .......... ..........                                 100%  168M=0s\n"
		"2026-11-27 14:02:39 (168 MB/s) - 'a.test/start' saved [527/527]\n"
		"--2026-11-27 14:02:40--  http://a.test/gone\n"
		"HTTP request sent, awaiting response... 404 Not Found\n"
		"2026-11-27 14:02:39 ERROR 404: Not Found.\n"
		"--2026-11-27 14:02:41--  http://b.test/\n"
		"Connecting to b.test (b.test)|127.0.0.2|:80... failed: Connection refused.\n"
		"--2026-11-27 14:02:41--  http://a.test/x\n"
		"HTTP-Anforderung gesendet, auf Antwort wird gewartet … 200 OK\n"
		"--2026-11-27 14:02:42--  http://a.test/s\n"
		"HTTP request sent, awaiting response... \n"
		"  HTTP/1.1 200 OK\n"
		"  Content-Length: 100\n"
		"--2026-11-27 14:02:43--  http://a.test/cut\n",
		">http://a.test/ +http://a.test/start !http://a.test/gone !http://b.test/ +http://a.test/x +http://a.test/s "
		"!http://a.test/cut"},
	{"wget",
		"2026-11-27 14:02:39 URL:http://a.test/0 [527/527] -> \"a.test/0\" [1]\n"
		"http://a.test/gone:\n"
		"2026-11-27 14:02:39 ERROR 404: Not Found.\n"
		"2026-11-27 14:02:39 URL:http://a.test/1 [469/469] -> \"a.test/1\" [1]\n",
		"+http://a.test/0 !http://a.test/gone +http://a.test/1"},
	{"wget2",
		"[0] Downloading 'http://a.test/robots.txt' ...\n"
		"HTTP ERROR response 404 Not Found [http://a.test/robots.txt]\n"
		"[0] Downloading 'http://[::1]:80/' ...\n"
		"Saving 'a.test/0'\n"
		"HTTP response 200 OK [http://[::1]:80/]\n"
		"Adding URL: http://a.test/1\n"
		"HTTP response 302 Found [http://a.test/1]\n"
		"HTTP response 200  [http://a.test/2]\n",
		"!http://a.test/robots.txt +http://[::1]:80/ >http://a.test/1 +http://a.test/2"},
	{"httrack",
		"date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked,gZipped)\tstatuscode\tstatus ('servermsg')"
		"\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n"
		"00:26:38\t1021/1021\t---M--\t200\tadded ('OK')\ttext/html\tetag:%224d%22\thttp://a.test/\tht/a.test/index.html\t(from )\n"
		"00:26:38\t80/80\t---M--\t404\terror ('Not%20Found')\ttext/html\tdate:Sat,%2028\thttp://a.test/robots.txt\t\t(from )\n"
		"00:26:39\t0/-1\t---M--\t301\tadded ('Moved')\ttext/html\t\thttp://a.test/o\tht/o.html\t(from http://a.test/)\n"
		"00:26:40\t0/0\t------\t-4\terror ('Connect%20Error')\t\t\thttp://b.test/\t\t(from http://a.test/)\n",
		"+http://a.test/ !http://a.test/robots.txt >http://a.test/o !http://b.test/"},
	{"scrapy",
		"2026-11-27 14:02:39 [scrapy.core.engine] INFO: Spider opened\n"
		"2026-11-27 14:02:39 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://a.test/> (referer: None)\n"
		"2026-11-27 14:02:39 [scrapy.downloadermiddlewares.redirect] DEBUG: Redirecting (301) to <GET http://a.test/n> from "
		"<GET http://a.test/o>\n"
		"2026-11-27 14:02:39 [scrapy.core.engine] DEBUG: Crawled (404) <GET http://a.test/gone> (referer: http://a.test/)\n"
		"2026-11-27 14:02:40 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://a.test/n> (referer: http://a.test/) "
		"['cached']\n"
		"2026-11-27 14:02:41 [scrapy.downloadermiddlewares.retry] ERROR: Gave up retrying <GET http://b.test/> (failed 3 times): "
		"Connection refused\n",
		"+http://a.test/ >http://a.test/o !http://a.test/gone +http://a.test/n !http://b.test/"},
	{"heritrix",
		"2026-11-27T14:02:39.123Z     1         53 dns:a.test P http://a.test/ text/dns #001 20261127140239100+2 sha1:AA - -\n"
		"2026-11-27T14:02:39.223Z   200        527 http://a.test/ - - text/html #001 20261127140239200+5 sha1:BB - -\n"
		"2026-11-27T14:02:39.323Z   302          0 http://a.test/o L http://a.test/ text/html #002 20261127140239300+5 - - -\n"
		"2026-11-27T14:02:39.423Z -9998          - http://a.test/no L http://a.test/ unknown #002 - - - -\n"
		"2026-11-27T14:02:39.523Z   200        527 https://a.test/n LR http://a.test/o text/html #002 - sha1:CC - -\n",
		"+http://a.test/ >http://a.test/o !http://a.test/no +https://a.test/n"},
	{"nutch",
		"2026-11-27 14:02:39,011 INFO  fetcher.FetcherThread - FetcherThread 44 fetching http://a.test/ (queue crawl delay=5000ms)\n"
		"2026-11-27 14:02:39,100 INFO o.a.n.f.FetcherThread [FetcherThread] FetcherThread 45 fetching http://a.test/gone (queue "
		"crawl delay=5000ms)\n"
		"2026-11-27 14:02:39,200 INFO  fetcher.FetcherThread - FetcherThread 45 fetch of http://a.test/gone failed with: Http "
		"code=404, url=http://a.test/gone\n"
		"2026-11-27 14:02:39,300 INFO  fetcher.Fetcher - fetching http://a.test/2\n",
		"+http://a.test/ +http://a.test/gone -http://a.test/gone +http://a.test/2"},
	{"readdb",
		"http://a.test/a\tVersion: 7\n"
		"Status: 2 (db_fetched)\n"
		"Fetch time: Sun Dec 27 14:02:41 UTC 2026\n"
		"Modified time: Thu Jan 01 00:00:00 UTC 1970\n"
		"Retries since fetch: 0\n"
		"Retry interval: 2592000 seconds (30 days)\n"
		"Score: 1.0\n"
		"Metadata: \n \t_pst_=success(1), lastModified=0\n\n"
		"http://a.test/b\tVersion: 7\n"
		"Status: 2 (db_fetched)\n"
		"Fetch time: Fri Nov 27 15:02:40 UTC 2026\n"
		"Retry interval: 3600 seconds (0 days)\n\n"
		"http://a.test/c\tVersion: 7\n"
		"Status: 1 (db_unfetched)\n"
		"Fetch time: Fri Nov 27 14:02:39 UTC 2026\n"
		"Retry interval: 0 seconds (0 days)\n\n"
		"http://a.test/d\tVersion: 7\n"
		"Status: 5 (db_redir_perm)\n"
		"Fetch time: Fri Nov 27 14:02:39 UTC 2026\n"
		"Retry interval: 99999999999999999999 seconds\n",
		">http://a.test/d +http://a.test/b +http://a.test/a"},
	{"access",
		"127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"GET /a HTTP/1.1\" 200 527 \"-\" \"Wget/1.21\"\n"
		"127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"HEAD /h HTTP/1.1\" 200 0 \"-\" \"Wget/1.21\"\n"
		"127.0.0.1 - me [27/Nov/2026:14:02:39 +0000] \"GET /b\\x22c HTTP/1.1\" 302 0\n"
		"a.test:80 127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"GET /d?e HTTP/1.1\" 200 5 \"http://b.test/[x]\" \"-\"\n"
		"a.test:443 127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"GET /f HTTP/1.1\" 500 5 \"-\" \"-\"\n"
		"127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"GET http://c.test/g HTTP/1.1\" 304 0 \"-\" \"-\"\n"
		"127.0.0.1 - - [27/Nov/2026:14:02:39 +0000] \"\\x16\\x03\" 400 5 \"-\" \"-\"\n",
		"+/a >/b\\x22c +http://a.test:80/d?e !https://a.test:443/f +http://c.test/g"},
	{"serve",
		"38920549899\t38920549905\t127.0.0.1\t127.0.0.1:40009\t/0\tok\t200\t-\n"
		"38920550361\t38920550363\t127.0.0.1\t127.0.0.1:40009\t/robots.txt\tok\t404\t-\n"
		"38920550499\t38920550501\t127.0.0.1\t127.0.0.1:40009\t/1\tcut\t200\t-\n",
		"+http://127.0.0.1:40009/0 !http://127.0.0.1:40009/robots.txt !http://127.0.0.1:40009/1"},
	{"list", "# pages\n\n7\n 8\t0.25\n9\thttp://a.test/9\nhttp://a.test/x\tand more\n",
		"+7 +8 +9=http://a.test/9 +http://a.test/x"},
	{"warc",
		"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"
		"WARC/1.1\r\nWARC-Type: request\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
		"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: 17\r\n\r\n"
		"HTTP/1.1 200 OK\r\n\r\n\r\n"
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.test/o>\r\nContent-Length: 18\r\n\r\n"
		"HTTP/1.1 302 See\r\n\r\n\r\n"
		"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: https://a.test/n\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
		"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: dns:a.test\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
		"+http://a.test/ >http://a.test/o +https://a.test/n"},
};

static void write_bytes(const char *bytes, size_t n)
{
	FILE *f = fopen("order.log", "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* Reads all entries of the file into words. Returns what order_log_next() returned last. */
static int read_words(const char *format, struct buf *words)
{
	struct order_log *log;
	struct order_entry e;
	struct err_note why;
	int got = order_log_open(&log, "order.log", format, &why);

	buf_clear(words);
	buf_text(words, "");
	while (!got || got > 0) {
		got = order_log_next(log, &e, &why);
		if (got <= 0)
			break;
		buf_format(words, "%s%c%s%s%s", words->used ? " " : "", "+>!-"[e.fate], e.id ? e.id : "", e.id && e.url ? "=" : "",
			e.url ? e.url : "");
	}
	order_log_close(log);
	return got;
}

static void each_log_is_read_by_the_format_that_is_told_from_its_content(void **state)
{
	struct buf words = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		struct order_log *log;
		write_bytes(logs[i].text, strlen(logs[i].text));
		assert_int_equal(order_log_open(&log, "order.log", NULL, NULL), 0);
		assert_string_equal(order_log_format(log), logs[i].format);
		order_log_close(log);
		assert_int_equal(read_words(NULL, &words), 0);
		assert_string_equal(words.at, logs[i].wanted);
		assert_int_equal(read_words(logs[i].format, &words), 0);
		assert_string_equal(words.at, logs[i].wanted);
	}
	buf_release(&words);
}

static void a_log_is_still_its_own_with_carriage_returns_and_foreign_lines(void **state)
{
	struct buf words = BUF_EMPTY, text = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		if (strcmp(logs[i].format, "list") == 0 || strcmp(logs[i].format, "warc") == 0)
			continue;
		buf_clear(&text);
		buf_text(&text, "a line of another program, \xff\xfe, with \x1b[31mcolours\r\n");
		for (const char *c = logs[i].text; *c; c++)
			buf_text(&text, *c == '\n' ? "\r\n" : (char[]){*c, 0});
		write_bytes(text.at, text.used);
		assert_int_equal(read_words(NULL, &words), 0);
		assert_string_equal(words.at, logs[i].wanted);
	}
	buf_release(&text);
	buf_release(&words);
}

/* Any part of any log is read or refused by any format, within its bytes (the sanitizers look). */
static void no_beginning_of_a_log_harms_any_format(void **state)
{
	struct buf words = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
		for (size_t n = 0; n < strlen(logs[i].text); n += 1 + n / 7) {
			write_bytes(logs[i].text, n);
			for (size_t f = 0; order_format_named(f); f++)
				assert_true(read_words(order_format_named(f), &words) <= 0);
			assert_true(read_words(NULL, &words) <= 0);
		}
	buf_release(&words);
}

static void what_is_no_order_is_refused(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		int wanted;
	} bad[] = {
		{"", 0, ERR_NOTHING},
		{"once upon a time\n", 17, ERR_FORMAT},
		{"7\nseven\n8\n", 10, ERR_FORMAT},
		{"7\n\0\n", 4, ERR_FORMAT},
		{"\x1f\x8b\x08 no gzip", 11, ERR_FORMAT},
		{"WARC/1.1\r\nno header", 19, ERR_FORMAT},
	};
	struct buf words = BUF_EMPTY;
	struct order_log *log;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_bytes(bad[i].text, bad[i].n);
		assert_int_equal(read_words(NULL, &words), bad[i].wanted);
	}
	assert_int_equal(order_log_open(&log, "order.log", "scrappy", NULL), ERR_USAGE);
	assert_int_equal(order_log_open(&log, "no.log", NULL, NULL), ERR_FILE);
	buf_release(&words);
}

static int begin(void **state)
{
	static char folder[] = "/tmp/order_log_XXXXXX";

	*state = mkdtemp(folder);
	return *state ? chdir(*state) : -1;
}

static int end(void **state)
{
	return unlink("order.log") || chdir("/") || rmdir(*state) ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_log_is_read_by_the_format_that_is_told_from_its_content),
		cmocka_unit_test(a_log_is_still_its_own_with_carriage_returns_and_foreign_lines),
		cmocka_unit_test(no_beginning_of_a_log_harms_any_format),
		cmocka_unit_test(what_is_no_order_is_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
