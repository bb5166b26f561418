#include "cli/export/export.h"
#include "storage/visits.h"

static const struct column columns[] = {
	{"page_id", CELL_COUNT, 1, "number of the page that has changed"},
	{"url", CELL_TEXT, 0, "its URL"},
	{"number", CELL_COUNT, 0, "1 for the first change of the page that a later visit has found"},
	{"before", CELL_TEXT, 0, "the visit that saw the page as it was before the change, UTC"},
	{"time", CELL_TEXT, 0, "the visit that found the change, UTC"},
	{"now", CELL_TEXT, 0, "what the page was since: there (with other content, or again), gone or moved"},
	{"status", CELL_COUNT, 0, "HTTP status of the answer"},
	{"bytes", CELL_COUNT, 0, "bytes of its body as transferred"},
	{"digest", CELL_TEXT, 1, "XXH3-128 of its unpacked body, hexadecimal"},
	{"last_modified", CELL_TEXT, 0, "when the page says that it changed, if that is credible, UTC"},
	{"target", CELL_TEXT, 0, "moved: URL to which it was redirected"},
};
enum { PAGE_ID, URL, NUMBER, BEFORE, TIME, NOW, STATUS, BYTES, DIGEST, MODIFIED, TARGET, COLUMNS };

static const struct table changes_table = {"changes", "a row for each change of a page that a later visit has found", columns,
	COLUMNS, 0};

/* Room for texts that are no part of the store. */
struct texts {
	struct buf url; /* the page's: the store keeps it only until it has read another */
	char before[EXPORT_TIME_ROOM], time[EXPORT_TIME_ROOM], modified[EXPORT_TIME_ROOM], digest[EXPORT_DIGEST_ROOM];
};

static int add_change(struct export *x, struct cell *cell, const struct store_change *c, struct texts *t, struct err_note *why)
{
	cell[BEFORE] = export_time_cell(c->before, t->before);
	cell[TIME] = export_time_cell(c->at, t->time);
	cell[NOW] = cell_some(store_presence_word((enum store_presence)c->now));
	cell[STATUS] = c->status ? cell_count(c->status) : cell_none();
	cell[BYTES] = cell_count(c->bytes & INT64_MAX);
	cell[DIGEST] = export_digest_cell(c->digest, t->digest);
	cell[MODIFIED] = export_seconds_cell(c->modified, t->modified);
	cell[TARGET] = export_url_cell(x, c->target);
	x->rows++;
	return table_row(x->out, cell, why);
}

static int add_changes(struct export *x, const struct export_page *p, void *ctx, struct err_note *why)
{
	struct cell cell[COLUMNS] = {cell_count(p->id)};
	struct texts *t = ctx;
	struct store_change c;

	buf_clear(&t->url);
	buf_add(&t->url, p->page.url, p->page.url_length);
	cell[URL] = cell_bytes(t->url.at, t->url.used);
	for (uint32_t i = 0; store_change(x->store, p->id, i, &c); i++) {
		cell[NUMBER] = cell_count(i + 1);
		TRY(add_change(x, cell, &c, t, why));
	}
	return 0;
}

int export_changes(struct export *x, struct err_note *why)
{
	struct texts texts = {.url = BUF_EMPTY};
	int err = table_begin(x->out, &changes_table, why);

	if (!err)
		err = export_each(x, add_changes, &texts, why);
	buf_release(&texts.url);
	return err;
}
