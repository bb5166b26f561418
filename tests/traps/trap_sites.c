#include "tests/traps/trap_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char closed_words[] = " We are open on every day of the week and sell all that a garden needs: seeds and bulbs, "
				   "pots of clay, spades and rakes, gloves for small and large hands, and good advice.";

uint64_t site_draw(uint64_t seed)
{
	uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

void site_prose(struct buf *out, uint64_t seed, int words)
{
	static const char *const part[] = {"ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu", "va", "we", "xi", "yo", "za",
		"che"};

	for (int i = 0; i < words; i++) {
		const uint64_t draw = site_draw(seed * 1000 + (uint64_t)i);
		buf_format(out, " %s%s%s", part[draw % 16], part[draw / 16 % 16], draw & 0x1000 ? part[draw / 256 % 16] : "");
	}
}

long site_number(const struct ask *ask, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = ask->query; at && *at;) {
		if (strncmp(at, name, n) == 0 && at[n] == '=')
			return strtol(at + n + 1, NULL, 10);
		at = strchr(at, '&');
		at = at ? at + 1 : NULL;
	}
	return 0;
}

/* Mirrors are larger: they are told by many pages. */
static int pages_of(const struct ask *ask)
{
	return strstr(ask->host, "mirror") ? 8 * SITE_PAGES : SITE_PAGES;
}

/* Page n of a site, with links to its children, its parent and the first, as `link` has them: '#' is
 * the page's number, each '$' 16 hexadecimal digits drawn for that link, '@' eight decimal ones. */
static void add_page(struct said *said, const struct ask *ask, int n, const char *link, uint64_t draw)
{
	const int to[] = {2 * n, 2 * n + 1, n / 2, 1};
	const char *host = strncmp(ask->host, "www.", 4) == 0 ? ask->host + 4 : ask->host;
	uint64_t seed = (uint64_t)n;

	snprintf(said->name, sizeof said->name, "page-%d", n);
	buf_format(&said->page, "<title>Page %d</title>", n);
	while (*host)
		seed = 131 * seed + (unsigned char)*host++;
	site_prose(&said->page, seed % 1000000007, 30);
	for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
		if (to[i] < 1 || to[i] > pages_of(ask))
			continue;
		buf_text(&said->page, " <a href=\"");
		for (const char *at = link; *at; at++)
			if (*at == '#')
				buf_format(&said->page, "%d", to[i]);
			else if (*at == '$')
				buf_format(&said->page, "%016" PRIx64, site_draw(draw++));
			else if (*at == '@')
				buf_format(&said->page, "%" PRIu64, 10000000 + site_draw(draw++) % 90000000);
			else
				buf_byte(&said->page, *at);
		buf_text(&said->page, "\">page</a>");
	}
}

int site_frame(struct said *said, const struct ask *ask, const char *trap)
{
	int n = 1;

	if (strcmp(ask->path, "/") != 0 && (sscanf(ask->path, "/page-%d.html", &n) != 1 || n < 2 || n > pages_of(ask)))
		return 0;
	add_page(said, ask, n, "/page-#.html", 0);
	buf_format(&said->page, " <a href=\"%s\">more</a>", trap);
	return 1;
}

/* --- calendars */

enum unit { MONTHS, DAYS, WEEKS };

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
	"October", "November", "December"};
static const char *const weekdays[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

#define NOW (2026 * 372 + 10 * 372 / 12 + 20) /* 21 November 2026; months have 31 days here */

static void add_date(struct buf *out, long day)
{
	buf_format(out, "%s, %ld %s %ld", weekdays[day % 7], day % 31 + 1, months[day / 31 % 12], day / 372);
}

static void add_month(struct buf *out, long day)
{
	const long first = day - day % 31, blank = first % 7;

	buf_format(out, "<h1>%s %ld</h1><table><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su", months[day / 31 % 12], day / 372);
	for (long i = -blank; i < 35 - blank; i++)
		buf_format(out, "%s<td>%ld", (i + blank) % 7 ? "" : "<tr>", (i + 31) % 31 + 1);
	buf_text(out, "</table>");
}

/* `link` has the year, month, day, weeks from now, seconds, in that order */
static void add_link(struct buf *out, const char *link, long day, const char *text)
{
	buf_text(out, " <a href=\"");
	for (; *link; link++) {
		if (*link == 'Y')
			buf_format(out, "%04ld", day / 372);
		else if (*link == 'M')
			buf_format(out, "%02ld", day / 31 % 12 + 1);
		else if (*link == 'D')
			buf_format(out, "%02ld", day % 31 + 1);
		else if (*link == 'N')
			buf_format(out, "%ld", (day - NOW) / 7);
		else if (*link == 'S')
			buf_format(out, "%ld", 86400 * (day - 1970l * 372));
		else
			buf_byte(out, *link);
	}
	buf_format(out, "\">%s</a>", text);
}

static const struct calendar {
	const char *host, *link; /* as add_link() */
	enum unit unit;
} calendars[] = {
	{"month-path.test", "/events/Y/M", MONTHS},
	{"month-dash.test", "/events/Y-M", MONTHS},
	{"month-query.test", "/events?month=M&amp;year=Y", MONTHS},
	{"day-query.test", "/events?date=Y-M-D", DAYS},
	{"day-path.test", "/events/Y/M/D/", DAYS},
	{"day-stamp.test", "/events?t=S", DAYS},
	{"week-offset.test", "/events?week=N", WEEKS},
	{"views.test", "/events?view=month&amp;date=Y-M-D", MONTHS},
};

/* The day that a URL asks for. */
static long day_asked(const struct ask *ask)
{
	const char *date = strstr(ask->query, "date=");
	int year = 2026, month = 11, day = 1;

	if (strncmp(ask->path, "/events/", 8) == 0)
		sscanf(ask->path + 8, "%d%*1[/-]%d%*1[/-]%d", &year, &month, &day);
	else if (date)
		sscanf(date + 5, "%d-%d-%d", &year, &month, &day);
	else if (strstr(ask->query, "t="))
		return site_number(ask, "t") / 86400 + 1970l * 372;
	else if (strstr(ask->query, "week="))
		return NOW + 7 * site_number(ask, "week");
	if (site_number(ask, "year"))
		year = (int)site_number(ask, "year"), month = (int)site_number(ask, "month");
	return year * 372l + (month - 1) * 31 + day - 1;
}

static void calendar(struct said *said, const struct ask *ask)
{
	struct buf start = BUF_EMPTY;
	const struct calendar *c = calendars;

	while (strcmp(c->host, ask->host) != 0)
		c++;
	add_link(&start, c->link, NOW, "");
	buf_text(&start, "");
	char *trap = strchr(start.at, '"') + 1;
	*strchr(trap, '"') = 0;
	if (!site_frame(said, ask, trap) && strncmp(ask->path, "/events", 7) == 0) {
		const long day = day_asked(ask), step = c->unit == MONTHS ? 31 : c->unit == WEEKS ? 7 : 1;
		if (c->unit == MONTHS)
			add_month(&said->page, day);
		else
			add_date(&said->page, day);
		if (c->unit == WEEKS)
			buf_text(&said->page, " to "), add_date(&said->page, day + 6);
		buf_text(&said->page, " No events here. ");
		buf_text(&said->page, closed_words);
		add_link(&said->page, c->link, day - step, "earlier");
		add_link(&said->page, c->link, day + step, "later");
		if (strcmp(c->host, "views.test") == 0) {
			add_link(&said->page, "/events?view=day&amp;date=Y-M-D", day, "day");
			add_link(&said->page, "/events?view=week&amp;date=Y-M-D", day + 1, "week");
			for (long d = day - day % 31; d < day - day % 31 + 31; d++)
				add_link(&said->page, c->link, d, "day");
		}
	}
	buf_release(&start);
}

/* Where links are paths of "next" and "prev". */
static void named(struct said *said, const struct ask *ask)
{
	long day = NOW;

	if (site_frame(said, ask, "/events/") || strncmp(ask->path, "/events/", 8) != 0)
		return;
	for (const char *at = ask->path + 8; *at; at++)
		day += *at == 'n' ? 31 : *at == 'p' ? -31 : 0;
	add_month(&said->page, day);
	buf_format(&said->page, "%s <a href=\"%sn/\">next</a> <a href=\"%sp/\">previous</a>", closed_words, ask->path, ask->path);
}

/* --- session ids: each link of each page has a new one */

static const struct {
	const char *host, *link; /* as add_page() */
} sessions[] = {
	{"session-semicolon.test", "/page-#.html;jsessionid=$$"},
	{"session-folder.test", "/s/$$/page-#.html"},
	{"session-named.test", "/page-#.html?PHPSESSID=$$"},
	{"session-short.test", "/page-#.html?sid=$"},
	{"session-unknown.test", "/page-#.html?k=$$"},
	{"session-number.test", "/page-#.html?id=@"},
	{"session-second.test", "/show?page=#&amp;lang=en&amp;k=$"},
};

static void session(struct said *said, const struct ask *ask)
{
	const char *name = strrchr(ask->path, '/');
	int n = strcmp(ask->path, "/") == 0 ? 1 : (int)site_number(ask, "page"), i = 0;

	sscanf(name, "/page-%d.html", &n);
	while (strcmp(sessions[i].host, ask->host) != 0)
		i++;
	if (n >= 1 && n <= SITE_PAGES)
		add_page(said, ask, n, sessions[i].link, ask->count * 100);
}

/* --- paths that grow */

static void grow(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/x/") && strncmp(ask->path, "/x/", 3) == 0)
		buf_format(&said->page, "%s <a href=\"x/\">more</a>", closed_words);
}

static void pair(struct said *said, const struct ask *ask)
{
	const size_t n = strlen(ask->path);

	if (!site_frame(said, ask, "/a/") && n > 2 && ask->path[n - 1] == '/')
		buf_format(&said->page, "%s <a href=\"%s\">more</a> You are at %s", closed_words,
			ask->path[n - 2] == 'a' ? "b/" : "a/", ask->path);
}

static void folders(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/docs/") && strncmp(ask->path, "/docs/", 6) == 0)
		buf_format(&said->page,
			"%s <a href=api/>api</a> <a href=guide/>guide</a> <a href=ref/>ref</a> "
			"<a href=faq/>faq</a> <a href=news/>news</a> You are at %s",
			closed_words, ask->path);
}

/* The server looks at the last part of a path only, and links are relative. */
static void path_info(struct said *said, const struct ask *ask)
{
	int n = 1;
	const char *last = strstr(ask->path, "page-");

	for (const char *at = last; at; at = strstr(at + 1, "page-"))
		last = at;
	if ((!last && strcmp(ask->path, "/") == 0) || (last && sscanf(last, "page-%d/", &n) == 1))
		add_page(said, ask, n, "page-#/", 0);
}

/* --- queries without end */

static void facets(struct said *said, const struct ask *ask)
{
	static const char *const facet[] = {"size", "colour", "price", "maker", "order"};

	if (site_frame(said, ask, "/tools?size=0") || strcmp(ask->path, "/tools") != 0)
		return;
	buf_format(&said->page, "<h1>Tools</h1>%s", closed_words);
	for (int i = 0; i < 5; i++)
		for (int value = 0; value < 2; value++)
			buf_format(&said->page, " <a href='/tools?%.500s&amp;%s=%d'>%s</a>", ask->query, facet[i], value, facet[i]);
}

/* Five filters of four values; a product is told where all let it through. */
static void filters(struct said *said, const struct ask *ask)
{
	static const char *const key[] = {"colour", "maker", "price", "size", "sort"};
	long set[5];

	if (site_frame(said, ask, "/tools") || strcmp(ask->path, "/tools") != 0)
		return;
	buf_text(&said->page, "<h1>Tools</h1>");
	for (int i = 0; i < 5; i++)
		set[i] = site_number(ask, key[i]);
	for (int i = 0; i < 40; i++) {
		const uint64_t product = site_draw((uint64_t)i);
		int shown = 1;
		for (int k = 0; k < 4; k++)
			shown &= !set[k] || (long)(product >> 8 * k) % 4 + 1 == set[k];
		if (shown)
			site_prose(&said->page, 5000 + (uint64_t)i, 3);
	}
	for (int i = 0; i < 5; i++)
		for (long value = 1; value <= 4; value++) {
			const char *sign = "?";
			buf_text(&said->page, " <a href=\"/tools");
			for (int k = 0; k < 5; k++) {
				const long v = k == i ? value : set[k];
				if (v)
					buf_format(&said->page, "%s%s=%ld", sign, key[k], v);
				if (v)
					sign = "&amp;";
			}
			buf_format(&said->page, "\">%s</a>", key[i]);
		}
}

static void search(struct said *said, const struct ask *ask)
{
	if (site_frame(said, ask, "/search?q=garden") || strcmp(ask->path, "/search") != 0)
		return;
	buf_format(&said->page, "Nothing was found for %s. Others sought", ask->query);
	for (uint64_t i = 0; i < 3; i++) {
		struct buf word = BUF_EMPTY;
		site_prose(&word, ask->count * 10 + i, 1);
		buf_format(&said->page, " <a href='/search?q=%s'>this</a>", word.at + 1);
		buf_release(&word);
	}
}

/* --- pages that are not there, with status 200 */

static void lost(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/lost/"))
		buf_text(&said->page, "Not found: <a href=not/>not</a> <a href=found/>found</a>");
}

static void quoted(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/lost/"))
		buf_format(&said->page,
			"We found no %s at %d:%02d:%02d, sorry (request %016" PRIx64 "). "
			"<a href=map/>Map</a> <a href=help/>Help</a>",
			ask->path, (int)(ask->count / 3600 % 24), (int)(ask->count / 60 % 60), (int)(ask->count % 60),
			site_draw(ask->count));
}

/* Names drawn at random, at the root or in a folder. */
static void drawn(struct said *said, const struct ask *ask, const char *folder)
{
	buf_format(&said->page, "There is no %s here. You may have meant", ask->path);
	for (uint64_t i = 0; i < 3; i++) {
		struct buf word = BUF_EMPTY;
		site_prose(&word, ask->count * 10 + i, 2);
		*strchr(word.at + 1, ' ') = '-';
		buf_format(&said->page, " <a href=\"%s%s\">this</a>", folder, word.at + 1);
		buf_release(&word);
	}
}

static void lost_at_root(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/some-thing"))
		drawn(said, ask, "/");
}

static void lost_in_folder(struct said *said, const struct ask *ask)
{
	if (!site_frame(said, ask, "/lost/some-thing"))
		drawn(said, ask, "/lost/");
}

/* --- mirrors */

static void mirror(struct said *said, const struct ask *ask)
{
	struct ask at_home = *ask;
	const int is_other = strncmp(ask->host, "www.", 4) == 0;

	if (site_frame(said, &at_home, is_other ? "http://mirror.test/" : "http://www.mirror.test/"))
		buf_format(&said->page, " This is http://%s%s", ask->host, ask->path);
}

static void mirror_folder(struct said *said, const struct ask *ask)
{
	const int is_copy = strncmp(ask->path, "/old/", 5) == 0;
	int n = 1;

	if (strcmp(ask->path, is_copy ? "/old/" : "/") != 0 && sscanf(ask->path + (is_copy ? 4 : 0), "/page-%d.html", &n) != 1)
		return;
	if (n >= 1 && n <= pages_of(ask))
		add_page(said, ask, n, is_copy ? "/old/page-#.html" : "/page-#.html", 0);
	buf_text(&said->page, " <a href=/old/>more</a>");
}

/* --- farms of hosts that link to each other without end */

static void farm(struct said *said, const struct ask *ask)
{
	const int is_random = strstr(ask->host, ".random-farm.test") != NULL;
	const char *domain = strchr(ask->host, '.');

	const int is_spam = strstr(ask->host, "-spam.test") != NULL;

	if (strcmp(ask->host, "spam.test") == 0) {
		site_frame(said, ask, "http://first-spam.test/");
		return;
	}
	if (strcmp(ask->host, "farm.test") == 0 || strcmp(ask->host, "random-farm.test") == 0) {
		char trap[64];
		snprintf(trap, sizeof trap, "http://first.%s/", ask->host);
		site_frame(said, ask, trap);
		return;
	}
	buf_format(&said->page, "<h1>Cheap flights to %s</h1>%s", ask->host, closed_words);
	if (is_random)
		site_prose(&said->page, ask->count, 40);
	for (uint64_t i = 0; i < 5; i++)
		buf_format(&said->page, " <a href=\"http://%" PRIx64 "%s%s/\">more</a>", site_draw(ask->count * 10 + i),
			is_spam ? "-spam" : "", domain);
	buf_text(&said->page, " <a href=/offers.html>offers</a>");
}

const struct site trap_sites[] = {
	{"month-path.test", calendar},
	{"month-dash.test", calendar},
	{"month-query.test", calendar},
	{"day-query.test", calendar},
	{"day-path.test", calendar},
	{"day-stamp.test", calendar},
	{"week-offset.test", calendar},
	{"views.test", calendar},
	{"named.test", named},
	{"session-semicolon.test", session},
	{"session-folder.test", session},
	{"session-named.test", session},
	{"session-short.test", session},
	{"session-unknown.test", session},
	{"session-number.test", session},
	{"session-second.test", session},
	{"grow.test", grow},
	{"pair.test", pair},
	{"folders.test", folders},
	{"path-info.test", path_info},
	{"facets.test", facets},
	{"filters.test", filters},
	{"search.test", search},
	{"lost.test", lost},
	{"quoted.test", quoted},
	{"lost-at-root.test", lost_at_root},
	{"lost-in-folder.test", lost_in_folder},
	{"mirror.test", mirror},
	{"www.mirror.test", mirror},
	{"mirror-folder.test", mirror_folder},
	{"farm.test", farm},
	{".farm.test", farm},
	{"spam.test", farm},
	{"-spam.test", farm},
	{"random-farm.test", farm},
	{".random-farm.test", farm},
	{.host = NULL},
};
