#include "tests/traps/families.h"
#include "base/rng.h"

#include <stddef.h>
#include <string.h>

/* A number drawn for page n. */
static unsigned long long drawn(long n)
{
	struct rng rng = {(uint64_t)n * 77};

	return (unsigned long long)rng_next(&rng);
}

/* A word without digits for page n. */
static void name(struct buf *out, long n)
{
	static const char *const part[] = {"ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu"};

	for (int i = 0; i < 4; i++, n /= 10)
		buf_text(out, part[n % 10]);
}

/* A date of months of 28 days, with `joint` between its parts. */
static void date(struct buf *out, const char *joint, long year, long day)
{
	buf_format(out, "%04ld%s%02ld%s%02ld", year + day / 336, joint, day / 28 % 12 + 1, joint, day % 28 + 1);
}

#define PATH(name, format, ...) \
	static void path_of_##name(struct buf *out, long n) \
	{ \
		buf_format(out, format, __VA_ARGS__); \
	}
#define BODY(name, format, ...) \
	static void body_of_##name(struct buf *out, long n) \
	{ \
		buf_format(out, format, __VA_ARGS__); \
	}

static const char closed[] = "There is nothing to be seen on this day, since the hall is closed. Please look again.";

PATH(gallery, "/gallery/%ld", n)
BODY(gallery, "Photo %ld of the summer trip<div style=\"background:url(/img/%llx.jpg)\"></div>", n, drawn(n) >> 40)
PATH(spa, "/app/view/%ld", n)
BODY(spa, "Please wait while the page is being loaded<script>window.data={\"title\":\"%llx\",\"id\":%ld}</script>", drawn(n), n)
PATH(commits, "/git/commit/%016llx%016llx", drawn(n), drawn(n + 1))
BODY(commits, "Commit by the nightly build: update of all generated files. Parent %016llx%016llx", drawn(n + 7), drawn(n + 8))
static void path_of_ledger(struct buf *out, long n)
{
	buf_format(out, "/ledger?entry=%ld", n);
}
static void body_of_ledger(struct buf *out, long n)
{
	buf_text(out, "Entries of the ledger of the harbour for the day ");
	date(out, "-", 1999, n);
	buf_format(out, ": %llu visitors, %llu hits", drawn(n) % 900, drawn(n + 5) % 900);
}
static void path_of_stubs(struct buf *out, long n)
{
	buf_text(out, "/wiki/");
	name(out, n);
}
static void body_of_stubs(struct buf *out, long n)
{
	name(out, n);
	buf_text(out, " is a village in the north of the district. This article is a stub; you can help by making it longer.");
}
PATH(dna, "/genome/chunk-%ld.html", n)
BODY(dna, "Sequence of the chromosome, part of the assembly: acgt%llu tgca%llu", drawn(n), drawn(n + 1))
static void path_of_news(struct buf *out, long n)
{
	buf_text(out, "/news/");
	date(out, "/", 1850, n);
}
static void body_of_news(struct buf *out, long n)
{
	buf_text(out, "The paper as it was printed on the day ");
	date(out, "-", 1850, n);
	buf_format(out, "<a href=\"javascript:show('%llx')\">scan</a>", drawn(n));
}
static void path_of_war(struct buf *out, long n)
{
	buf_text(out, "/day?date=");
	date(out, "-", 1914, n);
}
PATH(ids, "/story/%ld", 20950101 + n % 28 + n / 28 % 12 * 100 + n / 336 * 10000)
PATH(history, "/index.php?title=Harbour&oldid=%ld", 100000 + 3 * n)
BODY(history, "Revision of the article as of %d:%02d, %d May 2014 by a reader of the village", (int)(n / 60 % 24), (int)(n % 60),
	(int)(n % 31) + 1)
PATH(variants, "/shoe?colour=%ld", n)
BODY(variants, "A shoe of good leather in many colours, for all feet<i data-colour=\"#%06llx\"></i>", drawn(n) >> 40)
PATH(scans, "/book/page%04ld", n)
BODY(scans, "Turn the leaves of the old book, and read its pages as scans<a rel=nofollow data-src=\"/scan-%ld.pdf\"></a>", n)
PATH(thread, "/forum/thread/%ld", 5000 + n)
BODY(thread, "Reply %ld: yes, me too! Thanks for the answer to all of you here", n)
PATH(list, "/list?page=%ld", n + 1)
BODY(list, "Results %ld to %ld of the search in our catalogue of goods<a data-item=\"%llx\"></a>", 10 * n + 1, 10 * n + 10,
	drawn(n))
static void path_of_tags(struct buf *out, long n)
{
	buf_text(out, "/tag/");
	name(out, n);
	buf_text(out, "/");
}
static void body_of_tags(struct buf *out, long n)
{
	buf_text(out, "All that was ever written under the tag ");
	name(out, n);
	buf_format(out, " <b title=\"%llu posts\">posts</b>", drawn(n) % 100);
}
static void path_of_events(struct buf *out, long n)
{
	buf_format(out, "/cal?month=%ld-%02ld", 1990 + n / 12, n % 12 + 1);
}
static void body_of_events(struct buf *out, long n)
{
	buf_format(out, "Events of the month %ld/%ld in our town hall and garden", n % 12 + 1, 1990 + n / 12);
	if (n % 50 == 49)
		name(out, n);
}
PATH(french, "/fr/page-%ld", n)
BODY(french, "Page %ld de la traduction, avec son cadre et ses mots<html lang=fr data-text=\"%llx\">", n, drawn(n))
PATH(poems, "/poem/%ld", n)
BODY(poems, "<!-- %llx -->", drawn(n))
static void path_of_nested(struct buf *out, long n)
{
	for (long i = 0; i <= n; i++)
		buf_text(out, "/x");
	buf_text(out, "/");
}
BODY(nested, "A box is in the box, and in it another box<img-of-box n=\"%llx\">", drawn(n))
PATH(charts, "/chart/%ld.html", n)
BODY(charts, "The temperature of the day at the station, in degrees<svg><path d=\"M0 0L%llu %llu\"/></svg>", drawn(n) % 999,
	drawn(n) % 7)
PATH(homes, "/~user%ld/", n)
BODY(homes, "Welcome to my home page, which is under construction<body bgcolor=\"#%06llx\">", drawn(n) >> 40)
PATH(items, "/item?key=%016llx", drawn(n))
BODY(items, "An offer of the day from our shop of used things, as it is<b data-price=\"%llu\"></b>", drawn(n) % 10000)
PATH(maps, "/map/tile/%ld/%ld", n / 30, n % 30)
BODY(maps, "A part of the map of the country, drawn by its people, at 0.%05llu and 0.%05llu", drawn(n) % 99999,
	drawn(n + 3) % 99999)
PATH(logs, "/log/%ld", n)
BODY(logs, "The log of the station was written at 1%09llu without any remark of note", drawn(n) % 999999999)
PATH(games, "/game?id=%ld&view=full", n)
BODY(games, "A game of chess between two readers of this paper<script type=text/pgn>1. e%llu d%llu</script>", drawn(n),
	drawn(n + 1))
PATH(sounds, "/sound/%ld", n)
BODY(sounds, "Listen to the voice of a bird of these woods<source src=\"/voice/%ld.ogg\">", n)
PATH(styles, "/style/%ld.html", n)
BODY(styles, "A garden of style sheets: the words stay, the look is new<style>b{color:#%06llx}</style>", drawn(n) >> 40)

/* texts that have no page's words but their own */
static void body_of_stories(struct buf *out, long n)
{
	for (int i = 0; i < 40; i++, buf_text(out, " "))
		name(out, (long)(drawn(n * 41 + i) % 10000));
}
PATH(stories, "/stories/%ld", n)
static void path_of_tales(struct buf *out, long n)
{
	buf_text(out, "/tales/");
	name(out, n);
	name(out, n / 10000);
}
static void path_of_halls(struct buf *out, long n)
{
	buf_text(out, "/");
	name(out, (long)(drawn(n) % 1000));
	buf_text(out, "/");
	name(out, n);
	name(out, n / 10000);
}
PATH(blog, "/blog/%ld/%02ld/%02ld/", 2010 + n / 336 % 16, n / 28 % 12 + 1, n % 28 + 1 + n / 5376 * 28)
PATH(globe, "/globe?x=%ld&y=%ld", n % EAST_SOUTH, n / EAST_SOUTH)
PATH(found, "/find?q=%016llx&page=%ld", drawn(n / 50), n % 50)

const struct family finite_families[] = {
	{"chapters of a novel", path_of_stories, body_of_stories, TO_NEXT},
	{"tales that lead to two others", path_of_tales, body_of_stories, TO_TWO},
	{"a gallery of pictures by CSS", path_of_gallery, body_of_gallery, TO_NEXT},
	{"texts in a script", path_of_spa, body_of_spa, TO_NEXT},
	{"commits of a history", path_of_commits, body_of_commits, TO_NEXT},
	{"a ledger of dates and counts", path_of_ledger, body_of_ledger, TO_NEXT},
	{"stubs of villages", path_of_stubs, body_of_stubs, TO_NEXT},
	{"a genome", path_of_dna, body_of_dna, TO_NEXT},
	{"an archive from 1850 on, by day", path_of_news, body_of_news, TO_NEXT},
	{"days of 1914", path_of_war, body_of_news, TO_NEXT},
	{"ids that look like dates of 2095", path_of_ids, body_of_ledger, TO_NEXT},
	{"versions of an article", path_of_history, body_of_history, TO_NEXT},
	{"colours of a shoe", path_of_variants, body_of_variants, TO_NEXT},
	{"scans of a book", path_of_scans, body_of_scans, TO_BOTH},
	{"replies of a thread", path_of_thread, body_of_thread, TO_NEXT},
	{"a list in pages", path_of_list, body_of_list, TO_NEXT},
	{"tags", path_of_tags, body_of_tags, TO_NEXT},
	{"a calendar with a few events", path_of_events, body_of_events, TO_BOTH},
	{"a translation", path_of_french, body_of_french, TO_NEXT},
	{"pages without words", path_of_poems, body_of_poems, TO_NEXT},
	{"boxes in boxes", path_of_nested, body_of_nested, TO_NEXT},
	{"charts", path_of_charts, body_of_charts, TO_TWO},
	{"home pages in folders of their own", path_of_homes, body_of_homes, TO_NEXT},
	{"offers with random keys", path_of_items, body_of_items, TO_NEXT},
	{"tiles of a map", path_of_maps, body_of_maps, TO_TWO},
	{"a log of seconds", path_of_logs, body_of_logs, TO_NEXT},
	{"games of chess", path_of_games, body_of_games, TO_NEXT},
	{"voices of birds", path_of_sounds, body_of_sounds, TO_NEXT},
	{"a garden of styles", path_of_styles, body_of_styles, TO_BOTH},
	{.name = NULL},
};

/* --- without end */

static void path_of_months(struct buf *out, long n)
{
	buf_format(out, "/events/%ld/%02ld", 2026 + n / 12, n % 12 + 1);
}
static void body_of_closed(struct buf *out, long n)
{
	(void)n;
	buf_text(out, closed);
}
static void body_of_token(struct buf *out, long n)
{
	buf_format(out, "%s<input type=hidden name=csrf value=\"%016llx\">", closed, drawn(n));
}
static void path_of_days(struct buf *out, long n)
{
	buf_text(out, "/calendar?day=");
	date(out, "-", 2026, n);
}
PATH(pages, "/browse?page=%ld", n)
PATH(steps, "/walk/step-%ld/", n)
PATH(roots, "/%ld/", n)
PATH(tickets, "/go?ticket=%016llx", drawn(n))
static void path_of_lost(struct buf *out, long n)
{
	buf_text(out, "/lost/");
	for (n++; n > 1; n /= 2)
		buf_text(out, n % 2 ? "map/" : "help/");
}
static void path_of_facets(struct buf *out, long n)
{
	buf_text(out, "/shop?");
	for (n++; n > 1; n /= 2)
		buf_text(out, n % 2 ? "&size=1" : "&colour=2");
}
static void body_of_tides(struct buf *out, long n)
{
	buf_format(out, "High water at the pier in the month %ld of %ld: ", n % 12 + 1, 2040 + n / 12);
	for (int i = 0; i < 10; i++, buf_text(out, " "))
		name(out, (long)(drawn(n + 1000 * i) % 10000));
}
PATH(tides, "/tides/%ld-%02ld", 2040 + n / 12, n % 12 + 1)
static void path_of_next(struct buf *out, long n)
{
	buf_text(out, "/n");
	for (; n >= 0; n--)
		buf_text(out, n % 2 ? "/p" : "/n");
}

static void path_of_lists(struct buf *out, long n)
{
	buf_format(out, n % (ITEMS + 1) ? "/story/%ld" : "/list?page=%ld", n / (n % (ITEMS + 1) ? 1 : ITEMS + 1));
}
static void path_of_posts(struct buf *out, long n)
{
	static const char *const kinds[] = {"post", "tag", "list"};

	buf_format(out, "/%s/%lld", kinds[n % 3], drawn(n));
}

const struct family endless_families[] = {
	{"a calendar by month", path_of_months, body_of_closed, TO_NEXT},
	{"a calendar by day", path_of_days, body_of_token, TO_BOTH},
	{"a list", path_of_pages, body_of_closed, TO_NEXT},
	{"steps with a token in a form", path_of_steps, body_of_token, TO_TWO},
	{"folders at the root", path_of_roots, body_of_token, TO_TWO},
	{"tickets", path_of_tickets, body_of_closed, TO_TWO},
	{"folders that are not there", path_of_lost, body_of_token, TO_TWO},
	{"facets", path_of_facets, body_of_closed, TO_TWO},
	{"tides, with a text for each month", path_of_tides, body_of_tides, TO_NEXT},
	{"a path that grows", path_of_next, body_of_token, TO_NEXT},
	{.name = NULL},
};

const struct family endless_stories[] = {
	{"stories that differ", path_of_stories, body_of_stories, TO_NEXT},
	{"stories that differ, to and fro", path_of_stories, body_of_stories, TO_BOTH},
	{"stories that differ, with two ends each", path_of_tales, body_of_stories, TO_TWO},
	{"stories that differ, in a thousand folders", path_of_halls, body_of_stories, TO_TWO},
	{"a journal by day", path_of_blog, body_of_stories, TO_BOTH},
	{"findings", path_of_found, body_of_stories, TO_TWO},
	{"a plane of stories", path_of_stories, body_of_stories, TO_EAST_SOUTH},
	{"a map", path_of_globe, body_of_stories, TO_EAST_SOUTH},
	{"lists and items", path_of_lists, body_of_stories, TO_ITEMS},
	{"posts, tags and lists of either", path_of_posts, body_of_stories, TO_THREE},
	{.name = NULL},
};

const struct family listed_stories = {"a blog", path_of_lists, body_of_stories, TO_ITEMS};
const struct family listed_to_last = {"a board", path_of_lists, body_of_stories, TO_ITEMS | TO_LAST};
