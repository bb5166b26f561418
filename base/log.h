/* Messages for the user, on stderr, one line for each call. "lycosa: " stands before each message; a
 * message is cut after 1,023 bytes, and control characters in it become '?'. The level of detail
 * belongs to the whole process, as stderr does. Any thread may call log_error(), log_say() and
 * log_detail().
 *
 *	log_say("robots.txt of %s cannot be had: %s", host, note.text); */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

/* Sets the level, which is LOG_NORMAL at first. The function is not thread-safe: the command line
 * calls it once, before any thread starts. */
void log_set_level(enum log_level level);

/* Returns the level. */
enum log_level log_level(void);

/* Notes whether a progress line (base/progress.h) is on the terminal. If one is, the next message clears that line before it is
 * printed. Any thread may call. */
enum log_bar { LOG_BAR_GONE, LOG_BAR_STANDS };
void log_set_bar(enum log_bar);

/* Prints an error, at every level. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints, at every level, that the results are incomplete, and why. The program then ends with ERR_PARTIAL (23) where it would have
 * ended with 0. log_partial_why() returns the last such line, or NULL. Not thread-safe. */
void log_partial(const char *text);
const char *log_partial_why(void);
/* Prints a warning or a result of general interest, unless the level is LOG_QUIET (-q). */
void log_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a detail, only at the level LOG_VERBOSE (-v). */
void log_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
