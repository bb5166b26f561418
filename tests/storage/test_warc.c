#include "tests/test.h"

#include "base/buf.h"
#include "base/input.h"
#include "base/rng.h"
#include "storage/cdxj.h"
#include "storage/warc.h"
#include "tests/storage/warc_read.h"
#include "tests/storage/warc_write.h"

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static void an_exchange_is_three_records_behind_the_info(void **state)
{
	static const char *const types[] = {"warcinfo", "response", "request", "metadata"};
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct warc_exchange x = exchange("http://a.test/p?q=1", "<p>abc");
	struct record r[8];
	(void)state;

	put(w, &x);
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 8), 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(value(&r[i], "WARC-Type"), types[i]);
		assert_int_equal(strlen(value(&r[i], "WARC-Record-ID")), 47);
		if (i)
			assert_string_equal(value(&r[i], "WARC-Target-URI"), "http://a.test/p?q=1");
	}
	assert_string_equal(value(&r[1], "WARC-Date"), "2026-11-21T08:45:12.345Z");
	assert_string_equal(value(&r[1], "WARC-IP-Address"), "127.0.0.1");
	assert_null(value(&r[1], "WARC-Truncated"));
	assert_string_equal(value(&r[2], "WARC-Concurrent-To"), value(&r[1], "WARC-Record-ID"));
	assert_string_equal(r[1].block, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<p>abc");
	assert_string_equal(r[3].block, "fetchTimeMs: 12\r\n");
	assert_non_null(strstr(r[0].block, "software: test/1\r\n"));
	assert_non_null(strstr(r[0].block, "robots: obey\r\n"));
	for (int i = 0; i < 4; i++)
		forget(&r[i]);
}

static void digests_are_sha1_in_base_32(void **state)
{
	/* FIPS 180: "abc", and nothing at all */
	static const char *const rows[][2] = {{"abc", "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"},
		{"", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"}};
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct record r[8];
	(void)state;

	for (int i = 0; i < 2; i++) {
		struct warc_exchange x = exchange("http://a.test/", rows[i][0]);
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 8), 7);
	assert_string_equal(value(&r[1], "WARC-Payload-Digest"), rows[0][1]);
	assert_string_equal(value(&r[4], "WARC-Payload-Digest"), rows[1][1]);
	for (int i = 0; i < 7; i++)
		forget(&r[i]);
}

static void the_same_payload_again_is_a_revisit(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct warc_exchange first = exchange("http://a.test/1", "the same"), again = exchange("http://a.test/2", "the same"),
			     cut = exchange("http://a.test/3", "the same"), empty = exchange("http://a.test/4", ""),
			     old = exchange("http://a.test/1", "");
	struct record r[20];
	(void)state;

	cut.truncated = "disconnect";
	again.time += 1000;
	old.status = 304;
	put(w, &first);
	put(w, &again);
	put(w, &cut);
	put(w, &empty);
	put(w, &empty);
	put(w, &old);
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 20), 19);
	assert_string_equal(value(&r[1], "WARC-Type"), "response");
	assert_string_equal(value(&r[4], "WARC-Type"), "revisit");
	assert_string_equal(value(&r[4], "WARC-Refers-To-Target-URI"), "http://a.test/1");
	assert_string_equal(value(&r[4], "WARC-Refers-To-Date"), value(&r[1], "WARC-Date"));
	assert_string_equal(value(&r[4], "WARC-Payload-Digest"), value(&r[1], "WARC-Payload-Digest"));
	assert_non_null(strstr(value(&r[4], "WARC-Profile"), "identical-payload-digest"));
	assert_null(strstr(r[4].block, "the same"));
	assert_string_equal(value(&r[7], "WARC-Type"), "response");
	assert_string_equal(value(&r[7], "WARC-Truncated"), "disconnect");
	assert_string_equal(value(&r[13], "WARC-Type"), "response"); /* nothing is no copy */
	assert_non_null(strstr(value(&r[16], "WARC-Profile"), "server-not-modified"));
	assert_null(value(&r[16], "WARC-Payload-Digest"));
	for (int i = 0; i < 19; i++)
		forget(&r[i]);
}

static void files_are_rolled_and_the_index_finds_every_response(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, 4000);
	struct record info;
	char url[64], body[300];
	size_t n, m, found = 0;
	int files = 0;
	(void)state;

	for (int i = 0; i < 40; i++) {
		snprintf(url, sizeof url, "http://www.b%d.test/%d", i % 3, 40 - i);
		for (size_t k = 0; k < sizeof body - 1; k++)
			body[k] = (char)('a' + (i * 7919 + (int)(k * k)) % 26);
		body[sizeof body - 1] = 0;
		struct warc_exchange x = exchange(url, body);
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	for (; file(folder, ".warc.gz", files); files++) {
		char *archive = content(file(folder, ".warc.gz", files), &n);
		char *index = content(file(folder, ".cdxj", files), &m), *at = index, *line;
		const char *last = "";
		assert_true(n < 4000 + 2500);
		read_record(archive, n, 0, &info);
		assert_string_equal(value(&info, "WARC-Type"), "warcinfo");
		forget(&info);
		while ((line = strsep(&at, "\n")) && *line) {
			struct record r;
			assert_true(strcmp(last, line) < 0);
			last = line;
			assert_memory_equal(line, "test,b", 6);
			json_t *o = json_loads(strchr(line, '{'), 0, NULL);
			const json_int_t offset = json_integer_value(json_object_get(o, "offset"));
			assert_int_equal(read_record(archive, n, (uint64_t)offset, &r),
				json_integer_value(json_object_get(o, "length")));
			assert_string_equal(value(&r, "WARC-Target-URI"), json_string_value(json_object_get(o, "url")));
			assert_non_null(strstr(file(folder, ".warc.gz", files), json_string_value(json_object_get(o, "filename"))));
			forget(&r);
			json_decref(o);
			found++;
		}
		free(archive);
		free(index);
	}
	assert_true(files > 3);
	assert_int_equal(found, 40);
}

static void keys_turn_hosts_round(void **state)
{
	static const char *const rows[][2] = {
		{"http://www.example.org/A/b?z=1&a=2&a=1", "org,example)/a/b?a=1&a=2&z=1"},
		{"https://example.org:8443/", "org,example:8443)/"},
		{"http://user:p@a.b.example.org/x?", "org,example,b,a)/x"},
		{"http://www.org/", "org,www)/"},
		{"http://127.0.0.1:81/?q", "127.0.0.1:81)/?q"},
		{"http://[::1]/", "[::1])/"},
		{"http://localhost/?&&", "localhost)/?&&"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf key = BUF_EMPTY;
		cdxj_key(&key, rows[i][0], strlen(rows[i][0]));
		assert_string_equal(key.at, rows[i][1]);
		buf_release(&key);
	}
}

static void a_type_of_no_utf_8_harms_no_index(void **state)
{
	struct buf line = BUF_EMPTY;
	(void)state;

	cdxj_line(&line,
		&(struct cdxj_entry){.url = "http://a.test/\"",
			.url_length = 15,
			.type = "text/\xff\n\"",
			.digest = "sha1:X",
			.file = "f"});
	assert_int_equal(line.at[line.used - 1], '\n');
	assert_int_equal(strcspn(line.at, "\n"), line.used - 1);
	json_t *o = json_loads(strchr(line.at, '{'), 0, NULL);
	assert_non_null(o);
	assert_string_equal(json_string_value(json_object_get(o, "mime")), "unk");
	json_decref(o);
	buf_release(&line);
}

/* Random bytes, so that the archive has to keep memory for all of them. */
static void an_exchange_after_a_large_one_has_records_of_its_own(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	const size_t n = 3u << 20;
	char *noise = malloc(n);
	struct rng rng = {5};
	struct record r[16];
	(void)state;

	for (size_t i = 0; i < n; i++)
		noise[i] = (char)rng_below(&rng, 256);
	for (int i = 0; i < 3; i++) {
		struct warc_exchange x = exchange("http://a.test/", i == 1 ? "small" : "");
		if (i != 1)
			x.body = (struct warc_span){noise + i, n - 2};
		put(w, &x);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 16), 10);
	for (int i = 0; i < 3; i++) {
		const struct record *response = &r[1 + 3 * i];
		const char *body = strstr(response->block, "\r\n\r\n") + 4;
		if (i == 1)
			assert_string_equal(body, "small");
		else
			assert_memory_equal(body, noise + i, n - 2);
	}
	for (int i = 0; i < 10; i++)
		forget(&r[i]);
	free(noise);
}

struct putting {
	struct warc *w;
	int number;
};

static void *put_many(void *ctx)
{
	struct putting *p = ctx;
	struct err_note why;
	char url[64], body[64];

	for (int i = 0; i < 50; i++) {
		snprintf(url, sizeof url, "http://a.test/%d/%d", p->number, i);
		snprintf(body, sizeof body, "body %d", i % 10); /* some are the others' */
		struct warc_exchange x = {.url = bytes(url),
			.status = 200,
			.request = bytes("GET / HTTP/1.1\r\n\r\n"),
			.head = bytes("HTTP/1.1 200 OK\r\n\r\n"),
			.body = bytes(body)};
		if (warc_put(p->w, &x, NULL, &why))
			return p; /* anything but NULL */
	}
	return NULL;
}

static void threads_put_side_by_side(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct putting putting[4];
	pthread_t thread[4];
	struct record r[601];
	size_t responses = 0, revisits = 0;
	(void)state;

	for (int i = 0; i < 4; i++) {
		putting[i] = (struct putting){w, i};
		assert_int_equal(pthread_create(&thread[i], NULL, put_many, &putting[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		void *failed;
		pthread_join(thread[i], &failed);
		assert_null(failed);
	}
	assert_int_equal(warc_close(w, NULL), 0);
	assert_int_equal(read_all(file(folder, ".warc.gz", 0), r, 601), 601);
	for (size_t i = 0; i < 601; i++) {
		responses += strcmp(value(&r[i], "WARC-Type"), "response") == 0;
		revisits += strcmp(value(&r[i], "WARC-Type"), "revisit") == 0;
		forget(&r[i]);
	}
	assert_int_equal(responses, 10);
	assert_int_equal(revisits, 190);
}

static void a_full_disk_leaves_whole_records(void **state)
{
	const char *folder = scratch();
	struct warc *w = opened(folder, WARC_LIMIT);
	struct warc_exchange x = exchange("http://a.test/", "abc");
	struct rlimit before, small = {.rlim_cur = 2000, .rlim_max = RLIM_INFINITY};
	struct record r[20];
	struct err_note why;
	int err = 0, kept = 0;
	(void)state;

	getrlimit(RLIMIT_FSIZE, &before);
	small.rlim_max = before.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	while (!(err = warc_put(w, &x, NULL, &why)))
		kept++;
	assert_int_equal(err, ERR_FILE);
	assert_non_null(strstr(why.text, "cannot write"));
	assert_int_equal(warc_put(w, &x, NULL, NULL), ERR_FILE);
	assert_int_equal(warc_failed(w, &why), ERR_FILE);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(warc_close(w, NULL), 0);
	assert_true(kept > 0);
	const size_t n = read_all(file(folder, ".warc.gz", 0), r, 20);
	assert_int_equal(n, 1 + 3 * kept);
	for (size_t i = 0; i < n; i++)
		forget(&r[i]);
}

static const struct warc_settings set = {WARC_LIMIT, WARC_LEVEL, "test", "", NULL, WARC_GZIP};

static void a_file_that_nothing_can_be_written_to_is_removed(void **state)
{
	const char *folder = scratch();
	struct rlimit before, none;
	struct err_note why;
	struct warc *w;
	char prefix[96];
	(void)state;

	snprintf(prefix, sizeof prefix, "%s/x", folder);
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	const int err = warc_open(&w, prefix, &set, &why);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(err, ERR_FILE);
	assert_null(file(folder, ".warc.gz", 0));
	assert_null(file(folder, ".cdxj", 0));
}

static void an_index_that_cannot_be_written_ends_the_archive(void **state)
{
	const char *folder = scratch(), *path;
	const struct warc_exchange x = exchange("http://a.test/", "text");
	struct err_note why = {""}, again = {""};
	struct warc *w = opened(folder, 600); /* more than the info alone */
	char index[512];

	(void)state;
	/* a folder where the index is to be */
	path = file(folder, ".warc.gz", 0);
	snprintf(index, sizeof index, "%.*s.cdxj", (int)(strlen(path) - 8), path);
	put(w, &x);
	assert_null(file(folder, ".warc.gz", 1));
	assert_int_equal(mkdir(index, 0700), 0);
	assert_int_equal(warc_put(w, &x, NULL, &why), ERR_FILE);
	assert_non_null(strstr(why.text, index));
	assert_int_equal(warc_failed(w, &again), ERR_FILE);
	assert_string_equal(again.text, why.text);
	assert_int_equal(rmdir(index), 0);
	assert_int_equal(warc_put(w, &x, NULL, &again), ERR_FILE);
	assert_string_equal(again.text, why.text);
	assert_int_equal(warc_close(w, NULL), 0);
	/* an index without its lines would keep the file from being mended */
	assert_null(file(folder, ".cdxj", 0));
	assert_int_equal(warc_close(opened(folder, 1), NULL), 0);
	assert_non_null(file(folder, ".cdxj", 0));
}

static void an_archive_of_nothing_leaves_no_file(void **state)
{
	const char *folder = scratch();

	(void)state;
	assert_int_equal(warc_close(opened(folder, WARC_LIMIT), NULL), 0);
	assert_null(file(folder, ".warc.gz", 0));
	assert_null(file(folder, ".cdxj", 0));
}

static void what_cannot_be_made_is_said(void **state)
{
	struct err_note why;
	struct warc *w;
	(void)state;

	assert_int_equal(warc_open(&w, "/nonexistent/x", &set, &why), ERR_FILE);
	assert_null(w);
	assert_non_null(strstr(why.text, "/nonexistent/x-"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exchange_is_three_records_behind_the_info),
		cmocka_unit_test(digests_are_sha1_in_base_32),
		cmocka_unit_test(the_same_payload_again_is_a_revisit),
		cmocka_unit_test(files_are_rolled_and_the_index_finds_every_response),
		cmocka_unit_test(keys_turn_hosts_round),
		cmocka_unit_test(a_type_of_no_utf_8_harms_no_index),
		cmocka_unit_test(an_exchange_after_a_large_one_has_records_of_its_own),
		cmocka_unit_test(threads_put_side_by_side),
		cmocka_unit_test(a_full_disk_leaves_whole_records),
		cmocka_unit_test(a_file_that_nothing_can_be_written_to_is_removed),
		cmocka_unit_test(an_index_that_cannot_be_written_ends_the_archive),
		cmocka_unit_test(an_archive_of_nothing_leaves_no_file),
		cmocka_unit_test(what_cannot_be_made_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
