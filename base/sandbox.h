/* What a process that reads the network may no longer do to this machine.
 *
 * Where the kernel has Landlock (Linux 5.13), files are from then on made, changed and removed in the named
 * folders only, and below them; everything may still be read, and files that are open stay so. No program that is
 * started gains rights (no_new_privs). Both hold for the calling thread and all that it starts later, for ever;
 * threads that run already are not confined. */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include "base/err.h"

#include <stddef.h>

/* Confines the caller to writing below n folders, which must exist. Returns 0; 1 where this kernel cannot, and
 * then only no_new_privs holds; ERR_FILE where a folder cannot be opened. */
int sandbox_enter(const char *const *folders, size_t n, struct err_note *why) MUST_USE;

#endif
