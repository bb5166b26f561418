#include "base/output.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM    (1u << 16)
#define FD_PATH 40

struct output {
	char *path;         /* as it was given, for messages */
	struct place place; /* of the file, behind all links */
	char *temporary; /* the name of the file until it is complete; NULL: the file has no name yet, or is written in its place */
	int fd;
	int is_unnamed;
	int is_synced; /* before it gets its name */
	int failed;    /* errno of the first failure */
	size_t used;
	uint64_t written; /* without what is in `bytes` */
	char bytes[ROOM];
};

/* Tries names beside the file until one is free; `claim` takes it, 0, or fails with errno. */
static int claim_name(struct output *out, int (*claim)(struct output *))
{
	const size_t room = strlen(out->place.path) + 40;
	int failed = -1;

	out->temporary = mem_new(room, 1);
	for (int i = 0; failed && i < 100; i++) {
		snprintf(out->temporary, room, "%s.%ld-%d.part", out->place.path, (long)getpid(), i);
		failed = claim(out);
		if (failed && errno != EEXIST)
			break;
	}
	if (failed) {
		free(out->temporary);
		out->temporary = NULL;
	}
	return failed;
}

/* Creates the temporary file. mkstemp() is not used, since it ignores the umask. */
static int create(struct output *out)
{
	out->fd = open(out->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return out->fd < 0 ? -1 : 0;
}

static void path_of_fd(const struct output *out, char path[FD_PATH])
{
	snprintf(path, FD_PATH, "/proc/self/fd/%d", out->fd);
}

static int link_unnamed(struct output *out)
{
	char path[FD_PATH];

	path_of_fd(out, path);
	return linkat(AT_FDCWD, path, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW);
}

/* Opens a file without a name, which disappears if the program is killed. Returns 0, or -1 if the file system has no such files,
 * or /proc, which is needed to give it a name, is not mounted. */
static int open_unnamed(struct output *out)
{
	const char *slash = strrchr(out->place.path, '/');
	char *folder = slash ? mem_part(out->place.path, (size_t)(slash - out->place.path) + 1) : mem_text(".");
	char path[FD_PATH];

	out->fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
	free(folder);
	path_of_fd(out, path);
	if (out->fd >= 0 && access(path, F_OK) != 0) {
		close(out->fd);
		out->fd = -1;
	}
	out->is_unnamed = out->fd >= 0;
	return out->fd < 0 ? -1 : 0;
}

static void free_output(struct output *out)
{
	if (out->fd >= 0)
		close(out->fd);
	if (out->temporary)
		unlink(out->temporary);
	free(out->temporary);
	free(out->path);
	place_release(&out->place);
	free(out);
}

/* Opens a file that gets the place of the present one; whoever may not write to that one may not replace it, either. */
static void open_new(struct output *out)
{
	struct stat there;

	out->fd = -1;
	if (lstat(out->place.path, &there) == 0 && S_ISLNK(there.st_mode)) {
		errno = ELOOP; /* the links lead in a circle */
		return;
	}
	if (out->place.is_there && faccessat(AT_FDCWD, out->place.path, W_OK, AT_EACCESS) != 0)
		return;
	if (open_unnamed(out) != 0)
		(void)!claim_name(out, create);
}

int output_open(struct output **result, const char *path, struct err_note *why)
{
	struct output *out = mem_zero(1, sizeof *out);

	out->path = mem_text(path);
	place_find(&out->place, strcmp(path, "-") == 0 ? "/dev/stdout" : path);
	if (strcmp(path, "-") == 0)
		out->fd = dup(STDOUT_FILENO);
	else if (out->place.descriptor >= 0)
		out->fd = dup(out->place.descriptor);
	else if (out->place.is_there && !S_ISREG(out->place.st.st_mode))
		out->fd = open(path, O_WRONLY | O_CLOEXEC);
	else
		open_new(out);
	if (out->fd >= 0) {
		*result = out;
		return 0;
	}
	*result = NULL;
	err_set(why, ERR_FILE, "cannot write '%s': %s", path, ascii_error(errno));
	free_output(out);
	return ERR_FILE;
}

static void write_all(struct output *out, const char *bytes, size_t n)
{
	while (n && !out->failed) {
		const ssize_t done = write(out->fd, bytes, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			out->failed = errno;
			break;
		}
		bytes += done;
		n -= (size_t)done;
		out->written += (uint64_t)done;
	}
}

static void flush(struct output *out)
{
	write_all(out, out->bytes, out->used);
	out->used = 0;
}

void output_bytes(struct output *out, const void *bytes, size_t n)
{
	if (n > ROOM - out->used)
		flush(out);
	if (n >= ROOM) {
		write_all(out, bytes, n);
		return;
	}
	if (n)
		memcpy(out->bytes + out->used, bytes, n);
	out->used += n;
}

void output_text(struct output *out, const char *text)
{
	output_bytes(out, text, strlen(text));
}

void output_number(struct output *out, uint64_t number, char behind)
{
	char text[24], *p = text + sizeof text;

	*--p = behind;
	do {
		*--p = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	output_bytes(out, p, (size_t)(text + sizeof text - p));
}

uint64_t output_size(const struct output *out)
{
	return out->written + out->used;
}

int output_descriptor(const struct output *out)
{
	return out->fd;
}

void output_clear(struct output *out)
{
	char *folder = mem_text(out->place.path), *slash = strrchr(folder, '/');
	const char *name = slash ? slash + 1 : folder;
	const size_t n = strlen(name);
	const struct dirent *e;
	long pid;
	int number;

	DIR *all = opendir(!slash ? "." : slash == folder ? "/" : (*slash = 0, folder));
	while (all && (e = readdir(all))) {
		int end = 0;
		if (strncmp(e->d_name, name, n) == 0 && sscanf(e->d_name + n, ".%ld-%d.part%n", &pid, &number, &end) == 2 && end &&
			!e->d_name[n + (size_t)end] && pid > 0 && kill((pid_t)pid, 0) && errno == ESRCH)
			(void)!unlinkat(dirfd(all), e->d_name, 0);
	}
	if (all)
		closedir(all);
	free(folder);
}

void output_sync(struct output *out)
{
	out->is_synced = 1;
}

const char *output_name(struct output *out)
{
	if (out->is_unnamed && claim_name(out, link_unnamed) == 0)
		out->is_unnamed = 0;
	return out->temporary;
}

/* Gives a new file its name when all of it is written. */
static void give_name(struct output *out)
{
	if (!out->failed && place_keep(&out->place, out->fd) != 0)
		out->failed = errno;
	if (out->is_synced && !out->failed && lasting_bytes(out->fd) != 0)
		out->failed = errno;
	if (!out->failed && !output_name(out))
		out->failed = errno;
	if (!out->failed && rename(out->temporary, out->place.path) < 0)
		out->failed = errno;
	if (out->failed)
		return;
	free(out->temporary);
	out->temporary = NULL;
	if (out->is_synced && lasting_name(out->place.path) != 0)
		out->failed = errno;
}

int output_close(struct output *out, struct err_note *why)
{
	int err = 0;

	flush(out);
	if (out->is_unnamed || out->temporary)
		give_name(out);
	if (close(out->fd) < 0 && !out->failed)
		out->failed = errno;
	out->fd = -1;
	/* EPIPE is no error: the reader of the pipe has closed it and wants no more */
	if (out->failed && out->failed != EPIPE)
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", out->path, ascii_error(out->failed));
	free_output(out);
	return err;
}

void output_abandon(struct output *out)
{
	if (out)
		free_output(out);
}

int lasting_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? mem_text(path) : mem_text(".");

	if (slash)
		folder[slash - path + 1] = 0;
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	int failed = fsync(fd);
	const int code = errno;
	if (failed && (code == EINVAL || code == EROFS))
		failed = 0;
	close(fd);
	errno = code;
	return failed;
}

int lasting_bytes(int fd)
{
	int failed;

	do
		failed = fdatasync(fd);
	while (failed && errno == EINTR);
	return failed;
}

int output_whole(const char *path, const char *bytes, size_t n, struct err_note *why)
{
	struct output *out;

	TRY(output_open(&out, path, why));
	output_bytes(out, bytes ? bytes : "", n);
	return output_close(out, why);
}
