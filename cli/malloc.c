/* The program's malloc() in front of glibc's: memory that cannot be had ends the program here, as in
 * base/mem.h, whichever library asked. libarchive writes through the NULL that it does not look for, and
 * cannot be given an allocator; a library that does look may leave something out and say nothing.
 * Sanitizers stand in the same place, and end a program in their own way. */
#include "base/mem.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t line, size_t n);

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);
void *aligned_alloc(size_t line, size_t n);
int posix_memalign(void **out, size_t line, size_t n);

static void *there(void *p)
{
	if (!p)
		mem_exhausted();
	return p;
}

void *malloc(size_t n)
{
	return there(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return there(__libc_calloc(n, size));
}

/* realloc(old, 0) frees, and answers NULL. */
void *realloc(void *old, size_t n)
{
	void *p = __libc_realloc(old, n);

	return n ? there(p) : p;
}

void *aligned_alloc(size_t line, size_t n)
{
	return there(__libc_memalign(line, n));
}

int posix_memalign(void **out, size_t line, size_t n)
{
	if (line < sizeof(void *) || (line & (line - 1)))
		return EINVAL;
	*out = there(__libc_memalign(line, n));
	return 0;
}

#endif
