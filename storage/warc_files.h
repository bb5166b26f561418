/* The files of archives: those that a text names, and those of a crawl.
 *
 *	if (warc_files_find(&files, "archives/")) ... files.path[i] ...
 *	warc_files_release(&files); */
#ifndef STORAGE_WARC_FILES_H
#define STORAGE_WARC_FILES_H

#include "base/err.h"

#include <stddef.h>

struct warc_files {
	char **path;
	size_t n, room;
};

/* Finds the archives that a text names: a file; a folder, with those below it whose names end as those of WARC, WAT and WACZ files
 * do; a pattern, whose last part may have * and ?; or a text file with a path on each line. The files are in the order of their
 * names, and a WACZ stands for the archives in it. Returns 1 with *files, which the caller gives to warc_files_release(); or 0 if
 * the text names none. */
int warc_files_find(struct warc_files *, const char *text);

/* Appends a file; owns its name. */
void warc_files_add(struct warc_files *, char *path);

/* Appends the files of `more`, which is empty then. */
void warc_files_take(struct warc_files *, struct warc_files *more);

/* Frees the memory. */
void warc_files_release(struct warc_files *);

/* Says whether a name goes on to an end, such as ".warc"; the case of letters does not count. */
int warc_files_end(const char *name, const char *end);

/* Returns the length of the path of a file without .warc.gz or .warc.zst. */
size_t warc_stem(const char *path);

/* Receives the path of one file. Returns 0 to continue. */
typedef int warc_file_fn(void *ctx, const char *path, struct err_note *why);

/* Calls `each` for every file PREFIX-YYYYMMDDhhmmss-NNNNN.warc.gz or .warc.zst in the order of names, which is the order in which
 * the files were begun, until a call returns a value other than 0. Returns that value, or 0. A folder that cannot be
 * read counts as empty. */
int warc_each_file(const char *prefix, warc_file_fn *each, void *ctx, struct err_note *why) MUST_USE;

#endif
