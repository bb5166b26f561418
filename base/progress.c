#include "base/progress.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"

#include <stdio.h>
#include <unistd.h>

void progress_init(struct progress *p, enum progress_mode mode, const char *what, uint64_t total)
{
	if (mode == PROGRESS_AUTO)
		mode = log_level() == LOG_QUIET ? PROGRESS_NONE
		       : isatty(STDERR_FILENO)  ? PROGRESS_BAR
						: PROGRESS_LOG;
	int64_t now = clock_ms();
	*p = (struct progress){mode, what, total, now, now, 0};
}

static void format_left(char *text, size_t size, double seconds)
{
	long s = (long)seconds;

	if (s >= 3600)
		snprintf(text, size, ", %ld h %02ld min left", s / 3600, s / 60 % 60);
	else if (s >= 60)
		snprintf(text, size, ", %ld min %02ld s left", s / 60, s % 60);
	else
		snprintf(text, size, ", %ld s left", s);
}

void progress_tick(struct progress *p, uint64_t done, const char *note)
{
	if (p->mode == PROGRESS_NONE)
		return;
	int64_t now = clock_ms();
	if (now - p->drawn < (p->mode == PROGRESS_BAR ? 200 : 10000))
		return;
	p->drawn = now;
	double seconds = (double)(now - p->started) / 1000, rate = (double)done / seconds;
	char left[64] = "", line[512], share[32] = "";
	if (p->total && done <= p->total) {
		snprintf(share, sizeof share, " of %llu (%.0f%%)", (unsigned long long)p->total,
			100.0 * (double)done / (double)p->total);
		if (rate > 0)
			format_left(left, sizeof left, (double)(p->total - done) / rate);
	}
	snprintf(line, sizeof line, "%llu%s %s, %.0f/s%s%s%s", (unsigned long long)done, share,
		p->what, rate, left, note ? ", " : "", note ? note : "");
	err_escape(line);
	if (p->mode == PROGRESS_BAR) {
		fprintf(stderr, "\r\033[K%.200s", line);
		fflush(stderr);
		p->shown = 1;
	} else {
		fprintf(stderr, "lycosa: %s\n", line);
	}
}

void progress_done(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = 0;
}
