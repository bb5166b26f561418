/* The captures of an archive in memory, by URL and time, for a replay.
 *
 *	replay_open(&r, files, n, why);
 *	c = replay_find(r, "http://a.test/", 14, time);      the capture next to that time
 *	err = replay_read(r, c, &capture, why);              with the body, also of a revisit */
#ifndef CLI_ARCHIVE_ARCHIVE_REPLAY_H
#define CLI_ARCHIVE_ARCHIVE_REPLAY_H

#include "cli/archive/archive_find.h"

struct replay_capture {
	char *url;           /* canonical, if it is an http or https URL */
	char *type, *digest; /* "" for unknown */
	int64_t time;        /* ms since 1970 */
	unsigned status;     /* 0: unknown */
	int is_revisit;
	char *refers_to;     /* of a revisit: the URL of the response that it repeats; NULL: unknown */
	int64_t refers_time; /* and the time of that response; 0: unknown */
	struct archive_place place;
};

struct replay;

/* Reads the heads of all captures of n WARC files and indexes. A WARC file beside which an index lies is read through it. A file
 * that is damaged, cut short or no archive is read as far as it can be, with a line on stderr. Returns 0, ERR_NOTHING or ERR_FORMAT
 * if there is no capture, or ERR_FILE. */
int replay_open(struct replay **, const char *const *files, size_t n, struct err_note *why) MUST_USE;

/* Frees the captures. NULL is allowed. */
void replay_close(struct replay *);

/* Returns the number of files that could not be read to their ends. */
size_t replay_damaged(const struct replay *);

/* Returns capture i of those in the order of their URLs and times, or NULL beyond the last. */
const struct replay_capture *replay_at(const struct replay *, size_t i);

/* Returns the capture of a URL that is next to a time, or NULL if there is none. *i becomes its place in that order. */
const struct replay_capture *replay_find(const struct replay *, const char *url, size_t n, int64_t time, size_t *i);

/* Returns the capture that has the body of a capture: itself, or the response that a revisit stands for; NULL if the archive does
 * not have that. */
const struct replay_capture *replay_with_body(const struct replay *, const struct replay_capture *);

/* Reads a capture with its body. A revisit has no body of its own: one with the status 304 gets the body of the last response with
 * a status of 2xx of the same URL before it; any other gets that of the first response, by URL and time, with its digest, or, if
 * there is none, that of the response whose URL and time it names, or else that of the last response of the same URL before it.
 * Returns 0, ERR_NOTHING if there is no such response, or an error of reading. The caller releases the capture in each case. */
int replay_read(const struct replay *, const struct replay_capture *, struct capture *, struct err_note *why) MUST_USE;

#endif
