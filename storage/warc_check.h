/* Whether the archive of a crawl has what its store has: for `lycosa store verify --warc`. */
#ifndef STORAGE_WARC_CHECK_H
#define STORAGE_WARC_CHECK_H

#include "storage/store.h"

/* Reads all files PREFIX-*.warc.gz and tells, a line each,
 *
 *   W1: FILE: bytes FROM to TO are no record         (damage, or the end of a file that a kill cut short)
 *   W2: not in the archive: URL                      (no answer for the page, of the store's status)
 *   W3: other content in the archive: URL            (none of its answers has the store's digest)
 *
 * of the pages that the store has as crawled or redirected, or that failed for their HTTP status. A page that
 * was archived as it came packed, against the server's own word, is told by its URL alone. Returns the
 * number of lines; ERR_FILE where there is no file of the prefix, or one cannot be read. Memory: 16 bytes
 * and more for each answer archived. */
int warc_check(struct store *, const char *prefix, void (*tell)(void *ctx, const char *line),
	void *ctx, struct err_note *why) MUST_USE;

#endif
