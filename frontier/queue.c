#include "frontier/queue.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* how far ahead in a ring memory is fetched: what a fetch takes is some pages' time */
#define RING_NEAR 8
#define RING_FAR  16

void queue_init(struct queue *q, enum policy_order order, int64_t delay, uint32_t per_host)
{
	*q = (struct queue){.delay = delay,
		.per_host = per_host,
		.now = INT64_MIN,
		.sign = order == POLICY_HIGHEST_FIRST ? -1 : 1};
	queue_need_host(q, 0);
}

void queue_use_ring(struct queue *q, double key)
{
	q->is_ring = 1;
	q->ring_key = q->sign * key;
}

void queue_release(struct queue *q)
{
	for (size_t h = 0; h < q->n_hosts; h++)
		heap_release(&q->hosts[h].pages);
	free(q->hosts);
	heap_release(&q->ready);
	heap_release(&q->waiting);
	heap_release(&q->delayed);
	free(q->ring);
}

void queue_need_host(struct queue *q, uint32_t host)
{
	if (host < q->n_hosts)
		return;
	q->hosts = mem_grow(q->hosts, &q->room, (size_t)host + 1, sizeof *q->hosts);
	for (; q->n_hosts <= host; q->n_hosts++)
		q->hosts[q->n_hosts] = (struct host){.next_time = INT64_MIN, .delay = q->delay};
}

static inline struct places page_places(const struct queue *q)
{
	return (struct places){&q->page[0].place, sizeof *q->page};
}

static inline struct places host_places(const struct queue *q)
{
	return (struct places){&q->hosts[0].place, sizeof *q->hosts};
}

static inline uint32_t host_of(const struct queue *q, uint32_t id)
{
	return q->host_of ? q->host_of[id] : 0;
}

static inline struct entry entry_of(const struct queue *q, uint32_t id)
{
	const struct page *p = &q->page[id];

	assert(isfinite(p->key)); /* F5 */
	return (struct entry){q->sign * p->key, p->seq, id};
}

/* The head of the ring, past what is no longer queued; 0 where the ring is empty. */
static inline int ring_head(struct queue *q, uint32_t *id)
{
	while (q->head < q->tail) {
		*id = q->ring[q->head];
		if (q->state[*id] == PAGE_QUEUED &&
			(!q->delayed.n || q->page[*id].place != QUEUE_DELAYED))
			return 1;
		q->head++;
	}
	return 0;
}

static inline void ring_next(struct queue *q)
{
	size_t ahead = ++q->head + RING_NEAR;

	if (ahead < q->tail)
		__builtin_prefetch(&q->state[q->ring[ahead]]);
}

/* The best entry of the only host beside a ring, whose heap then holds only pages that came back, which are
 * older than most of the ring. As long as there are none nobody asks for the seq. */
static inline int ring_best(struct queue *q, struct host *h, struct entry *best)
{
	uint32_t id;

	if (!ring_head(q, &id)) {
		*best = h->pages.n ? h->pages.at[0] : *best;
		return h->pages.n > 0;
	}
	*best = (struct entry){q->ring_key, 0, id};
	if (h->pages.n) {
		best->seq = q->page[id].seq;
		*best = entry_before(&h->pages.at[0], best) ? h->pages.at[0] : *best;
	}
	return 1;
}

/* The best entry of a host; 0 where it has none. */
static inline int best_of(struct queue *q, struct host *h, struct entry *best)
{
	if (q->is_ring)
		return ring_best(q, h, best);
	if (h->pages.n)
		*best = h->pages.at[0];
	return h->pages.n > 0;
}

/* What a host stands for among the others: its best page, or the key that the policy gives it. */
static inline int standing_of(struct queue *q, struct host *h, struct entry *standing)
{
	int any = best_of(q, h, standing);

	if (any && q->host_key)
		standing->key = q->sign * q->host_key(q->policy_state, h->pages.n);
	return any;
}

static void host_leave(struct queue *q, struct host *h)
{
	if (h->where == HOST_READY)
		heap_remove(&q->ready, h->place, host_places(q));
	else if (h->where == HOST_WAITING)
		heap_remove(&q->waiting, h->place, host_places(q));
	h->where = HOST_IDLE;
}

/* Puts the host where it belongs now (F4). */
static void host_settle(struct queue *q, uint32_t host)
{
	struct host *h = &q->hosts[host];
	struct entry best = {0, 0, 0};
	enum host_where where = HOST_IDLE;

	if (h->in_flight < q->per_host && standing_of(q, h, &best))
		where = h->next_time > q->now ? HOST_WAITING : HOST_READY;
	if (where != h->where)
		host_leave(q, h);
	else if (where == HOST_READY)
		heap_rekey(&q->ready, h->place, best.key, best.seq, host_places(q));
	if (where == h->where)
		return;
	h->where = where;
	if (where == HOST_READY)
		heap_push(&q->ready, (struct entry){best.key, best.seq, host}, host_places(q));
	else if (where == HOST_WAITING)
		heap_push(&q->waiting, (struct entry){(double)h->next_time, host, host},
			host_places(q));
}

/* After the heap of a host has changed: only its top matters outside, or how many pages it has. */
static inline void host_changed(struct queue *q, uint32_t host)
{
	struct host *h = &q->hosts[host];

	if (h->where == HOST_WAITING && h->pages.n)
		return;
	if (h->where == HOST_READY && h->pages.n && !q->is_ring && !q->host_key) {
		const struct entry *top = &h->pages.at[0], *mine = &q->ready.at[h->place];
		if (top->key == mine->key && top->seq == mine->seq)
			return;
	}
	host_settle(q, host);
}

void queue_push(struct queue *q, uint32_t id)
{
	uint32_t host = host_of(q, id);

	if (q->is_ring && (q->tail == 0 || q->ring_seq < q->page[id].seq)) {
		if (q->tail == q->ring_room)
			q->ring = mem_grow(q->ring, &q->ring_room, q->tail + 1, sizeof *q->ring);
		q->ring[q->tail++] = id;
		q->ring_seq = q->page[id].seq;
		q->page[id].place = 0;
		if (q->hosts[0].where == HOST_IDLE)
			host_settle(q, 0);
		return;
	}
	heap_push(&q->hosts[host].pages, entry_of(q, id), page_places(q));
	host_changed(q, host);
}

void queue_delay(struct queue *q, uint32_t id, int64_t time)
{
	if (time <= q->now) {
		queue_push(q, id);
		return;
	}
	q->page[id].place = QUEUE_DELAYED;
	heap_push(&q->delayed, (struct entry){(double)time, q->page[id].seq, id},
		(struct places){NULL, 0});
}

void queue_rekey(struct queue *q, uint32_t id)
{
	uint32_t host = host_of(q, id), place = q->page[id].place;
	struct heap *heap = &q->hosts[host].pages;
	struct entry e = entry_of(q, id);

	if (place == QUEUE_DELAYED || q->is_ring)
		return;
	assert(place < heap->n && heap->at[place].id == id);
	if (heap->at[place].key == e.key)
		return;
	heap_rekey(heap, place, e.key, e.seq, page_places(q));
	host_changed(q, host);
}

void queue_rebuild(struct queue *q)
{
	for (size_t h = 0; h < q->n_hosts; h++) {
		struct heap *heap = &q->hosts[h].pages;
		for (size_t i = 0; i < heap->n; i++)
			heap->at[i] = entry_of(q, heap->at[i].id);
		heap_rebuild(heap, page_places(q));
	}
	for (size_t i = 0; i < q->ready.n; i++) {
		struct entry *e = &q->ready.at[i], best = *e;
		int any = standing_of(q, &q->hosts[e->id], &best);
		assert(any);
		*e = (struct entry){best.key, best.seq, e->id};
	}
	heap_rebuild(&q->ready, host_places(q));
}

void queue_drop(struct queue *q, uint32_t id)
{
	uint32_t host = host_of(q, id), place = q->page[id].place;
	struct heap *heap = &q->hosts[host].pages;

	if (place == QUEUE_DELAYED)
		return; /* skipped when its time comes */
	if (q->is_ring) /* skipped, too; it may have been the last */
		host_settle(q, host);
	if (place < heap->n && heap->at[place].id == id) {
		heap_remove(heap, place, page_places(q));
		host_changed(q, host);
	}
}

/* Hosts and pages whose time has come. */
static void wake(struct queue *q, int64_t now)
{
	if (now > q->now)
		q->now = now;
	while (q->delayed.n && q->delayed.at[0].key <= (double)q->now) {
		uint32_t id = heap_remove(&q->delayed, 0, (struct places){NULL, 0}).id;
		if (q->state[id] == PAGE_QUEUED && q->page[id].place == QUEUE_DELAYED) {
			heap_push(&q->hosts[host_of(q, id)].pages, entry_of(q, id), page_places(q));
			host_changed(q, host_of(q, id));
		}
	}
	while (q->waiting.n && q->waiting.at[0].key <= (double)q->now)
		host_settle(q, q->waiting.at[0].id);
}

int queue_take(struct queue *q, int64_t now, uint32_t *id)
{
	wake(q, now);
	if (!q->ready.n)
		return 0;
	uint32_t host = q->ready.at[0].id, next;
	struct host *h = &q->hosts[host];
	struct entry best = {0, 0, 0};
	int any = best_of(q, h, &best), alike = q->is_ring && !h->pages.n;
	assert(any && best.seq == q->ready.at[0].seq);
	q->taken_key = q->sign * q->ready.at[0].key;
	if (h->pages.n && h->pages.at[0].id == best.id)
		heap_remove(&h->pages, 0, page_places(q));
	else
		ring_next(q);
	*id = best.id;
	h->in_flight++;
	h->was_next = h->next_time;
	if (h->delay > 0) /* between the beginnings of requests, too, where several may run */
		h->next_time = q->now + h->delay;
	/* where all pages stand alike the host stays as it is, as long as it may be asked */
	if (!alike || h->in_flight >= q->per_host || h->next_time > q->now || !ring_head(q, &next))
		host_settle(q, host);
	return 1;
}

void queue_out(struct queue *q, uint32_t id)
{
	q->hosts[host_of(q, id)].in_flight++;
}

void queue_back(struct queue *q, uint32_t id, enum queue_asked asked, int64_t now)
{
	uint32_t host = host_of(q, id);
	struct host *h = &q->hosts[host];

	assert(h->in_flight > 0);
	h->in_flight--;
	if (now > q->now)
		q->now = now;
	if (asked == QUEUE_ASKED && h->delay > 0 && now + h->delay > h->next_time) {
		h->next_time = now + h->delay;
		host_leave(q, h); /* its time in the waiting heap is stale */
	}
	if (asked == QUEUE_NOT_ASKED && !h->in_flight && h->next_time != h->was_next) {
		h->next_time = h->was_next;
		host_leave(q, h);
	}
	if (h->where != HOST_READY) /* one more that may be in flight leaves it ready */
		host_settle(q, host);
}

void queue_host_delay(struct queue *q, uint32_t host, int64_t delay)
{
	queue_need_host(q, host);
	q->hosts[host].delay = delay > q->delay ? delay : q->delay;
}

int64_t queue_next_time(const struct queue *q)
{
	double time = INFINITY;

	if (q->ready.n)
		return q->now;
	if (q->waiting.n)
		time = q->waiting.at[0].key;
	if (q->delayed.n && q->delayed.at[0].key < time)
		time = q->delayed.at[0].key;
	return time < INFINITY ? (int64_t)time : INT64_MAX;
}

size_t queue_soon(const struct queue *q, uint32_t id[FRONTIER_SOON])
{
	size_t n = 0;

	if (q->is_ring) {
		if (q->head + RING_NEAR < q->tail)
			id[n++] = q->ring[q->head + RING_NEAR];
		if (q->head + RING_FAR < q->tail)
			id[n++] = q->ring[q->head + RING_FAR];
		return n;
	}
	/* the root of a heap and its children */
	if (q->ready.n == 1) {
		const struct heap *pages = &q->hosts[q->ready.at[0].id].pages;
		for (; n < pages->n && n < FRONTIER_SOON; n++)
			id[n] = pages->at[n].id;
		return n;
	}
	for (; n < q->ready.n && n < FRONTIER_SOON; n++)
		id[n] = q->hosts[q->ready.at[n].id].pages.at[0].id;
	return n;
}
