/* Sites with traps whose pages differ from view to view, or count on. */
#include "tests/traps/trap_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An agenda without end; each view counts its readers, in words and by a picture that nobody sees. */
static void counted(struct said *said, const struct ask *ask)
{
	long day = 0;

	if (!site_frame(said, ask, "/agenda/20778") && sscanf(ask->path, "/agenda/%ld", &day) == 1)
		buf_format(&said->page,
			"<h1>Agenda</h1>No appointments on day %ld. Rooms are let by telephone. "
			"<a href=/agenda/%ld>before</a> <a href=/agenda/%ld>after</a>",
			day, day - 1, day + 1);
	if (said->page.used)
		buf_format(&said->page,
			"<p>You are visitor %" PRIu64 ", users online: %d; the next talk is in %d "
			"hours and %d minutes. Made in 0.%02d s at %" PRIu64 "."
			"<img src=\"/seen.gif?r=%" PRIu64 "\" width=\"1\" height=\"1\">",
			80000 + ask->count, (int)(site_draw(ask->count) % 90), (int)(ask->count / 60 % 24), (int)(ask->count % 60),
			(int)(ask->count % 100), 1763729384 + ask->count, site_draw(ask->count) % 1000000);
}

/* A list of six pages that has a next page for ever. */
static void beyond(struct said *said, const struct ask *ask)
{
	const long start = site_number(ask, "start");

	if (site_frame(said, ask, "/list?start=0") || strcmp(ask->path, "/list") != 0)
		return;
	if (start < 60)
		snprintf(said->name, sizeof said->name, "list-%ld", start);
	buf_format(&said->page, "<h1>Posts</h1>Showing %ld to %ld of 60, page %ld.", start + 1, start + 10, start / 10 + 1);
	if (start < 60)
		site_prose(&said->page, 70000 + (uint64_t)start, 30);
	buf_format(&said->page, " <a href=\"/list?start=%ld\">next</a>", start + 10);
}

/* Any name below the domain shows the same site, with a link to one more. */
static void wild(struct said *said, const struct ask *ask)
{
	struct ask home = *ask;
	char other[64];

	home.host = "wild.test";
	snprintf(other, sizeof other, "http://w%" PRIx64 "x.wild.test/", site_draw(ask->count) & 0xffffff);
	site_frame(said, &home, other);
}

/* Tides by months without end: each page has a text of its own. */
static void tides(struct said *said, const struct ask *ask)
{
	int year = 0, month = 0;

	if (site_frame(said, ask, "/tides/2026-11") || sscanf(ask->path, "/tides/%4d-%2d", &year, &month) != 2 || month < 1 ||
		month > 12)
		return;
	const int n = 12 * year + month - 1;
	buf_format(&said->page, "<h1>High water, %d-%02d</h1>", year, month);
	site_prose(&said->page, 80000 + (uint64_t)n, 30);
	buf_format(&said->page, " <a href=\"/tides/%04d-%02d\">before</a>", (n - 1) / 12, (n - 1) % 12 + 1);
	buf_format(&said->page, " <a href=\"/tides/%04d-%02d\">after</a>", (n + 1) / 12, (n + 1) % 12 + 1);
}

/* A link that should have begun with a slash: each page leads to a folder below it, and has a text of its own. */
static void deeper(struct said *said, const struct ask *ask)
{
	const size_t n = strlen(ask->path);

	if (site_frame(said, ask, "/more/") || n < 6 || strcmp(ask->path + n - 1, "/") != 0)
		return;
	site_prose(&said->page, 90000 + n, 30);
	buf_format(&said->page, " <a href=\"of%zu/\">more</a>", n);
}

/* Answers without end to queries that lead to two others each: each page has a text of its own. */
static void endless(struct said *said, const struct ask *ask)
{
	const long n = site_number(ask, "n");

	if (site_frame(said, ask, "/search?n=1") || strcmp(ask->path, "/search") != 0)
		return;
	site_prose(&said->page, 500000 + (uint64_t)n, 30);
	buf_format(&said->page, " <a href=\"/search?n=%ld\">more</a> <a href=\"/search?n=%ld\">more</a>", 2 * n, 2 * n + 1);
}

const struct site view_sites[] = {
	{"tides.test", tides},
	{"deeper.test", deeper},
	{"endless.test", endless},
	{"counted.test", counted},
	{"beyond.test", beyond},
	{"wild.test", wild},
	{".wild.test", wild},
	{.host = NULL},
};
