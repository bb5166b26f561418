/* Maps files into memory. If the disk fails, or another process shortens a mapped file, a reader of the missing part gets
 * SIGBUS: the command line then ends with a message and status 3 (cli/main.c), any other program is killed.
 *
 *	mapping_open(&m, path, why);
 *	... m.at[0..m.size-1] ...
 *	mapping_close(&m); */
#ifndef GRAPH_MEMORY_MAPPING_H
#define GRAPH_MEMORY_MAPPING_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* So many bytes behind the end of the file can be read as well; their values are undefined. */
#define MAPPING_BEYOND 64

struct mapping {
	const uint8_t *at; /* NULL: none */
	size_t size;       /* bytes of the file */
	size_t reserved;
};

/* Maps a file for reading. Returns 0, or ERR_FILE with the path in the note. */
int mapping_open(struct mapping *m, const char *path, struct err_note *why) MUST_USE;

/* Maps an open file for reading; the caller may close the descriptor afterwards. `what` names the file in the
 * note. Returns 0 or ERR_FILE. */
int mapping_take(struct mapping *m, int fd, const char *what, struct err_note *why) MUST_USE;

/* Ends a mapping. A zeroed struct is allowed. */
void mapping_close(struct mapping *m);

/* Hints that these bytes of a mapped file are not needed soon, so that they leave the memory. The caller must not
 * pass other memory, whose contents would be lost. */
void mapping_drop(const void *begin, const void *end);

/* Hints that an array which is about to be filled should lie on huge pages; this can save a third of the time of
 * filling it. */
void mapping_prefer_large(void *array, size_t bytes);

/* Temporary files without a name, for data that do not fit into memory. Such a file disappears when the program
 * ends, however it ends. Writes are buffered; the first error is remembered, and tempfile_flush() returns it.
 *
 *	tempfile_open(&t, NULL, why);
 *	tempfile_add(&t, bytes, n);
 *	code = tempfile_flush(&t, why);
 *	tempfile_close(&t); */

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
