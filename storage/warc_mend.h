/* Mends the files of an archive whose writer was killed or lost power. Such a file has no index; its last record may
 * be incomplete; and after a power failure it may have holes (runs of zero bytes) where data written since the last
 * sync have not reached the disk. */
#ifndef STORAGE_WARC_MEND_H
#define STORAGE_WARC_MEND_H

#include "base/err.h"

/* Mends each file PREFIX-*.warc.gz that has no index and that no process is writing (a writer holds flock() on its
 * file). The function removes holes and an incomplete last record from the file, and writes the index; it removes a file
 * that has no record at all. It does not change a file that another program wrote or that was renamed, nor a file that
 * has records behind damage other than a hole. Returns 0 or ERR_FILE. Time: the files are read whole. Memory: in
 * proportion to the largest record. */
int warc_mend(const char *prefix, struct err_note *why) MUST_USE;

#endif
