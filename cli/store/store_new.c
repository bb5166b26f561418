#include "cli/store/store_new.h"
#include "base/ascii.h"
#include "base/buf.h"
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

/* Removes what a verb has left in the folder: two stores, one within the other. */
static void clear(const char *making)
{
	static const char *const within[] = {"rebuilt/making", "rebuilt", "making"};

	for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
		AUTO(buf) path = buf_of("%s/%s", making, within[i]);
		store_remove(path.at);
	}
	store_remove(making);
}

/* Makes the store, and moves its file to its place. The caller holds the lock of the folder. */
static int make_within(const char *into, store_new_fn *make, void *ctx, struct err_note *why)
{
	AUTO(buf) making = buf_of("%s/" MAKING, into);

	clear(making.at);
	int err = make(ctx, making.at, why);
	if (!err && store_put(making.at, into))
		err = err_set(why, ERR_FILE, "cannot put the new store into '%s': %s", into, ascii_error(errno));
	clear(making.at);
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
		store_remove(into); /* the lock's file alone */
	close(lock);
	return err;
}
