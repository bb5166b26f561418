#include "base/log.h"
#include "base/ascii.h"
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static enum log_level level_now = LOG_NORMAL;

static char partial[1024];

static _Atomic int bar_now = LOG_BAR_GONE;

void log_set_bar(enum log_bar bar)
{
	bar_now = (int)bar;
}

void log_set_level(enum log_level level)
{
	level_now = level;
}

enum log_level log_level(void)
{
	return level_now;
}

static void __attribute__((format(printf, 1, 0))) write_line(const char *format, va_list args)
{
	char line[1024];

	ascii_format_list(line, sizeof line, format, args);
	err_escape(line);
	fprintf(stderr, "%slycosa: %s\n", bar_now == LOG_BAR_STANDS ? "\r\033[K" : "", line);
	log_set_bar(LOG_BAR_GONE);
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(format, args);
	va_end(args);
}

void log_partial(const char *text)
{
	snprintf(partial, sizeof partial, "%s", text);
	log_error("%s", text);
}

const char *log_partial_why(void)
{
	return *partial ? partial : NULL;
}

void log_say(const char *format, ...)
{
	va_list args;

	if (level_now < LOG_NORMAL)
		return;
	va_start(args, format);
	write_line(format, args);
	va_end(args);
}

void log_detail(const char *format, ...)
{
	va_list args;

	if (level_now < LOG_VERBOSE)
		return;
	va_start(args, format);
	write_line(format, args);
	va_end(args);
}
