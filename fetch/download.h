/* Downloads one file over HTTP or HTTPS, for as long as it takes, and goes on where a former call was cut off.
 *
 *	struct download d = {.url = url, .path = "web-Google.txt.gz"};
 *	err = download_file(&d, why);
 *
 * The bytes arrive in PATH.part, and PATH.part.of names their version (the server's ETag, or Last-Modified, of which one is needed
 * to go on). The file gets its name when it is whole and on the disk.
 *
 *	            206 from the byte that was asked for: go on
 *	  request --> 200: another version, or no ranges: from the first byte
 *	     ^  |--> 416 and the size is that of the part: whole; else from the first byte
 *	     |  |--> 404, 410: ERR_NOTHING       |--> other answers below 500, but 408 and 429: ERR_FILE
 *	     |  '--> 408, 429, 5xx, no connection, an end before the end
 *	     '---------' at once if bytes have come, else after 1, 2, 4 s; the fourth time in a row is ERR_UNREACHABLE, and so
 *                         is the fifth beginning from the first byte after the first: no server keeps a download going for ever */
#ifndef FETCH_DOWNLOAD_H
#define FETCH_DOWNLOAD_H

#include "base/err.h"

#include <stdint.h>

struct download {
	const char *url;  /* http: or https:, also after redirects, of which 10 are followed */
	const char *path; /* where the file will be; a file of that name is replaced */
	/* Called about once a second with the number of bytes that have arrived and the size of the whole file (0 if the server
	 * does not say it); may be NULL. */
	void (*progress)(void *with, uint64_t have, uint64_t total);
	void *with;
};

/* Returns 0 or an error with a note, as drawn above; ERR_FILE, too, if the disk is full, ERR_FORMAT if the server's ranges do not
 * fit. What has arrived then waits for the next call. */
int download_file(const struct download *, struct err_note *why) MUST_USE;

#endif
