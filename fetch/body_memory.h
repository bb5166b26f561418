/* A bound on the memory of all bodies in flight together (--max-memory). Each body has a bound of its own
 * (--max-filesize), but a thousand bodies at once would take gigabytes. All threads share one struct, without a lock.
 *
 *     if (!body_memory_take(m, more)) ...      before a body's buffer grows; 0: the transfer must pause
 *     body_memory_add(m, more)                 the same for a body that must not pause
 *     body_memory_give(m, bytes)               after the buffer is freed
 *     body_memory_is_tight(m)                  1: no thread starts a further transfer
 *     body_memory_hold(m, bytes)               a body that waits for a command of the user
 *     body_memory_let_go(m, bytes)             it waits no longer
 *
 * When the memory is used up, all transfers pause except the oldest one of each thread, which goes on and gives its memory back
 * when it ends. So bodies that can pause never exceed the bound, the others exceed it by at most one body for each thread, and the
 * crawl never stands still. While bodies that wait for commands of the user (fetch/runner.h) use half of the memory, no transfer
 * begins, and none goes on without memory: the commands make room. (A body that is compressed although the request did not allow it
 * counts twice while its thread decompresses it.) A compressed body cannot pause, because libcurl would go on decompressing into
 * memory of its own; its transfer is aborted, and the page is requested again without a try being counted. */
#ifndef FETCH_BODY_MEMORY_H
#define FETCH_BODY_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct body_memory {
	_Atomic uint64_t used; /* bytes */
	_Atomic uint64_t held; /* those of bodies that wait for commands, which are among `used` */
	uint64_t most;         /* 0: no bound */
};

/* Adds bytes to those in use, even beyond the bound. */
static inline void body_memory_add(struct body_memory *m, size_t more)
{
	atomic_fetch_add_explicit(&m->used, more, memory_order_relaxed);
}

/* Gives bytes back that were taken or added before. */
static inline void body_memory_give(struct body_memory *m, size_t bytes)
{
	atomic_fetch_sub_explicit(&m->used, bytes, memory_order_relaxed);
}

/* Takes `more` bytes. Returns 1; or 0, with nothing taken, if the bound does not allow them. The bound holds also if
 * several threads take at once. */
static inline int body_memory_take(struct body_memory *m, size_t more)
{
	uint64_t used = atomic_load_explicit(&m->used, memory_order_relaxed);

	do {
		if (m->most && (used > m->most || more > m->most - used))
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&m->used, &used, used + more, memory_order_relaxed, memory_order_relaxed));
	return 1;
}

/* Adds the bytes of a body that waits for a command. */
static inline void body_memory_hold(struct body_memory *m, size_t bytes)
{
	body_memory_add(m, bytes);
	atomic_fetch_add_explicit(&m->held, bytes, memory_order_relaxed);
}

/* Gives back what body_memory_hold() has added. */
static inline void body_memory_let_go(struct body_memory *m, size_t bytes)
{
	atomic_fetch_sub_explicit(&m->held, bytes, memory_order_relaxed);
	body_memory_give(m, bytes);
}

/* Says whether bodies that wait for commands use half of the bound or more. */
static inline int body_memory_is_held(const struct body_memory *m)
{
	return m->most && atomic_load_explicit(&m->held, memory_order_relaxed) >= m->most / 2;
}

/* Says whether half of the bound or more is in use. */
static inline int body_memory_is_tight(const struct body_memory *m)
{
	return m->most && atomic_load_explicit(&m->used, memory_order_relaxed) >= m->most / 2;
}

/* Says whether body_memory_take() would succeed for `more` bytes now. */
static inline int body_memory_has(const struct body_memory *m, size_t more)
{
	return !m->most || atomic_load_explicit(&m->used, memory_order_relaxed) + more <= m->most;
}

#endif
