/* A sandbox for a process that reads the network: it may write its own files and no others, and needs little else.
 *
 * If the kernel has Landlock (Linux 5.13), the calling thread can from then on create, change and remove files, and create folders,
 * only in the named folders and below them; files that are open for writing stay open. If the caller names what may be read, it can
 * read beside these folders only that, and the folders of the system (/etc, /usr ...), and run no program: not what lies in the
 * homes of users. It can listen at no port (Linux 6.7), and signal no other process and reach none by a socket without a path
 * (6.12). Programs that it starts gain no rights by set-user-ID (no_new_privs). All this holds for the calling thread and for every
 * thread it starts later, and cannot be undone; a thread that runs already is not restricted, so the caller starts its threads
 * afterwards.
 *
 *	code = sandbox_enter(&(struct sandbox){.folders = (const char *const[]){"store"}, .n = 1}, why); */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

/* 1 in a program that a sanitizer watches, whose reports must come out of every process. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_REPORTS 1
#else
#define SANDBOX_REPORTS 0
#endif

#include "base/err.h"

#include <stddef.h>

struct sandbox {
	const char *const *folders; /* n of them, which exist */
	size_t n;
	/* files and folders that may be read, some of which may not exist, up to a NULL; NULL: everything may be read and run */
	const char *const *read;
};

/* Enters a sandbox. Returns 0; 1 if this kernel (or this build) has no Landlock,
 * in which case at most no_new_privs holds; or ERR_FILE if a folder cannot be opened. */
int sandbox_enter(const struct sandbox *, struct err_note *why) MUST_USE;

/* Says in a few words what a sandbox that bounds reading forbids with this kernel, which has Landlock, beside writing. */
const char *sandbox_forbids(void);

/* A jail for a process that reads the bytes of strangers: it may compute, and nothing else.
 *
 * If the kernel has filters of system calls (seccomp, Linux 3.5), the calling process can from then on take and give back memory,
 * wait for other processes at a futex, ask for the time, and end. Every other call fails with EPERM: nothing can be opened,
 * connected, executed, signalled, read or written, no memory becomes code, and no process or thread is made. The filter holds for
 * the calling thread, which should be the only one, and cannot be undone. Builds with a sanitizer may write and open files, too,
 * since sanitizers report so. */

/* Says whether this kernel and this build have such filters. */
int sandbox_has_jail(void);

/* Puts the process into the jail. Returns 0, or 1 if there are no such filters, in which case nothing has changed. */
int sandbox_jail(void) MUST_USE;

#endif
