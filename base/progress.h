/* How far something long has come, on stderr: a line that redraws itself on a terminal, as wide as
 * it is, a line every ten seconds elsewhere (a terminal that is dumb included). */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_LOG, PROGRESS_NONE };

struct progress {
	enum progress_mode mode; /* AUTO is settled by progress_init() */
	const char *what;        /* "pages"; borrowed */
	uint64_t total;          /* 0: unknown */
	uint64_t first;          /* done before it began: no part of the rate */
	int64_t started, drawn;  /* ms */
	double share;            /* see progress_share() */
	int shown;               /* something stands on the terminal's line */
};

void progress_init(struct progress *p, enum progress_mode mode, const char *what, uint64_t total);

/* Whether progress_tick() would draw: what its note costs can be spared else. */
int progress_due(const struct progress *p);

/* The share, 0 to 1, of what ends it that is not `total` (time, bytes): time left is told by the one
 * that comes first. */
void progress_share(struct progress *p, double share);

/* To be called often: draws at most five times a second. `note` (may be NULL) is put behind. */
void progress_tick(struct progress *p, uint64_t done, const char *note);

/* Clears the line. */
void progress_done(struct progress *p);

/* The line itself, at `now` (ms, as `started`): "50 of 200 (25%) pages, 10/s, 15 s left, note".
 * Nothing in it is more than text to a terminal. */
void progress_line(const struct progress *p, uint64_t done, int64_t now, const char *note,
	char *line, size_t size);

/* Cuts a line so that it takes at most so many columns, a character one. */
void progress_fit(char *line, size_t columns);

#endif
