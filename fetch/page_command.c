#include "fetch/page_command.h"
#include "base/clock.h"
#include "base/log.h"
#include "fetch/scorer.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS     100         /* how often an idle thread looks at its orders */
#define OUTPUT_STEP (64u << 10) /* bytes of output that are read at once */

/* What a command is shown of a page. The texts are borrowed from the page. */
struct shown {
	const char *argument[USER_COMMAND_ARGUMENTS]; /* the first one is the URL */
	const char *body;                             /* n bytes */
	size_t n;
	struct buf *output; /* takes what the command writes, at most `most` bytes; NULL: it writes to the stdout of the crawl */
	size_t most;
	char text[16]; /* room for an argument that is no text of the page */
};

struct page_command;

struct use {
	/* Writes what the command is shown of a page into a zeroed struct. */
	void (*show)(const void *page, struct shown *);
	/* Takes the page back, on the command's thread. */
	void (*done)(const struct page_command *, void *page, enum page_command_end);
	void (*free)(void *page);
};

struct page_command {
	struct page_service service; /* first */
	const struct use *use;
	struct body_memory *memory;
	struct page_service *scorer; /* of a runner: whom it passes its pages on to, and the outbox */
	struct channel *outbox;

	/* used by the thread only */
	int has_run;     /* 1: a command has been run */
	uint64_t failed; /* commands with another status than 0, or that were ended */
};

static int goes_on(const struct page_command *c)
{
	return page_service_orders(&c->service) == PAGES_GO_ON;
}

/* --- one page */

/* Reads what the command has written. Returns 1, or 0 at the end or if it is more than the page takes. */
static int read_output(struct page_command *c, const struct shown *shown)
{
	const ssize_t n = read(c->service.command.from, buf_room(shown->output, OUTPUT_STEP), OUTPUT_STEP);

	shown->output->used += n > 0 ? (size_t)n : 0;
	return (n > 0 && shown->output->used <= shown->most) || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Writes the body and reads the output, if the page takes it, until a time of clock_ms(). Returns 0; or -1 if there are orders, no
 * time is left, or the output is too long. A command need not read its body. */
static int talk(struct page_command *c, const struct shown *shown, int64_t until)
{
	const char *at = shown->body;
	size_t n = shown->n;
	int reads = shown->output != NULL;

	while ((n || reads) && goes_on(c) && clock_ms() < until) {
		if (!n)
			user_command_no_more(&c->service.command);
		struct pollfd fds[3] = {{.fd = n ? c->service.command.to : -1, .events = POLLOUT},
			{.fd = reads ? c->service.command.from : -1, .events = POLLIN}, {.fd = c->service.wake, .events = POLLIN}};
		if (poll(fds, 3, clock_poll_ms(until)) <= 0)
			continue;
		if (fds[0].revents) {
			const ssize_t written = write(c->service.command.to, at, n);
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
			c->service.what, how);
		page_service_fail(&c->service, &why);
		return PAGE_COMMAND_ABORTED;
	}
	if (!c->failed++)
		log_say("the %s %s at %s; -v tells every page", c->service.what, how, url);
	else
		log_detail("the %s %s at %s", c->service.what, how, url);
	return PAGE_COMMAND_FAILED;
}

/* Ends a command that has taken too long, or has written too much. */
static void stop_command(struct page_command *c, const struct shown *shown)
{
	char how[USER_COMMAND_HOW], excess[64];
	const char *url = shown->argument[0];

	user_command_stop(&c->service.command, how);
	c->has_run = 1;
	if (shown->output && shown->output->used > shown->most)
		snprintf(excess, sizeof excess, "wrote more than %zu bytes", shown->most);
	else
		snprintf(excess, sizeof excess, "took more than %lld ms", (long long)c->service.timeout);
	if (!c->failed++)
		log_say("the %s %s at %s, and was ended; -v tells every page", c->service.what, excess, url);
	else
		log_detail("the %s %s at %s, and was ended", c->service.what, excess, url);
}

/* Runs the command. */
static enum page_command_end run_page(struct page_command *c, const struct shown *shown)
{
	const int64_t until = c->service.timeout ? clock_ms() + c->service.timeout : INT64_MAX;
	char how[USER_COMMAND_HOW];
	struct err_note why;
	int status = 0;

	const int err = shown->output ? user_command_start(&c->service.command, shown->argument, &why)
				      : user_command_run(&c->service.command, shown->argument, &why);
	if (err) {
		page_service_fail(&c->service, &why);
		return PAGE_COMMAND_ABORTED;
	}
	if (!talk(c, shown, until))
		while (!user_command_wait(&c->service.command, c->service.wake, until, &status))
			if (!goes_on(c) || clock_ms() >= until)
				break;
	if (!c->service.command.runs)
		return judge(c, shown->argument[0], status);
	if (goes_on(c)) {
		stop_command(c, shown);
		return PAGE_COMMAND_FAILED;
	}
	user_command_stop(&c->service.command, how);
	return PAGE_COMMAND_ABORTED;
}

/* --- the thread */

static void *run(void *command)
{
	struct page_command *c = command;
	void *page;

	while (page_service_orders(&c->service) != PAGES_QUIT) {
		if (!channel_wait(&c->service.inbox, &page, clock_ms() + LOOK_MS))
			continue;
		struct shown shown = {.n = 0};
		c->use->show(page, &shown);
		const enum page_command_end end = goes_on(c) ? run_page(c, &shown) : PAGE_COMMAND_ABORTED;
		body_memory_let_go(c->memory, shown.n);
		c->use->done(c, page, end);
	}
	return NULL;
}

static void ended(void *command)
{
	struct page_command *c = command;
	void *page;

	while (channel_take(&c->service.inbox, &page))
		c->use->free(page);
	if (c->failed)
		log_say("pages whose %s failed: %llu", c->service.what, (unsigned long long)c->failed);
}

static int begin(struct page_command *c, const struct use *use, struct body_memory *memory, size_t most, struct err_note *why)
{
	c->service.ended = ended;
	c->use = use;
	c->memory = memory;
	return page_service_begin(&c->service, run, most, why);
}

/* Passes a page to the command. */
static void put(struct page_command *c, void *page)
{
	struct shown shown = {.n = 0};

	c->use->show(page, &shown);
	body_memory_hold(c->memory, shown.n);
	(void)channel_put(&c->service.inbox, page);
}

/* --- the runner */

static void show_fetched(const void *page, struct shown *shown)
{
	const struct fetch_page *p = page;
	const size_t n = strlen(p->shown) + 1;

	snprintf(shown->text, sizeof shown->text, "%u", p->result.status);
	shown->argument[0] = p->shown;
	shown->argument[1] = shown->text;
	shown->argument[2] = p->about.type;
	shown->body = p->shown + n;
	shown->n = p->shown_n - n;
}

static void pass_on(const struct page_command *c, void *page, enum page_command_end end)
{
	struct fetch_page *p = page;

	if (end != PAGE_COMMAND_ABORTED) {
		scorer_pass(c->scorer, p, c->outbox);
		return;
	}
	p->result.outcome = OUTCOME_ABORTED;
	p->result.state = PAGE_QUEUED;
	p->n = 0;
	channel_put(c->outbox, p);
}

static void free_fetched(void *page)
{
	fetch_page_free(page);
}

int runner_new(struct page_service **out, const char *command, int64_t timeout, struct err_note *why)
{
	return page_service_new(out, sizeof(struct page_command), "command of --exec", command, timeout, why);
}

int runner_begin(struct page_service *s, struct page_service *scorer, struct channel *outbox, struct body_memory *memory,
	size_t most, struct err_note *why)
{
	static const struct use use = {show_fetched, pass_on, free_fetched};
	struct page_command *c = (struct page_command *)s;

	c->scorer = scorer;
	c->outbox = outbox;
	return begin(c, &use, memory, most, why);
}

void runner_pass(struct page_service *s, struct fetch_page *page, struct page_service *scorer, struct channel *outbox)
{
	if (s && page->shown)
		put((struct page_command *)s, page);
	else
		scorer_pass(scorer, page, outbox);
}

/* --- the renderer */

static void show_rendering(const void *page, struct shown *shown)
{
	const struct rendering *r = page;

	*shown = (struct shown){.argument = {r->url, r->host, r->address}, .body = r->body, .n = r->n, .most = r->most};
	shown->output = (struct buf *)(uintptr_t)&r->html;
}

static void give_back(const struct page_command *c, void *page, enum page_command_end end)
{
	struct rendering *r = page;

	(void)c;
	r->end = end == PAGE_COMMAND_ENDED && !r->html.used ? PAGE_COMMAND_FAILED : end;
	/* once it is put, the struct may be gone */
	void (*const wake)(void *) = r->wake;
	void *const wake_ctx = r->wake_ctx;
	channel_put(r->back, r);
	wake(wake_ctx);
}

/* A fetcher thread ends when all its pages have come back, and no page is left then. */
static void free_rendering(void *page)
{
	(void)page;
	assert(!"a page is rendered");
}

int renderer_new(struct page_service **out, const char *command, int64_t timeout, struct err_note *why)
{
	return page_service_new(out, sizeof(struct page_command), "command of --render-cmd", command, timeout, why);
}

int renderer_begin(struct page_service *s, struct body_memory *memory, size_t most, struct err_note *why)
{
	static const struct use use = {show_rendering, give_back, free_rendering};

	return begin((struct page_command *)s, &use, memory, most, why);
}

void renderer_put(struct page_service *s, struct rendering *page)
{
	put((struct page_command *)s, page);
}
