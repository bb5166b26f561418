/* The hosts of the endless web: what each of them is like, how it is called, and which paths its pages have.
 *
 *	endless_host_get(&web, 12345, &host);
 *	endless_host_name(&web, 12345, &name);               "www.kanora-9ix.test"
 *	endless_path(&web, &host, 7, &path);                 "/tegi/mudo-7.html"
 *
 * Names and paths contain ids and numbers in base 36, so that they can be traced back. A host of a subdomain ends with the domain
 * of the host whose id is the same but for the lowest three bits. */
#ifndef SIMWEB_ENDLESS_HOST_H
#define SIMWEB_ENDLESS_HOST_H

#include "base/buf.h"
#include "base/rng.h"
#include "simweb/endless.h"

enum endless_trap {
	ENDLESS_NO_TRAP,
	ENDLESS_CALENDAR, /* a calendar without first and last month, linked from the home page */
	ENDLESS_SESSIONS, /* each page adds an id of its own to the links within the host: ?sid=... */
	ENDLESS_SOFT_404, /* what does not exist is answered with 200 and always the same page */
	ENDLESS_MIRROR,   /* the pages are those of host `content` */
	ENDLESS_TRAPS
};

enum endless_rules {
	ENDLESS_RULES_MISSING, /* robots.txt: 404 */
	ENDLESS_RULES_EMPTY,   /* allows everything */
	ENDLESS_RULES_SECTION, /* disallows the first section */
	ENDLESS_RULES_DELAY,   /* has a Crawl-delay of 1 to 4 s */
	ENDLESS_RULES_CLOSED,  /* disallows everything */
	ENDLESS_RULES_BROKEN,  /* answers with 500 */
};

enum endless_style { ENDLESS_HTML, ENDLESS_FOLDER, ENDLESS_QUERY, ENDLESS_BARE, ENDLESS_STYLES };

struct endless_host {
	uint64_t id, content; /* content: the host whose pages these are, itself but for mirrors */
	uint32_t pages;
	uint32_t branches; /* of the tree: page i leads to the pages i * branches + 1 to i * branches + branches */
	uint32_t sections;
	unsigned language;
	enum endless_style style;
	enum endless_trap trap;
	enum endless_rules rules;
	int has_sitemap;
};

/* Describes a host, id < hosts. */
void endless_host_get(const struct endless *, uint64_t id, struct endless_host *);

/* Appends the name of a host. */
void endless_host_name(const struct endless *, uint64_t id, struct buf *out);

/* Finds the host with a name of n bytes, in any case. Returns 1 with its id, or 0. */
int endless_host_find(const struct endless *, const char *name, size_t n, uint64_t *id);

enum endless_media { ENDLESS_PAGE, ENDLESS_TEXT, ENDLESS_JSON, ENDLESS_PNG, ENDLESS_PDF };

/* Returns the media type of a page. */
enum endless_media endless_media_of(const struct endless *, const struct endless_host *, uint32_t page);

/* Appends the path of a page, with its query. */
void endless_path(const struct endless *, const struct endless_host *, uint32_t page, struct buf *out);

/* Appends the path of the redirect to a page other than the home page. */
void endless_moved_path(uint32_t page, struct buf *out);

/* Appends the path of a section, "/tegi/". */
void endless_section(const struct endless *, const struct endless_host *, uint32_t section, struct buf *out);

/* What a path means. */
enum endless_thing { ENDLESS_NOTHING, ENDLESS_IS_PAGE, ENDLESS_IS_MOVED, ENDLESS_IS_MONTH, ENDLESS_IS_ROBOTS, ENDLESS_IS_SITEMAP };

/* Finds out what a path of n bytes with its query means. *number is the page, or the month since the year 0. */
enum endless_thing endless_find(const struct endless *, const struct endless_host *, const char *path, size_t n, uint32_t *number);

/* The month that the home page of a host with a calendar links to, and the bounds of what is answered. */
#define ENDLESS_MONTH      (2026 * 12)
#define ENDLESS_LAST_MONTH (9999 * 12 + 11)

/* --- The words of the endless web: made-up words of several languages, beside the most frequent true ones of each. The words of a
 * text follow Zipf's law, and those of one language are the same on all its pages. */

#define ENDLESS_LANGUAGES  8
#define ENDLESS_VOCABULARY 65536 /* words of a language */

/* Returns the code of a language, "en". */
const char *endless_language(unsigned language);

/* Appends word `rank` of a language, in UTF-8; rank 0 is the most frequent one. */
void endless_word(unsigned language, unsigned rank, struct buf *out);

/* Appends so many words with blanks between and a full stop now and then. */
void endless_text(unsigned language, unsigned words, struct rng *, struct buf *out);

#endif
