#include "cli/export/export.h"
#include "base/num.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct cell export_time_cell(int64_t ms, char text[EXPORT_TIME_ROOM])
{
	const time_t seconds = (time_t)(ms / 1000);
	struct tm tm;
	size_t n;

	if (ms <= 0 || !gmtime_r(&seconds, &tm) ||
		!(n = strftime(text, EXPORT_TIME_ROOM - 8, "%Y-%m-%dT%H:%M:%S", &tm)))
		return cell_none();
	n += (size_t)snprintf(text + n, EXPORT_TIME_ROOM - n, ".%03dZ", (int)(ms % 1000));
	return cell_text(text, n);
}

struct cell export_hash_cell(uint64_t hash, char text[EXPORT_HASH_ROOM])
{
	return hash ? cell_text(fingerprint_text(hash, text), FINGERPRINT_ROOM - 1) : cell_none();
}

static int damaged(uint32_t id, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED,
		"the store is damaged: page %u cannot be read; see 'lycosa store verify'", id);
}

static int read_page(struct export *x, uint32_t id, struct export_page *p, struct err_note *why)
{
	p->id = id;
	if (!store_page(x->store, id, &p->page))
		return damaged(id, why);
	p->host = store_host_name(x->store, p->page.host);
	p->has_result = store_result(x->store, id, &p->result);
	p->ending = ending_of(x->store, id, x->facts.refusal);
	return p->host ? 0 : damaged(id, why);
}

/* Nothing is held of the store while the rows wait for their reader. */
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
		if (!err && export_filter_takes(x->filter, p.page.url, p.host, &p.ending,
				    p.has_result ? p.result.time : 0))
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
