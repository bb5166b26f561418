#include "base/outcome.h"
#include "cli/export/export.h"
#include "crawler/revisit/change_history.h"
#include "parser/usage.h"

#include <string.h>

/* X(name, kind, index, what it is) */
#define PAGES_COLUMNS(X) \
	X(id, COUNT, 0, "number of the page in the store, from 0 in the order of discovery") \
	X(url, TEXT, 1, "canonical URL") \
	X(host, TEXT, 1, "host, with its port if it is not the usual one") \
	X(state, TEXT, 0, "crawled, failed, redirected, refused or queued") \
	X(reason, TEXT, 0, "why the page failed, was refused or deferred: a word as in 'lycosa store dump --failed'") \
	X(status, COUNT, 0, "HTTP status of the last answer") \
	X(depth, COUNT, 0, "links from a seed, along the path by which it was discovered") \
	X(seed, COUNT, 0, "1: a seed, or a sitemap that robots.txt names; 0: found by a link or redirect") \
	X(found_on, TEXT, 0, "URL of the page by whose links or redirect it was discovered") \
	X(crawl_order, COUNT, 1, "1 for the page that was crawled first") \
	X(time, TEXT, 0, "end of the last request, UTC") \
	X(tries, COUNT, 0, "requests that counted as a try") \
	X(bytes, COUNT, 0, "bytes of the body as transferred") \
	X(media_type, TEXT, 0, "media type without parameters, as the server declared it") \
	X(language, TEXT, 0, "language as declared by the document, or else by the server") \
	X(title, TEXT, 0, "title of an HTML page, its first 255 bytes") \
	X(usage, TEXT, 0, "what the page, its headers and robots.txt ask of its users: noai, train-ai=n ...") \
	X(digest, TEXT, 1, "XXH3-128 of the unpacked body, hexadecimal") \
	X(fingerprint, TEXT, 0, "hash of the words of an HTML page, hexadecimal; pages with the same words share it") \
	X(simhash, TEXT, 0, "SimHash of an HTML page, hexadecimal; near-duplicates differ in few bits") \
	X(last_modified, TEXT, 0, "Last-Modified as the server sent it, UTC") \
	X(etag, TEXT, 0, "ETag as the server sent it") \
	X(target, TEXT, 0, "redirected: where to; deferred or skipped: the page that it is taken for a duplicate of") \
	X(links, COUNT, 0, "distinct links of the page") \
	X(linked_from, COUNT, 0, "crawled pages that link to it") \
	X(made_up, COUNT, 0, "1: no page leads to it: lycosa made its address up, to know soft 404s (--trap-opt soft-404)") \
	X(visits, COUNT, 0, "later visits of the page (lycosa crawl --refresh), failed ones included") \
	X(last_visit, TEXT, 0, "the last of them that has shown what the page is, UTC") \
	X(now, TEXT, 0, "what it has shown: there, gone or moved") \
	X(now_status, COUNT, 0, "HTTP status of the last visit") \
	X(now_digest, TEXT, 0, "digest of the page as a visit saw it last") \
	X(changes, COUNT, 0, "changes that later visits have found") \
	X(changes_a_day, REAL, 0, "estimated changes a day of a page that was visited again")

enum {
#define COLUMN_NUMBER(name, kind, index, about) COLUMN_##name,
	PAGES_COLUMNS(COLUMN_NUMBER) COLUMNS
};

static const struct column columns[] = {
#define COLUMN_ROW(name, kind, index, about) {#name, CELL_##kind, index, about},
	PAGES_COLUMNS(COLUMN_ROW)};

static const struct table pages_table = {"pages", "a row for each page that the crawl discovered", columns, COLUMNS, 1};

/* Room for texts that are no part of the store. */
struct texts {
	char time[EXPORT_TIME_ROOM], modified[EXPORT_TIME_ROOM];
	char digest[EXPORT_DIGEST_ROOM], fingerprint[EXPORT_HASH_ROOM], simhash[EXPORT_HASH_ROOM];
	char last_visit[EXPORT_TIME_ROOM], now_digest[EXPORT_DIGEST_ROOM];
};

static void fill_result(struct export *x, const struct result *r, struct cell *cell, struct texts *t)
{
	cell[COLUMN_time] = export_time_cell(r->ended, t->time);
	cell[COLUMN_tries] = cell_count(r->tries);
	cell[COLUMN_bytes] = cell_count(r->bytes & INT64_MAX);
	cell[COLUMN_media_type] = cell_some(r->type);
	cell[COLUMN_language] = cell_some(r->language);
	cell[COLUMN_title] = cell_some(r->title);
	buf_clear(&x->usage);
	usage_write(r->usage, &x->usage);
	cell[COLUMN_usage] = cell_bytes(x->usage.at, x->usage.used);
	cell[COLUMN_fingerprint] = export_hash_cell(r->fingerprint, t->fingerprint);
	cell[COLUMN_simhash] = export_hash_cell(r->simhash, t->simhash);
	cell[COLUMN_digest] = export_digest_cell(r->digest, t->digest);
	cell[COLUMN_last_modified] = export_seconds_cell(r->validators.modified, t->modified);
	cell[COLUMN_etag] = cell_bytes(r->validators.etag, r->validators.etag_length);
	cell[COLUMN_target] = export_url_cell(x, r->target);
}

/* The estimated rate of a page. */
static double changes_a_day(const struct rates *r, uint32_t host, const struct changes *c)
{
	const double rate = changes_rate(c, rates_prior(r, host, (struct known){0, 0}));

	return changes_rate(c, rates_prior(r, host, changes_told(c, rate)));
}

static void fill_visits(struct export *x, const struct export_page *p, struct cell *cell, struct texts *t)
{
	struct store_visited v;
	struct change_history history;

	if (!x->facts.has_visits || p->ending.state != PAGE_CRAWLED || !store_visited(x->store, p->id, &v))
		return;
	cell[COLUMN_visits] = cell_count(v.visits);
	cell[COLUMN_last_visit] = export_time_cell(v.last, t->last_visit);
	cell[COLUMN_now] = cell_some(store_presence_word((enum store_presence)v.now));
	if (v.status)
		cell[COLUMN_now_status] = cell_count(v.status);
	cell[COLUMN_now_digest] = export_digest_cell(v.digest, t->now_digest);
	cell[COLUMN_changes] = cell_count(v.changes);
	change_history_read(&history, x->store, p->id);
	cell[COLUMN_changes_a_day] = cell_real(changes_a_day(&x->facts.rates, p->page.host, &history.changes));
}

static int add_page(struct export *x, const struct export_page *p, void *ctx, struct err_note *why)
{
	const struct export_facts *f = &x->facts;
	struct cell cell[COLUMNS];
	struct texts texts;

	(void)ctx;
	memset(cell, 0, sizeof cell); /* all are missing */
	cell[COLUMN_id] = cell_count(p->id);
	cell[COLUMN_url] = cell_bytes(p->page.url, p->page.url_length);
	cell[COLUMN_host] = cell_some(p->host);
	cell[COLUMN_state] = cell_some(page_state_name(p->ending.state));
	if (outcome_is_reason(p->ending.outcome))
		cell[COLUMN_reason] = cell_some(outcome_word(p->ending.outcome));
	if (p->ending.status)
		cell[COLUMN_status] = cell_count(p->ending.status);
	cell[COLUMN_depth] = cell_count(p->page.depth);
	cell[COLUMN_seed] = cell_count(f->is_seed[p->id]);
	cell[COLUMN_found_on] = export_url_cell(x, f->found_on[p->id]);
	if (f->crawl_order[p->id])
		cell[COLUMN_crawl_order] = cell_count(f->crawl_order[p->id]);
	if (p->has_result)
		fill_result(x, &p->result, cell, &texts);
	fill_visits(x, p, cell, &texts);
	if (p->ending.state == PAGE_CRAWLED)
		cell[COLUMN_links] = cell_count(f->links[p->id]);
	cell[COLUMN_linked_from] = cell_count(f->linked_from[p->id]);
	cell[COLUMN_made_up] = cell_count(f->made_up[p->id]);
	x->rows++;
	return table_row(x->out, cell, why);
}

int export_pages(struct export *x, struct err_note *why)
{
	TRY(table_begin(x->out, &pages_table, why));
	return export_each(x, add_page, NULL, why);
}
