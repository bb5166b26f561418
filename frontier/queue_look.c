/* What a queue holds, and room for it. */
#include "frontier/queue.h"

#include <math.h>
#include <string.h>

void queue_need_ring(struct queue *q, size_t pages)
{
	if (pages < q->ring_room)
		return;
	uint32_t *ring = mem_big(pages + 1, sizeof *ring);
	if (q->tail)
		memcpy(ring, q->ring, q->tail * sizeof *ring);
	mem_big_free(q->ring, q->ring_room, sizeof *ring);
	q->ring = ring;
	q->ring_room = pages + 1;
}

uint64_t queue_moves(const struct queue *q)
{
	uint64_t moves = 0;

	for (size_t h = 0; h < q->n_hosts; h++) {
		moves += pile_moves(&q->hosts[h].pages);
		if (q->hosts[h].late)
			moves += pile_moves(q->hosts[h].late);
	}
	return moves;
}

int64_t queue_next_time(const struct queue *q)
{
	double time = INFINITY;

	if (q->ready.n && (q->hosts[q->ready.at[0].id].pages.n || q->is_ring || !q->is_late ||
				  !queue_has_prompt(q)))
		return q->now;
	if (q->waiting.n)
		time = q->waiting.at[0].key;
	if (q->servers.waiting.n && q->servers.waiting.at[0].key < time)
		time = q->servers.waiting.at[0].key;
	if (q->delayed.n && q->delayed.at[0].key < time)
		time = q->delayed.at[0].key;
	return time < INFINITY ? (int64_t)time : INT64_MAX;
}

size_t queue_soon(const struct queue *q, uint32_t id[FRONTIER_SOON])
{
	size_t n = 0;

	if (q->is_ring) /* whose pages are taken many at a time */
		return 0;
	/* the root of a heap and its children */
	if (q->ready.n == 1) {
		const struct heap *pages = &q->hosts[q->ready.at[0].id].pages.top;
		for (; n < pages->n && n < FRONTIER_SOON; n++)
			id[n] = pages->at[n].id;
		return n;
	}
	for (size_t i = 0; i < q->ready.n && i < FRONTIER_SOON; i++) {
		const struct heap *pages = &q->hosts[q->ready.at[i].id].pages.top;
		if (pages->n) /* not where deferred ones alone are queued */
			id[n++] = pages->at[0].id;
	}
	return n;
}
