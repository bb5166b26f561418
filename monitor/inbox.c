#include "monitor/inbox.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct inbox {
	pthread_mutex_t lock;
	pthread_cond_t answered; /* an ask was answered, or the inbox was closed */
	struct ask *first, **end;
	const struct ask *in_hand; /* the one that the coordinator is answering */
	int is_open, was_open;     /* now; at any time */
	atomic_uint waiting;
};

struct inbox *inbox_new(void)
{
	struct inbox *in = mem_zero(1, sizeof *in);
	pthread_condattr_t monotonic;

	pthread_mutex_init(&in->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&in->answered, &monotonic);
	pthread_condattr_destroy(&monotonic);
	in->end = &in->first;
	return in;
}

void inbox_free(struct inbox *in)
{
	if (!in)
		return;
	pthread_mutex_destroy(&in->lock);
	pthread_cond_destroy(&in->answered);
	free(in);
}

static void set_open(struct inbox *in, int is_open)
{
	pthread_mutex_lock(&in->lock);
	in->is_open = is_open;
	in->was_open |= is_open;
	pthread_cond_broadcast(&in->answered);
	pthread_mutex_unlock(&in->lock);
}

void inbox_open(struct inbox *in)
{
	set_open(in, 1);
}

void inbox_close(struct inbox *in)
{
	set_open(in, 0);
}

/* Removes a question from the list, if it has not been taken. */
static void withdraw(struct inbox *in, struct ask *ask)
{
	for (struct ask **at = &in->first; *at; at = &(*at)->next) {
		if (*at != ask)
			continue;
		*at = ask->next;
		if (in->end == &ask->next)
			in->end = at;
		atomic_fetch_sub(&in->waiting, 1);
		return;
	}
}

static struct timespec time_in(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

int inbox_ask(struct inbox *in, struct ask *ask, int64_t patience_ms, struct err_note *why)
{
	const struct timespec until = time_in(patience_ms);
	int late = 0;

	pthread_mutex_lock(&in->lock);
	ask->next = NULL;
	ask->is_answered = 0;
	if (in->is_open) {
		*in->end = ask;
		in->end = &ask->next;
		atomic_fetch_add(&in->waiting, 1);
	}
	while (!ask->is_answered && ((in->is_open && !late) || in->in_hand == ask))
		if (late)
			pthread_cond_wait(&in->answered, &in->lock);
		else
			late = pthread_cond_timedwait(&in->answered, &in->lock, &until) != 0;
	withdraw(in, ask);
	const int is_answered = ask->is_answered, is_open = in->is_open, was_open = in->was_open;
	pthread_mutex_unlock(&in->lock);
	if (is_answered)
		return 0;
	return err_set(why, ERR_BUSY,
		is_open            ? "the crawl is busy and has not answered; ask again"
			: was_open ? "the crawl has ended"
				   : "the crawl has not begun yet: it reads its store or its seeds; ask again");
}

void inbox_answer(struct inbox *in, void (*answer)(void *ctx, struct ask *), void *ctx)
{
	if (!atomic_load_explicit(&in->waiting, memory_order_relaxed))
		return;
	pthread_mutex_lock(&in->lock);
	while (in->first) {
		struct ask *ask = in->first;
		withdraw(in, ask);
		in->in_hand = ask;
		pthread_mutex_unlock(&in->lock);
		answer(ctx, ask);
		pthread_mutex_lock(&in->lock);
		in->in_hand = NULL;
		ask->is_answered = 1;
		pthread_cond_broadcast(&in->answered);
	}
	pthread_mutex_unlock(&in->lock);
}
