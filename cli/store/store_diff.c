/* `lycosa store diff`. A page counts as there if it was crawled, and as gone only if the later crawl asked for it: a page that a
 * crawl never asked for is not compared. */
#include "cli/store/verb_store.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/outcome.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

#define HOPS 32 /* of a chain of redirects */

enum change { CHANGE_NONE, CHANGE_NEW, CHANGE_GONE, CHANGE_CHANGED, CHANGE_MOVED, CHANGE_FAILED, CHANGES };
static const char *const change_words[CHANGES] = {[CHANGE_NEW] = "new",
	[CHANGE_GONE] = "gone",
	[CHANGE_CHANGED] = "changed",
	[CHANGE_MOVED] = "moved",
	[CHANGE_FAILED] = "failed"};

struct row {
	enum change change;
	/* the page's URL in its own store; NULL: the row is not printed, because another row reports the page */
	char *url;
	uint32_t a, b;      /* the page in each store; STORE_NO_PAGE: it is not known there */
	uint32_t to;        /* MOVED: the page of the later store */
	uint64_t digest[2]; /* GONE, NEW: of its content */
	int same_words;     /* CHANGED: the fingerprints of both are equal */
	const char *why;    /* GONE, FAILED: status or reason */
	uint16_t status;
};

struct diff {
	struct store *a, *b;
	struct row *row;
	size_t rows, room;
	uint64_t same, not_compared;
	struct buf url; /* of the page that is compared: the store has it only until it reads another */
};

static int has_digest(const struct result *r)
{
	return (r->digest[0] | r->digest[1]) != 0;
}

/* Finds the last result of a page's URL in the other store. Returns 0 if there is none. */
static int find(struct store *in, const char *url, size_t n, uint32_t *id, struct result *out)
{
	*id = STORE_NO_PAGE;
	return store_find(in, url, n, id) && store_result(in, *id, out);
}

static struct row *add(struct diff *d, enum change change, const char *url, uint32_t a, uint32_t b)
{
	d->row = mem_grow(d->row, &d->room, d->rows + 1, sizeof *d->row);
	d->row[d->rows] = (struct row){.change = change, .url = mem_text(url), .a = a, .b = b, .to = STORE_NO_PAGE};
	return &d->row[d->rows++];
}

static uint32_t end_of(struct store *s, uint32_t id)
{
	struct result r;

	for (int step = 0; step < HOPS && store_result(s, id, &r) && r.state == PAGE_REDIRECTED && r.target < store_pages(s);
		step++)
		id = r.target;
	return id;
}

/* Compares a page that was there in the earlier crawl with the later one. */
static void compare(struct diff *d, uint32_t a, const struct store_page *page, const struct result *was)
{
	struct result is;
	struct row *row;
	uint32_t b;

	const int found = find(d->b, page->url, page->url_length, &b, &is);
	if (found && is.state == PAGE_CRAWLED) {
		if (!has_digest(&is) || !has_digest(was) || (is.digest[0] == was->digest[0] && is.digest[1] == was->digest[1])) {
			d->same++;
			return;
		}
		row = add(d, CHANGE_CHANGED, page->url, a, b);
		row->same_words = is.fingerprint && is.fingerprint == was->fingerprint;
	} else if (found && is.state == PAGE_REDIRECTED) {
		row = add(d, CHANGE_MOVED, page->url, a, b);
		row->to = end_of(d->b, b);
	} else if (found && is.state == PAGE_FAILED) {
		const int is_gone = is.outcome == OUTCOME_STATUS && (is.status == 404 || is.status == 410);
		row = add(d, is_gone ? CHANGE_GONE : CHANGE_FAILED, page->url, a, b);
		row->status = is.status;
		row->why = outcome_word(is.outcome);
	} else {
		/* the later crawl did not ask for the URL: find_moves() may find the content under another URL */
		row = add(d, CHANGE_NONE, page->url, a, b);
	}
	memcpy(row->digest, was->digest, sizeof row->digest);
}

static void keep_url(struct diff *d, struct store_page *page)
{
	buf_clear(&d->url);
	buf_add(&d->url, page->url, page->url_length + 1);
	page->url = d->url.at;
}

static int each_of_a(struct diff *d, struct err_note *why)
{
	struct result was;
	struct store_page page;

	for (uint32_t id = 0; id < store_pages(d->a); id++) {
		if (!store_page(d->a, id, &page))
			return err_set(why, ERR_DAMAGED, "the earlier store is damaged: page %u", id);
		if (!store_result(d->a, id, &was) || was.state != PAGE_CRAWLED)
			continue;
		keep_url(d, &page);
		compare(d, id, &page, &was);
	}
	return 0;
}

/* Adds the pages that only the later crawl has: the earlier one did not know them, or requested them in vain. */
static int each_of_b(struct diff *d, struct err_note *why)
{
	struct result is, was;
	struct store_page page;
	uint32_t a;

	for (uint32_t id = 0; id < store_pages(d->b); id++) {
		if (!store_page(d->b, id, &page))
			return err_set(why, ERR_DAMAGED, "the later store is damaged: page %u", id);
		if (!store_result(d->b, id, &is) || is.state != PAGE_CRAWLED)
			continue;
		keep_url(d, &page);
		const int found = find(d->a, page.url, page.url_length, &a, &was);
		if (found && was.state == PAGE_CRAWLED)
			continue;
		if (!found && a != STORE_NO_PAGE) {
			d->not_compared++; /* the earlier crawl knew the URL and did not ask for it */
			continue;
		}
		struct row *row = add(d, CHANGE_NEW, page.url, a, id);
		memcpy(row->digest, is.digest, sizeof row->digest);
	}
	return 0;
}

/* --- content that is under another URL now */

static int compare_digests(const void *x, const void *y, void *ctx)
{
	const struct diff *d = ctx;
	const struct row *a = &d->row[*(const size_t *)x], *b = &d->row[*(const size_t *)y];

	for (int i = 0; i < 2; i++)
		if (a->digest[i] != b->digest[i])
			return a->digest[i] < b->digest[i] ? -1 : 1;
	return 0;
}

static int may_move(const struct row *r)
{
	return r->url && (r->change == CHANGE_GONE || r->change == CHANGE_NONE || r->change == CHANGE_NEW) &&
		(r->digest[0] | r->digest[1]);
}

/* Drops a row that need not be printed, since another row reports the page. */
static void drop(struct row *row)
{
	row->change = CHANGE_NONE;
	free(row->url);
	row->url = NULL;
}

/* Makes one row MOVED of the n rows `of`, which have one content, if they are exactly two: a page that the later crawl does not
 * have any more under its URL, and a page that is new. Content that more pages have, such as an error page, does not tell which of
 * them has moved where. */
static void pair(struct diff *d, const size_t *of, size_t n)
{
	if (n != 2)
		return;
	struct row *x = &d->row[of[0]], *y = &d->row[of[1]];
	struct row *from = x->change == CHANGE_NEW ? y : x, *to = x->change == CHANGE_NEW ? x : y;
	if (from->change == CHANGE_NEW || to->change != CHANGE_NEW)
		return;
	from->change = CHANGE_MOVED;
	from->to = to->b;
	drop(to);
}

/* Drops the rows of new pages that are targets of redirects: the row of the page that has moved there reports them. */
static void drop_targets(struct diff *d)
{
	AUTO_FREE uint8_t *is_target = mem_zero((size_t)store_pages(d->b) + 1, 1);

	for (size_t i = 0; i < d->rows; i++)
		if (d->row[i].change == CHANGE_MOVED)
			is_target[d->row[i].to] = 1;
	for (size_t i = 0; i < d->rows; i++)
		if (d->row[i].change == CHANGE_NEW && is_target[d->row[i].b])
			drop(&d->row[i]);
}

static void find_moves(struct diff *d)
{
	size_t *order = mem_new(d->rows + 1, sizeof *order), n = 0;

	drop_targets(d);
	for (size_t i = 0; i < d->rows; i++)
		if (may_move(&d->row[i]))
			order[n++] = i;
	if (n)
		qsort_r(order, n, sizeof *order, compare_digests, d);
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n && !compare_digests(&order[i], &order[i + same], d); same++)
			;
		pair(d, order + i, same);
	}
	free(order);
	for (size_t i = 0; i < d->rows; i++)
		d->not_compared += d->row[i].change == CHANGE_NONE && d->row[i].url;
}

/* --- printing */

static int compare_urls(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (!a->url || !b->url)
		return !a->url - !b->url;
	return strcmp(a->url, b->url);
}

static void tell_counts(struct results *r, const struct diff *d)
{
	uint64_t count[CHANGES] = {0};

	for (size_t i = 0; i < d->rows; i++)
		count[d->row[i].change]++;
	for (int c = CHANGE_NEW; c < CHANGES; c++) {
		results_fact(r, change_words[c], cell_count(count[c]));
	}
	RESULTS_COUNTS(r, {"same", d->same}, {"not_compared", d->not_compared});
}

static void tell_rows(struct results *r, const struct diff *d)
{
	static const char *const columns[] = {"change", "url", "to", "words", "status", "reason", NULL};
	struct store_page page;

	results_columns(r, columns);
	for (size_t i = 0; i < d->rows && !results_stopped(r); i++) {
		const struct row *row = &d->row[i];
		if (row->change == CHANGE_NONE)
			continue;
		RESULTS_CELLS(r, cell_text(change_words[row->change]), cell_text(row->url),
			cell_text(row->to != STORE_NO_PAGE && store_page(d->b, row->to, &page) ? page.url : ""),
			cell_text(row->change != CHANGE_CHANGED ? ""
					: row->same_words       ? "same"
								: "other"),
			row->status ? cell_count(row->status) : cell_none(), cell_text(row->why));
	}
}

struct diff_options {
	struct standard_options standard;
	int json, damaged;
};

static int run(const struct command *c, struct err_note *why)
{
	const struct diff_options *o = c->options;
	struct diff d = {.url = BUF_EMPTY};
	struct results r;
	int err = open_to_read(&d.a, c->flags->operand[0], o->damaged, why);

	/* a process that opens a store twice loses LMDB's lock on it when it closes one of them */
	if (!err && folder_is(c->flags->operand[0], c->flags->operand[1]))
		d.b = d.a;
	else if (!err)
		err = open_to_read(&d.b, c->flags->operand[1], o->damaged, why);
	if (!err)
		err = each_of_a(&d, why);
	if (!err)
		err = each_of_b(&d, why);
	if (!err) {
		find_moves(&d);
		if (d.rows)
			qsort(d.row, d.rows, sizeof *d.row, compare_urls);
		results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
		results_fact(&r, "earlier", cell_text(c->flags->operand[0]));
		results_fact(&r, "later", cell_text(c->flags->operand[1]));
		tell_counts(&r, &d);
		tell_rows(&r, &d);
		err = results_end(&r, why);
	}
	for (size_t i = 0; i < d.rows; i++)
		free(d.row[i].url);
	free(d.row);
	buf_release(&d.url);
	if (d.b != d.a)
		err = store_close(d.b, err, why);
	return store_close(d.a, err, why);
}

static const struct diff_options defaults;
static const struct flag flags[] = {
	JSON_ROW(offsetof(struct diff_options, json)),
	DAMAGED_ROW(offsetof(struct diff_options, damaged)),
	STANDARD_ROWS,
};

const struct verb verb_store_diff = VERB("diff", "Prints what is new, gone, changed or moved between two crawls.", flags, defaults,
	run, .operands = "EARLIER LATER", .operand_file = FLAG_READS_FOLDER);
