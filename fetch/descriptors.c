#include "fetch/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Raises the limit of open files as far as the system allows, to DESCRIPTORS_MOST at most, and returns it. */
static unsigned raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return 256; /* any system allows so many */
	const rlim_t soft = files.rlim_cur;
	files.rlim_cur = files.rlim_max > DESCRIPTORS_MOST ? DESCRIPTORS_MOST : files.rlim_max;
	if (files.rlim_cur <= soft || setrlimit(RLIMIT_NOFILE, &files))
		files.rlim_cur = soft;
	return files.rlim_cur > DESCRIPTORS_MOST ? DESCRIPTORS_MOST : (unsigned)files.rlim_cur;
}

/* Returns the number of open descriptors. Only the first thousands are looked at, since a program seldom has more when it
 * begins. */
static unsigned count_open(unsigned limit)
{
	unsigned n = 0;

	for (unsigned fd = 0; fd < limit && fd < 4096; fd++)
		n += fcntl((int)fd, F_GETFD) >= 0;
	return n;
}

unsigned descriptors_for_connections(unsigned threads)
{
	const unsigned limit = raise_limit();
	const unsigned kept = count_open(limit) + DESCRIPTORS_RESERVE + DESCRIPTORS_A_THREAD * threads;

	return limit > kept ? limit - kept : 1;
}

int descriptors_are_gone(void)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return descriptors_are_short(errno);
	close(fd);
	return 0;
}

int descriptors_are_short(int os_error)
{
	return os_error == EMFILE || os_error == ENFILE || os_error == ENOBUFS || os_error == ENOMEM || os_error == EADDRNOTAVAIL ||
		os_error == EAGAIN;
}
