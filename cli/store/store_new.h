/* A new store that a verb makes of other ones: it is made in a folder within the new store's, and its file gets its place when it
 * is complete. So a verb that is killed leaves no store, and the next run with the same folder begins anew.
 *
 *	err = store_new_check("into", o->into, why);          before anything long
 *	err = store_new(o->into, make, ctx, why); */
#ifndef CLI_STORE_STORE_NEW_H
#define CLI_STORE_STORE_NEW_H

#include "base/err.h"

/* Checks that a folder is missing, is empty, or has nothing but what a killed verb can have left. `flag` is the name of the flag
 * that named the folder. Returns 0 or ERR_USAGE. */
int store_new_check(const char *flag, const char *into, struct err_note *why) MUST_USE;

/* Makes a store in the folder `making`, which is missing, and closes it. Returns 0 or an error. */
typedef int store_new_fn(void *ctx, const char *making, struct err_note *why);

/* Makes a store in the folder `into`. Returns 0; what `make` returned if that was not 0; ERR_BUSY or ERR_FILE. */
int store_new(const char *into, store_new_fn *make, void *ctx, struct err_note *why) MUST_USE;

#endif
