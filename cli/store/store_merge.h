/* `lycosa store merge`. */
#ifndef CLI_STORE_STORE_MERGE_H
#define CLI_STORE_STORE_MERGE_H

#include "cli/verb.h"

extern const struct verb verb_store_merge;

#endif
