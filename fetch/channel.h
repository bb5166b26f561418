/* A bounded first-in first-out queue of pointers between threads. Any number of threads put items; one thread, the taker,
 * takes them. A taker that has to wait for more than the queue (a fetcher thread waits in curl_multi_poll()) uses
 * channel_will_wait(), and the thread that puts an item then wakes it by other means.
 *
 *     putting:  if (channel_put(c, item)) curl_multi_wakeup(multi);
 *     taking:   while (channel_take(c, &item)) ...;   if (channel_will_wait(c)) curl_multi_poll(multi, ...);
 */
#ifndef FETCH_CHANNEL_H
#define FETCH_CHANNEL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct channel {
	pthread_mutex_t lock; /* protects all fields below */
	pthread_cond_t filled;
	void **ring;
	size_t room, head, used;
	int asleep; /* the taker waits for something else and must be woken by other means */
};

/* Makes an empty queue with room for `room` items. */
void channel_init(struct channel *c, size_t room);

/* Frees the queue, which must be empty (asserted) and which no thread may use any more. */
void channel_release(struct channel *c);

/* Puts an item. The queue must have room (asserted; callers bound the number of items in flight). Returns 1 if the caller
 * must wake the taker, which happens once for each channel_will_wait(); else 0. */
int channel_put(struct channel *c, void *item);

/* Takes the oldest item. Returns 1, or 0 if the queue is empty. Only the taker calls this. */
int channel_take(struct channel *c, void **item);

/* Takes the oldest item as channel_take() does, but waits for one until `until` (ms of clock_ms(); INT64_MAX: without a
 * limit). */
int channel_wait(struct channel *c, void **item, int64_t until);

/* Announces that the taker is about to wait for something else. Returns 1; or 0 if the queue has an item, which the taker
 * must take first. */
int channel_will_wait(struct channel *c);

#endif
