/* An index in the format CDXJ, of this program or another: lines "KEY TIMESTAMP JSON", which say where in which WARC file a page
 * is. */
#ifndef CLI_ARCHIVE_ARCHIVE_INDEX_H
#define CLI_ARCHIVE_ARCHIVE_INDEX_H

#include "base/err.h"

#include <stdint.h>

/* One line. Texts are valid during the call; a text that the line does not have is "". */
struct index_entry {
	const char *url, *status, *type, *file;
	const char *digest; /* as in a WARC record: "sha1:..." */
	int64_t time;       /* ms since 1970 */
	uint64_t offset, length;
};

/* Receives one line. Returns 0 to continue. */
typedef int index_fn(void *ctx, const struct index_entry *, struct err_note *why);

/* Says whether a path is that of an index, by its ending. */
int index_is(const char *path);

/* Calls each() for every line, until a call returns a value other than 0. Returns that value; ERR_FORMAT for a line that is none of
 * an index; or ERR_FILE. */
int index_each(const char *path, index_fn *each, void *ctx, struct err_note *why) MUST_USE;

/* Returns the path of a WARC file that an index names: in the folder of the index. The caller frees it with free(). */
char *index_file(const char *index, const char *file);

#endif
