/* Making files outlast a power failure. What write() has taken lies in the memory of the kernel until
 * it is synced; the name of a new file lies there until its folder is. */
#ifndef STORAGE_LASTING_H
#define STORAGE_LASTING_H

/* Syncs the folder that a file lies in, so that the file's name lasts. 0, or -1 with errno; 0, too,
 * where it cannot be done: on a file system that does not sync folders, for a folder that may be written to
 * but not be read. */
int lasting_name(const char *path);

/* Syncs what an open regular file holds. 0, or -1 with errno. */
int lasting_bytes(int fd);

#endif
