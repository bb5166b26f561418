/* A file being written: without a name until all of it is there (under another one where the file
 * system cannot do that), so that a reader never sees half a graph, and a program that is killed leaves
 * nothing. The first failure is kept and told at the end. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/err.h"

#include <stdint.h>

struct output;

/* "-" is stdout; what is no regular file (a pipe, /dev/null) is written to directly. */
int output_open(struct output **out, const char *path, struct err_note *why) MUST_USE;

void output_bytes(struct output *out, const void *bytes, size_t n);
void output_text(struct output *out, const char *text);
/* A decimal number and the byte behind it. */
void output_number(struct output *out, uint64_t number, char behind);

/* Bytes written so far. */
uint64_t output_size(const struct output *out);

/* Replaces bytes at a place that was written before. Not on stdout. */
void output_replace(struct output *out, uint64_t at, const void *bytes, size_t n);

/* From now on output_close() gives the file its name only once its bytes are on the disk, so that a
 * power failure leaves either no file or all of it. For regular files. */
void output_sync(struct output *out);

/* Gives the file its name and frees `out`. ERR_FILE where anything failed; then there is no file.
 */
int output_close(struct output *out, struct err_note *why) MUST_USE;

/* Frees `out` and leaves no file. NULL is allowed. */
void output_abandon(struct output *out);

#endif
