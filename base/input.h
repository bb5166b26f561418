/* Text that comes from a file, plain or compressed (gz, by base/gunzip.h; xz, zst, bz2, through
 * libarchive), or from stdin. The checksums of all four are compared (zst has one where its writer wanted it). The
 * only libarchive user for plain streams. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/err.h"

#include <stdint.h>

struct input;

/* Opens a path; "-" is stdin. ERR_FILE with the path in the note. Free with input_close(). */
int input_open(struct input **in, const char *path, struct err_note *why) MUST_USE;
void input_close(struct input *in);

/* The next run of unpacked bytes, the input's until the next call. Returns 1, 0 at the end, or
 * ERR_FILE, ERR_FORMAT (damaged compression) with a note. */
int input_chunk(struct input *in, const char **bytes, size_t *n, struct err_note *why) MUST_USE;

/* The next line, without its LF or CRLF, NUL-terminated, the input's until the next call; its
 * number is input_line_number(). A line over `INPUT_LINE_MAX` bytes is ERR_TOO_BIG; a NUL byte
 * within is ERR_FORMAT. A byte-order mark (EF BB BF) before the first line is no part of it. Returns
 * 1, 0 at the end, or an error. Do not mix with input_chunk(). */
#define INPUT_LINE_MAX (1u << 20)
int input_line(struct input *in, char **line, size_t *length, struct err_note *why) MUST_USE;
uint64_t input_line_number(const struct input *in); /* of the last line; 1 is the first */

/* As it was opened. */
const char *input_path(const struct input *in);

/* Reads all of a file, at most `max` bytes of it unpacked, else ERR_TOO_BIG. The bytes are
 * NUL-terminated beyond *n and the caller's to free(). */
int input_all(const char *path, size_t max, char **bytes, size_t *n, struct err_note *why) MUST_USE;

#endif
