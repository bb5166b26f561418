#include "tests/agents/sim/sim_time.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

#define EPOCH_NS ((int64_t)1700000000 * 1000000000)
#define READ_NS  1000 /* by which the clock moves on when it is read, so that no loop waits for ever for a time */
#define STACK    ((size_t)1 << 20)

struct task {
	struct task *next; /* all of the run */
	void *owner;
	int64_t wake;  /* in ns */
	uint64_t turn; /* drawn: who wakes first of those who wake at once */
	int has_ended;
	ucontext_t context;
	void *stack;
	void *fiber; /* for the sanitizer of threads */
	void *(*run)(void *);
	void *arg;
};

static struct {
	int is_on;
	int64_t now;
	struct rng rng;
	struct task *tasks, *current;
} sim;

/* --- one thread at a time */

/* Chooses the task whose sleep ends first, and lets the clock jump there. */
static struct task *choose(void)
{
	struct task *best = NULL;

	for (struct task *t = sim.tasks; t; t = t->next)
		if (!t->has_ended && (!best || t->wake < best->wake || (t->wake == best->wake && t->turn < best->turn)))
			best = t;
	assert(best);
	sim.now = best->wake > sim.now ? best->wake : sim.now;
	return best;
}

/* Hands the turn to the next task; goes on when it is the own turn again. */
static void yield(void)
{
	struct task *self = sim.current, *next = choose();

	if (next == self)
		return;
	sim.current = next;
#ifdef __SANITIZE_THREAD__
	__tsan_switch_to_fiber(next->fiber, 0);
#endif
	swapcontext(&self->context, &next->context);
}

static struct task *add_task(void *owner)
{
	struct task *t = mem_zero(1, sizeof *t);

	t->owner = owner;
	t->wake = sim.now;
	t->turn = rng_next(&sim.rng);
	t->next = sim.tasks;
	sim.tasks = t;
	return t;
}

/* Runs the task whose first turn it is. */
static void start(void)
{
	struct task *t = sim.current;

	t->run(t->arg);
	t->has_ended = 1;
	yield();
}

void sim_begin(uint64_t seed)
{
	assert(!sim.is_on);
	sim.rng = (struct rng){seed};
	sim.now = 0;
	sim.current = add_task(NULL);
#ifdef __SANITIZE_THREAD__
	sim.current->fiber = __tsan_get_current_fiber();
#endif
	sim.is_on = 1;
}

void sim_end(void)
{
	for (struct task *t = sim.tasks, *next; t; t = next) {
		next = t->next;
		assert(t->has_ended || t == sim.current);
#ifdef __SANITIZE_THREAD__
		if (t->stack)
			__tsan_destroy_fiber(t->fiber);
#endif
		if (t->stack)
			munmap(t->stack, STACK);
		free(t);
	}
	sim.tasks = sim.current = NULL;
	sim.is_on = 0;
}

static void sleep_until_ns(int64_t ns)
{
	struct task *self = sim.current;

	self->wake = ns > sim.now ? ns : sim.now;
	self->turn = rng_next(&sim.rng);
	yield();
}

void sim_sleep(int64_t ms)
{
	sleep_until_ns(sim.now + ms * 1000000);
}

void sim_sleep_until(int64_t ms)
{
	sleep_until_ns(ms * 1000000 - EPOCH_NS);
}

uint64_t sim_draw(uint64_t n)
{
	return rng_below(&sim.rng, n);
}

void sim_own(void *owner)
{
	sim.current->owner = owner;
}

void *sim_owner(void)
{
	return sim.current ? sim.current->owner : NULL;
}

void sim_stop(const void *owner, int64_t ms)
{
	const int64_t until = sim.now + ms * 1000000;

	for (struct task *t = sim.tasks; t; t = t->next)
		if (t->owner == owner && t->wake < until)
			t->wake = until;
}

/* --- in place of the C library's, for all of the program */

int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	if (!sim.is_on || which == CLOCK_PROCESS_CPUTIME_ID || which == CLOCK_THREAD_CPUTIME_ID)
		return real(which, t);
	sim.now += READ_NS;
	t->tv_sec = (EPOCH_NS + sim.now) / 1000000000;
	t->tv_nsec = (EPOCH_NS + sim.now) % 1000000000;
	return 0;
}

int nanosleep(const struct timespec *wait, struct timespec *left)
{
	static int (*real)(const struct timespec *, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "nanosleep");
	if (!sim.is_on)
		return real(wait, left);
	sleep_until_ns(sim.now + (int64_t)wait->tv_sec * 1000000000 + wait->tv_nsec);
	return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (!sim.is_on)
		return real(thread, attributes, run, arg);
	struct task *t = add_task(sim.current->owner);
	t->run = run;
	t->arg = arg;
	t->stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(t->stack != MAP_FAILED);
	getcontext(&t->context);
	t->context.uc_stack = (stack_t){.ss_sp = t->stack, .ss_size = STACK};
	makecontext(&t->context, start, 0);
#ifdef __SANITIZE_THREAD__
	t->fiber = __tsan_create_fiber(0);
#endif
	*thread = (pthread_t)t;
	return 0;
}

int pthread_join(pthread_t thread, void **result)
{
	static int (*real)(pthread_t, void **);
	const struct task *t = (const struct task *)thread;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_join");
	if (!sim.is_on)
		return real(thread, result);
	while (!t->has_ended)
		sim_sleep(1);
	return 0;
}

ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
	static ssize_t (*real)(void *, size_t, unsigned);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "getrandom");
	if (!sim.is_on)
		return real(bytes, n, flags);
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = (uint8_t)rng_below(&sim.rng, 256);
	return (ssize_t)n;
}

/* The linker's --wrap calls it in place of paged_open(): memory that lies in a file is that of one thread, and here one thread is
 * all agents. */
int __wrap_paged_open(const char *folder, uint64_t most, struct err_note *why);
int __wrap_paged_open(const char *folder, uint64_t most, struct err_note *why)
{
	(void)folder, (void)most;
	return err_set(why, ERR_BUSY, "no memory lies in a file here");
}
