/* Virtual time for all threads of a program, of which exactly one runs at a time: the C library's clocks, nanosleep(),
 * pthread_create() and pthread_join() are replaced for the whole program. A thread runs until it sleeps or waits; then the thread
 * runs whose sleep ends first, and the clock jumps to that end. Of several whose sleeps end together one is drawn. So the threads
 * of many agents, which run the code that they run live, do the same whenever the seed is the same. To the kernel all of them are
 * one thread, which has a stack for each: a change of turns is no call of the kernel. No thread may sleep while it holds a lock.
 *
 *	sim_begin(seed);                      the calling thread is the first one
 *	pthread_create(&t, NULL, run, arg);   has the owner of its maker, or the one of sim_own()
 *	sim_sleep(500);
 *	pthread_join(t, NULL);
 *	sim_end();                            when all other threads have ended */
#ifndef TESTS_AGENTS_SIM_TIME_H
#define TESTS_AGENTS_SIM_TIME_H

#include <stdint.h>

/* Begins with time 0 of a run, and ends it. */
void sim_begin(uint64_t seed);
void sim_end(void);

/* Lets the calling thread sleep for so many ms of virtual time. */
void sim_sleep(int64_t ms);

/* Lets it sleep until a time of clock_ms(). */
void sim_sleep_until(int64_t ms);

/* Draws a number below n from the run's random numbers. */
uint64_t sim_draw(uint64_t n);

/* Says of whom the calling thread, and all that it makes from now on, is a part. */
void sim_own(void *owner);

/* Returns of whom the calling thread is a part; NULL: of nobody. */
void *sim_owner(void);

/* Stops all threads of an owner, as SIGSTOP does, for so many ms: their sleeps last at least as long. */
void sim_stop(const void *owner, int64_t ms);

#endif
