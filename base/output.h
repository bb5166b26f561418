/* A file that is written as a whole. The file has no name until all of its bytes are written (or
 * has another name, if the file system does not support files without a name), so a reader never
 * sees half a file, and a killed program leaves no file. The first failure is kept, and
 * output_close() reports it.
 *
 *	output_open(&out, "hosts.txt", why);
 *	output_text(out, "a.test\n");
 *	code = output_close(out, why); */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/err.h"

#include <stdint.h>

struct output;

/* Opens a path for writing; the path "-" means stdout. If the path is no regular file (a pipe,
 * /dev/null), or one that this process has open (/dev/stdout), the bytes are written to it directly.
 * A link stays, and what it points to is written. A file that is replaced keeps its mode, and one
 * that may not be written is ERR_FILE. */
int output_open(struct output **out, const char *path, struct err_note *why) MUST_USE;

/* Writes n bytes. */
void output_bytes(struct output *out, const void *bytes, size_t n);

/* Writes a NUL-terminated text. */
void output_text(struct output *out, const char *text);

/* Writes a decimal number and the byte `behind` after it. */
void output_number(struct output *out, uint64_t number, char behind);

/* Returns the number of bytes that have been written so far. */
uint64_t output_size(const struct output *out);

/* Returns the descriptor to which the bytes go, for a child process that writes them instead, and to ask what file it is. */
int output_descriptor(const struct output *out);

/* Gives the file a name beside its own until it is closed, for a library that opens files by their names, and returns the name,
 * which is the output's; NULL for what is no regular file, or if there can be no name. */
const char *output_name(struct output *out);

/* Makes n bytes the contents of a file, as output_open() and output_close() do. */
int output_whole(const char *path, const char *bytes, size_t n, struct err_note *why) MUST_USE;

/* Removes files that processes which are dead now have left beside this one, under such names as output_name() gives. */
void output_clear(struct output *out);

/* Makes output_close() give the file its name only when the bytes are on the disk, and return only when the name is, so that a
 * power failure leaves either the former file or the whole new one. What is no regular file is not synced. */
void output_sync(struct output *out);

/* Gives the file its name and frees `out`. If any write failed, the function returns ERR_FILE and
 * leaves no file. */
int output_close(struct output *out, struct err_note *why) MUST_USE;

/* Frees `out` and leaves no file. NULL is allowed. */
void output_abandon(struct output *out);

/* Makes files outlast a power failure. The bytes that write() has accepted lie in the kernel's memory until the file is
 * synced, and the name of a new file lies there until its folder is synced.
 *
 *	if (lasting_bytes(fd) || lasting_name("folder/file")) ... errno says why */

/* Syncs the folder that contains the file at `path`, so that the file's name is on the disk. Returns 0, or -1 with
 * errno. The result is 0, without effect, on a file system that cannot sync folders and for a folder without
 * permission to read. */
int lasting_name(const char *path);

/* Syncs the contents of an open regular file. Returns 0, or -1 with errno. */
int lasting_bytes(int fd);

#endif
