/* Compacts a store: copies what is in use, checks the copy, and renames it to the place of the file. Meanwhile LMDB's lock is
 * held exclusively. Processes that share a lock file share the table of readers, and those that have the old file open must not
 * share it with those that open the new file, whose pages are others. So the lock file is removed with the old file, and a
 * process that has waited for the lock meanwhile opens the store again (env_open.c). */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/lasting.h"
#include "storage/compact.h"
#include "storage/handle.h"
#include "storage/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct paths {
	struct buf copy_folder, copy, file, lock;
};

static void paths_of(struct paths *p, const char *dir)
{
	*p = (struct paths){.file = BUF_EMPTY};
	buf_format(&p->copy_folder, "%s/" COMPACT_FOLDER, dir);
	buf_format(&p->copy, "%s/data.mdb", p->copy_folder.at);
	buf_format(&p->file, "%s/data.mdb", dir);
	buf_format(&p->lock, "%s/lock.mdb", dir);
}

static void paths_release(struct paths *p)
{
	buf_release(&p->copy_folder);
	buf_release(&p->copy);
	buf_release(&p->file);
	buf_release(&p->lock);
}

void compact_clear(const char *dir)
{
	struct paths p;

	paths_of(&p, dir);
	(void)!unlink(p.copy.at);
	buf_clear(&p.lock);
	buf_format(&p.lock, "%s/lock.mdb", p.copy_folder.at);
	(void)!unlink(p.lock.at);
	(void)!rmdir(p.copy_folder.at);
	paths_release(&p);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Copies the checked store. */
static int copy(const char *dir, const struct paths *p, struct err_note *why)
{
	struct store *s;
	int err = store_open_locked(&s, dir, why);

	if (err)
		return err;
	err = env_verify(&s->env, why);
	if (!err && mkdir(p->copy_folder.at, 0777) != 0)
		err = err_set(why, ERR_FILE, "cannot make '%s': %s", p->copy_folder.at, ascii_error(errno));
	const int fd = err ? -1 : open(p->copy.at, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (!err && fd < 0)
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", p->copy.at, ascii_error(errno));
	if (!err)
		err = env_copy(&s->env, fd, why);
	if (!err && (fsync(fd) || lasting_name(p->copy.at)))
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", p->copy.at, ascii_error(errno));
	if (fd >= 0)
		close(fd);
	store_close(s);
	return err;
}

static int check(const struct paths *p, struct err_note *why)
{
	struct store *s;
	int err = store_open_locked(&s, p->copy_folder.at, why);

	if (err)
		return err;
	err = env_verify(&s->env, why);
	store_close(s);
	return err;
}

/* Takes LMDB's lock alone: *fd holds it. */
static int lock_alone(const char *dir, const struct paths *p, int *fd, struct err_note *why)
{
	struct flock first = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	*fd = open(p->lock.at, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (*fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", p->lock.at, ascii_error(errno));
	if (fcntl(*fd, F_SETLK, &first) == 0)
		return 0;
	if (fcntl(*fd, F_GETLK, &first) == 0 && first.l_type != F_UNLCK)
		return err_set(why, ERR_BUSY, "'%s' is in use: process %ld reads it; compact it when that has ended", dir,
			(long)first.l_pid);
	return err_set(why, ERR_BUSY, "'%s' is in use: compact it when it is not", dir);
}

static int put_in_place(const char *dir, const struct paths *p, struct err_note *why)
{
	int fd, err = lock_alone(dir, p, &fd, why);

	if (!err && (unlink(p->lock.at) || rename(p->copy.at, p->file.at) || lasting_name(p->file.at)))
		err = err_set(why, ERR_FILE, "cannot put '%s' in place: %s", p->copy.at, ascii_error(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

int store_compact(const char *dir, uint64_t *before, uint64_t *after, struct err_note *why)
{
	struct paths p;
	int lock, err;

	if (!store_is(dir))
		return err_set(why, ERR_FILE, "no store in '%s'", dir);
	err = lock_take(dir, &lock, why);
	if (err)
		return err;
	paths_of(&p, dir);
	compact_clear(dir);
	*before = size_of(p.file.at);
	err = copy(dir, &p, why);
	if (!err)
		err = check(&p, why);
	if (!err)
		err = put_in_place(dir, &p, why);
	*after = size_of(p.file.at);
	compact_clear(dir);
	close(lock);
	paths_release(&p);
	return err;
}
