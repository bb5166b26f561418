/* The process of a program that the user names (--score-cmd, --log-to, --exec, --render-cmd), run by /bin/sh with a pipe to its
 * stdin.
 *
 *     crawl --control--> starter --fork, exec--> sh -c COMMAND
 *       |                                          ^   |
 *       +----- c.to -------------------------------+   |
 *       +----- c.from, or the stdout of the crawl -----+
 *
 * Commands are started late: a score command that has died is started again, and those of --exec and --render-cmd are started for
 * each page. By then the crawl has confined itself to its own files (base/sandbox.h), and every program that it started would be
 * confined, too. So user_command_open() is called before the sandbox, and forks the *starter*, a process with the rights of the
 * user that only starts and ends commands. Signals of the terminal reach neither the starter nor the command: the crawl decides
 * when the command ends.
 *
 *     user_command_open(&c, "score command", "python3 model.py", why)     before the sandbox; other threads may run
 *     user_command_start(&c, NULL, why)                      now c.to and c.from are open
 *     user_command_stop(&c, how)                         how: "has ended with status 3"
 *     user_command_start(&c, NULL, why)                      again
 *     user_command_close(&c)
 *
 *     user_command_run(&c, arguments, why)               now c.to is open; the command writes to the stdout of the crawl
 *     while (!user_command_wait(&c, -1, INT64_MAX, &status)) ...     c.to is closed; a signal has come
 */
#ifndef FETCH_USER_COMMAND_H
#define FETCH_USER_COMMAND_H

#include "base/err.h"

#include <sys/types.h>

struct user_command {
	const char *what; /* for messages: "score command" */
	int control;      /* a socket to the starter */
	unsigned child;   /* the number of the command at its starter */
	pid_t starter;    /* the process */
	int to, from;     /* the pipes, which do not block; -1: no command runs, or it has no such pipe */
	int runs;         /* 1: a command was started, and its end is not known */
	pid_t pid;        /* of the command that was started last */
	int is_awaited;   /* 1: the starter will tell when the command has ended */
};

#define USER_COMMAND_HOW       48
#define USER_COMMAND_ARGUMENTS 3
#define USER_COMMAND_CHILDREN  2048 /* the most processes of one starter */
#define USER_COMMAND_FURTHER   3    /* a descriptor */

/* Forks the starter of a command. `what` is borrowed. Returns 0, or ERR_OTHER if the process cannot be had. */
int user_command_open(struct user_command *, const char *what, const char *command, struct err_note *why) MUST_USE;

/* Forks a starter that runs a function of this program in place of a command: each start forks a process, with the memory of this
 * one as it is now, that calls run(); prepare() is called once, before. Such a process is killed as soon as it is to end, or the
 * starter has ended. */
int user_command_open_function(struct user_command *, const char *what, void (*prepare)(void), void (*run)(void),
	struct err_note *why) MUST_USE;

/* Makes a further process of the starter of such a function, with a number of its own from 0 on. It is started and stopped by
 * itself, closed with its starter, and used by no two threads at a time; nor may be any two of one starter. */
void user_command_open_child(struct user_command *, const struct user_command *of, unsigned child);

/* Says whether the process that starts the commands is gone. It answers no request meanwhile. */
int user_command_is_gone(const struct user_command *);

/* Starts the command, of which none runs, with pipes to its stdin and from its stdout. The texts are its arguments $1, $2, $3,
 * which no shell interprets; NULL: it has none. A command that does not exist is no error here: it ends with status 127. Returns 0;
 * or ERR_OTHER if pipes cannot be had, the arguments are too long, or the starter is gone. */
int user_command_start(struct user_command *, const char *const arguments[USER_COMMAND_ARGUMENTS], struct err_note *why) MUST_USE;

/* Starts the command in the same way, but with the stdout of the crawl. */
int user_command_run(struct user_command *, const char *const arguments[USER_COMMAND_ARGUMENTS], struct err_note *why) MUST_USE;

/* Starts the process of a function with two descriptors of the caller, as its stdin and as USER_COMMAND_FURTHER, and a pipe from
 * its stdout, which ends with it. Returns 0; or ERR_OTHER if it cannot be had. */
int user_command_start_function(struct user_command *, const int given[2], struct err_note *why) MUST_USE;

/* Closes the pipe to the stdin of the command. */
void user_command_no_more(struct user_command *);

/* Closes the pipes and waits for the command to end. Returns 1 with the status of waitpid() in *status; or 0 if a signal has come,
 * or the descriptor `wake` (or -1) can be read, or it is the time `until` of clock_ms(), and the command still runs. */
int user_command_wait(struct user_command *, int wake, int64_t until, int *status) MUST_USE;

/* Puts a status of waitpid() into words: "has ended with status 3", "was ended by signal 9". */
void user_command_tell(int status, char how[USER_COMMAND_HOW]);

/* Closes the pipes, and kills the command and all processes of its group if it does not end within a tenth of a second. `how`
 * takes words on how it has ended. */
void user_command_stop(struct user_command *, char how[USER_COMMAND_HOW]);

/* Closes the pipes, on which the command should end by itself; kills it after two seconds. Ends the starter. */
void user_command_close(struct user_command *);

#endif
