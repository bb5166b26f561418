#include "fetch/runner.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "fetch/scorer.h"
#include "fetch/user_command.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100 /* how often an idle thread looks at its orders */

enum orders { GO_ON, ABORT, QUIT };

struct runner {
	struct user_command command;
	struct channel inbox; /* struct fetch_page */
	struct scorer *scorer;
	struct channel *outbox;
	struct body_memory *memory;
	int64_t timeout; /* ms that a command may take; 0: no limit */
	int wake;        /* an eventfd, which can be read once there are orders */
	_Atomic int orders;
	pthread_t thread;
	int runs; /* 1: the thread has been started */

	/* used by the thread only */
	int has_run;     /* 1: a command has been run */
	uint64_t failed; /* commands with another status than 0 */

	pthread_mutex_t lock; /* protects the two fields below */
	struct err_note failure;
	int is_failed;
};

/* Raises the orders to this value; orders are never taken back. */
static void give_orders(struct runner *r, enum orders orders)
{
	const uint64_t one = 1;
	int before = GO_ON;

	if (orders == QUIT)
		atomic_store(&r->orders, QUIT);
	else
		atomic_compare_exchange_strong(&r->orders, &before, (int)orders);
	(void)!write(r->wake, &one, sizeof one);
}

static void give_back(struct runner *r, struct fetch_page *page)
{
	page->result.outcome = OUTCOME_ABORTED;
	page->result.state = PAGE_QUEUED;
	page->n = 0;
	channel_put(r->outbox, page);
}

static void fail(struct runner *r, const struct err_note *why)
{
	pthread_mutex_lock(&r->lock);
	r->is_failed = 1;
	r->failure = *why;
	pthread_mutex_unlock(&r->lock);
	give_orders(r, ABORT);
}

/* --- one page */

/* Writes the body, until a time of clock_ms(). Returns 0; or -1 if there are orders, or no time is left. A command need not read
 * its body. */
static int show_body(struct runner *r, const char *at, size_t n, int64_t until)
{
	while (n && atomic_load(&r->orders) == GO_ON && clock_ms() < until) {
		struct pollfd fds[2] = {{.fd = r->command.to, .events = POLLOUT}, {.fd = r->wake, .events = POLLIN}};
		if (poll(fds, 2, clock_poll_ms(until)) <= 0 || !fds[0].revents)
			continue;
		const ssize_t written = write(r->command.to, at, n);
		if (written < 0 && errno != EAGAIN && errno != EINTR)
			return 0;
		at += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return n ? -1 : 0;
}

/* Judges how the command of a page has ended. Returns 0; or -1 if the runner has failed. */
static int judge(struct runner *r, const char *url, int status)
{
	const int cannot = WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
	const int is_first = !r->has_run;
	char how[USER_COMMAND_HOW];
	struct err_note why;

	r->has_run = 1;
	if (!status)
		return 0;
	user_command_tell(status, how);
	if (is_first && cannot) {
		err_set(&why, ERR_OTHER,
			"the command of --exec %s at the first page, so it cannot be run; mend it, and the same command goes on",
			how);
		fail(r, &why);
		return -1;
	}
	if (!r->failed++)
		log_say("the command of --exec %s at %s; -v tells every page", how, url);
	else
		log_detail("the command of --exec %s at %s", how, url);
	return 0;
}

/* Ends a command that has taken too long. */
static void end_late(struct runner *r, const char *url)
{
	char how[USER_COMMAND_HOW];

	user_command_stop(&r->command, how);
	r->has_run = 1;
	if (!r->failed++)
		log_say("the command of --exec took more than %lld ms at %s, and was ended; -v tells every page",
			(long long)r->timeout, url);
	else
		log_detail("the command of --exec took more than %lld ms at %s, and was ended", (long long)r->timeout, url);
}

/* Runs the command. Returns 0; or -1 if the page is to be given back. */
static int run_page(struct runner *r, const struct fetch_page *page)
{
	const char *url = page->shown, *body = url + strlen(url) + 1;
	const int64_t until = r->timeout ? clock_ms() + r->timeout : INT64_MAX;
	char status_text[16], how[USER_COMMAND_HOW];
	struct err_note why;
	int status = 0;

	snprintf(status_text, sizeof status_text, "%u", page->result.status);
	if (user_command_run(&r->command, (const char *const[]){url, status_text, page->about.type}, &why)) {
		fail(r, &why);
		return -1;
	}
	if (!show_body(r, body, page->shown_n - (size_t)(body - url), until))
		while (!user_command_wait(&r->command, r->wake, until, &status))
			if (atomic_load(&r->orders) != GO_ON || clock_ms() >= until)
				break;
	if (!r->command.runs)
		return judge(r, url, status);
	if (atomic_load(&r->orders) == GO_ON) {
		end_late(r, url);
		return 0;
	}
	user_command_stop(&r->command, how);
	return -1;
}

/* --- the thread */

static void *run(void *runner)
{
	struct runner *r = runner;
	void *page;

	while (atomic_load(&r->orders) != QUIT) {
		if (!channel_wait(&r->inbox, &page, clock_ms() + LOOK_MS))
			continue;
		const int is_given_back = atomic_load(&r->orders) != GO_ON || run_page(r, page);
		body_memory_let_go(r->memory, ((struct fetch_page *)page)->shown_n);
		if (is_given_back)
			give_back(r, page);
		else
			scorer_pass(r->scorer, page, r->outbox);
	}
	return NULL;
}

int runner_new(struct runner **out, const char *command, int64_t timeout, struct err_note *why)
{
	struct runner *r = mem_zero(1, sizeof *r);

	*out = NULL;
	r->timeout = timeout;
	pthread_mutex_init(&r->lock, NULL);
	r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int err = r->wake < 0 ? err_set(why, ERR_OTHER, "cannot start the command of --exec: %s", ascii_error(errno))
			      : user_command_open(&r->command, "command of --exec", command, why);
	if (!err) {
		*out = r;
		return 0;
	}
	if (r->wake >= 0)
		close(r->wake);
	pthread_mutex_destroy(&r->lock);
	free(r);
	return err;
}

int runner_begin(struct runner *r, struct scorer *scorer, struct channel *outbox, struct body_memory *memory, size_t most,
	struct err_note *why)
{
	r->memory = memory;
	r->scorer = scorer;
	r->outbox = outbox;
	channel_init(&r->inbox, most);
	r->runs = pthread_create(&r->thread, NULL, run, r) == 0;
	if (!r->runs)
		channel_release(&r->inbox);
	return r->runs ? 0 : err_set(why, ERR_OTHER, "cannot start a thread");
}

void runner_pass(struct runner *r, struct fetch_page *page, struct scorer *scorer, struct channel *outbox)
{
	if (!r || !page->shown) {
		scorer_pass(scorer, page, outbox);
		return;
	}
	body_memory_hold(r->memory, page->shown_n);
	(void)channel_put(&r->inbox, page);
}

void runner_abort(struct runner *r)
{
	if (r)
		give_orders(r, ABORT);
}

void runner_end(struct runner *r)
{
	void *page;

	if (!r || !r->runs)
		return;
	give_orders(r, QUIT);
	pthread_join(r->thread, NULL);
	while (channel_take(&r->inbox, &page))
		fetch_page_free(page);
	if (r->failed)
		log_say("pages whose command of --exec failed: %llu", (unsigned long long)r->failed);
	channel_release(&r->inbox);
	r->runs = 0;
}

int runner_failed(struct runner *r, struct err_note *why)
{
	if (!r)
		return 0;
	pthread_mutex_lock(&r->lock);
	const int err = r->is_failed ? ERR_OTHER : 0;
	if (err && why)
		*why = r->failure;
	pthread_mutex_unlock(&r->lock);
	return err;
}

void runner_free(struct runner *r)
{
	if (!r)
		return;
	user_command_close(&r->command);
	close(r->wake);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
