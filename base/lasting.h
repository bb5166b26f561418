/* Makes files outlast a power failure. The bytes that write() has accepted lie in the kernel's memory until the file is
 * synced, and the name of a new file lies there until its folder is synced.
 *
 *	if (lasting_bytes(fd) || lasting_name("folder/file")) ... errno says why */
#ifndef BASE_LASTING_H
#define BASE_LASTING_H

/* Syncs the folder that contains the file at `path`, so that the file's name is on the disk. Returns 0, or -1 with
 * errno. The result is 0, without effect, on a file system that cannot sync folders and for a folder without
 * permission to read. */
int lasting_name(const char *path);

/* Syncs the contents of an open regular file. Returns 0, or -1 with errno. */
int lasting_bytes(int fd);

#endif
