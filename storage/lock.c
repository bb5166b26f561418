#include "storage/lock.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_file(const char *folder, int flags)
{
	struct buf path = BUF_EMPTY;

	buf_format(&path, "%s/writer", folder);
	int fd = open(path.at, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	int code = errno;
	buf_release(&path);
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

int lock_is_free(const char *folder, struct err_note *why)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_file(folder, O_RDONLY), status = 0;

	if (fd < 0)
		return 0;
	if (fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK)
		status = busy(fd, folder, why);
	close(fd);
	return status;
}

int lock_is_own(const char *folder)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_file(folder, O_RDWR), own = 0;

	if (fd < 0)
		return 0;
	if (read_pid(fd) == (uint64_t)getpid())
		own = fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
	close(fd);
	return own;
}
