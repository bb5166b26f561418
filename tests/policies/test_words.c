/* What words of links and URLs tell: words that go with high values raise the prediction of pages that were never seen. */
#include "policies/words.h"
#include "tests/test.h"

#include <string.h>

/* A view of pages with URLs, anchor texts, and links from one page. */
struct web {
	const char *url[8], *anchor[8];
	struct policy_found found[8];
	struct policy_view view;
};

static const char *url_of(void *web, uint32_t id, size_t *n)
{
	const char *url = ((struct web *)web)->url[id];

	*n = url ? strlen(url) : 0;
	return url;
}

static const char *anchor_of(void *web, uint32_t finder, uint32_t link, size_t *n)
{
	(void)finder;
	*n = strlen(((struct web *)web)->anchor[link]);
	return ((struct web *)web)->anchor[link];
}

static const struct policy_view *look(struct web *w, unsigned sees)
{
	for (uint32_t i = 0; i < 8; i++)
		w->found[i] = (struct policy_found){.finder = 0, .link = i, .when = 1};
	w->view = (struct policy_view){.links_of = w, .url = url_of, .anchor = anchor_of, .found = w->found, .sees = sees};
	return &w->view;
}

static struct words_of_page meet(struct web *w, unsigned sees, uint32_t id)
{
	struct words_of_page p;

	words_meet(&p, look(w, sees), id);
	return p;
}

/* Learns pages 0 and 1, of the values 2 and -1, some times. */
static void learn(struct words *words, struct web *w, unsigned sees)
{
	memset(words, 0, sizeof *words);
	for (int i = 0; i < 20; i++) {
		const struct words_of_page good = meet(w, sees, 0), bad = meet(w, sees, 1);
		words_learn(words, &good, 2);
		words_learn(words, &bad, -1);
	}
}

static void pages_of_a_folder_are_told_by_those_seen_there(void **state)
{
	struct web w = {
		.url = {"http://a.test/good/x/1", "http://a.test/bad/y/1", "http://a.test/good/x/222", "http://a.test/bad/z/3"}};
	static struct words words;
	const unsigned sees = POLICY_SEES_URLS;

	(void)state;
	learn(&words, &w, sees);
	const struct words_of_page good = meet(&w, sees, 2), bad = meet(&w, sees, 3), first = meet(&w, sees, 0);
	assert_true(words_predict(&words, &good) > words_predict(&words, &bad) + 0.5);
	assert_float_equal(words_predict(&words, &first), 2, 0.5);
}

static void anchor_texts_tell_without_regard_to_case(void **state)
{
	struct web w = {.anchor = {"Lecture notes", "sports", "the LECTURE of may", "Sports!"}};
	static struct words words;
	const unsigned sees = POLICY_SEES_ANCHORS;

	(void)state;
	learn(&words, &w, sees);
	const struct words_of_page good = meet(&w, sees, 2), bad = meet(&w, sees, 3);
	assert_true(words_predict(&words, &good) > 0.3 && words_predict(&words, &bad) < 0);
}

static void links_side_by_side_are_alike(void **state)
{
	struct web w = {.url = {"http://a.test/p", "http://b.test/q", "http://c.test/r", "http://d.test/s"}};
	static struct words words;
	struct words_of_page near, far;

	(void)state;
	learn(&words, &w, POLICY_SEES_URLS);
	words_meet(&near, look(&w, POLICY_SEES_URLS), 2);
	w.found[2].link = 1000;
	words_meet(&far, &w.view, 2);
	assert_true(words_predict(&words, &near) > words_predict(&words, &far) + 0.05);
}

static void a_page_of_which_nothing_is_seen_has_no_words(void **state)
{
	struct web w = {.url = {"http://a.test/p"}, .anchor = {"text"}};
	static struct words words;
	const struct words_of_page none = meet(&w, POLICY_SEES_SCORES, 0);

	(void)state;
	words_learn(&words, &none, 5);
	assert_int_equal(none.n, 0);
	assert_float_equal(words_predict(&words, &none), 0, 0);
}

static void odd_urls_are_read_within_their_bounds(void **state)
{
	struct web w = {.url = {"", ":", "a:", "http://", "?", "http://a?b:/", "http://a.test/////////b/c/d/e/f/g/h", "/"}};

	(void)state;
	for (uint32_t i = 0; i < 8; i++)
		assert_true(meet(&w, POLICY_SEES_URLS, i).n <= WORDS_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_a_folder_are_told_by_those_seen_there),
		cmocka_unit_test(anchor_texts_tell_without_regard_to_case),
		cmocka_unit_test(links_side_by_side_are_alike),
		cmocka_unit_test(a_page_of_which_nothing_is_seen_has_no_words),
		cmocka_unit_test(odd_urls_are_read_within_their_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
