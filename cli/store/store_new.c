#include "cli/store/store_new.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/output.h"
#include "storage/lock.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder within the new store's in which the store is made. */
#define MAKING ".making"

static const char *const left[] = {".", "..", MAKING, "writer", NULL};

static int is_listed(const char *name, const char *const *list)
{
	while (*list && strcmp(name, *list) != 0)
		list++;
	return *list != NULL;
}

/* Says whether a folder has nothing but what a verb that was killed can have left. */
static int is_free(const char *dir)
{
	DIR *all = opendir(dir);
	const struct dirent *e = NULL;

	while (all && (e = readdir(all)) && is_listed(e->d_name, left))
		;
	if (all)
		closedir(all);
	return all && !e;
}

int store_new_check(const char *flag, const char *into, struct err_note *why)
{
	struct stat st;

	if (lstat(into, &st) == 0 && !is_free(into))
		return err_set(why, ERR_USAGE, "--%s '%s': it exists; the store is made in a new folder", flag, into);
	return 0;
}

/* Removes the files of a store in a folder, and the folder if nothing else is in it. */
static void remove_store(const char *dir)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer", NULL};

	for (const char *const *file = files; *file; file++) {
		struct buf path = buf_of("%s/%s", dir, *file);
		(void)!unlink(path.at);
		buf_release(&path);
	}
	(void)!rmdir(dir);
}

/* Removes what a verb has left in the folder: two stores, one within the other. */
static void clear(const char *making)
{
	static const char *const within[] = {"rebuilt/making", "rebuilt", "making"};

	for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
		struct buf path = buf_of("%s/%s", making, within[i]);
		remove_store(path.at);
		buf_release(&path);
	}
	remove_store(making);
}

/* Makes the store, and moves its file to its place. The caller holds the lock of the folder. */
static int make_within(const char *into, store_new_fn *make, void *ctx, struct err_note *why)
{
	struct buf making = buf_of("%s/" MAKING, into);
	struct buf from = buf_of("%s/data.mdb", making.at);
	struct buf to = buf_of("%s/data.mdb", into);
	clear(making.at);
	int err = make(ctx, making.at, why);
	if (!err && (rename(from.at, to.at) || lasting_name(to.at)))
		err = err_set(why, ERR_FILE, "cannot put the new store into '%s': %s", into, ascii_error(errno));
	clear(making.at);
	buf_release(&making);
	buf_release(&from);
	buf_release(&to);
	return err;
}

int store_new(const char *into, store_new_fn *make, void *ctx, struct err_note *why)
{
	int lock;

	if (mkdir(into, 0777) && errno != EEXIST)
		return err_set(why, ERR_FILE, "cannot make the folder '%s': %s", into, ascii_error(errno));
	int err = lock_take(into, &lock, why);
	if (err)
		return err;
	err = make_within(into, make, ctx, why);
	if (err)
		remove_store(into); /* the lock's file alone */
	close(lock);
	return err;
}
