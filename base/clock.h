/* The time: elapsed, by the monotonic clock; on the wall; of the CPU. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_read_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Milliseconds since some fixed moment; never runs backwards. */
static inline int64_t clock_ms(void)
{
	return clock_read_ns(CLOCK_MONOTONIC) / 1000000;
}

/* Nanoseconds, likewise. */
static inline int64_t clock_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* Milliseconds since 1970. The only clock for times that are written down: it is set by people and programs,
 * and goes on while the machine sleeps, which clock_ms() does not. */
static inline int64_t clock_wall_ms(void)
{
	return clock_read_ns(CLOCK_REALTIME) / 1000000;
}

/* CPU nanoseconds of the whole process. */
static inline int64_t clock_cpu_ns(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
