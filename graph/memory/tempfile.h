/* Temporary files without a name, for data that do not fit into memory. Such a file disappears when the program
 * ends, however it ends. Writes are buffered; the first error is remembered, and tempfile_flush() returns it.
 *
 *	tempfile_open(&t, NULL, why);
 *	tempfile_add(&t, bytes, n);
 *	code = tempfile_flush(&t, why);
 *	tempfile_close(&t); */
#ifndef GRAPH_MEMORY_TEMPFILE_H
#define GRAPH_MEMORY_TEMPFILE_H

#include "base/buf.h"
#include "base/err.h"

struct tempfile {
	int fd;
	int failed;    /* the errno of the first error; 0: none */
	uint64_t size; /* bytes in the file, without those in `waiting` */
	struct buf waiting;
	char *folder;
};

/* Creates a file in a folder; NULL is TMPDIR, or else /tmp. Returns 0, or ERR_FILE if no file can be created there. */
int tempfile_open(struct tempfile *t, const char *folder, struct err_note *why) MUST_USE;

/* Closes a file, which removes it. A zeroed struct is allowed. */
void tempfile_close(struct tempfile *t);

/* Appends n bytes. */
void tempfile_add(struct tempfile *t, const void *bytes, size_t n);

/* Writes `waiting` to the file if it is large. A caller that appends to `waiting` itself calls this after each
 * addition. */
void tempfile_relieve(struct tempfile *t);

/* Writes `waiting` to the file. Returns 0, or ERR_FILE with the folder in the note if any write has failed so far. */
int tempfile_flush(struct tempfile *t, struct err_note *why) MUST_USE;

/* Reads exactly n bytes from a position that has been flushed. Returns 0 or ERR_FILE. */
int tempfile_read(const struct tempfile *t, uint64_t at, void *bytes, size_t n, struct err_note *why) MUST_USE;

#endif
