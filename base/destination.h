/* The guard of what a command writes: a file that it reads, or writes for another purpose, or that belongs to a store, is no place
 * for an output. Files are compared by where their paths lead (base/place.h), so that a link or another spelling of a path makes
 * no difference, also for files that are not there yet.
 *
 *	struct destinations d = DESTINATIONS_NONE;
 *	destinations_add(&d, DESTINATION_READ, "--seeds", "seeds.txt", NULL);
 *	destinations_add(&d, DESTINATION_WRITTEN, "--order", "./seeds.txt", NULL);
 *	err = destinations_check(&d, store_is, why);    "--order './seeds.txt' would overwrite what --seeds 'seeds.txt' reads ..."
 *	destinations_release(&d); */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include "base/err.h"

#include <stddef.h>
#include <sys/stat.h>

enum destination_use {
	DESTINATION_READ,
	DESTINATION_WRITTEN,
	DESTINATION_APPENDED, /* written, by adding to it */
	DESTINATION_STORE,    /* written: the folder of a store, in which no other output may lie */
};

struct destination;

struct destinations {
	struct destination *at;
	size_t n, room;
};

/* clang-format off */
#define DESTINATIONS_NONE {NULL, 0, 0}
/* clang-format on */

/* Adds a path that a command was given; `flag` names it in messages, and may be "". If `files` is NULL, the path is the file; else
 * its files are the path with each of these texts behind it, the last of which is NULL: "/results.tsv", or "-*.warc.gz", where an
 * asterisk stands for any text without a slash, or one that ends with slash and asterisk, for all that lies in a folder. "-" is
 * stdin or stdout. The call has no effect for what is no file: a device, a pipe, a descriptor such as /dev/stdout, or a path to be
 * read where nothing is. `files` is borrowed. */
void destinations_add(struct destinations *, enum destination_use, const char *flag, const char *path, const char *const *files);

/* Returns 0; or ERR_USAGE if an output would overwrite something that is read, is another output, too, or lies in a store that is
 * not this output itself. is_store() says whether a folder is one. Stdout counts as an output if it is a file. */
int destinations_check(const struct destinations *, int (*is_store)(const char *folder), struct err_note *why) MUST_USE;

/* Returns how the command names the file that lstat() tells of, such as "--seeds 'seeds.txt'"; NULL if it is none of the
 * command's. */
const char *destinations_find(const struct destinations *, const struct stat *);

void destinations_release(struct destinations *);

#endif
