/* Deferred pages: their piles, their standing among hosts, and the sample that is drawn of them. */
#include "frontier/inside.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* the seed's stream for draws */
#define DRAW_STREAM 0x6465666572726564u

/* draws that are looked at for one whose host may be asked */
#define DRAWS_LOOK 64

/* Keys of hosts that have deferred pages alone: from half of DBL_MAX on. Within these LATE_SPAN either
 * side of LATE_MIDDLE stands log(1 + |key|), at most 710. */
#define LATE_MIDDLE (DBL_MAX / 4 * 3)
#define LATE_SPAN   (DBL_MAX / 4 / 710)

static struct page_order order_of(const struct queue *q)
{
	return (struct page_order){q->page, q->sign};
}

/* --- the queue's part */

void late_push(struct queue *q, struct host *h, uint32_t id)
{
	struct rng draw = {q->draw_seed ^ DRAW_STREAM};

	draw.state += rng_next(&draw) ^ id;
	if (!h->late)
		h->late = mem_zero(1, sizeof *h->late);
	pile_push(h->late, id, order_of(q));
	heap_push(&q->draws, (struct entry){rng_unit(&draw), q->page[id].seq, id},
		(struct places){NULL, 0});
}

void late_release(struct host *h)
{
	if (h->late)
		pile_release(h->late);
	free(h->late);
}

int late_standing(struct queue *q, struct host *h, struct entry *standing)
{
	const struct entry *best = pile_best(h->late, order_of(q));

	if (!best)
		return 0;
	*standing = *best;
	if (q->host_key)
		standing->key = q->sign * q->host_key(q->call, h->late->n);
	standing->key =
		LATE_MIDDLE + copysign(LATE_SPAN * log1p(fabs(standing->key)), standing->key);
	return 1;
}

int late_first(struct queue *q, struct host *h, uint32_t *id)
{
	const struct entry *best = pile_best(h->late, order_of(q));

	if (queue_has_prompt(q))
		return 0;
	*id = best->id;
	q->taken_key = q->host_key ? q->host_key(q->call, h->late->n) : q->page[*id].key;
	pile_remove(h->late, *id, order_of(q));
	return 1;
}

static int may_be_asked(const struct queue *q, const struct host *h)
{
	const struct server *s = h->server != SERVER_NONE ? &q->servers.at[h->server] : NULL;

	return h->in_flight < q->per_host && h->next_time <= q->now &&
	       (!s || (s->in_flight < q->per_host && s->next_time <= q->now));
}

/* Whether a page drawn is still deferred and in its pile. */
static int is_there(const struct queue *q, uint32_t id)
{
	return q->state[id] == PAGE_QUEUED && q->is_late[id] && q->page[id].place != QUEUE_DELAYED;
}

int queue_take_sample(struct queue *q, int64_t now, uint32_t *id)
{
	const struct places none = {NULL, 0};
	struct entry later[DRAWS_LOOK];
	size_t n = 0;
	int found = 0;

	queue_wake(q, now);
	while (!found && q->draws.n && n < DRAWS_LOOK) {
		const struct entry e = heap_remove(&q->draws, 0, none);
		const uint32_t host = q->host_of ? q->host_of[e.id] : 0;
		if (!is_there(q, e.id) || (n && later[n - 1].id == e.id))
			continue;
		later[n] = e;
		if (!(found = may_be_asked(q, &q->hosts[host]))) {
			n++;
			continue;
		}
		*id = e.id;
		q->taken_key = q->page[e.id].key;
		pile_remove(q->hosts[host].late, e.id, order_of(q));
		queue_went_out(q, host);
	}
	while (n > 0)
		heap_push(&q->draws, later[--n], none);
	return found;
}

/* --- the frontier's part */

int frontier_is_deferred(const struct frontier *f, uint32_t id)
{
	return f->is_late && id < f->ids && f->is_late[id] &&
	       (f->state[id] == PAGE_QUEUED || f->state[id] == PAGE_IN_FLIGHT);
}

static void move(struct frontier *f, uint32_t id, int late)
{
	const int in_queue =
		f->state[id] == PAGE_QUEUED && !f->restoring && f->page[id].place != QUEUE_DELAYED;

	assert(f->is_late && id < f->ids);
	assert(f->state[id] == PAGE_QUEUED || f->state[id] == PAGE_IN_FLIGHT);
	if (f->is_late[id] == late)
		return;
	if (in_queue)
		queue_drop(&f->queue, id);
	f->is_late[id] = (uint8_t)late;
	if (f->state[id] == PAGE_QUEUED && late)
		f->count.deferred++;
	else if (f->state[id] == PAGE_QUEUED)
		f->count.deferred--;
	if (in_queue)
		queue_push(&f->queue, id);
}

void frontier_defer(struct frontier *f, uint32_t id)
{
	move(f, id, 1);
}

void frontier_promote(struct frontier *f, uint32_t id)
{
	move(f, id, 0);
}

int frontier_take_sample(struct frontier *f, int64_t now, uint32_t *id)
{
	if (!f->count.deferred || !queue_take_sample(&f->queue, now, id))
		return 0;
	frontier_goes_out(f, *id);
	return 1;
}
