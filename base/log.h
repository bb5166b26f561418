/* Talk, on stderr, a line a call: "lycosa: what". How much is said is the process's own setting,
 * as stderr is; it is set once, by the command line, before any thread starts. Thread-safe. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_level(enum log_level level);
enum log_level log_level(void);

/* Whether a line that redraws itself stands on the terminal (base/progress.h): a message clears it first,
 * so that nothing of it is left before the message. */
enum log_bar { LOG_BAR_GONE, LOG_BAR_STANDS };
void log_set_bar(enum log_bar);

/* An error: always said. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A warning or a result of general interest: not under -q. */
void log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A detail: only under -v. */
void log_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
