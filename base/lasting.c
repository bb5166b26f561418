#include "base/lasting.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int lasting_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? mem_text(path) : mem_text(".");

	if (slash)
		folder[slash - path + 1] = 0;
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	int failed = fsync(fd);
	const int code = errno;
	if (failed && (code == EINVAL || code == EROFS))
		failed = 0;
	close(fd);
	errno = code;
	return failed;
}

int lasting_bytes(int fd)
{
	int failed;

	do
		failed = fdatasync(fd);
	while (failed && errno == EINTR);
	return failed;
}
