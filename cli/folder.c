#include "cli/folder.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_is(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Makes one folder of a path unless it is there. Returns 0, or an errno; ENOTDIR: a file is there. */
static int make_one(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return errno;
	return stat(path, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

int folder_make(const char *folder, struct err_note *why)
{
	AUTO(buf) path = BUF_EMPTY;
	int failed = *folder ? 0 : ENOENT;

	for (const char *p = folder; !failed && *p;) {
		size_t n = strspn(p, "/");
		n += strcspn(p + n, "/");
		buf_add(&path, p, n);
		p += n;
		failed = make_one(path.at);
	}
	if (!failed && access(folder, W_OK | X_OK) < 0)
		failed = errno;
	if (failed == ENOTDIR)
		return err_set(why, ERR_FILE, "'%s' is a file, and a folder is wanted: name another", path.at);
	else if (failed)
		return err_set(why, ERR_FILE, "cannot write into a folder '%s': %s", folder, ascii_error(failed));
	return 0;
}

int folder_write(const char *folder, const char *name, const void *bytes, size_t n, struct err_note *why)
{
	AUTO(buf) path = buf_of("%s/%s", folder, name);

	return output_whole(path.at, bytes, n, why);
}
