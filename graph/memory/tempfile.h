/* A file without a name, for what does not fit into memory: it is gone with the program, however
 * that ends. The first failure is kept, and told when the file is looked at. */
#ifndef GRAPH_MEMORY_TEMPFILE_H
#define GRAPH_MEMORY_TEMPFILE_H

#include "base/buf.h"
#include "base/err.h"

struct tempfile {
	int fd;
	int failed;    /* errno of the first failure */
	uint64_t size; /* bytes written, without those in `waiting` */
	struct buf waiting;
	char *folder;
};

/* In `folder`; NULL is TMPDIR, else /tmp. ERR_FILE where no file can be made there. */
int tempfile_open(struct tempfile *t, const char *folder, struct err_note *why) MUST_USE;

/* Safe on a zeroed struct. */
void tempfile_close(struct tempfile *t);

void tempfile_add(struct tempfile *t, const void *bytes, size_t n);

/* Writes what waits once it is worth it. For those who fill `waiting` themselves. */
void tempfile_relieve(struct tempfile *t);

/* Writes all that waits. ERR_FILE with the folder in the note where anything failed so far. */
int tempfile_flush(struct tempfile *t, struct err_note *why) MUST_USE;

/* Exactly `n` bytes from a place that was flushed. */
int tempfile_read(const struct tempfile *t, uint64_t at, void *bytes, size_t n,
	struct err_note *why) MUST_USE;

#endif
