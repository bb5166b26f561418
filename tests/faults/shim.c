/* A library for LD_PRELOAD that makes calls of one kind fail, for tests/faults/case.sh:
 *
 *     FAULT=write:28:7 LD_PRELOAD=$PWD/tests/faults/shim.so lycosa ...
 *
 * fails the 7th, 14th, 21st ... of write(), pwrite() and writev() with errno 28 (ENOSPC), counted over
 * all threads from the start of main() on. `7!` in place of 7 fails the 7th alone, and errno 0 makes
 * a write a short one, of half its bytes, in place of a failure. FAULT_MARK names a file that gets a byte when
 * the first call fails, so that a run whose fault never came can be told from one that stood it. What the
 * program starts itself is left alone, and so are writes to stderr: the message is what is tested.
 *
 * glibc's own calls (stdio's writes, fopen's open) do not pass here; /dev/full stands for those. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, READ, SYNC, MMAP, SOCKET, CONNECT, SEND, RECV, POLL, MALLOC, OPEN, THREAD, KINDS };

static const char *const names[KINDS] = {"write", "read", "sync", "mmap", "socket", "connect", "send", "recv", "poll", "malloc",
	"open", "thread"};

/* Set once, before main(). */
static int armed; /* the kind that fails, and 1; 0: none */
static int number;
static unsigned long every;
static int only_once;
static int mark = -1; /* opened early: a crawl may later open no file there */

static atomic_ulong calls;
static atomic_int has_failed;

static __attribute__((constructor)) void arm(void)
{
	const char *spec = getenv("FAULT"), *colon = spec ? strchr(spec, ':') : NULL;
	char *end = NULL;

	unsetenv("LD_PRELOAD");
	for (int k = 0; colon && k < KINDS; k++) {
		if (strlen(names[k]) != (size_t)(colon - spec) || strncmp(names[k], spec, strlen(names[k])))
			continue;
		number = (int)strtol(colon + 1, &end, 10);
		every = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
		only_once = *end == '!';
		armed = every ? k + 1 : 0;
	}
	const char *name = getenv("FAULT_MARK");
	if (name)
		mark = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (spec && !armed) {
		fprintf(stderr, "shim: no fault '%s'\n", spec);
		_exit(99);
	}
}

static void leave_mark(void)
{
	if (mark >= 0 && !atomic_exchange(&has_failed, 1))
		syscall(SYS_write, mark, "x", 1);
}

/* Whether this call is one of those that fail; errno is then set. */
static int fails(enum kind k)
{
	if (armed != (int)k + 1)
		return 0;
	const unsigned long n = atomic_fetch_add(&calls, 1) + 1;
	if (only_once ? n != every : n % every)
		return 0;
	leave_mark();
	errno = number;
	return 1;
}

/* The function that this library stands before. */
#define NEXT(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

/* --- memory: lycosa's own malloc() (cli/malloc.c) calls these names of glibc. memalign() is the way to
 * memory that nobody stands before; dlsym() is none, which allocates itself. */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t line, size_t n);

void *__libc_malloc(size_t n)
{
	return fails(MALLOC) ? NULL : memalign(16, n);
}

void *__libc_calloc(size_t n, size_t size)
{
	size_t bytes;
	void *p = fails(MALLOC) || __builtin_mul_overflow(n, size, &bytes) ? NULL : memalign(16, bytes);

	return p ? memset(p, 0, bytes) : NULL;
}

void *__libc_realloc(void *old, size_t n)
{
	void *p = fails(MALLOC) ? NULL : memalign(16, n);

	if (!p || !old)
		return p;
	const size_t room = malloc_usable_size(old);
	memcpy(p, old, room < n ? room : n);
	free(old);
	return p;
}

void *__libc_memalign(size_t line, size_t n)
{
	return fails(MALLOC) ? NULL : memalign(line, n);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
	return fails(MMAP) ? MAP_FAILED : NEXT(mmap)(at, n, protection, flags, fd, from);
}

void *mmap64(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
	return mmap(at, n, protection, flags, fd, from);
}

/* --- files */

/* How much of n a short write does. */
static size_t half(size_t n)
{
	return n < 2 ? n : n / 2;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	if (fd == STDERR_FILENO || !fails(WRITE))
		return NEXT(write)(fd, bytes, n);
	return number ? -1 : NEXT(write)(fd, bytes, half(n));
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	if (!fails(WRITE))
		return NEXT(pwrite)(fd, bytes, n, at);
	return number ? -1 : NEXT(pwrite)(fd, bytes, half(n), at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	return pwrite(fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec *part, int n)
{
	if (fd == STDERR_FILENO || !fails(WRITE))
		return NEXT(writev)(fd, part, n);
	return number ? -1 : NEXT(writev)(fd, part, (int)half((size_t)n));
}

ssize_t pwritev(int fd, const struct iovec *part, int n, off_t at)
{
	if (!fails(WRITE))
		return NEXT(pwritev)(fd, part, n, at);
	return number ? -1 : NEXT(pwritev)(fd, part, (int)half((size_t)n), at);
}

ssize_t read(int fd, void *bytes, size_t n)
{
	return fails(READ) ? -1 : NEXT(read)(fd, bytes, n);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
	return fails(READ) ? -1 : NEXT(pread)(fd, bytes, n, at);
}

ssize_t pread64(int fd, void *bytes, size_t n, off_t at)
{
	return pread(fd, bytes, n, at);
}

int fsync(int fd)
{
	return fails(SYNC) ? -1 : NEXT(fsync)(fd);
}

int fdatasync(int fd)
{
	return fails(SYNC) ? -1 : NEXT(fdatasync)(fd);
}

int msync(void *at, size_t n, int flags)
{
	return fails(SYNC) ? -1 : NEXT(msync)(at, n, flags);
}

static int open_with(int folder, const char *path, int flags, mode_t mode)
{
	return fails(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE_BEHIND(flags) \
	mode_t mode = 0; \
	if ((flags) & (O_CREAT | O_TMPFILE)) { \
		va_list more; \
		va_start(more, flags); \
		mode = va_arg(more, mode_t); \
		va_end(more); \
	}

int open(const char *path, int flags, ...)
{
	MODE_BEHIND(flags)
	return open_with(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	MODE_BEHIND(flags)
	return open_with(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	MODE_BEHIND(flags)
	return open_with(folder, path, flags, mode);
}

int __open_2(const char *path, int flags)
{
	return open_with(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return open_with(AT_FDCWD, path, flags, 0);
}

/* --- the network */

int socket(int domain, int type, int protocol)
{
	return fails(SOCKET) ? -1 : NEXT(socket)(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *to, socklen_t n)
{
	return fails(CONNECT) ? -1 : NEXT(connect)(fd, to, n);
}

ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
	return fails(SEND) ? -1 : NEXT(send)(fd, bytes, n, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t n, int flags, const struct sockaddr *to, socklen_t room)
{
	return fails(SEND) ? -1 : NEXT(sendto)(fd, bytes, n, flags, to, room);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return fails(SEND) ? -1 : NEXT(sendmsg)(fd, message, flags);
}

ssize_t recv(int fd, void *bytes, size_t n, int flags)
{
	return fails(RECV) ? -1 : NEXT(recv)(fd, bytes, n, flags);
}

ssize_t recvfrom(int fd, void *bytes, size_t n, int flags, struct sockaddr *from, socklen_t *room)
{
	return fails(RECV) ? -1 : NEXT(recvfrom)(fd, bytes, n, flags, from, room);
}

ssize_t __recv_chk(int fd, void *bytes, size_t n, size_t room, int flags)
{
	(void)room;
	return recv(fd, bytes, n, flags);
}

/* --- waiting */

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	return fails(POLL) ? -1 : NEXT(poll)(fds, n, ms);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	(void)room;
	return poll(fds, n, ms);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *until, const sigset_t *signals)
{
	return fails(POLL) ? -1 : NEXT(ppoll)(fds, n, until, signals);
}

int epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
	return fails(POLL) ? -1 : NEXT(epoll_wait)(fd, events, n, ms);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
	return fails(THREAD) ? number : NEXT(pthread_create)(thread, attributes, run, arg);
}
