#include "base/mem.h"
#include "base/err.h"

#include <unistd.h>

void mem_end(const char *line, size_t n)
{
	(void)!write(STDERR_FILENO, line, n);
	_exit(err_status(ERR_MEMORY));
}
