#include "base/mem.h"
#include "cli/export/export.h"

#include <stdlib.h>

static const struct column columns[] = {
	{"id", CELL_COUNT, 0, "number of the host in the store"},
	{"host", CELL_TEXT, 1, "its name, with its port if it is not the usual one"},
	{"pages", CELL_COUNT, 0, "pages that the crawl discovered"},
	{"crawled", CELL_COUNT, 0, "of these, crawled"},
	{"failed", CELL_COUNT, 0, "failed"},
	{"redirected", CELL_COUNT, 0, "redirected"},
	{"refused", CELL_COUNT, 0, "refused"},
	{"queued", CELL_COUNT, 0, "queued"},
	{"tries", CELL_COUNT, 0, "requests that counted as a try"},
	{"bytes", CELL_COUNT, 0, "bytes of all bodies as transferred"},
	{"first_time", CELL_TEXT, 0, "end of the earliest of its pages' last requests, UTC"},
	{"last_time", CELL_TEXT, 0, "end of the latest request, UTC"},
};
enum { ID, HOST, PAGES, CRAWLED, FAILED, REDIRECTED, REFUSED, QUEUED, TRIES, BYTES, FIRST, LAST, COLUMNS };

static const struct table hosts_table = {"hosts", "a row for each host with a page in the export", columns, COLUMNS, 1};

struct host_figures {
	uint32_t pages, state[PAGE_STATES];
	uint64_t tries, bytes;
	int64_t first, last;
};

static int add_page(struct export *x, const struct export_page *p, void *ctx, struct err_note *why)
{
	struct host_figures *h = (struct host_figures *)ctx + p->page.host;

	(void)x, (void)why;
	h->pages++;
	h->state[p->ending.state]++;
	if (!p->has_result)
		return 0;
	h->tries += p->result.tries;
	h->bytes += p->result.bytes;
	if (!h->first || p->result.ended < h->first)
		h->first = p->result.ended;
	if (p->result.ended > h->last)
		h->last = p->result.ended;
	return 0;
}

static int add_host(struct export *x, uint32_t host, const struct host_figures *h, struct err_note *why)
{
	char first[EXPORT_TIME_ROOM], last[EXPORT_TIME_ROOM];
	const struct cell cell[COLUMNS] = {
		[ID] = cell_count(host),
		[HOST] = cell_some(store_host_name(x->store, host)),
		[PAGES] = cell_count(h->pages),
		[CRAWLED] = cell_count(h->state[PAGE_CRAWLED]),
		[FAILED] = cell_count(h->state[PAGE_FAILED]),
		[REDIRECTED] = cell_count(h->state[PAGE_REDIRECTED]),
		[REFUSED] = cell_count(h->state[PAGE_REFUSED]),
		[QUEUED] = cell_count(h->state[PAGE_QUEUED]),
		[TRIES] = cell_count(h->tries),
		[BYTES] = cell_count(h->bytes & INT64_MAX),
		[FIRST] = export_time_cell(h->first, first),
		[LAST] = export_time_cell(h->last, last),
	};

	x->rows++;
	return table_row(x->out, cell, why);
}

int export_hosts(struct export *x, struct err_note *why)
{
	const uint32_t hosts = store_hosts(x->store);
	AUTO_FREE struct host_figures *figures = mem_zero((size_t)hosts + 1, sizeof *figures);
	int err = table_begin(x->out, &hosts_table, why);

	if (!err)
		err = export_each(x, add_page, figures, why);
	x->rows = 0;
	for (uint32_t i = 0; i < hosts && !err; i++)
		if (figures[i].pages)
			err = add_host(x, i, &figures[i], why);
	return err;
}
