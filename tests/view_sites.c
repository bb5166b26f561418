/* Sites with traps whose pages differ from view to view, or count on. */
#include "tests/trap_sites.h"

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
			80000 + ask->count, (int)(site_draw(ask->count) % 90),
			(int)(ask->count / 60 % 24), (int)(ask->count % 60),
			(int)(ask->count % 100), 1763729384 + ask->count,
			site_draw(ask->count) % 1000000);
}

/* A list of six pages that has a next page for ever. */
static void beyond(struct said *said, const struct ask *ask)
{
	const long start = site_number(ask, "start");

	if (site_frame(said, ask, "/list?start=0") || strcmp(ask->path, "/list") != 0)
		return;
	if (start < 60)
		snprintf(said->name, sizeof said->name, "list-%ld", start);
	buf_format(&said->page, "<h1>Posts</h1>Showing %ld to %ld of 60, page %ld.", start + 1,
		start + 10, start / 10 + 1);
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
	snprintf(other, sizeof other, "http://w%" PRIx64 "x.wild.test/",
		site_draw(ask->count) & 0xffffff);
	site_frame(said, &home, other);
}

const struct site view_sites[] = {
	{"counted.test", counted},
	{"beyond.test", beyond},
	{"wild.test", wild},
	{".wild.test", wild},
	{.host = NULL},
};
