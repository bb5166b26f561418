#include "fetch/page_fill.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json_text.h"
#include "base/long_hash.h"
#include "base/mem.h"
#include "fetch/robots_cache.h"
#include "parser/fingerprint.h"
#include "parser/html_meta.h"
#include "parser/match.h"
#include "parser/mime.h"
#include "parser/requisites.h"
#include "parser/shape.h"
#include "parser/sitemap.h"

#include <jansson.h>
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Whether a page is about the topic of a focused crawl (--accept-text): whether a line of what a reader sees matches a regular
 * expression.
 *
 *     if (!page_topic_matches(regex, page.title, page.text.at, page.text.used)) ... its links are not followed */

/* Returns how many bytes of a line are matched at once. */
static size_t piece(const char *line, size_t n)
{
	const char *blank = n > PAGE_TOPIC_MAX_LINE ? memrchr(line, ' ', PAGE_TOPIC_MAX_LINE) : NULL;

	if (n <= PAGE_TOPIC_MAX_LINE)
		return n;
	return blank && blank > line ? (size_t)(blank - line) : PAGE_TOPIC_MAX_LINE;
}

static int line_matches(const regex_t *r, const char *line, size_t n)
{
	char text[PAGE_TOPIC_MAX_LINE + 1];

	while (n) {
		const size_t m = piece(line, n);
		memcpy(text, line, m);
		text[m] = 0;
		if (match_regex(r, text))
			return 1;
		line += m;
		n -= m;
	}
	return 0;
}

int page_topic_matches(const regex_t *r, const char *title, const char *text, size_t n)
{
	const size_t most = n < PAGE_TOPIC_MAX_TEXT ? n : PAGE_TOPIC_MAX_TEXT;
	int found = line_matches(r, title, strlen(title));

	for (size_t at = 0, end; !found && at < most; at = end + 1) {
		const char *feed = memchr(text + at, '\n', most - at);
		end = feed ? (size_t)(feed - text) : most;
		found = line_matches(r, text + at, end - at);
	}
	return found;
}

void score_line_add(struct buf *out, const struct score_page *p)
{
	json_t *line = json_object();

	json_put_text(line, "url", p->url);
	json_put_count(line, "status", p->status);
	json_put_text(line, "type", p->type);
	char *text = json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(line);
	if (!text)
		mem_exhausted();
	buf_add(out, text, strlen(text) - 1); /* without the brace, since the body is no affair of jansson's */
	buf_text(out, ",\"body\":\"");
	base64_add(out, p->body, p->n);
	buf_text(out, "\"}\n");
	free(text);
}

#define PAGE_MAX_CALLS (1u << 20) /* links of a page looked at, duplicates included */
struct reading {
	struct page_build *build, *requisites;
	int obey_nofollow;
	struct buf feeds; /* the feeds that the page names, each with its NUL */
};

static int on_link(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	struct reading *r = ctx;

	if (kind == LINK_REQUISITE)
		return page_build_add(r->requisites, target, kind, "");
	if (kind == LINK_ALTERNATE) {
		buf_add(&r->feeds, target->text.at, target->text.used + 1);
		return 0;
	}
	if (r->obey_nofollow && (kind & LINK_NOFOLLOW))
		return 0;
	return page_build_add(r->build, target, kind, anchor);
}

enum content { CONTENT_OTHER, CONTENT_HTML, CONTENT_SITEMAP, CONTENT_FEED, CONTENT_STYLE };

static int ends_in(const char *text, size_t n, const char *end)
{
	const size_t m = strlen(end);

	return n >= m && memcmp(text + n - m, end, m) == 0;
}

static int is_same(const struct url *a, const struct url *b)
{
	return a->text.used == b->text.used && memcmp(a->text.at, b->text.at, a->text.used) == 0;
}

/* Says whether a media type leaves open what a page is. */
static int is_vague(const char *type)
{
	return !*type || strcmp(type, "application/octet-stream") == 0 || strcmp(type, "text/plain") == 0;
}

int page_is_announced(const struct transfer *t)
{
	const struct robots *rules = t->origin->rules;
	struct mime mime = {.essence = ""};
	struct url named = URL_EMPTY;
	const char *text;
	int found = t->is_announced;

	if (t->answer.has_type && mime_parse(&mime, t->answer.type, strlen(t->answer.type)) == 0 && !is_vague(mime.essence))
		return 0;
	for (size_t i = 0; !found && rules && i < ROBOTS_MAX_SITEMAPS; i++) {
		if (!(text = robots_sitemap(rules, i)))
			break;
		found = url_parse(&named, text, strlen(text), &t->url) == URL_OK && is_same(&named, &t->url);
	}
	url_release(&named);
	return found;
}

/* Says whether a page that is neither HTML nor a feed is read as a sitemap: by a media type that ends in "xml" or is gzip; or, if
 * the media type is missing, text/plain or application/octet-stream, by a path that ends in .xml or .xml.gz, or because robots.txt
 * names its URL. */
static int is_sitemap(const struct transfer *t, const char *type)
{
	const char *path = t->url.text.at + t->url.path;
	const size_t n = t->url.query - t->url.path;

	if (ends_in(type, strlen(type), "xml") || strcmp(type, "application/gzip") == 0 || strcmp(type, "application/x-gzip") == 0)
		return 1;
	return is_vague(type) && (ends_in(path, n, ".xml") || ends_in(path, n, ".xml.gz") || page_is_announced(t));
}

/* Returns what the body of an answer is: a feed by its bytes, since servers give feeds many media types, and else by the media
 * type. */
static enum content content_of(const struct transfer *t)
{
	const unsigned kinds = t->options->set.kinds;
	struct mime mime = {.essence = ""};

	if (sitemap_is_feed(t->body.at, t->body.used))
		return kinds & 1u << LINK_FEED ? CONTENT_FEED : CONTENT_OTHER;
	if (t->answer.has_type && mime_parse(&mime, t->answer.type, strlen(t->answer.type)) == 0 && mime_is_html(&mime))
		return CONTENT_HTML;
	if (strcmp(mime.essence, "text/css") == 0)
		return CONTENT_STYLE;
	if ((kinds & 1u << LINK_FEED) &&
		(strcmp(mime.essence, "application/rss+xml") == 0 || strcmp(mime.essence, "application/atom+xml") == 0))
		return CONTENT_FEED;
	if ((kinds & 1u << LINK_SITEMAP) && is_sitemap(t, mime.essence))
		return CONTENT_SITEMAP;
	return !*mime.essence && mime_sniff_html(t->body.at, t->body.used) ? CONTENT_HTML : CONTENT_OTHER;
}

struct listing {
	struct page_build *build;
	enum fetch_listing is;
};

static int on_entry(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	struct listing *l = ctx;
	const uint32_t n = l->build->n;

	if (kind == SITEMAP_INDEX)
		l->is = LISTING_INDEX;
	const int is_full = page_build_add(l->build, target, l->is == LISTING_FEED ? LINK_FEED : LINK_SITEMAP, "");
	if (l->build->n > n && kind == SITEMAP_URL && changed != SITEMAP_UNDATED && changed <= UINT32_MAX)
		l->build->link[n].changed = changed > 0 ? (uint32_t)changed : 1;
	return is_full;
}

/* Adds the entries of a sitemap, or the items of a feed, to the links of the page. */
static enum fetch_listing read_listing(struct page_build *b, const struct transfer *t, const char *type, enum fetch_listing is)
{
	struct listing l = {b, is};

	/* a body that is none has no entries, and does not count */
	return sitemap_read(t->body.at, t->body.used, &t->url, type, on_entry, &l) == 0 ? l.is : LISTING_NONE;
}

/* Adds the feeds that a page names as its last links. */
static void add_feeds(struct page_build *b, const struct buf *feeds)
{
	struct url target = URL_EMPTY;

	for (size_t at = 0; at < feeds->used; at += strlen(feeds->at + at) + 1)
		if (url_parse(&target, feeds->at + at, strlen(feeds->at + at), NULL) == URL_OK)
			page_build_add(b, &target, LINK_ALTERNATE, "");
	url_release(&target);
}

static int count_frames(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	(void)target, (void)kind, (void)anchor;
	++*(unsigned *)ctx;
	return 0;
}

/* Says whether an HTML page is a shell. Most pages have more links, and are not looked at again. */
static int is_shell(const struct transfer *t, const char *type, uint32_t links)
{
	struct html_page page;
	unsigned frames = 0;

	if (links > PAGE_SHELL_LINKS || !memmem(t->body.at, t->body.used, "<script", strlen("<script")))
		return 0;
	html_read(t->body.at, t->body.used, &t->url, type, 1u << LINK_FRAME | HTML_TEXT, 1, count_frames, &frames, &page);
	const int is = !frames && page.text.used < PAGE_SHELL_TEXT;
	html_page_release(&page);
	return is;
}

/* Adds the links of an HTML page that come last: its canonical URL, if that is another, and its feeds. */
static void add_last(struct page_build *b, const struct transfer *t, const struct url *canonical, const struct buf *feeds)
{
	if ((t->options->set.heed & HEED_CANONICAL) && canonical->text.used && !is_same(canonical, &t->url))
		page_build_add(b, canonical, LINK_CANONICAL, "");
	add_feeds(b, feeds);
}

/* Reads an HTML page, and its requisites into `requisites`, unless that is NULL. The links of a page that is not of the crawl's
 * topic are dropped. Says whether its links are followed. */
static int read_html(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const char *type, const regex_t *topic)
{
	const struct fetch_settings *set = &t->options->set;
	const int nofollow = (set->heed & HEED_ROBOTS_TAG) && t->answer.nofollow;
	struct reading r = {b, requisites, (set->heed & HEED_NOFOLLOW) != 0, BUF_EMPTY};
	unsigned wanted = nofollow ? 0 : set->kinds | HTML_DISTINCT | (set->keep_anchors ? HTML_ANCHORS : 0);
	struct html_page page;
	int is_followed = !nofollow;

	wanted = requisites ? wanted | 1u << LINK_REQUISITE : wanted & ~(1u << LINK_REQUISITE);
	html_read(t->body.at, t->body.used, &t->url, type, wanted | (topic ? HTML_TEXT : 0), PAGE_MAX_CALLS, on_link, &r, &page);
	if (b != requisites)
		head->result.is_shell = !head->result.is_rendered && is_shell(t, type, b->n);
	if (!nofollow && (set->heed & HEED_META_ROBOTS) && (page.robots & HTML_NOFOLLOW) && b != requisites) {
		page_build_reset(b);
		is_followed = 0;
	}
	if (is_followed)
		add_last(b, t, &page.canonical, &r.feeds);
	buf_release(&r.feeds);
	head->result.usage |= page.usage;
	strcpy(head->about.title, page.title);
	if (*page.language)
		strcpy(head->about.language, page.language);
	if (topic && !page_topic_matches(topic, page.title, page.text.at, page.text.used)) {
		page_build_reset(b);
		head->result.is_off_topic = 1;
		is_followed = 0;
	}
	html_page_release(&page);
	return is_followed;
}

/* Reads the media type and the language of a page from the answer's headers. A Content-Language with several languages is
 * ignored. */
static void read_about(struct page_about *about, const struct transfer *t)
{
	const struct html_text language = {t->answer.language, strlen(t->answer.language)};
	struct mime mime;

	if (t->answer.has_type && mime_parse(&mime, t->answer.type, strlen(t->answer.type)) == 0 &&
		strlen(mime.essence) < ABOUT_TYPE)
		strcpy(about->type, mime.essence);
	html_language(language, about->language);
}

/* Adds the target of the Refresh header, which has the meaning of a meta refresh for any media type, as the first link of the
 * page. */
static void read_refresh(struct page_build *b, const struct transfer *t)
{
	const struct fetch_settings *set = &t->options->set;
	const struct buf *value = &t->answer.refresh;
	struct html_text reference;
	struct url target = URL_EMPTY;
	double seconds;

	if (!value->used || !(set->kinds & 1u << LINK_REFRESH) || ((set->heed & HEED_ROBOTS_TAG) && t->answer.nofollow))
		return;
	if (html_meta_refresh((struct html_text){value->at, value->used}, &seconds, &reference) && reference.at &&
		url_parse(&target, reference.at, reference.n, &t->url) == URL_OK)
		page_build_add(b, &target, LINK_REFRESH, "");
	url_release(&target);
}

struct header_reading {
	const struct transfer *transfer;
	struct page_build *build;
	struct url target;
	struct buf feeds;
	unsigned kinds;
};

static int on_header_link(void *ctx, struct html_text reference, enum link_kind kind)
{
	struct header_reading *r = ctx;
	const struct url *own = &r->transfer->url;

	if (!(r->kinds >> kind & 1) || url_parse(&r->target, reference.at, reference.n, own) != URL_OK)
		return 0;
	if (kind == LINK_ALTERNATE)
		buf_add(&r->feeds, r->target.text.at, r->target.text.used + 1);
	else if (kind != LINK_CANONICAL || !is_same(&r->target, own))
		page_build_add(r->build, &r->target, kind, "");
	return 0;
}

/* Adds the targets of the Link headers, which mean for any media type what link elements mean in HTML. They come behind the links
 * of the body. */
static void read_link_headers(struct page_build *b, const struct transfer *t)
{
	const struct fetch_settings *set = &t->options->set;
	const struct buf *value = &t->answer.links;
	struct header_reading r = {t, b, URL_EMPTY, BUF_EMPTY, set->kinds};

	if (!value->used || ((set->heed & HEED_ROBOTS_TAG) && t->answer.nofollow))
		return;
	r.kinds = set->heed & HEED_CANONICAL ? r.kinds | 1u << LINK_CANONICAL : r.kinds & ~(1u << LINK_CANONICAL);
	link_header_read(value->at, value->used, on_header_link, &r);
	add_feeds(b, &r.feeds);
	url_release(&r.target);
	buf_release(&r.feeds);
}

static enum content read_body(struct page_build *b, struct page_build *requisites, struct fetch_page *head,
	const struct transfer *t, const regex_t *topic)
{
	const char *type = t->answer.has_type ? t->answer.type : NULL;
	const enum content content = t->body.used ? content_of(t) : CONTENT_OTHER;
	int is_followed = b != requisites;

	read_refresh(b, t);
	if (content == CONTENT_HTML)
		is_followed &= read_html(b, requisites, head, t, type, topic);
	else if (content == CONTENT_STYLE && requisites)
		requisites_of_css(t->body.at, t->body.used, &t->url, on_link, &(struct reading){.requisites = requisites});
	else if (content == CONTENT_SITEMAP)
		head->listing = read_listing(b, t, type, LISTING_SITEMAP);
	else if (content == CONTENT_FEED)
		head->listing = read_listing(b, t, type, LISTING_FEED);
	if (is_followed)
		read_link_headers(b, t);
	return content;
}

static void read_target(struct page_build *b, struct fetch_page *head, const struct transfer *t)
{
	struct url target = URL_EMPTY;
	const struct buf *to = &t->answer.location;

	if (to->used && url_parse(&target, to->at, to->used, &t->url) == URL_OK) {
		page_build_add(b, &target, LINK_REDIRECT, "");
	} else {
		head->result.state = PAGE_FAILED;
		head->result.outcome = OUTCOME_NOWHERE;
	}
	url_release(&target);
}

/* Hashes the words of a page, once: the fingerprint of an HTML page, and the SimHash of a page whose URL has a shape. */
static void hash_words(struct fetch_page *head, const struct transfer *t, int is_html)
{
	const struct fetch_settings *set = &t->options->set;
	const int has_simhash = set->simhash && shape_of(&t->url);
	struct simhash simhash = {.words = 0};

	if (is_html && set->fingerprints) {
		const struct fingerprint f =
			fingerprint_html(t->body.at, t->body.used, t->url.text.at, t->url.text.used, has_simhash ? &simhash : NULL);
		head->result.fingerprint = f.words >= FINGERPRINT_LEAST ? f.hash : 0;
		head->result.simhash = has_simhash ? simhash_of(&simhash) : 0;
	} else if (has_simhash) {
		head->result.simhash = simhash_html(t->body.at, t->body.used);
	}
}

/* Writes the page's line for the score command into b->line; head->line points to it until the next page. */
static void show_to_scorer(struct page_build *b, struct fetch_page *head, const struct transfer *t)
{
	buf_clear(&b->line);
	score_line_add(&b->line,
		&(struct score_page){.url = t->url.text.at,
			.status = head->result.status,
			.type = t->answer.has_type ? t->answer.type : NULL,
			.body = t->body.at,
			.n = t->body.used});
	head->line = b->line.at;
	head->line_n = b->line.used;
}

/* Sets the texts that the runner shows to its command. They stay in `b` until the next page. */
static void show_to_runner(struct page_build *b, struct fetch_page *head, const struct transfer *t)
{
	buf_clear(&b->shown);
	buf_add(&b->shown, t->url.text.at, t->url.text.used + 1);
	buf_add(&b->shown, t->body.used ? t->body.at : "", t->body.used);
	head->shown = b->shown.at;
	head->shown_n = b->shown.used;
}

/* Returns where the requisites of a page are collected; NULL: nowhere. */
static struct page_build *collector(struct page_build *b, struct page_build *requisites, const struct fetch_settings *set)
{
	if (set->kinds & 1u << LINK_REQUISITE)
		return b;
	return set->requisites ? requisites : NULL;
}

void page_read(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const regex_t *topic)
{
	read_about(&head->about, t);
	head->result.usage = t->answer.usage;
	page_build_reset(requisites);
	if (head->result.state == PAGE_CRAWLED && head->result.status != 304)
		hash_words(head, t, read_body(b, collector(b, requisites, &t->options->set), head, t, topic) == CONTENT_HTML);
	else if (head->result.state == PAGE_REDIRECTED)
		read_target(b, head, t);
	head->result.requisites = requisites->text.at;
	head->result.requisites_n = requisites->text.used;
}

void page_hash(struct fetch_page *head, const struct transfer *t)
{
	if (head->result.state == PAGE_CRAWLED && head->result.status != 304)
		long_hash_128(t->body.at, t->body.used, head->result.digest);
}

/* What an origin lets its pages name. */
struct naming {
	struct origin *origin;
	enum fetch_listing is;
	int is_over;  /* the origin has had its sitemaps, or its feeds */
	int is_named; /* the page is named by an index */
};

/* Says whether the origin of a page lets it have a link. Endless sitemaps and feeds would use up the crawl's budget, and there are
 * pages that each have a feed of their own. So a sitemap that an index has named names no further ones; all indexes of an origin
 * may name ORIGIN_MAX_NAMED, and all its pages as many feeds; and after ORIGIN_MAX_READ sitemaps, or feeds, the others have no
 * entries. */
static int may_name(void *ctx, const char *url, size_t n, unsigned kind)
{
	const struct naming *naming = ctx;
	struct origin *o = naming->origin;

	switch (kind & ~(unsigned)LINK_NOFOLLOW) {
	case LINK_ALTERNATE:
		return origin_takes(&o->feeds, url, n);
	case LINK_FEED:
		return !naming->is_over;
	case LINK_SITEMAP:
		return !naming->is_over &&
			(naming->is != LISTING_INDEX || (!naming->is_named && origin_takes(&o->sitemaps, url, n)));
	default:
		return 1;
	}
}

static void limit_naming(struct page_build *b, const struct fetch_page *head, const struct transfer *t)
{
	struct origin *o = t->origin;
	struct origin_lists *l = head->listing == LISTING_FEED ? &o->feeds : &o->sitemaps;
	struct naming naming = {o, head->listing, l->read >= ORIGIN_MAX_READ,
		origin_has(&o->sitemaps, t->url.text.at, t->url.text.used)};

	if (head->listing != LISTING_NONE && !naming.is_over)
		l->read++;
	page_build_filter(b, may_name, &naming);
}

void page_complete(struct page_build *b, struct fetch_page *head, const struct transfer *t)
{
	if (head->result.state != PAGE_CRAWLED)
		return;
	head->result.validators = (struct validators){t->answer.modified, t->answer.etag.at, t->answer.etag.used};
	if (head->result.status == 304)
		return;
	limit_naming(b, head, t);
	if (t->options->set.scorer)
		show_to_scorer(b, head, t);
	if (t->options->set.runner)
		show_to_runner(b, head, t);
}

void page_fill(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const regex_t *topic)
{
	page_hash(head, t);
	page_read(b, requisites, head, t, topic);
	page_complete(b, head, t);
}
