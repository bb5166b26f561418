#include "cli/export/export.h"
#include "base/num.h"

#include <string.h>
#include <time.h>

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
	return cell_text(text, sizeof form - 1);
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
	return cell_text(text, EXPORT_DIGEST_ROOM - 1);
}

struct cell export_url_cell(struct export *x, uint32_t id)
{
	struct store_page page;

	if (id == STORE_NO_PAGE || !store_page(x->store, id, &page))
		return cell_none();
	return cell_text(page.url, page.url_length);
}

struct cell export_hash_cell(uint64_t hash, char text[EXPORT_HASH_ROOM])
{
	return hash ? cell_text(fingerprint_text(hash, text), FINGERPRINT_ROOM - 1) : cell_none();
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

int export_each(struct export *x, int (*each)(struct export *, const struct export_page *, void *ctx, struct err_note *why),
	void *ctx, struct err_note *why)
{
	const uint32_t pages = store_pages(x->store);
	struct export_page p;
	int err = 0;

	x->rows = 0;
	for (uint32_t id = 0; id < pages && !err; id++) {
		err = read_page(x, id, &p, why);
		if (!err && export_filter_takes(x->filter, p.page.url, p.host, &p.ending, p.has_result ? p.result.ended : 0))
			err = each(x, &p, ctx, why);
		x->looked_at++;
		if (!err && id % EXPORT_BATCH == EXPORT_BATCH - 1)
			err = end_batch(x, why);
	}
	return err ? err : end_batch(x, why);
}

void export_release(struct export *x)
{
	export_facts_release(&x->facts);
}
