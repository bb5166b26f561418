/* Which pages of a store an export has: by state, host, URL, and the time of the last request.
 *
 *	export_filter_init(&f, &options, why);
 *	if (export_filter_takes(&f, page.url, host, &ending, time)) ...
 *	export_filter_release(&f);
 *
 * A page is taken if it fits every filter that was given; of several hosts or states one is enough. */
#ifndef CLI_EXPORT_EXPORT_FILTER_H
#define CLI_EXPORT_EXPORT_FILTER_H

#include "base/flag.h"
#include "cli/store/store_endings.h"

#include <regex.h>

struct export_filter_options {
	struct flag_list states, hosts; /* words and names, as typed */
	const char *domains;            /* with commas between; NULL: not given */
	const char *accept_regex, *reject_regex;
	const char *since, *until;
};

extern const struct flag export_filter_flags[];

struct export_filter {
	const struct export_filter_options *options; /* borrowed */
	unsigned states;                             /* a mask of 1 << enum page_state */
	char *domains;                               /* texts, each with a NUL, and an empty one behind them; NULL: not given */
	regex_t *accept, *reject;
	int64_t since, until; /* ms since 1970; a page has since <= time < until */
	int by_time;          /* only pages with a time are taken */
};

/* Prepares a filter. Returns 0, or ERR_USAGE for a state, an expression or a time that is malformed. */
int export_filter_init(struct export_filter *, const struct export_filter_options *, struct err_note *why) MUST_USE;

/* Frees the memory. A zeroed struct is allowed. */
void export_filter_release(struct export_filter *);

/* Says whether a page is taken. `time` is that of its last request, in ms since 1970; 0: there was none. */
int export_filter_takes(const struct export_filter *, const char *url, const char *host, const struct ending *, int64_t time);

/* Parses a time in UTC, "2026-11-22", "2026-11-22T08:30", "2026-11-22T08:30:15" with an optional "Z", or "@" and seconds
 * since 1970, into ms since 1970. Returns 0, or ERR_USAGE with `flag` in the note. */
int export_time(const char *text, const char *flag, int64_t *ms, struct err_note *why) MUST_USE;

#endif
