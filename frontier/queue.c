#include "frontier/queue.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* how far ahead in a ring states are fetched */
#define RING_NEAR 8

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
	for (size_t h = 0; h < q->n_hosts; h++) {
		pile_release(&q->hosts[h].pages);
		late_release(&q->hosts[h]);
	}
	free(q->hosts);
	heap_release(&q->draws);
	heap_release(&q->ready);
	heap_release(&q->waiting);
	heap_release(&q->delayed);
	servers_release(&q->servers);
	mem_big_free(q->ring, q->ring_room, sizeof *q->ring);
}

void queue_need_host(struct queue *q, uint32_t host)
{
	if (host < q->n_hosts)
		return;
	q->hosts = mem_grow(q->hosts, &q->room, (size_t)host + 1, sizeof *q->hosts);
	for (; q->n_hosts <= host; q->n_hosts++)
		q->hosts[q->n_hosts] = (struct host){.next_time = INT64_MIN, .delay = q->delay};
}

static inline struct page_order order_of(const struct queue *q)
{
	return (struct page_order){q->page, q->sign};
}

static inline struct places host_places(const struct queue *q)
{
	return (struct places){&q->hosts[0].place, sizeof *q->hosts};
}

static inline uint32_t host_of(const struct queue *q, uint32_t id)
{
	return q->host_of ? q->host_of[id] : 0;
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

/* The best of a host's pile; 0 where that is empty. */
static inline int pile_first(struct queue *q, struct host *h, struct entry *best)
{
	const struct entry *e = pile_best(&h->pages, order_of(q));

	if (e)
		*best = *e;
	return e != NULL;
}

/* The best entry of the only host beside a ring, whose pile then holds only pages that came back, which are
 * older than most of the ring. As long as there are none nobody asks for the seq. */
static inline int ring_best(struct queue *q, struct host *h, struct entry *best)
{
	uint32_t id;

	if (!ring_head(q, &id))
		return pile_first(q, h, best);
	*best = (struct entry){q->ring_key, 0, id};
	if (h->pages.n) {
		best->seq = q->page[id].seq;
		const struct entry *back = pile_best(&h->pages, order_of(q));
		*best = entry_before(back, best) ? *back : *best;
	}
	return 1;
}

/* The best entry of a host; 0 where it has none. */
static inline int best_of(struct queue *q, struct host *h, struct entry *best)
{
	if (q->is_ring)
		return ring_best(q, h, best);
	return pile_first(q, h, best);
}

/* What a host stands for among the others: its best page, or the key that the policy gives it. */
static inline int standing_of(struct queue *q, struct host *h, struct entry *standing)
{
	int any = best_of(q, h, standing);

	if (!any)
		return h->late && late_standing(q, h, standing);
	if (q->host_key)
		standing->key = q->sign * q->host_key(q->call, h->pages.n);
	return 1;
}

static void host_leave(struct queue *q, struct host *h)
{
	if (h->server != SERVER_NONE && h->where != HOST_WAITING)
		server_leave(q, (uint32_t)(h - q->hosts));
	else if (h->where == HOST_READY)
		heap_remove(&q->ready, h->place, host_places(q));
	else if (h->where == HOST_WAITING)
		heap_remove(&q->waiting, h->place, host_places(q));
	h->where = HOST_IDLE;
}

/* The same for a host whose server is known. */
static void settle_at_server(
	struct queue *q, uint32_t host, enum host_where where, const struct entry *best)
{
	struct host *h = &q->hosts[host];

	if (where == HOST_READY ? h->where == HOST_WAITING : h->where != where)
		host_leave(q, h);
	if (where == HOST_WAITING && h->where == HOST_IDLE) {
		heap_push(&q->waiting, (struct entry){(double)h->next_time, host, host},
			host_places(q));
		h->where = HOST_WAITING;
	}
	server_settle(q, host, where == HOST_READY ? best : NULL);
}

/* Puts the host where it belongs now (F4). */
static void host_settle(struct queue *q, uint32_t host)
{
	struct host *h = &q->hosts[host];
	struct entry best = {0, 0, 0};
	enum host_where where = HOST_IDLE;

	if (h->in_flight < q->per_host && standing_of(q, h, &best))
		where = h->next_time > q->now ? HOST_WAITING : HOST_READY;
	if (h->server != SERVER_NONE) {
		settle_at_server(q, host, where, &best);
		return;
	}
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

/* After the pile of a host has changed: only its top matters outside, or how many pages it has. */
static inline void host_changed(struct queue *q, uint32_t host)
{
	struct host *h = &q->hosts[host];

	if (h->where == HOST_WAITING && h->pages.n)
		return;
	if (h->where == HOST_READY && h->pages.n && !q->is_ring && !q->host_key) {
		const struct entry *top = pile_best(&h->pages, order_of(q)),
				   *mine = &q->ready.at[h->place];
		if (top->key == mine->key && top->seq == mine->seq)
			return;
	}
	host_settle(q, host);
}

static inline int is_late(const struct queue *q, uint32_t id)
{
	return q->is_late && q->is_late[id];
}

static inline void pile_put(struct queue *q, uint32_t host, uint32_t id)
{
	if (is_late(q, id))
		late_push(q, &q->hosts[host], id);
	else
		pile_push(&q->hosts[host].pages, id, order_of(q));
	host_changed(q, host);
}

/* The pile where a page stands. */
static inline struct pile *pile_of(struct queue *q, uint32_t host, uint32_t id)
{
	return is_late(q, id) ? q->hosts[host].late : &q->hosts[host].pages;
}

void queue_push(struct queue *q, uint32_t id)
{
	uint32_t host = host_of(q, id);

	if (q->is_ring && (!q->page || q->tail == 0 || q->ring_seq < q->page[id].seq)) {
		if (q->tail == q->ring_room) /* of more pages than were expected */
			queue_need_ring(q, q->tail * 2);
		q->ring[q->tail++] = id;
		if (q->page) {
			q->ring_seq = q->page[id].seq;
			q->page[id].place = 0;
		}
		if (q->hosts[0].where == HOST_IDLE)
			host_settle(q, 0);
		return;
	}
	pile_put(q, host, id);
}

size_t queue_push_unseen(
	struct queue *q, const uint32_t *ids, size_t n, uint8_t *state, uint32_t below)
{
	uint32_t *ring = q->ring;
	size_t tail = q->tail, i = 0;

	for (; i < n && ids[i] < below; i++) {
		const uint32_t id = ids[i];
		if (state[id] != PAGE_UNSEEN)
			continue;
		state[id] = PAGE_QUEUED;
		ring[tail++] = id;
	}
	q->tail = tail;
	if (tail > q->head && q->hosts[0].where == HOST_IDLE)
		host_settle(q, 0);
	return i;
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
	uint32_t host = host_of(q, id);

	if (q->page[id].place == QUEUE_DELAYED || q->is_ring)
		return;
	q->key_updates++;
	pile_rekey(pile_of(q, host, id), id, order_of(q));
	host_changed(q, host);
}

static int standing(struct queue *q, uint32_t host, struct entry *out)
{
	return standing_of(q, &q->hosts[host], out);
}

void queue_rebuild(struct queue *q)
{
	for (size_t h = 0; h < q->n_hosts; h++) {
		pile_rekey_all(&q->hosts[h].pages, order_of(q));
		if (q->hosts[h].late)
			pile_rekey_all(q->hosts[h].late, order_of(q));
	}
	for (size_t i = 0; i < q->ready.n; i++) {
		struct entry *e = &q->ready.at[i], best = *e;
		int any = standing_of(q, &q->hosts[e->id], &best);
		assert(any);
		*e = (struct entry){best.key, best.seq, e->id};
	}
	heap_rebuild(&q->ready, host_places(q));
	servers_rebuild(q, standing);
}

void queue_drop(struct queue *q, uint32_t id)
{
	uint32_t host = host_of(q, id);

	if (q->page[id].place == QUEUE_DELAYED)
		return; /* skipped when its time comes */
	if (q->is_ring) /* skipped, too; it may have been the last */
		host_settle(q, host);
	pile_remove(pile_of(q, host, id), id, order_of(q));
	host_changed(q, host);
}

void queue_wake(struct queue *q, int64_t now)
{
	if (now > q->now)
		q->now = now;
	while (q->delayed.n && q->delayed.at[0].key <= (double)q->now) {
		uint32_t id = heap_remove(&q->delayed, 0, (struct places){NULL, 0}).id;
		if (q->state[id] == PAGE_QUEUED && q->page[id].place == QUEUE_DELAYED)
			pile_put(q, host_of(q, id), id);
	}
	while (q->waiting.n && q->waiting.at[0].key <= (double)q->now)
		host_settle(q, q->waiting.at[0].id);
	if (q->servers.waiting.n)
		servers_wake(q);
}

/* One more is in flight at a host. */
static inline void count_out(struct queue *q, struct host *h)
{
	h->in_flight++;
	h->was_next = h->next_time;
	if (h->delay > 0) /* between the beginnings of requests, too, where several may run */
		h->next_time = q->now + h->delay;
	if (h->server != SERVER_NONE)
		server_take(q, h->server, q->delay > 0 ? q->now + q->delay : INT64_MIN);
}

void queue_went_out(struct queue *q, uint32_t host)
{
	count_out(q, &q->hosts[host]);
	host_settle(q, host);
}

int queue_take(struct queue *q, int64_t now, uint32_t *id)
{
	queue_wake(q, now);
	if (!q->ready.n)
		return 0;
	uint32_t host = q->ready.at[0].id, next;
	struct host *h = &q->hosts[host];
	struct entry best = {0, 0, 0};
	if (h->late && !h->pages.n) {
		if (!late_first(q, h, id))
			return 0;
		queue_went_out(q, host);
		return 1;
	}
	int any = best_of(q, h, &best), alike = q->is_ring && !h->pages.n;
	assert(any && best.seq == q->ready.at[0].seq);
	q->taken_key = q->sign * q->ready.at[0].key;
	if (h->pages.n && h->pages.top.at[0].id == best.id)
		pile_remove(&h->pages, best.id, order_of(q));
	else
		ring_next(q);
	*id = best.id;
	count_out(q, h);
	/* where all pages stand alike the host stays as it is, as long as it may be asked */
	if (!alike || h->in_flight >= q->per_host || h->next_time > q->now || !ring_head(q, &next))
		host_settle(q, host);
	return 1;
}

size_t queue_take_ring(struct queue *q, int64_t now, uint32_t *ids, size_t most)
{
	struct host *h = &q->hosts[0];
	uint32_t next;
	size_t n = 0;

	queue_wake(q, now);
	if (!q->is_ring || h->where != HOST_READY || h->delay > 0 || h->pages.n || q->delayed.n)
		return 0;
	q->taken_key = q->sign * q->ring_key;
	if (most > q->per_host - h->in_flight)
		most = q->per_host - h->in_flight;
	for (; n < most && ring_head(q, &ids[n]); n++)
		ring_next(q);
	h->in_flight += (uint32_t)n;
	h->was_next = h->next_time;
	if (h->in_flight >= q->per_host || !ring_head(q, &next))
		host_settle(q, 0);
	return n;
}

void queue_out(struct queue *q, uint32_t id)
{
	struct host *h = &q->hosts[host_of(q, id)];

	h->in_flight++;
	if (h->server != SERVER_NONE)
		server_take(q, h->server, INT64_MIN);
}

/* ms from the end of a request to the next at its server, which is the host's as well unless that
 * has asked for more. */
static int64_t pause_after(const struct queue *q, int64_t took)
{
	double slow = q->slow_factor * (double)took;

	if (q->delay <= 0 || slow <= (double)q->delay)
		return q->delay;
	return slow < FRONTIER_MAX_SLOW_MS       ? (int64_t)slow
	       : q->delay > FRONTIER_MAX_SLOW_MS ? q->delay
						 : FRONTIER_MAX_SLOW_MS;
}

/* The clocks of host and server, after a request. */
static void tick(struct queue *q, struct host *h, int64_t now)
{
	const int64_t least = pause_after(q, q->took);
	const int64_t own = pause_after(q, q->took > q->hung ? q->took : q->hung);
	const int64_t pause = h->delay > own ? h->delay : own;
	double more = 1;

	q->took = q->hung = 0;
	if (pause > 0 && q->jitter > 0)
		more += q->jitter * rng_unit(&q->jitter_rng);
	const int64_t next = now + (int64_t)((double)pause * more);
	if (pause > 0 && next > h->was_next)
		h->was_next = next; /* holds also where another page leads to no request */
	if (pause > 0 && next > h->next_time) {
		h->next_time = next;
		host_leave(q, h); /* its time in the waiting heap is stale */
	}
	if (h->server != SERVER_NONE)
		server_back(q, h->server,
			least > 0 ? now + (int64_t)((double)least * more) : INT64_MIN);
}

static void tick_back(struct queue *q, struct host *h)
{
	if (!h->in_flight && h->next_time != h->was_next) {
		h->next_time = h->was_next;
		host_leave(q, h);
	}
	if (h->server != SERVER_NONE)
		server_back_unasked(q, h->server);
}

void queue_back(struct queue *q, uint32_t id, enum queue_asked asked, int64_t now)
{
	uint32_t host = host_of(q, id);
	struct host *h = &q->hosts[host];

	assert(h->in_flight > 0);
	h->in_flight--;
	if (now > q->now)
		q->now = now;
	if (asked == QUEUE_ASKED)
		tick(q, h, now);
	else
		tick_back(q, h);
	if (h->where != HOST_READY) /* one more that may be in flight leaves it ready */
		host_settle(q, host);
}

void queue_host_delay(struct queue *q, uint32_t host, int64_t delay)
{
	queue_need_host(q, host);
	q->hosts[host].delay = delay > q->delay ? delay : q->delay;
}

void queue_host_pause(struct queue *q, uint32_t host, int64_t time)
{
	struct host *h = &q->hosts[host];

	if (time <= h->next_time)
		return;
	h->next_time = time;
	h->was_next = time;
	host_leave(q, h);
	host_settle(q, host);
}

void queue_host_server(struct queue *q, uint32_t host, uint32_t server)
{
	struct host *h = &q->hosts[host];

	if (h->server == server)
		return;
	host_leave(q, h);
	server_join(q, host, server);
	host_settle(q, host);
}

void queue_took(struct queue *q, int64_t took, int64_t hung)
{
	q->took = took;
	q->hung = hung;
}
