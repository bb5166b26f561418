/* A bounded queue of pointers between threads: any number put, one takes. First in, first out. */
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
/* What is still inside is the caller's to take out first. No thread may be using it. */
void channel_release(struct channel *c);

/* Puts one more; there must be room (asserted: the callers count what they have in flight).
 * Returns 1 where the taker had dozed off, once for each doze. */
int channel_put(struct channel *c, void *item);

/* Takes the oldest: 1, or 0 where there is none. */
int channel_take(struct channel *c, void **item);

/* As channel_take(), but waits until `until` (ms of clock_ms(); INT64_MAX: for ever). */
int channel_wait(struct channel *c, void **item, int64_t until);

/* The taker is about to wait elsewhere: 1, or 0 where it had better take first. */
int channel_doze(struct channel *c);

#endif
