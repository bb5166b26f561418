#include "crawler/rescope.h"
#include "crawler/net_source.h"

static int expel(struct store *store, struct frontier *f, uint32_t id, struct err_note *why)
{
	struct store_result result = {.tries = 0};

	store_result(store, id, &result); /* what is known of earlier tries stays */
	result.state = PAGE_REFUSED;
	result.error = FETCH_SCOPE;
	result.target = STORE_NO_PAGE;
	result.etag_length = 0;
	frontier_refuse(f, id);
	return store_put_result(store, id, &result, why);
}

int rescope(struct store *store, struct frontier *f, struct source *source, const char *changes,
	struct progress *progress, struct err_note *why)
{
	struct log_entry entry = {.kind = LOG_SCOPE, .text = changes};
	int err = store_log(store, &entry, why);

	if (progress)
		progress->total = store_pages(store);
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		if (progress && id % 1024 == 0)
			progress_tick(progress, id, "scope changed: pages judged again");
		const enum page_state state = frontier_state(f, id);
		if (state != PAGE_QUEUED && state != PAGE_REFUSED)
			continue;
		entry = (struct log_entry){.kind = net_source_judge(source, id, state), .id = id};
		if (entry.kind == LOG_KINDS)
			continue;
		if (entry.kind == LOG_EXPELLED)
			err = expel(store, f, id, why);
		else
			frontier_seed(f, &id, 1);
		if (!err)
			err = store_log(store, &entry, why);
	}
	return err;
}
