#include "tests/traps/trap_sites.h"

#include <stdio.h>
#include <string.h>

static void name(struct said *said, const char *what, long n)
{
	snprintf(said->name, sizeof said->name, "%s-%ld", what, n);
}

/* An archive of 5,000 articles, fifty on each of its lists; each leads to the next, too. */
static void articles(struct said *said, const struct ask *ask)
{
	long n = 0;
	const long list = site_number(ask, "page");

	if (sscanf(ask->path, "/article/%ld", &n) == 1 && n >= 1 && n <= 5000) {
		name(said, "article", n);
		buf_format(&said->page, "<h1>The archive</h1> Article %ld:", n);
		site_prose(&said->page, (uint64_t)n, 25);
		buf_format(&said->page, " <a href=/article/%ld>next</a> <a href=/>all</a>", n + 1);
	} else if (strcmp(ask->path, "/") == 0 && list <= 100) {
		name(said, "list", list);
		buf_text(&said->page, "<h1>The archive</h1>");
		for (n = 50 * list - 49; list && n <= 50 * list; n++)
			buf_format(&said->page, " <a href=/article/%ld>%ld</a>", n, n);
		buf_format(&said->page, " <a href=\"/?page=%ld\">next</a>", list + 1);
	}
}

/* 1,000 pages by number, of which each leads to the next three only. */
static void numbers(struct said *said, const struct ask *ask)
{
	const long n = site_number(ask, "id");

	if (n > 999)
		return;
	name(said, "id", n);
	buf_format(&said->page, "<title>Entry %ld</title>", n);
	site_prose(&said->page, 10000 + (uint64_t)n, 12);
	for (long i = n + 1; i <= n + 3; i++)
		buf_format(&said->page, " <a href=\"/index.php?id=%ld\">next</a>", i);
}

/* Each day of three years has its page, from 2001 on; months have lists. */
static void blog(struct said *said, const struct ask *ask)
{
	int year = 2001, month = 0, day = 0;

	if (strcmp(ask->path, "/") == 0) {
		for (int i = 1; i <= 36; i++)
			buf_format(&said->page, " <a href=/%d/%02d/>month</a>", 2001 + (i - 1) / 12, (i - 1) % 12 + 1);
		name(said, "list", 0);
		return;
	}
	const int parts = sscanf(ask->path, "/%d/%d/%d/", &year, &month, &day);
	const long number = 372l * year + 31l * (month - 1) + day;
	if (parts < 2 || year < 2001 || year > 2003 || month < 1 || month > 12 || day > 31)
		return;
	name(said, parts == 2 ? "month" : "day", number);
	if (parts == 2) {
		buf_format(&said->page, "<h1>Posts of %d/%d</h1>", month, year);
		for (int i = 1; i <= 31; i++)
			buf_format(&said->page, " <a href=/%d/%02d/%02d/>%d</a>", year, month, i, i);
		return;
	}
	site_prose(&said->page, (uint64_t)number, 20);
	const long next = number; /* the days of a month are numbered from 1 */
	buf_format(&said->page, " <a href=/%ld/%02ld/%02ld/>next</a>", next / 372, next % 372 / 31 + 1, next % 31 + 1);
}

/* 160 titles, each with its text, its source to edit, its history and two of its versions, and with
 * a page that wants a password first, all of one address. */
static void wiki(struct said *said, const struct ask *ask)
{
	static const char *const actions[] = {"view", "edit", "history", "old", "login"};
	long n = 0, old = site_number(ask, "oldid");
	int action = old ? 3 : 0;

	if (strcmp(ask->path, "/") == 0)
		snprintf(said->redirect, sizeof said->redirect, "/w/index.php?title=T1");
	if (strcmp(ask->path, "/w/index.php") != 0)
		return;
	if (sscanf(ask->query, "title=Login&returnto=T%ld", &n) == 1)
		action = 4;
	else if (sscanf(ask->query, "title=T%ld", &n) != 1 || n < 1 || n > 160)
		return;
	for (int i = 0; i < 5; i++)
		if (strstr(ask->query, "action=") && strstr(ask->query, actions[i]))
			action = i;
	snprintf(said->name, sizeof said->name, "%s-%ld-%ld", actions[action], n, old);
	if (action == 4) {
		buf_text(&said->page, "Please log in to go on. <a href=/w/index.php?title=T1>T1</a>");
		return;
	}
	buf_format(&said->page, "<h1>T%ld</h1> <p>%s", n, action == 1 ? "Source:" : "");
	site_prose(&said->page, 20000 + 10 * (uint64_t)n + (uint64_t)old, action == 2 ? 5 : 30);
	for (long to = n + 1; to <= n + 2; to++)
		buf_format(&said->page, " <a href=\"/w/index.php?title=T%ld\">T%ld</a>", to, to);
	for (int i = 1; i <= 2; i++)
		buf_format(&said->page, " <a href=\"/w/index.php?title=T%ld&amp;action=%s\">%s</a>", n, actions[i], actions[i]);
	buf_format(&said->page, " <a href=\"/w/index.php?title=Login&amp;returnto=T%ld\">log in</a>", n);
	for (int i = 1; action == 2 && i <= 2; i++)
		buf_format(&said->page, " <a href=\"/w/index.php?title=T%ld&amp;oldid=%ld\">old</a>", n, 10 * n + i);
}

/* Mails of few words in a frame of many, by thread. */
static void mails(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (strcmp(ask->path, "/") == 0)
		n = 1;
	else if (sscanf(ask->path, "/list/2003-May/msg%ld.html", &n) != 1 || n < 1 || n > 1000)
		return;
	name(said, "mail", n);
	buf_text(&said->page,
		"<h1>The list</h1> Date: Sat, 17 May 2003 12:30. To: the list. Prev "
		"by date, next by date, prev by thread, next by thread. Mail:");
	site_prose(&said->page, 40000 + (uint64_t)n, 4);
	buf_text(&said->page, " -- This list is kept by volunteers; write to its owner to leave.");
	for (long to = n + 1; to <= n + 2; to++)
		buf_format(&said->page, " <a href=/list/2003-May/msg%05ld.html>next</a>", to);
}

/* Folders of few names, which come again and again in a path. */
static void reference(struct said *said, const struct ask *ask)
{
	static const char *const folder[] = {"api", "docs", "a"};
	const size_t depth = strlen(ask->path) ? 0 : 1;
	int deep = 0;

	(void)depth;
	for (const char *at = ask->path + 1; *at; at++)
		deep += *at == '/';
	if (deep > 6 || ask->path[strlen(ask->path) - 1] != '/')
		return;
	snprintf(said->name, sizeof said->name, "%s", ask->path);
	uint64_t seed = 50000;
	for (const char *at = ask->path; *at; at++)
		seed = 31 * seed + (unsigned char)*at;
	site_prose(&said->page, seed % 1000000007, 25);
	for (int i = 0; i < 3; i++) { /* the same name at most twice in a row */
		char end[32];
		snprintf(end, sizeof end, "/%s/%s/", folder[i], folder[i]);
		const size_t n = strlen(ask->path), m = strlen(end);
		if (n < m || strcmp(ask->path + n - m, end) != 0)
			buf_format(&said->page, " <a href=%s/>%s</a>", folder[i], folder[i]);
	}
}

/* 600 things to buy, told in a few words and a price; each leads to the next three only. */
static void shop(struct said *said, const struct ask *ask)
{
	static const char *const colour[] = {"red", "blue", "green", "black", "white", "grey"};
	static const char *const thing[] = {"mug", "bowl", "spoon", "plate", "pan", "pot", "knife", "fork", "glass", "jug"};
	long n = 0;

	if (strcmp(ask->path, "/") == 0)
		n = 1;
	else if (sscanf(ask->path, "/product/%ld", &n) != 1 || n < 1 || n > 600)
		return;
	name(said, "product", n);
	buf_format(&said->page, "Our shop. Item %ld: %s %s, %ld.%02ld, in stock: %ld. Buy now. Home.", n, colour[n % 6],
		thing[n % 10], 3 + 7 * n % 50, 7 * n % 100, n % 13);
	for (long to = n + 1; to <= n + 3; to++)
		buf_format(&said->page, " <a href=/product/%ld>like this</a>", to);
}

/* 300 photos, one after another, with one text. */
static void album(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (strcmp(ask->path, "/") != 0 && (sscanf(ask->path, "/photo/%ld", &n) != 1 || n < 1 || n > 300))
		return;
	name(said, "photo", n);
	buf_format(&said->page, "My album <img src=/%ld.jpg> <a href=/photo/%ld>next</a>", n, n + 1);
}

/* 200 threads of up to five pages of short posts. */
static void forum(struct said *said, const struct ask *ask)
{
	const long t = site_number(ask, "t"), start = site_number(ask, "start");

	if (t >= 200 || start > 40 || start % 10)
		return;
	snprintf(said->name, sizeof said->name, "thread-%ld-%ld", t, start);
	for (long i = 0; i < 10; i++) {
		buf_format(&said->page, "<p>Re: thread %ld. Posted on 17 May 2003:", t);
		site_prose(&said->page, 60000 + 100 * (uint64_t)t + (uint64_t)(start + i), 2);
	}
	buf_format(&said->page, " <a href=\"/view.php?t=%ld\">next thread</a>", t + 1);
	buf_format(&said->page, " <a href=\"/view.php?t=%ld&amp;start=%ld\">next page</a>", t, start + 10);
}

/* 150 rounds of nine matches of the same teams, one after another. */
static void results(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (strcmp(ask->path, "/") != 0 && (sscanf(ask->path, "/round/%ld", &n) != 1 || n < 1 || n > 150))
		return;
	name(said, "round", n);
	buf_format(&said->page, "<h1>Round %ld</h1><table>", n);
	for (int i = 0; i < 9; i++) {
		const uint64_t draw = site_draw(80000 + 10 * (uint64_t)n + (uint64_t)i);
		site_prose(&said->page, 90000 + (uint64_t)i, 2);
		buf_format(&said->page, " <td>%d:%d<tr>", (int)(draw % 6), (int)(draw / 8 % 6));
	}
	buf_format(&said->page, "</table><a href=/round/%ld>next</a>", n + 1);
}

/* 150 stops of a bus, one after another: the times when it comes. */
static void stops(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (strcmp(ask->path, "/") != 0 && (sscanf(ask->path, "/stop/%ld", &n) != 1 || n < 1 || n > 150))
		return;
	name(said, "stop", n);
	buf_format(&said->page, "<h1>Stop %ld</h1>", n);
	for (int hour = 5; hour < 23; hour++)
		buf_format(&said->page, " %02d:%02d", hour, (int)(site_draw(82000 + 20 * (uint64_t)n + (uint64_t)hour) % 60));
	buf_format(&said->page, " <a href=/stop/%ld>next stop</a>", n + 1);
}

/* 150 lists, one after another, that differ only in what they lead to: five things each. */
static void lists(struct said *said, const struct ask *ask)
{
	long n = 1;

	if (sscanf(ask->path, "/thing/%ld", &n) == 1 && n >= 1 && n <= 750) {
		name(said, "thing", n);
		site_prose(&said->page, 86000 + (uint64_t)n, 20);
	} else if (strcmp(ask->path, "/") == 0 || (sscanf(ask->path, "/list/%ld", &n) == 1 && n >= 1 && n <= 150)) {
		name(said, "list", n);
		for (long i = 5 * n - 4; i <= 5 * n; i++)
			buf_format(&said->page, " <a href=/thing/%ld>look</a>", i);
		buf_format(&said->page, " <a href=/list/%ld>next</a>", n + 1);
	}
}

const struct site honest_sites[] = {
	{"articles.test", articles},
	{"numbers.test", numbers},
	{"blog.test", blog},
	{"wiki.test", wiki},
	{"mails.test", mails},
	{"reference.test", reference},
	{"shop.test", shop},
	{"album.test", album},
	{"forum.test", forum},
	{"results.test", results},
	{"stops.test", stops},
	{"lists.test", lists},
	{.host = NULL},
};
