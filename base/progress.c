#include "base/progress.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_MS    200
#define LOG_MS    10000
#define BAR_LEAST 70 /* columns of a terminal that has room for a bar */
#define WIDTH     80 /* of a terminal that does not say */

/* Says whether stderr is a terminal that can clear a line. */
static int can_redraw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_init(struct progress *p, enum progress_mode mode, const char *what, uint64_t total)
{
	if (mode == PROGRESS_AUTO)
		mode = log_level() == LOG_QUIET ? PROGRESS_NONE : can_redraw() ? PROGRESS_BAR : PROGRESS_LOG;
	int64_t now = clock_ms();
	*p = (struct progress){.mode = mode, .what = what, .total = total, .started = now, .drawn = now};
}

int progress_due(const struct progress *p)
{
	return p->mode != PROGRESS_NONE && clock_ms() - p->drawn >= (p->mode == PROGRESS_BAR ? BAR_MS : LOG_MS);
}

void progress_share(struct progress *p, double share)
{
	p->share = share < 0 ? 0 : share > 1 ? 1 : share;
}

static void format_left(char *text, size_t size, double seconds)
{
	const uint64_t s = seconds < 1e15 ? (uint64_t)seconds : (uint64_t)1e15;
	const unsigned long long days = s / 86400, hours = s / 3600 % 24, minutes = s / 60 % 60;

	if (days)
		snprintf(text, size, ", %llu d %02llu h left", days, hours);
	else if (hours)
		snprintf(text, size, ", %llu h %02llu min left", hours, minutes);
	else if (minutes)
		snprintf(text, size, ", %llu min %02llu s left", minutes, (unsigned long long)s % 60);
	else
		snprintf(text, size, ", %llu s left", (unsigned long long)s);
}

/* Returns the seconds until the total or the share is reached, whichever is first; a negative number if neither can be
 * estimated. */
static double seconds_left(const struct progress *p, uint64_t done, double seconds, double rate)
{
	double left = -1;

	if (p->total && done <= p->total && rate > 0)
		left = (double)(p->total - done) / rate;
	if (p->share > 0) {
		const double other = seconds * (1 - p->share) / p->share;
		left = left < 0 || other < left ? other : left;
	}
	return left;
}

void progress_line(const struct progress *p, uint64_t done, int64_t now, const char *note, char *line, size_t size)
{
	const double seconds = (double)(now - p->started) / 1000;
	const double rate = seconds > 0 && done > p->first ? (double)(done - p->first) / seconds : 0;
	const double left = seconds_left(p, done, seconds, rate);
	char time[64] = "", share[48] = "";

	if (p->total && done <= p->total)
		ascii_format(share, sizeof share, " of %llu (%.0f%%)", (unsigned long long)p->total,
			100.0 * (double)done / (double)p->total);
	if (left >= 0)
		format_left(time, sizeof time, left);
	ascii_format(line, size, "%llu%s %s, %.*f/s%s%s%s", (unsigned long long)done, share, p->what, rate < 10 ? 1 : 0, rate, time,
		note ? ", " : "", note ? note : "");
	err_escape(line);
}

void progress_bar(const struct progress *p, uint64_t done, char bar[PROGRESS_BAR_WIDTH + 4])
{
	double share = p->total && done <= p->total ? (double)done / (double)p->total : 0;
	size_t full;

	if (p->share > share)
		share = p->share;
	*bar = 0;
	if (share <= 0)
		return;
	full = (size_t)(share * PROGRESS_BAR_WIDTH);
	*bar = '[';
	memset(bar + 1, '#', full);
	memset(bar + 1 + full, '.', PROGRESS_BAR_WIDTH - full);
	memcpy(bar + 1 + PROGRESS_BAR_WIDTH, "] ", 3);
}

void progress_fit(char *line, size_t columns)
{
	for (; *line && columns; columns--)
		for (line++; ((unsigned char)*line & 0xc0) == 0x80;)
			line++;
	*line = 0;
}

/* Returns the columns that a line may have: one fewer than the terminal has, since some terminals begin a new line after the last
 * one. */
static size_t columns(void)
{
	const char *given = getenv("COLUMNS");
	struct winsize size;
	uint64_t n = WIDTH;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		n = size.ws_col;
	else if (given && num_count(given, 10000, &n) == 0 && !n)
		n = WIDTH;
	return (size_t)n - 1;
}

void progress_tick(struct progress *p, uint64_t done, const char *note)
{
	char line[512];

	if (!progress_due(p))
		return;
	p->drawn = clock_ms();
	progress_line(p, done, p->drawn, note, line, sizeof line);
	if (p->mode == PROGRESS_BAR) {
		const size_t room = columns();
		char bar[PROGRESS_BAR_WIDTH + 4] = "";
		if (room >= BAR_LEAST)
			progress_bar(p, done, bar);
		progress_fit(line, room - strlen(bar));
		fprintf(stderr, "\r\033[K%s%s", bar, line);
		fflush(stderr);
		p->shown = 1;
		log_set_bar(LOG_BAR_STANDS);
	} else {
		fprintf(stderr, "lycosa: %s\n", line);
	}
}

void progress_done(struct progress *p)
{
	if (!p->shown)
		return;
	fprintf(stderr, "\r\033[K");
	log_set_bar(LOG_BAR_GONE);
	p->shown = 0;
}
