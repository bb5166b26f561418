#include "cli/export/export.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/store/store_endings.h"
#include "crawler/revisit/change_history.h"
#include "storage/visits.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 65536 /* entries or pages between two store_let_go() */

/* --- the facts */

static int read_log(struct export_facts *f, struct store *s, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	uint32_t crawled = 0;
	uint64_t entries = 0;
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		if ((e.kind == LOG_SEED || e.kind == LOG_SITEMAP) && e.id < f->pages)
			f->is_seed[e.id] = 1;
		if (e.kind == LOG_CRAWLED && e.id < f->pages)
			f->crawl_order[e.id] = ++crawled;
		/* format 1 does not tell what is new */
		if ((e.kind == LOG_CRAWLED || e.kind == LOG_REDIRECTED || e.kind == LOG_VISITED) && e.n_new != STORE_NO_PAGE)
			for (uint32_t i = 0; i < e.n_new && e.first_new + i < f->pages; i++)
				f->found_on[e.first_new + i] = e.id;
		if (++entries % BATCH == 0 && (err = store_let_go(s, why)) < 0)
			break;
	}
	store_log_stop(c);
	return err;
}

static int count_links(struct export_facts *f, struct store *s, struct err_note *why)
{
	const uint32_t *links;
	const uint8_t *kinds;

	for (uint32_t id = 0; id < f->pages; id++) {
		const size_t n = store_links(s, id, &links, &kinds);
		for (size_t i = 0; i < n; i++) {
			const int is_made_up = kinds && kinds[i] == STORE_MADE_UP;
			f->links[id] += !is_made_up;
			f->linked_from[links[i]] += !is_made_up;
			f->made_up[links[i]] |= (uint8_t)is_made_up;
		}
		if (id % BATCH == BATCH - 1)
			TRY(store_let_go(s, why));
	}
	return 0;
}

/* Ends the walk at the first visit. */
static int find_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c, struct err_note *why)
{
	(void)ctx, (void)id, (void)v, (void)c, (void)why;
	return 1;
}

/* What visits have told of a page. */
struct told {
	uint32_t host;
	float changes, days;
};

/* Learns how often the pages of each host change. */
static void learn_rates(struct rates *r, const struct told *told, size_t n)
{
	for (int round = 0; round < 8 * RATES_ROUNDS; round++) {
		for (size_t i = 0; i < n; i++)
			rates_count(r, told[i].host, (struct known){(double)told[i].changes, (double)told[i].days});
		rates_update(r);
	}
}

/* The store's visits are looked at before anything has let go of the store. */
static int read_visits(struct export_facts *f, struct store *s, struct err_note *why)
{
	const int found = store_visits_each(s, find_visit, NULL, why);
	struct result result;
	struct store_page page;
	struct change_history h;
	struct told *told = NULL;
	size_t n = 0, room = 0;
	int err = 0;

	if (found <= 0)
		return found;
	f->has_visits = 1;
	rates_init(&f->rates, RATES_PRIOR);
	const struct known before = rates_prior(&f->rates, 0, (struct known){0, 0});
	for (uint32_t id = 0; id < f->pages && !err; id++) {
		if (store_result(s, id, &result) && result.state == PAGE_CRAWLED && store_page(s, id, &page)) {
			change_history_read(&h, s, id);
			if (changes_are_known(&h.changes)) {
				const struct known k = changes_told(&h.changes, changes_rate(&h.changes, before));
				told = mem_grow(told, &room, n + 1, sizeof *told);
				told[n++] = (struct told){page.host, (float)k.changes, (float)k.days};
			}
		}
		if (id % BATCH == BATCH - 1)
			err = store_let_go(s, why);
	}
	learn_rates(&f->rates, told, n);
	free(told);
	return err;
}

int export_facts_read(struct export_facts *f, struct store *s, enum export_facts_part part, struct err_note *why)
{
	*f = (struct export_facts){.pages = store_pages(s)};
	const size_t room = (size_t)f->pages + 1;
	int err = part == EXPORT_FACTS_ALL ? read_visits(f, s, why) : 0;

	if (!err)
		err = endings_refusals(s, &f->refusal, why);
	if (err || part == EXPORT_FACTS_REFUSALS)
		return err;
	f->is_seed = mem_zero(room, 1);
	f->found_on = mem_new(room, sizeof *f->found_on);
	memset(f->found_on, 0xff, room * sizeof *f->found_on);
	f->crawl_order = mem_zero(room, sizeof *f->crawl_order);
	f->linked_from = mem_zero(room, sizeof *f->linked_from);
	f->links = mem_zero(room, sizeof *f->links);
	f->made_up = mem_zero(room, 1);
	err = read_log(f, s, why);
	return err ? err : count_links(f, s, why);
}

/* --- cells and pages */

static void put_digits(char *at, int n, int value)
{
	for (; n-- > 0; value /= 10)
		at[n] = (char)('0' + value % 10);
}

struct cell export_time_cell(int64_t ms, char text[EXPORT_TIME_ROOM])
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	const time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	if (ms <= 0 || !gmtime_r(&seconds, &tm) || tm.tm_year + 1900 > 9999)
		return cell_none();
	/* in place of strftime() and snprintf(), which took a tenth of an export's time */
	memcpy(text, form, sizeof form);
	put_digits(text, 4, tm.tm_year + 1900);
	put_digits(text + 5, 2, tm.tm_mon + 1);
	put_digits(text + 8, 2, tm.tm_mday);
	put_digits(text + 11, 2, tm.tm_hour);
	put_digits(text + 14, 2, tm.tm_min);
	put_digits(text + 17, 2, tm.tm_sec);
	put_digits(text + 20, 3, (int)(ms % 1000));
	return cell_bytes(text, sizeof form - 1);
}

struct cell export_seconds_cell(int64_t seconds, char text[EXPORT_TIME_ROOM])
{
	return seconds < INT64_MAX / 1000 ? export_time_cell(seconds * 1000, text) : cell_none();
}

struct cell export_digest_cell(const uint64_t digest[2], char text[EXPORT_DIGEST_ROOM])
{
	if (!(digest[0] | digest[1]))
		return cell_none();
	fingerprint_text(digest[1], text);
	fingerprint_text(digest[0], text + FINGERPRINT_ROOM - 1);
	return cell_bytes(text, EXPORT_DIGEST_ROOM - 1);
}

struct cell export_url_cell(struct export *x, uint32_t id)
{
	struct store_page page;

	if (id == STORE_NO_PAGE || !store_page(x->store, id, &page))
		return cell_none();
	return cell_bytes(page.url, page.url_length);
}

struct cell export_hash_cell(uint64_t hash, char text[EXPORT_HASH_ROOM])
{
	return hash ? cell_bytes(fingerprint_text(hash, text), FINGERPRINT_ROOM - 1) : cell_none();
}

static int damaged(uint32_t id, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED, "the store is damaged: page %u cannot be read; see 'lycosa store verify'", id);
}

static int read_page(struct export *x, uint32_t id, struct export_page *p, struct err_note *why)
{
	p->id = id;
	if (!store_page(x->store, id, &p->page))
		return damaged(id, why);
	p->host = store_host_name(x->store, p->page.host);
	p->has_result = store_result(x->store, id, &p->result);
	p->ending = ending_by(p->has_result ? &p->result : NULL, (enum outcome)x->facts.refusal[id]);
	return p->host ? 0 : damaged(id, why);
}

/* Ends the read transaction, so that the store keeps nothing for the export while the rows wait for their reader. */
static int end_batch(struct export *x, struct err_note *why)
{
	int err = store_let_go(x->store, why);

	if (!err)
		err = table_flush(x->out, why);
	if (x->progress)
		progress_tick(x->progress, x->looked_at, NULL);
	return err;
}

/* Returns the time of the last request for a page, visits after its crawl included; 0 if there was none. */
static int64_t last_request(const struct export *x, const struct export_page *p)
{
	const int64_t ended = p->has_result ? p->result.ended : 0;
	struct store_visited v;

	return x->facts.has_visits && store_visited(x->store, p->id, &v) && v.last > ended ? v.last : ended;
}

int export_each(struct export *x, int (*each)(struct export *, const struct export_page *, void *ctx, struct err_note *why),
	void *ctx, struct err_note *why)
{
	const uint32_t pages = store_pages(x->store);
	struct export_page p;
	int err = 0;

	x->rows = 0;
	for (uint32_t id = 0; id < pages && !err; id++) {
		err = read_page(x, id, &p, why);
		if (!err && export_filter_takes(x->filter, p.page.url, p.host, &p.ending, last_request(x, &p)))
			err = each(x, &p, ctx, why);
		x->looked_at++;
		if (!err && id % EXPORT_BATCH == EXPORT_BATCH - 1)
			err = end_batch(x, why);
	}
	return err ? err : end_batch(x, why);
}

void export_release(struct export *x)
{
	struct export_facts *f = &x->facts;

	free(f->refusal);
	free(f->is_seed);
	free(f->found_on);
	free(f->crawl_order);
	free(f->linked_from);
	free(f->links);
	free(f->made_up);
	rates_release(&f->rates);
	buf_release(&x->usage);
}
