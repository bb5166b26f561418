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
 * crawl never stands still. While bodies that wait for commands of the user (fetch/page_command.h) use half of the memory, no
 * transfer begins, and none goes on without memory: the commands make room. (A body that is compressed although the request did not
 * allow it counts twice while its thread decompresses it.) A compressed body cannot pause, because libcurl would go on
 * decompressing into memory of its own; its transfer is aborted, and the page is requested again without a try being counted. */
#ifndef FETCH_BODY_MEMORY_H
#define FETCH_BODY_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

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

/* Windows are memory of a thread that the process which reads its pages can read, too (fetch/page_jail.h). A body that begins is
 * lent the first free one; a body that finds none, or that outgrows its window, lies on the heap.
 *
 *     if ((at = body_windows_lend(w)) != NULL) ... body_windows_use(w, at, n) ... body_windows_give(w, at); */
#define BODY_WINDOWS 64u
#define BODY_WINDOW  ((size_t)256 << 10) /* bytes of one */
/* Memory comes from the system in such steps, which costs less than page by page; and of all windows so many bytes are not given
 * back, since to have them again for each body costs more than to fill them. */
#define BODY_WINDOW_STEP  ((size_t)64 << 10)
#define BODY_WINDOWS_KEPT ((size_t)8 << 20)

/* Asks the system for memory that will be read, or written, at once. A kernel without it (before Linux 5.14) gives it page by
 * page. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

struct body_windows {
	char *at;                       /* BODY_WINDOWS of them, one after the other */
	uint64_t lent;                  /* a bit for each */
	size_t kept[BODY_WINDOWS], all; /* bytes of each that are in memory, and their sum */
};

/* Lends a window. Returns NULL if none is free, or if `w` is NULL. */
static inline char *body_windows_lend(struct body_windows *w)
{
	if (!w || !~w->lent)
		return NULL;
	const int i = __builtin_ctzll(~w->lent);
	w->lent |= (uint64_t)1 << i;
	return w->at + (size_t)i * BODY_WINDOW;
}

/* Says whether this is the address of a window. */
static inline int body_windows_have(const struct body_windows *w, const char *at)
{
	return at && (uintptr_t)at - (uintptr_t)w->at < BODY_WINDOWS * BODY_WINDOW;
}

/* Prepares the first n bytes of a window that was lent. */
static inline void body_windows_use(struct body_windows *w, char *at, size_t n)
{
	size_t *kept = &w->kept[(size_t)(at - w->at) / BODY_WINDOW];

	if (n <= *kept)
		return;
	const size_t more = (n - *kept + BODY_WINDOW_STEP - 1) / BODY_WINDOW_STEP * BODY_WINDOW_STEP;
	(void)madvise(at + *kept, more, MADV_POPULATE_WRITE);
	*kept += more;
	w->all += more;
}

/* Takes back a window that was lent. */
static inline void body_windows_give(struct body_windows *w, char *at)
{
	const size_t i = (size_t)(at - w->at) / BODY_WINDOW;

	if (w->all > BODY_WINDOWS_KEPT && w->kept[i] > BODY_WINDOW_STEP) {
		(void)madvise(at + BODY_WINDOW_STEP, w->kept[i] - BODY_WINDOW_STEP, MADV_REMOVE);
		w->all -= w->kept[i] - BODY_WINDOW_STEP;
		w->kept[i] = BODY_WINDOW_STEP;
	}
	w->lent &= ~((uint64_t)1 << i);
}

#endif
