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

int folder_make(const char *folder, struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	struct stat st;
	int failed = *folder ? 0 : ENOENT;

	for (const char *p = folder; !failed && *p;) {
		size_t n = strspn(p, "/");
		n += strcspn(p + n, "/");
		buf_add(&path, p, n);
		p += n;
		if (mkdir(path.at, 0777) < 0 && errno != EEXIST)
			failed = errno;
	}
	if (!failed && (stat(folder, &st) < 0 || access(folder, W_OK | X_OK) < 0))
		failed = errno;
	else if (!failed && !S_ISDIR(st.st_mode))
		failed = ENOTDIR;
	buf_release(&path);
	if (failed)
		return err_set(why, ERR_FILE, "cannot write into a folder '%s': %s", folder,
			ascii_error(failed));
	return 0;
}

int folder_write(
	const char *folder, const char *name, const void *bytes, size_t n, struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	struct output *out;

	buf_format(&path, "%s/%s", folder, name);
	int err = output_open(&out, path.at, why);
	if (!err) {
		output_bytes(out, bytes, n);
		err = output_close(out, why);
	}
	buf_release(&path);
	return err;
}
