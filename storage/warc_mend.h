/* Archives that a program left as it was killed: their last record may be cut short, and their index
 * is missing. */
#ifndef STORAGE_WARC_MEND_H
#define STORAGE_WARC_MEND_H

#include "base/err.h"

/* Of the files PREFIX-*.warc.gz that have no index and that nobody writes to (who does holds flock()):
 * cuts off what is no whole record, and makes the index; one without any record is removed. What
 * another program made, or renamed, and what has whole records behind a damaged one, is let be. Reads
 * the files whole, in memory that grows with the largest record. ERR_FILE. */
int warc_mend(const char *prefix, struct err_note *why) MUST_USE;

#endif
