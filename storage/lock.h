/* The folder of a store, and the lock that gives a store one writer at a time: a lock on the file `writer` in the store's folder.
 * The file contains the writer's process id. The lock belongs to the open file description, so it ends with the process, however
 * that ends, and a process cannot take it twice.
 *
 *	code = lock_take("folder", &fd, why);
 *	close(fd);                                           gives the lock back */
#ifndef STORAGE_LOCK_H
#define STORAGE_LOCK_H

#include "base/err.h"

/* Checks that nothing but files and folders lies in a store's folder. Whoever has made the store could have put a link there,
 * through which another file would be read, written or removed, or a pipe, at which a reader waits for ever. Returns 0, also if
 * there is no such folder, or ERR_FILE. */
int lock_check_folder(const char *folder, struct err_note *why) MUST_USE;

/* Checks the folder, and takes the lock. Returns 0 with *fd, which holds the lock until the caller closes it; ERR_BUSY if another
 * writer has it (the note names its process id); or ERR_FILE if the file cannot be created or locked. *fd is -1 after an error. */
int lock_take(const char *folder, int *fd, struct err_note *why) MUST_USE;

/* Checks that no process writes the store. Returns 0, or ERR_BUSY with the writer's process id in the note. A reader
 * that cannot register with LMDB calls this, because a writer would reuse the pages that it reads. */
int lock_is_free(const char *folder, struct err_note *why) MUST_USE;

/* Says whether this process holds the lock. The caller must know, since LMDB does not allow a process to have one file
 * open twice. */
int lock_is_own(const char *folder);

/* Removes the files of a store that was begun and is not wanted, and its folder if nothing else is in it. The caller holds the
 * writer's lock of the folder, or of the store's around it, as store_put() asks for, too. */
void store_remove(const char *folder);

/* Puts the file of the store in a folder in the place of that in another folder, for good. Returns 0, or -1 with errno. */
int store_put(const char *from, const char *folder) MUST_USE;

#endif
