/* The file of paged memory. Only the owner of the memory calls these functions. */
#include "base/mem.h"
#include "base/paged_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes of a write. The page cache may keep what one write brings as a unit, and map all of it when a byte is touched; then a
 * random access would make megabytes resident. */
#define PIECE ((size_t)16 << 10)

static struct {
	int fd;
	uint32_t length; /* chunks */
	uint32_t *spare; /* n: chunks that are free */
	size_t n, room;
} file = {.fd = -1};

static off_t offset(uint32_t place)
{
	return (off_t)(place * (uint64_t)CHUNK);
}

/* Opens a file without a name; where the file system has no such files, one whose name is removed at once. */
static int open_file(const char *folder)
{
	char path[4096];
	int fd = -1;

#ifdef O_TMPFILE
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof path, "%s/memory.tmp", folder) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int paged_file_open(const char *folder)
{
	file.fd = open_file(folder);
	if (file.fd < 0)
		return errno;
	(void)!posix_fadvise(file.fd, 0, 0, POSIX_FADV_RANDOM);
	return 0;
}

void paged_file_close(void)
{
	if (file.fd >= 0)
		close(file.fd);
	free(file.spare);
	file.fd = -1;
	file.spare = NULL;
	file.length = 0;
	file.n = file.room = 0;
}

int paged_file_find(uint32_t *place)
{
	*place = file.n ? file.spare[file.n - 1] : file.length;
	const int code = posix_fallocate(file.fd, offset(*place), CHUNK);
	if (code)
		return code;
	if (file.n)
		file.n--;
	else
		file.length++;
	return 0;
}

int paged_file_write(uint32_t place, const char *bytes)
{
	for (size_t done = 0; done < CHUNK;) {
		const ssize_t n = pwrite(file.fd, bytes + done, PIECE - done % PIECE, offset(place) + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : ENOSPC;
		done += (size_t)n;
	}
	return 0;
}

void paged_file_give_back(uint32_t place)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	if (fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset(place), CHUNK))
		return;
	file.spare = mem_grow(file.spare, &file.room, file.n + 1, sizeof *file.spare);
	file.spare[file.n++] = place;
#else
	(void)place;
#endif
}

void paged_file_map(uint32_t place, void *at)
{
	if (mmap(at, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.fd, offset(place)) == MAP_FAILED)
		mem_exhausted();
	/* a page that is not in the page cache is read alone: the kernel would read as far around it as the disk's readahead says,
	 * which may be megabytes */
	madvise(at, CHUNK, MADV_RANDOM);
}
