#include "base/buf.h"
#include "traps/traps.h"

#include <string.h>

const struct opt traps_options[] = {
	{"repeats", OPT_COUNT, 3, 0, 1000, NULL, "times in a row that segments of a path may stand; a URL with more is deferred"},
	{"depth", OPT_COUNT, 50, 0, 1000, NULL, "segments of a path; a URL with more is deferred"},
	{"years", OPT_COUNT, 5, 0, 10000, NULL, "years from now on; a URL with a later date is deferred"},
	{"past", OPT_COUNT, 60, 0, 10000, NULL, "years back from now; a URL with an earlier date is deferred"},
	{"chain", OPT_COUNT, 1000, 0, 1e9, NULL, "pages in a row that lead on and on, after which the rest of a folder waits"},
	{"queries", OPT_COUNT, 0, 0, 1e9, NULL,
		"queries of one path that are crawled before the others are deferred; 0: any number"},
	{"hosts", OPT_COUNT, 1000, 0, 1e9, NULL, "hosts of a registrable domain"},
	{"session-ids", OPT_COUNT, 1, 0, 1, NULL,
		"1: URLs that differ in session ids, or in the order of parameters, are one page"},
	{"duplicates", OPT_COUNT, 1000, 0, 1e9, NULL,
		"near-duplicates in a row, linked from duplicates only, after which the rest of a folder waits until it is asked for"},
	{"simhash-bits", OPT_COUNT, 0, 0, 32, NULL, "near-duplicates are also those whose simhash differs in fewer bits of 64"},
	{"soft-404", OPT_COUNT, 1, 0, 1, NULL,
		"1: an address that no page has is asked where many pages say the same, to see whether a site answers anything"},
	{"mirror", OPT_COUNT, 60, 0, 1e9, NULL, "duplicates in a row after which the rest of a mirror waits until it is asked for"},
	{.name = NULL},
};

int traps_give(struct opt_set *set, const char *assignment, struct err_note *why)
{
	static const struct {
		const char *before, *now;
	} names[] = {{"copies=", "duplicates="}, {"copies-bits=", "simhash-bits="}, {"forms=", "session-ids="}};
	struct buf text = BUF_EMPTY;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i].before);
		if (strncmp(assignment, names[i].before, n) == 0)
			buf_format(&text, "%s%s", names[i].now, assignment + n);
	}
	const int err = opt_give(set, text.used ? text.at : assignment, why);
	buf_release(&text);
	return err;
}
