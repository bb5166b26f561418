/* The memory of all bodies in flight, bounded in sum: each body has its own bound (--max-filesize), but
 * a thousand at once would come to gigabytes.
 *
 *     if (!body_memory_take(m, more)) ...      before a body's buffer grows; 0: the transfer waits where it is
 *     body_memory_add(m, more)                 the same for a body that need not wait
 *     body_memory_give(m, bytes)               the buffer has gone
 *     body_memory_is_tight(m)                  half is in use: no thread starts a further transfer
 *
 * When all is in use, transfers pause, but for one of each thread, its oldest, which goes on and makes room when
 * it ends. So the bodies that have to wait never pass the bound, all others together pass it by one body a thread
 * at most, and no crawl stands still. (A body that was packed although nobody asked for it counts twice while its
 * thread unpacks it.) A packed body cannot pause, since libcurl would unpack what it has read into memory of its
 * own: it is broken off and asked for again, which is no try of the page. Shared by threads; no lock. */
#ifndef FETCH_BODY_MEMORY_H
#define FETCH_BODY_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct body_memory {
	_Atomic uint64_t used; /* bytes */
	uint64_t most;         /* 0: no bound */
};

static inline void body_memory_add(struct body_memory *m, size_t more)
{
	atomic_fetch_add_explicit(&m->used, more, memory_order_relaxed);
}

static inline void body_memory_give(struct body_memory *m, size_t bytes)
{
	atomic_fetch_sub_explicit(&m->used, bytes, memory_order_relaxed);
}

/* Takes so many bytes more: 1, or 0 where the bound leaves no room for them and nothing was taken. However many
 * threads take at once, the bound holds. */
static inline int body_memory_take(struct body_memory *m, size_t more)
{
	uint64_t used = atomic_load_explicit(&m->used, memory_order_relaxed);

	do {
		if (m->most && (used > m->most || more > m->most - used))
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
		&m->used, &used, used + more, memory_order_relaxed, memory_order_relaxed));
	return 1;
}

static inline int body_memory_is_tight(const struct body_memory *m)
{
	return m->most && atomic_load_explicit(&m->used, memory_order_relaxed) >= m->most / 2;
}

/* Whether body_memory_take() would have room for so many bytes now. */
static inline int body_memory_has(const struct body_memory *m, size_t more)
{
	return !m->most || atomic_load_explicit(&m->used, memory_order_relaxed) + more <= m->most;
}

#endif
