#include "cli/store/store_unfollowed.h"
#include "cli/archive/archive.h"
#include "crawler/settings/live_decision.h"
#include "base/mem.h"
#include "fetch/fetch.h"
#include "parser/html.h"
#include "parser/mime.h"
#include "storage/warc_files.h"

#include <stdlib.h>
#include <string.h>

/* The search for a link in the pages of an archive. */
struct search {
	const struct url *wanted;
	unsigned kinds, heed; /* of the crawl */
	struct url page;
	/* of the first link that was found */
	int is_found;
	unsigned kind_and_flags;
	int is_meta; /* the page says nofollow of all its links */
};

static int is_same(const struct url *a, const struct url *b)
{
	return a->text.used == b->text.used && memcmp(a->text.at, b->text.at, a->text.used) == 0;
}

static int on_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	struct search *s = ctx;

	(void)anchor;
	/* a link of another kind tells more than that the page needs the URL to be seen */
	if ((!s->is_found || s->kind_and_flags == LINK_REQUISITE) && is_same(target, s->wanted)) {
		s->is_found = 1;
		s->kind_and_flags = kind_and_flags;
	}
	return 0;
}

static int on_header_link(void *ctx, struct html_text reference, enum link_kind kind)
{
	struct search *s = ctx;
	AUTO(url) target = URL_EMPTY;

	if (url_parse(&target, reference.at, reference.n, &s->page) == URL_OK)
		on_link(s, &target, kind, "");
	return s->is_found;
}

/* Looks for the link in an archived page, whose body is `body`. */
static void look(struct search *s, const struct capture *c, const struct buf *body)
{
	const struct warc_span type = capture_type(c), link = warc_field(capture_head(c), "link");
	const unsigned kinds = ((1u << LINK_KINDS) - 1) | 1u << LINK_REQUISITE;
	AUTO_FREE char *media = mem_part(type.n ? type.at : "", type.n);
	struct html_page page;
	struct mime mime;

	if (link.n)
		link_header_read(link.at, link.n, on_header_link, s);
	if (mime_parse(&mime, media, strlen(media)) == 0 && mime_is_html(&mime)) {
		html_read(body->used ? body->at : "", body->used, &s->page, media, kinds, UINT64_MAX, on_link, s, &page);
		s->is_meta = s->is_found && (page.robots & HTML_NOFOLLOW) && (s->heed & HEED_META_ROBOTS);
		html_page_release(&page);
	}
}

static int look_at_capture(void *ctx, const struct warc_item *item, struct capture *c, struct err_note *why)
{
	struct search *s = ctx;
	AUTO(buf) body = BUF_EMPTY;

	if (c->kind != CAPTURE_RESPONSE || url_parse(&s->page, c->url.at, c->url.used, NULL) != URL_OK)
		return 0;
	TRY(capture_take(c, item, SIZE_MAX, why));
	if (capture_status(c) == 200 && capture_decode(c, &body) == 0)
		look(s, c, &body);
	return s->is_found;
}

static int look_in_file(void *ctx, const char *path, struct err_note *why)
{
	static const struct archive_wish all = {.until = INT64_MAX, .url = URL_EMPTY};
	struct err_note damage;

	(void)why;
	return archive_each(path, &all, look_at_capture, ctx, &damage) > 0;
}

/* Writes what has kept the crawl from following the link that was found. */
static int tell_link(const struct search *s, struct err_note *why)
{
	const unsigned kind = s->kind_and_flags & ~(unsigned)LINK_NOFOLLOW;
	const struct link_kind_row *row = &link_kinds[kind];
	const char *wanted = s->wanted->text.at, *page = s->page.text.at;

	if ((s->kind_and_flags & LINK_NOFOLLOW) && (s->heed & HEED_NOFOLLOW))
		return err_set(why, ERR_NOTHING,
			"the store does not know '%s': the link of '%s' is of the kind nofollow; see --heed", wanted, page);
	if (s->is_meta)
		return err_set(why, ERR_NOTHING, "the store does not know '%s': meta robots of '%s' says nofollow; see --heed",
			wanted, page);
	if (row->use == LINK_BY_FLAG)
		return err_set(why, ERR_NOTHING, "the store does not know '%s': the link of '%s' is of the kind %s (%s); %s",
			wanted, page, row->name, row->element, row->why);
	if (s->kinds >> kind & 1)
		return err_set(why, ERR_NOTHING,
			"the store does not know '%s': '%s' links to it, but its links were not all followed", wanted, page);
	return err_set(why, ERR_NOTHING,
		"the store does not know '%s': the link of '%s' is of the kind %s (%s); --follow %s follows it", wanted, page,
		row->name, row->element, row->name);
}

/* Writes which kinds the crawl does not follow. */
static int tell_kinds(const struct search *s, int has_archive, struct err_note *why)
{
	AUTO(buf) kinds = BUF_EMPTY;

	buf_text(&kinds, s->heed & HEED_NOFOLLOW ? ", nofollow" : "");
	for (unsigned k = 0; k < LINK_KINDS; k++)
		if (link_kinds[k].use != LINK_BY_FLAG && !(s->kinds >> k & 1))
			buf_format(&kinds, ", %s", link_kinds[k].name);
	return err_set(why, ERR_NOTHING, "the store does not know '%s': %s; kinds that are not followed: %s (--follow, --heed)",
		s->wanted->text.at, has_archive ? "no archived page links to it" : "no link that was followed leads to it",
		kinds.used ? kinds.at + 2 : "none");
}

int store_unfollowed(const char *dir, struct store *store, const struct url *url, const char *archive, struct err_note *why)
{
	struct live_config none = live_config_defaults;
	const struct live_asked asked = {.dir = dir, .config = &none, .replace = LIVE_VIEW};
	AUTO(live_decision) d = {.resumed = 0};
	struct search s = {.wanted = url, .page = URL_EMPTY};

	/* without its settings, as of a crawl by a policy that is not loaded here, the defaults are told */
	const int err = live_decide(&d, &asked, store, NULL);
	s.kinds = live_config_kinds(err ? &none : &d.config);
	s.heed = live_config_heed(err ? &none : &d.config);
	if (archive)
		(void)!warc_each_file(archive, look_in_file, &s, why);
	const int result = s.is_found ? tell_link(&s, why) : tell_kinds(&s, archive != NULL, why);
	url_release(&s.page);
	return result;
}
