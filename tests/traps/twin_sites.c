/* Sites without a trap, many pages of which are alike: what a crawler that leaves duplicates out too soon loses. */
#include "tests/traps/trap_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void name(struct said *said, const char *what, long n)
{
	snprintf(said->name, sizeof said->name, "%s-%ld", what, n);
}

/* A text of its own for each page of a part of a site. */
static void text(struct said *said, long part, long n)
{
	buf_format(&said->page, "<title>%ld</title>", n);
	site_prose(&said->page, 100000 + 1000 * (uint64_t)part + (uint64_t)n, 30);
}

static void link_to(struct said *said, const char *format, long n)
{
	buf_text(&said->page, " <a href=\"");
	for (; *format; format++)
		if (*format == '#')
			buf_format(&said->page, "%ld", n);
		else
			buf_byte(&said->page, *format);
	buf_text(&said->page, "\">more</a>");
}

/* Whether a path is the folder and a number from 1 to `most`; "/" is page 1 of the first folder. */
static int is_page(const struct ask *ask, const char *folder, long most, long *n)
{
	const size_t m = strlen(folder);

	*n = 0;
	return strncmp(ask->path, folder, m) == 0 && sscanf(ask->path + m, "%ld", n) == 1 && *n >= 1 && *n <= most;
}

/* 150 threads, each link to which has a new session id; they link to one another. */
static void sessions(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (strcmp(ask->path, "/") != 0 && !is_page(ask, "/thread/", 150, &n))
		return;
	name(said, "thread", n);
	text(said, 1, n);
	for (long to = n + 1; to <= n + 3; to++)
		buf_format(&said->page, " <a href=\"/thread/%ld?PHPSESSID=%016" PRIx64 "\">next</a>", to,
			site_draw(ask->count * 4 + (uint64_t)to));
}

/* /en/1 to 120 and /de/1 to 120, of which 80 are not translated. */
static void bilingual(struct said *said, const struct ask *ask)
{
	long n = 1;
	const int is_de = is_page(ask, "/de/", 120, &n);

	if (!is_de && strcmp(ask->path, "/") != 0 && !is_page(ask, "/en/", 120, &n))
		return;
	n = n ? n : 1;
	const int is_own = !is_de || n > 80;
	name(said, is_de && is_own ? "de" : "en", n);
	text(said, is_de && is_own ? 3 : 2, n);
	for (long to = 2 * n; to <= 2 * n + 1; to++)
		link_to(said, strcmp(ask->path, "/") == 0 ? "en/#" : "#", to);
	link_to(said, strcmp(ask->path, "/") == 0 ? "de/#" : "../de/#", n);
}

/* Three versions of a manual of 100 pages: three in five pages of v1 and v2 are the same, "latest" is v2. */
static void versions(struct said *said, const struct ask *ask)
{
	long n = 0;
	const int version = is_page(ask, "/v1/", 100, &n) ? 1
		: is_page(ask, "/v2/", 100, &n)           ? 2
		: is_page(ask, "/latest/", 100, &n)       ? 2
							  : 0;

	if (strcmp(ask->path, "/") == 0) {
		name(said, "index", 0);
		link_to(said, "/v1/#", 1);
		link_to(said, "/v2/#", 1);
		link_to(said, "/latest/#", 1);
	}
	if (!version)
		return;
	const int is_own = version == 2 && n % 5 < 2;
	name(said, is_own ? "v2" : "v1", n);
	text(said, is_own ? 5 : 4, n);
	link_to(said, "#", 2 * n);
	link_to(said, "#", 2 * n + 1);
}

/* The months from 2026 back to 1970, each of which leads to the one before; an event in one of 37. */
static void events(struct said *said, const struct ask *ask)
{
	int year = 2026, month = 12;

	if (strcmp(ask->path, "/") != 0 && sscanf(ask->path, "/calendar/%d/%d", &year, &month) != 2)
		return;
	const long at = 12l * year + month - 1;
	if (year < 1970 || month < 1 || month > 12)
		return;
	buf_text(&said->page, "<h1>What is on</h1> Talks, films and walks in our house by the river. ");
	if (at % 37 == 0) {
		name(said, "event", at);
		text(said, 6, at);
	} else {
		buf_text(&said->page, "Nothing is on in this month, see the one before.");
	}
	buf_format(&said->page, " <a href=/calendar/%ld/%02ld>before</a>", (at - 1) / 12, (at - 1) % 12 + 1);
}

/* 360 things to buy, each on the lists of its colour, its size and both, four to a list. */
static void catalogue(struct said *said, const struct ask *ask)
{
	const long colour = site_number(ask, "colour"), size = site_number(ask, "size");
	long n = 0;

	if (is_page(ask, "/thing/", 360, &n)) {
		name(said, "thing", n);
		buf_text(&said->page, "Our shop. Buy now, free of charge to your door.");
		site_prose(&said->page, 107000 + (uint64_t)n, 6);
		return;
	}
	if ((strcmp(ask->path, "/") != 0 && strcmp(ask->path, "/list") != 0) || colour > 9 || size > 10)
		return;
	name(said, "list", 100 * colour + size);
	buf_text(&said->page, "<h1>Our shop</h1> Choose a colour, a size, or both of them.");
	for (n = 1; colour && size && n <= 4; n++)
		link_to(said, "/thing/#", 40 * (colour - 1) + 4 * (size - 1) + n);
	for (long c = 1; c <= 9; c++)
		buf_format(&said->page, " <a href=\"/list?colour=%ld&amp;size=%ld\">c</a>", c, size);
	for (long i = 1; i <= 10; i++)
		buf_format(&said->page, " <a href=\"/list?colour=%ld&amp;size=%ld\">s</a>", colour, i);
}

/* Two hosts with 120 pages each, 80 of which are the same. */
static void twins(struct said *said, const struct ask *ask)
{
	const int is_b = strncmp(ask->host, "b.", 2) == 0;
	long n = 1;

	if (strcmp(ask->path, "/") != 0 && !is_page(ask, "/page/", 120, &n))
		return;
	const int is_own = is_b && n > 80;
	name(said, is_own ? "b" : "a", n);
	text(said, is_own ? 9 : 8, n);
	link_to(said, "/page/#", 2 * n);
	link_to(said, "/page/#", 2 * n + 1);
	if (n == 1)
		buf_text(&said->page, " <a href=http://b.twins.test/page/1>b</a>");
}

/* 150 articles, each with a copy to print, and notes to which the copies alone lead. */
static void printed(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (is_page(ask, "/print/notes/", 15, &n)) {
		name(said, "notes", n);
		text(said, 11, n);
		return;
	}
	const int is_copy = is_page(ask, "/print/", 150, &n);
	if (!is_copy && strcmp(ask->path, "/") != 0 && !is_page(ask, "/article/", 150, &n))
		return;
	n = n ? n : 1;
	name(said, "article", n);
	text(said, 10, n);
	if (is_copy && n % 10 == 0)
		link_to(said, "/print/notes/#", n / 10);
	if (is_copy)
		return;
	link_to(said, "/article/#", n + 1);
	link_to(said, "/article/#", n + 2);
	link_to(said, "/print/#", n);
}

/* 120 pages of a blog in an archive of 240 months, 130 of which have none. */
static void archive(struct said *said, const struct ask *ask)
{
	int year = 0, month = 0;
	long n = 0;

	if (strcmp(ask->path, "/") == 0) {
		name(said, "index", 0);
		for (long i = 0; i < 240; i++)
			buf_format(&said->page, " <a href=/%ld/%02ld/>month</a>", 2005 + i / 12, i % 12 + 1);
	} else if (is_page(ask, "/post/", 240, &n)) {
		name(said, "post", n);
		text(said, 12, n);
	} else if (sscanf(ask->path, "/%d/%d/", &year, &month) == 2) {
		n = 12l * (year - 2005) + month;
		buf_text(&said->page, "<h1>My days</h1> What I wrote in the month:");
		if (n % 24 > 12) {
			name(said, "month", n);
			link_to(said, "/post/#", n - 1);
			link_to(said, "/post/#", n);
		}
	}
}

/* 100 pages, each behind four redirects. */
static void moved(struct said *said, const struct ask *ask)
{
	long n = 0, step = 0;

	if (sscanf(ask->path, "/old/%ld/%ld", &n, &step) == 2 && n <= 100) {
		if (step < 4)
			snprintf(said->redirect, sizeof said->redirect, "/old/%ld/%ld", n, step + 1);
		else
			snprintf(said->redirect, sizeof said->redirect, "/new/%ld", n);
		return;
	}
	if (strcmp(ask->path, "/") != 0 && !is_page(ask, "/new/", 100, &n))
		return;
	n = n ? n : 1;
	name(said, "page", n);
	text(said, 13, n);
	link_to(said, "/old/#/1", 2 * n);
	link_to(said, "/old/#/1", 2 * n + 1);
}

/* Forty names of a folder that repeat it over and over, one of which is a page of its own. */
static void nested(struct said *said, const struct ask *ask)
{
	long deep = 0;

	for (const char *at = ask->path; (at = strstr(at, "/data")); at++)
		deep++;
	if (deep > 40)
		return;
	name(said, "page", deep == 19 ? 19 : deep != 0);
	text(said, 14, deep == 19 ? 19 : deep != 0);
	for (long to = 1; deep == 0 && to <= 40; to++) {
		buf_text(&said->page, " <a href=\"");
		for (long i = 0; i < to; i++)
			buf_text(&said->page, "/data");
		buf_text(&said->page, "\">data</a>");
	}
}

const struct site twin_sites[] = {
	{"sessions.test", sessions},
	{"bilingual.test", bilingual},
	{"versions.test", versions},
	{"events.test", events},
	{"catalogue.test", catalogue},
	{"twins.test", twins},
	{".twins.test", twins},
	{"printed.test", printed},
	{"archive.test", archive},
	{"moved.test", moved},
	{"nested.test", nested},
	{.host = NULL},
};
