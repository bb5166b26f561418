#include "graph/memory/mapping.h"
#include "base/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps the file over a longer run of empty pages, so that it can be read beyond its end. Returns 0 or an errno. */
static int map_file(struct mapping *m, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode))
		return ESPIPE;
	m->size = (size_t)st.st_size;
	m->reserved = m->size + MAPPING_BEYOND;
	void *p = mmap(NULL, m->reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return errno;
	m->at = p;
	if (m->size && mmap(p, m->size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		return errno;
	return 0;
}

int mapping_take(struct mapping *m, int fd, const char *what, struct err_note *why)
{
	*m = (struct mapping){0};
	const int code = map_file(m, fd);
	if (!code)
		return 0;
	mapping_close(m);
	return err_set(why, ERR_FILE, "cannot open '%s': %s", what, ascii_error(code));
}

int mapping_open(struct mapping *m, const char *path, struct err_note *why)
{
	*m = (struct mapping){0};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	const int err = mapping_take(m, fd, path, why);
	close(fd);
	return err;
}

void mapping_close(struct mapping *m)
{
	if (m->at)
		munmap((void *)(uintptr_t)m->at, m->reserved);
	*m = (struct mapping){0};
}

void mapping_drop(const void *begin, const void *end)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
	const uintptr_t last = (uintptr_t)end / page * page;

	if (first < last)
		madvise((void *)first, last - first, MADV_DONTNEED);
}

void mapping_prefer_large(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t begin = ((uintptr_t)array + page - 1) / page * page;
	const uintptr_t end = ((uintptr_t)array + bytes) / page * page;

	if (bytes >= (size_t)4 << 20)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)array;
	(void)bytes;
#endif
}
