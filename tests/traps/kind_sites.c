/* Sites as the programs in wide use make them: histories, archives of mails, forums, wikis, shops, references, and pages in other
 * scripts. Their pages have few words of their own; many come again under further URLs. */
#include "tests/traps/trap_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name(struct said *said, const char *what, long n)
{
	snprintf(said->name, sizeof said->name, "%s-%ld", what, n);
}

/* Whether the path has this form, with a number from 0 to n - 1 in the place of '#'. */
static int is_at(const struct ask *ask, const char *form, long n, long *number)
{
	const size_t before = strcspn(form, "#");
	char *after = NULL;

	if (strncmp(ask->path, form, before) != 0)
		return 0;
	*number = strtol(ask->path + before, &after, 10);
	return after > ask->path + before && strcmp(after, form + before + 1) == 0 && *number >= 0 && *number < n;
}

static int is_path(const struct ask *ask, const char *path)
{
	return strcmp(ask->path, path) == 0;
}

/* The value of a parameter that is a text; "" where there is none. */
static const char *value(const struct ask *ask, const char *parameter)
{
	const size_t n = strlen(parameter);

	for (const char *at = ask->query; at && *at;) {
		if (strncmp(at, parameter, n) == 0 && at[n] == '=')
			return at + n + 1;
		at = strchr(at, '&');
		at = at ? at + 1 : NULL;
	}
	return "";
}

/* A hash by which a page is known, and back. */
static uint64_t hash_of(long n)
{
	return site_draw(700000 + (uint64_t)n);
}
static long of_hash(const char *text, long n)
{
	uint64_t hash = 0;

	if (sscanf(text, "%16" SCNx64, &hash) == 1)
		for (long i = 0; i < n; i++)
			if (hash_of(i) == hash)
				return i;
	return -1;
}

/* The history of a program: commits, what they changed, and the files as they were. */
static void history(struct said *said, const struct ask *ask)
{
	static const char *const what[] = {"commit", "diff", "tree"};
	const long n = of_hash(value(ask, "id"), 300);

	if (is_path(ask, "/")) {
		if (site_number(ask, "ofs") < 300)
			name(said, "log", site_number(ask, "ofs"));
		buf_text(&said->page, "<h1>tools.git</h1><p>Age Commit message Author");
		for (long i = site_number(ask, "ofs"); i < 300 && i < site_number(ask, "ofs") + 50; i++)
			buf_format(&said->page, "<tr><td>%ld hours<td><a href=\"/commit/?id=%016" PRIx64 "\">nightly update</a>", i,
				hash_of(i));
		if (site_number(ask, "ofs") < 250)
			buf_format(&said->page, "<a href=\"/?ofs=%ld\">next</a>", site_number(ask, "ofs") + 50);
		return;
	}
	for (int i = 0; i < 3; i++)
		if (n >= 0 && strncmp(ask->path + 1, what[i], strlen(what[i])) == 0) {
			name(said, what[i], n);
			buf_format(&said->page, "<h1>tools.git</h1><p>%s %016" PRIx64 ": nightly update of the generated files",
				what[i], hash_of(n));
			for (int to = 0; to < 3; to++)
				buf_format(&said->page, " <a href=\"/%s/?id=%016" PRIx64 "\">%s</a>", what[to], hash_of(n),
					what[to]);
			if (n < 299)
				buf_format(&said->page, " parent <a href=\"/commit/?id=%016" PRIx64 "\">parent</a>",
					hash_of(n + 1));
		}
}

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
	"October", "November", "December"};

/* Mails of two words, with lists of each month in four orders. */
static void pipermail(struct said *said, const struct ask *ask)
{
	static const char *const orders[] = {"thread", "subject", "author", "date"};
	long year = 0, n = 0, month = -1;
	char word[16] = "", rest[32] = "";

	if (is_path(ask, "/")) {
		name(said, "list", 0);
		for (long i = 0; i < 24; i++)
			buf_format(&said->page, "<tr><td>%s %ld <a href=\"%ld-%s/thread.html\">[ Thread ]</a>", months[i % 12],
				2008 + i / 12, 2008 + i / 12, months[i % 12]);
		return;
	}
	if (sscanf(ask->path, "/%ld-%15[A-Za-z]/%31s", &year, word, rest) != 3)
		return;
	for (int i = 0; i < 12; i++)
		month = strcmp(word, months[i]) == 0 ? i + 12 * (year - 2008) : month;
	if (month < 0 || month >= 24)
		return;
	buf_format(&said->page, "<title>The users Archives</title><h1>%s %ld</h1>", word, year);
	for (int i = 0; i < 4; i++) {
		buf_format(&said->page, " <a href=\"%s.html\">[ %s ]</a>", orders[i], orders[i]);
		if (strncmp(rest, orders[i], strlen(orders[i])) != 0)
			continue;
		name(said, orders[i], month);
		for (long m = 0; m < 12; m++)
			buf_format(&said->page, "<li><a href=\"%06ld.html\">[users] Re: it works</a> A. Reader",
				12 * month + (m * (5 + 2 * i) + i) % 12);
	}
	if (sscanf(rest, "%6ld.html", &n) == 1 && n / 12 == month) {
		name(said, "mail", n);
		buf_format(&said->page,
			"A. Reader <i>%ld %s %ld</i> Previous message Next message <pre>+1</pre> More information about the list",
			n % 28 + 1, word, year);
		if (n % 12 < 11)
			buf_format(&said->page, " <a href=\"%06ld.html\">next</a>", n + 1);
	}
}

/* Posts with comments that are answered under a URL each, feeds of comments that nobody wrote, months, tags. */
static void blog(struct said *said, const struct ask *ask)
{
	long n = 0, post = -1;

	if (is_path(ask, "/") || is_at(ask, "/page/#/", 16, &n)) {
		name(said, "posts", n = n ? n : 1);
		for (long i = 10 * n - 10; i < 10 * n; i++)
			buf_format(&said->page, "<h2><a href=\"/2014/%02ld/post-%ld/\">Post</a></h2>", i % 12 + 1, i);
		if (n < 15)
			buf_format(&said->page, "<a href=\"/page/%ld/\">Older posts</a>", n + 1);
	} else if (is_at(ask, "/2014/#/", 13, &n)) {
		name(said, "month", n);
		for (long i = n - 1; i < 150; i += 12)
			buf_format(&said->page, "<h2><a href=\"/2014/%02ld/post-%ld/\">Post</a></h2>", i % 12 + 1, i);
	} else if (is_at(ask, "/tag/t#/", 30, &n)) {
		name(said, "tag", n);
		for (long i = n; i < 150; i += 30)
			buf_format(&said->page, "<h2><a href=\"/2014/%02ld/post-%ld/\">Post</a></h2>", i % 12 + 1, i);
	} else if (sscanf(ask->path, "/2014/%ld/post-%ld/", &n, &post) == 2 && post >= 0 && post < 150 && n == post % 12 + 1) {
		if (strstr(ask->path, "/feed/")) {
			snprintf(said->type, sizeof said->type, "application/rss+xml");
			buf_format(&said->page,
				"<rss version=\"2.0\"><channel><title>Comments on: post %ld</title></channel></rss>", post);
			return;
		}
		if (!site_number(ask, "replytocom"))
			name(said, "post", post);
		buf_format(&said->page,
			"<link rel=alternate type=application/rss+xml href=\"/2014/%02ld/post-%ld/feed/\"><h1>Post %ld</h1>", n,
			post, post);
		site_prose(&said->page, 730000 + (uint64_t)post, 60);
		for (long i = 1; i <= 3; i++)
			buf_format(&said->page,
				"<p>Thanks! <a rel=nofollow href=\"/2014/%02ld/post-%ld/?replytocom=%ld\">Reply</a>", n, post,
				10 * post + i);
		buf_format(&said->page,
			" <a href=\"/2014/%02ld/\">%s</a> <a href=\"/tag/t%ld/\">t%ld</a> <a href=\"?share=mail&amp;nb=1\">mail</a>",
			n, months[n - 1], post % 30, post % 30);
	}
}

/* Articles with their source, their history, two older versions that say the same, and what links to them; a talk page that is yet
 * to be written has one text. */
static void encyclopedia(struct said *said, const struct ask *ask)
{
	static const char *const ways[] = {"", "&amp;action=edit", "&amp;action=history", "&amp;action=info"};
	const char *title = value(ask, "title"), *action = value(ask, "action");
	long n = 0;

	if (is_path(ask, "/"))
		snprintf(said->redirect, sizeof said->redirect, "/index.php?title=Village_0");
	else if (sscanf(title, "Talk:Village_%ld", &n) == 1)
		buf_format(&said->page,
			"<h1>Talk:Village %ld</h1>You have followed a link to a page that is not there yet. To create it, type "
			"into the box below.<input type=hidden value=\"%ld\">",
			n, n);
	else if (sscanf(title, "Special:WhatLinksHere/Village_%ld", &n) == 1 && n < 120) {
		name(said, "to", n);
		buf_format(&said->page,
			"<h1>Pages that link to Village %ld</h1>The following pages link to it: Village %ld (links)", n, n - 1);
	} else if (sscanf(title, "Village_%ld", &n) == 1 && n < 120) {
		snprintf(said->name, sizeof said->name, "article-%.7s-%ld", action, n);
		buf_format(&said->page,
			"<h1>Village %ld</h1>From the free encyclopedia. Village %ld is a village in the district. %.7s", n, n,
			action);
		for (int i = 0; i < 4; i++)
			buf_format(&said->page, " <a href=\"/index.php?title=Village_%ld%s\">see</a>", n, ways[i]);
		buf_format(&said->page, " <a href=\"/index.php?title=Talk:Village_%ld&amp;action=edit&amp;redlink=1\">talk</a>", n);
		buf_format(&said->page, " <a href=\"/index.php?title=Special:WhatLinksHere/Village_%ld\">links</a>", n);
		for (long i = 1; *action == 'h' && i <= 2; i++)
			buf_format(&said->page, " <a href=\"/index.php?title=Village_%ld&amp;oldid=%ld\">old</a>", n, 10 * n + i);
		if (n < 119)
			buf_format(&said->page, " <a href=\"/index.php?title=Village_%ld\">next</a>", n + 1);
	}
}

/* Topics that come again under the number of each of their posts, in several pages, and people. */
static void topics(struct said *said, const struct ask *ask)
{
	long n = 0, post = 0;
	const long list = site_number(ask, "page");

	if (is_path(ask, "/latest") || is_path(ask, "/")) {
		if (is_path(ask, "/latest") || !list)
			name(said, is_path(ask, "/") ? "home" : "latest", list);
		for (long i = 20 * list; i < 20 * list + 20 && i < 120; i++)
			buf_format(&said->page, "<tr><td><a href=\"/t/topic/%ld\">Topic</a> <a href=\"/t/topic/%ld/%ld\">2d</a>", i,
				i, i % 9 + 2);
		if (list < 5)
			buf_format(&said->page, "<a href=\"/latest?page=%ld\">next page</a>", list + 1);
	} else if (is_at(ask, "/u/reader#", 200, &n)) {
		name(said, "user", n);
		buf_format(&said->page,
			"<h1>reader%ld</h1>Joined in May, last seen on Monday. Trust level: member. No posts to show.", n);
	} else if (sscanf(ask->path, "/t/topic/%ld/%ld", &n, &post) >= 1 && n < 120 && list < 3 && post < 30) {
		if (!post)
			snprintf(said->name, sizeof said->name, "topic-%ld-%ld", n, list < 2 ? 1 : list);
		buf_format(&said->page, "<link rel=canonical href=\"/t/topic/%ld%s\"><h1>Topic</h1>", n, list > 1 ? "?page=2" : "");
		site_prose(&said->page, 740000 + (uint64_t)(10 * n + (list > 1)), 40);
		for (long i = 0; i < 6; i++)
			buf_format(&said->page, " <a href=\"/t/topic/%ld/%ld\">#%ld</a> <a href=\"/u/reader%ld\">who</a>", n, i + 2,
				i + 2, (7 * n + i) % 200);
		buf_format(&said->page, " <a href=\"/t/topic/%ld?page=2\">next page</a>", n);
	}
}

/* A forum that writes a new session id into all links of a reader without cookies, and has posts by number. */
static void board(struct said *said, const struct ask *ask)
{
	const uint64_t sid = site_draw(ask->count), half = site_draw(ask->count + 1);
	const long t = site_number(ask, "t"), p = site_number(ask, "p"), u = site_number(ask, "u"),
		   start = site_number(ask, "start");

	if (is_path(ask, "/memberlist.php") && u > 0 && u <= 100) {
		name(said, "user", u);
		buf_format(&said->page, "Viewing profile of reader%ld. Rank: member. Total posts: %ld. Send private message", u,
			u % 7);
	} else if (is_path(ask, "/") || (is_path(ask, "/viewforum.php") && start < 100)) {
		name(said, is_path(ask, "/") ? "home" : "forum", start);
		for (long i = start; i < start + 25; i++)
			buf_format(&said->page,
				"<dl><a href=\"/viewtopic.php?f=2&amp;t=%ld&amp;sid=%016" PRIx64 "%016" PRIx64 "\">Topic</a>",
				i + 1, sid, half);
		buf_format(&said->page,
			"<a href=\"/viewforum.php?f=2&amp;start=%ld&amp;sid=%016" PRIx64 "%016" PRIx64 "\">next</a>", start + 25,
			sid, half);
	} else if (is_path(ask, "/viewtopic.php") && (p ? p / 10 : t) > 0 && (p ? p / 10 : t) <= 100 && start <= 10) {
		const long topic = p ? p / 10 : t;
		name(said, start ? "second" : "topic", topic);
		site_prose(&said->page, 750000 + (uint64_t)(2 * topic + !!start), 30);
		for (long i = 1; i < 4; i++)
			buf_format(&said->page, " <a href=\"/viewtopic.php?p=%ld&amp;sid=%016" PRIx64 "%016" PRIx64 "#p\">post</a>",
				10 * topic + i, sid, half);
		buf_format(&said->page,
			" <a href=\"/memberlist.php?mode=viewprofile&amp;u=%ld&amp;sid=%016" PRIx64 "%016" PRIx64 "\">who</a>",
			topic, sid, half);
		buf_format(&said->page,
			" <a href=\"/viewtopic.php?f=2&amp;t=%ld&amp;start=10&amp;sid=%016" PRIx64 "%016" PRIx64 "\">2</a>", topic,
			sid, half);
	}
}

/* What a program makes of the comments of another: classes, their members, their uses that there are none of, and an index in
 * frames. */
static void javadoc(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_path(ask, "/") || is_path(ask, "/allclasses.html")) {
		name(said, is_path(ask, "/") ? "home" : "all", 0);
		for (n = 0; n < 150; n++)
			buf_format(&said->page, " <a href=\"/org/tool/Part%ld.html\">Part%ld</a>", n, n);
	} else if (is_at(ask, "/org/tool/class-use/Part#.html", 150, &n)) {
		name(said, "use", n);
		buf_format(&said->page,
			"Overview Package Class Use Tree Deprecated Index Help. Uses of Class org.tool.Part%ld. No usage of "
			"org.tool.Part%ld",
			n, n);
	} else if (is_at(ask, "/org/tool/Part#.html", 150, &n)) {
		name(said, "class", n);
		buf_format(&said->page,
			"Overview Package Class Use Tree Deprecated Index Help. Class Part%ld extends Object. Constructor: "
			"Part%ld(). Methods inherited from class Object: equals, hashCode, toString, wait",
			n, n);
		buf_format(&said->page,
			" <a href=\"class-use/Part%ld.html\">Use</a> <a href=\"/index.html?org/tool/Part%ld.html\">Frames</a>", n,
			n);
		buf_format(&said->page, " <a href=\"/org/tool/Part%ld.html?is-external=true\">Part</a>", n);
	} else if (is_path(ask, "/index.html"))
		buf_text(&said->page, "<frameset><frame src=\"/allclasses.html\"></frameset>");
}

/* A manual in five versions and three languages, mostly not yet translated; the newest version comes again as `latest`. */
static void manual(struct said *said, const struct ask *ask)
{
	static const char *const languages[] = {"en", "de", "ja"};
	char language[8] = "", version[8] = "";
	long n = 0;
	int l = -1, v = -1;

	if (is_path(ask, "/"))
		snprintf(said->redirect, sizeof said->redirect, "/en/latest/chapter-0.html");
	if (sscanf(ask->path, "/%7[a-z]/%7[a-z0-9.]/chapter-%ld.html", language, version, &n) != 3 || n < 0 || n >= 40)
		return;
	for (int i = 0; i < 3; i++)
		l = strcmp(language, languages[i]) == 0 ? i : l;
	v = strcmp(version, "latest") == 0 ? 4 : version[0] == '1' ? version[2] - '0' : -1;
	if (l < 0 || v < 0 || v > 4)
		return;
	snprintf(said->name, sizeof said->name, "%s-%d-%ld", languages[l], v, n);
	buf_format(&said->page, "<html lang=%s><title>Chapter %ld (version 1.%d)</title>", languages[l], n, v);
	site_prose(&said->page, 760000 + (uint64_t)(n % 20 ? n : 100 * n + v), 80);
	for (int i = 0; i < 5; i++)
		buf_format(&said->page, " <a href=\"/%s/1.%d/chapter-%ld.html\">1.%d</a>", languages[l], i, n, i);
	for (int i = 0; i < 3; i++)
		buf_format(&said->page, " <a href=\"/%s/latest/chapter-%ld.html\">%s</a>", languages[i], n, languages[i]);
	if (n < 39)
		buf_format(&said->page, " <a href=\"chapter-%ld.html\">next</a>", n + 1);
}

/* Events, and views by month, day and list that have no end in either direction. */
static void agenda(struct said *said, const struct ask *ask)
{
	long n = 0, year = 0, month = 0, day = 0;

	if (is_path(ask, "/") || is_at(ask, "/events/list/page/#/", 9, &n)) {
		name(said, "list", n);
		for (long i = 10 * n; i < 10 * n + 10 && i < 80; i++)
			buf_format(&said->page, "<h3><a href=\"/event/evening-%ld/\">An evening</a></h3>", i);
		if (n < 8)
			buf_format(&said->page, "<a href=\"/events/list/page/%ld/\">more</a>", n + 1);
		buf_text(&said->page, "<a href=\"/events/2026-11/\">Month</a>");
	} else if (is_at(ask, "/event/evening-#/", 80, &n)) {
		name(said, "event", n);
		buf_format(&said->page,
			"<h1>An evening</h1>Doors open at %ld o'clock. Free for members. Add to calendar. <a "
			"href=\"/events/2026-%02ld-%02ld/\">day</a>",
			18 + n % 4, n % 12 + 1, n % 28 + 1);
	} else if (sscanf(ask->path, "/events/%ld-%ld-%ld/", &year, &month, &day) >= 2) {
		const long at = day ? 336 * year + 28 * (month - 1) + day - 1 : 12 * year + month - 1;
		buf_text(&said->page, "<h1>Events</h1>There were no results found. Sun Mon Tue Wed Thu Fri Sat");
		for (long to = at - 1; to <= at + 1; to += 2)
			if (day)
				buf_format(&said->page, " <a href=\"/events/%ld-%02ld-%02ld/\">day</a>", to / 336, to / 28 % 12 + 1,
					to % 28 + 1);
			else
				buf_format(&said->page, " <a href=\"/events/%ld-%02ld/\">month</a>", to / 12, to % 12 + 1);
	}
}

/* Things to wear in colours and sizes, whose links name both in either order, and where they were clicked. */
static void clothes(struct said *said, const struct ask *ask)
{
	static const char *const colour[] = {"red", "blue", "green", "black"};
	long n = 0, c = -1;
	const long size = site_number(ask, "size");

	if (is_path(ask, "/")) {
		name(said, "home", 0);
		for (n = 0; n < 30; n++)
			buf_format(&said->page, "<li><a href=\"/p/shirt-%ld?ref=home\">Shirt</a>", n);
		return;
	}
	if (!is_at(ask, "/p/shirt-#", 30, &n))
		return;
	for (long i = 0; i < 4; i++)
		c = strncmp(value(ask, "color"), colour[i], strlen(colour[i])) == 0 ? i : c;
	snprintf(said->name, sizeof said->name, "shirt-%ld-%ld-%ld", n, c, size);
	buf_format(&said->page,
		"<h1>Shirt %ld</h1>Of good cotton, for each day. Colour: %s. Size: %ld. Put it into the basket<img src=\"/i/%ld-%ld.jpg\">",
		n, c < 0 ? "choose" : colour[c], size, n, c);
	for (long i = 0; i < 4; i++)
		for (long s = 38; s <= 42; s += 2) {
			buf_format(&said->page, " <a href=\"/p/shirt-%ld?color=%s&amp;size=%ld\">see</a>", n, colour[i], s);
			buf_format(&said->page, " <a href=\"/p/shirt-%ld?size=%ld&amp;color=%s\">see</a>", n, s, colour[i]);
		}
	buf_format(&said->page, " <a href=\"/p/shirt-%ld?ref=also\">also</a>", (n + 1) % 30);
}

/* 200 goods; the list of them can be sorted, turned round, shown in three ways and narrowed by five facets, in any combination. */
static void market(struct said *said, const struct ask *ask)
{
	static const char *const facet[] = {"brand", "colour", "size", "used", "near"};
	const long sort = site_number(ask, "sort"), dir = site_number(ask, "dir"), view = site_number(ask, "view"),
		   page = site_number(ask, "page");
	long n = 0, on = 0, met = 0, shown = 0;

	if (is_at(ask, "/goods/#", 200, &n)) {
		name(said, "goods", n);
		buf_format(&said->page, "<h1>Lot %ld</h1>", n);
		site_prose(&said->page, 770000 + (uint64_t)n, 30);
		return;
	}
	if (!is_path(ask, "/"))
		return;
	for (int i = 0; i < 5; i++)
		on |= (long)!!site_number(ask, facet[i]) << i;
	if (!sort && !dir && !view && !on)
		name(said, "list", page);
	for (long i = 0; i < 200; i++) {
		n = dir ? 199 - i : i;
		n = sort ? (long)(site_draw((uint64_t)(n + 1000 * sort)) % 200) : n;
		if ((site_draw(900 + (uint64_t)n) & (uint64_t)on) != (uint64_t)on)
			continue;
		if (met++ / 20 != page)
			continue;
		shown++;
		buf_format(&said->page, "<li><a href=\"/goods/%ld\">", n);
		site_prose(&said->page, 770000 + (uint64_t)n, 3);
		buf_text(&said->page, "</a>");
	}
	for (int i = -4; i < 5; i++) {
		buf_format(&said->page, " <a href=\"/?sort=%ld&amp;dir=%ld&amp;view=%ld", i == -1 ? (sort + 1) % 4 : sort,
			i == -2 ? !dir : dir, i == -3 ? (view + 1) % 3 : view);
		for (int k = 0; k < 5; k++)
			if ((on >> k & 1) != (k == i))
				buf_format(&said->page, "&amp;%s=1", facet[k]);
		buf_format(&said->page, "&amp;page=%ld\">go</a>", i == -4 && shown == 20 ? page + 1 : 0);
	}
	if (shown == 20)
		buf_format(&said->page, " <a href=\"/?page=%ld\">next</a>", page + 1);
}

/* 300 parts of a tale, in one script each, of which each leads to the next. */
struct tale {
	const char *path, *digit[10], *before, *after;
};

static void write_number(struct buf *out, const struct tale *tale, long n)
{
	for (long i = 100; i; i /= 10)
		buf_text(out, tale->digit[n / i % 10]);
}

static void tell(struct said *said, const struct ask *ask, const struct tale *tale)
{
	struct buf path = BUF_EMPTY;

	for (long n = 0; n < 300; n++) {
		path.used = 0;
		buf_text(&path, tale->path);
		write_number(&path, tale, n);
		buf_end(&path);
		if (strcmp(ask->path, path.at) != 0 && !(n == 0 && is_path(ask, "/")))
			continue;
		name(said, "part", n);
		buf_text(&said->page, "<meta charset=utf-8><h1>");
		buf_text(&said->page, tale->before);
		write_number(&said->page, tale, n);
		buf_text(&said->page, tale->after);
		if (n < 299) {
			buf_format(&said->page, "<a href=\"%s", tale->path);
			write_number(&said->page, tale, n + 1);
			buf_text(&said->page, "\">&gt;</a>");
		}
		break;
	}
	buf_release(&path);
}

static void japanese(struct said *said, const struct ask *ask)
{
	static const struct tale tale = {"/物語/第", {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"}, "第",
		"話</h1>この話はまだ書かれていません。しばらくお待ちください。"};

	tell(said, ask, &tale);
}
static void arabic(struct said *said, const struct ask *ask)
{
	static const struct tale tale = {"/حكاية/", {"٠", "١", "٢", "٣", "٤", "٥", "٦", "٧", "٨", "٩"}, "الجزء ",
		"</h1>هذا الجزء من الحكاية لم يكتب بعد، نرجو من القارئ أن يعود غدا إن شاء الله"};

	tell(said, ask, &tale);
}
static void hindi(struct said *said, const struct ask *ask)
{
	static const struct tale tale = {"/kahani.php?x=", {"०", "१", "२", "३", "४", "५", "६", "७", "८", "९"}, "भाग ",
		"</h1>यह भाग अभी नहीं लिखा गया है, कृपया बाद में फिर से देखें और पढ़ें"};
	const struct ask whole = {ask->host, ask->path, ask->query, ask->count};
	char path[256];

	snprintf(path, sizeof path, "%s%s%s", ask->path, *ask->query ? "?" : "", ask->query);
	const struct ask one = {whole.host, path, "", whole.count};
	tell(said, &one, &tale);
}
static void chapters(struct said *said, const struct ask *ask)
{
	static const struct tale tale = {"/chapter-",
		{"nought-", "one-", "two-", "three-", "four-", "five-", "six-", "seven-", "eight-", "nine-"}, "Chapter ",
		"</h1>Of what befell the knight on the road, and of the talk that he had with his squire upon the way"};

	tell(said, ask, &tale);
}

/* Films by a key, each with two others that are like it; a film is in a frame that has no words. */
static void films(struct said *said, const struct ask *ask)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	char key[12], asked[12] = "";

	sscanf(value(ask, "v"), "%11[A-Za-z0-9_-]", asked);
	for (long n = 0; n < 300; n++) {
		for (int i = 0; i < 11; i++)
			key[i] = digits[site_draw((uint64_t)(780000 + 16 * n + i)) % 64];
		key[11] = 0;
		if (strcmp(asked, key) != 0 && !(n == 0 && is_path(ask, "/")))
			continue;
		name(said, "film", n);
		buf_format(&said->page,
			"<title>Film</title>Sign in to say that you like this film. Up next, by itself<video data-v=\"%s\">", key);
		for (long to = 2 * n + 1; to <= 2 * n + 2 && to < 300; to++) {
			buf_text(&said->page, " <a href=\"/watch?v=");
			for (int i = 0; i < 11; i++)
				buf_byte(&said->page, digits[site_draw((uint64_t)(780000 + 16 * to + i)) % 64]);
			buf_text(&said->page, "\">next</a>");
		}
		return;
	}
}

/* Records of a catalogue by parameters of the path. */
static void catalogue(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (!is_path(ask, "/") && !is_at(ask, "/catalogue/record;lang=en;id=#", 300, &n))
		return;
	name(said, "record", n);
	buf_format(&said->page,
		"Record %ld of 300. Shelf mark: on loan. Return to the list. Full record, short record, order a copy", n + 1);
	for (long to = n + 1; to <= n + 10; to += 9)
		if (to < 300)
			buf_format(&said->page, " <a href=\"/catalogue/record;lang=en;id=%ld\">next</a>", to);
}

/* One page with its routes after the hash, and the same routes with an exclamation mark. */
static void routes(struct said *said, const struct ask *ask)
{
	if (!is_path(ask, "/"))
		return;
	name(said, "home", 0);
	buf_text(&said->page, "<h1>All on one page</h1>This program runs in the browser.");
	for (long i = 0; i < 300; i++)
		buf_format(&said->page, " <a href=\"#/view/%ld\">a</a> <a href=\"/#!/view/%ld\">b</a>", i, i);
}

/* A list that is turned by a form, whose hidden fields differ from view to view. */
static void forms(struct said *said, const struct ask *ask)
{
	const long n = site_number(ask, "page");

	if ((!is_path(ask, "/") && !is_path(ask, "/list.aspx")) || n >= 120)
		return;
	name(said, "list", n);
	buf_format(&said->page, "<h1>Members</h1>Page %ld of 120:", n + 1);
	site_prose(&said->page, 790000 + (uint64_t)n, 20);
	for (long to = n - 1; to <= n + 1; to++)
		if (to >= 0 && to < 120)
			buf_format(&said->page,
				" <a href=\"/list.aspx?state=%016" PRIx64 "%016" PRIx64 "&amp;page=%ld&amp;go=Go\">go</a>",
				site_draw(4 * ask->count), site_draw(4 * ask->count + 1 + (uint64_t)(to - n + 1)), to);
}

/* Reports of faults with few words, each with a list of changes that has none, and lists in eight orders. */
static void faults(struct said *said, const struct ask *ask)
{
	const long n = site_number(ask, "id");

	if (is_path(ask, "/") || is_path(ask, "/buglist.cgi")) {
		const long order = site_number(ask, "order"), desc = site_number(ask, "desc");
		if (order > 3)
			return;
		if (!order && !desc)
			name(said, is_path(ask, "/") ? "home" : "list", 0);
		for (long i = 0; i < 250; i++)
			buf_format(&said->page, "<tr><td><a href=\"/show_bug.cgi?id=%ld\">fault</a>",
				(desc ? 249 - i : i) * (2 * order + 1) % 250 + 1);
		for (long i = 0; i < 8; i++)
			buf_format(&said->page, " <a href=\"/buglist.cgi?order=%ld&amp;desc=%ld\">sort</a>", i / 2, i % 2);
	} else if (n > 0 && n <= 250 && (is_path(ask, "/show_bug.cgi") || is_path(ask, "/show_activity.cgi"))) {
		name(said, ask->path[6] == 'b' ? "fault" : "changes", n);
		if (ask->path[6] == 'b')
			buf_format(&said->page,
				"Fault %ld: it does not work. Status: fixed. Product: tools. <a href=\"/show_activity.cgi?id=%ld\">"
				"History</a> Log in to comment on or make changes to this fault",
				n, n);
		else
			buf_format(&said->page,
				"Changes made to fault %ld. No changes have been made to this fault yet. Back to fault", n);
	}
}

/* Folders as a server lists them, in eight orders each; the files have few words. */
static void listing(struct said *said, const struct ask *ask)
{
	static const char column[] = "NMSD";
	long n = 0, file = 0;
	int used = 0;

	if (is_path(ask, "/")) {
		name(said, "home", 0);
		for (n = 0; n < 40; n++)
			buf_format(&said->page, "<a href=\"d%ld/\">d%ld/</a>", n, n);
	} else if (sscanf(ask->path, "/d%ld/f%ld.html%n", &n, &file, &used) == 2 && used && n < 40 && file < 5) {
		name(said, "file", 5 * n + file);
		buf_format(&said->page, "<pre>This file was written by a program. Do not change it by hand. %ld</pre>",
			5 * n + file);
	} else if (is_at(ask, "/d#/", 40, &n)) {
		const char *c = strchr(column, *value(ask, "C") ? *value(ask, "C") : 'N');
		const int turned = strstr(ask->query, "O=D") != NULL;
		if (!*ask->query)
			name(said, "folder", n);
		buf_format(&said->page, "<title>Index of /d%ld</title><h1>Index of /d%ld</h1>", n, n);
		for (const char *at = column; *at; at++)
			buf_format(&said->page, " <a href=\"?C=%c;O=%c\">%c</a>", *at, c && *c == *at && !turned ? 'D' : 'A', *at);
		for (long i = 0; i < 5; i++)
			buf_format(&said->page, "<tr><td><a href=\"f%ld.html\">file</a>", turned ? 4 - i : i);
		buf_text(&said->page, " <a href=\"/\">Parent Directory</a>");
	}
}

/* Sections of a law, most of which were repealed. */
static void law(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (!is_path(ask, "/") && !is_at(ask, "/ukpga/1887/55/section/#", 300, &n))
		return;
	name(said, "section", n);
	buf_format(&said->page,
		"<h1>Section %ld</h1> . . . Textual Amendments: repealed. Previous: Provision. Next: Provision. Plain view. Print "
		"options <sup>F%ld</sup>",
		n, 7 * n % 501);
	if (n < 299)
		buf_format(&said->page, " <a href=\"/ukpga/1887/55/section/%ld\">Next</a>", n + 1);
}

/* Pages each of which leads to a login that remembers it; that page, too, leads to one that remembers all that went before. */
static void members(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_path(ask, "/login") && strlen(ask->query) < 2000) {
		buf_format(&said->page,
			"<h1>Log in</h1>Name, password, forgot your password? <input type=hidden name=next value=\"%s\">",
			ask->query);
		buf_format(&said->page, "<a href=\"/login?next=/login?%s\">Log in</a>", ask->query);
	} else if (is_path(ask, "/") || is_at(ask, "/club/#", 200, &n)) {
		name(said, "club", n);
		buf_format(&said->page, "<h1>Club %ld</h1>", n);
		site_prose(&said->page, 800000 + (uint64_t)n, 12);
		buf_format(&said->page, " <a href=\"/login?next=/club/%ld\">Log in</a>", n);
		if (n < 199)
			buf_format(&said->page, " <a href=\"/club/%ld\">next</a>", n + 1);
	}
}

/* Items behind a session in the path that differs from view to view. */
static void paths(struct said *said, const struct ask *ask)
{
	long n = 0;
	char sid[32] = "";

	if (!is_path(ask, "/") &&
		(sscanf(ask->path, "/(S(%24[a-z0-9]))/item.aspx", sid) != 1 || (n = site_number(ask, "id")) >= 100))
		return;
	name(said, "item", n);
	buf_format(&said->page, "<h1>Item %ld</h1>", n);
	site_prose(&said->page, 810000 + (uint64_t)n, 20);
	for (long to = n + 1; to <= n + 2; to++)
		if (to < 100)
			buf_format(&said->page, " <a href=\"/(S(%016" PRIx64 "abcd%04ld))/item.aspx?id=%ld\">next</a>",
				site_draw(9 * ask->count), to, to);
	buf_format(&said->page, " <a href=\"/(S(%016" PRIx64 "abcd0000))/item.aspx?id=0\">first</a>", site_draw(9 * ask->count));
}

/* People of a family, with four charts of each that show names alone. */
static void family(struct said *said, const struct ask *ask)
{
	static const char *const chart[] = {"individual", "pedigree", "descendancy", "relationship"};
	long n = 0;
	int at = -1;

	for (int i = 0; i < 4; i++)
		at = strncmp(ask->path + 1, chart[i], strlen(chart[i])) == 0 ? i : at;
	if (is_path(ask, "/"))
		at = 0;
	else if (at < 0 || sscanf(value(ask, "pid"), "I%ld", &n) != 1 || n < 0 || n >= 150)
		return;
	name(said, chart[at], n);
	buf_format(&said->page, "<h1>Private</h1>The details of this person are private. %s. Generations: four<a name=I%ld></a>",
		chart[at], n);
	for (int i = 0; i < 4; i++)
		buf_format(&said->page, " <a href=\"/%s.php?pid=I%ld&amp;ged=ours.ged\">%s</a>", chart[i], n, chart[i]);
	for (long to = 2 * n + 1; to <= 2 * n + 2 && to < 150; to++)
		buf_format(&said->page, " <a href=\"/individual.php?pid=I%ld&amp;ged=ours.ged\">child</a>", to);
}

/* Notes with tags, whose lists can be narrowed by a further tag again and again, in any order. */
static void notes(struct said *said, const struct ask *ask)
{
	unsigned on = 0;
	long n = 0;

	if (is_at(ask, "/note/#", 60, &n)) {
		name(said, "note", n);
		site_prose(&said->page, 820000 + (uint64_t)n, 25);
		return;
	}
	if (!is_path(ask, "/") && strncmp(ask->path, "/tags/", 6) != 0)
		return;
	for (const char *at = ask->path + (is_path(ask, "/") ? 1 : 6); *at; at++)
		on |= *at >= 'a' && *at < 'm' ? 1u << (*at - 'a') : 0;
	if (!(on & (on - 1)))
		name(said, "tag", on);
	buf_text(&said->page, "<h1>Notes</h1>");
	for (n = 0; n < 60; n++)
		if ((site_draw(830000 + (uint64_t)n) & on) == on)
			buf_format(&said->page, "<li><a href=\"/note/%ld\">note</a>", n);
	for (int i = 0; i < 12; i++)
		if (!(on >> i & 1))
			buf_format(&said->page, " <a href=\"%s%s%c\">+%c</a>", is_path(ask, "/") ? "/tags/" : ask->path,
				is_path(ask, "/") ? "" : "+", 'a' + i, 'a' + i);
}

/* Questions that come again under the number of each answer, sorted in three ways, and people. */
static void questions(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_at(ask, "/a/#", 450, &n))
		snprintf(said->redirect, sizeof said->redirect, "/questions/%ld/how-to", n / 3);
	else if (is_at(ask, "/users/#/reader", 150, &n)) {
		name(said, "user", n);
		buf_format(&said->page,
			"<h1>reader</h1>Member for %ld years. This user has not written about himself yet. Reputation: %ld", n % 9,
			7 * n + 1);
	} else if (is_path(ask, "/") || is_at(ask, "/questions/#/how-to", 150, &n)) {
		if (!*value(ask, "tab"))
			name(said, "question", n);
		buf_format(&said->page, "<h1>How to</h1>");
		for (long i = 0; i < 3; i++) {
			const long answer = *value(ask, "tab") == 'v' ? 2 - i : i;
			site_prose(&said->page, 840000 + (uint64_t)(3 * n + answer), 10);
			buf_format(&said->page, " <a href=\"/a/%ld\">share</a> <a href=\"/users/%ld/reader\">who</a>",
				3 * n + answer, (n + answer) % 150);
		}
		for (long i = 0; i < 2; i++)
			buf_format(&said->page, " <a href=\"/questions/%ld/how-to?tab=%s\">sort</a>", n, i ? "votes" : "active");
		if (n < 149)
			buf_format(&said->page, " <a href=\"/questions/%ld/how-to\">next</a>", n + 1);
	}
}

/* 51 pages, each with links to 14 pages that are gone, for which the site answers 200. */
static void gone(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_path(ask, "/") || is_at(ask, "/page/#", 51, &n)) {
		name(said, "page", n);
		site_prose(&said->page, 850000 + (uint64_t)n, 30);
		for (long i = 0; i < 14; i++)
			buf_format(&said->page, " <a href=\"/old/%" PRIx64 ".html\">see</a>",
				site_draw((uint64_t)(860000 + 14 * n + i)) >> 24);
		if (n < 50)
			buf_format(&said->page, " <a href=\"/page/%ld\">next</a>", n + 1);
	} else
		buf_format(&said->page,
			"<h1>Sorry</h1>The page that you look for is not here any more. Please use the search, or go to the first page."
			"<input type=hidden value=\"%s\">",
			ask->path);
}

/* A map whose tiles lead to their neighbours without end, at each of a few scales. */
static void globe(struct said *said, const struct ask *ask)
{
	const long x = site_number(ask, "x"), y = site_number(ask, "y"), z = site_number(ask, "z");

	if (is_path(ask, "/"))
		name(said, "home", 0);
	else if (!is_path(ask, "/map"))
		return;
	buf_format(&said->page, "<h1>Map</h1>Zoom in, zoom out, move the map. Scale 1:%ld<img src=\"/tile/%ld/%ld/%ld.png\">",
		1000L << z % 16, z, x, y);
	buf_format(&said->page,
		" <a href=\"/map?x=%ld&amp;y=%ld&amp;z=%ld\">e</a> <a href=\"/map?x=%ld&amp;y=%ld&amp;z=%ld\">s</a>", x + 1, y, z,
		x, y + 1, z);
	buf_format(&said->page, " <a href=\"/map?x=%ld&amp;y=%ld&amp;z=%ld\">in</a>", 2 * x, 2 * y, z + 1);
}

/* A feed as text/xml, RSS 1.0, whose items nothing else leads to. */
static void feed(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_path(ask, "/")) {
		name(said, "home", 0);
		buf_text(&said->page, "<link rel=alternate type=\"application/rdf+xml\" href=\"/index.rdf\"><h1>News</h1>");
	} else if (is_path(ask, "/index.rdf")) {
		name(said, "feed", 0);
		snprintf(said->type, sizeof said->type, "text/xml");
		buf_text(&said->page,
			"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">");
		for (n = 0; n < 15; n++)
			buf_format(&said->page, "<item><title>n</title><link>http://%s/item/%ld</link></item>", ask->host, n);
		buf_text(&said->page, "</rdf:RDF>");
	} else if (is_at(ask, "/item/#", 15, &n)) {
		name(said, "item", n);
		site_prose(&said->page, 870000 + (uint64_t)n, 20);
	}
}

/* A page whose text and links a script makes from a list that it asks for; it asks another host, too. */
static void app(struct said *said, const struct ask *ask)
{
	long n = 0;

	if (is_path(ask, "/")) {
		name(said, "home", 0);
		buf_text(&said->page, "<!doctype html><title>App</title><div id=\"app\"></div><script src=\"/app.js\"></script>");
	} else if (is_path(ask, "/app.js")) {
		snprintf(said->type, sizeof said->type, "text/javascript");
		buf_text(&said->page,
			"fetch('/list.json').then(r => r.json()).then(list => {\n"
			"document.getElementById('app').innerHTML = list.map(n => `<p><a href=\"/item/${n}\">Item ${n}</a>`).join('');\n"
			"});\n"
			"fetch('http://elsewhere.test/asked');\n");
	} else if (is_path(ask, "/list.json")) {
		snprintf(said->type, sizeof said->type, "application/json");
		buf_text(&said->page, "[0,1,2,3,4,5,6,7]");
	} else if (is_at(ask, "/item/#", 8, &n)) {
		name(said, "item", n);
		site_prose(&said->page, 880000 + (uint64_t)n, 20);
	}
}

const struct site kind_sites[] = {
	{"app.test", app},
	{"git.test", history},
	{"pipermail.test", pipermail},
	{"posts.test", blog},
	{"encyclopedia.test", encyclopedia},
	{"topics.test", topics},
	{"board.test", board},
	{"javadoc.test", javadoc},
	{"manual.test", manual},
	{"agenda.test", agenda},
	{"clothes.test", clothes},
	{"market.test", market},
	{"japanese.test", japanese},
	{"arabic.test", arabic},
	{"hindi.test", hindi},
	{"chapters.test", chapters},
	{"films.test", films},
	{"opac.test", catalogue},
	{"routes.test", routes},
	{"forms.test", forms},
	{"faults.test", faults},
	{"listing.test", listing},
	{"law.test", law},
	{"members.test", members},
	{"paths.test", paths},
	{"family.test", family},
	{"notes.test", notes},
	{"questions.test", questions},
	{"gone.test", gone},
	{"globe.test", globe},
	{"feed.test", feed},
	{.host = NULL},
};
