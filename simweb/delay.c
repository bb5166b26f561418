#include "simweb/delay.h"

#include "base/clock.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
	int64_t due; /* ms of clock_ms() */
	struct MHD_Connection *connection;
};

struct delays {
	int64_t ms;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a new first entry, or the end */
	pthread_t thread;
	/* queue[first..end) is in the order of `due`, since every connection waits for the same time */
	struct waiting *queue;
	size_t first, end, room;
	int finished;
	int ended;
};

static void push(struct delays *d, struct waiting new)
{
	if (d->end == d->room && d->first > d->room / 2) {
		d->end -= d->first;
		memmove(d->queue, d->queue + d->first, d->end * sizeof *d->queue);
		d->first = 0;
	}
	d->queue = mem_grow(d->queue, &d->room, d->end + 1, sizeof *d->queue);
	d->queue[d->end++] = new;
}

static void wait_until(struct delays *d, int64_t due)
{
	struct timespec t = {due / 1000, due % 1000 * 1000000};

	pthread_cond_timedwait(&d->changed, &d->lock, &t);
}

/* The thread of the delays: resumes each suspended connection when its answer is due. All delays are equal, so the queue is in
 * order of time. */
static void *resume_when_due(void *ctx)
{
	struct delays *d = ctx;

	pthread_mutex_lock(&d->lock);
	while (!d->ended) {
		if (d->first == d->end)
			pthread_cond_wait(&d->changed, &d->lock);
		else if (d->queue[d->first].due <= clock_ms())
			MHD_resume_connection(d->queue[d->first++].connection);
		else
			wait_until(d, d->queue[d->first].due);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

struct delays *delays_new(int64_t ms)
{
	struct delays *d = mem_zero(1, sizeof *d);
	pthread_condattr_t monotonic;

	d->ms = ms;
	pthread_mutex_init(&d->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&d->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&d->thread, NULL, resume_when_due, d)) {
		pthread_cond_destroy(&d->changed);
		pthread_mutex_destroy(&d->lock);
		free(d);
		return NULL;
	}
	return d;
}

void delays_free(struct delays *d)
{
	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	d->ended = 1;
	pthread_cond_signal(&d->changed);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d->queue);
	free(d);
}

int delays_add(struct delays *d, struct MHD_Connection *connection)
{
	pthread_mutex_lock(&d->lock);
	int added = !d->finished;
	if (added) {
		/* suspended under the lock: otherwise the thread could resume the connection before it is suspended */
		MHD_suspend_connection(connection);
		push(d, (struct waiting){clock_ms() + d->ms, connection});
		pthread_cond_signal(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	return added;
}

void delays_finish(struct delays *d)
{
	pthread_mutex_lock(&d->lock);
	d->finished = 1;
	while (d->first < d->end)
		MHD_resume_connection(d->queue[d->first++].connection);
	pthread_mutex_unlock(&d->lock);
}
