#include "frontier/fifo.h"
#include "base/paged.h"

#include <assert.h>
#include <string.h>

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
