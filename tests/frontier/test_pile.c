/* The pile under a host, against a linear scan and a sort. */
#include "tests/test.h"

#include "base/rng.h"
#include "frontier/pile.h"

#include <float.h>
#include <math.h>

#define PAGES 20000

/* What the slow second method knows: pages, and which of them are in. */
struct model {
	struct pile pile;
	struct page *page;
	unsigned char *in;
	uint32_t pages;
	size_t n;
	struct key_order by;
	uint32_t seq;
	struct rng rng;
};

static struct model model(uint32_t pages, double sign, uint64_t seed)
{
	return (struct model){.page = mem_zero(pages, sizeof(struct page)),
		.in = mem_zero(pages, 1),
		.pages = pages,
		.by.sign = sign,
		.rng = {seed}};
}

static void model_release(struct model *m)
{
	pile_release(&m->pile);
	free(m->page);
	free(m->in);
}

static struct page_order order_of(const struct model *m)
{
	return (struct page_order){m->page, &m->by};
}

static struct entry entry_now(const struct model *m, uint32_t v)
{
	return entry_make(m->by.sign * m->page[v].key, m->page[v].seq, v);
}

static void push(struct model *m, uint32_t v, double key)
{
	m->page[v] = (struct page){key, m->seq++, 0};
	m->in[v] = 1;
	m->n++;
	pile_push(&m->pile, v, order_of(m));
}

static void rekey(struct model *m, uint32_t v, double key)
{
	m->page[v].key = key;
	pile_rekey(&m->pile, v, order_of(m));
}

static void drop(struct model *m, uint32_t v)
{
	m->in[v] = 0;
	m->n--;
	pile_remove(&m->pile, v, order_of(m));
}

static uint32_t best_by_scan(const struct model *m)
{
	uint32_t best = UINT32_MAX;
	struct entry e, least = {0, 0, 0};

	for (uint32_t v = 0; v < m->pages; v++) {
		e = entry_now(m, v);
		if (m->in[v] && (best == UINT32_MAX || entry_before(&e, &least))) {
			best = v;
			least = e;
		}
	}
	return best;
}

static uint32_t best_of(struct model *m)
{
	const struct entry *e = pile_best(&m->pile, order_of(m));

	if (!e)
		return UINT32_MAX;
	assert_true(entry_key(e) == m->by.sign * m->page[e->id].key && e->seq == m->page[e->id].seq);
	return e->id;
}

/* P1 and P2, and how much the lists hold. */
static void check(const struct model *m)
{
	const struct parts *rest = m->pile.rest;
	unsigned char *found = mem_zero(m->pages, 1);
	size_t ids = 0, n = 0;

	assert_int_equal(m->pile.n, m->n);
	assert_true(m->pile.top.n < PILE_TOP);
	for (size_t i = 0; i < m->pile.top.n; i++) {
		assert_int_equal(m->page[m->pile.top.at[i].id].slot, i);
		found[m->pile.top.at[i].id] = 1;
	}
	for (size_t i = 0; rest && i < rest->n; i++) {
		const struct part *t = &rest->part[i];
		ids += t->n;
		assert_true(i == 0 || entry_before(&t->bound, &rest->part[i - 1].bound));
		for (size_t j = 0; j < t->n; j++) {
			struct entry e = entry_now(m, t->id[j]);
			if (m->page[t->id[j]].slot != t->mark)
				continue;
			assert_false(entry_before(&e, &t->bound));
			found[t->id[j]] = 1;
		}
	}
	for (uint32_t v = 0; v < m->pages; v++) {
		assert_int_equal(found[v], m->in[v]);
		n += found[v];
	}
	assert_int_equal(n, m->n);
	assert_true(!rest || rest->ids == ids);
	assert_true(ids <= 2 * m->n + 4 * PILE_TOP + PILE_TOP);
	free(found);
}

static double some_key(struct model *m, uint64_t kinds)
{
	return kinds ? (double)rng_below(&m->rng, kinds) : rng_unit(&m->rng);
}

/* One thing at random. Keys of a few kinds are ties for the most part. */
static void step(struct model *m, uint64_t kinds)
{
	uint32_t v = (uint32_t)rng_below(&m->rng, m->pages);
	uint64_t what = rng_below(&m->rng, 16);

	if (!m->in[v])
		push(m, v, some_key(m, kinds));
	else if (what < 6)
		rekey(m, v, some_key(m, kinds));
	else if (what < 10)
		rekey(m, v, m->page[v].key - m->by.sign * 0.01);
	else if (what == 10)
		drop(m, v);
}

static void the_best_is_that_of_a_linear_scan_whatever_happens(void **state)
{
	static const uint64_t kinds[] = {0, 1, 5, 1000};

	(void)state;
	for (size_t k = 0; k < 4; k++) {
		struct model m = model(PAGES, k % 2 ? 1 : -1, 7 + k);
		for (uint32_t i = 1; i <= 150000; i++) {
			step(&m, kinds[k]);
			if (i % 100 == 0) {
				assert_int_equal(best_of(&m), best_by_scan(&m));
				drop(&m, best_of(&m));
			}
			if (i % 30000 == 0) {
				for (uint32_t v = 0; v < m.pages; v++)
					m.page[v].key = some_key(&m, kinds[k]);
				m.by.sign = -m.by.sign;
				pile_rekey_all(&m.pile, order_of(&m));
			}
			if (i % 10000 == 0)
				check(&m);
		}
		assert_true(m.pile.rest->n > 0);
		model_release(&m);
	}
}

static int by_entry(const void *a, const void *b)
{
	return entry_before(a, b) ? -1 : 1;
}

/* The keys of many change in one hook, and they are told of one by one: what is poured meanwhile
 * has keys already that nobody has told of. */
static void keys_that_change_together_are_told_of_one_by_one(void **state)
{
	struct model m = model(PAGES, -1, 11);
	uint32_t some[50];

	(void)state;
	for (uint32_t v = 0; v < PAGES; v++)
		push(&m, v, rng_unit(&m.rng));
	for (int i = 0; i < 3000; i++) {
		for (size_t k = 0; k < 50; k++) {
			some[k] = (uint32_t)rng_below(&m.rng, PAGES);
			m.page[some[k]].key += rng_unit(&m.rng) - 0.3;
		}
		for (size_t k = 0; k < 50; k++) {
			if (m.in[some[k]])
				pile_rekey(&m.pile, some[k], order_of(&m));
			pile_best(&m.pile, order_of(&m));
		}
		uint32_t best = best_of(&m);
		if (i % 10 == 0)
			assert_int_equal(best, best_by_scan(&m));
		drop(&m, best);
	}
	check(&m);
	model_release(&m);
}

/* In the order of the keys, against it, all alike, at random. */
static void a_pile_sorts(void **state)
{
	const uint32_t n = 100000;
	struct entry *sorted = mem_new(n, sizeof *sorted);

	(void)state;
	for (int way = 0; way < 5; way++) {
		struct model m = model(n, 1, 3);
		for (uint32_t v = 0; v < n; v++) {
			push(&m, v,
				way == 0           ? v
					: way == 1 ? n - v
					: way == 2 ? 0
					: way == 3 ? (double)rng_below(&m.rng, 50)
						   : rng_unit(&m.rng));
			sorted[v] = entry_now(&m, v);
		}
		qsort(sorted, n, sizeof *sorted, by_entry);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(best_of(&m), sorted[i].id);
			drop(&m, sorted[i].id);
		}
		assert_null(pile_best(&m.pile, order_of(&m)));
		model_release(&m);
	}
	free(sorted);
}

/* All keys alike, as of the leaves of a star or of a long list of seeds: were a list cut where the heap
 * happens to stand, which holds its first few thousand, all the rest would go back each time. */
static void equal_keys_are_put_into_parts_a_few_times_each(void **state)
{
	const uint32_t n = 1000000;

	(void)state;
	for (int way = 0; way < 2; way++) {
		struct model m = model(n, -1, 3);
		for (uint32_t v = 0; v < n; v++)
			push(&m, v, 1);
		if (way) { /* as after a rerank */
			assert_int_equal(best_of(&m), 0);
			pile_rekey_all(&m.pile, order_of(&m));
		}
		for (uint32_t v = 0; v < n; v++) {
			assert_int_equal(best_of(&m), v);
			drop(&m, v);
		}
		/* some 6 levels of the heap and 3 or 4 parts a page; it was 250 parts a page */
		assert_in_range(pile_moves(&m.pile), n, (uint64_t)15 * n);
		model_release(&m);
	}
}

/* The best page of a pile by a linear scan; UINT32_MAX if it has none. */
static uint32_t best_in(const uint8_t *in, uint8_t pile, const struct page *page)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t v = 0; v < PAGES; v++)
		if (in[v] == pile &&
			(best == UINT32_MAX || page[v].key < page[best].key ||
				(page[v].key == page[best].key && page[v].seq < page[best].seq)))
			best = v;
	return best;
}

/* As the prompt and the deferred pages of a host: a part of one pile has ids of pages that lie in a part of the other. */
static void pages_change_from_one_pile_of_a_host_to_the_other(void **state)
{
	struct page *page = mem_zero(PAGES, sizeof *page);
	uint8_t *in = mem_zero(PAGES, 1);
	struct pile pile[2] = {{.n = 0}, {.n = 0}};
	const struct key_order by = {.sign = 1};
	const struct page_order order = {page, &by};
	struct rng rng = {14};

	(void)state;
	pile_make_second(&pile[1]);
	for (uint32_t v = 0; v < PAGES; v++) {
		page[v] = (struct page){rng_unit(&rng), v, SLOT_NONE};
		in[v] = (uint8_t)(v % 2);
		pile_push(&pile[in[v]], v, order);
	}
	for (int i = 0; i < 100000; i++) {
		const uint32_t v = (uint32_t)rng_below(&rng, PAGES);
		if (in[v] < 2) {
			pile_remove(&pile[in[v]], v, order);
			in[v] ^= 1;
			pile_push(&pile[in[v]], v, order);
		}
		for (uint8_t k = 0; i % 10 == 0 && k < 2; k++) {
			const struct entry *best = pile_best(&pile[k], order);
			if (i % 1000 == 0)
				assert_int_equal(best ? best->id : UINT32_MAX, best_in(in, k, page));
			if (best) {
				in[best->id] = 2;
				pile_remove(&pile[k], best->id, order);
			}
		}
		for (int k = 0; i == 50000 && k < 2; k++)
			pile_rekey_all(&pile[k], order);
	}
	for (uint32_t v = 0; v < PAGES; v++)
		if (in[v] < 2)
			pile_remove(&pile[in[v]], v, order);
	assert_int_equal(pile[0].n + pile[1].n, 0);
	pile_release(&pile[0]);
	pile_release(&pile[1]);
	free(page);
	free(in);
}

static void a_pile_of_some_hundred_pages_has_few_entries(void **state)
{
	struct model m = model(PAGES, 1, 13);

	(void)state;
	for (uint32_t v = 0; v < 900; v++) {
		push(&m, v, rng_unit(&m.rng));
		assert_true(m.pile.top.n < PILE_LEAST);
		assert_true(m.pile.top.room <= PILE_LEAST);
	}
	check(&m);
	for (uint32_t v = 0; v < 900; v++) {
		const uint32_t best = best_of(&m);
		assert_int_equal(best, best_by_scan(&m));
		drop(&m, best);
	}
	model_release(&m);
}

/* Pages that go to and fro between heap and parts leave ids behind, which are cleared away. */
static void pages_that_come_and_go_do_not_fill_the_lists(void **state)
{
	struct model m = model(PAGES, 1, 12);

	(void)state;
	for (uint32_t v = 0; v < PAGES; v++)
		push(&m, v, 100 + rng_unit(&m.rng));
	for (int round = 0; round < 12; round++) {
		for (uint32_t v = 0; v < PAGES; v++) { /* into the heap, and back when it is full */
			rekey(&m, v, rng_unit(&m.rng));
			rekey(&m, v, 200 + rng_unit(&m.rng));
		}
		check(&m);
	}
	for (uint32_t v = 0; v < PAGES; v++) {
		uint32_t best = best_of(&m);
		if (v % 100 == 0)
			assert_int_equal(best, best_by_scan(&m));
		drop(&m, best);
	}
	model_release(&m);
}

/* The keys of two entries, and their seqs, in any combination. */
static void entries_are_in_the_order_of_keys_then_of_seqs(void **state)
{
	static const double keys[] = {-INFINITY, -DBL_MAX, -3, -1, -1 + DBL_EPSILON, -DBL_MIN, -DBL_TRUE_MIN, -0.0, 0, DBL_TRUE_MIN,
		DBL_MIN, 1 - DBL_EPSILON, 1, 3, DBL_MAX, INFINITY};
	static const uint32_t seqs[] = {0, 1, 7, UINT32_MAX - 1, UINT32_MAX};
	const size_t n = sizeof keys / sizeof *keys * 5;

	(void)state;
	for (size_t i = 0; i < n * n; i++) {
		const double a = keys[i / n / 5], b = keys[i % n / 5];
		const uint32_t a_seq = seqs[i / n % 5], b_seq = seqs[i % n % 5];
		const struct entry first = entry_make(a, a_seq, 1), second = entry_make(b, b_seq, 2);
		assert_int_equal(entry_before(&first, &second), a < b || (a == b && a_seq < b_seq));
		assert_int_equal(entry_is_equal(&first, &second), a == b && a_seq == b_seq);
		assert_true(entry_key(&first) == a);
		assert_false(a == 0 && signbit(entry_key(&first)));
	}
}

/* A FIFO: pages in the order of their seqs, and some that came back, against a linear scan. */
static void a_fifo_gives_pages_by_seq_whatever_came_back_or_was_dropped(void **state)
{
	struct model m = model(2000, 1, 7);

	(void)state;
	pile_use_fifo(&m.pile, 5);
	for (int step = 0; step < 6000; step++) {
		const uint32_t v = (uint32_t)rng_below(&m.rng, 2000);
		if (m.in[v] && rng_below(&m.rng, 3) == 0) {
			drop(&m, v);
		} else if (!m.in[v]) {
			push(&m, v, 5);
		} else { /* comes back: its turn is earlier than that of the last */
			const uint32_t best = best_of(&m);
			assert_int_equal(best, best_by_scan(&m));
			drop(&m, best);
			if (rng_below(&m.rng, 2)) {
				m.in[best] = 1;
				m.n++;
				pile_push(&m.pile, best, order_of(&m));
			}
		}
		assert_int_equal(m.pile.n, m.n);
	}
	while (m.pile.n) {
		const uint32_t best = best_of(&m);
		assert_int_equal(best, best_by_scan(&m));
		drop(&m, best);
	}
	model_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_is_that_of_a_linear_scan_whatever_happens),
		cmocka_unit_test(keys_that_change_together_are_told_of_one_by_one),
		cmocka_unit_test(a_pile_sorts),
		cmocka_unit_test(equal_keys_are_put_into_parts_a_few_times_each),
		cmocka_unit_test(pages_that_come_and_go_do_not_fill_the_lists),
		cmocka_unit_test(pages_change_from_one_pile_of_a_host_to_the_other),
		cmocka_unit_test(a_pile_of_some_hundred_pages_has_few_entries),
		cmocka_unit_test(entries_are_in_the_order_of_keys_then_of_seqs),
		cmocka_unit_test(a_fifo_gives_pages_by_seq_whatever_came_back_or_was_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
