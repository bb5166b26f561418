/* liblycosa's own: the host's debugger, and its handler of SIGABRT, learn where the memory ended. */
#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

void mem_end(const char *line, size_t n)
{
	(void)!write(STDERR_FILENO, line, n);
	abort();
}
