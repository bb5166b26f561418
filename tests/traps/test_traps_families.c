/* Crawls of families of pages that look alike, without a network: each finite one is crawled whole, and each endless one is
 * left. */
#include "tests/test.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "parser/fingerprint.h"
#include "tests/traps/families.h"
#include "traps/traps.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define LINKS   (ITEMS + 2)
#define ENDLESS (1L << 60) /* the pages of an endless family that there are */
#define MOST    1005       /* the pages that it may cost: 1,000, the first one, and those that may be in flight */

struct page {
	char *url;
	long n; /* of the family; -1: the page that leads to it */
	int is_crawled;
};

struct known {
	uint64_t key;
	uint32_t id;
};

struct crawl {
	const struct family *family;
	struct traps *traps;
	struct page *page;
	size_t room, of_queue[2], room_of[2];
	uint32_t n;
	uint32_t *queue[2]; /* the pages that are not deferred, and those that are */
	struct map known;
	struct rng rng;
};

static int find(void *ctx, const char *url, size_t n, uint32_t *id)
{
	const struct known *known = map_find(&((struct crawl *)ctx)->known, XXH3_64bits(url, n));

	*id = known ? known->id : UINT32_MAX;
	return known != NULL;
}

static int url_of(void *ctx, uint32_t id, struct url *out)
{
	const char *text = ((struct crawl *)ctx)->page[id].url;

	return url_split(out, text, strlen(text)) == URL_OK;
}

static int is_crawled(void *ctx, uint32_t id)
{
	return ((struct crawl *)ctx)->page[id].is_crawled;
}

static void queue(struct crawl *c, int deferred, uint32_t id)
{
	c->queue[deferred] = mem_grow(c->queue[deferred], &c->room_of[deferred], c->of_queue[deferred] + 1, sizeof id);
	c->queue[deferred][c->of_queue[deferred]++] = id;
}

/* Adds the page with this number, unless it is known. */
static uint32_t add(struct crawl *c, const struct traps_world *w, long n)
{
	struct buf url = BUF_EMPTY;
	struct url u = URL_EMPTY;
	uint32_t id;

	buf_text(&url, "http://site.test");
	if (n < 0)
		buf_text(&url, "/");
	else
		c->family->path(&url, n);
	buf_end(&url);
	if (!find(c, url.at, url.used, &id)) {
		id = c->n++;
		c->page = mem_grow(c->page, &c->room, c->n, sizeof *c->page);
		c->page[id] = (struct page){mem_text(url.at), n, 0};
		((struct known *)map_at(&c->known, XXH3_64bits(url.at, url.used)))->id = id;
		assert_true(url_of(c, id, &u));
		const struct url_traits traits = url_traits(&u);
		assert_int_equal(traps_judge(c->traps, &traits), OUTCOME_NONE);
		traps_apply(c->traps, w,
			&(struct traps_fact){.kind = TRAPS_FOUND, .id = id, .target = TRAPS_NO_PAGE, .traits = &traits});
		queue(c, 0, id);
	}
	buf_release(&url);
	return id;
}

/* Adds the pages that page n links to, of so many pages of the family, and writes the page. */
static size_t write_page(struct crawl *c, const struct traps_world *w, long n, long pages, struct buf *html, uint32_t links[LINKS])
{
	const unsigned ways = n < 0 ? 0 : c->family->links;
	const int is_list = n >= 0 && ways & TO_ITEMS && n % (ITEMS + 1) == 0;
	const long to[] = {n < 0 ? 0 : -1, ways & TO_NEXT ? n + 1 : -1, ways & TO_BEFORE ? n - 1 : -1,
		ways & TO_TWO ? 2 * n + 1 : -1, ways & TO_TWO ? 2 * n + 2 : -1, ways & TO_EAST_SOUTH ? n + 1 : -1,
		ways & TO_EAST_SOUTH ? n + EAST_SOUTH : -1, is_list ? n + ITEMS + 1 : -1,
		is_list && ways & TO_LAST ? n - ITEMS - 1 : -1, ways & TO_THREE ? 3 * n + 1 : -1, ways & TO_THREE ? 3 * n + 2 : -1,
		ways & TO_THREE ? 3 * n + 3 : -1};
	size_t used = 0;

	buf_text(html, "<html><title>Site</title><p>Home News Contact");
	if (n >= 0)
		c->family->body(html, n);
	else
		buf_text(html, "Welcome to this site, which has much to show");
	for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
		if (to[i] < 0 || to[i] >= pages)
			continue;
		links[used++] = add(c, w, to[i]);
		buf_format(html, "<a href=\"%s\">more</a>", c->page[links[used - 1]].url);
	}
	for (long i = 1; is_list && i <= ITEMS && n + i < pages; i++)
		links[used++] = add(c, w, n + i);
	return used;
}

/* Adds the page that the traps ask for behind the lists that are known, as one more link of a list. */
static void add_made_up(struct crawl *c, const struct traps_world *w, struct traps_fact *fact, uint32_t links[LINKS + 1])
{
	struct buf url = BUF_EMPTY;

	if (c->family->links & TO_ITEMS && traps_asks(c->traps, w, fact, &url)) {
		buf_end(&url);
		const char *page = strstr(url.at, "page=");
		assert_non_null(page);
		links[fact->n++] = add(c, w, (ITEMS + 1) * strtol(page + 5, NULL, 10));
	}
	buf_release(&url);
}

static void fetch(struct crawl *c, const struct traps_world *w, uint32_t id, const struct url_traits *traits, long pages)
{
	struct buf html = BUF_EMPTY;
	uint32_t links[LINKS + 1];
	const long last = (pages - 1) / (ITEMS + 1) * (ITEMS + 1), n = c->page[id].n < pages ? c->page[id].n : last;
	struct traps_fact fact = {.kind = TRAPS_CRAWLED, .id = id, .traits = traits, .first_new = c->n, .links = links};

	fact.n = write_page(c, w, n, pages, &html, links);
	const struct fingerprint f = fingerprint_html(html.at, html.used, traits->url->text.at, traits->url->text.used, NULL);
	fact.marks =
		(struct page_marks){{XXH3_64bits(html.at, html.used), 1}, f.words >= FINGERPRINT_LEAST ? f.hash : 0, 0, html.used};
	c->page[id].is_crawled = 1;
	add_made_up(c, w, &fact, links);
	const struct places_freed *freed = traps_apply(c->traps, w, &fact);
	for (size_t i = 0; i < freed->skipped.n; i++)
		queue(c, 0, freed->skipped.id[i]);
	buf_release(&html);
}

/* Takes the next page: at random of the deferred ones, if there is no other. */
static uint32_t take(struct crawl *c)
{
	const int deferred = !c->of_queue[0];
	const size_t i = deferred ? rng_below(&c->rng, c->of_queue[1]) : 0;
	const uint32_t id = c->queue[deferred][i];

	memmove(c->queue[deferred] + i, c->queue[deferred] + i + 1, (--c->of_queue[deferred] - i) * sizeof id);
	return id;
}

/* Crawls a family of so many pages. Returns how many of them were fetched. */
static long crawl(const struct family *family, long pages)
{
	struct opt_set options;
	struct crawl c = {.family = family, .rng = {1}};
	const struct traps_world w = {&c, find, url_of, is_crawled};
	long fetched = 0;

	map_init(&c.known, sizeof(struct known));
	opt_init(&options, traps_options, "traps");
	c.traps = traps_new(&options, 2026);
	opt_release(&options);
	add(&c, &w, -1);
	while (c.of_queue[0] + c.of_queue[1] && fetched < 6 * MOST) {
		struct url u = URL_EMPTY;
		const uint32_t id = take(&c);
		assert_true(url_of(&c, id, &u));
		const struct url_traits traits = url_traits(&u);
		const struct traps_verdict v = traps_turn(c.traps, &w, id, &traits);
		traps_apply(c.traps, &w, &(struct traps_fact){.kind = TRAPS_TAKEN, .id = id, .traits = &traits});
		if (v.action == TRAPS_DEFER)
			queue(&c, 1, id);
		if (v.action == TRAPS_FETCH) {
			fetched += c.page[id].n >= 0;
			if (c.page[id].n < pages || family->links & TO_LAST)
				fetch(&c, &w, id, &traits, pages);
		}
	}
	for (uint32_t id = 0; id < c.n; id++)
		free(c.page[id].url);
	free(c.page);
	free(c.queue[0]);
	free(c.queue[1]);
	map_release(&c.known);
	traps_free(c.traps);
	return fetched;
}

static void a_family_that_has_an_end_is_crawled_whole(void **state)
{
	static const long sizes[] = {300, 1000};
	int lost = 0;
	(void)state;

	for (const struct family *f = finite_families; f->name; f++)
		for (size_t i = 0; i < 2; i++) {
			const long n = crawl(f, sizes[i]);
			if (n != sizes[i])
				print_error("%s: %ld of %ld pages\n", f->name, n, sizes[i]);
			lost |= n != sizes[i];
		}
	assert_false(lost);
}

/* Crawls each family of a table. */
static void leave_all(const struct family *f)
{
	int lost = 0;

	for (; f->name; f++) {
		const long n = crawl(f, ENDLESS);
		if (n > MOST)
			print_error("%s: %ld pages\n", f->name, n);
		lost |= n > MOST;
	}
	assert_false(lost);
}

static void a_family_without_end_costs_a_thousand_requests(void **state)
{
	(void)state;
	leave_all(endless_families);
}

static void a_family_without_end_whose_texts_differ_costs_no_more(void **state)
{
	(void)state;
	leave_all(endless_stories);
}

static void lists_whose_site_has_no_further_one_are_crawled_whole(void **state)
{
	static const long sizes[] = {300, 1000, 2000, 5000};
	(void)state;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int to_last = 0; to_last < 2; to_last++) /* and the address that was made up */
			assert_in_range(crawl(to_last ? &listed_to_last : &listed_stories, sizes[i]), sizes[i], sizes[i] + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_family_that_has_an_end_is_crawled_whole),
		cmocka_unit_test(a_family_without_end_costs_a_thousand_requests),
		cmocka_unit_test(a_family_without_end_whose_texts_differ_costs_no_more),
		cmocka_unit_test(lists_whose_site_has_no_further_one_are_crawled_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
