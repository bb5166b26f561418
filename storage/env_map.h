/* Where the system has mapped LMDB's file, and how to unmap what was read of it.
 *
 * Each page of the file that is read through the map, and its neighbours in the page cache, become resident memory of this process;
 * in the end this is the whole file. env_map_let_go() removes these pages from the process. They remain in the kernel's page cache,
 * and a later read finds them at the same addresses.
 *
 *	struct env_map m = {0};
 *	env_map_find(&m, fd);                   after LMDB has mapped the file
 *	env_map_let_go(&m); */
#ifndef STORAGE_ENV_MAP_H
#define STORAGE_ENV_MAP_H

#include <stddef.h>

struct env_map {
	void *at; /* NULL: it has not been looked for, or cannot be found */
	size_t size;
};

/* Finds the shared read-only map of a file in /proc/self/maps. m->at is NULL if there is none, or no such file. */
void env_map_find(struct env_map *, int fd);

/* Forgets a map that is about to end or to move, and tells base/paged.h so. */
void env_map_forget(struct env_map *);

/* Takes the pages of the map out of the memory of this process. Addresses into the map stay valid. */
void env_map_let_go(const struct env_map *);

#endif
