/* The program's malloc() in front of glibc's: if there is no memory, the program ends here, as in base/mem.h, whichever library
 * has called. This is for libraries that take no allocator: libarchive does not check for NULL, and one that checks may leave
 * something out without a message. Sanitizers bring their own malloc(), so builds with them do without this one. */
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

static void *or_end(void *p)
{
	if (!p)
		mem_exhausted();
	return p;
}

void *malloc(size_t n)
{
	return or_end(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return or_end(__libc_calloc(n, size));
}

/* Frees the memory if n is 0, and then returns NULL. */
void *realloc(void *old, size_t n)
{
	void *p = __libc_realloc(old, n);

	return n ? or_end(p) : p;
}

void *aligned_alloc(size_t line, size_t n)
{
	return or_end(__libc_memalign(line, n));
}

int posix_memalign(void **out, size_t line, size_t n)
{
	if (line < sizeof(void *) || (line & (line - 1)))
		return EINVAL;
	*out = or_end(__libc_memalign(line, n));
	return 0;
}

#endif
