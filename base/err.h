/* Errors: one table of codes, and one note that tells a person the cause.
 *
 *	if (size > max)
 *		return err_set(why, ERR_TOO_BIG, "%s: larger than %zu bytes", path, max);
 *	return 0;
 *
 * A function that can fail returns 0 or a negative `enum err`. The one file that calls another
 * library translates the codes of that library (errno, CURLcode, MDB_*). If a person must read the
 * cause, the last argument of the function is a `struct err_note *`, which may be NULL and which
 * err_set() fills. "Not found", "end" and "busy" are results, not errors. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

/* The columns are the name, the exit status of the command line, and the text. */
#define ERR_TABLE(X) \
	X(ERR_OTHER, 1, "failed") \
	X(ERR_USAGE, 2, "wrong usage") \
	X(ERR_FILE, 3, "cannot read or write a file") \
	X(ERR_FORMAT, 3, "malformed input") \
	X(ERR_TOO_BIG, 3, "larger than allowed") \
	X(ERR_BUSY, 3, "in use") \
	X(ERR_ALL_SEEDS_FAILED, 4, "every seed failed") \
	X(ERR_LIMIT, 16, "a limit was reached") \
	X(ERR_INTERRUPTED, 17, "interrupted") \
	X(ERR_DAMAGED, 18, "store damaged") \
	X(ERR_NEWER, 18, "store of a newer version") \
	X(ERR_NOTHING, 19, "nothing to do") \
	X(ERR_MEMORY, 20, "out of memory") \
	X(ERR_UNREACHABLE, 21, "hosts do not answer") \
	X(ERR_PUT_OFF, 22, "pages were put off") \
	X(ERR_PARTIAL, 23, "answered from the rest of a damaged store") \
	X(ERR_RESULTS, 3, "cannot write the results to stdout")

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

/* The cause of a failure, written for a person in lower case without a full stop: what failed,
 * where it failed, and what to do. */
struct err_note {
	char text[512];
};

/* Formats the note `why` (which may be NULL) as printf() does, and returns `code`. Control
 * characters and malformed UTF-8 in the note, which may come from a file or the network, become
 * '?'. */
int err_set(struct err_note *why, enum err code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Calls a function, and returns from the function around it with what was returned unless that is 0. What is held by then must be
 * declared by AUTO() or AUTO_FREE:
 *
 *	AUTO(buf) line = BUF_EMPTY;
 *	TRY(graph_read(&g, path, why));
 *	describe(&g, &line);
 *	return line_write(&line, why); */
#define TRY(call) \
	do { \
		const int returned_ = (call); \
		if (returned_) \
			return returned_; \
	} while (0)

/* Declares variables of a struct S, which must have their first values there, and releases them by S_release() at the end of their
 * block, the last one first, wherever the block is left. */
#define AUTO(S) __attribute__((cleanup(S##_release))) struct S

/* Returns the table's text for a code, or "no error" for 0. The text is in static memory. */
const char *err_text(int code);

/* Returns the exit status of the command line for a code; the status for code 0 is 0. */
int err_status(int code);

/* Returns the length of the UTF-8 character at the start of a NUL-terminated text. The result is
 * 0 if the character is malformed, or if a terminal would obey the character instead of showing
 * it. */
size_t err_printable(const char *text);

/* Replaces control characters and malformed UTF-8 in a string by '?', in place. */
void err_escape(char *text);

#endif
