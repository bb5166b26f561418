#include "fetch/score_command.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_MS  100  /* for a command that has broken off to end */
#define CLOSE_MS 2000 /* for a command whose pages are over to end */
#define STEP_MS  5

/* What the crawl asks of the starter, and the status of waitpid() in its answer. START comes with two descriptors, the
 * command's stdin and stdout. */
enum request { REQUEST_START = 'S', REQUEST_STOP = 'K' };

union descriptors {
	char bytes[CMSG_SPACE(2 * sizeof(int))];
	struct cmsghdr align;
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
			kill(*pid, SIGKILL); /* its group may not be there yet */
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
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP};
	struct sigaction a = {.sa_handler = handler};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &a, NULL);
}

static pid_t spawn(const char *command, const int ends[2])
{
	const pid_t pid = fork();
	sigset_t none;

	if (pid)
		return pid;
	setpgid(0, 0);
	set_signals(SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(ends[0], STDIN_FILENO) >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Receives a request and its descriptors. Returns 0 when the crawl has ended. */
static int receive(int control, char *request, int ends[2])
{
	union descriptors d;
	struct iovec text = {request, 1};
	struct msghdr m = {.msg_iov = &text,
		.msg_iovlen = 1,
		.msg_control = d.bytes,
		.msg_controllen = sizeof d.bytes};
	ssize_t n;

	do
		n = recvmsg(control, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	ends[0] = ends[1] = -1;
	if (n == 1 && c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(2 * sizeof(int)))
		memcpy(ends, CMSG_DATA(c), 2 * sizeof(int));
	return n == 1;
}

/* Descriptors of the crawl must not outlive it here. `control` becomes 3. */
static void leave_descriptors(int control)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(nowhere, STDIN_FILENO);
	dup2(nowhere, STDOUT_FILENO);
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

static void __attribute__((noreturn)) run_starter(int control, const char *command)
{
	pid_t pid = 0;
	char request;
	int ends[2];

	setpgid(0, 0);
	set_signals(SIG_IGN);
	leave_descriptors(control);
	while (receive(3, &request, ends)) {
		int status = end_command(&pid, STOP_MS);
		if (request == REQUEST_START) {
			pid = spawn(command, ends);
			status = pid < 0 ? -1 : 0;
			close(ends[0]);
			close(ends[1]);
		}
		if (send(3, &status, sizeof status, MSG_NOSIGNAL) != sizeof status)
			break;
	}
	end_command(&pid, CLOSE_MS);
	_exit(0);
}

/* --- the crawl */

int score_command_open(struct score_command *c, const char *command, struct err_note *why)
{
	int control[2];

	*c = (struct score_command){.control = -1, .to = -1, .from = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control))
		return err_set(
			why, ERR_OTHER, "cannot start the score command: %s", strerror(errno));
	c->starter = fork();
	if (c->starter == 0)
		run_starter(control[1], command);
	close(control[1]);
	c->control = control[0];
	if (c->starter > 0)
		return 0;
	err_set(why, ERR_OTHER, "cannot start the score command: %s", strerror(errno));
	score_command_close(c);
	return ERR_OTHER;
}

/* Sends a request with the descriptors `ends` (or NULL), and returns 1 with the status in the answer, or 0. */
static int ask(const struct score_command *c, enum request request, const int *ends, int *status)
{
	char text = (char)request;
	union descriptors d = {{0}};
	struct iovec part = {&text, 1};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (ends) {
		m.msg_control = d.bytes;
		m.msg_controllen = sizeof d.bytes;
		struct cmsghdr *h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(2 * sizeof(int));
		memcpy(CMSG_DATA(h), ends, 2 * sizeof(int));
	}
	if (sendmsg(c->control, &m, MSG_NOSIGNAL) != 1)
		return 0;
	do
		n = recv(c->control, status, sizeof *status, 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof *status;
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

int score_command_start(struct score_command *c, struct err_note *why)
{
	int in[2], out[2], status = -1;

	if (pipe2(in, O_CLOEXEC))
		return err_set(
			why, ERR_OTHER, "cannot start the score command: %s", strerror(errno));
	if (pipe2(out, O_CLOEXEC)) {
		err_set(why, ERR_OTHER, "cannot start the score command: %s", strerror(errno));
		close_both(in);
		return ERR_OTHER;
	}
	const int asked = ask(c, REQUEST_START, (const int[]){in[0], out[1]}, &status);
	close(in[0]);
	close(out[1]);
	c->to = in[1];
	c->from = out[0];
	fcntl(c->to, F_SETFL, O_NONBLOCK);
	fcntl(c->from, F_SETFL, O_NONBLOCK);
	if (asked && status == 0)
		return 0;
	err_set(why, ERR_OTHER, "cannot start the score command: %s",
		asked ? "no process can be had" : "the process that starts it is gone");
	close_both((const int[]){c->to, c->from});
	c->to = c->from = -1;
	return ERR_OTHER;
}

void score_command_stop(struct score_command *c, char how[SCORE_COMMAND_HOW])
{
	int status = 0;

	if (c->to < 0)
		return;
	close_both((const int[]){c->to, c->from});
	c->to = c->from = -1;
	if (!ask(c, REQUEST_STOP, NULL, &status))
		snprintf(how, SCORE_COMMAND_HOW, "is gone");
	else if (WIFSIGNALED(status))
		snprintf(how, SCORE_COMMAND_HOW, "was ended by signal %d", WTERMSIG(status));
	else
		snprintf(how, SCORE_COMMAND_HOW, "has ended with status %d", WEXITSTATUS(status));
}

void score_command_close(struct score_command *c)
{
	if (c->to >= 0)
		close_both((const int[]){c->to, c->from});
	if (c->control >= 0)
		close(c->control);
	while (c->starter > 0 && waitpid(c->starter, NULL, 0) < 0 && errno == EINTR)
		;
	*c = (struct score_command){.control = -1, .to = -1, .from = -1};
}
