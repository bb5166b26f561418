/* A library for LD_PRELOAD that stops or kills a program at one of its writes, for tests that want a program in the middle of its
 * work, however busy the machine is:
 *
 *     AT_CALL=kill:7 LD_PRELOAD=$PWD/tests/faults/at_call.so lycosa ...
 *
 * kills the program (SIGKILL) at the 7th call, counted over all threads, that changes a file: write(), pwrite(), writev(),
 * pwritev(), ftruncate(), rename(), link(), unlink(), fsync(), fdatasync() and msync(). Of a write, the pages of its first half are
 * done, as a kernel may leave it. `stop:7` stops the program (SIGSTOP) before this call, until it gets SIGCONT. What the program
 * starts itself is left alone. Writes to the standard streams do not count.
 *
 * glibc's own calls (those of stdio) do not pass here. */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* Set once, before main(). */
static int signal_sent; /* 0: none */
static unsigned long wanted;

static atomic_ulong calls;

static __attribute__((constructor)) void arm(void)
{
	const char *spec = getenv("AT_CALL");

	unsetenv("LD_PRELOAD");
	if (!spec)
		return;
	const char *colon = strchr(spec, ':');
	wanted = colon ? strtoul(colon + 1, NULL, 10) : 0;
	signal_sent = strncmp(spec, "kill:", 5) == 0 ? SIGKILL : strncmp(spec, "stop:", 5) == 0 ? SIGSTOP : 0;
	if (!wanted || !signal_sent) {
		fprintf(stderr, "at_call: not 'kill:N' or 'stop:N': '%s'\n", spec);
		_exit(99);
	}
}

/* Counts a call; says whether it is the one at which the program is killed. */
static int is_last(void)
{
	if (!signal_sent || atomic_fetch_add(&calls, 1) + 1 != wanted)
		return 0;
	if (signal_sent == SIGKILL)
		return 1;
	kill(getpid(), SIGSTOP);
	return 0;
}

/* Kills the program, behind a call that has done half of its work, or in place of a call (0). */
static ssize_t die(ssize_t done)
{
	kill(getpid(), SIGKILL);
	return done;
}

/* The function that this library stands before. */
#define NEXT(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

/* The pages of the first half of n bytes: a write within a page is done or not. */
static size_t half(size_t n)
{
	return n / 2 & ~(size_t)4095;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	if (fd <= STDERR_FILENO || !is_last())
		return NEXT(write)(fd, bytes, n);
	return die(NEXT(write)(fd, bytes, half(n)));
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	if (!is_last())
		return NEXT(pwrite)(fd, bytes, n, at);
	return die(NEXT(pwrite)(fd, bytes, half(n), at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	return pwrite(fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec *part, int n)
{
	if (!is_last())
		return NEXT(writev)(fd, part, n);
	return die(NEXT(writev)(fd, part, n / 2));
}

ssize_t pwritev(int fd, const struct iovec *part, int n, off_t at)
{
	if (!is_last())
		return NEXT(pwritev)(fd, part, n, at);
	return die(NEXT(pwritev)(fd, part, n / 2, at));
}

ssize_t pwritev64(int fd, const struct iovec *part, int n, off_t at)
{
	return pwritev(fd, part, n, at);
}

int ftruncate(int fd, off_t n)
{
	return is_last() ? (int)die(0) : NEXT(ftruncate)(fd, n);
}

int ftruncate64(int fd, off_t n)
{
	return ftruncate(fd, n);
}

int rename(const char *from, const char *to)
{
	return is_last() ? (int)die(0) : NEXT(rename)(from, to);
}

int link(const char *from, const char *to)
{
	return is_last() ? (int)die(0) : NEXT(link)(from, to);
}

int linkat(int folder, const char *from, int other, const char *to, int flags)
{
	return is_last() ? (int)die(0) : NEXT(linkat)(folder, from, other, to, flags);
}

int unlink(const char *path)
{
	return is_last() ? (int)die(0) : NEXT(unlink)(path);
}

int fsync(int fd)
{
	return is_last() ? (int)die(0) : NEXT(fsync)(fd);
}

int fdatasync(int fd)
{
	return is_last() ? (int)die(0) : NEXT(fdatasync)(fd);
}

int msync(void *at, size_t n, int flags)
{
	return is_last() ? (int)die(0) : NEXT(msync)(at, n, flags);
}
