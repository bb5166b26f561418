/* Merged crawls of one small web, drawn at random: what the merged store says of a page is what the rules of
 * storage/store_merge.h say, by a second method that looks at the ends of all crawls. */
#include "tests/storage/made_crawl.h"

#include "storage/store_merge.h"

#define URLS   24
#define STORES 3
#define ROUNDS 60

/* A page in one of the crawls. */
struct life {
	int is_known, state; /* enum page_state; PAGE_OUTSIDE: refused at its discovery */
	int64_t ended;       /* the time of the end */
	uint32_t id;
};

struct one {
	struct store *s;
	struct life of[URLS];
};

static void url_of(uint32_t i, char url[64])
{
	snprintf(url, 64, "http://h%u.test/%u", i % 3, i);
}

static void make_known(struct one *c, uint32_t i, struct rng *r, int may_be_refused)
{
	char url[64], host[16];
	struct store_page page = {.url = url};

	if (c->of[i].is_known)
		return;
	url_of(i, url);
	page.url_length = strlen(url);
	snprintf(host, sizeof host, "h%u.test", i % 3);
	page.refusal = may_be_refused && rng_below(r, 3) == 0 ? OUTCOME_HOST : OUTCOME_NONE;
	assert_int_equal(store_host(c->s, host, strlen(host), &page.host, NULL), 0);
	assert_int_equal(store_add(c->s, &page, &c->of[i].id, NULL), 0);
	c->of[i].is_known = 1;
	c->of[i].state = page.refusal ? PAGE_OUTSIDE : PAGE_QUEUED;
}

static void tell(struct one *c, uint32_t i, enum log_kind kind, uint8_t outcome, uint32_t target)
{
	assert_int_equal(store_log(c->s, &(struct log_entry){.kind = kind, .id = c->of[i].id, .outcome = outcome, .target = target},
				 NULL),
		0);
}

static void end_as(struct one *c, uint32_t i, enum page_state state, uint8_t outcome, uint32_t target, int64_t now)
{
	const struct result r = {.state = (uint8_t)state,
		.outcome = outcome,
		.target = target,
		.ended = now,
		.tries = (uint32_t)now};

	assert_int_equal(store_put_result(c->s, c->of[i].id, &r, NULL), 0);
	c->of[i].state = (int)state;
	c->of[i].ended = now;
}

static void seed(struct one *c, uint32_t i, struct rng *r)
{
	if (c->of[i].is_known)
		return;
	make_known(c, i, r, 0);
	tell(c, i, rng_below(r, 2) ? LOG_SEED : LOG_SITEMAP, 0, 0);
}

/* The next event of a crawl: something about page i, if the crawl knows it. */
static void happen(struct one *c, uint32_t i, int64_t now, struct rng *r)
{
	uint32_t other = (uint32_t)rng_below(r, URLS), links[4], n = 0;
	struct life *l = &c->of[i];

	if (!l->is_known)
		return;
	if (l->state == PAGE_OUTSIDE) {
		tell(c, i, LOG_ADMITTED, 0, 0);
		l->state = PAGE_QUEUED;
	} else if (l->state == PAGE_FAILED || l->state == PAGE_REFUSED) {
		tell(c, i, LOG_ADMITTED, 0, 0);
		end_as(c, i, PAGE_QUEUED, OUTCOME_NONE, STORE_NO_PAGE, now);
	} else if (l->state != PAGE_QUEUED) {
		return;
	} else {
		switch (rng_below(r, 7)) {
		case 0:
			tell(c, i, LOG_EXPELLED, OUTCOME_HOST, 0);
			l->state = PAGE_REFUSED;
			end_as(c, i, PAGE_REFUSED, OUTCOME_HOST, STORE_NO_PAGE, now);
			return;
		case 1:
			tell(c, i, LOG_TAKE, 0, 0);
			tell(c, i, LOG_FAILED, OUTCOME_DNS, 0);
			end_as(c, i, PAGE_FAILED, OUTCOME_DNS, STORE_NO_PAGE, now);
			return;
		case 2:
			tell(c, i, LOG_TAKE, 0, 0);
			tell(c, i, LOG_REFUSED, OUTCOME_ROBOTS, 0);
			end_as(c, i, PAGE_REFUSED, OUTCOME_ROBOTS, STORE_NO_PAGE, now);
			return;
		case 3:
			if (other == i)
				return;
			tell(c, i, LOG_TAKE, 0, 0);
			make_known(c, other, r, 1);
			tell(c, i, LOG_REDIRECTED, OUTCOME_REDIRECTED, c->of[other].id);
			end_as(c, i, PAGE_REDIRECTED, OUTCOME_REDIRECTED, c->of[other].id, now);
			return;
		default:
			tell(c, i, LOG_TAKE, 0, 0);
			for (uint32_t k = 0; k < 3; k++) {
				other = (i * 5 + k * 7 + 1) % URLS;
				make_known(c, other, r, 1);
				links[n++] = c->of[other].id;
			}
			assert_int_equal(store_put_links(c->s, l->id, links, NULL, NULL, n, NULL), 0);
			tell(c, i, LOG_CRAWLED, OUTCOME_CRAWLED, 0);
			end_as(c, i, PAGE_CRAWLED, OUTCOME_CRAWLED, STORE_NO_PAGE, now);
		}
	}
}

/* What the rules say of page i, and the time of the end that counts; -1: nothing, or that it is out of scope. */
static int wanted(const struct one c[STORES], uint32_t i, int64_t *ended, uint32_t *repeated)
{
	int state = -1;

	*ended = 0;
	for (int good = 1; good >= 0 && state < 0; good--)
		for (int k = 0; k < STORES; k++) {
			const struct life *l = &c[k].of[i];
			const int is_good = l->state == PAGE_CRAWLED || l->state == PAGE_REDIRECTED;
			const int is_bad = l->state == PAGE_FAILED || l->state == PAGE_REFUSED;
			if (!l->is_known || (good ? !is_good : !is_bad))
				continue;
			if (state < 0 || (good ? l->ended < *ended : l->ended > *ended)) {
				*repeated += state == PAGE_CRAWLED;
				state = l->state;
				*ended = l->ended;
			} else {
				*repeated += l->state == PAGE_CRAWLED;
			}
		}
	for (int k = 0; k < STORES && state < 0; k++)
		if (c[k].of[i].is_known && c[k].of[i].state == PAGE_QUEUED)
			state = PAGE_QUEUED;
	return state;
}

/* The states of the pages of a store by its log, the last word counting. */
static void read_states(struct store *s, int *state)
{
	struct store_log_cursor *c = store_log_start(s);
	struct store_page page;
	struct log_entry e;

	for (uint32_t id = 0; id < store_pages(s); id++)
		state[id] = store_page(s, id, &page) && page.refusal ? -1 : PAGE_QUEUED;
	while (store_log_next(c, &e, NULL) == 1)
		switch (e.kind) {
		case LOG_CRAWLED:
			state[e.id] = PAGE_CRAWLED;
			break;
		case LOG_FAILED:
			state[e.id] = PAGE_FAILED;
			break;
		case LOG_REFUSED:
		case LOG_EXPELLED:
			state[e.id] = PAGE_REFUSED;
			break;
		case LOG_REDIRECTED:
			state[e.id] = PAGE_REDIRECTED;
			break;
		case LOG_ADMITTED:
		case LOG_TAKE:
			state[e.id] = PAGE_QUEUED;
			break;
		case LOG_SEED:
		case LOG_SITEMAP:
			if (state[e.id] < 0 || state[e.id] == PAGE_REFUSED)
				state[e.id] = PAGE_QUEUED;
			break;
		default:
			break;
		}
	store_log_stop(c);
}

static void check_merged(struct store *all, const struct one c[STORES], const struct store_merge_counts *counts)
{
	int state[URLS];
	uint32_t crawled = 0, repeated = 0, id;
	struct result r;
	char url[64];

	read_states(all, state);
	for (uint32_t i = 0; i < URLS; i++) {
		int64_t ended;
		const int want = wanted(c, i, &ended, &repeated);
		url_of(i, url);
		const int got = store_find(all, url, strlen(url), &id) ? state[id] : -1;
		if (got != want)
			fail_msg("%s is %d, not %d", url, got, want);
		crawled += want == PAGE_CRAWLED;
		if (want < 0 || want == PAGE_QUEUED)
			continue;
		assert_int_equal(store_result(all, id, &r), 1);
		assert_int_equal(r.state, want);
		assert_int_equal(r.ended, ended);
		assert_int_equal(r.tries, ended);
	}
	assert_int_equal(counts->pages, store_pages(all));
	assert_int_equal(counts->crawled, crawled);
	assert_int_equal(counts->repeated, repeated);
	assert_int_equal(store_verify(all, made_tell, NULL, NULL), 0);
}

static void a_merged_store_says_what_the_rules_say(void **state)
{
	char dirs[STORES + 1][64];
	(void)state;

	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct one c[STORES] = {{.s = NULL}};
		struct rng r = {round + 1};
		struct store *from[STORES], *all;
		struct store_merge_counts counts;
		for (int k = 0; k <= STORES; k++) {
			strcpy(dirs[k], "/dev/shm/lycosa-test-XXXXXX");
			if (!mkdtemp(dirs[k]))
				strcpy(dirs[k], scratch());
			if (k < STORES) {
				c[k].s = open_store(dirs[k], STORE_WRITE);
				assert_int_equal(store_set(c[k].s, "same", "x", NULL), 0);
				assert_int_equal(store_set(c[k].s, "other", k ? "y" : "z", NULL), 0);
			}
		}
		for (uint32_t i = 0; i < 3 * STORES; i++)
			seed(&c[i % STORES], (uint32_t)rng_below(&r, URLS / 2), &r);
		for (int64_t now = 1; now < 40 + 8 * (int64_t)(round % 20); now++)
			happen(&c[rng_below(&r, STORES)], (uint32_t)rng_below(&r, URLS), now, &r);
		for (int k = 0; k < STORES; k++) {
			commit(c[k].s);
			assert_int_equal(store_verify(c[k].s, made_tell, NULL, NULL), 0);
			store_drop(c[k].s);
			from[k] = open_store(dirs[k], STORE_READ);
		}
		all = open_store(dirs[STORES], STORE_WRITE);
		assert_int_equal(store_merge(all, from, STORES, &counts, NULL), 0);
		check_merged(all, c, &counts);
		assert_string_equal(store_get(all, "same"), "x");
		assert_null(store_get(all, "other"));
		store_drop(all);
		for (int k = 0; k <= STORES; k++) {
			if (k < STORES)
				store_drop(from[k]);
			made_forget(dirs[k]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_merged_store_says_what_the_rules_say),
	};

	return cmocka_run_group_tests_name("merge_rules", tests, NULL, NULL);
}
