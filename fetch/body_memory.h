/* The memory of all bodies in flight, bounded in sum: each body has its own bound (--max-filesize), but
 * a thousand at once would come to gigabytes.
 *
 *     body_memory_change(m, before, after)     a body's buffer has grown, shrunk or gone
 *     body_memory_is_tight(m)                  half is in use: no thread starts a further transfer
 *     if (!body_memory_has(m, more)) ...       the transfer waits where it is
 *
 * When all is in use, transfers pause, but for the oldest of each thread, which goes on and makes room when
 * it ends; so the bound is passed by one body a thread at most, and no crawl stands still. A packed body
 * cannot pause, since libcurl would unpack what it has read into memory of its own: it is broken off and
 * asked for again, which is no try of the page. Shared by threads; no lock. */
#ifndef FETCH_BODY_MEMORY_H
#define FETCH_BODY_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct body_memory {
	_Atomic uint64_t used; /* bytes */
	uint64_t most;         /* 0: no bound */
};

static inline void body_memory_change(struct body_memory *m, size_t before, size_t after)
{
	if (after > before)
		atomic_fetch_add_explicit(&m->used, after - before, memory_order_relaxed);
	else if (after < before)
		atomic_fetch_sub_explicit(&m->used, before - after, memory_order_relaxed);
}

static inline int body_memory_is_tight(const struct body_memory *m)
{
	return m->most && atomic_load_explicit(&m->used, memory_order_relaxed) >= m->most / 2;
}

/* Whether a body's buffer may grow by so many bytes. */
static inline int body_memory_has(const struct body_memory *m, size_t more)
{
	return !m->most || atomic_load_explicit(&m->used, memory_order_relaxed) + more <= m->most;
}

#endif
