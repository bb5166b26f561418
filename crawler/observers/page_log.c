#include "crawler/observers/page_log.h"
#include "base/ascii.h"
#include "base/json_text.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/user_command.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FLUSH_BYTES     (1u << 16)
#define FLUSH_MS        1000
#define LONGEST_STEP_MS 10
#define LOOK_MS         100  /* between two looks at the stop of the crawl, while a reader lets it wait */
#define PATIENCE_MS     5000 /* of a crawl that is stopped, with a reader that reads nothing */

struct page_log {
	char *path;
	uint64_t most; /* bytes of a file; 0: any number */
	int fd;
	int ended;                         /* its reader has gone */
	int is_file;                       /* that may be cut */
	int is_prompt;                     /* each line is written at once, so that a kill loses none */
	int is_synced;                     /* all that was written */
	int is_named;                      /* its name outlasts a power failure */
	const volatile sig_atomic_t *stop; /* of the crawl; may be NULL */
	int64_t given_up;                  /* ms: when a stopped crawl waits for its reader no longer; 0: it does not wait */
	int has_command;                   /* 1: the lines go to a command, and fd is command.to */
	struct user_command command;
	struct buf lines; /* not yet written */
	int64_t flushed;  /* ms */
	struct store *store;
	const struct frontier *frontier; /* NULL: unknown */
};

static int sync_lines(void *ctx, struct err_note *why);

/* Returns the last byte of a file of this size, or a line feed if it cannot be read. */
static char last_byte(const char *path, off_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char last = '\n';

	if (fd >= 0) {
		if (pread(fd, &last, 1, size - 1) != 1)
			last = '\n';
		close(fd);
	}
	return last;
}

int page_log_open(struct page_log **out, const char *path, uint64_t most, struct err_note *why)
{
	const int fd = strcmp(path, "-") == 0 ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	struct stat st;

	*out = NULL;
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot write '%s': %s", path, ascii_error(errno));
	struct page_log *l = mem_zero(1, sizeof *l);
	l->path = mem_text(path);
	l->most = most;
	l->fd = fd;
	l->flushed = clock_ms();
	l->is_prompt = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	l->is_file = l->is_prompt && strcmp(path, "-") != 0;
	/* a line that a crash cut short stays a line of its own */
	if (l->is_file && st.st_size && last_byte(path, st.st_size) != '\n')
		buf_byte(&l->lines, '\n');
	*out = l;
	return 0;
}

int page_log_open_command(struct page_log **out, const char *command, struct err_note *why)
{
	struct page_log *l = mem_zero(1, sizeof *l);
	int err = user_command_open(&l->command, "command of --log-to", command, why);

	*out = NULL;
	if (!err)
		err = user_command_run(&l->command, NULL, why);
	if (err) {
		user_command_close(&l->command);
		free(l);
		return err;
	}
	l->path = mem_text(command);
	l->fd = l->command.to;
	l->has_command = 1;
	l->flushed = clock_ms();
	*out = l;
	return 0;
}

/* Goes on in a new file of the same path. Returns 0 or ERR_FILE. */
static int begin_file(struct page_log *l, struct err_note *why)
{
	const int fd = open(l->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s' again: %s", l->path, ascii_error(errno));
	close(l->fd);
	l->fd = fd;
	l->is_named = 0;
	return 0;
}

int page_log_reopen(struct page_log *l, struct err_note *why)
{
	if (!l->is_file)
		return 0;
	TRY(sync_lines(l, why));
	return begin_file(l, why);
}

/* Says whether somebody else has moved the file away, so that its path names another file, or none. */
static int is_moved(const struct page_log *l)
{
	struct stat ours, there;

	if (stat(l->path, &there))
		return errno == ENOENT;
	return fstat(l->fd, &ours) == 0 && (ours.st_ino != there.st_ino || ours.st_dev != there.st_dev);
}

/* Gives a full file the first name of PATH.1, PATH.2 ... that is free, unless it was moved away, and begins the next one; a link to
 * the file stays. Returns 0 or ERR_FILE. */
static int turn(struct page_log *l, struct err_note *why)
{
	if (is_moved(l))
		return begin_file(l, why);
	AUTO(buf) to = BUF_EMPTY;
	char *path = realpath(l->path, NULL);
	unsigned n = 0;
	int failed = !path || (!l->is_synced && lasting_bytes(l->fd));

	do {
		buf_clear(&to);
		buf_format(&to, "%s.%u", path ? path : "", ++n);
	} while (!failed && faccessat(AT_FDCWD, to.at, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
	failed = failed || rename(path, to.at);
	const int problem = errno;
	free(path);
	return failed ? err_set(why, ERR_FILE, "cannot move '%s' away: %s", l->path, ascii_error(problem)) : begin_file(l, why);
}

void page_log_of(struct page_log *l, struct store *store, const struct frontier *frontier, const volatile sig_atomic_t *stop)
{
	l->store = store;
	l->frontier = frontier;
	l->stop = stop;
}

/* Says whether the crawl has been stopped, and has waited long enough for a reader that reads nothing. */
static int is_out_of_patience(struct page_log *l)
{
	const int64_t now = clock_ms();

	if (!l->stop || !*l->stop)
		return 0;
	if (!l->given_up)
		l->given_up = now + PATIENCE_MS;
	return *l->stop > 1 || now >= l->given_up;
}

/* Goes on without the reader. A command must have read the lines of all pages that the store keeps, so that the crawl ends
 * without them. */
static int give_up(struct page_log *l, struct err_note *why)
{
	l->ended = 1;
	return !l->has_command
		? 0
		: err_set(why, ERR_INTERRUPTED, "stopped while the command of --log-to did not read; the same command goes on");
}

/* Ends the log after a failed write. A file is truncated to its size before the write, so that no line of it is incomplete. */
static int fail(struct page_log *l, off_t size, int problem, struct err_note *why)
{
	if (size >= 0)
		(void)!ftruncate(l->fd, size);
	l->ended = 1;
	return err_set(why, ERR_FILE, "cannot write '%s': %s", l->path, ascii_error(problem));
}

/* Ends the log of a command that has ended although the crawl has lines for it. Returns ERR_OTHER. */
static int fail_to_tell(struct page_log *l, struct err_note *why)
{
	char how[USER_COMMAND_HOW] = "";

	l->ended = 1;
	user_command_stop(&l->command, how);
	return err_set(why, ERR_OTHER, "the command of --log-to %s, and the crawl goes on; mend it, and the same command goes on",
		how);
}

/* Writes as write(), but fails with EAGAIN if the reader makes it wait for LOOK_MS, or if a signal comes. */
static ssize_t write_some(const struct page_log *l, const char *at, size_t n)
{
	struct pollfd room = {.fd = l->fd, .events = POLLOUT};

	if (!l->is_file && poll(&room, 1, LOOK_MS) <= 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(l->fd, at, l->is_file || n < PIPE_BUF ? n : PIPE_BUF);
}

/* Writes the lines that wait. A reader that reads nothing makes the crawl wait, but cannot keep it from being stopped. Returns 0,
 * or the error that ends the crawl. */
static int flush(struct page_log *l, struct err_note *why)
{
	const char *at = l->lines.at;
	size_t left = l->ended ? 0 : l->lines.used;
	struct stat st;
	off_t size = left && l->is_file && fstat(l->fd, &st) == 0 ? st.st_size : -1;

	l->flushed = clock_ms();
	if (l->most && size > 0 && (uint64_t)size + left > l->most) {
		const int err = turn(l, why);
		l->ended = err != 0;
		if (err)
			return err;
		size = fstat(l->fd, &st) == 0 ? st.st_size : 0;
	}
	l->is_synced = l->is_synced && !left;
	while (left) {
		const ssize_t n = write_some(l, at, left);
		/* a reader that does not read must not keep a crawl from being stopped */
		if (n < 0 && (errno == EINTR || errno == EAGAIN) && !l->is_file && is_out_of_patience(l))
			return give_up(l, why);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0 && errno == EPIPE && l->has_command)
			return fail_to_tell(l, why);
		if (n < 0 && errno == EPIPE) {
			l->ended = 1;
			break;
		}
		if (n < 0)
			return fail(l, size, errno, why);
		l->given_up = 0;
		at += n;
		left -= (size_t)n;
	}
	buf_clear(&l->lines);
	return 0;
}

/* Adds a time, given in ms since 1970, as "2026-11-21T04:38:07.123Z". */
static void put_time(json_t *line, const char *name, int64_t ms)
{
	const time_t seconds = (time_t)(ms / 1000);
	char text[40];
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, sizeof text - n, ".%03dZ", (int)(ms % 1000));
	json_object_set_new(line, name, json_string(text));
}

/* Adds where the answer stands in the archive. */
static void put_archived(json_t *line, const struct warc_location *at)
{
	json_t *location = json_object();

	json_put_text(location, "file", at->path);
	json_put_count(location, "offset", at->offset);
	json_put_count(location, "length", at->length);
	json_object_set_new(location, "revisit", json_boolean(at->is_revisit));
	json_object_set_new(line, "archive", location);
}

/* Adds to a line what the event says of the page's outcome. */
static void put_outcome(json_t *line, const struct result *e, struct page_log *l)
{
	char digest[33];
	struct store_page page;

	if (e->status)
		json_put_count(line, "status", e->status);
	if (e->outcome != OUTCOME_CRAWLED && e->outcome != OUTCOME_REDIRECTED && e->outcome != OUTCOME_STATUS)
		json_put_text(line, "error", outcome_word(e->outcome));
	json_put_count(line, "bytes", e->bytes);
	json_put_count(line, "ms", e->ended > e->started ? (uint64_t)(e->ended - e->started) : 0);
	if (e->state == PAGE_CRAWLED)
		json_put_count(line, "links", e->n);
	if (e->is_rendered)
		json_object_set_new(line, "rendered", json_true());
	if (e->is_shell)
		json_object_set_new(line, "shell", json_true());
	if (e->is_off_topic)
		json_object_set_new(line, "off_topic", json_true());
	if (e->archived.path)
		put_archived(line, &e->archived);
	if (e->is_scored)
		json_object_set_new(line, "score", json_real(e->score));
	if (e->digest[0] || e->digest[1]) {
		snprintf(digest, sizeof digest, "%016llx%016llx", (unsigned long long)e->digest[1],
			(unsigned long long)e->digest[0]);
		json_put_text(line, "digest", digest);
	}
	if (e->state == PAGE_REDIRECTED && store_page(l->store, e->target, &page))
		json_put_text(line, "target", page.url);
	if (e->outcome == OUTCOME_DEFERRED) {
		if (store_page(l->store, e->target, &page))
			json_put_text(line, "original", page.url);
	} else if (e->state == PAGE_QUEUED)
		put_time(line, "not_before", e->not_before + e->ahead);
}

/* Says whether an event has a line: a page that only waits for the address or the robots.txt of its host has none. */
static int is_told(const struct result *e)
{
	return e->outcome == OUTCOME_DEFERRED || !outcome_has(e->outcome, TRAIT_WAITS);
}

static const char *name_of(const struct result *e)
{
	static const char *const visits[] = {[VISIT_SAME] = "unchanged",
		[VISIT_CHANGED] = "changed",
		[VISIT_GONE] = "gone",
		[VISIT_MOVED] = "moved",
		[VISIT_FAILED] = "visit-failed",
		[VISIT_PUT_BACK] = "visit-retry"};

	return e->visit ? visits[e->visit] : outcome_event(e->outcome, e->state);
}

/* Adds a line for an event, and writes the lines that wait if it is time. */
static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct page_log *l = ctx;
	struct store_page page;

	if (l->ended || !is_told(e) || !store_page(l->store, e->id, &page))
		return 0;
	const char *rule = l->frontier && !e->visit ? frontier_chosen_by(l->frontier, e->id) : NULL;
	json_t *line = json_object();
	put_time(line, "time", e->ended + e->ahead);
	json_put_text(line, "event", name_of(e));
	json_put_text(line, "url", page.url);
	json_put_text(line, "host", store_host_name(l->store, page.host));
	json_put_count(line, "depth", page.depth);
	if (rule)
		json_put_text(line, "chosen_by", rule);
	put_outcome(line, e, l);
	char *text = json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(line);
	if (text) {
		buf_text(&l->lines, text);
		buf_byte(&l->lines, '\n');
	}
	free(text);
	const int is_due = l->is_prompt || l->has_command || l->lines.used >= FLUSH_BYTES || clock_ms() - l->flushed >= FLUSH_MS;
	return is_due ? flush(l, why) : 0;
}

static int idle(void *ctx, struct err_note *why)
{
	struct page_log *l = ctx;

	return l->lines.used && clock_ms() - l->flushed >= FLUSH_MS / 2 ? flush(l, why) : 0;
}

/* Waits until the command has read everything in the pipe. */
static int await_reader(struct page_log *l, struct err_note *why)
{
	struct pollfd pipe = {.fd = l->fd, .events = 0};
	int unread = 0, before = 0, step = 1;

	while (!l->ended && ioctl(l->fd, FIONREAD, &unread) == 0 && unread > 0) {
		const int n = poll(&pipe, 1, step);
		if (n > 0 && pipe.revents & (POLLERR | POLLHUP))
			return fail_to_tell(l, why);
		if (unread != before)
			l->given_up = 0;
		if (is_out_of_patience(l))
			return give_up(l, why);
		before = unread;
		step += step < LONGEST_STEP_MS;
	}
	return 0;
}

static int sync_lines(void *ctx, struct err_note *why)
{
	struct page_log *l = ctx;
	const int err = flush(l, why);

	if (!err && l->has_command)
		return await_reader(l, why);
	if (err || !l->is_prompt || l->ended)
		return err;
	/* the name of stdout's file is not known, and not this program's to keep */
	if ((!l->is_synced && lasting_bytes(l->fd)) || (l->is_file && !l->is_named && lasting_name(l->path)))
		return err_set(why, ERR_FILE, "cannot sync '%s': %s", l->path, ascii_error(errno));
	l->is_synced = l->is_named = 1;
	return 0;
}

struct observer page_log_observer(struct page_log *l)
{
	return (struct observer){.ctx = l, .event = event, .visit = event, .idle = idle, .sync = sync_lines};
}

/* Waits until the command, whose input has been closed, has ended. A second signal ends the wait. */
static int await_end(struct page_log *l, struct err_note *why)
{
	char how[USER_COMMAND_HOW];
	int status = 0;

	l->given_up = 0;
	while (l->command.runs && !user_command_wait(&l->command, -1, clock_ms() + LOOK_MS, &status))
		if (is_out_of_patience(l))
			return 0;
	user_command_tell(status, how);
	return status ? err_set(why, ERR_OTHER, "the command of --log-to %s", how) : 0;
}

int page_log_close(struct page_log *l, struct err_note *why)
{
	if (!l)
		return 0;
	int err = sync_lines(l, why);
	if (!l->has_command)
		close(l->fd);
	else if (!err && !l->ended)
		err = await_end(l, why);
	if (l->has_command)
		user_command_close(&l->command);
	buf_release(&l->lines);
	free(l->path);
	free(l);
	return err;
}
