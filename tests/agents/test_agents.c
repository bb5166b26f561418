/* What agents tell each other: partitions, letters, and what a frontier makes of the pages of others. */
#include "tests/test.h"

#include "agents/exchange.h"
#include "agents/letter.h"
#include "base/mem.h"
#include "policies/policies.h"

#include <math.h>

static unsigned partition(const char *host)
{
	return partition_of(host, strlen(host));
}

static void the_hosts_of_a_registrable_domain_share_a_partition(void **state)
{
	(void)state;
	assert_int_equal(partition("www.example.co.uk"), partition("example.co.uk"));
	assert_int_equal(partition("a.b.example.co.uk:8080"), partition("example.co.uk"));
	assert_int_not_equal(partition("example.co.uk"), partition("another.co.uk"));
	/* the private part of the list: each user of github.io is a site */
	assert_int_not_equal(partition("one.github.io"), partition("two.github.io"));
	assert_int_not_equal(partition("127.0.0.1"), partition("127.0.0.2"));
	assert_int_equal(partition("127.0.0.1:80"), partition("127.0.0.1"));
	assert_true(partition("") < PARTITIONS);
}

static void hosts_fall_into_partitions_evenly(void **state)
{
	unsigned in[PARTITIONS] = {0}, most = 0;
	char host[32];

	(void)state;
	for (int i = 0; i < 100 * PARTITIONS; i++) {
		snprintf(host, sizeof host, "site%d.org", i);
		in[partition(host)]++;
	}
	for (unsigned p = 0; p < PARTITIONS; p++)
		most = in[p] > most ? in[p] : most;
	assert_in_range(most, 100, 160); /* the mean is 100, its deviation 10 */
}

static void partitions_are_dealt_in_turn(void **state)
{
	struct shares s;

	(void)state;
	shares_deal(&s, 3);
	assert_int_equal(s.owner[0], 0);
	assert_int_equal(s.owner[1], 1);
	assert_int_equal(s.owner[1023], 0);
	shares_deal(&s, PARTITIONS);
	assert_int_equal(s.owner[1023], 1023);
}

static void a_letter_about_a_page_says_what_was_written(void **state)
{
	const uint8_t private[] = {1, 2, 3}, kinds[] = {7, 9};
	const struct frontier_remote page =
		{.key = -0.5, .depth = 300, .private = private, .n_private = 3, .outdegree = 40, .kinds = kinds, .n_links = 2};
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct letter l;
	uint8_t kind;

	(void)state;
	letter_write_page(&out, LETTER_PAGE, 1000, &page, "http://a.org/x", 14);
	letter_write_link(&out, &page, "http://b.org/", 13, 7);
	letter_write_link(&out, &page, "http://b.org/index", 18, 9);
	assert_int_equal(letter_open(&l, out.bytes.at, out.bytes.used, NULL), 0);
	assert_int_equal(l.kind, LETTER_PAGE);
	assert_int_equal(l.partition, 1000);
	assert_true(l.page.key == -0.5 && l.page.depth == 300 && l.page.outdegree == 40);
	assert_int_equal(l.page.n_private, 3);
	assert_memory_equal(l.page.private, private, 3);
	assert_int_equal(letter_url(&l, NULL), 1);
	assert_string_equal(l.url.at, "http://a.org/x");
	assert_int_equal(letter_url(&l, NULL), 1);
	assert_string_equal(l.url.at, "http://b.org/");
	assert_int_equal(letter_kind_of_link(&l, &kind, NULL), 0);
	assert_int_equal(kind, 7);
	assert_int_equal(letter_url(&l, NULL), 1);
	assert_string_equal(l.url.at, "http://b.org/index");
	assert_int_equal(letter_kind_of_link(&l, &kind, NULL), 0);
	assert_int_equal(kind, 9);
	assert_int_equal(letter_url(&l, NULL), 0);
	letter_release(&l);
	/* no letter that was cut short is read to its end */
	for (size_t n = 0; n < out.bytes.used; n++) {
		int err = letter_open(&l, out.bytes.at, n, NULL);
		for (int i = 0; !err && (err = letter_url(&l, NULL)) > 0; i++)
			err = i ? letter_kind_of_link(&l, &kind, NULL) : 0;
		assert_int_equal(err, ERR_FORMAT);
		letter_release(&l);
	}
	letter_out_release(&out);
}

static void a_letter_about_a_sitemap_comes_back_as_it_was_written(void **state)
{
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct letter l;

	(void)state;
	letter_write_seed(&out, 77, "http://b.org/sitemap.xml", 24);
	assert_int_equal(letter_open(&l, out.bytes.at, out.bytes.used, NULL), 0);
	assert_true(l.kind == LETTER_SEED && l.partition == 77);
	assert_int_equal(letter_url(&l, NULL), 1);
	assert_string_equal(l.url.at, "http://b.org/sitemap.xml");
	assert_int_equal(letter_url(&l, NULL), 0);
	letter_release(&l);
	assert_int_equal(letter_open(&l, "\x04\x05\x02\x00\x01x\x00\x01y", 9, NULL), ERR_FORMAT); /* two */
	assert_int_equal(letter_open(&l, "\x05\x05\x01\x00\x01x", 6, NULL), ERR_FORMAT);
	letter_out_release(&out);
}

static void a_mass_is_a_number_that_sums_can_hold(void **state)
{
	static const struct {
		double mass;
		int err;
	} t[] = {{1e-300, 0}, {1, 0}, {LETTER_MASS_MAX, 0}, {0, ERR_FORMAT}, {-1, ERR_FORMAT}, {1e101, ERR_FORMAT},
		{(double)INFINITY, ERR_FORMAT}, {(double)NAN, ERR_FORMAT}};
	struct letter_out out = {.bytes = BUF_EMPTY};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct letter l;
		double mass;
		letter_write_masses(&out, 5, 1);
		letter_write_mass(&out, "http://a.org/", 13, t[i].mass);
		assert_int_equal(letter_open(&l, out.bytes.at, out.bytes.used, NULL), 0);
		assert_int_equal(letter_url(&l, NULL), 1);
		assert_int_equal(letter_mass(&l, &mass, NULL), t[i].err);
		assert_true(t[i].err || mass == t[i].mass);
		letter_release(&l);
	}
	letter_out_release(&out);
}

/* --- one agent of two: its pages are those of "mine.org", whose URLs are known beforehand */

static const char *const urls[] = {"http://mine.org/0", "http://mine.org/1", "http://mine.org/2", "http://other.com/3",
	"http://other.com/4", "http://other.com/5"};
enum { URLS = sizeof urls / sizeof *urls };

struct one {
	struct shares shares;
	struct frontier *frontier;
	struct exchange *exchange;
	struct buf sent; /* the last letter */
	unsigned partition, letters;
};

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	(void)ctx;
	*n = strlen(urls[id]);
	return urls[id];
}

static int find(void *ctx, const struct exchange_url *u, uint32_t *id, struct err_note *why)
{
	(void)ctx;
	for (*id = 0; *id < URLS; ++*id)
		if (strlen(urls[*id]) == u->n && memcmp(urls[*id], u->url, u->n) == 0)
			return 0;
	return err_set(why, ERR_FORMAT, "unknown");
}

static unsigned partition_of_id(void *ctx, uint32_t id)
{
	(void)ctx;
	return partition(id < 3 ? "mine.org" : "other.com");
}

static int is_remote(void *ctx, uint32_t id)
{
	(void)ctx;
	return id >= 3;
}

/* Page 0 links to 3 and 4. */
static const uint32_t rows[] = {3, 4};

static size_t links_of(void *ctx, uint32_t u, const uint32_t **out)
{
	(void)ctx;
	*out = rows;
	return u == 0 ? 2 : 0;
}

static int keep(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why)
{
	struct one *o = ctx;

	(void)why;
	buf_clear(&o->sent);
	buf_add(&o->sent, letter, n);
	o->partition = partition;
	o->letters++;
	return 0;
}

static void begin(struct one *o, const struct policy *p, struct opt_set *opts)
{
	const struct frontier_world world = {.ctx = o, .links = links_of, .is_remote = is_remote};
	const struct exchange_pages pages = {.ctx = o, .url = url_of, .find = find, .partition = partition_of_id};
	const struct exchange_post post = {.ctx = o, .send = keep};

	*o = (struct one){.shares = {.agents = 2}};
	for (unsigned i = 0; i < PARTITIONS; i++)
		o->shares.owner[i] = 1;
	o->shares.owner[partition("mine.org")] = 0;
	opt_init(opts, p->opts, p->name);
	const struct frontier_settings s = {.policy = p, .opts = opts, .batch = 100, .per_host = 1, .ids = URLS};
	assert_int_equal(frontier_new(&o->frontier, &s, &world, NULL), 0);
	o->exchange = exchange_new(o->frontier, &o->shares, 0, &pages, &post);
}

static void end(struct one *o, struct opt_set *opts)
{
	exchange_free(o->exchange);
	frontier_free(o->frontier);
	buf_release(&o->sent);
	opt_release(opts);
}

static void crawl(struct one *o, uint32_t id, const uint32_t *links, size_t n)
{
	uint32_t taken;

	assert_true(frontier_take(o->frontier, 0, &taken));
	assert_int_equal(taken, id);
	assert_int_equal(exchange_page(o->exchange, id, links, NULL, n, NULL), 0);
	assert_int_equal(frontier_ended(o->frontier, id,
				 &(struct frontier_end){.state = PAGE_CRAWLED, .links = links, .n_links = n}),
		0);
	assert_int_equal(exchange_masses(o->exchange, NULL), 0);
}

static void a_page_of_another_agent_gives_its_share_and_is_never_queued(void **state)
{
	const uint32_t seed = 0, links[] = {1, 3, 4}, theirs[] = {0, 1, 2};
	struct frontier_remote page = {.key = 6, .outdegree = 4, .n_links = 3};
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct frontier_counts n;
	struct opt_set opts;
	struct one o;

	(void)state;
	begin(&o, &policy_opic, &opts);
	frontier_seed(o.frontier, &seed, 1);
	crawl(&o, 0, links, 3);
	assert_int_equal(o.letters, 1); /* pages 3 and 4 are of one partition */
	assert_int_equal(o.partition, partition("other.com"));
	assert_int_equal(frontier_state(o.frontier, 3), PAGE_REMOTE);
	frontier_count(o.frontier, &n);
	assert_int_equal(n.seen, 2);
	assert_int_equal(n.queued, 1);
	assert_true(frontier_key(o.frontier, 1) == 1 + 1.0 / 3);

	letter_write_page(&out, LETTER_PAGE, partition("mine.org"), &page, urls[5], strlen(urls[5]));
	for (int i = 0; i < 3; i++)
		letter_write_link(&out, &page, urls[theirs[i]], strlen(urls[theirs[i]]), 0);
	assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), 0);
	assert_true(frontier_key(o.frontier, 1) == 1 + 1.0 / 3 + 6.0 / 4);
	assert_true(frontier_key(o.frontier, 2) == 1 + 6.0 / 4); /* discovered */
	assert_true(frontier_key(o.frontier, 0) == 1);           /* crawled: it does not change */
	assert_int_equal(frontier_state(o.frontier, 5), PAGE_REMOTE);
	crawl(&o, 1, NULL, 0);
	crawl(&o, 2, NULL, 0);
	uint32_t none;
	assert_false(frontier_take(o.frontier, 0, &none));
	letter_out_release(&out);
	end(&o, &opts);
}

/* Such letters come when a partition moves: page 0 was crawled here before the partition of its links did. */
static void a_letter_about_a_page_that_is_crawled_here_changes_its_links_alone(void **state)
{
	static const char private[64];
	const uint32_t seed = 0, links[] = {1, 2}, back[] = {0, 2};
	const struct frontier_remote page = {.outdegree = 2, .n_links = 1, .private = private, .n_private = policy_echo.page_sent};
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct opt_set opts;
	struct one o;

	(void)state;
	assert_true(policy_echo.page_sent <= sizeof private);
	begin(&o, &policy_echo, &opts);
	frontier_seed(o.frontier, &seed, 1);
	crawl(&o, 0, links, 2);
	crawl(&o, 1, back, 2);
	const double key = frontier_key(o.frontier, 0), queued = frontier_key(o.frontier, 2);
	letter_write_page(&out, LETTER_PAGE, partition("mine.org"), &page, urls[0], strlen(urls[0]));
	letter_write_link(&out, &page, urls[2], strlen(urls[2]), 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), 0);
	assert_int_equal(frontier_state(o.frontier, 0), PAGE_CRAWLED);
	assert_true(frontier_key(o.frontier, 0) == key);
	assert_true(frontier_key(o.frontier, 2) > queued);
	letter_out_release(&out);
	end(&o, &opts);
}

/* Each agent may know other redirects, by which two links are one. */
static void a_link_that_a_letter_names_twice_counts_once(void **state)
{
	const struct frontier_remote page = {.key = 1, .outdegree = 2, .n_links = 2};
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct frontier_counts n;
	struct opt_set opts;
	struct one o;

	(void)state;
	begin(&o, &policy_opic, &opts);
	letter_write_page(&out, LETTER_PAGE, 1, &page, urls[3], strlen(urls[3]));
	letter_write_link(&out, &page, urls[1], strlen(urls[1]), 0);
	letter_write_link(&out, &page, urls[1], strlen(urls[1]), 0);
	assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), 0);
	frontier_count(o.frontier, &n);
	assert_int_equal(n.seen, 1);
	assert_true(frontier_key(o.frontier, 1) == 1.5);
	letter_out_release(&out);
	end(&o, &opts);
}

/* As on one machine, the target of a redirect takes the place that the page had. */
static void the_target_of_a_redirect_takes_over_the_key(void **state)
{
	const struct frontier_remote page = {.key = 0.625, .outdegree = 1, .n_links = 1};
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct opt_set opts;
	struct one o;
	uint32_t id;

	(void)state;
	begin(&o, &policy_opic, &opts);
	letter_write_page(&out, LETTER_TARGET, 1, &page, urls[3], strlen(urls[3]));
	letter_write_link(&out, &page, urls[1], strlen(urls[1]), 0);
	for (int twice = 0; twice < 2; twice++)
		assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), 0);
	assert_int_equal(frontier_state(o.frontier, 3), PAGE_REMOTE);
	assert_int_equal(frontier_state(o.frontier, 1), PAGE_QUEUED);
	assert_true(frontier_key(o.frontier, 1) == 0.625);
	assert_int_equal(frontier_take(o.frontier, 0, &id), 1);
	assert_int_equal(id, 1);
	assert_int_equal(frontier_take(o.frontier, 0, &id), 0);
	letter_out_release(&out);
	end(&o, &opts);
}

static void a_letter_that_is_wrong_changes_nothing(void **state)
{
	const struct frontier_remote page = {.key = 1, .outdegree = 2, .n_links = 2};
	struct frontier_remote other = page;
	struct letter_out out = {.bytes = BUF_EMPTY};
	struct frontier_counts n;
	struct opt_set opts;
	struct one o;

	(void)state;
	begin(&o, &policy_opic, &opts);
	letter_write_page(&out, LETTER_PAGE, 1, &page, urls[3], strlen(urls[3]));
	letter_write_link(&out, &page, urls[1], strlen(urls[1]), 0);
	assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), ERR_FORMAT); /* one is missing */
	other.private = "12345678";
	other.n_private = 8;
	other.n_links = 1;
	letter_write_page(&out, LETTER_PAGE, 1, &other, urls[3], strlen(urls[3]));
	letter_write_link(&out, &other, urls[1], strlen(urls[1]), 0);
	assert_int_equal(exchange_take(o.exchange, out.bytes.at, out.bytes.used, NULL), ERR_FORMAT); /* another policy's */
	assert_int_equal(exchange_take(o.exchange, "\x02\x01\x01", 3, NULL), ERR_FORMAT);
	frontier_count(o.frontier, &n);
	assert_int_equal(n.seen, 0);
	assert_int_equal(frontier_state(o.frontier, 1), PAGE_UNSEEN);
	letter_out_release(&out);
	end(&o, &opts);
}

/* Counts of the view at each rerank. */
static uint64_t shown[16];
static size_t n_shown;

static int note(const struct policy_call *c)
{
	shown[n_shown++] = c->view->crawled;
	return 0;
}

static void the_view_shows_each_batch_of_the_whole_crawl_once(void **state)
{
	const struct policy noting = {.name = "noting", .summary = "", .source = "", .rerank = note};
	const uint32_t seeds[] = {0, 1, 2};
	struct opt_set opts;
	struct one o;

	(void)state;
	n_shown = 0;
	begin(&o, &noting, &opts);
	frontier_seed(o.frontier, seeds, 3);
	frontier_hear(o.frontier, &(struct frontier_elsewhere){.crawled = 98, .seen = 200, .queued = 102});
	crawl(&o, 0, NULL, 0); /* 99 */
	assert_int_equal(n_shown, 0);
	frontier_hear(o.frontier, &(struct frontier_elsewhere){.crawled = 340, .seen = 500, .queued = 160});
	crawl(&o, 1, NULL, 0); /* 342: three batches have gone by */
	assert_int_equal(n_shown, 1);
	assert_int_equal(shown[0], 300);
	crawl(&o, 2, NULL, 0); /* 343 */
	assert_int_equal(n_shown, 1);
	end(&o, &opts);
}

/* What a policy of PageRank has sent for page 3 in all. */
static double mass_of(const struct one *o, const char *url)
{
	double mass = 0, sum = 0;
	struct letter l;

	assert_int_equal(letter_open(&l, o->sent.at, o->sent.used, NULL), 0);
	assert_int_equal(l.kind, LETTER_MASS);
	while (letter_url(&l, NULL) > 0) {
		assert_int_equal(letter_mass(&l, &mass, NULL), 0);
		sum += strcmp(l.url.at, url) == 0 ? mass : 0;
	}
	letter_release(&l);
	return sum;
}

static void shares_of_pagerank_for_pages_of_others_are_sent_at_a_rerank(void **state)
{
	const uint32_t seed = 0;
	struct opt_set opts;
	struct one o;

	(void)state;
	begin(&o, &policy_batch_pagerank, &opts);
	frontier_seed(o.frontier, &seed, 1);
	frontier_hear(o.frontier, &(struct frontier_elsewhere){.crawled = 99, .seen = 200, .queued = 102});
	crawl(&o, 0, rows, 2); /* the 100th page of the crawl: a rerank */
	assert_int_equal(o.letters, 2);
	assert_float_equal(mass_of(&o, urls[3]), 0.85 / 2, 1e-12);
	assert_float_equal(mass_of(&o, urls[4]), 0.85 / 2, 1e-12);
	end(&o, &opts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hosts_of_a_registrable_domain_share_a_partition),
		cmocka_unit_test(hosts_fall_into_partitions_evenly),
		cmocka_unit_test(partitions_are_dealt_in_turn),
		cmocka_unit_test(a_letter_about_a_page_says_what_was_written),
		cmocka_unit_test(a_page_of_another_agent_gives_its_share_and_is_never_queued),
		cmocka_unit_test(a_letter_about_a_sitemap_comes_back_as_it_was_written),
		cmocka_unit_test(a_mass_is_a_number_that_sums_can_hold),
		cmocka_unit_test(a_letter_that_is_wrong_changes_nothing),
		cmocka_unit_test(a_letter_about_a_page_that_is_crawled_here_changes_its_links_alone),
		cmocka_unit_test(a_link_that_a_letter_names_twice_counts_once),
		cmocka_unit_test(the_target_of_a_redirect_takes_over_the_key),
		cmocka_unit_test(the_view_shows_each_batch_of_the_whole_crawl_once),
		cmocka_unit_test(shares_of_pagerank_for_pages_of_others_are_sent_at_a_rerank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
