/* From an old crawl to a new one: each rule by an example, and their order. */
#include "tests/test.h"

#include "base/buf.h"
#include "lab/study/relocate.h"

#define MOST 16

/* A graph whose pages have these URLs, and these links ("0>3 2>1"). */
static void make(struct dataset *d, const char *const *url, const char *links)
{
	uint32_t from[MOST], to[MOST], nodes = 0, arcs = 0;
	struct buf text = BUF_EMPTY;
	char path[128];
	unsigned u, v;
	int n;

	for (; url[nodes]; nodes++)
		buf_format(&text, "%s\n", url[nodes]);
	for (; sscanf(links, "%u>%u%n", &u, &v, &n) == 2; links += n, arcs++) {
		from[arcs] = u;
		to[arcs] = v;
	}
	*d = (struct dataset){.format = "made"};
	graph_from_arcs(&d->graph, nodes, from, to, arcs);
	snprintf(path, sizeof path, "%s", scratch_file(text.at, text.used));
	assert_int_equal(names_from_urls(&d->names, path, nodes, NULL), 0);
	buf_release(&text);
}

/* the seed is the first, the second is a hub of its core, the third an authority */
static const struct {
	const char *from[4], *into[8], *links;
	enum relocate_rule rule;
	uint32_t node;
} rules[] = {
	{{"http://a/x", "http://h/", "http://t/"}, {"http://b/", "http://a/x"}, "", RELOCATE_EXACT, 1},
	{{"HTTP://A:80/x#y", "http://h/", "http://t/"}, {"http://a/x"}, "", RELOCATE_EXACT, 0},
	{{"http://a/x", "http://h/", "http://t/"}, {"https://a/x", "http://h/"}, "", RELOCATE_CORE_HUB, 1},
	{{"http://a/x", "http://h/", "http://t/"}, {"http://a/", "https://a/x"}, "", RELOCATE_VARIANT, 1},
	{{"http://www.a/x", "http://h/", "http://t/"}, {"http://a/", "http://a/x"}, "", RELOCATE_VARIANT, 1},
	{{"http://a/x", "http://h/", "http://t/"}, {"http://www.a/x"}, "", RELOCATE_VARIANT, 0},
	{{"http://a/x/", "http://h/", "http://t/"}, {"http://a/x"}, "", RELOCATE_VARIANT, 0},
	{{"http://a/d/Index.php", "http://h/", "http://t/"}, {"http://a/d/"}, "", RELOCATE_VARIANT, 0},
	{{"http://a/Data", "http://h/", "http://t/"}, {"http://a/data"}, "", RELOCATE_VARIANT, 0},
	{{"http://a/x?q=1", "http://h/", "http://t/"}, {"http://a/x"}, "", RELOCATE_VARIANT, 0},
	/* two changes at once; one change comes before two */
	{{"http://www.a/x/", "http://h/", "http://t/"}, {"https://a/x"}, "", RELOCATE_VARIANT, 0},
	{{"http://www.a/x", "http://h/", "http://t/"}, {"https://a/x", "http://a/x"}, "", RELOCATE_VARIANT, 1},
	/* whole segments: /doc is no directory of /docs */
	/* a link of a page to itself is none to others: page 2 has one, page 1 none */
	{{"http://a/d/x", "http://h/", "http://t/"}, {"http://b/", "http://a/d/yy", "http://a/d/z"}, "1>1 2>0", RELOCATE_DIRECTORY,
		2},
	{{"http://a/d/x", "http://h/", "http://t/"}, {"http://b/", "http://a/d/y", "http://a/d/zz"}, "2>2", RELOCATE_DIRECTORY, 1},
	{{"http://a/d/e/x", "http://h/", "http://t/"}, {"http://a/", "http://a/dd", "http://a/d/y", "http://a/d/e/f/z"}, "",
		RELOCATE_DIRECTORY, 3},
	{{"http://a/d/x", "http://h/", "http://t/"}, {"http://a/d/long", "http://a/d/b", "http://a/d/c", "http://b/"}, "2>3",
		RELOCATE_DIRECTORY, 2},
	{{"http://a/d/x", "http://h/", "http://t/"}, {"http://a/d/long", "http://a/d/b", "http://a/d/c"}, "", RELOCATE_DIRECTORY,
		1},
	{{"http://a/d/x", "http://h/", "http://t/"}, {"http://a/dd/x", "http://a/"}, "", RELOCATE_ROOT, 1},
	{{"http://a/d/x", "http://h/", "http://t/"}, {"https://a/", "http://t/"}, "", RELOCATE_ROOT, 0},
	{{"http://a/x", "http://h/", "http://t/"}, {"http://t/", "http://t/u", "http://n/", "http://m/"}, "1>0 2>0 3>0 3>2",
		RELOCATE_ANCHOR, 3},
	{{"http://a/x", "http://h/", "http://t/"}, {"http://b/", "http://t/", "http://t/u"}, "2>1", RELOCATE_LOST, 0},
	{{"no url", "http://h/", "http://t/"}, {"no url"}, "", RELOCATE_EXACT, 0},
};

static void each_rule_finds_its_page(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		uint32_t hub[] = {0, 1}, authority[] = {2}, node = UINT32_MAX;
		const struct seed_core core = {.seed = 0, .hub = hub, .authority = authority, .hubs = 2, .authorities = 1};
		struct dataset from, into;
		struct relocation s;
		make(&from, rules[i].from, "");
		make(&into, rules[i].into, rules[i].links);
		assert_int_equal(relocation_init(&s, &from, &into, 1, NULL), 0);
		assert_string_equal(relocate_rule_name(relocate_find(&s, 0, &core, &node)), relocate_rule_name(rules[i].rule));
		if (rules[i].rule != RELOCATE_LOST)
			assert_int_equal(node, rules[i].node);
		/* without a core two rules are none */
		if (rules[i].rule == RELOCATE_ANCHOR)
			assert_int_equal(relocate_find(&s, 0, NULL, &node), RELOCATE_LOST);
		relocation_release(&s);
		dataset_release(&from);
		dataset_release(&into);
	}
}

static void a_page_that_may_be_no_seed_is_not_there(void **state)
{
	static const char *const from[] = {"http://a/x", NULL};
	static const char *const into[] = {"http://a/x", "http://a/", NULL};
	static const uint8_t outside[] = {1, 0};
	struct dataset old, new;
	struct relocation s;
	uint32_t node;

	(void)state;
	make(&old, from, "");
	make(&new, into, "");
	new.outside = malloc(sizeof outside);
	assert_non_null(new.outside);
	memcpy(new.outside, outside, sizeof outside);
	assert_int_equal(relocation_init(&s, &old, &new, 1, NULL), 0);
	assert_int_equal(relocate_find(&s, 0, NULL, &node), RELOCATE_ROOT);
	assert_int_equal(node, 1);
	relocation_release(&s);
	dataset_release(&old);
	dataset_release(&new);
}

static void a_graph_of_hosts_goes_by_their_roots(void **state)
{
	static const char *const url[] = {"http://b/", "http://a/", NULL};
	static const char hosts[] = "www.a\nb\n";
	struct dataset pages, plain = {.format = "made"};
	struct relocation s;
	uint32_t node;
	char path[128];

	(void)state;
	make(&pages, url, "");
	graph_from_arcs(&plain.graph, 2, NULL, NULL, 0);
	snprintf(path, sizeof path, "%s", scratch_file(hosts, strlen(hosts)));
	assert_int_equal(names_from_hosts(&plain.names, path, 2, NULL), 0);
	assert_int_equal(relocation_init(&s, &plain, &pages, 1, NULL), 0);
	assert_int_equal(relocate_find(&s, 0, NULL, &node), RELOCATE_VARIANT);
	assert_int_equal(node, 1);
	assert_int_equal(relocate_find(&s, 1, NULL, &node), RELOCATE_EXACT);
	assert_int_equal(node, 0);
	relocation_release(&s);
	dataset_release(&pages);
	dataset_release(&plain);
}

static void without_urls_it_says_so(void **state)
{
	static const char *const url[] = {"http://a/", NULL};
	struct dataset with, without = {.format = "made"};
	struct relocation s;
	struct err_note why;

	(void)state;
	make(&with, url, "");
	assert_int_equal(relocation_init(&s, &with, &without, 1, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "newer"));
	relocation_release(&s);
	assert_int_equal(relocation_init(&s, &without, &with, 1, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "older"));
	relocation_release(&s);
	dataset_release(&with);
}

static void collect(void *ctx, enum relocate_rule rule, const char *url)
{
	buf_format(ctx, "%d %s\n", rule, url);
}

static void a_live_crawl_gets_candidates_each_once(void **state)
{
	static const char *const url[] = {"http://www.a/D/e/index.html?q", "http://h/", NULL};
	static const char want[] = "1 http://www.a/D/e/index.html?q\n"
				   "2 http://h/\n"
				   "3 https://www.a/D/e/index.html?q\n"
				   "3 http://a/D/e/index.html?q\n"
				   "3 http://www.a/D/e/index.html/?q\n"
				   "3 http://www.a/D/e/?q\n"
				   "3 http://www.a/d/e/index.html?q\n"
				   "3 http://www.a/D/e/index.html\n"
				   "4 http://www.a/D/e/\n"
				   "4 http://www.a/D/\n"
				   "5 http://www.a/\n";
	uint32_t hub[] = {0, 1};
	const struct seed_core core = {.seed = 0, .hub = hub, .hubs = 2};
	struct buf got = BUF_EMPTY;
	struct dataset d;

	(void)state;
	make(&d, url, "");
	relocate_candidates(&d, 0, &core, collect, &got);
	assert_string_equal(got.at, want);
	buf_clear(&got);
	relocate_candidates(&d, 1, NULL, collect, &got);
	assert_string_equal(got.at, "1 http://h/\n3 https://h/\n3 http://www.h/\n");
	buf_release(&got);
	dataset_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_finds_its_page),
		cmocka_unit_test(a_page_that_may_be_no_seed_is_not_there),
		cmocka_unit_test(a_graph_of_hosts_goes_by_their_roots),
		cmocka_unit_test(without_urls_it_says_so),
		cmocka_unit_test(a_live_crawl_gets_candidates_each_once),
	};

	return cmocka_run_group_tests_name("successor", tests, NULL, NULL);
}
