#include "simweb/endless.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/opt.h"
#include "simweb/endless_draws.h"
#include "simweb/endless_host.h"
#include "simweb/endless_links.h"
#include "simweb/page_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Composes what the hosts of the endless web answer with. All functions append to a buffer. */

#define ENDLESS_SITEMAP_MOST 1000 /* URLs of a sitemap */

#define PARAGRAPH 60 /* words */

/* Returns the media type of what endless_document() makes, as in Content-Type. */
static const char *endless_media_type(enum endless_media media)
{
	static const char *const type[] = {"text/html; charset=utf-8", "text/plain; charset=utf-8", "application/json", "image/png",
		"application/pdf"};

	return type[media];
}

/* Returns the number of words of a page, which does not change. */
static unsigned words_of(const struct endless *e, const struct endless_host *h, uint32_t page)
{
	struct rng r = draw_stream(e->seed, DRAW_BYTES, h->content, page);
	const double words = e->words * exp(ENDLESS_WORDS_SPREAD * draw_normal(&r));

	return words < ENDLESS_WORDS_MOST ? (unsigned)words + 1 : ENDLESS_WORDS_MOST;
}

/* Returns the random numbers of a page's text. Another version has another text. */
static struct rng text_of(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version)
{
	struct rng r = draw_stream(e->seed, DRAW_TEXT, h->content, page);

	r.state += version * 0xa24baed4963ee407u;
	return r;
}

/* Writes the head of a page, with a title in the language of its host, and the title once more as a headline. */
static void begin_html(const struct endless_host *h, struct rng *r, struct buf *out)
{
	AUTO(buf) title = BUF_EMPTY;

	endless_text(h->language, 2 + (unsigned)rng_below(r, 5), r, &title);
	buf_text(out, "<!doctype html>\n<html lang=\"");
	buf_text(out, endless_language(h->language));
	buf_text(out, "\"><head><meta charset=\"utf-8\"><title>");
	buf_add(out, title.at, title.used);
	buf_text(out, "</title></head>\n<body><h1>");
	buf_add(out, title.at, title.used);
	buf_text(out, "</h1>\n");
}

static void add_href(const struct endless *e, const struct endless_host *h, uint32_t page, const struct endless_link *link,
	struct buf *out)
{
	buf_text(out, "<li><a href=\"");
	endless_link_url(e, h, page, link, out);
	buf_text(out, "\">");
}

/* Writes the links of a version of a page as a list, each with a text of some words. */
static void add_links(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version, struct rng *r,
	struct buf *out)
{
	struct endless_links links;
	struct endless_link link;

	buf_text(out, "<ul>\n");
	endless_links_begin(&links, e, h, page, version);
	while (endless_links_next(&links, &link)) {
		add_href(e, h, page, &link, out);
		endless_text(h->language, 1 + (unsigned)rng_below(r, 3), r, out);
		buf_text(out, "</a>\n");
	}
	buf_text(out, "</ul>\n");
}

/* Writes an HTML page with title, links and text, in UTF-8. */
static void endless_html(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version, struct buf *out)
{
	struct rng r = text_of(e, h, page, version);

	begin_html(h, &r, out);
	add_links(e, h, page, version, &r, out);
	for (unsigned left = words_of(e, h, page), n; left; left -= n) {
		n = left < PARAGRAPH ? left : PARAGRAPH;
		buf_text(out, "<p>");
		endless_text(h->language, n, &r, out);
		buf_byte(out, '\n');
	}
	buf_text(out, "</body></html>\n");
}

static void add_bytes(struct rng *r, unsigned n, struct buf *out)
{
	char *to = buf_room(out, n);

	for (unsigned i = 0; i < n; i++)
		to[i] = (char)(rng_next(r) >> 56);
	out->used += n;
	buf_end(out);
}

/* Writes a document of the page's media type, HTML or another. */
static void endless_document(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version,
	struct buf *out)
{
	const enum endless_media media = endless_media_of(e, h, page);
	const unsigned words = words_of(e, h, page);
	struct rng r = text_of(e, h, page, version);

	switch (media) {
	case ENDLESS_PAGE:
		endless_html(e, h, page, version, out);
		break;
	case ENDLESS_TEXT:
		endless_text(h->language, words, &r, out);
		break;
	case ENDLESS_JSON:
		buf_text(out, "{\"text\":\"");
		endless_text(h->language, words, &r, out);
		buf_text(out, "\"}");
		break;
	case ENDLESS_PNG:
	case ENDLESS_PDF:
		buf_text(out, media == ENDLESS_PNG ? "\x89PNG\r\n\x1a\n" : "%PDF-1.4\n");
		add_bytes(&r, words * 6, out);
	}
}

/* Writes the page of a month of a calendar, with links to the months before and after. */
static void endless_month(const struct endless *e, const struct endless_host *h, uint32_t month, struct buf *out)
{
	const struct endless_link link[] = {{h->id, month - 1, ENDLESS_MONTHLY}, {h->id, month + 1, ENDLESS_MONTHLY},
		{.host = h->id}};
	struct rng r = draw_stream(e->seed, DRAW_CALENDAR, h->content, 0);

	begin_html(h, &r, out);
	buf_format(out, "<p>%04u-%02u\n<ul>\n", month / 12, month % 12 + 1);
	for (int i = 0; i < 3; i++) {
		if ((i == 0 && month == 0) || (i == 1 && month == ENDLESS_LAST_MONTH))
			continue;
		add_href(e, h, 0, &link[i], out);
		endless_text(h->language, 1, &r, out);
		buf_text(out, "</a>\n");
	}
	buf_text(out, "</ul><table>");
	for (unsigned day = 1; day <= 28; day++)
		buf_format(out, "<td>%u", day);
	buf_text(out, "</table></body></html>\n");
}

/* Writes the page that a host with ENDLESS_SOFT_404 sends in place of each page that does not exist. */
static void endless_soft_404(const struct endless *e, const struct endless_host *h, struct buf *out)
{
	struct rng r = draw_stream(e->seed, DRAW_TEXT, h->content, UINT64_MAX);

	begin_html(h, &r, out);
	add_href(e, h, 0, &(struct endless_link){.host = h->id}, out);
	endless_text(h->language, 30, &r, out);
	buf_text(out, "</a></body></html>\n");
}

/* Writes the robots.txt of a host whose rules are neither missing nor broken. */
static void endless_robots_text(const struct endless *e, const struct endless_host *h, struct buf *out)
{
	const uint64_t bits = draw_bits(e->seed, DRAW_ROBOTS, h->id, 1);

	buf_text(out, "User-agent: *\n");
	if (h->rules == ENDLESS_RULES_CLOSED) {
		buf_text(out, "Disallow: /\n");
	} else if (h->rules == ENDLESS_RULES_SECTION && h->sections > 1) {
		buf_text(out, "Disallow: ");
		endless_section(e, h, 0, out);
		buf_text(out, "\n");
	} else {
		buf_text(out, "Disallow:\n");
	}
	if (h->rules == ENDLESS_RULES_DELAY)
		buf_format(out, "Crawl-delay: %u\n", 1 + (unsigned)(bits & 3));
	if (h->has_sitemap) {
		buf_text(out, "Sitemap: ");
		buf_text(out, endless_scheme(e));
		endless_host_name(e, h->id, out);
		buf_text(out, "/sitemap.xml\n");
	}
}

/* Writes the sitemap of a host, which names its first pages. */
static void endless_sitemap(const struct endless *e, const struct endless_host *h, struct buf *out)
{
	const uint32_t n = h->pages < ENDLESS_SITEMAP_MOST ? h->pages : ENDLESS_SITEMAP_MOST;

	buf_text(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
	for (uint32_t page = 0; page < n; page++) {
		buf_text(out, "<url><loc>");
		endless_url(e, h->id, page, out);
		buf_text(out, "</loc></url>\n");
	}
	buf_text(out, "</urlset>\n");
}

static const struct opt settings[] = {
	{"hosts", OPT_COUNT, 134217728, 1, ENDLESS_MAX_HOSTS, NULL, "the hosts"},
	{"pages", OPT_COUNT, 1000000, 1, 16777216, NULL, "the most pages of a host"},
	{"words", OPT_REAL, 60, 1, 10000, NULL, "the median of the words of a page"},
	{"links", OPT_COUNT, ENDLESS_OUT_LEAST, 1, 1000, NULL, "the least links of a page"},
	{"branches", OPT_COUNT, ENDLESS_BRANCHES, 1, 1000, NULL, "the least pages right below a page in the tree of its host"},
	{"outside", OPT_REAL, 0.3, 0, 1, NULL, "the share of the links to other hosts"},
	{"dead", OPT_REAL, 0.01, 0, 1, NULL, "the share of the links to no page"},
	{"moved", OPT_REAL, 0.02, 0, 1, NULL, "the share of the links to a redirect"},
	{"media", OPT_REAL, 0.05, 0, 1, NULL, "the share of the pages that are no HTML"},
	{"traps", OPT_REAL, 0.04, 0, 1, NULL, "the share of the hosts with a trap"},
	{"rules", OPT_REAL, 0.3, 0, 1, NULL, "the share of the hosts with rules in robots.txt"},
	{"changes", OPT_REAL, 0, 0, 100000, NULL, "changes of a page a day"},
	{"dated", OPT_REAL, 1, 0, 1, NULL, "the share of the hosts with Last-Modified"},
	{.name = NULL},
};

const char *endless_scheme(const struct endless *e)
{
	return e->tls ? "https://" : "http://";
}

/* Takes the options of the web, whose ranges the table of options has checked. */
static void read_settings(struct endless *e, const struct opt_set *set)
{
	e->tls = 0;
	e->hosts = (uint64_t)opt_number(set, "hosts");
	e->pages = (uint32_t)opt_number(set, "pages");
	e->words = opt_number(set, "words");
	e->links = (uint32_t)opt_number(set, "links");
	e->branches = (uint32_t)opt_number(set, "branches");
	e->outside = opt_number(set, "outside");
	e->dead = opt_number(set, "dead");
	e->moved = opt_number(set, "moved");
	e->media = opt_number(set, "media");
	e->traps = opt_number(set, "traps");
	e->rules = opt_number(set, "rules");
	e->changes = opt_number(set, "changes");
	e->dated = opt_number(set, "dated");
	e->host_span = draw_span(ENDLESS_RANK_EXPONENT, e->hosts);
}

int endless_parse(struct endless *e, const char *text, struct err_note *why)
{
	char *copy = mem_text(text), *item = strchr(copy, ','), *next;
	struct opt_set set;
	int err = 0;

	opt_init(&set, settings, "the endless web");
	if (item)
		*item++ = 0;
	if (num_count(copy, UINT64_MAX, &e->seed))
		err = err_set(why, ERR_USAGE, "the endless web begins with its seed, a whole number, not '%s'", copy);
	for (; item && !err; item = next) {
		next = strchr(item, ',');
		if (next)
			*next++ = 0;
		err = opt_give(&set, item, why);
	}
	read_settings(e, &set);
	opt_release(&set);
	free(copy);
	return err;
}

void endless_url(const struct endless *e, uint64_t host, uint32_t page, struct buf *out)
{
	struct endless_host h;

	endless_host_get(e, host, &h);
	buf_text(out, endless_scheme(e));
	endless_host_name(e, host, out);
	endless_path(e, &h, page, out);
}

int endless_robots(const struct endless *e, const char *host, struct buf *out)
{
	struct endless_host h;
	uint64_t id;

	if (!endless_host_find(e, host, strlen(host), &id))
		return 0;
	endless_host_get(e, id, &h);
	if (h.rules == ENDLESS_RULES_MISSING || h.rules == ENDLESS_RULES_BROKEN)
		return 0;
	endless_robots_text(e, &h, out);
	return 1;
}

/* --- answers */

void endless_reply_release(struct endless_reply *reply)
{
	buf_release(&reply->body);
	buf_release(&reply->location);
}

static void not_found(const struct endless *e, const struct endless_host *h, struct endless_reply *reply)
{
	reply->status = 404;
	if (h && h->trap == ENDLESS_SOFT_404) {
		reply->status = 200;
		endless_soft_404(e, h, &reply->body);
	} else {
		buf_text(&reply->body, "<!doctype html>\n<title>not found</title>\n<p>no page of the endless web stands here\n");
	}
}

static void answer_robots(const struct endless *e, const struct endless_host *h, struct endless_reply *reply)
{
	reply->is_robots = 1;
	reply->type = "text/plain";
	if (h->rules == ENDLESS_RULES_MISSING)
		reply->status = 404;
	else if (h->rules == ENDLESS_RULES_BROKEN)
		reply->status = 500;
	else
		endless_robots_text(e, h, &reply->body);
}

static void answer_page(const struct endless *e, const struct endless_host *h, uint32_t page, int64_t now,
	struct endless_reply *reply)
{
	const struct endless_state s = endless_state(e, h, page, now);

	if (!s.is_there) {
		not_found(e, h, reply);
		return;
	}
	reply->type = endless_media_type(endless_media_of(e, h, page));
	reply->modified = s.modified;
	endless_document(e, h, page, s.version, &reply->body);
}

void endless_answer(const struct endless *e, const struct address *a, int64_t now, struct endless_reply *reply)
{
	struct endless_host h;
	uint32_t number;
	uint64_t id;

	buf_clear(&reply->body);
	buf_clear(&reply->location);
	*reply = (struct endless_reply){.status = 200,
		.type = endless_media_type(ENDLESS_PAGE),
		.body = reply->body,
		.location = reply->location};
	if (!endless_host_find(e, a->host, a->host_length, &id)) {
		not_found(e, NULL, reply);
		return;
	}
	endless_host_get(e, id, &h);
	const enum endless_thing thing = endless_find(e, &h, a->target, a->target_length, &number);
	reply->page = (uint32_t)draw_bits(e->seed, DRAW_FAULT, id, (uint64_t)thing << 32 | number);
	switch (thing) {
	case ENDLESS_NOTHING:
		not_found(e, &h, reply);
		break;
	case ENDLESS_IS_PAGE:
		answer_page(e, &h, number, now, reply);
		break;
	case ENDLESS_IS_MOVED:
		reply->status = 301;
		endless_path(e, &h, number, &reply->location);
		break;
	case ENDLESS_IS_MONTH:
		endless_month(e, &h, number, &reply->body);
		break;
	case ENDLESS_IS_ROBOTS:
		answer_robots(e, &h, reply);
		break;
	case ENDLESS_IS_SITEMAP:
		reply->type = "application/xml";
		endless_sitemap(e, &h, &reply->body);
	}
}
