/* The progress of a long job, shown on stderr. On a terminal the progress is one line, as wide as
 * the terminal, that redraws itself, with a bar if the total is known; elsewhere (and on a dumb terminal) a new line is written
 * every ten seconds.
 *
 *	progress_init(&p, PROGRESS_AUTO, "pages", total);
 *	progress_tick(&p, done, NULL);                       often
 *	progress_done(&p); */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_LOG, PROGRESS_NONE };

struct progress {
	enum progress_mode mode; /* progress_init() replaces AUTO by another mode */
	const char *what;        /* "pages"; borrowed */
	uint64_t total;          /* 0 if it is unknown */
	uint64_t first;          /* the units done before the job began; the rate excludes them */
	int64_t started, drawn;  /* ms */
	double share;            /* see progress_share() */
	int shown;               /* 1 while the terminal shows a progress line */
};

/* Starts the progress of `total` units that are called `what`. */
void progress_init(struct progress *p, enum progress_mode mode, const char *what, uint64_t total);

/* Says whether progress_tick() would draw now. If not, a caller need not compose a note. */
int progress_due(const struct progress *p);

/* Sets the used share (0 to 1) of a second limit that may end the job before `total` does (a
 * limit of time or of bytes). The time left is that of the limit which will be reached first. */
void progress_share(struct progress *p, double share);

/* Draws the progress, with `note` (which may be NULL) at the end. A caller may call the function as
 * often as it likes; it draws at most five times a second. */
void progress_tick(struct progress *p, uint64_t done, const char *note);

/* Removes the progress line from the terminal. */
void progress_done(struct progress *p);

/* Writes the progress line for the time `now` (in ms, by the clock of `started`), as in "50 of 200
 * (25%) pages, 10/s, 15 s left, note". The line contains nothing that a terminal would obey. */
void progress_line(const struct progress *p, uint64_t done, int64_t now, const char *note, char *line, size_t size);

/* Writes a bar of PROGRESS_BAR_WIDTH columns between brackets, with a blank behind it, for what is done of the total or of the
 * other limit, whichever is nearer to its end: "[####......] ". The text is empty if neither is known, or nothing is done. */
#define PROGRESS_BAR_WIDTH 16
void progress_bar(const struct progress *p, uint64_t done, char bar[PROGRESS_BAR_WIDTH + 4]);

/* Cuts a line to at most `columns` columns, where each character takes one column. */
void progress_fit(char *line, size_t columns);

#endif
