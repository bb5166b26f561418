/* The charter that an agent's store keeps: seeds that come again, as they do each time that an agent starts, do not let it grow. */
#include "tests/storage/made_crawl.h"

#include "agents/charter.h"
#include "crawler/agent/agent_charter.h"

static void add_seeds(struct buf *charter, unsigned from, unsigned n)
{
	char url[64];

	for (unsigned i = from; i < from + n; i++) {
		snprintf(url, sizeof url, "http://h%u.test/abcdefghijklmnopqrstuvwxyz", i);
		charter_add(charter, CHARTER_SEED, url);
	}
}

static void seeds_that_come_again_are_kept_once(void **state)
{
	struct store *s = open_store("again", STORE_WRITE);
	struct buf begun = BUF_EMPTY, more = BUF_EMPTY, want = BUF_EMPTY, kept = BUF_EMPTY;

	(void)state;
	charter_begin(&begun);
	charter_add(&begun, "policy", "bfs");
	add_seeds(&begun, 0, 10);
	buf_add(&want, begun.at, begun.used);
	add_seeds(&want, 10, 4000); /* in several settings of the store */
	charter_begin(&more);
	add_seeds(&more, 5, 4005);
	add_seeds(&more, 20, 3);
	assert_int_equal(agent_charter_add(s, &more, NULL), 0);
	assert_false(agent_charter_kept(s, &kept)); /* there is none to be added to */
	assert_int_equal(agent_charter_keep(s, &begun, NULL), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(agent_charter_add(s, &more, NULL), 0);
		assert_true(agent_charter_kept(s, &kept));
		assert_int_equal(kept.used, want.used);
		assert_memory_equal(kept.at, want.at, want.used);
	}
	buf_release(&begun);
	buf_release(&more);
	buf_release(&want);
	buf_release(&kept);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_that_come_again_are_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
