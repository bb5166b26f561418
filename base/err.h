/* Errors: one table, one note.
 *
 * A function that can fail returns 0 or a negative `enum err`. Codes of other libraries (errno,
 * CURLcode, MDB_*) are translated in the one file that calls that library. Where a person must
 * read why, the last argument is a `struct err_note *`, filled by err_set(); it may be NULL.
 * "Not found", "end" and "busy" are results, not errors. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

/* name, exit status of the command line, text */
#define ERR_TABLE(X)                                                                               \
	X(ERR_OTHER, 1, "failed")                                                                  \
	X(ERR_USAGE, 2, "wrong usage")                                                             \
	X(ERR_FILE, 3, "cannot read or write a file")                                              \
	X(ERR_FORMAT, 3, "malformed input")                                                        \
	X(ERR_TOO_BIG, 3, "larger than allowed")                                                   \
	X(ERR_BUSY, 3, "in use")                                                                   \
	X(ERR_ALL_SEEDS_FAILED, 4, "every seed failed")                                            \
	X(ERR_LIMIT, 16, "a limit was reached")                                                    \
	X(ERR_INTERRUPTED, 17, "interrupted")                                                      \
	X(ERR_DAMAGED, 18, "store damaged")                                                        \
	X(ERR_NEWER, 18, "store of a newer version")                                               \
	X(ERR_NOTHING, 19, "nothing to do")                                                      \
	X(ERR_MEMORY, 20, "out of memory")                                                         \
	X(ERR_UNREACHABLE, 21, "hosts do not answer")

enum err_index {
#define ERR_INDEX(name, status, text) name##_INDEX,
	ERR_TABLE(ERR_INDEX)
#undef ERR_INDEX
};

enum err {
	ERR_NONE = 0,
#define ERR_ENTRY(name, status, text) name = -(name##_INDEX + 1),
	ERR_TABLE(ERR_ENTRY)
#undef ERR_ENTRY
};

#define MUST_USE __attribute__((warn_unused_result))

/* Why something failed, for a person: lower case, no full stop; what, where, what to do. */
struct err_note {
	char text[512];
};

/* Fills `why` (may be NULL) printf-like and returns `code`. Control characters and malformed
 * UTF-8 in the result (they may stem from a file or the network) become '?'. */
int err_set(struct err_note *why, enum err code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The table's text for a code; "no error" for 0. Static memory. */
const char *err_text(int code);

/* The exit status of the command line for a code; 0 for 0. */
int err_status(int code);

/* Length of the well-formed UTF-8 character that a NUL-terminated text begins with, 0 where it
 * begins with none, or with one that a terminal would obey rather than show. */
size_t err_printable(const char *text);

/* Replaces control characters and malformed UTF-8 of the string in place by '?'. */
void err_escape(char *text);

#endif
