#include "fetch/scorer.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "fetch/user_command.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LONGEST_LINE 4096 /* bytes of an answer */
#define TRIES        2    /* how often a page is shown to the command */
#define FOR_ALWAYS   INT64_MAX

_Static_assert(SCORER_STRIKES == 3, "a message says three");

enum orders { GO_ON, ABORT, QUIT };

/* The answers of the command wait in `answer` until their line is whole. The pages that the scorer has are in `ring`, in the order
 * in which they came; the first `shown` of them have been written to the command. */
struct scorer {
	struct user_command command;
	int64_t timeout_ms;
	struct channel inbox; /* struct fetch_page */
	struct channel *outbox;
	int wake; /* an eventfd: the thread has orders or pages */
	_Atomic int orders;
	pthread_t thread;
	int runs; /* 1: the thread has been started */

	/* used by the thread only */
	struct fetch_page **ring;
	size_t room, head, used;
	size_t shown;   /* pages whose line is written */
	size_t written; /* bytes of the line of the next page that are written */
	struct buf answer;
	int64_t since;  /* ms, since when the command has had a page and not answered */
	unsigned tries; /* how often the first page was without an answer */
	uint64_t unscored;
	int has_answered; /* 1: a page has got its answer */
	unsigned strikes; /* pages in a row that were without an answer TRIES times */

	pthread_mutex_t lock; /* protects the two fields below */
	struct err_note failure;
	int is_failed;
};

static void wake(const struct scorer *s)
{
	const uint64_t one = 1;

	(void)!write(s->wake, &one, sizeof one);
}

/* Raises the orders to this value; orders are never taken back. */
static void give_orders(struct scorer *s, enum orders orders)
{
	int before = GO_ON;

	if (orders == QUIT)
		atomic_store(&s->orders, QUIT);
	else
		atomic_compare_exchange_strong(&s->orders, &before, (int)orders);
	wake(s);
}

static struct fetch_page *page_at(const struct scorer *s, size_t i)
{
	return s->ring[(s->head + i) % s->room];
}

static struct fetch_page *take_first(struct scorer *s)
{
	struct fetch_page *page = page_at(s, 0);

	s->head = (s->head + 1) % s->room;
	s->used--;
	s->shown -= s->shown > 0;
	s->tries = 0;
	s->since = clock_ms();
	return page;
}

static void end_without_score(struct scorer *s)
{
	s->unscored++;
	channel_put(s->outbox, take_first(s));
}

static void give_back_all(struct scorer *s)
{
	while (s->used) {
		struct fetch_page *page = take_first(s);
		page->result.outcome = OUTCOME_ABORTED;
		page->result.state = PAGE_QUEUED;
		page->n = 0;
		channel_put(s->outbox, page);
	}
}

/* --- what the command does wrong */

static void fail(struct scorer *s, const char *what)
{
	pthread_mutex_lock(&s->lock);
	s->is_failed = 1;
	err_set(&s->failure, ERR_OTHER, "the score command %s, %s; mend it, and the same command goes on", what,
		s->has_answered ? "at three pages in a row" : "at the first page");
	pthread_mutex_unlock(&s->lock);
	give_orders(s, ABORT);
}

/* Ends the command, which is started again for the pages that have no answer. `what` says what it has done wrong; NULL: it has
 * ended. */
static void break_off(struct scorer *s, const char *what)
{
	char how[USER_COMMAND_HOW] = "";

	user_command_stop(&s->command, how);
	s->shown = s->written = 0;
	buf_clear(&s->answer);
	if (!s->used)
		return;
	s->since = clock_ms();
	if (++s->tries < TRIES)
		return;
	what = what ? what : how;
	if (++s->strikes == SCORER_STRIKES || !s->has_answered) {
		fail(s, what);
		return;
	}
	log_say("the score command %s: a page has no score", what);
	end_without_score(s);
}

/* --- its answers */

static int means_none(const char *line)
{
	static const char *const words[] = {"", "-", "nan", "-nan", "inf", "-inf", "null"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (ascii_order(line, words[i]) == 0)
			return 1;
	return 0;
}

/* Reads one line, which `line` ends with a NUL. Returns 0, or -1 if the command has been broken off. */
static int take_answer(struct scorer *s, char *line)
{
	char said[160];
	double score = -1;
	size_t n;

	line += strspn(line, " \t");
	for (n = strlen(line); n && strchr(" \t\r", line[n - 1]); n--)
		line[n - 1] = 0;
	if (!s->shown) {
		break_off(s, "answers more lines than it got pages");
		return -1;
	}
	if (num_real(line, &score) && !means_none(line)) {
		snprintf(said, sizeof said, "answers '%.60s', which is no score", line);
		break_off(s, said);
		return -1;
	}
	s->strikes = 0;
	s->has_answered = 1;
	if (!(score >= 0 && score <= NUM_SCORE_MOST)) {
		if (!s->unscored)
			log_say("the score command has answered '%.60s': a page has no score", line);
		end_without_score(s);
		return 0;
	}
	struct fetch_page *page = take_first(s);
	page->result.is_scored = 1;
	page->result.score = score;
	channel_put(s->outbox, page);
	return 0;
}

/* Takes the whole lines out of `answer`. */
static void take_answers(struct scorer *s)
{
	char *line = s->answer.at, *end;
	size_t left = s->answer.used;

	while (left && (end = memchr(line, '\n', left)) != NULL) {
		*end = 0;
		left -= (size_t)(end + 1 - line);
		if (take_answer(s, line))
			return;
		line = end + 1;
	}
	if (left > LONGEST_LINE) {
		break_off(s, "answers a line without an end");
		return;
	}
	if (left)
		memmove(s->answer.at, line, left);
	s->answer.used = left;
}

static void read_answers(struct scorer *s)
{
	const size_t room = LONGEST_LINE;
	const ssize_t n = read(s->command.from, buf_room(&s->answer, room), room);

	if (n > 0) {
		s->answer.used += (size_t)n;
		buf_end(&s->answer);
		take_answers(s);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		break_off(s, NULL);
	}
}

/* --- its pages */

/* Says whether a page has to be written to the command now. After a page without an answer the command gets one page at a time,
 * so that it is known which page has made the command end. */
static int has_to_show(const struct scorer *s)
{
	return s->shown < s->used && (!s->tries || !s->shown);
}

/* Writes pages to the command as far as the pipe has room. If the command reads no more, it has ended, or will exceed its time;
 * both are noticed elsewhere. */
static void show_pages(struct scorer *s)
{
	while (has_to_show(s)) {
		const struct fetch_page *page = page_at(s, s->shown);
		const ssize_t n = write(s->command.to, page->line + s->written, page->line_n - s->written);
		if (n < 0)
			return;
		s->written += (size_t)n;
		if (s->written < page->line_n)
			continue;
		s->written = 0;
		s->shown++;
	}
}

static void take_pages(struct scorer *s)
{
	void *page;

	while (channel_take(&s->inbox, &page)) {
		assert(s->used < s->room);
		if (!s->used)
			s->since = clock_ms();
		s->ring[(s->head + s->used++) % s->room] = page;
	}
}

static void start_command(struct scorer *s)
{
	struct err_note why;

	if (!user_command_start(&s->command, NULL, &why))
		return;
	pthread_mutex_lock(&s->lock);
	s->is_failed = 1;
	s->failure = why;
	pthread_mutex_unlock(&s->lock);
	give_orders(s, ABORT);
}

/* --- the thread */

/* Waits for pages, orders, answers, room in the pipe, or the end of the command's time. */
static void wait_and_serve(struct scorer *s)
{
	const int64_t until = s->used ? s->since + s->timeout_ms : FOR_ALWAYS;
	const int64_t ms = until == FOR_ALWAYS ? -1 : until - clock_ms();
	struct pollfd fds[3] = {{.fd = s->wake, .events = POLLIN}, {.fd = s->command.from, .events = POLLIN},
		{.fd = has_to_show(s) ? s->command.to : -1, .events = POLLOUT}};
	uint64_t woken;

	const int n = poll(fds, 3, ms < 0 ? (until == FOR_ALWAYS ? -1 : 0) : ms > INT32_MAX ? INT32_MAX : (int)ms);
	if (n < 0)
		return;
	if (fds[0].revents)
		(void)!read(s->wake, &woken, sizeof woken);
	if (fds[2].revents & POLLOUT)
		show_pages(s);
	if (fds[1].revents)
		read_answers(s);
	else if (fds[2].revents & (POLLERR | POLLHUP))
		break_off(s, NULL);
	else if (!n && s->used && clock_ms() >= s->since + s->timeout_ms) /* after a look that found no answer */
		break_off(s, "has not answered in time");
}

static void *run(void *scorer)
{
	struct scorer *s = scorer;

	while (atomic_load(&s->orders) != QUIT) {
		take_pages(s);
		if (atomic_load(&s->orders) == ABORT)
			give_back_all(s);
		else if (s->used && s->command.to < 0)
			start_command(s);
		if (atomic_load(&s->orders) == ABORT && s->used)
			continue;
		if (channel_will_wait(&s->inbox))
			wait_and_serve(s);
	}
	return NULL;
}

int scorer_new(struct scorer **out, const char *command, int64_t timeout_ms, struct err_note *why)
{
	struct scorer *s = mem_zero(1, sizeof *s);

	*out = NULL;
	s->timeout_ms = timeout_ms;
	pthread_mutex_init(&s->lock, NULL);
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int err = s->wake < 0 ? err_set(why, ERR_OTHER, "cannot start the score command: %s", ascii_error(errno)) : 0;
	if (!err)
		err = user_command_open(&s->command, "score command", command, why);
	if (!err) {
		*out = s;
		return 0;
	}
	if (s->wake >= 0)
		close(s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s);
	return err;
}

int scorer_begin(struct scorer *s, struct channel *outbox, size_t most, struct err_note *why)
{
	s->outbox = outbox;
	s->room = most;
	s->ring = mem_new(most, sizeof(struct fetch_page *));
	channel_init(&s->inbox, most);
	s->runs = pthread_create(&s->thread, NULL, run, s) == 0;
	return s->runs ? 0 : err_set(why, ERR_OTHER, "cannot start a thread");
}

void scorer_pass(struct scorer *s, struct fetch_page *page, struct channel *outbox)
{
	if (!s || !page->line_n)
		channel_put(outbox, page);
	else if (channel_put(&s->inbox, page))
		wake(s);
}

void scorer_abort(struct scorer *s)
{
	if (s)
		give_orders(s, ABORT);
}

void scorer_end(struct scorer *s)
{
	if (!s || !s->ring)
		return;
	if (s->runs) {
		give_orders(s, QUIT);
		pthread_join(s->thread, NULL);
	}
	take_pages(s);
	while (s->used)
		fetch_page_free(take_first(s));
	if (s->unscored)
		log_say("pages without a score: %llu", (unsigned long long)s->unscored);
	channel_release(&s->inbox);
	buf_release(&s->answer);
	free(s->ring);
	s->ring = NULL;
	s->runs = 0;
}

int scorer_failed(struct scorer *s, struct err_note *why)
{
	if (!s)
		return 0;
	pthread_mutex_lock(&s->lock);
	const int err = s->is_failed ? ERR_OTHER : 0;
	if (err && why)
		*why = s->failure;
	pthread_mutex_unlock(&s->lock);
	return err;
}

void scorer_free(struct scorer *s)
{
	if (!s)
		return;
	user_command_close(&s->command);
	close(s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
