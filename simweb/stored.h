/* A folder of stored pages: DIR/index.tsv has a line "file<TAB>url" for each, file below DIR. */
#ifndef SIMWEB_STORED_H
#define SIMWEB_STORED_H

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

struct stored;

/* Reads the index. ERR_FILE; ERR_FORMAT for a line without a file or without an absolute URL, and
 * for a file that is not below the folder ("/etc/passwd", "../x"). Immutable once open, so threads
 * may share it. */
int stored_open(struct stored **, const char *dir, struct err_note *why) MUST_USE;
void stored_close(struct stored *);

/* Pages are numbered 0.. in the order of the index. Texts are the stored's until it is closed. */
uint32_t stored_pages(const struct stored *);
const char *stored_url(const struct stored *, uint32_t page);

/* By the extension of the file or else of the URL's path; "text/html", without a charset, where
 * neither says. */
const char *stored_type(const struct stored *, uint32_t page);

/* Opens the page's file for reading and gives its size: a descriptor that the caller closes, or
 * -1 where it is no regular file or a part of its path below the folder is a symbolic link. */
int stored_file(const struct stored *, uint32_t page, off_t *size);

#endif
