/* WACZ files: WARC files packed into one ZIP file with their index, a list of their pages, and digests of all of these. */
#ifndef CLI_ARCHIVE_WACZ_H
#define CLI_ARCHIVE_WACZ_H

#include "base/err.h"

#include <stddef.h>

struct wacz_content {
	const char *to;           /* the WACZ file */
	const char *const *files; /* n WARC files with different names, which end in .warc or .warc.gz */
	size_t n;
	/* says whether a URL of n bytes is a main page of the collection; pages behind the redirects of one are, too. NULL: all pages are.
	 * Other pages are listed in pages/extraPages.jsonl. */
	int (*is_main)(void *ctx, const char *url, size_t n);
	void *ctx;
};

/* Writes the WACZ file. Returns 0, ERR_USAGE, ERR_FILE or an error of archive_index_file(); then no file is left. */
int wacz_write(const struct wacz_content *, struct err_note *why) MUST_USE;

#endif
