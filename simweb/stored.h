/* A folder of stored pages. DIR/index.tsv has one line "file<TAB>url" for each page; the file is
 * below DIR. */
#ifndef SIMWEB_STORED_H
#define SIMWEB_STORED_H

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

struct stored;

/* Reads the index of a folder. Returns 0, or ERR_FILE, or ERR_FORMAT for a line without a file or
 * without an absolute URL, and for a file that is not below the folder ("/etc/passwd", "../x"). The
 * opened folder is immutable, so threads may share it. */
int stored_open(struct stored **, const char *dir, struct err_note *why) MUST_USE;

/* Closes the folder and frees the index. NULL is allowed. */
void stored_close(struct stored *);

/* Returns the number of pages. Pages are numbered from 0 in the order of the index. */
uint32_t stored_pages(const struct stored *);

/* Returns the URL of a page, which is valid until stored_close(). */
const char *stored_url(const struct stored *, uint32_t page);

/* Returns the media type of a page, from the extension of the file or else from that of the URL's
 * path; the result is "text/html", without a charset, if neither extension is known. */
const char *stored_type(const struct stored *, uint32_t page);

/* Opens the file of a page for reading and gives its size. Returns a descriptor, which the caller
 * closes, or -1 if the file is no regular file or a part of its path below the folder is a symbolic
 * link. */
int stored_file(const struct stored *, uint32_t page, off_t *size);

#endif
