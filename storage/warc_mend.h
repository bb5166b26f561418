/* Archives that a program left as it was killed, or as the power failed: their last record may be cut
 * short, after a power failure there may be holes where the disk did not get what was written since the last
 * sync, and their index is missing. */
#ifndef STORAGE_WARC_MEND_H
#define STORAGE_WARC_MEND_H

#include "base/err.h"

/* Mends the files PREFIX-*.warc.gz that have no index and that nobody writes to (who does holds flock()):
 * what is no whole record is cut off, or, where it is a hole, left out; then the index is made. A file
 * without any record is removed. What another program made, or renamed, and what has whole records behind
 * damage that is no hole, is let be. Reads the files whole, in memory that grows with the largest record.
 * ERR_FILE. */
int warc_mend(const char *prefix, struct err_note *why) MUST_USE;

#endif
