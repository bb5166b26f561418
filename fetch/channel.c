#include "fetch/channel.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

void channel_init(struct channel *c, size_t room)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&c->filled, &monotonic);
	pthread_condattr_destroy(&monotonic);
	c->ring = mem_new(room, sizeof *c->ring);
	c->room = room;
	c->head = c->used = 0;
	c->asleep = 0;
}

void channel_release(struct channel *c)
{
	assert(c->used == 0);
	free(c->ring);
	pthread_cond_destroy(&c->filled);
	pthread_mutex_destroy(&c->lock);
}

int channel_put(struct channel *c, void *item)
{
	pthread_mutex_lock(&c->lock);
	assert(c->used < c->room);
	c->ring[(c->head + c->used) % c->room] = item;
	c->used++;
	int asleep = c->asleep;
	c->asleep = 0;
	pthread_mutex_unlock(&c->lock);
	pthread_cond_signal(&c->filled);
	return asleep;
}

/* Takes an item if there is one; the caller holds the lock. */
static int take(struct channel *c, void **item)
{
	if (c->used == 0)
		return 0;
	*item = c->ring[c->head];
	c->head = (c->head + 1) % c->room;
	c->used--;
	return 1;
}

int channel_take(struct channel *c, void **item)
{
	pthread_mutex_lock(&c->lock);
	int taken = take(c, item);
	c->asleep = 0;
	pthread_mutex_unlock(&c->lock);
	return taken;
}

int channel_wait(struct channel *c, void **item, int64_t until)
{
	const struct timespec time = {until > 0 ? (time_t)(until / 1000) : 0, until > 0 ? until % 1000 * 1000000 : 0};
	int late = 0, taken;

	pthread_mutex_lock(&c->lock);
	while (!(taken = take(c, item)) && !late) {
		if (until == INT64_MAX)
			pthread_cond_wait(&c->filled, &c->lock);
		else
			late = pthread_cond_timedwait(&c->filled, &c->lock, &time) != 0;
	}
	pthread_mutex_unlock(&c->lock);
	return taken;
}

int channel_will_wait(struct channel *c)
{
	pthread_mutex_lock(&c->lock);
	c->asleep = c->used == 0;
	int asleep = c->asleep;
	pthread_mutex_unlock(&c->lock);
	return asleep;
}
