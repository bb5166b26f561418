/* Hosts with manners of their own: delay, requests at once, and what they do to the other hosts of their address. */
#include "tests/seeds/ends.h"
#include "tests/test.h"

#include "frontier/frontier.h"
#include "policies/policies.h"

/* Page id is on host id % 4. Host 1 is slow, however long a request takes, host 2 fast with three requests at once, host 3 has a
 * factor of its own. */
static uint32_t four_hosts(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 4;
}

static int manners(void *ctx, uint32_t host, struct frontier_manners *out)
{
	static const struct frontier_manners own[] = {[1] = {500, 0, 0}, [2] = {0, -1, 3}, [3] = {-1, 4, 0}};

	++*(unsigned *)ctx;
	*out = own[host % 4];
	return host % 4 != 0;
}

struct crawl_world {
	struct frontier *f;
	struct opt_set opts;
	unsigned asked; /* how often the frontier has asked for manners */
};

static void begin(struct crawl_world *w)
{
	static const uint32_t seeds[] = {0, 4, 8, 1, 5, 9, 2, 6, 10, 14, 3, 7};
	const struct frontier_world world = {.ctx = &w->asked, .host = four_hosts, .manners = manners};
	const struct frontier_settings s =
		{.policy = &policy_bfs, .opts = &w->opts, .batch = 100, .delay_ms = 100, .slow_factor = 1, .per_host = 1};

	w->asked = 0;
	opt_init(&w->opts, policy_bfs.opts, "bfs");
	assert_int_equal(frontier_new(&w->f, &s, &world, NULL), 0);
	assert_int_equal(frontier_seed(w->f, seeds, 12), 12);
}

static void end(struct crawl_world *w)
{
	frontier_free(w->f);
	opt_release(&w->opts);
}

/* Ends the flight of a page that took some ms; `address` is where the host is, 0 for unknown. */
static void ended(struct frontier *f, uint32_t id, int64_t at, int64_t took, uint32_t address)
{
	const struct frontier_host_news news = {.took = took, .delay = -1, .address = address};
	const struct frontier_end e = {.state = PAGE_CRAWLED, .request = FRONTIER_ASKED, .at = at, .host = &news};

	assert_int_equal(frontier_ended(f, id, &e), 0);
}

static void takes(struct frontier *f, int64_t now, const char *wanted)
{
	char got[100] = "";
	uint32_t id;

	while (frontier_take(f, now, &id))
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", *got ? " " : "", id);
	assert_string_equal(got, wanted);
}

static void each_host_keeps_its_own_delay(void **state)
{
	struct crawl_world w;

	(void)state;
	begin(&w);
	takes(w.f, 0, "0 1 2 6 10 3"); /* three of host 2 at once */
	assert_int_equal(w.asked, 4);
	for (uint32_t host = 0; host < 4; host++)
		ended(w.f, host, 50, 50, 0);
	takes(w.f, 50, "14"); /* host 2 does not rest */
	takes(w.f, 149, "");
	takes(w.f, 150, "4");
	takes(w.f, 249, "");
	takes(w.f, 250, "7"); /* 4 times the 50 ms of the request */
	takes(w.f, 549, "");
	takes(w.f, 550, "5");
	end(&w);
}

static void a_hosts_delay_is_not_that_of_its_neighbours(void **state)
{
	struct crawl_world w;

	(void)state;
	begin(&w);
	takes(w.f, 0, "0 1 2 6 10 3");
	for (uint32_t host = 0; host < 4; host++)
		ended(w.f, host, 10, 0, 1); /* all are at one address */
	ended(w.f, 6, 10, 0, 1);
	ended(w.f, 10, 10, 0, 1);
	takes(w.f, 20, "14"); /* requests begun before the address was known have made it rest no longer */
	ended(w.f, 14, 1000, 0, 1);
	takes(w.f, 1000, "4");
	ended(w.f, 4, 1000, 0, 1);
	takes(w.f, 1100, "8");
	ended(w.f, 8, 1100, 0, 1);
	takes(w.f, 1200, "5");
	ended(w.f, 5, 1200, 0, 1);
	takes(w.f, 1300, "7"); /* not only after 500 ms, as host 1 would have it */
	end(&w);
}

static void the_crawls_delay_can_change_under_it(void **state)
{
	struct crawl_world w;

	(void)state;
	begin(&w);
	frontier_set_delay(w.f, 1000);
	takes(w.f, 0, "0 1 2 6 10 3");
	ended(w.f, 0, 0, 0, 0);
	ended(w.f, 1, 0, 0, 0);
	takes(w.f, 500, "5");
	takes(w.f, 1000, "4");
	end(&w);
}

static void a_hosts_factor_may_be_0(void **state)
{
	struct crawl_world w;

	(void)state;
	begin(&w);
	takes(w.f, 0, "0 1 2 6 10 3");
	ended(w.f, 0, 700, 700, 0);
	ended(w.f, 1, 700, 700, 0);
	takes(w.f, 1199, "");
	takes(w.f, 1200, "5"); /* after its delay, where the crawl's factor would be 700 ms */
	takes(w.f, 1400, "4");
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_host_keeps_its_own_delay),
		cmocka_unit_test(a_hosts_delay_is_not_that_of_its_neighbours),
		cmocka_unit_test(the_crawls_delay_can_change_under_it),
		cmocka_unit_test(a_hosts_factor_may_be_0),
	};

	return cmocka_run_group_tests_name("host_manners", tests, NULL, NULL);
}
