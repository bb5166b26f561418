/* The loop, and who is told. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "lab/replay/graph_source.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"

#define PAGES 50

struct told {
	uint32_t fails_at; /* event; 0: none */
	uint32_t events, idles;
};

static int told_event(void *ctx, const struct result *e, struct err_note *why)
{
	struct told *t = ctx;

	(void)e;
	return ++t->events == t->fails_at ? err_set(why, ERR_FILE, "cannot") : 0;
}

static int told_idle(void *ctx, struct err_note *why)
{
	(void)why;
	((struct told *)ctx)->idles++;
	return 0;
}

/* The first may keep less than the second, which comes last, so that what the second keeps is whole. */
static int crawl(const struct graph *g, struct told told[2], struct err_note *why)
{
	static const struct opt_set none;
	struct frontier_settings settings = {.policy = &policy_bfs, .opts = &none, .batch = 1, .per_host = UINT32_MAX};
	struct observer observers[2];
	struct frontier_world world;
	struct frontier *f;
	uint32_t seeds[] = {0};

	for (int i = 0; i < 2; i++)
		observers[i] = (struct observer){.ctx = &told[i], .event = told_event, .idle = told_idle};
	struct source *source = graph_source_new(&(struct graph_world){.g = g});
	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&f, &settings, &world, NULL), 0);
	assert_int_equal(frontier_seed(f, seeds, 1), 1);
	struct crawl c = {.frontier = f, .source = source, .observers = observers, .n_observers = 2};
	const int err = crawl_run(&c, why);
	source->ops->close(source);
	frontier_free(f);
	return err;
}

static void an_error_of_one_is_the_last_that_anybody_is_told(void **state)
{
	struct rng rng = {4};
	struct err_note why;
	struct graph g;

	(void)state;
	random_graph(&g, &rng, PAGES, 4);
	struct told whole[2] = {{0, 0, 0}, {0, 0, 0}};
	assert_int_equal(crawl(&g, whole, &why), 0);
	assert_int_equal(whole[0].events, whole[1].events);
	assert_true(whole[1].events > 5 && whole[1].idles > 0);
	for (uint32_t at = 1; at <= 5; at++) {
		struct told told[2] = {{at, 0, 0}, {0, 0, 0}};
		assert_int_equal(crawl(&g, told, &why), ERR_FILE);
		assert_string_equal(why.text, "cannot");
		assert_int_equal(told[0].events, at);
		assert_int_equal(told[1].events, at - 1);
		assert_int_equal(told[1].idles, 0);
	}
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_of_one_is_the_last_that_anybody_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
