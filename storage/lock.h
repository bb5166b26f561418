/* One writer a store: a lock on the file `writer` of its folder, which has the writer's pid in it.
 * The lock belongs to the open file, so it dies with its process, however that ends, and a second
 * handle of the same process is refused like any other. */
#ifndef STORAGE_LOCK_H
#define STORAGE_LOCK_H

#include "base/err.h"

/* Takes the lock; *fd holds it until it is closed. ERR_BUSY names the pid; ERR_FILE. */
int lock_take(const char *folder, int *fd, struct err_note *why) MUST_USE;

/* Whether nobody writes: 0, or ERR_BUSY, which names the pid. For a reader that cannot keep writers from
 * using again what it reads. */
int lock_is_free(const char *folder, struct err_note *why) MUST_USE;

/* Whether this very process holds it. LMDB cannot have one file open twice in a process. */
int lock_is_own(const char *folder);

#endif
