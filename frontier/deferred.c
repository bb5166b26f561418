/* Deferred pages: their piles, their standing among hosts, and the sample that is drawn of them. */
#include "frontier/frontier_internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

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
	const double key = q->host_key ? queue_host_key(q, of->deferred->n) : entry_key(best);
	*standing = entry_make(DEFERRED_MIDDLE + copysign(DEFERRED_SPAN * log1p(fabs(key)), key), best->seq, best->id);
	return 1;
}

int deferred_take(struct queue *q, struct host_pages *of, uint32_t *id)
{
	const struct entry *best = pile_best(of->deferred, queue_order(q));

	if (queue_has_prompt(q))
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
		if (!(found = hosts_may_ask(&q->hosts, host))) {
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
