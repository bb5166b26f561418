/* Folders that the user names: that of --out, into which a report is written, and those of stores.
 *
 *   int err = folder_make(o->out, why);                    before the work, so that it is not for nothing
 *   if (!err) err = folder_write(o->out, "results.tsv", text.at, text.used, why); */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "base/err.h"

/* Creates the folder, and the folders above it, if they are missing, and checks that a file can be created in it.
 * Returns 0 or ERR_FILE. */
int folder_make(const char *folder, struct err_note *why) MUST_USE;

/* Writes a file of n bytes into the folder. A file of that name is replaced completely or not at all. Returns 0 or
 * ERR_FILE. */
int folder_write(const char *folder, const char *name, const void *bytes, size_t n, struct err_note *why) MUST_USE;

/* Says whether two paths lead to one folder, which is there. */
int folder_is(const char *a, const char *b);

#endif
