/* The verbs of `lycosa archive` that have a file of their own. */
#ifndef CLI_ARCHIVE_VERB_ARCHIVE_H
#define CLI_ARCHIVE_VERB_ARCHIVE_H

#include "cli/verb.h"

/* `lycosa archive extract`. */
int archive_extract(const struct command *, struct err_note *why) MUST_USE;

/* `lycosa archive serve`. */
int archive_serve(const struct command *, struct err_note *why) MUST_USE;

#endif
