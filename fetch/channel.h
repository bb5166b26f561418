/* A bounded queue of pointers between threads: any number of threads put, one takes. First in, first out.
 *
 *     if (channel_put(c, item)) wake the taker up, which waits elsewhere;
 *     while (channel_take(c, &item)) ...;   if (channel_doze(c)) wait elsewhere;
 */
#ifndef FETCH_CHANNEL_H
#define FETCH_CHANNEL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct channel {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t filled;
	void **ring;
	size_t room, head, used;
	int asleep; /* the taker waits elsewhere: it is to be woken by other means */
};

void channel_init(struct channel *c, size_t room);
/* Frees the queue. The caller has taken out all items first, and no thread uses it any more. */
void channel_release(struct channel *c);

/* Puts one item; there must be room (asserted: callers count their items in flight). Returns 1, once for each
 * doze, where the taker has dozed off and must be woken. */
int channel_put(struct channel *c, void *item);

/* Takes the oldest: 1, or 0 where there is none. */
int channel_take(struct channel *c, void **item);

/* As channel_take(), but waits until `until` (ms of clock_ms(); INT64_MAX: for ever). */
int channel_wait(struct channel *c, void **item, int64_t until);

/* The taker says that it is about to wait elsewhere: 1, or 0 where there is an item to take first. */
int channel_doze(struct channel *c);

#endif
