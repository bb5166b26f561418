/* Links in the store, whose records tell new pages by runs of ids. */
#include "tests/storage/raw_links.h"

#define PAGES   900
#define LINKS   60
#define CRAWLED 400

struct list {
	uint32_t id, link[LINKS];
	uint8_t kind[LINKS];
	int has_kinds;
	size_t n;
};

static void add_pages(struct store *s, uint32_t n)
{
	char url[64];

	while (store_pages(s) < n) {
		snprintf(url, sizeof url, "http://h.test/%u", store_pages(s));
		add(s, url);
	}
}

/* Appends a link to the list unless it has it. */
static void add_link(struct list *l, uint32_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->link[i] == id)
			return;
	if (l->n < LINKS)
		l->link[l->n++] = id;
}

/* Draws links to known pages in any order, ascending and descending neighbours, and new pages in one piece or several, and puts
 * them. */
static void crawl(struct store *s, struct list *l, uint32_t id, struct rng *r)
{
	const uint32_t known = store_pages(s), fresh = known + (uint32_t)rng_below(r, 5);
	uint32_t next = known;

	add_pages(s, fresh < PAGES ? fresh : PAGES);
	*l = (struct list){.id = id, .has_kinds = rng_below(r, 3) == 0};
	for (uint64_t pieces = rng_below(r, 8); pieces; pieces--) {
		const uint32_t from = (uint32_t)rng_below(r, store_pages(s));
		const uint64_t way = rng_below(r, 4);
		for (uint32_t i = 0, n = (uint32_t)rng_below(r, 9); i < n; i++) {
			if (way == 0 && from + i < store_pages(s))
				add_link(l, from + i);
			else if (way == 1 && from >= i)
				add_link(l, from - i);
			else if (way == 2 && next < store_pages(s))
				add_link(l, next++);
			else
				add_link(l, (uint32_t)rng_below(r, store_pages(s)));
		}
	}
	for (size_t i = 0; i < l->n; i++)
		l->kind[i] = l->has_kinds ? (uint8_t)(1 + rng_below(r, 2)) : 0;
	assert_int_equal(store_put_links(s, id, l->link, l->has_kinds ? l->kind : NULL, NULL, l->n, NULL), 0);
}

/* Counts the breaches of rule S7, which is about links alone. */
static void tell(void *ctx, const char *line)
{
	if (strncmp(line, "S7", 2) == 0)
		++*(int *)ctx;
}

static int breaches(struct store *s)
{
	struct err_note why;
	int n = 0;

	assert_true(store_verify(s, tell, &n, &why) >= 0);
	return n;
}

static void assert_links(struct store *s, const struct list *list, uint32_t n)
{
	const uint32_t *links;
	const uint8_t *kinds;

	for (uint32_t i = 0; i < n; i++) {
		const struct list *l = &list[i];
		assert_int_equal(store_links(s, l->id, &links, &kinds), l->n);
		if (!l->n)
			continue;
		assert_memory_equal(links, l->link, l->n * sizeof *links);
		assert_int_equal(kinds != NULL, l->has_kinds);
		if (kinds)
			assert_memory_equal(kinds, l->kind, l->n);
	}
	assert_int_equal(breaches(s), 0);
}

/* Crawls the pages from..to-1 in one sitting with several commits, and reads the links of all before and after the last one. */
static void sit(const char *dir, struct list *list, uint32_t from, uint32_t to, struct rng *r)
{
	struct store *s = open_store(dir, STORE_WRITE);

	assert_links(s, list, from);
	add_pages(s, CRAWLED);
	for (uint32_t i = from; i < to; i++) {
		crawl(s, &list[i], i, r);
		if (rng_below(r, 20) == 0)
			commit(s);
	}
	assert_links(s, list, to);
	commit(s);
	assert_links(s, list, to);
	store_drop(s);
	s = open_store(dir, STORE_READ);
	assert_links(s, list, to);
	store_drop(s);
}

static void links_of_known_and_new_pages_are_read_as_they_were_put(void **state)
{
	struct list *list = mem_zero(CRAWLED, sizeof *list);
	char dir[64];

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct rng r = {.state = seed};
		strcpy(dir, scratch());
		sit(dir, list, 0, CRAWLED / 2, &r);
		sit(dir, list, CRAWLED / 2, CRAWLED, &r);
		made_forget(dir);
	}
	free(list);
}

static void a_store_with_links_of_an_earlier_format_is_read_and_goes_on(void **state)
{
	struct list *list = mem_zero(CRAWLED, sizeof *list);
	struct rng r = {.state = 9};
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	sit(dir, list, 0, 50, &r);
	raw_links_of_4(dir);
	raw_put(dir, "meta", "format", 6, "4", 1);
	struct store *s = open_store(dir, STORE_READ);
	assert_int_equal(s->env.format, 4);
	assert_links(s, list, 50);
	store_drop(s);
	/* the first sitting of these adds to a chunk of format 4; the later ones find both forms in it */
	for (uint32_t from = 50; from < CRAWLED; from += 70) {
		sit(dir, list, from, from + 70, &r);
		s = open_store(dir, STORE_READ);
		assert_int_equal(s->env.format, STORE_FORMAT);
		assert_int_equal(s->links_in_steps, 50);
		store_drop(s);
	}
	free(list);
}

/* A page's new links, which follow one another, take a byte or two together. */
static void a_run_of_new_pages_is_small(void **state)
{
	enum { NEW = 50 };
	uint32_t link[NEW + 1] = {0};
	const uint8_t *at;
	size_t n;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	add_pages(s, PAGES);
	assert_int_equal(store_put_links(s, 1, link, NULL, NULL, 1, NULL), 0);
	add_pages(s, PAGES + NEW);
	for (uint32_t i = 0; i < NEW; i++)
		link[i + (i >= NEW / 2)] = PAGES + i;
	link[NEW / 2] = 7; /* a known page among them */
	assert_int_equal(store_put_links(s, 1, link, NULL, NULL, NEW + 1, NULL), 0);
	assert_int_equal(records_get(&s->links, 1, &at, &n), 1);
	assert_true(n <= 1 + 1 + 1 + 2 + 1 + 1); /* page, number, run, its first page, known page, run */
	store_drop(s);
}

/* The example of doc/formats.md. */
static void a_record_has_the_bytes_that_the_format_says(void **state)
{
	static const uint8_t record[] = {20, 5 << 1, 6, 5, 160, 1, 28, 3};
	const uint32_t known[] = {0}, link[] = {18, 100, 101, 25, 102};
	const uint8_t *at;
	size_t n;
	char dir[64];

	(void)state;
	strcpy(dir, scratch());
	struct store *s = open_store(dir, STORE_WRITE);
	add_pages(s, 100);
	assert_int_equal(store_put_links(s, 20, known, NULL, NULL, 1, NULL), 0);
	add_pages(s, 103);
	assert_int_equal(store_put_links(s, 20, link, NULL, NULL, 5, NULL), 0);
	assert_int_equal(records_get(&s->links, 1, &at, &n), 1);
	assert_int_equal(n, sizeof record);
	assert_memory_equal(at, record, n);
	store_drop(s);
}

static void damaged_links_are_not_read(void **state)
{
	/* the links of page 1 of 4 pages */
	static const struct {
		const char *value;
		size_t n;
		int is_good;
	} record[] = {
		{"\1\4\5\2", 4, 1},      /* a run of the pages 2 and 3 */
		{"\1\10\4\7\1\2", 6, 0}, /* one link is missing */
		{"\1\6\5\2\3", 5, 0},    /* the second run goes on behind the last page */
		{"\1\6\7\2", 4, 0},      /* a run that is too long for the pages */
		{"\1\2\5\2", 4, 0},      /* a run that is too long for the number of links */
		{"\1\2\1\2", 4, 0},      /* an empty run */
		{"\1\2\3\6", 4, 0},      /* a run from a page that is not there */
		{"\1\2\3\3", 4, 0},      /* a run from a page before the first */
		{"\1\2\3", 3, 0},        /* no first page of a run */
		{"\1\2\14", 3, 0},       /* a known page that is not there */
		{"\1\2\6", 3, 0},        /* the same before the first */
		{"\1\2\4\4", 4, 0},      /* bytes left over */
		{"\1\2\4", 3, 1},
		{"\1\377\377\377\377\377\377\377\377\377\1\4", 12, 0},   /* more links than a page can have */
		{"\1\2\377\377\377\377\377\377\377\377\377\1\0", 13, 0}, /* a run of 2^63 pages */
		{"\1\2\3\377\377\377\377\377\377\377\377\377\1", 13, 0},
	};
	static const char first[8];
	const uint32_t one[] = {2};
	const uint32_t *links;
	char dir[64];

	(void)state;
	for (size_t i = 0; i < sizeof record / sizeof *record; i++) {
		strcpy(dir, scratch());
		struct store *s = open_store(dir, STORE_WRITE);
		add_pages(s, 4);
		assert_int_equal(store_put_links(s, 1, one, NULL, NULL, 1, NULL), 0);
		commit(s);
		store_drop(s);
		raw_put(dir, "links", first, sizeof first, record[i].value, record[i].n);
		s = open_suspect(dir);
		if ((store_links(s, 1, &links, NULL) > 0) != record[i].is_good || (breaches(s) == 0) != record[i].is_good)
			fail_msg("record %zu", i);
		store_drop(s);
		made_forget(dir);
	}
}

static void an_address_that_was_made_up_is_no_link_of_the_web(void **state)
{
	static const uint32_t link[] = {0, 2, 3};
	static const struct {
		uint8_t kind[3];
		size_t n, of_web;
	} rows[] = {{{0, 0, STORE_MADE_UP}, 3, 2}, {{STORE_MADE_UP}, 1, 0}, {{0, 0, 0}, 3, 3}, {{0, 0x80, 4}, 3, 3}, {{0}, 0, 0}};
	const char *dir = scratch();
	struct store *s = open_store(dir, STORE_WRITE);
	const uint32_t *links;
	const uint8_t *kinds;

	(void)state;
	add_pages(s, 5);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(store_put_links(s, 1, link, rows[i].kind, NULL, rows[i].n, NULL), 0);
		assert_int_equal(store_links(s, 1, &links, &kinds), rows[i].n);
		assert_int_equal(store_web_links(s, 1, &links, &kinds), rows[i].of_web);
		assert_int_equal(store_web_links(s, 1, &links, NULL), rows[i].of_web);
		uint8_t *made_up = store_made_up(s);
		for (uint32_t id = 0; id < 5; id++)
			assert_int_equal(made_up[id], rows[i].of_web < rows[i].n && id == link[rows[i].of_web]);
		free(made_up);
	}
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_of_known_and_new_pages_are_read_as_they_were_put),
		cmocka_unit_test(a_store_with_links_of_an_earlier_format_is_read_and_goes_on),
		cmocka_unit_test(a_run_of_new_pages_is_small),
		cmocka_unit_test(a_record_has_the_bytes_that_the_format_says),
		cmocka_unit_test(damaged_links_are_not_read),
		cmocka_unit_test(an_address_that_was_made_up_is_no_link_of_the_web),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
