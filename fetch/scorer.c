#include "fetch/scorer.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_LINE 4096 /* bytes of an answer */
#define TRIES        2    /* how often a page is shown to the command */
#define FOR_ALWAYS   INT64_MAX

_Static_assert(SCORER_STRIKES == 3, "a message says three");

/* The answers of the command wait in `answer` until their line is whole. The pages that the scorer has are in `ring`, in the order
 * in which they came; the first `shown` of them have been written to the command. */
struct scorer {
	struct page_service service; /* first; `wake` says that the thread has orders or pages */
	struct channel *outbox;

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
};

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
	struct err_note why;

	err_set(&why, ERR_OTHER, "the score command %s, %s; mend it, and the same command goes on", what,
		s->has_answered ? "at three pages in a row" : "at the first page");
	page_service_fail(&s->service, &why);
}

/* Ends the command, which is started again for the pages that have no answer. `what` says what it has done wrong; NULL: it has
 * ended. */
static void break_off(struct scorer *s, const char *what)
{
	char how[USER_COMMAND_HOW] = "";

	user_command_stop(&s->service.command, how);
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
	const ssize_t n = read(s->service.command.from, buf_room(&s->answer, room), room);

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
		const ssize_t n = write(s->service.command.to, page->line + s->written, page->line_n - s->written);
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

	while (channel_take(&s->service.inbox, &page)) {
		assert(s->used < s->room);
		if (!s->used)
			s->since = clock_ms();
		s->ring[(s->head + s->used++) % s->room] = page;
	}
}

static void start_command(struct scorer *s)
{
	struct err_note why;

	if (user_command_start(&s->service.command, NULL, &why))
		page_service_fail(&s->service, &why);
}

/* --- the thread */

/* Waits for pages, orders, answers, room in the pipe, or the end of the command's time. */
static void wait_and_serve(struct scorer *s)
{
	const int64_t until = s->used ? s->since + s->service.timeout : FOR_ALWAYS;
	const int64_t ms = until == FOR_ALWAYS ? -1 : until - clock_ms();
	struct pollfd fds[3] = {{.fd = s->service.wake, .events = POLLIN}, {.fd = s->service.command.from, .events = POLLIN},
		{.fd = has_to_show(s) ? s->service.command.to : -1, .events = POLLOUT}};
	uint64_t woken;

	const int n = poll(fds, 3, ms < 0 ? (until == FOR_ALWAYS ? -1 : 0) : ms > INT32_MAX ? INT32_MAX : (int)ms);
	if (n < 0)
		return;
	if (fds[0].revents)
		(void)!read(s->service.wake, &woken, sizeof woken);
	if (fds[2].revents & POLLOUT)
		show_pages(s);
	if (fds[1].revents)
		read_answers(s);
	else if (fds[2].revents & (POLLERR | POLLHUP))
		break_off(s, NULL);
	else if (!n && s->used && clock_ms() >= s->since + s->service.timeout) /* after a look that found no answer */
		break_off(s, "has not answered in time");
}

static void *run(void *scorer)
{
	struct scorer *s = scorer;

	while (page_service_orders(&s->service) != PAGES_QUIT) {
		take_pages(s);
		if (page_service_orders(&s->service) == PAGES_ABORT)
			give_back_all(s);
		else if (s->used && s->service.command.to < 0)
			start_command(s);
		if (page_service_orders(&s->service) == PAGES_ABORT && s->used)
			continue;
		if (channel_will_wait(&s->service.inbox))
			wait_and_serve(s);
	}
	return NULL;
}

static void ended(void *scorer)
{
	struct scorer *s = scorer;

	take_pages(s);
	while (s->used)
		fetch_page_free(take_first(s));
	if (s->unscored)
		log_say("pages without a score: %llu", (unsigned long long)s->unscored);
	buf_release(&s->answer);
	free(s->ring);
}

int scorer_new(struct page_service **out, const char *command, int64_t timeout_ms, struct err_note *why)
{
	return page_service_new(out, sizeof(struct scorer), "score command", command, timeout_ms, why);
}

int scorer_begin(struct page_service *service, struct channel *outbox, size_t most, struct err_note *why)
{
	struct scorer *s = (struct scorer *)service;

	service->ended = ended;
	s->outbox = outbox;
	s->room = most;
	s->ring = mem_new(most, sizeof(struct fetch_page *));
	const int err = page_service_begin(service, run, most, why);
	if (err)
		free(s->ring);
	return err;
}

void scorer_pass(struct page_service *s, struct fetch_page *page, struct channel *outbox)
{
	if (!s || !page->line_n)
		channel_put(outbox, page);
	else if (channel_put(&s->inbox, page))
		page_service_wake(s);
}
