/* `lycosa store diff`: the pages that differ between two crawls of the same sites. */
#ifndef CLI_STORE_STORE_DIFF_H
#define CLI_STORE_STORE_DIFF_H

#include "cli/verb.h"

/* The verb. */
extern const struct verb verb_store_diff;

#endif
