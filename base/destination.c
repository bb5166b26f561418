#include "base/destination.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/place.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct destination {
	enum destination_use use;
	char *told; /* "--order 'x'" */
	struct place place;
	const char *const *files; /* borrowed; NULL: the path is the file */
};

static int is_file(const struct place *p)
{
	return S_ISREG(p->st.st_mode) || S_ISDIR(p->st.st_mode);
}

void destinations_add(struct destinations *d, enum destination_use use, const char *flag, const char *path,
	const char *const *files)
{
	const int is_read = use == DESTINATION_READ, is_stream = strcmp(path, "-") == 0;
	struct destination new = {.use = use, .files = files};

	if (is_stream && !is_read)
		return;
	place_find(&new.place, is_stream ? "/dev/stdin" : path);
	if ((is_read && !new.place.is_there) || (new.place.is_there && !is_file(&new.place)) ||
		(!is_read && new.place.descriptor >= 0)) {
		place_release(&new.place);
		return;
	}
	new.told = buf_made("%s%s'%s'", flag, *flag ? " " : "", path);
	d->at = mem_grow(d->at, &d->room, d->n + 1, sizeof *d->at);
	d->at[d->n++] = new;
}

/* --- comparing */

static int is_same(const char *path, const struct place *p)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == p->st.st_dev && st.st_ino == p->st.st_ino;
}

/* Says whether a path is `base` with `tail` behind it, where one asterisk in `tail` stands for any text without a slash, or, at the
 * end, for any text. */
static int fits(const char *path, const char *base, const char *tail)
{
	const size_t n = strlen(base);
	const char *star = strchr(tail, '*'), *rest = path + n;

	if (strncmp(path, base, n) != 0)
		return 0;
	if (!star)
		return strcmp(rest, tail) == 0;
	const size_t before = (size_t)(star - tail), after = strlen(star + 1), all = strlen(rest);
	return all >= before + after && strncmp(rest, tail, before) == 0 && strcmp(rest + all - after, star + 1) == 0 &&
		(!after || !memchr(rest + before, '/', all - before - after));
}

/* Says whether a file that fits is a link to what lies at a place, or another name of it. */
static int is_linked(const char *base, const char *tail, const struct place *p)
{
	const struct dirent *entry;
	int is = 0;

	AUTO(buf) path = buf_of("%s%s", base, tail);
	const char *slash = strrchr(path.at, '/');
	AUTO_FREE char *folder = mem_part(path.at, slash ? (size_t)(slash - path.at) + 1 : 0);

	DIR *dir = p->is_there ? opendir(folder) : NULL;
	while (dir && !is && (entry = readdir(dir)) != NULL) {
		buf_clear(&path);
		buf_format(&path, "%s%s", folder, entry->d_name);
		is = fits(path.at, base, tail) && is_same(path.at, p);
	}
	if (dir)
		closedir(dir);
	return is;
}

/* Says whether a place is one of the files of a destination that has several. */
static int has(const struct destination *d, const struct place *p)
{
	const char *base = strcmp(d->place.path, "/") == 0 ? "" : d->place.path;
	int is = 0;

	for (size_t i = 0; d->files && d->files[i] && !is; i++)
		is = fits(p->path, base, d->files[i]) || is_linked(base, d->files[i], p);
	return is;
}

static int meet(const struct destination *a, const struct destination *b)
{
	const char *const *x = a->files, *const *y = b->files;

	if (place_is(&a->place, &b->place) && (!x == !y) && (!x || (*x && *y && **x == **y)))
		return 1;
	return (!b->files && has(a, &b->place)) || (!a->files && has(b, &a->place));
}

/* Returns the store that a destination lies in, without being this store; the caller frees it. NULL: none. */
static char *store_around(const struct destinations *all, const struct destination *d, int (*is_store)(const char *folder))
{
	const int is_prefix = d->files && d->files[0] && *d->files[0] != '/';
	char *folder = mem_text(d->place.path), *slash;
	int is = 0;

	if ((is_prefix || d->use == DESTINATION_STORE) && (slash = strrchr(folder, '/')) != NULL)
		*slash = 0;
	while (!is && *folder) {
		is = is_store(folder);
		for (size_t i = 0; i < all->n && !is; i++)
			is = all->at[i].use == DESTINATION_STORE && strcmp(all->at[i].place.path, folder) == 0;
		slash = is ? NULL : strrchr(folder, '/');
		if (!is)
			*(slash ? slash : folder) = 0;
	}
	if (is)
		return folder;
	free(folder);
	return NULL;
}

/* --- the check */

static int check_one(const struct destinations *all, size_t i, int (*is_store)(const char *folder), struct err_note *why)
{
	const struct destination *d = &all->at[i];
	char *store = store_around(all, d, is_store);

	if (store) {
		const int err = err_set(why, ERR_USAGE,
			"%s lies in the store '%s', where nothing else is written: name another path", d->told, store);
		free(store);
		return err;
	}
	for (size_t k = 0; k < all->n; k++) {
		const struct destination *other = &all->at[k];
		if (other->use == DESTINATION_READ && meet(d, other))
			return err_set(why, ERR_USAGE, "%s would overwrite what %s reads: name another path", d->told, other->told);
		if (other->use != DESTINATION_READ && k < i && meet(d, other))
			return err_set(why, ERR_USAGE, "%s and %s are one output: name another path for one of them", other->told,
				d->told);
	}
	return 0;
}

/* Checks that a file to which stdout goes is no other file of the command. Two outputs may add to one file. */
static int check_stdout(const struct destinations *all, struct err_note *why)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	const int adds = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
	for (size_t i = 0; i < all->n; i++) {
		const struct destination *d = &all->at[i];
		if (d->place.is_there && d->place.st.st_dev == st.st_dev && d->place.st.st_ino == st.st_ino &&
			!(adds && d->use == DESTINATION_APPENDED))
			return err_set(why, ERR_USAGE, "stdout goes to the file of %s: name another path for one of them", d->told);
	}
	return 0;
}

int destinations_check(const struct destinations *d, int (*is_store)(const char *folder), struct err_note *why)
{
	TRY(check_stdout(d, why));
	for (size_t i = 0; i < d->n; i++)
		if (d->at[i].use != DESTINATION_READ)
			TRY(check_one(d, i, is_store, why));
	return 0;
}

const char *destinations_find(const struct destinations *d, const struct stat *st)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->at[i].place.is_there && d->at[i].place.st.st_dev == st->st_dev && d->at[i].place.st.st_ino == st->st_ino)
			return d->at[i].told;
	return NULL;
}

void destinations_release(struct destinations *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->at[i].told);
		place_release(&d->at[i].place);
	}
	free(d->at);
	*d = (struct destinations)DESTINATIONS_NONE;
}
