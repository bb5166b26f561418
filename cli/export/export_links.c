#include "cli/export/export.h"
#include "parser/link_kind.h"

static const struct column columns[] = {
	{"from_id", CELL_COUNT, 1, "number of the page with the link"},
	{"from_url", CELL_TEXT, 0, "its URL"},
	{"to_id", CELL_COUNT, 1, "number of the page that the link leads to"},
	{"to_url", CELL_TEXT, 0, "its URL"},
	{"position", CELL_COUNT, 0, "1 for the first link of the page; of equal links only the first is kept"},
	{"kind", CELL_TEXT, 0, "a kind of --follow (lycosa-crawl(1)), redirect, canonical or requisite"},
	{"nofollow", CELL_COUNT, 0, "1: the link has rel=nofollow"},
	{"anchor", CELL_TEXT, 0, "its anchor text, if the crawl has kept them"},
};
enum { FROM_ID, FROM_URL, TO_ID, TO_URL, POSITION, KIND, NOFOLLOW, ANCHOR, COLUMNS };

static const struct table links_table = {"links", "a row for each distinct link of a crawled page", columns, COLUMNS, 0};

static int add_links(struct export *x, const struct export_page *p, void *ctx, struct err_note *why)
{
	struct cell cell[COLUMNS] = {cell_none()};
	struct buf *url = ctx;
	const uint32_t *links;
	const uint8_t *kinds;

	const size_t n = store_web_links(x->store, p->id, &links, &kinds);

	buf_clear(url); /* the store keeps the page's URL only until it has read the URLs of some links */
	buf_add(url, p->page.url, p->page.url_length);
	cell[FROM_ID] = cell_count(p->id);
	cell[FROM_URL] = cell_bytes(url->at, url->used);
	for (size_t i = 0; i < n; i++) {
		size_t anchor_n;
		const char *anchor = store_anchor(x->store, p->id, i, &anchor_n);
		const unsigned kind = kinds ? kinds[i] & ~(unsigned)LINK_NOFOLLOW : 0;
		cell[TO_ID] = cell_count(links[i]);
		cell[TO_URL] = export_url_cell(x, links[i]);
		cell[POSITION] = cell_count(i + 1);
		cell[KIND] = cell_some(kind < LINK_KINDS ? link_kinds[kind].name : NULL);
		cell[NOFOLLOW] = cell_count(kinds && (kinds[i] & LINK_NOFOLLOW));
		cell[ANCHOR] = cell_bytes(anchor, anchor_n);
		x->rows++;
		TRY(table_row(x->out, cell, why));
	}
	return 0;
}

int export_links(struct export *x, struct err_note *why)
{
	AUTO(buf) url = BUF_EMPTY;

	TRY(table_begin(x->out, &links_table, why));
	return export_each(x, add_links, &url, why);
}
