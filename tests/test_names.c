#include "tests/test.h"

#include "base/buf.h"
#include "base/rng.h"
#include "graph/names.h"

static void the_host_is_what_stands_between_slashes_without_user_and_port(void **state)
{
	static const struct {
		const char *url, *host; /* NULL: none */
	} table[] = {
		{"http://a.b/c", "a.b"},
		{"HTTP://A.b", "A.b"},
		{"https://a.b:8080/x:y@z", "a.b"},
		{"http://user:pass@a.b/", "a.b"},
		{"http://u@v@a.b", "a.b"},
		{"http://a.b?x=http://c.d/", "a.b"},
		{"http://a.b#@c", "a.b"},
		{"http://[::1]:80/x", "[::1]"},
		{"http://[::1", "["},
		{"ftp+x.1-y://h", "h"},
		{"http://h:", "h"},
		{"http://h:port/", "h"},
		{"http:///x", ""},
		{"http://", ""},
		{"http://:80/", ""},
		{"http://u@/", ""},
		{"http:/path", NULL},
		{"http:path", NULL},
		{"//a.b/c", NULL},
		{"://a.b/c", NULL},
		{"a.b/c", NULL},
		{"ht tp://a.b/", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *at = NULL;
		const size_t n = names_host_of(table[i].url, &at);
		assert_int_equal(n, table[i].host ? strlen(table[i].host) : 0);
		if (n)
			assert_memory_equal(at, table[i].host, n);
	}
}

static void hosts_are_numbered_as_they_appear(void **state)
{
	static const char urls[] =
		"http://B.com/x\nhttp://a.com/\r\nno url\nhttp://b.com:80/y \n\nhttps://A.com\n";
	static const char hosts[] = "B.com\na.com\n\nb.com\t\n\nA.com";
	static const uint32_t want[] = {0, 1, 2, 0, 2, 1};
	static const char *const name[] = {"b.com", "a.com", ""};

	(void)state;
	for (int with_urls = 0; with_urls < 2; with_urls++) {
		struct names n;
		struct err_note why = {""};
		const char *path = with_urls ? scratch_file(urls, sizeof urls - 1)
					     : scratch_file(hosts, sizeof hosts - 1);
		assert_int_equal(with_urls ? names_from_urls(&n, path, 6, &why)
					   : names_from_hosts(&n, path, 0, &why),
			0);
		assert_int_equal(n.nodes, 6);
		assert_int_equal(n.hosts, 3);
		for (uint32_t i = 0; i < 6; i++) {
			assert_int_equal(n.host[i], want[i]);
			assert_string_equal(names_host(&n, i), name[want[i]]);
		}
		if (with_urls) {
			assert_string_equal(names_url(&n, 0), "http://B.com/x");
			assert_string_equal(names_url(&n, 2), "no url");
			assert_string_equal(names_url(&n, 3), "http://b.com:80/y");
			assert_string_equal(names_url(&n, 4), "");
		} else {
			assert_null(names_url(&n, 0));
		}
		names_release(&n);
		names_release(&n);
	}
}

static void a_wrong_number_of_lines_is_said(void **state)
{
	static const struct {
		const char *text;
		uint32_t nodes;
		const char *tail;
	} table[] = {
		{"a\nb\n", 3, "' has 2 lines, but the graph has 3 nodes"},
		{"a\nb\n", 1, "' has more than 1 lines, but the graph has 1 nodes"},
		{"", 1, "' has 0 lines, but the graph has 1 nodes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct names n = {.nodes = 5};
		struct err_note why = {""};
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(names_from_hosts(&n, path, table[i].nodes, &why), ERR_FORMAT);
		assert_non_null(strstr(why.text, table[i].tail));
		assert_int_equal(n.nodes, 0);
		assert_null(n.host);
	}
	struct names n;
	struct err_note why;
	assert_int_equal(names_from_urls(&n, "/nonexistent", 0, &why), ERR_FILE);
	assert_int_equal(names_from_urls(&n, scratch_file("a\0b\n", 4), 0, &why), ERR_FORMAT);
	assert_int_equal(names_from_urls(&n, scratch_file("", 0), 0, &why), 0);
	assert_int_equal(n.nodes + n.hosts, 0);
	names_release(&n);
}

/* Against a walk through all hosts seen so far. */
static void many_hosts_keep_their_numbers(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng r = {21};
	static uint32_t drawn[6000], number[3000];
	uint32_t seen = 0;
	struct names n;
	struct err_note why;

	(void)state;
	memset(number, 0xff, sizeof number);
	for (size_t i = 0; i < 6000; i++) {
		drawn[i] = (uint32_t)rng_below(&r, 3000);
		buf_format(&text, "http://%s%u.x/%zu\n", i % 2 ? "h" : "H", drawn[i], i);
	}
	assert_int_equal(names_from_urls(&n, scratch_file(text.at, text.used), 6000, &why), 0);
	for (size_t i = 0; i < 6000; i++) {
		char host[32];
		if (number[drawn[i]] == UINT32_MAX)
			number[drawn[i]] = seen++;
		assert_int_equal(n.host[i], number[drawn[i]]);
		snprintf(host, sizeof host, "h%u.x", drawn[i]);
		assert_string_equal(names_host(&n, (uint32_t)i), host);
	}
	assert_int_equal(n.hosts, seen);
	names_release(&n);
	buf_release(&text);
}

static void names_are_found_beside_a_graph(void **state)
{
	static const struct {
		const char *graph, *names;
		int found;
	} table[] = {
		{"x.graph", "x.urls", 1},
		{"x", "x.urls.gz", 1},
		{"x.properties", "x.hosts", 1},
		{"x.txt.gz", "x.urls.gz", 1},
		{"x.txt", "x.urls.zst", 1},
		{"a.b.mtx", "a.b.hosts", 1},
		{"x.csr", "x.urls", 1},
		{"x.y", "x.y.urls", 1},
		{"x.y", "x.urls", 0},
		{"x.txt", "x.txt.urls", 0},
		{"x.txt", "y.urls", 0},
		{".txt", ".urls", 0},
		{".txt", ".txt.urls", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char folder[64], graph[128], names[128], *found = NULL;
		strcpy(folder, scratch());
		snprintf(graph, sizeof graph, "%s/%s", folder, table[i].graph);
		snprintf(names, sizeof names, "%s/%s", folder, table[i].names);
		fclose(fopen(names, "w"));
		assert_int_equal(names_beside(graph, &found), table[i].found);
		if (table[i].found)
			assert_string_equal(found, names);
		free(found);
	}
}

static void real_data_have_their_known_hosts(void **state)
{
	static const struct {
		const char *graph, *urls;
		uint32_t nodes, hosts;
	} table[] = {
		{"data/cs-stanford/cs-stanford.txt.gz", "data/cs-stanford/cs-stanford.urls.gz",
			9914, 21},
		{"data/uic-2021/uic-2021.txt.gz", "data/uic-2021/uic-2021.urls.gz", 7751, 208},
		{"data/uci-ics-2016/uci-ics-2016.txt.gz", "data/uci-ics-2016/uci-ics-2016.urls.gz",
			8317, 55},
		{"data/uci-ics-2016-full/uci-ics-2016-full.txt.gz",
			"data/uci-ics-2016-full/uci-ics-2016-full.urls.gz", 45142, 4764},
		{"data/walk-hosts-new/walk-hosts-new.txt.gz",
			"data/walk-hosts-new/walk-hosts-new.urls.gz", 45687, 45687},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct names n;
		struct err_note why = {""};
		char *path = NULL;
		assert_int_equal(names_beside(shared(table[i].graph), &path), 1);
		assert_string_equal(path, shared(table[i].urls));
		if (names_from_urls(&n, path, table[i].nodes, &why))
			fail_msg("%s", why.text);
		assert_int_equal(n.hosts, table[i].hosts);
		names_release(&n);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_host_is_what_stands_between_slashes_without_user_and_port),
		cmocka_unit_test(hosts_are_numbered_as_they_appear),
		cmocka_unit_test(a_wrong_number_of_lines_is_said),
		cmocka_unit_test(many_hosts_keep_their_numbers),
		cmocka_unit_test(names_are_found_beside_a_graph),
		cmocka_unit_test(real_data_have_their_known_hosts),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
