/* A folder for the files of a fuzz target, which each input writes anew. */
#ifndef TESTS_FUZZ_FUZZ_FOLDER_H
#define TESTS_FUZZ_FUZZ_FOLDER_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The bytes of a path, its NUL included; and of the files that a target may have at a time. */
enum { FUZZ_FOLDER = 32, FUZZ_FOLDER_ROOM = 1 << 24 };

/* Whether there is a new folder in `parent`, whose files may have FUZZ_FOLDER_ROOM bytes. */
static inline int fuzz_folder_in(char path[FUZZ_FOLDER], const char *parent)
{
	char file[FUZZ_FOLDER + 8];

	snprintf(path, FUZZ_FOLDER, "%s/lycosa-fuzz-XXXXXX", parent);
	if (!mkdtemp(path))
		return 0;
	snprintf(file, sizeof file, "%s/room", path);
	const int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const int has_room = fd >= 0 && posix_fallocate(fd, 0, FUZZ_FOLDER_ROOM) == 0;
	close(fd);
	unlink(file);
	if (!has_room)
		rmdir(path);
	return has_room;
}

/* Makes a new folder, in memory where files can be written there, and writes its path. Where there is no place for one, the
 * target ends, and says so in a line that is TAP. */
static inline void fuzz_folder(char path[FUZZ_FOLDER])
{
	if (!fuzz_folder_in(path, "/dev/shm") && !fuzz_folder_in(path, "/tmp")) {
		printf("Bail out! neither /dev/shm nor /tmp can hold files of %d bytes\n", FUZZ_FOLDER_ROOM);
		exit(1);
	}
}

#endif
