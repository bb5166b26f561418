/* What the operator of a crawl does to hosts, and looks at: holds, the delay, and the pages that come next. */
#include "frontier/frontier_internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Deferred pages: their piles, their standing among hosts, and the sample that is drawn of them. */

/* the seed's stream for draws */
#define DRAW_STREAM 0x6465666572726564u

/* draws that are looked at for one whose host may be asked */
#define DRAWS_LOOK 64

/* Keys of hosts that have deferred pages alone: from half of DBL_MAX on. Within these DEFERRED_SPAN either
 * side of DEFERRED_MIDDLE stands log(1 + |key|), at most 710. */
#define DEFERRED_MIDDLE (DBL_MAX / 4 * 3)
#define DEFERRED_SPAN   (DBL_MAX / 4 / 710)

/* --- the queue's part */

void deferred_push(struct queue *q, uint32_t host, uint32_t id)
{
	struct host_pages *of = &q->of[host];
	struct rng draw = {q->draw_seed ^ DRAW_STREAM};

	draw.state += rng_next(&draw) ^ id;
	if (!of->deferred) {
		of->deferred = mem_zero(1, sizeof *of->deferred);
		pile_make_second(of->deferred);
	}
	pile_push(of->deferred, id, queue_order(q));
	heap_push(&q->draws, entry_make(rng_unit(&draw), q->pages->page[id].seq, id), (struct heap_indexes){NULL, 0});
}

void deferred_release(struct host_pages *of)
{
	if (of->deferred)
		pile_release(of->deferred);
	free(of->deferred);
}

int deferred_standing(struct queue *q, struct host_pages *of, struct entry *standing)
{
	const struct entry *best = pile_best(of->deferred, queue_order(q));

	if (!best)
		return 0;
	const double key = q->host_key ? queue_host_key(q, of->deferred->n) : q->by.sign * q->pages->page[best->id].key;
	if (q->by.rank)
		*standing = entry_in_tier(key, TIER_DEFERRED, best->seq, best->id);
	else
		*standing = entry_make(DEFERRED_MIDDLE + copysign(DEFERRED_SPAN * log1p(fabs(key)), key), best->seq, best->id);
	return 1;
}

int deferred_take(struct queue *q, struct host_pages *of, uint32_t *id)
{
	const struct entry *best = pile_best(of->deferred, queue_order(q));

	if (queue_deferred_wait(q))
		return 0;
	*id = best->id;
	q->taken_key = q->host_key ? q->host_key(q->call, of->deferred->n) : q->pages->page[*id].key;
	pile_remove(of->deferred, *id, queue_order(q));
	return 1;
}

/* Says whether a page that was drawn is still deferred and in its pile. */
static int is_there(const struct queue *q, uint32_t id)
{
	return q->pages->state[id] == PAGE_QUEUED && pages_is_deferred(q->pages, id) && q->pages->page[id].slot != SLOT_DELAYED;
}

int queue_take_sample(struct queue *q, int64_t now, uint32_t *id)
{
	const struct heap_indexes none = {NULL, 0};
	struct entry later[DRAWS_LOOK];
	size_t n = 0;
	int found = 0;

	queue_wake(q, now);
	while (!found && q->draws.n && n < DRAWS_LOOK) {
		const struct entry e = heap_remove(&q->draws, 0, none);
		const uint32_t host = pages_host(q->pages, e.id);
		if (!is_there(q, e.id) || (n && later[n - 1].id == e.id))
			continue;
		later[n] = e;
		if (!(found = hosts_may_ask(&q->hosts, host) && !queue_weigh_host(q, host))) {
			n++;
			continue;
		}
		*id = e.id;
		q->taken_key = q->pages->page[e.id].key;
		pile_remove(q->of[host].deferred, e.id, queue_order(q));
		queue_went_out(q, host);
	}
	while (n > 0)
		heap_push(&q->draws, later[--n], none);
	return found;
}

/* --- the frontier's part */

int frontier_is_deferred(const struct frontier *f, uint32_t id)
{
	return id < f->pages.n && pages_is_deferred(&f->pages, id) &&
		(f->pages.state[id] == PAGE_QUEUED || f->pages.state[id] == PAGE_IN_FLIGHT);
}

int frontier_has_only_deferred(const struct frontier *f)
{
	return f->count.deferred && !queue_has_prompt(&f->queue);
}

/* Defers a queued page (is_deferred is 1), or ends its deferral (0), and moves it to the other pile of its host. */
static void set_deferred(struct frontier *f, uint32_t id, int is_deferred)
{
	struct pages *p = &f->pages;
	const int in_queue = !f->restoring && p->page[id].slot != SLOT_DELAYED;

	assert(p->deferred && id < p->n && p->state[id] == PAGE_QUEUED);
	if (pages_is_deferred(p, id) == is_deferred)
		return;
	if (in_queue)
		queue_drop(&f->queue, id);
	pages_set_deferred(p, id, is_deferred);
	f->count.deferred += is_deferred ? 1 : UINT64_MAX;
	if (in_queue)
		queue_push(&f->queue, id);
}

void frontier_defer(struct frontier *f, uint32_t id)
{
	set_deferred(f, id, 1);
}

void frontier_promote(struct frontier *f, uint32_t id)
{
	if (!frontier_is_deferred(f, id))
		return;
	if (f->pages.state[id] == PAGE_IN_FLIGHT)
		pages_set_deferred(&f->pages, id, 0);
	else
		set_deferred(f, id, 0);
}

int frontier_take_sample(struct frontier *f, int64_t now, uint32_t *id)
{
	if (!f->count.deferred || !queue_take_sample(&f->queue, now, id))
		return 0;
	frontier_goes_out(f, *id);
	return 1;
}

void frontier_set_delay(struct frontier *f, int64_t delay_ms)
{
	assert(delay_ms >= 0);
	f->queue.hosts.politeness.delay = delay_ms; /* a rest that has begun keeps its length */
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
	if (h->is_spent)
		return FRONTIER_HOST_SPENT;
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

/* Says whether a host with pages may not be asked until a request that is in flight has ended: its own, or one of its server. */
static int is_busy(const struct hosts *all, const struct host *h)
{
	if (h->where == HOST_IDLE)
		return h->has_pages && !h->is_held;
	return h->where == HOST_BEHIND && all->servers[h->address].best == HOSTS_NONE &&
		all->servers[h->address].rest_index == HOSTS_NONE;
}

/* Lists up to `most` busy hosts, the one with the best page first. */
static size_t busy_hosts(const struct hosts *all, uint32_t *host, size_t most)
{
	static const struct heap_indexes nowhere = {NULL, 0};
	struct heap busy = {.n = 0};

	for (uint32_t h = 0; most && h < all->n; h++)
		if (is_busy(all, &all->at[h]))
			heap_push(&busy, all->at[h].standing, nowhere);
	const size_t n = first_of(&busy, host, most);
	heap_release(&busy);
	return n;
}

/* Lists up to `most` hosts that have pages, roughly by when they can be asked: hosts that may be asked now; hosts behind those on
 * the same server; hosts behind a server that rests; hosts that wait for the end of their own rest; and hosts that are not asked
 * since a page of theirs is in flight. */
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
	n += first_of(&all->waiting, host + n, most - n);
	return n + busy_hosts(all, host + n, most - n);
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
