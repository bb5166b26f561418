/* What explorers are judged by, and what they choose, on a crawl of ten pages made by hand. */
#include "tests/test.h"

#include "base/paged.h"
#include "policies/expected_rank.h"
#include "policies/explorers.h"
#include "policies/rerank.h"

#define PAGES 10

/* Pages 0 to 5 are crawled, in this order, and 6 to 9 queued. Page 0 is a seed, and so is 9. */
static const uint8_t state_of[PAGES] = {PAGE_CRAWLED, PAGE_CRAWLED, PAGE_CRAWLED, PAGE_CRAWLED, PAGE_CRAWLED, PAGE_CRAWLED,
	PAGE_QUEUED, PAGE_QUEUED, PAGE_QUEUED, PAGE_QUEUED};

struct made {
	struct expected_page own[PAGES];
	struct policy_found found[PAGES];
	struct page page[PAGES];
	struct policy_view view;
	struct policy_call call;
};

static void make(struct made *m)
{
	static const uint32_t finder[PAGES] = {POLICY_NO_PAGE, 0, 0, 0, 1, 3, 3, 3, 4, POLICY_NO_PAGE};
	static const float x[PAGES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0};

	*m = (struct made){.view = {.crawled = 6, .seen = PAGES, .queued = 4, .ids = PAGES, .state = state_of, .rng_seed = 1}};
	for (uint32_t v = 0; v < PAGES; v++) {
		m->own[v].x = x[v];
		m->own[v].place = state_of[v] == PAGE_CRAWLED ? v + 1 : 0;
		m->found[v] = (struct policy_found){.finder = finder[v], .link = v};
		m->page[v] = (struct page){.key = 100 - v, .seq = v};
	}
	m->view.private_pages = m->own;
	m->view.found = m->found;
	m->call = (struct policy_call){.view = &m->view, .page = m->page};
}

/* The sixth largest x is 4, so pages 4 to 8 are hot. The later half are pages 3, 4 and 5. */
static void explorers_are_paid_for_what_the_own_choice_has_not_found(void **state)
{
	struct made m;
	double found[CHOOSERS], pages[CHOOSERS];

	(void)state;
	make(&m);
	explorers_found(&m.call, found, pages);
	assert_true(pages[OWN_CHOICE] == 3 && pages[CHANCE] == 0);
	/* 4 and 5 themselves; 5, 6 and 7, which were found on 3; 8, which was found on 4 */
	assert_true(found[OWN_CHOICE] == 6);
	m.own[3].chooser = CHANCE;
	m.own[1].chooser = OLDEST; /* in the first half */
	m.own[6].is_own = 1;
	explorers_found(&m.call, found, pages);
	assert_true(pages[OWN_CHOICE] == 2 && pages[CHANCE] == 1 && pages[OLDEST] == 0);
	assert_true(found[OWN_CHOICE] == 3 && found[CHANCE] == 2 && found[OLDEST] == 0);
	/* page 4 itself counts for its explorer unless the own choice knows it */
	m.own[4].chooser = CLUSTERS;
	explorers_found(&m.call, found, pages);
	assert_true(pages[CLUSTERS] == 1 && found[CLUSTERS] == 2);
	m.own[4].is_own = 1;
	explorers_found(&m.call, found, pages);
	assert_true(found[CLUSTERS] == 1 && found[OWN_CHOICE] == 1);
	/* page 1 was crawled last */
	m.own[1].place = 6;
	m.own[5].place = 2;
	explorers_found(&m.call, found, pages);
	assert_true(pages[OLDEST] == 1 && pages[OWN_CHOICE] == 0 && pages[CHANCE] == 1 && pages[CLUSTERS] == 1);
}

/* Groups with queued pages: 6 and 7 of page 3, with 5 crawled; 8 of page 4; the seed 9. */
static void the_stake_is_the_share_of_groups_in_which_nothing_is_crawled(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	assert_true(explorers_stake(&m.call) * 3 == 2);
	m.found[8].finder = 3;
	assert_true(explorers_stake(&m.call) * 2 == 1);
}

static void explorers_choose_groups_the_oldest_or_any_page(void **state)
{
	struct made m;
	int chosen[PAGES] = {0};

	(void)state;
	make(&m);
	explorers_send(&m.call, CLUSTERS, 1, 0); /* the groups of 3 and of 4 are worth 1 each; 6 has the lower seq */
	assert_true(m.own[6].chooser == CLUSTERS && m.page[6].key == RERANK_FIRST_OF_ALL);
	explorers_send(&m.call, OLDEST, 2, 0); /* what is chosen is not chosen again */
	assert_true(m.own[6].chooser == CLUSTERS && m.own[7].chooser == OLDEST && m.own[8].chooser == OLDEST);
	assert_true(m.own[9].chooser == OWN_CHOICE && m.page[9].key == 91);
	explorers_recall(&m.call);
	assert_true(m.own[7].chooser == OWN_CHOICE);
	for (uint32_t v = 6; v < PAGES; v++)
		m.page[v].key = 100 - v;
	m.page[7].key = 99; /* the best of its group now */
	explorers_send(&m.call, CLUSTERS, 9, 0);
	assert_true(m.own[6].chooser == OWN_CHOICE && m.own[7].chooser == CLUSTERS && m.own[8].chooser == CLUSTERS);
	for (uint64_t draw = 0; draw < 400; draw++) {
		explorers_recall(&m.call);
		explorers_send(&m.call, CHANCE, 1, draw);
		for (uint32_t v = 0; v < PAGES; v++)
			chosen[v] += m.own[v].chooser == CHANCE;
	}
	assert_true(chosen[6] + chosen[7] + chosen[8] + chosen[9] == 400);
	for (uint32_t v = 6; v < PAGES; v++)
		assert_in_range(chosen[v], 60, 140);
}

/* A page that is queued again is discovered anew, so there are more discoveries than pages. */
static void crawled_pages_are_told_in_the_order_of_their_discovery(void **state)
{
	static const uint32_t wanted[6] = {0, 2, 3, 4, 5, 1};
	struct made m;
	uint32_t n;

	(void)state;
	make(&m);
	m.page[1].seq = 3 * PAGES;
	uint32_t *crawled = rerank_crawled(&m.call, &n);
	assert_int_equal(n, 6);
	assert_memory_equal(crawled, wanted, sizeof wanted);
	paged_free(crawled, PAGES, sizeof *crawled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explorers_are_paid_for_what_the_own_choice_has_not_found),
		cmocka_unit_test(the_stake_is_the_share_of_groups_in_which_nothing_is_crawled),
		cmocka_unit_test(crawled_pages_are_told_in_the_order_of_their_discovery),
		cmocka_unit_test(explorers_choose_groups_the_oldest_or_any_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
