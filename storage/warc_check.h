/* Compares the archive of a crawl with its store, for `lycosa store verify --warc`.
 *
 *	n = warc_check(s, "archive/site", tell, NULL, why);  n lines were told; 0: the archive is complete */
#ifndef STORAGE_WARC_CHECK_H
#define STORAGE_WARC_CHECK_H

#include "storage/store.h"

/* Reads all files PREFIX-*.warc.gz, and looks up in them each page that the store has as crawled, as redirected, or as
 * failed for its HTTP status. Calls `tell` with one line for each of these findings:
 *
 *   W1: FILE: bytes FROM to TO are no record         (damage, or a file that ends within a record)
 *   W2: not in the archive: URL                      (no answer for this URL has the store's status)
 *   W3: other content in the archive: URL            (no such answer has the store's digest)
 *
 * If the archive has the body of a page still compressed, since the server had not declared the compression, the digest
 * of the page is not compared. Returns the number of lines, or ERR_FILE if no file has the prefix or a file cannot be
 * read. Memory: from 16 bytes on for each archived answer. */
int warc_check(struct store *, const char *prefix, void (*tell)(void *ctx, const char *line), void *ctx,
	struct err_note *why) MUST_USE;

#endif
