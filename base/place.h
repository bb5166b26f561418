/* Where a path leads. Every symbolic link is followed, even a link to a file that does not exist yet. So two names of one file are
 * recognized, and an output that replaces a whole file replaces the file and not the link to it.
 *
 *	place_find(&place, "results.tsv");                   a link to /data/new.tsv, which is not there
 *	... place.path is "/data/new.tsv", place.is_there is 0
 *	place_release(&place); */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include <sys/stat.h>

struct place {
	char *path;     /* absolute, without links, "." and ".."; as it was given if a folder on its way cannot be read */
	int descriptor; /* the open file of this process that the path stands for, as /dev/stdout does; -1: none */
	int is_there;   /* 1: `st` says what is there */
	struct stat st;
};

/* Finds the place of a path, which may be missing, with folders above it that are missing, too. */
void place_find(struct place *, const char *path);

/* Says whether two paths are one file or folder, or will be one when they are made. */
int place_is(const struct place *, const struct place *other);

/* Gives an open new file the mode of the file that it will replace at the place, and its owner where that is allowed. The call
 * has no effect if nothing is there. Returns 0, or -1 with errno. */
int place_keep(const struct place *, int fd);

void place_release(struct place *);

#endif
