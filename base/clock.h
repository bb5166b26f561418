/* The clocks: elapsed time (a monotonic clock), wall-clock time, and CPU time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

static inline int64_t clock_read_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the milliseconds since an arbitrary fixed moment. This clock never runs backwards. */
static inline int64_t clock_ms(void)
{
	return clock_read_ns(CLOCK_MONOTONIC) / 1000000;
}

/* Returns how long poll() may wait for a time of clock_ms(): 0 if it has come, -1 for INT64_MAX, which never comes. */
static inline int clock_poll_ms(int64_t until)
{
	if (until == INT64_MAX)
		return -1;
	const int64_t left = until - clock_ms();
	return left <= 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
}

/* Returns the nanoseconds since the same moment as clock_ms(). This clock never runs backwards. */
static inline int64_t clock_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* Returns the milliseconds since 1970. Only this clock serves for times that are written to a file:
 * people and programs set it, and it runs while the machine sleeps, whereas clock_ms() stands
 * still. */
static inline int64_t clock_wall_ms(void)
{
	return clock_read_ns(CLOCK_REALTIME) / 1000000;
}

/* Returns the milliseconds since this machine was started. Unlike clock_ms() this clock runs while the machine sleeps, so it
 * serves for what another machine counts the time of, too. */
static inline int64_t clock_boot_ms(void)
{
	return clock_read_ns(CLOCK_BOOTTIME) / 1000000;
}

/* Returns the CPU time of the whole process in nanoseconds. */
static inline int64_t clock_cpu_ns(void)
{
	return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the parts of a time in ms since 1970, in UTC; those of 1900 for a year that has none. */
static inline struct tm clock_utc(int64_t ms)
{
	const time_t seconds = (time_t)(ms / 1000);
	struct tm tm = {.tm_mday = 1};

	return gmtime_r(&seconds, &tm) ? tm : (struct tm){.tm_mday = 1};
}

#endif
