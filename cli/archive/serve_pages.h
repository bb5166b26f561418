/* The pages of `lycosa archive serve` that are its own: the list of pages, the bar around an archived page, and what is said of a
 * page that is not there. Each function appends a document, or a part of one. */
#ifndef CLI_ARCHIVE_SERVE_PAGES_H
#define CLI_ARCHIVE_SERVE_PAGES_H

#include "base/buf.h"
#include "cli/archive/replay.h"

#define SERVE_STAMP 14 /* the digits of a time in a path: 20261122083015 */

/* Returns the time of such digits in ms since 1970; 0 if they are none of a time. */
int64_t serve_time(const char *stamp);

/* Appends the digits of a time. */
void serve_put_stamp(struct buf *out, int64_t ms);

/* Writes the list of all HTML pages, with links to them. */
void serve_put_list(const struct replay *, struct buf *out);

/* Where archived pages are shown. */
struct serve_inside {
	const char *origin;   /* http://NAME.localhost:PORT */
	const char *fallback; /* http://127.0.0.1:PORT, for a browser to which NAME.localhost is not this machine */
	const char *key;      /* of the paths */
};

/* Writes the page around capture i, with its bar and a frame for it. */
void serve_put_outside(const struct replay *, const struct serve_inside *, const struct replay_capture *, size_t i,
	struct buf *out);

/* Says that the archive does not have a URL. */
void serve_put_missing(const char *url, struct buf *out);

/* Writes the line of script at the head of an archived page that tells the bar where the frame is. */
void serve_put_telling(const struct replay_capture *, struct buf *out);

#endif
