#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void mem_exhausted(void)
{
	static const char line[] = "lycosa: out of memory: give it more, or less to do\n";

	mem_end(line, sizeof line - 1);
}

static void __attribute__((noreturn)) out_of_memory(size_t n, size_t size)
{
	char line[128];

	snprintf(line, sizeof line,
		"lycosa: out of memory: no room for %zu x %zu bytes; give it more, "
		"or less to do\n",
		n, size);
	mem_end(line, strlen(line));
}

void *mem_resize(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory(n, size);
	void *p = realloc(old, bytes ? bytes : 1);
	if (!p)
		out_of_memory(n, size);
	return p;
}

void *mem_new(size_t n, size_t size)
{
	return mem_resize(NULL, n, size);
}

void *mem_lined(size_t n, size_t size)
{
	const size_t line = 64;
	size_t bytes;

	if (__builtin_mul_overflow(n ? n : 1, size, &bytes) || bytes > SIZE_MAX - line)
		out_of_memory(n, size);
	void *p = aligned_alloc(line, (bytes + line - 1) / line * line);
	if (!p)
		out_of_memory(n, size);
	return p;
}

void *mem_zero(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n, size);
	return p;
}

void *mem_copy(const void *bytes, size_t n)
{
	void *p = mem_new(n, 1);

	if (n)
		memcpy(p, bytes, n);
	return p;
}

char *mem_text(const char *text)
{
	return mem_copy(text, strlen(text) + 1);
}

char *mem_part(const char *text, size_t n)
{
	const size_t length = strnlen(text, n);
	char *part = mem_new(length + 1, 1);

	memcpy(part, text, length);
	part[length] = 0;
	return part;
}

void *mem_bytes(size_t n)
{
	return mem_new(n, 1);
}

void *mem_bytes_again(void *old, size_t n)
{
	return mem_resize(old, n, 1);
}

size_t mem_grown(size_t room, size_t need)
{
	if (room < 8)
		room = 8;
	while (room < need) {
		if (room > SIZE_MAX / 2)
			out_of_memory(need, 1);
		room *= 2;
	}
	return room;
}

void *mem_grow(void *array, size_t *room, size_t need, size_t size)
{
	if (need <= *room && array)
		return array;
	*room = mem_grown(*room, need);
	return mem_resize(array, *room, size);
}

#define HUGE_PAGE ((size_t)2 << 20)
#define MAPPED    ((size_t)64 << 10) /* to map fewer bytes takes longer than to clear them */

static size_t big_bytes(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n ? n : 1, size, &bytes) || bytes > SIZE_MAX - HUGE_PAGE)
		out_of_memory(n, size);
	return bytes < HUGE_PAGE ? bytes : (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

void *mem_big(size_t n, size_t size)
{
	size_t bytes = big_bytes(n, size);

	if (bytes < MAPPED)
		return mem_zero(bytes, 1);
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		out_of_memory(n, size);
#ifdef MADV_HUGEPAGE
	if (bytes >= HUGE_PAGE)
		madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return p;
}

void mem_big_free(void *array, size_t n, size_t size)
{
	size_t bytes = big_bytes(n, size);

	if (bytes < MAPPED)
		free(array);
	else if (array)
		munmap(array, bytes);
}

void *mem_big_grow(void *old, size_t had, size_t want, size_t size)
{
	const size_t bytes = had ? big_bytes(had, size) : 0;

#ifdef MREMAP_MAYMOVE
	if (bytes >= HUGE_PAGE && want >= had) { /* the pages move, and nothing is copied */
		void *moved = mremap(old, bytes, big_bytes(want, size), MREMAP_MAYMOVE);
		if (moved != MAP_FAILED)
			return moved;
	}
#endif
	void *p = mem_big(want, size);
	if (had)
		memcpy(p, old, had * size);
	mem_big_free(old, had, size);
	return p;
}
