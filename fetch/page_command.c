#include "fetch/page_command.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "fetch/channel.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS     100         /* how often an idle thread looks at its orders */
#define OUTPUT_STEP (64u << 10) /* bytes of output that are read at once */

enum orders { GO_ON, ABORT, QUIT };

struct page_command {
	const struct page_command_use *use;
	void *ctx;
	struct user_command command;
	struct channel inbox; /* pages */
	struct body_memory *memory;
	int64_t timeout; /* ms that a command may take; 0: no limit */
	int wake;        /* an eventfd, which can be read once there are orders */
	_Atomic int orders;
	pthread_t thread;
	int runs; /* 1: the thread has been started */

	/* used by the thread only */
	int has_run;     /* 1: a command has been run */
	uint64_t failed; /* commands with another status than 0, or that were ended */

	pthread_mutex_t lock; /* protects the two fields below */
	struct err_note failure;
	int is_failed;
};

/* Raises the orders to this value; orders are never taken back. */
static void give_orders(struct page_command *c, enum orders orders)
{
	const uint64_t one = 1;
	int before = GO_ON;

	if (orders == QUIT)
		atomic_store(&c->orders, QUIT);
	else
		atomic_compare_exchange_strong(&c->orders, &before, (int)orders);
	(void)!write(c->wake, &one, sizeof one);
}

static void fail(struct page_command *c, const struct err_note *why)
{
	pthread_mutex_lock(&c->lock);
	c->is_failed = 1;
	c->failure = *why;
	pthread_mutex_unlock(&c->lock);
	give_orders(c, ABORT);
}

/* --- one page */

/* Reads what the command has written. Returns 1, or 0 at the end or if it is more than the page takes. */
static int read_output(struct page_command *c, const struct page_shown *shown)
{
	const ssize_t n = read(c->command.from, buf_room(shown->output, OUTPUT_STEP), OUTPUT_STEP);

	shown->output->used += n > 0 ? (size_t)n : 0;
	return (n > 0 && shown->output->used <= shown->most) || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Writes the body and reads the output, if the page takes it, until a time of clock_ms(). Returns 0; or -1 if there are orders, no time
 * is left, or the output is too long. A command need not read its body. */
static int talk(struct page_command *c, const struct page_shown *shown, int64_t until)
{
	const char *at = shown->body;
	size_t n = shown->n;
	int reads = shown->output != NULL;

	while ((n || reads) && atomic_load(&c->orders) == GO_ON && clock_ms() < until) {
		if (!n)
			user_command_no_more(&c->command);
		struct pollfd fds[3] = {{.fd = n ? c->command.to : -1, .events = POLLOUT},
			{.fd = reads ? c->command.from : -1, .events = POLLIN}, {.fd = c->wake, .events = POLLIN}};
		if (poll(fds, 3, clock_poll_ms(until)) <= 0)
			continue;
		if (fds[0].revents) {
			const ssize_t written = write(c->command.to, at, n);
			if (written < 0 && errno != EAGAIN && errno != EINTR)
				n = 0;
			at += written > 0 ? written : 0;
			n -= written > 0 ? (size_t)written : 0;
		}
		if (fds[1].revents)
			reads = read_output(c, shown);
	}
	return n || reads || (shown->output && shown->output->used > shown->most) ? -1 : 0;
}

/* Judges how the command of a page has ended. */
static enum page_command_end judge(struct page_command *c, const char *url, int status)
{
	const int cannot = WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
	const int is_first = !c->has_run;
	char how[USER_COMMAND_HOW];
	struct err_note why;

	c->has_run = 1;
	if (!status)
		return PAGE_COMMAND_ENDED;
	user_command_tell(status, how);
	if (is_first && cannot) {
		err_set(&why, ERR_OTHER, "the %s %s at the first page, so it cannot be run; mend it, and the same command goes on",
			c->use->what, how);
		fail(c, &why);
		return PAGE_COMMAND_ABORTED;
	}
	if (!c->failed++)
		log_say("the %s %s at %s; -v tells every page", c->use->what, how, url);
	else
		log_detail("the %s %s at %s", c->use->what, how, url);
	return PAGE_COMMAND_FAILED;
}

/* Ends a command that has taken too long, or has written too much. */
static void stop_command(struct page_command *c, const struct page_shown *shown)
{
	char how[USER_COMMAND_HOW], excess[64];
	const char *url = shown->argument[0];

	user_command_stop(&c->command, how);
	c->has_run = 1;
	if (shown->output && shown->output->used > shown->most)
		snprintf(excess, sizeof excess, "wrote more than %zu bytes", shown->most);
	else
		snprintf(excess, sizeof excess, "took more than %lld ms", (long long)c->timeout);
	if (!c->failed++)
		log_say("the %s %s at %s, and was ended; -v tells every page", c->use->what, excess, url);
	else
		log_detail("the %s %s at %s, and was ended", c->use->what, excess, url);
}

/* Runs the command. */
static enum page_command_end run_page(struct page_command *c, const struct page_shown *shown)
{
	const int64_t until = c->timeout ? clock_ms() + c->timeout : INT64_MAX;
	char how[USER_COMMAND_HOW];
	struct err_note why;
	int status = 0;

	const int err = shown->output ? user_command_start(&c->command, shown->argument, &why)
				      : user_command_run(&c->command, shown->argument, &why);
	if (err) {
		fail(c, &why);
		return PAGE_COMMAND_ABORTED;
	}
	if (!talk(c, shown, until))
		while (!user_command_wait(&c->command, c->wake, until, &status))
			if (atomic_load(&c->orders) != GO_ON || clock_ms() >= until)
				break;
	if (!c->command.runs)
		return judge(c, shown->argument[0], status);
	if (atomic_load(&c->orders) == GO_ON) {
		stop_command(c, shown);
		return PAGE_COMMAND_FAILED;
	}
	user_command_stop(&c->command, how);
	return PAGE_COMMAND_ABORTED;
}

/* --- the thread */

static void *run(void *command)
{
	struct page_command *c = command;
	void *page;

	while (atomic_load(&c->orders) != QUIT) {
		if (!channel_wait(&c->inbox, &page, clock_ms() + LOOK_MS))
			continue;
		struct page_shown shown = {.n = 0};
		c->use->show(page, &shown);
		const enum page_command_end end = atomic_load(&c->orders) == GO_ON ? run_page(c, &shown) : PAGE_COMMAND_ABORTED;
		body_memory_let_go(c->memory, shown.n);
		c->use->done(c->ctx, page, end);
	}
	return NULL;
}

int page_command_new(struct page_command **out, const struct page_command_use *use, const char *command, int64_t timeout,
	struct err_note *why)
{
	struct page_command *c = mem_zero(1, sizeof *c);

	*out = NULL;
	c->use = use;
	c->timeout = timeout;
	pthread_mutex_init(&c->lock, NULL);
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int err = c->wake < 0 ? err_set(why, ERR_OTHER, "cannot start the %s: %s", use->what, ascii_error(errno))
			      : user_command_open(&c->command, use->what, command, why);
	if (!err) {
		*out = c;
		return 0;
	}
	if (c->wake >= 0)
		close(c->wake);
	pthread_mutex_destroy(&c->lock);
	free(c);
	return err;
}

int page_command_begin(struct page_command *c, void *ctx, struct body_memory *memory, size_t most, struct err_note *why)
{
	c->memory = memory;
	c->ctx = ctx;
	channel_init(&c->inbox, most);
	c->runs = pthread_create(&c->thread, NULL, run, c) == 0;
	if (!c->runs)
		channel_release(&c->inbox);
	return c->runs ? 0 : err_set(why, ERR_OTHER, "cannot start a thread");
}

void page_command_put(struct page_command *c, void *page)
{
	struct page_shown shown = {.n = 0};

	c->use->show(page, &shown);
	body_memory_hold(c->memory, shown.n);
	(void)channel_put(&c->inbox, page);
}

void page_command_abort(struct page_command *c)
{
	if (c)
		give_orders(c, ABORT);
}

void page_command_end(struct page_command *c)
{
	void *page;

	if (!c || !c->runs)
		return;
	give_orders(c, QUIT);
	pthread_join(c->thread, NULL);
	while (channel_take(&c->inbox, &page))
		c->use->free(page);
	if (c->failed)
		log_say("pages whose %s failed: %llu", c->use->what, (unsigned long long)c->failed);
	channel_release(&c->inbox);
	c->runs = 0;
}

int page_command_failed(struct page_command *c, struct err_note *why)
{
	if (!c)
		return 0;
	pthread_mutex_lock(&c->lock);
	const int err = c->is_failed ? ERR_OTHER : 0;
	if (err && why)
		*why = c->failure;
	pthread_mutex_unlock(&c->lock);
	return err;
}

void page_command_free(struct page_command *c)
{
	if (!c)
		return;
	user_command_close(&c->command);
	close(c->wake);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
