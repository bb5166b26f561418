/* Writes the pages of WARC files as files that a browser opens from the disk, with links between them.
 *
 *	err = extract_pages(&(struct extraction){files, n, "dir", INT64_MAX, &others}, &counts, why);
 *
 * http://a.test/x/?q=1 becomes DIR/a.test/x/index@q=1.html, a name that any file system takes. A reference to a page that is extracted
 * becomes a relative path, also through redirects; every other one becomes an absolute URL, as the page is not there. */
#ifndef CLI_ARCHIVE_EXTRACT_H
#define CLI_ARCHIVE_EXTRACT_H

#include "base/destination.h"

#include <stddef.h>
#include <stdint.h>

struct extraction {
	const char *const *files; /* n WARC files and indexes */
	size_t n;
	const char *dir;                   /* is created if it is missing */
	int64_t until;                     /* ms since 1970: captures of then or before */
	const struct destinations *others; /* what the command reads and writes besides; no page takes the place of such a file */
};

struct extract_counts {
	uint64_t files, bytes; /* those that are there now */
	uint64_t same;         /* the files among them that were there before, with the same bytes, and are not written again */
	uint64_t damaged;      /* WARC files and indexes that could not be read to their ends */
};

/* Writes the last capture of each page. A file is written under another name and renamed, so that at any time it has all bytes or
 * is not there. A page that cannot be read from the archive is left out, with a line on stderr; so is what lies behind the damaged
 * place of a file. Returns 0, ERR_NOTHING or ERR_FORMAT if the archive has no page that can be read, or an error of reading or
 * writing. */
int extract_pages(const struct extraction *, struct extract_counts *, struct err_note *why) MUST_USE;

#endif
