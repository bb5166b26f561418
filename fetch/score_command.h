/* The process of a score command (fetch/scorer.h): a program that the user names, run by /bin/sh with a pipe to its stdin and a
 * pipe from its stdout.
 *
 *     crawl --control--> starter --fork, exec--> sh -c COMMAND
 *       |                                          ^   |
 *       +----- c.to: pages, a line each -----------+   |
 *       +----- c.from: scores, a line each ------------+
 *
 * A command that has died is started again, maybe days after the crawl has confined itself to its own files (base/sandbox.h),
 * and a program that a confined process starts is confined, too. So score_command_open() forks the starter before, a process
 * that only starts and ends commands, with the rights of the user. Signals of the terminal reach neither
 * the starter nor the command: the crawl decides when the command ends.
 *
 *     score_command_open(&c, "python3 model.py", why)     before the sandbox; other threads may run
 *     score_command_start(&c, why)                        now c.to and c.from are open
 *     score_command_stop(&c, how)                         how: "has ended with status 3"
 *     score_command_start(&c, why)                        again
 *     score_command_close(&c)
 */
#ifndef FETCH_SCORE_COMMAND_H
#define FETCH_SCORE_COMMAND_H

#include "base/err.h"

#include <sys/types.h>

struct score_command {
	int control;   /* a socket to the starter */
	pid_t starter; /* the process */
	int to, from;  /* the pipes, which do not block; -1: no command runs */
};

#define SCORE_COMMAND_HOW 48

/* Forks the starter of a command. Returns 0, or ERR_OTHER if the process cannot be had. */
int score_command_open(struct score_command *, const char *command, struct err_note *why) MUST_USE;

/* Starts the command, of which none runs. A command that does not exist is no error here: it ends with status 127. Returns 0;
 * or ERR_OTHER if pipes cannot be had or the starter is gone. */
int score_command_start(struct score_command *, struct err_note *why) MUST_USE;

/* Closes the pipes, and kills the command and all processes of its group if it does not end within a tenth of a second. `how`
 * takes words on how it has ended. The call has no effect if no command runs. */
void score_command_stop(struct score_command *, char how[SCORE_COMMAND_HOW]);

/* Closes the pipes, on which the command should end by itself; kills it after two seconds. Ends the starter. */
void score_command_close(struct score_command *);

#endif
