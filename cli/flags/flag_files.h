/* Which files a command reads and writes, told from its flags and operands by the kind that their rows say (enum flag_file in
 * base/flag.h). A flag of a new verb needs no more than its kind, and base/destination.h keeps its files apart from all others. */
#ifndef CLI_FLAGS_FLAG_FILES_H
#define CLI_FLAGS_FLAG_FILES_H

#include "base/destination.h"
#include "cli/flags/flags.h"

/* Adds the files of all flags; `values` is the verb's struct. */
void flag_files(const struct flag_group *groups, const void *values, struct destinations *);

/* Adds the files that one text names. `flag` stands before it in messages, and may be "". */
void flag_files_add(const struct flag_group *groups, const void *values, enum flag_file, const char *flag, const char *text,
	struct destinations *);

/* Returns 0, or ERR_USAGE if an output would overwrite an input, another output, or a part of a store. */
int flag_files_check(const struct destinations *, struct err_note *why) MUST_USE;

#endif
