#include "fetch/user_command.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_MS         100  /* for a command that has broken off to end */
#define CLOSE_MS        2000 /* for a command whose pages are over to end */
#define STEP_MS         5
#define LONGEST_STEP_MS 10

#define ARGUMENTS_MAX (16u << 10) /* bytes of all arguments of a command */
#define IS_RUNNING    (-1)
#define ENDS          3 /* descriptors of a process: the function's has a third one */

/* What the crawl asks of the starter; each request has one answer, a status of waitpid(), or the number of the process. START comes
 * with descriptors, those of stdin and stdout and perhaps USER_COMMAND_FURTHER, and with its arguments, each with a NUL behind it.
 * The answer to WAIT comes when the command has ended, or when there is a further request: then it is IS_RUNNING. */
enum request { REQUEST_START, REQUEST_STOP, REQUEST_WAIT };

struct header {
	enum request request;
	unsigned child; /* whom the request is about */
};

/* A request as it is received. */
struct asked {
	struct header header;
	char text[ARGUMENTS_MAX + 1]; /* the arguments */
	size_t n;                     /* bytes of them */
	int ends[ENDS];               /* -1: there is none */
};

union descriptors {
	char bytes[CMSG_SPACE(ENDS * sizeof(int))];
	struct cmsghdr align;
};

/* What the starter starts: a command, or a function. */
struct task {
	const char *command;
	void (*prepare)(void);
	void (*run)(void);
};

/* --- the starter: forked while threads may run, so it calls only functions that are safe in a signal handler */

/* Kills the group of a command that has not ended after `patience` ms, and returns the status with which it has ended. */
static int end_command(pid_t *pid, int patience)
{
	int status = 0, left = patience;

	if (*pid <= 0)
		return 0;
	while (waitpid(*pid, &status, WNOHANG) == 0) {
		if (left <= 0) {
			kill(-*pid, SIGKILL);
			kill(*pid, SIGKILL); /* the command may not have made its process group yet */
			while (waitpid(*pid, &status, 0) < 0 && errno == EINTR)
				;
			break;
		}
		poll(NULL, 0, STEP_MS);
		left -= STEP_MS;
	}
	kill(-*pid, SIGKILL); /* what it has started and left behind */
	*pid = 0;
	return status;
}

static void set_signals(void (*handler)(int))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP};
	struct sigaction a = {.sa_handler = handler};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &a, NULL);
}

/* Calls the function of a task, with the descriptors stdin, stdout and USER_COMMAND_FURTHER, unless the starter has ended
 * meanwhile. */
static void run_function(const struct task *task, const int ends[ENDS], pid_t starter)
{
	const int has_further = dup2(ends[2], USER_COMMAND_FURTHER) >= 0; /* in place of the socket to the crawl */

	for (int fd = USER_COMMAND_FURTHER + 1; fd <= ends[0] || fd <= ends[1] || fd <= ends[2]; fd++)
		close(fd);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (has_further && getppid() == starter)
		task->run();
}

/* Starts the command by sh, in a process group of its own, with the first two ends as stdin and stdout and the texts as arguments;
 * or the function. Returns the process id, or -1. */
static pid_t spawn(const struct task *task, struct asked *a)
{
	char *argument[USER_COMMAND_ARGUMENTS] = {NULL}, *at = a->text;
	const int *ends = a->ends;
	const pid_t starter = getpid(), pid = fork();
	sigset_t none;

	if (pid)
		return pid;
	setpgid(0, 0);
	set_signals(SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (size_t i = 0; i < USER_COMMAND_ARGUMENTS && at < a->text + a->n; i++) {
		argument[i] = at;
		at += strlen(at) + 1;
	}
	const int has_ends = dup2(ends[0], STDIN_FILENO) >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0;
	if (has_ends && task->run)
		run_function(task, ends, starter);
	else if (has_ends)
		execl("/bin/sh", "sh", "-c", task->command, "lycosa", argument[0], argument[1], argument[2], (char *)NULL);
	_exit(127);
}

/* Receives a request and its descriptors. Returns 0 when the crawl has ended. */
static int receive(int control, struct asked *a)
{
	union descriptors d;
	struct iovec part[2] = {{&a->header, sizeof a->header}, {a->text, sizeof a->text - 1}};
	struct msghdr m = {.msg_iov = part, .msg_iovlen = 2, .msg_control = d.bytes, .msg_controllen = sizeof d.bytes};
	ssize_t n;

	do
		n = recvmsg(control, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	memset(a->ends, -1, sizeof a->ends);
	if (n > 0 && c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len <= CMSG_LEN(sizeof a->ends))
		memcpy(a->ends, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	if (n < (ssize_t)sizeof a->header || a->header.child >= USER_COMMAND_CHILDREN)
		return 0;
	a->n = (size_t)n - sizeof a->header;
	a->text[a->n] = 0;
	return 1;
}

/* Waits until the command has ended, or until there is a further request. */
static int await_command(int control, pid_t *pid)
{
	struct pollfd further = {.fd = control, .events = POLLIN};
	int status = 0, step = 1;

	while (*pid > 0 && waitpid(*pid, &status, WNOHANG) == 0) {
		if (poll(&further, 1, step) > 0)
			return IS_RUNNING;
		step += step < LONGEST_STEP_MS;
	}
	if (*pid > 0)
		kill(-*pid, SIGKILL); /* what it has started and left behind */
	*pid = 0;
	return status;
}

/* Descriptors of the crawl must not outlive it here. `control` becomes 3. */
static void leave_descriptors(int control, int is_silent)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(nowhere, STDIN_FILENO);
	dup2(nowhere, STDOUT_FILENO);
	if (is_silent)
		dup2(nowhere, STDERR_FILENO);
	if (control != 3)
		dup2(control, 3);
	fcntl(3, F_SETFD, FD_CLOEXEC);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0)
		return;
#endif
	for (int fd = 4; fd < 65536; fd++)
		close(fd);
}

/* Runs the process that starts the command, stops it, and waits for it, each time when the crawl asks for it, until the crawl has
 * closed its end of the socket. */
static void __attribute__((noreturn)) run_starter(int control, const struct task *task)
{
	static struct asked a;
	static pid_t children[USER_COMMAND_CHILDREN];

	setpgid(0, 0);
	set_signals(SIG_IGN);
	/* what ends a function of ours is said by the crawl, in its one line */
	leave_descriptors(control, task->run && !SANDBOX_REPORTS);
	if (task->prepare)
		task->prepare();
	while (receive(3, &a)) {
		pid_t *pid = &children[a.header.child];
		const int is_wait = a.header.request == REQUEST_WAIT;
		int status = is_wait ? await_command(3, pid) : end_command(pid, task->run ? 0 : STOP_MS);
		if (a.header.request == REQUEST_START) {
			*pid = spawn(task, &a);
			status = (int)*pid;
			for (size_t i = 0; i < ENDS && a.ends[i] >= 0; i++)
				close(a.ends[i]);
		}
		if (send(3, &status, sizeof status, MSG_NOSIGNAL) != sizeof status)
			break;
	}
	for (size_t i = 0; i < USER_COMMAND_CHILDREN; i++)
		end_command(&children[i], task->run ? 0 : CLOSE_MS);
	_exit(0);
}

/* --- the crawl */

static int cannot_start(const struct user_command *c, const char *reason, struct err_note *why)
{
	return err_set(why, ERR_OTHER, "cannot start the %s: %s", c->what, reason);
}

static int open_task(struct user_command *c, const char *what, const struct task *task, struct err_note *why)
{
	int control[2];

	*c = (struct user_command){.what = what, .control = -1, .to = -1, .from = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control))
		return cannot_start(c, ascii_error(errno), why);
	c->starter = fork();
	if (c->starter == 0)
		run_starter(control[1], task);
	close(control[1]);
	c->control = control[0];
	if (c->starter > 0)
		return 0;
	cannot_start(c, ascii_error(errno), why);
	user_command_close(c);
	return ERR_OTHER;
}

int user_command_open(struct user_command *c, const char *what, const char *command, struct err_note *why)
{
	return open_task(c, what, &(struct task){.command = command}, why);
}

int user_command_open_function(struct user_command *c, const char *what, void (*prepare)(void), void (*run)(void),
	struct err_note *why)
{
	return open_task(c, what, &(struct task){.prepare = prepare, .run = run}, why);
}

void user_command_open_child(struct user_command *c, const struct user_command *of, unsigned child)
{
	*c = (struct user_command){.what = of->what, .control = of->control, .child = child, .to = -1, .from = -1};
}

int user_command_is_gone(const struct user_command *c)
{
	struct pollfd end = {.fd = c->control, .events = POLLIN};

	return c->control < 0 || poll(&end, 1, 0) > 0;
}

/* Sends a request with n bytes of arguments and the descriptors `ends` (or NULL), of which a third one may be missing (-1). Returns
 * 1, or 0 if the starter is gone. */
static int send_request(const struct user_command *c, enum request request, const char *arguments, size_t n, const int *ends)
{
	struct header header = {request, c->child};
	union descriptors d = {{0}};
	struct iovec part[2] = {{&header, sizeof header}, {(void *)(uintptr_t)arguments, n}};
	struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};

	if (ends) {
		const size_t size = (ends[ENDS - 1] < 0 ? ENDS - 1 : ENDS) * sizeof *ends;
		m.msg_control = d.bytes;
		m.msg_controllen = CMSG_SPACE(size);
		struct cmsghdr *h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(h), ends, size);
	}
	return sendmsg(c->control, &m, MSG_NOSIGNAL) == (ssize_t)(sizeof header + n);
}

static int receive_status(const struct user_command *c, int *status)
{
	ssize_t n;

	do
		n = recv(c->control, status, sizeof *status, 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof *status;
}

static void close_pipes(struct user_command *c)
{
	if (c->to >= 0)
		close(c->to);
	if (c->from >= 0)
		close(c->from);
	c->to = c->from = -1;
}

/* Starts the command with these arguments and descriptors. */
static int start(struct user_command *c, const char *const arguments[USER_COMMAND_ARGUMENTS], const int ends[ENDS],
	struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	int status = -1;

	for (size_t i = 0; arguments && i < USER_COMMAND_ARGUMENTS; i++)
		buf_add(&text, arguments[i], strlen(arguments[i]) + 1);
	const char *trouble = text.used > ARGUMENTS_MAX ? "its arguments are too long" : NULL;
	if (!trouble) {
		const int asked = send_request(c, REQUEST_START, text.at, text.used, ends) && receive_status(c, &status);
		c->runs = asked && status > 0;
		c->pid = status;
		if (!c->runs)
			trouble = asked ? "no process can be had" : "the process that starts it is gone";
	}
	buf_release(&text);
	if (!trouble)
		return 0;
	close_pipes(c);
	return cannot_start(c, trouble, why);
}

/* Makes a pipe whose end of this process, pipe[mine], does not block. */
static int make_pipe(struct user_command *c, int pipe[2], int mine, struct err_note *why)
{
	if (pipe2(pipe, O_CLOEXEC))
		return cannot_start(c, ascii_error(errno), why);
	fcntl(pipe[mine], F_SETFL, O_NONBLOCK);
	return 0;
}

/* Starts the command with these arguments, a pipe to its stdin, and `out` as its stdout. */
static int start_piped(struct user_command *c, const char *const arguments[USER_COMMAND_ARGUMENTS], int out, struct err_note *why)
{
	int in[2], err = make_pipe(c, in, 1, why);

	if (err) {
		close_pipes(c);
		return err;
	}
	c->to = in[1];
	err = start(c, arguments, (const int[]){in[0], out, -1}, why);
	close(in[0]);
	return err;
}

int user_command_run(struct user_command *c, const char *const arguments[USER_COMMAND_ARGUMENTS], struct err_note *why)
{
	return start_piped(c, arguments, STDOUT_FILENO, why);
}

int user_command_start(struct user_command *c, const char *const arguments[USER_COMMAND_ARGUMENTS], struct err_note *why)
{
	int out[2], err = make_pipe(c, out, 0, why);

	if (err)
		return err;
	c->from = out[0];
	err = start_piped(c, arguments, out[1], why);
	close(out[1]);
	return err;
}

int user_command_start_function(struct user_command *c, const int given[2], struct err_note *why)
{
	int out[2], err = make_pipe(c, out, 0, why);

	if (err)
		return err;
	c->from = out[0];
	err = start(c, NULL, (const int[]){given[0], out[1], given[1]}, why);
	close(out[1]);
	return err;
}

void user_command_no_more(struct user_command *c)
{
	if (c->to >= 0)
		close(c->to);
	c->to = -1;
}

int user_command_wait(struct user_command *c, int wake, int64_t until, int *status)
{
	struct pollfd fds[2] = {{.fd = c->control, .events = POLLIN}, {.fd = wake, .events = POLLIN}};

	close_pipes(c);
	if (!c->is_awaited)
		c->is_awaited = send_request(c, REQUEST_WAIT, NULL, 0, NULL);
	*status = SIGKILL; /* the starter is gone, with its command */
	if (c->is_awaited && (poll(fds, 2, clock_poll_ms(until)) < 0 || !fds[0].revents))
		return 0;
	if (c->is_awaited && !receive_status(c, status))
		*status = SIGKILL;
	c->runs = c->is_awaited = 0;
	return 1;
}

void user_command_tell(int status, char how[USER_COMMAND_HOW])
{
	if (WIFSIGNALED(status))
		snprintf(how, USER_COMMAND_HOW, "was ended by signal %d", WTERMSIG(status));
	else
		snprintf(how, USER_COMMAND_HOW, "has ended with status %d", WEXITSTATUS(status));
}

void user_command_stop(struct user_command *c, char how[USER_COMMAND_HOW])
{
	int status = 0, before = IS_RUNNING;

	close_pipes(c);
	if (!c->runs)
		return;
	c->runs = 0;
	if (!send_request(c, REQUEST_STOP, NULL, 0, NULL) || (c->is_awaited && !receive_status(c, &before)) ||
		!receive_status(c, &status))
		snprintf(how, USER_COMMAND_HOW, "is gone");
	else
		user_command_tell(before == IS_RUNNING ? status : before, how);
	c->is_awaited = 0;
}

void user_command_close(struct user_command *c)
{
	close_pipes(c);
	if (c->control >= 0)
		close(c->control);
	while (c->starter > 0 && waitpid(c->starter, NULL, 0) < 0 && errno == EINTR)
		;
	*c = (struct user_command){.control = -1, .to = -1, .from = -1};
}
