/* Graphs of names: tables of links as people have them, and the web graphs of Common Crawl. */
#include "tests/test.h"

#include "base/buf.h"
#include "graph/formats/format.h"
#include "graph/formats/names.h"

/* Writes the links of a graph as "a>b c>d ", by names if there are any and else by labels, in the order of the rows. */
static void tell(const struct graph *g, const struct names *names, struct buf *out)
{
	buf_clear(out);
	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++) {
			const uint32_t v = graph_row(g, u)[i];
			if (names->nodes)
				buf_format(out, "%s>%s ", names_url(names, u), names_url(names, v));
			else
				buf_format(out, "%llu>%llu ", (unsigned long long)graph_label(g, u),
					(unsigned long long)graph_label(g, v));
		}
}

/* Opens a graph with its names, and tells its links, or else its error. */
static int open_and_tell(const char *path, struct buf *out, struct err_note *odd, uint32_t *nodes, const char **format)
{
	struct names names = {0};
	const struct graph_load load = {.threads = 1, .odd = odd, .names = &names};
	const struct graph_format *f = NULL;
	struct err_note why = {""};
	struct graph g;
	const int err = graph_open(path, &load, &g, &f, &why);

	*format = f ? f->name : "";
	buf_clear(out);
	if (err) {
		buf_text(out, why.text);
	} else {
		names_arrange(&names, &g);
		tell(&g, &names, out);
		*nodes = g.nodes;
	}
	names_release(&names);
	graph_release(&g);
	return err;
}

#define A "http://a.test/"
#define B "http://b.test/x"

static void a_table_of_links_is_read_in_each_of_its_dresses(void **state)
{
	static const struct {
		const char *text, *want, *assumed;
	} table[] = {
		{"source,target\n" A "," B "\n" B "," A "\n", A ">" B " " B ">" A " ",
			"commas between; the first line is a heading"},
		{"source,target,weight\n" A "," B ",0.5\n", A ">" B " ", "from column 1 to column 2, which have names"},
		{"Source\tTarget\n" A "\t" B "\n", A ">" B " ", "TABs"},
		{"weight;to;from\n3;" B ";" A "\n", A ">" B " ",
			"semicolons between; the first line is a heading; links lead from column 3 "
			"to column 2"},
		{A "," B "\n" B "," A "\n", A ">" B " " B ">" A " ", "no heading"},
		{A " " B "\n", A ">" B " ", "blanks"},
		{A "x,y  " B "\n" B " " A "x,z\n", A "x,y>" B " " B ">" A "x,z ", "blanks"},
		{"\"" A "?a,b\",\"" B "\"\n" B "," A "\n", A "?a,b>" B " " B ">" A " ", "commas"},
		{"\"a \"\"q\"\" c\",b\nb,c\n", "a \"q\" c>b b>c ", "no heading"},
		{"a.test\tb.test\nb.test\tc.test\n", "a.test>b.test b.test>c.test ", "TABs between; no heading"},
		{"a.test b.test\nb.test c.test\n", "a.test>b.test b.test>c.test ", "blanks"},
		/* pandas' index column: with and without a heading, and over numbers */
		{",source,target\n0," A "," B "\n1," B "," A "\n", A ">" B " " B ">" A " ", "from column 2 to column 3"},
		{",page,leads to\n0," A "," B "\n", A ">" B " ", "a heading; links lead from column 2"},
		{"Unnamed: 0,x,y\n0,a,b\n1,b,c\n", "a>b b>c ", "from column 2"},
		{"0," A "," B "\n1," B "," A "\n", A ">" B " " B ">" A " ", "no heading; links lead from column 2"},
		{",source,target\n0,5,7\n1,7,9\n", "5>7 7>9 ", "which have numbers"},
		{"id,source,target\n0,1,2\n", "1>2 ", "from column 2 to column 3"},
		{"\"To\" \"From\"\n0 1\n", "1>0 ", "from column 2 to column 1"},
		/* a heading of unknown words */
		{"page,link to\n" A "," B "\n", A ">" B " ", "a heading"},
		{"# a comment\n\nsource,target\n\n" A "," B "\r\n", A ">" B " ", "a heading"},
		{"\xef\xbb\xbfsource,target\na,b\n", "a>b ", "a heading"},
		{"163.com,qq.com\nqq.com,163.com\n", "163.com>qq.com qq.com>163.com ", "no heading"},
	};
	struct buf got = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note odd = {""};
		uint32_t nodes = 0;
		const char *format, *path = scratch_file(table[i].text, strlen(table[i].text));
		if (open_and_tell(path, &got, &odd, &nodes, &format) || strcmp(got.at, table[i].want) != 0)
			fail_msg("%zu: '%s' instead of '%s'", i, got.at, table[i].want);
		assert_string_equal(format, "table");
		if (!strstr(odd.text, table[i].assumed))
			fail_msg("%zu: '%s' without '%s'", i, odd.text, table[i].assumed);
	}
	buf_release(&got);
}

static void a_row_that_does_not_fit_is_named(void **state)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"source,target\na,b\nc\n", ":3: 1 columns, but the first line has 2"},
		{"source,target\na,b\nc,d,e\n", ":3: 3 columns, but the first line has 2"},
		{"source,target\na,b\n,d\n", ":3: a link without its source or target"},
		{"id,source,target\n0,1,2\n1,2,x\n", ":3: 'x' is no number, as in the lines before"},
		{"id,url\n0," A "\n1," B "\n", "no links: it is for --urls or --hosts"},
		{"0," A "\n1," B "\n", "no links: it is for --urls or --hosts"},
		{"Dear reader, hello\nthis is a letter, really.\nIt ends", ":3: 1 columns"},
	};
	struct buf got = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err_note odd = {""};
		uint32_t nodes = 0;
		const char *format, *path = scratch_file(table[i].text, strlen(table[i].text));
		assert_int_equal(open_and_tell(path, &got, &odd, &nodes, &format), ERR_FORMAT);
		if (!strstr(got.at, table[i].want))
			fail_msg("%zu: '%s' without '%s'", i, got.at, table[i].want);
	}
	buf_release(&got);
}

/* --- Common Crawl */

static void put(const char *folder, const char *name, const char *text)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

struct file {
	const char *name, *text;
};

#define DENSE  "0\tcom.example\n1\tcom.example.www\n2\torg.a\n3\ttest\n"
#define SPARSE "7\tcom.example\t2\n9\tcom.example.www\t1\n4000000000000\torg.a\t1\n"

static void common_crawls_files_are_a_graph_of_hosts(void **state)
{
	static const struct {
		struct file file[5];
		const char *path, *want;
		uint32_t nodes;
	} table[] = {
		{{{"vertices.txt", DENSE}, {"edges.txt", "0\t1\n2\t0\n"}}, "", "example.com>www.example.com a.org>example.com ", 4},
		{{{"x-vertices.txt", DENSE}, {"x-edges.txt", "0\t1\n"}, {"y-edges.txt", "0\t2\n"}, {"y-vertices.txt", DENSE}}, "/x",
			"example.com>www.example.com ", 4},
		{{{"x-vertices.txt", DENSE}, {"x-edges.txt", "0\t3\n"}}, "/x-edges.txt", "example.com>test ", 4},
		{{{"x-vertices.txt", SPARSE}, {"x-edges.txt", "9\t4000000000000\n"}}, "/x-vertices.txt", "www.example.com>a.org ",
			3},
		{{{"h/vertices/part-00000.txt", "0\ta.x\n"}, {"h/vertices/part-00001.txt", "1\ta.y\n"}, {"h/vertices/_SUCCESS", ""},
			 {"h/edges/part-00000.txt", "0\t1\n"}, {"h/edges/part-00001.txt", "1\t0\n"}},
			"/h", "x.a>y.a y.a>x.a ", 2},
		{{{"h/vertices/part-00000.txt", "1\ta.x\n2\ta.y\n"}, {"h/edges/part-00000.txt", "1\t2\n"}}, "/h/vertices/",
			"x.a>y.a ", 2},
		/* the last vertex has no edge, and ids 1.. would fit as well */
		{{{"vertices.txt", "0\ta\n1\tb\n2\tc\n"}, {"edges.txt", "1\t2\n"}}, "", "b>c ", 3},
		{{{"vertices.txt", DENSE}, {"edges.txt", "0\t1\n2\t4\n"}}, "", "edges.txt:2: 4 is no id of the vertices", 0},
		{{{"vertices.txt", SPARSE}, {"edges.txt", "7\t9\n\n8\t9\n"}}, "", "edges.txt:3: 8 is no id of the vertices", 0},
		{{{"vertices.txt", "0\ta\n1\tb\n1\tc\n"}, {"edges.txt", "0\t1\n"}}, "", "vertices.txt:3: id 1 follows id 1", 0},
		{{{"vertices.txt", "0\ta\n1\tb\n2\ta\n"}, {"edges.txt", "0\t1\n"}}, "", "vertices.txt:3: 'a' is a vertex already",
			0},
		{{{"vertices.txt", "0\ta\n1 b\n"}, {"edges.txt", "0\t1\n"}}, "", "vertices.txt:2: '1 b' is no id, TAB and host", 0},
		{{{"x-vertices.txt", DENSE}, {"x-edges.txt", "0\t1\n"}, {"y-edges.txt", "0\t2\n"}, {"y-vertices.txt", DENSE}}, "",
			"has more than one graph: name one, as ", 0},
	};
	struct buf got = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char folder[256], path[512];
		struct err_note odd = {""};
		const char *format;
		uint32_t nodes = 0;
		snprintf(folder, sizeof folder, "%s/cc%zu", scratch(), i);
		mkdir(folder, 0777);
		for (size_t k = 0; k < 5 && table[i].file[k].name; k++)
			put(folder, table[i].file[k].name, table[i].file[k].text);
		snprintf(path, sizeof path, "%s%s", folder, table[i].path);
		const int err = open_and_tell(path, &got, &odd, &nodes, &format);
		if (!err != !!table[i].nodes || !strstr(got.at, table[i].want) || nodes != table[i].nodes)
			fail_msg("%zu: '%s' of %u nodes instead of '%s'", i, got.at, nodes, table[i].want);
		assert_string_equal(format, "cc");
	}
	buf_release(&got);
}

static void ids_before_what_is_no_url_are_no_urls(void **state)
{
	static const char *const texts[] = {"0\tcom.example\n1\tcom.example.www\n", "id,host\n0,example.com\n"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct err_note why = {""};
		struct names n;
		char want[100];
		assert_int_equal(names_from_urls(&n, scratch_file(texts[i], strlen(texts[i])), 0, &why), ERR_FORMAT);
		snprintf(want, sizeof want, ":%zu: '%s' behind the id 0 is no URL", i + 1, i ? "example.com" : "com.example");
		assert_non_null(strstr(why.text, want));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_of_links_is_read_in_each_of_its_dresses),
		cmocka_unit_test(a_row_that_does_not_fit_is_named),
		cmocka_unit_test(common_crawls_files_are_a_graph_of_hosts),
		cmocka_unit_test(ids_before_what_is_no_url_are_no_urls),
	};

	return cmocka_run_group_tests_name("graph/tables", tests, NULL, NULL);
}
