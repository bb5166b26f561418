#include "tests/agents/sim/sim_disk.h"
#include "tests/agents/sim/sim_bus.h"
#include "tests/agents/sim/sim_time.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_full(void)
{
	const struct sim_line *line = sim_owner();

	if (!line || !line->disk.is_full)
		return 0;
	errno = ENOSPC;
	return 1;
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pwrite");
	return is_full() ? -1 : real(file, bytes, n, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off_t at)
{
	return pwrite(file, bytes, n, at);
}

ssize_t writev(int file, const struct iovec *parts, int n)
{
	static ssize_t (*real)(int, const struct iovec *, int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "writev");
	return is_full() ? -1 : real(file, parts, n);
}

/* What is written before a commit's sync is not committed yet: the page that says so is written behind it. */
static int commit(void)
{
	struct sim_line *line = sim_owner();

	if (!line || !line->disk.is_caught)
		return 0;
	line->disk.is_caught = 0;
	line->disk.is_inside = 1;
	while (!line->is_dead)
		sim_sleep(5);
	return 0;
}

int fsync(int file)
{
	(void)file;
	return commit();
}

int fdatasync(int file)
{
	(void)file;
	return commit();
}
