/* From a transfer to the records of an archive. */
#ifndef FETCH_ARCHIVE_H
#define FETCH_ARCHIVE_H

#include "fetch/transfer.h"
#include "storage/warc.h"

/* Puts what was asked and what came, if headers did, into the archive of the transfer's options,
 * where there is one. `error` is how it ended. A fetcher thread calls it; that writing has failed is
 * for warc_failed() to tell.
 *
 * The records are those of HTTP/1.1, whatever was spoken. The body is as it was read: codings undone,
 * so that the headers which told of them, and lengths that are no more, begin with
 * "X-Archive-Orig-". Credentials and cookies are left out. */
void archive_put(const struct transfer *t, enum outcome error);

#endif
