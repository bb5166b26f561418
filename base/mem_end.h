/* How a process ends that gets no more memory. The programs end with an exit status (base/mem_end.c);
 * liblycosa, which is a guest in its process, calls abort() (lib/mem_end.c). The linker takes the
 * one that it meets first. */
#ifndef BASE_MEM_END_H
#define BASE_MEM_END_H

#include <stddef.h>

/* Writes n bytes of a line to stderr, without stdio, whose locks another thread may hold and whose
 * buffers may have no room, and ends the process. Any thread may call. */
void mem_end(const char *line, size_t n) __attribute__((noreturn));

#endif
