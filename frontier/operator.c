/* What the operator of a crawl does to hosts, and looks at: holds, the delay, and the pages that come next. */
#include "frontier/frontier_internal.h"

#include <assert.h>

void frontier_set_delay(struct frontier *f, int64_t delay_ms)
{
	assert(delay_ms >= 0);
	hosts_set_delay(&f->queue.hosts, delay_ms);
}

void frontier_hold(struct frontier *f, uint32_t host)
{
	if (host < f->queue.hosts.n)
		hosts_hold(&f->queue.hosts, host);
}

void frontier_let_go(struct frontier *f, uint32_t host)
{
	if (host < f->queue.hosts.n)
		hosts_let_go(&f->queue.hosts, host);
}

int frontier_has_held(const struct frontier *f)
{
	const struct hosts *all = &f->queue.hosts;
	size_t i = 0;

	while (i < all->n_held && !all->at[all->held[i]].has_pages)
		i++;
	return i < all->n_held;
}

enum frontier_host_state frontier_host_state(const struct frontier *f, uint32_t host, int64_t *at)
{
	const struct hosts *all = &f->queue.hosts;

	*at = FRONTIER_NEVER;
	if (host >= all->n)
		return FRONTIER_HOST_IDLE;
	const struct host *h = &all->at[host];
	if (h->is_held)
		return FRONTIER_HOST_HELD;
	if (h->pace.next >= FRONTIER_FOR_GOOD)
		return FRONTIER_HOST_GIVEN_UP;
	if (h->where == HOST_IDLE)
		return FRONTIER_HOST_IDLE;
	*at = hosts_rest_end(all, h);
	return h->where == HOST_READY ? FRONTIER_HOST_READY : FRONTIER_HOST_RESTS;
}

int64_t frontier_host_rest(const struct frontier *f, uint32_t host)
{
	const struct hosts *all = &f->queue.hosts;

	if (host >= all->n)
		return 0;
	const struct host *h = &all->at[host];
	const int64_t until = hosts_rest_end(all, h);
	return until < FRONTIER_FOR_GOOD ? until : 0;
}

int64_t frontier_all_rest(const struct frontier *f, int64_t latest)
{
	int64_t last = 0;

	for (uint32_t h = 0; h < f->queue.hosts.n; h++) {
		const int64_t until = frontier_host_rest(f, h);
		last = until > last ? until : last;
	}
	return last < latest ? last : latest;
}

/* --- the pages that come next */

/* Writes the members of a heap, the best one first, without changing the heap: up to `most`. The candidates for the next
 * member are the children of those written. */
static size_t first_of(const struct heap *h, uint32_t *ids, size_t most)
{
	static const struct heap_indexes nowhere = {NULL, 0};
	struct heap candidates = {.n = 0};
	size_t n = 0;

	if (h->n)
		heap_push(&candidates, (struct entry){h->at[0].ordinal, h->at[0].seq, 0}, nowhere);
	while (n < most && candidates.n) {
		const size_t i = heap_remove(&candidates, 0, nowhere).id;
		ids[n++] = h->at[i].id;
		for (size_t c = 4 * i + 1; c <= 4 * i + 4 && c < h->n; c++)
			heap_push(&candidates, (struct entry){h->at[c].ordinal, h->at[c].seq, (uint32_t)c}, nowhere);
	}
	heap_release(&candidates);
	return n;
}

/* Lists up to `most` hosts: those that are ready, those behind servers that rest, and those that rest. */
static size_t next_hosts(const struct hosts *all, uint32_t *host, size_t most)
{
	uint32_t *server = mem_new(most, sizeof *server);
	size_t n = first_of(&all->ready, host, most);
	const size_t ready = n;

	for (size_t i = 0; i < ready && n < most; i++) {
		const struct host *h = &all->at[host[i]];
		if (h->address)
			n += first_of(&all->servers[h->address].behind, host + n, most - n);
	}
	const size_t resting = first_of(&all->resting, server, most);
	for (size_t i = 0; i < resting && n < most; i++)
		n += first_of(&all->servers[server[i]].behind, host + n, most - n);
	free(server);
	return n + first_of(&all->waiting, host + n, most - n);
}

/* Adds the pages of a part to a heap. */
static void add_part(struct heap *h, const struct part *t, struct page_order order)
{
	static const struct heap_indexes nowhere = {NULL, 0};

	for (size_t i = 0; i < t->n; i++)
		if (order.page[t->id[i]].slot == t->mark)
			heap_push(h, entry_of(order, t->id[i]), nowhere);
}

/* Lists up to `most` of the best pages of a pile that are not in a FIFO: those of its heap and, if these are too few, of its best
 * parts. */
static size_t next_sorted(const struct pile *p, uint32_t *ids, size_t most, struct page_order order)
{
	static const struct heap_indexes nowhere = {NULL, 0};
	struct heap all = {.n = 0};
	size_t n = 0;

	if (p->top.n >= most || !p->rest)
		return first_of(&p->top, ids, most);
	for (size_t i = 0; i < p->top.n; i++)
		heap_push(&all, p->top.at[i], nowhere);
	for (size_t i = p->rest->n; i > 0 && all.n < most; i--)
		add_part(&all, &p->rest->part[i - 1], order);
	while (n < most && all.n) {
		const uint32_t id = heap_remove(&all, 0, nowhere).id;
		if (!n || ids[n - 1] != id) /* the list of a part may have an id twice */
			ids[n++] = id;
	}
	heap_release(&all);
	return n;
}

/* Lists up to `most` of the best pages of a pile. */
static size_t next_pages(const struct pile *p, uint32_t *ids, size_t most, struct page_order order)
{
	size_t n = 0;

	if (!p)
		return 0;
	if (p->fifo)
		for (size_t i = p->fifo->head; i < p->fifo->tail && n < most; i++)
			ids[n++] = p->fifo->ids[i];
	return n + next_sorted(p, ids + n, most - n, order);
}

size_t frontier_upcoming(const struct frontier *f, uint32_t *ids, size_t most)
{
	const struct queue *q = &f->queue;
	uint32_t *host = mem_new(most, sizeof *host), *of = NULL;
	const size_t hosts = next_hosts(&q->hosts, host, most);
	const size_t each = hosts ? (most + hosts - 1) / hosts : 0;
	size_t *got = mem_zero(hosts, sizeof *got), n = 0;

	of = mem_new(hosts * each, sizeof *of);
	for (size_t h = 0; h < hosts; h++) {
		const struct host_pages *pages = &q->of[host[h]];
		got[h] = next_pages(&pages->prompt, of + h * each, each, queue_order(q));
		if (!got[h])
			got[h] = next_pages(pages->deferred, of + h * each, each, queue_order(q));
	}
	for (size_t turn = 0; turn < each; turn++)
		for (size_t h = 0; h < hosts && n < most; h++)
			if (turn < got[h])
				ids[n++] = of[h * each + turn];
	free(host);
	free(of);
	free(got);
	return n;
}
