#include "simweb/endless_page.h"

#include "simweb/endless_draws.h"
#include "simweb/endless_links.h"
#include "simweb/endless_rates.h"
#include "simweb/endless_words.h"

#include <math.h>

#define PARAGRAPH 60 /* words */

const char *endless_media_type(enum endless_media media)
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
	struct buf title = BUF_EMPTY;

	endless_text(h->language, 2 + (unsigned)rng_below(r, 5), r, &title);
	buf_text(out, "<!doctype html>\n<html lang=\"");
	buf_text(out, endless_language(h->language));
	buf_text(out, "\"><head><meta charset=\"utf-8\"><title>");
	buf_add(out, title.at, title.used);
	buf_text(out, "</title></head>\n<body><h1>");
	buf_add(out, title.at, title.used);
	buf_text(out, "</h1>\n");
	buf_release(&title);
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

void endless_html(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version, struct buf *out)
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

void endless_document(const struct endless *e, const struct endless_host *h, uint32_t page, uint64_t version, struct buf *out)
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

void endless_month(const struct endless *e, const struct endless_host *h, uint32_t month, struct buf *out)
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

void endless_soft_404(const struct endless *e, const struct endless_host *h, struct buf *out)
{
	struct rng r = draw_stream(e->seed, DRAW_TEXT, h->content, UINT64_MAX);

	begin_html(h, &r, out);
	add_href(e, h, 0, &(struct endless_link){.host = h->id}, out);
	endless_text(h->language, 30, &r, out);
	buf_text(out, "</a></body></html>\n");
}

void endless_robots_text(const struct endless *e, const struct endless_host *h, struct buf *out)
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

void endless_sitemap(const struct endless *e, const struct endless_host *h, struct buf *out)
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
