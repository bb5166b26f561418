/* Writes the request and the answer of a transfer into the WARC archive.
 *
 *     archive_put(transfer, outcome, NULL, NULL);     after each transfer, of a page or of a robots.txt
 */
#ifndef FETCH_ARCHIVE_H
#define FETCH_ARCHIVE_H

#include "fetch/transfer.h"
#include "storage/warc.h"

/* Writes a transfer that has ended into the archive of its options. The function does nothing if there is no archive, or
 * if the answer's headers did not come. `error` is how the transfer ended. Fetcher threads call this function; the
 * coordinator learns of a failed write from warc_failed().
 *
 * The records have the form of HTTP/1.1, also for HTTP/2. The body is written decompressed, so the headers on its coding and on a
 * length that no longer holds get names that begin with "X-Archive-Orig-". Credentials and cookies are not written. `rendered` is
 * the HTML that a browser has made of the body, or NULL. *location, which may be NULL, takes where the answer stands; it does not
 * change if nothing was written. */
void archive_put(const struct transfer *t, enum outcome error, const struct buf *rendered, struct warc_location *location);

#endif
