#include "base/ascii.h"
#include "base/mem.h"
#include "storage/handle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define DUMP_HOPS 32 /* of a chain of redirects */

/* Every line of a page begins with the page's URL and a TAB, and no URL has a byte below '!'. So the dump is sorted if the pages
 * are sorted by URL and the lines of each page are sorted. Memory: the URLs, 20 bytes for each page, and the links of one page. */
struct dump {
	struct store *store;
	store_dump_fn *tell;
	void *ctx;
	struct buf text;  /* all URLs, each with a NUL behind it */
	const char **url; /* by page, in text */
	uint32_t *page;   /* by rank */
	uint32_t *rank;   /* by page */
	uint32_t pages;
	uint32_t *target; /* ranks of the links of one page */
	size_t target_room;
};

static int compare_pages(const void *a, const void *b, void *ctx)
{
	const struct dump *d = ctx;

	return strcmp(d->url[*(const uint32_t *)a], d->url[*(const uint32_t *)b]);
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Returns the page at the end of a chain of redirects. Which alias of a page a link was stored with depends on what the crawl
 * knew at that time; the end of the chain does not. */
static uint32_t resolve(struct dump *d, uint32_t id)
{
	struct result r;

	for (int step = 0; step < DUMP_HOPS; step++) {
		if (!store_result(d->store, id, &r) || r.state != PAGE_REDIRECTED || r.target >= d->pages)
			break;
		id = r.target;
	}
	return id;
}

/* Sorts the pages by URL. */
static int rank_pages(struct dump *d, struct err_note *why)
{
	struct store_page page;
	const char *at;

	d->url = mem_new(d->pages, sizeof *d->url);
	d->page = mem_new(d->pages, sizeof *d->page);
	d->rank = mem_new(d->pages, sizeof *d->rank);
	for (uint32_t i = 0; i < d->pages; i++) {
		if (!store_page(d->store, i, &page))
			return err_set(why, ERR_DAMAGED, "'%s' is damaged: page %u", d->store->env.path, i);
		buf_add(&d->text, page.url, page.url_length + 1);
	}
	at = d->text.at;
	for (uint32_t i = 0; i < d->pages; i++) {
		d->url[i] = at;
		d->page[i] = i;
		at += strlen(at) + 1;
	}
	qsort_r(d->page, d->pages, sizeof *d->page, compare_pages, d);
	for (uint32_t i = 0; i < d->pages; i++)
		d->rank[d->page[i]] = i;
	return 0;
}

/* Fills in status and digest, for which `digest` has room. Returns 1, or 0 for a page that has no line of its own. */
static int describe(struct dump *d, uint32_t id, struct store_dump_line *line, char digest[33])
{
	struct result r;

	if (!store_result(d->store, id, &r))
		return 0;
	line->status = r.status;
	if (r.digest[0] || r.digest[1]) {
		snprintf(digest, 33, "%016" PRIx64 "%016" PRIx64, r.digest[1], r.digest[0]);
		line->digest = digest;
	}
	/* the result of such a page is lost (storage/store_merge.h) */
	const int is_lost = !r.tries && !r.ended && !r.status;
	return (r.state == PAGE_CRAWLED || r.state == PAGE_FAILED || r.state == PAGE_REDIRECTED) && !is_lost;
}

/* Says whether the line of a page stands before that of its link to `target`: they are sorted by their bytes. */
static int is_before(const struct store_dump_line *page, const char *target)
{
	char text[16];

	snprintf(text, sizeof text, "%u\t", page->status);
	return strcmp(text, target) < 0;
}

/* Reports the lines of a page in sorted order: a line for each link, and the line of the page among them. */
static int dump_page(struct dump *d, uint32_t id)
{
	struct store_dump_line page = {.url = d->url[id]}, link = {.url = d->url[id]};
	const uint32_t *links;
	char digest[33];
	int err = 0, is_due = describe(d, id, &page, digest);
	const size_t n = store_web_links(d->store, id, &links, NULL);

	d->target = mem_grow(d->target, &d->target_room, n, sizeof *d->target);
	for (size_t i = 0; i < n; i++)
		d->target[i] = d->rank[resolve(d, links[i])];
	qsort(d->target, n, sizeof *d->target, compare_ranks);
	for (size_t i = 0; !err && i < n; i++) {
		if (i && d->target[i] == d->target[i - 1])
			continue; /* two links with different aliases of the same page */
		link.target = d->url[d->page[d->target[i]]];
		if (is_due && is_before(&page, link.target)) {
			err = d->tell(d->ctx, &page);
			is_due = 0;
		}
		if (!err)
			err = d->tell(d->ctx, &link);
	}
	return !err && is_due ? d->tell(d->ctx, &page) : err;
}

int store_dump_each(struct store *s, store_dump_fn *tell, void *ctx, struct err_note *why)
{
	struct dump d = {.store = s, .tell = tell, .ctx = ctx, .pages = store_pages(s)};

	int status = rank_pages(&d, why);
	for (uint32_t i = 0; i < d.pages && status == 0; i++)
		status = dump_page(&d, d.page[i]);
	buf_release(&d.text);
	free(d.url);
	free(d.page);
	free(d.rank);
	free(d.target);
	return status;
}

static int print_line(void *out, const struct store_dump_line *line)
{
	if (line->target)
		fprintf(out, "%s\t%s\n", line->url, line->target);
	else
		fprintf(out, "%s\t%u\t%s\n", line->url, line->status, line->digest ? line->digest : "-");
	return ferror((FILE *)out) ? ERR_RESULTS : 0;
}

int store_dump(struct store *s, FILE *out, struct err_note *why)
{
	int err = store_dump_each(s, print_line, out, why);

	if (err == ERR_RESULTS || (!err && fflush(out) != 0))
		err = err_set(why, ERR_RESULTS, "cannot write: %s", ascii_error(errno));
	return err;
}
