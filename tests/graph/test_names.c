#include "tests/test.h"

#include "base/buf.h"
#include "base/rng.h"
#include "graph/formats/names.h"

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
	static const char urls[] = "http://B.com/x\nhttp://a.com/\r\nno url\nhttp://b.com:80/y \n\nhttps://A.com\n";
	static const char hosts[] = "B.com\na.com\n\nb.com\t\n\nA.com";
	static const uint32_t want[] = {0, 1, 2, 0, 2, 1};
	static const char *const name[] = {"b.com", "a.com", ""};

	(void)state;
	for (int with_urls = 0; with_urls < 2; with_urls++) {
		struct names n;
		struct err_note why = {""};
		const char *path = with_urls ? scratch_file(urls, sizeof urls - 1) : scratch_file(hosts, sizeof hosts - 1);
		assert_int_equal(with_urls ? names_from_urls(&n, path, 6, &why) : names_from_hosts(&n, path, 0, &why), 0);
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

/* A list of "label=name " a node that has one; strangers behind it. */
static void lines_with_ids_name_their_nodes(void **state)
{
	static const struct {
		const char *text;
		int has_urls;
		uint32_t hint;
		const char *want;
	} table[] = {
		{"link url\n9 http://b/ \n2 http://a/x y\n5 http:/path\n", 1, 0, "2=http://a/x@a 5=http:/path@ 9=http://b/@b 0"},
		{"2 http://a/\n\n 5\tnot-one\r\n2 http://c/\n7 http://d/\n1 u", 1, 0, "2=http://a/@a 5=not-one@ 2"},
		{"2 b.com\n9 A.com\n", 0, 0, "2=@b.com 9=@a.com 0"},
		{"3 http://a/\n1 http://b/\n2 http://c/\n", 1, 3, "2=http://c/@c 2"},
		{"1 http://a/\n0 http://b/\n", 1, 2, "2"},
		{"1 http://a/\n1 http://b/\n1 http://c/\n", 1, 1, "3"},
		{"7 http://a/\n7 http://b/\n1 http://c/\n", 1, 0, "3"},
		/* as pandas, R and spreadsheets write tables */
		{"id,url\n2,http://a/\n9,http://b/,x\n", 1, 0, "2=http://a/@a 9=http://b/@b 0"},
		{",url\n2,\"http://a/x,y\"\n5 , http://b/ , \n", 1, 0, "2=http://a/x,y@a 5=http://b/@b 0"},
		{"2;\"http://a/\"\"q\"\"\";1\n9;http://b/x,y\n", 1, 0, "2=http://a/\"q\"@a 9=http://b/x,y@b 0"},
		{"2\thttp://a/x,y;z\n5\t\"http://b/\n", 1, 0, "2=http://a/x,y;z@a 5=http://b/@b 0"},
		{"node;host\n2;b.com\n", 0, 0, "2=@b.com 0"},
	};
	uint64_t label[] = {2, 5, 9}, offset[4] = {0};
	const struct graph g = {.nodes = 3, .offset = offset, .label = label};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		struct buf got = BUF_EMPTY;
		struct err_note why = {""};
		struct names n;
		if (table[i].has_urls ? names_from_urls(&n, path, 3, &why) : names_from_hosts(&n, path, 3, &why))
			fail_msg("%s", why.text);
		assert_non_null(n.id);
		assert_int_equal(names_hint(&n), table[i].hint);
		const uint64_t strangers = names_arrange(&n, &g);
		assert_null(n.id);
		assert_int_equal(n.nodes, 3);
		for (uint32_t u = 0; u < 3; u++) {
			const char *url = n.text ? names_url(&n, u) : "";
			if (*url || *names_host(&n, u))
				buf_format(&got, "%u=%s@%s ", (unsigned)label[u], url, names_host(&n, u));
		}
		buf_format(&got, "%u", (unsigned)strangers);
		assert_string_equal(got.at, table[i].want);
		assert_int_equal(names_arrange(&n, &g), 0);
		assert_int_equal(n.nodes, 3);
		buf_release(&got);
		names_release(&n);
	}
}

static void a_list_is_numbered_or_it_is_not(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *wrong;
	} table[] = {
		{"1 http://a/\nhttp://b/\n2 http://c/\n", ERR_FORMAT, ":2: 'http://b/' is no number and name"},
		{"1 http://a/\n2\n3 http://c/\n", ERR_FORMAT, ":2: '2' is no number and name"},
		/* a heading over URLs alone, or over columns in another order */
		{"url\nhttp://a/\nhttp://b/\n", ERR_FORMAT, ":1: 'url' is no URL but a heading: remove the line"},
		{"url,id\nhttp://a/,1\nhttp://b/,2\n", ERR_FORMAT, ":1: 'url,id' is no URL but a heading"},
		{"\"\",\"id\",\"url\"\n\"1\",1,\"http://a/\"\n3\n", ERR_FORMAT, "is no URL but a heading"},
		/* as many lines as nodes, a name a line */
		{"localhost/\nhttp://b/\nhttp://c/\n", 0, NULL},
		{"\nhttp://b/\nhttp://c/\n", 0, NULL},
		{"http://a/ x\n1 http://b/\nhttp://c/\n", 0, NULL},
		{"1 b\nhttp://b/\nhttp://c/\n", ERR_FORMAT, ":1: 'b' behind the id 1 is no URL"},
		{"2001\nhttp://b/\n1 http://c/\n", 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note why = {""};
		struct names n;
		const char *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(names_from_urls(&n, path, 3, &why), table[i].err);
		assert_null(n.id);
		if (table[i].wrong && !strstr(why.text, table[i].wrong))
			fail_msg("%s", why.text);
		if (!table[i].err)
			assert_int_equal(n.nodes, 3);
		names_release(&n);
	}
}

static void reversed_hosts_are_turned(void **state)
{
	static const struct {
		const char *text, *want;
		int is_turned;
	} table[] = {
		{"0\tcom.example\n1\tcom.example.www\n2\tde.x\n3\tlocalhost\n", "example.com www.example.com x.de localhost ", 1},
		{"0 example.com\n1 com.example.org\n2 x.de\n", "example.com com.example.org x.de ", 0},
		{"0 de.uk\n1 a.test\n", "de.uk a.test ", 0},
		{"0 org.a\n1 b.com\n2 net.c.d\n", "a.org com.b d.c.net ", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct buf got = BUF_EMPTY;
		struct names n;
		assert_int_equal(names_from_hosts(&n, scratch_file(table[i].text, strlen(table[i].text)), 0, NULL), 0);
		assert_int_equal(n.is_turned, table[i].is_turned);
		for (uint32_t u = 0; u < n.nodes; u++)
			buf_format(&got, "%s ", names_host(&n, u));
		assert_string_equal(got.at, table[i].want);
		buf_release(&got);
		names_release(&n);
	}
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
		{"x.graph-txt.gz", "x.urls", 1},
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
		{"data/cs-stanford/cs-stanford.txt.gz", "data/cs-stanford/cs-stanford.urls.gz", 9914, 21},
		{"data/uic-2021/uic-2021.txt.gz", "data/uic-2021/uic-2021.urls.gz", 7751, 208},
		{"data/uci-ics-2016/uci-ics-2016.txt.gz", "data/uci-ics-2016/uci-ics-2016.urls.gz", 8317, 55},
		{"data/uci-ics-2016-full/uci-ics-2016-full.txt.gz", "data/uci-ics-2016-full/uci-ics-2016-full.urls.gz", 45142,
			4764},
		{"data/walk-hosts-new/walk-hosts-new.txt.gz", "data/walk-hosts-new/walk-hosts-new.urls.gz", 45687, 45687},
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
		cmocka_unit_test(lines_with_ids_name_their_nodes),
		cmocka_unit_test(a_list_is_numbered_or_it_is_not),
		cmocka_unit_test(reversed_hosts_are_turned),
		cmocka_unit_test(many_hosts_keep_their_numbers),
		cmocka_unit_test(names_are_found_beside_a_graph),
		cmocka_unit_test(real_data_have_their_known_hosts),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
