/* Webs that change: the same at a time for whoever looks, and rarely the same at two. */
#include "tests/simweb/web.h"

#include "base/clock.h"
#include "graph/formats/dated.h"
#include "lab/measure/by_time.h"
#include "simweb/page_change.h"
#include "tests/graph/graphs.h"

#include <math.h>
#include <stdio.h>

#define HOUR 3600

/* --- the links of a page */

static void assert_same_links(const struct changing_look *look, const uint32_t *links, size_t n)
{
	assert_int_equal(look->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(look->links[i], links[i]);
}

static void the_links_of_a_part_of_an_endless_web_are_those_of_its_pages_at_that_time(void **state)
{
	struct changing_look look = {.links = NULL};
	struct endless_reply reply = {0};
	struct endless_part part;
	struct endless web;
	struct names names;
	struct graph g;
	struct buf href = BUF_EMPTY, url = BUF_EMPTY;
	struct err_note why;
	unsigned gone = 0, links = 0;

	(void)state;
	assert_int_equal(endless_parse(&web, "7,hosts=40,traps=0,dead=0,moved=0,media=0.1,changes=24", &why), 0);
	endless_part_make(&part, &web, 300, &g, &names);
	struct changing *changing = changing_endless(&part, 24);
	for (uint32_t u = 0; u < part.pages; u++) {
		const int64_t now = 1000000 + u * 777;
		unsigned char is_link[300] = {0}, wanted = 0;
		struct address a;
		assert_true(address_of_url(&a, names_url(&names, u)));
		endless_answer(&web, &a, now, &reply);
		changing_see(changing, u, now, &look);
		assert_int_equal(look.is_there, reply.status == 200);
		gone += reply.status != 200;
		if (reply.status != 200 || !strstr(reply.type, "html")) {
			assert_int_equal(look.n, 0);
			continue;
		}
		buf_end(&reply.body);
		for (const char *at = reply.body.at; next_href(&at, &href);) {
			buf_clear(&url);
			if (*href.at == '/')
				buf_add(&url, a.origin, (size_t)(a.target - a.origin));
			buf_text(&url, href.at);
			for (uint32_t v = 0; v < part.pages; v++)
				if (strcmp(names_url(&names, v), url.at) == 0)
					is_link[v] = 1;
		}
		for (uint32_t i = 0; i < look.n; i++) {
			assert_true(is_link[look.links[i]]);
			assert_true(i == 0 || look.links[i] > look.links[i - 1]);
		}
		for (uint32_t v = 0; v < part.pages; v++)
			wanted = (unsigned char)(wanted + is_link[v]);
		assert_int_equal((unsigned char)look.n, wanted);
		links += look.n;
		assert_int_equal(look.modified, reply.modified);
	}
	assert_true(gone >= 3 && links > 600);
	changing_free(changing);
	changing_look_release(&look);
	endless_reply_release(&reply);
	endless_part_release(&part);
	names_release(&names);
	graph_release(&g);
	buf_release(&href);
	buf_release(&url);
}

static void a_link_that_changes_is_on_its_page_in_half_of_the_versions(void **state)
{
	struct changing_look look = {.links = NULL};
	struct rng r = {5};
	struct graph g;
	uint64_t shown = 0, versions = 0, arcs = 0, changed = 0;

	(void)state;
	random_graph(&g, &r, 400, 8);
	struct changing *web = changing_by_rate(&g, NULL, 24, 3);
	for (uint32_t u = 0; u < g.nodes; u++) {
		uint64_t last = 0;
		for (int64_t hour = 0; hour < 100; hour++) {
			changing_see(web, u, hour * HOUR, &look);
			shown += look.n;
			arcs += look.is_there ? graph_outdegree(&g, u) : 0;
			versions++;
			changed += look.version != last;
			last = look.version;
		}
	}
	/* of 30% of the links, half are missing */
	assert_true(fabs((double)shown / (double)arcs - 0.85) < 0.01);
	/* the one host has a pace of its own, which is log-normal */
	const double pace = page_change_pace(3, 0, 24) / 24;
	assert_true(fabs((double)changed / (double)versions - (1 - exp(-pace))) < 0.02);
	changing_free(web);
	changing_look_release(&look);
	graph_release(&g);
}

static void a_server_shows_the_pages_of_a_changing_graph_as_they_are_then(void **state)
{
	struct changing_look look[2] = {{.links = NULL}, {.links = NULL}};
	struct rng r = {8};
	struct simweb *sw;
	struct graph g;
	struct err_note why;
	struct buf href = BUF_EMPTY;
	unsigned gone = 0, others = 0;

	(void)state;
	random_graph(&g, &r, 120, 2);
	struct changing *web = changing_by_rate(&g, NULL, 500, 3);
	for (int64_t clock = 10000; clock < 52000; clock += 6000) {
		assert_int_equal(simweb_start(&sw, &(struct simweb_settings){.g = &g, .changing = web, .clock = clock}, &why), 0);
		const int64_t started = clock_ns();
		for (uint32_t u = 0; u < g.nodes; u++) {
			char target[16];
			uint32_t links[120];
			size_t n = 0;
			snprintf(target, sizeof target, "/%u", u);
			struct reply reply = get(sw, "node.test", target);
			const int64_t until = clock + (clock_ns() - started) / 1000000000 + 1;
			for (const char *at = reply.status == 200 ? reply.body : ""; next_href(&at, &href);)
				links[n++] = (uint32_t)strtoul(href.at + 1, NULL, 10);
			/* the page of one of the seconds that have passed */
			int is_one = 0;
			for (int64_t now = clock; now <= until && !is_one; now++) {
				changing_see(web, u, now, &look[0]);
				is_one = look[0].is_there == (reply.status == 200) && look[0].n == n &&
					(!n || memcmp(links, look[0].links, n * sizeof *links) == 0);
			}
			assert_true(is_one);
			gone += reply.status == 404;
			others += reply.status == 200 && n < graph_outdegree(&g, u);
			reply_release(&reply);
		}
		simweb_stop(sw);
	}
	assert_true(gone && others > 50);
	assert_int_equal(simweb_start(&sw, &(struct simweb_settings){.pages_dir = "/", .changing = web}, &why), ERR_USAGE);
	changing_free(web);
	changing_look_release(&look[0]);
	graph_release(&g);
	buf_release(&href);
}

/* --- the whole web */

static void the_graph_of_a_time_has_no_links_to_pages_that_are_gone(void **state)
{
	struct changing_look look = {.links = NULL};
	struct rng r = {5};
	struct graph g, then;
	uint64_t arcs = 0, dropped = 0;

	(void)state;
	random_graph(&g, &r, 500, 2);
	struct changing *web = changing_by_rate(&g, NULL, 24, 3);
	changing_graph(web, 50 * HOUR, &then);
	assert_int_equal(then.nodes, g.nodes);
	for (uint32_t u = 0; u < g.nodes; u++) {
		struct changing_look target = {.links = NULL};
		changing_see(web, u, 50 * HOUR, &look);
		const uint32_t *row = graph_row(&then, u);
		for (uint32_t i = 0; i < look.n; i++) {
			changing_see(web, look.links[i], 50 * HOUR, &target);
			if (target.is_there)
				assert_int_equal(*row++, look.links[i]);
			else
				dropped++;
		}
		assert_ptr_equal(row, graph_row(&then, u) + graph_outdegree(&then, u));
		arcs += look.n;
		changing_look_release(&target);
	}
	assert_int_equal(then.arcs, arcs - dropped);
	assert_true(dropped > 0);
	changing_free(web);
	changing_look_release(&look);
	graph_release(&then);
	graph_release(&g);
}

static void a_list_of_links_by_month_is_a_web_that_changes_by_month(void **state)
{
	static const char text[] = "201001\ta\tb\t1\n201003\ta\tc\t1\n201001\tb\ta\n201003\tb\ta\n201003\ta\tb\n201002\tc\tc\n";
	static const struct {
		int64_t now;
		uint32_t page;
		int is_there;
		uint32_t links[2], n;
	} looks[] = {
		{0, 0, 1, {1}, 1},
		{59, 1, 1, {0}, 1},
		{0, 2, 0, {0}, 0},
		{60, 0, 0, {0}, 0},
		{119, 2, 1, {2}, 1},
		{120, 0, 1, {1, 2}, 2},
		{120, 2, 1, {0}, 0},
		{99999, 1, 1, {0}, 1},
	};
	struct changing_look look = {.links = NULL};
	char path[] = "/tmp/lycosa-months-XXXXXX";
	struct graph *month;
	struct err_note why;
	size_t n;

	(void)state;
	const int fd = mkstemp(path);
	assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
	close(fd);
	assert_int_equal(dated_snapshots(path, &month, &n, &why), 0);
	assert_int_equal(n, 3);
	struct changing *web = changing_series(month, n, 60);
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		changing_see(web, looks[i].page, looks[i].now, &look);
		assert_int_equal(look.is_there, looks[i].is_there);
		assert_same_links(&look, looks[i].links, looks[i].n);
	}
	/* the same links are the same version */
	changing_see(web, 1, 0, &look);
	const uint64_t version = look.version;
	changing_see(web, 1, 120, &look);
	assert_int_equal(look.version, version);
	changing_free(web);
	remove(path);
}

/* --- the measure */

static void pages_are_judged_by_the_web_as_it_is_then(void **state)
{
	/* page 1 is the best before, page 2 after */
	static const uint32_t from[] = {0, 3, 4, 5}, before[] = {1, 1, 1, 1}, after[] = {2, 2, 2, 2};
	static const uint32_t order[] = {1, 3, 2};
	static const int64_t began[] = {0, 500, 99000};
	struct graph *month = mem_new(2, sizeof *month);
	struct benchmark then;
	struct then_point p;
	struct graph g;

	(void)state;
	graph_from_arcs(&month[0], 20, from, before, 4);
	graph_from_arcs(&month[1], 20, from, after, 4);
	struct changing *web = changing_series(month, 2, 100);
	changing_graph(web, 250, &g);
	benchmark_make(&then, &g, 1e-12, 1);
	assert_int_equal(then.hot[0], 2);
	by_then(&p, web, 250, &then, order, began, 1000, 2);
	/* page 1 is gone, and page 3 has other links since 100 s; it was read at 1.5 s */
	assert_true(p.strict == 0 && p.found == 0 && p.fresh == 0);
	by_then(&p, web, 250, &then, order, began, 1000, 3);
	assert_true(fabs(p.strict - 2.0 / 3) < 1e-12 && p.found == 0.5);
	assert_true(fabs(p.mass - (then.rank[1] + then.rank[2] + then.rank[3])) < 1e-12);
	/* page 2 was read at 100 s, as it still is */
	assert_true(fabs(p.fresh - 1.0 / 3) < 1e-12);
	by_then(&p, web, 250, &then, order, began, 1000, 0);
	assert_true(p.strict == 0 && p.fresh == 0);
	benchmark_release(&then);
	graph_release(&g);
	changing_free(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_links_of_a_part_of_an_endless_web_are_those_of_its_pages_at_that_time),
		cmocka_unit_test(a_link_that_changes_is_on_its_page_in_half_of_the_versions),
		cmocka_unit_test(a_server_shows_the_pages_of_a_changing_graph_as_they_are_then),
		cmocka_unit_test(the_graph_of_a_time_has_no_links_to_pages_that_are_gone),
		cmocka_unit_test(a_list_of_links_by_month_is_a_web_that_changes_by_month),
		cmocka_unit_test(pages_are_judged_by_the_web_as_it_is_then),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
