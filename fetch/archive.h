/* From a transfer to the records of a WARC archive.
 *
 *     archive_put(transfer, outcome);     after each transfer, of a page or of a robots.txt
 */
#ifndef FETCH_ARCHIVE_H
#define FETCH_ARCHIVE_H

#include "fetch/transfer.h"
#include "storage/warc.h"

/* Writes the request and the answer, if headers of one came, into the archive of the transfer's options; does
 * nothing where there is no archive. `error` is how the transfer ended. Fetcher threads call this function;
 * warc_failed() tells the crawl that a write has failed.
 *
 * The records have the form of HTTP/1.1, whatever protocol was spoken. The body is the unpacked one, so the headers
 * that told of its codings, and of lengths that no longer hold, get names that begin with "X-Archive-Orig-".
 * Credentials and cookies are not written. */
void archive_put(const struct transfer *t, enum outcome error);

#endif
