/* How far something long has come, on stderr: a line that redraws itself on a terminal, a line
 * every ten seconds elsewhere. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_LOG, PROGRESS_NONE };

struct progress {
	enum progress_mode mode; /* AUTO is settled by progress_init() */
	const char *what;        /* "pages"; borrowed */
	uint64_t total;          /* 0: unknown */
	int64_t started, drawn;  /* ms */
	int shown;               /* something stands on the terminal's line */
};

void progress_init(struct progress *p, enum progress_mode mode, const char *what, uint64_t total);

/* To be called often: draws at most five times a second. `note` (may be NULL) is put behind. */
void progress_tick(struct progress *p, uint64_t done, const char *note);

/* Clears the line. */
void progress_done(struct progress *p);

#endif
