/* Text that is read from a file or from stdin, plain or compressed: gz through base/gunzip.h, zst through base/unzstd.h; xz and bz2
 * (and zst in a program built without libzstd) through libarchive. The checksums of all four formats are verified (a zst file has
 * one only if its writer wanted it). No other file uses libarchive for plain streams.
 *
 *	input_open(&in, "urls.gz", why);
 *	while ((got = input_line(in, &line, &length, why)) > 0) { ... }
 *	input_close(in); */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/err.h"

#include <stdint.h>

struct input;

/* Opens a path; the path "-" means stdin, and "x.zip/a/b" the file a/b within the ZIP file x.zip. The function returns 0, or
 * ERR_FILE with the path in the note. The caller frees the input with input_close(). */
int input_open(struct input **in, const char *path, struct err_note *why) MUST_USE;

/* Calls each() with the path of every file within a ZIP file, which input_open() takes and which has less than
 * PATH_MAX bytes; does nothing if the file is none. */
void input_each_member(const char *path, void (*each)(void *ctx, const char *path), void *ctx);

/* Closes and frees an input. */
void input_close(struct input *in);

/* Gives the next run of unpacked bytes, which belong to the input and are valid until the next
 * call. Returns 1, or 0 at the end, or ERR_FILE or ERR_FORMAT (the compressed data are damaged)
 * with a note. */
int input_chunk(struct input *in, const char **bytes, size_t *n, struct err_note *why) MUST_USE;

/* The most bytes of a line that input_line() accepts. */
#define INPUT_LINE_MAX (1u << 20)

/* Gives the next line without its LF or CRLF, NUL-terminated. The line belongs to the input and is
 * valid until the next call. A byte-order mark (EF BB BF) before the first line is dropped. Returns
 * 1, or 0 at the end, or an error: ERR_TOO_BIG for a line of more than INPUT_LINE_MAX bytes,
 * ERR_FORMAT for a line with a NUL byte. A caller must not mix input_line() with input_chunk(). */
int input_line(struct input *in, char **line, size_t *length, struct err_note *why) MUST_USE;
/* Returns the number of the line that input_line() gave last; the first line has number 1. */
uint64_t input_line_number(const struct input *in);

/* Returns the path with which the input was opened. */
const char *input_path(const struct input *in);

/* Reads and unpacks a whole file. The function returns ERR_TOO_BIG if the file has more than `max`
 * unpacked bytes. A NUL follows the *n bytes, which the caller frees with free(). */
int input_all(const char *path, size_t max, char **bytes, size_t *n, struct err_note *why) MUST_USE;

#endif
