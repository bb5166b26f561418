#include "frontier/pile.h"
#include "base/paged.h"
#include "frontier/pages.h"

#include <assert.h>
#include <string.h>

/* the bit of a mark that part_tidy() inverts, and the bits with the index of the part */
#define MARK_TURN   0x40000000u
#define MARK_NUMBER 0x1fffffffu

/* how far ahead in a list pages are fetched */
#define AHEAD 12

/* the number of entries in the sample for the middle of the heap */
#define SAMPLE 64

/* the most entries in the sample for the cuts of a part; the number of sampled entries that are better than the best cut
 * is at least CUT_LEAST */
#define CUT_SAMPLE 256
#define CUT_LEAST  8

static void part_release(struct part *t)
{
	paged_block_free(t->id, t->room * sizeof *t->id);
}

static void parts_free(struct parts *rest)
{
	for (size_t i = 0; rest && i < rest->n; i++)
		part_release(&rest->part[i]);
	if (rest)
		free(rest->part);
	free(rest);
}

void pile_release(struct pile *p)
{
	heap_release(&p->top);
	parts_free(p->rest);
	if (p->fifo)
		fifo_release(p->fifo);
	free(p->fifo);
}

static struct parts *parts_new(uint32_t second)
{
	struct parts *rest = mem_zero(1, sizeof *rest);

	rest->second = second;
	return rest;
}

void pile_make_second(struct pile *p)
{
	assert(!p->n && !p->rest);
	p->rest = parts_new(PILE_SECOND);
}

void pile_use_fifo(struct pile *p, double key)
{
	assert(!p->n && !p->fifo);
	p->fifo = mem_zero(1, sizeof *p->fifo);
	p->fifo->key = key;
}

/* Returns the part to which the entry e belongs, or NULL if it belongs to the heap. */
static inline struct part *part_of(const struct pile *p, const struct entry *e)
{
	struct parts *rest = p->rest;
	size_t low = 0, high;

	if (!rest || !rest->n || entry_before(e, &rest->part[rest->n - 1].bound))
		return NULL;
	for (high = rest->n - 1; low < high;) {
		size_t middle = (low + high) / 2;
		if (entry_before(e, &rest->part[middle].bound))
			low = middle + 1;
		else
			high = middle;
	}
	return &rest->part[low];
}

static inline void part_add(struct pile *p, struct part *t, uint32_t id, struct page_order order)
{
	t->id = paged_block_grow(t->id, &t->room, t->n + 1, sizeof *t->id);
	t->id[t->n++] = id;
	order.page[id].slot = t->mark;
	p->rest->ids++;
	p->top.moves++;
}

/* Removes from the list of a part the ids of pages that have left the part, and the second id of a page that has left it and
 * come back. */
static void part_tidy(struct part *t, struct page_order order)
{
	uint32_t mark = t->mark ^ MARK_TURN;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct page *page = &order.page[t->id[i]];
		if (i + AHEAD < t->n)
			__builtin_prefetch(&order.page[t->id[i + AHEAD]], 1);
		if (page->slot != t->mark)
			continue;
		page->slot = mark;
		t->id[n++] = t->id[i];
	}
	t->n = n;
	t->mark = mark;
}

/* Tidies all parts, so that their lists do not become much longer than the number of pages. */
static void tidy(struct pile *p, struct page_order order)
{
	struct parts *rest = p->rest;

	rest->ids = 0;
	for (size_t i = 0; i < rest->n; i++) {
		part_tidy(&rest->part[i], order);
		rest->ids += rest->part[i].n;
	}
}

static int compare(const void *a, const void *b)
{
	return entry_before(a, b) ? -1 : 1;
}

/* Returns about the median entry of the heap. */
static struct entry middle_of(const struct heap *top)
{
	struct entry sample[SAMPLE];

	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = top->at[top->n / SAMPLE * i];
	qsort(sample, SAMPLE, sizeof *sample, compare);
	return sample[SAMPLE / 2];
}

static void new_part(struct pile *p, struct entry bound)
{
	if (!p->rest)
		p->rest = parts_new(0);
	struct parts *rest = p->rest;
	assert(rest->n < (SLOT_FIFO & MARK_NUMBER)); /* this keeps a part's mark different from the special values of page.slot */
	if (rest->n == rest->room) {                 /* most piles have a part or two */
		rest->room = rest->room ? 2 * rest->room : 2;
		rest->part = mem_resize(rest->part, rest->room, sizeof *rest->part);
	}
	rest->part[rest->n] = (struct part){.bound = bound, .mark = SLOT_PART | rest->second | (uint32_t)rest->n};
	rest->n++;
}

/* Moves the entries from about the middle of a full heap on into a new part. If the middle is already worse than a bound, no
 * part is made: only the entries that belong to existing parts are moved. */
static void spill(struct pile *p, struct page_order order)
{
	struct entry middle = middle_of(&p->top);
	struct heap *top = &p->top;
	size_t kept = 0;

	if (!part_of(p, &middle))
		new_part(p, middle);
	for (size_t i = 0; i < top->n; i++) {
		struct part *t = part_of(p, &top->at[i]);
		if (t)
			part_add(p, t, top->at[i].id, order);
		else
			top->at[kept++] = top->at[i];
	}
	top->n = kept;
	heap_rebuild(top, page_slots(order));
}

static void put(struct pile *p, struct entry e, struct page_order order)
{
	struct part *t = part_of(p, &e);

	if (t)
		part_add(p, t, e.id, order);
	else
		heap_push(&p->top, e, page_slots(order));
	if (p->top.n >= pile_top(p->n))
		spill(p, order);
	if (p->rest && p->rest->ids > 2 * p->n + 4 * pile_top(p->n))
		tidy(p, order);
}

void pile_push(struct pile *p, uint32_t id, struct page_order order)
{
	p->n++;
	if (!p->fifo || !fifo_push(p->fifo, id, order))
		put(p, entry_of(order, id), order);
}

void pile_rekey(struct pile *p, uint32_t id, struct page_order order)
{
	uint32_t slot = order.page[id].slot;
	struct entry e = entry_of(order, id);

	if (slot < SLOT_PART)
		heap_rekey(&p->top, slot, e, page_slots(order));
	else if (entry_before(&e, &p->rest->part[slot & MARK_NUMBER].bound))
		put(p, e, order);
}

void pile_remove(struct pile *p, uint32_t id, struct page_order order)
{
	const uint32_t slot = order.page ? order.page[id].slot : SLOT_FIFO;

	assert(p->n && slot < SLOT_NONE);
	p->n--;
	if (slot == SLOT_FIFO) {
		fifo_remove(p->fifo, id, order);
		return;
	}
	if (slot < SLOT_PART)
		heap_remove(&p->top, slot, page_slots(order));
	order.page[id].slot = SLOT_NONE;
}

size_t pile_take_run(struct pile *p, uint32_t *ids, size_t most, const uint8_t *state)
{
	if (!p->fifo || fifo_length(p->fifo) != p->n)
		return 0;
	const size_t n = most < p->n ? most : p->n;
	fifo_take(p->fifo, ids, n, state);
	p->n -= n;
	return n;
}

const struct entry *pile_best_of_fifo(struct pile *p, struct page_order order)
{
	const struct entry *next = fifo_best(p->fifo, order);

	if (fifo_length(p->fifo) == p->n)
		return next;
	if (!pile_is_open(p))
		pile_open(p, order);
	return next && entry_before(next, p->top.at) ? next : p->top.at;
}

/* Moves the pages of a dissolved part into the heap or the parts to which they belong now. */
static void pour(struct pile *p, struct part *t, struct page_order order)
{
	for (size_t i = 0; i < t->n; i++) {
		if (i + AHEAD < t->n)
			__builtin_prefetch(&order.page[t->id[i + AHEAD]], 1);
		if (order.page[t->id[i]].slot == t->mark)
			put(p, entry_of(order, t->id[i]), order);
	}
	part_release(t);
}

/* Writes up to CUT_SAMPLE entries of a part, at equal distances in its list, into out[], sorted. Returns their number. */
static size_t sample_of(const struct part *t, struct page_order order, struct entry *out)
{
	size_t n = 0;

	for (size_t i = 0; i < CUT_SAMPLE; i++) {
		uint32_t id = t->id[(uint64_t)t->n * i / CUT_SAMPLE];
		if (order.page[id].slot == t->mark)
			out[n++] = entry_of(order, id);
	}
	qsort(out, n, sizeof *out, compare);
	return n;
}

/* Makes empty parts for a part that is about to be poured and does not fit into the heap: one for the
 * later half of its pages, one for the later half of the rest, and so on, until the heap can take
 * what is before. The bounds come from the whole list: the heap would only hold its first pages,
 * and where these are the best of all (equal keys, in order of discovery) all others would go back. */
static void cut(struct pile *p, const struct part *t, struct page_order order)
{
	struct entry sample[CUT_SAMPLE];
	size_t n = sample_of(t, order, sample) / 2, pages = t->n / 2;

	for (; n >= CUT_LEAST && pages >= pile_top(p->n) / 2; n /= 2, pages /= 2)
		if (!part_of(p, &sample[n]))
			new_part(p, sample[n]);
}

void pile_open(struct pile *p, struct page_order order)
{
	while (!pile_is_open(p)) {
		struct part last = p->rest->part[--p->rest->n];
		p->rest->ids -= last.n;
		if (p->top.n + last.n >= pile_top(p->n))
			cut(p, &last, order);
		pour(p, &last, order);
	}
}

void pile_rekey_all(struct pile *p, struct page_order order)
{
	struct parts *old = p->rest;

	assert(!p->fifo);
	for (size_t i = 0; i < p->top.n; i++)
		p->top.at[i] = entry_of(order, p->top.at[i].id);
	heap_rebuild(&p->top, page_slots(order));
	p->rest = old ? parts_new(old->second) : NULL;
	for (size_t i = old ? old->n : 0; i-- > 0; old->n = i)
		pour(p, &old->part[i], order);
	parts_free(old);
}

/* how far ahead of the page that is taken states are fetched */
#define NEAR 8

void fifo_release(struct fifo *f)
{
	paged_free(f->ids, f->room, sizeof *f->ids);
}

void fifo_need(struct fifo *f, size_t pages)
{
	if (pages < f->room)
		return;
	f->ids = paged_grow(f->ids, f->room, pages + 1, sizeof *f->ids);
	f->room = pages + 1;
}

int fifo_push(struct fifo *f, uint32_t id, struct page_order order)
{
	struct page *page = order.page ? &order.page[id] : NULL;

	if (page && f->tail && page->seq < f->last_seq)
		return 0;
	if (f->tail == f->room) /* more pages came than fifo_need() has made room for */
		fifo_need(f, f->tail * 2);
	f->ids[f->tail++] = id;
	if (page) {
		page->slot = SLOT_FIFO;
		f->last_seq = page->seq;
	}
	return 1;
}

const struct entry *fifo_best(struct fifo *f, struct page_order order)
{
	if (f->head == f->tail)
		return NULL;
	const uint32_t id = f->ids[f->head];
	f->best = entry_make(f->key, order.page ? order.page[id].seq : (uint32_t)f->head, id);
	return &f->best;
}

/* Returns the index of a page in ids[], which is in the order of seqs. */
static size_t find(const struct fifo *f, uint32_t id, const struct page *page)
{
	size_t low = f->head, high = f->tail - 1;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (page[f->ids[middle]].seq < page[id].seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void fifo_remove(struct fifo *f, uint32_t id, struct page_order order)
{
	assert(f->head < f->tail);
	size_t at = f->ids[f->head] == id ? f->head : find(f, id, order.page);
	assert(f->ids[at] == id);
	/* the pages before it are moved, not those after it, so that `tail` need never exceed the number of pages seen */
	if (at > f->head)
		memmove(&f->ids[f->head + 1], &f->ids[f->head], (at - f->head) * sizeof *f->ids);
	f->head++;
	if (order.page)
		order.page[id].slot = SLOT_NONE;
}

void fifo_take(struct fifo *f, uint32_t *ids, size_t n, const uint8_t *state)
{
	const uint32_t *next = f->ids + f->head;
	const size_t length = fifo_length(f);

	assert(n <= length);
	for (size_t i = 0; i < n; i++) {
		ids[i] = next[i];
		if (i + NEAR < length)
			__builtin_prefetch(&state[next[i + NEAR]]);
	}
	f->head += n;
}

void fifo_make_pages(struct fifo *f, struct page_order order, double first_key)
{
	for (size_t i = 0; i < f->tail; i++)
		order.page[f->ids[i]] = (struct page){first_key, (uint32_t)i, i < f->head ? SLOT_NONE : SLOT_FIFO};
	f->last_seq = f->tail ? (uint32_t)f->tail - 1 : 0;
}
