#include "storage/lock.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int lock_check_folder(const char *folder, struct err_note *why)
{
	DIR *all = opendir(folder);
	const struct dirent *e;
	struct stat about;
	int err = 0;

	if (!all && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!all)
		return err_set(why, ERR_FILE, "cannot look into '%s': %s", folder, ascii_error(errno));
	while (!err && (e = readdir(all))) {
		if (fstatat(dirfd(all), e->d_name, &about, AT_SYMLINK_NOFOLLOW) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
			continue;
		err = err_set(why, ERR_FILE,
			S_ISLNK(about.st_mode)
				? "'%s/%s' is a link, and a store may come from anywhere: nothing is read or written through it; put the file there, or link the whole folder"
				: "'%s/%s' is neither a file nor a folder, and a store has nothing else: remove it",
			folder, e->d_name);
	}
	closedir(all);
	return err;
}

static int open_file(const char *folder, int flags)
{
	char *path = buf_made("%s/writer", folder);
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	int code = errno;

	free(path);
	errno = code;
	return fd;
}

/* Returns the process id in the file; 0 if it has none. */
static uint64_t read_pid(int fd)
{
	char text[24] = "";
	uint64_t pid = 0;

	if (pread(fd, text, sizeof text - 1, 0) <= 0)
		return 0;
	text[strcspn(text, "\n")] = 0;
	return num_count(text, INT32_MAX, &pid) ? 0 : pid;
}

static void write_pid(int fd)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());

	/* the process id is for people only, so an error of writing it is ignored */
	if (pwrite(fd, text, (size_t)n, 0) != n || ftruncate(fd, n) != 0)
		return;
}

static int busy(int fd, const char *folder, struct err_note *why)
{
	uint64_t pid = read_pid(fd);

	if (pid == 0)
		return err_set(why, ERR_BUSY, "'%s' is in use: another process writes it", folder);
	return err_set(why, ERR_BUSY, "'%s' is in use: process %llu writes it", folder, (unsigned long long)pid);
}

int lock_take(const char *folder, int *fd, struct err_note *why)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	*fd = -1;
	const int err = lock_check_folder(folder, why);
	if (err)
		return err;
	*fd = open_file(folder, O_RDWR | O_CREAT);
	if (*fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s/writer': %s", folder, ascii_error(errno));
	if (fcntl(*fd, F_OFD_SETLK, &all) == 0) {
		write_pid(*fd);
		return 0;
	}
	int code = errno;
	if (code != EAGAIN && code != EACCES)
		err_set(why, ERR_FILE, "cannot lock '%s/writer': %s", folder, ascii_error(code));
	else
		code = busy(*fd, folder, why);
	close(*fd);
	*fd = -1;
	return code < 0 ? code : ERR_FILE;
}

/* Says whether another open file has the lock. */
static int is_taken(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
}

int lock_is_free(const char *folder, struct err_note *why)
{
	const int fd = open_file(folder, O_RDONLY), status = fd >= 0 && is_taken(fd) ? busy(fd, folder, why) : 0;

	if (fd >= 0)
		close(fd);
	return status;
}

int lock_is_own(const char *folder)
{
	const int fd = open_file(folder, O_RDWR), own = fd >= 0 && read_pid(fd) == (uint64_t)getpid() && is_taken(fd);

	if (fd >= 0)
		close(fd);
	return own;
}

void store_remove(const char *folder)
{
	static const char *const file[] = {"data.mdb", "lock.mdb", "writer", NULL};

	for (const char *const *name = file; *name; name++) {
		char *path = buf_made("%s/%s", folder, *name);
		(void)!unlink(path);
		free(path);
	}
	(void)!rmdir(folder);
}

int store_put(const char *from, const char *folder)
{
	char *made = buf_made("%s/data.mdb", from), *place = buf_made("%s/data.mdb", folder);
	const int failed = rename(made, place) || lasting_name(place) ? -1 : 0, code = errno;

	free(made);
	free(place);
	errno = code;
	return failed;
}
