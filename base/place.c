#include "base/place.h"
#include "base/buf.h"
#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MOST 40 /* as the kernel follows */

/* Returns the folder of a path without slashes at its end, and in *name what stands behind the folder. */
static char *folder_of(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');

	*name = slash ? slash + 1 : path;
	return slash ? mem_part(path, slash == path ? 1 : (size_t)(slash - path)) : mem_text(".");
}

/* Returns the absolute path without links of what is there; NULL if nothing is, or if it can be reached by a relative path only. */
static char *resolve(const char *path)
{
	char *whole = realpath(path, NULL);

	if (whole && access(whole, F_OK) == 0)
		return whole;
	free(whole);
	return NULL;
}

/* Returns the path of a folder without links. Of a folder that is missing, what is there of it is resolved. */
static char *resolve_folder(const char *folder)
{
	struct place above;
	char *whole = resolve(folder);

	if (whole)
		return whole;
	place_find(&above, folder);
	return above.path;
}

static char *join(const char *folder, const char *name)
{
	return buf_made("%s%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/", name);
}

/* Says whether a folder is /proc/PID/fd of this process, whose entries are its open files. */
static int is_own_descriptors(const char *folder)
{
	char own[40];

	snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
	return strcmp(folder, own) == 0;
}

/* Returns the path without links of what ends with "." or "..", or with a slash. What is missing has no links. */
static char *resolve_dots(const char *path, const char *above, const char *name)
{
	char *whole = resolve(path);

	if (whole || strcmp(path, above) == 0) /* the current folder may be gone */
		return whole ? whole : mem_text(path);
	whole = resolve_folder(above);
	char *slash = strrchr(whole, '/');
	if (strcmp(name, "..") == 0 && slash)
		slash[slash == whole] = 0;
	return whole;
}

/* Takes one step: replaces *path by the path without links above its last part, and, if the last part is a link, by what the
 * link says. Returns 1 if there may be another link to follow. */
static int step(struct place *p, char **path)
{
	char target[PATH_MAX];
	const char *name;
	struct stat st;
	char *above = folder_of(*path, &name);

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !*name) {
		char *whole = resolve_dots(*path, above, name);
		free(above);
		free(*path);
		*path = whole;
		return 0;
	}
	char *folder = resolve_folder(above), *whole = join(folder, name);
	free(above);
	free(*path);
	*path = whole;
	const ssize_t n = lstat(whole, &st) == 0 && S_ISLNK(st.st_mode) ? readlink(whole, target, sizeof target - 1) : 0;
	if (n > 0 && is_own_descriptors(folder)) {
		p->descriptor = atoi(strrchr(whole, '/') + 1);
	} else if (n > 0) {
		target[n] = 0;
		*path = *target == '/' ? mem_text(target) : join(folder, target);
		free(whole);
	}
	free(folder);
	return n > 0 && p->descriptor < 0;
}

void place_find(struct place *p, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	*p = (struct place){.path = mem_part(path, n), .descriptor = -1};
	for (int links = 0; links < LINKS_MOST && *p->path && step(p, &p->path); links++)
		;
	p->is_there = (p->descriptor >= 0 ? fstat(p->descriptor, &p->st) : stat(path, &p->st)) == 0;
}

int place_is(const struct place *p, const struct place *other)
{
	if (p->is_there && other->is_there)
		return p->st.st_dev == other->st.st_dev && p->st.st_ino == other->st.st_ino;
	return strcmp(p->path, other->path) == 0;
}

int place_keep(const struct place *p, int fd)
{
	if (!p->is_there)
		return 0;
	if (p->st.st_uid != geteuid() || p->st.st_gid != getegid())
		(void)!fchown(fd, p->st.st_uid, p->st.st_gid); /* another's file stays his if root writes it */
	return fchmod(fd, p->st.st_mode & 07777);
}

void place_release(struct place *p)
{
	free(p->path);
	*p = (struct place){.descriptor = -1};
}
