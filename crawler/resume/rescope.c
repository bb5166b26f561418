#include "crawler/resume/rescope.h"
#include "crawler/network/net_source.h"
#include "traps/traps.h"

static int expel(struct store *store, struct frontier *f, const struct log_entry *e, struct err_note *why)
{
	struct result result = {.tries = 0};

	store_result(store, e->id, &result); /* keeps the number of earlier tries and what the last one has shown */
	result.state = PAGE_REFUSED;
	result.outcome = e->outcome;
	result.target = STORE_NO_PAGE;
	result.validators.etag_length = 0;
	frontier_refuse(f, e->id);
	return store_put_result(store, e->id, &result, why);
}

/* Judges one page again. If the verdict has changed, writes it into the log and applies it to the frontier and the knowledge. */
static int judge_page(struct store *store, struct frontier *f, struct knowledge *k, uint32_t id, struct err_note *why)
{
	const enum page_state state = frontier_state(f, id);
	enum outcome verdict;
	int err = 0;

	if (state != PAGE_QUEUED && state != PAGE_REFUSED)
		return 0;
	if (!knowledge_judge_again(k, id, state, &verdict))
		return 0;
	const struct log_entry entry = {.kind = verdict ? LOG_EXPELLED : LOG_ADMITTED, .outcome = (uint8_t)verdict, .id = id};
	if (verdict)
		err = expel(store, f, &entry, why);
	if (!err)
		err = store_log(store, &entry, why);
	if (!err)
		err = knowledge_apply_entry(k, &entry, NULL, 0, why);
	if (!err && !verdict)
		frontier_seed(f, &id, 1);
	return err;
}

int rescope_crawl(struct store *store, struct frontier *f, struct source *source, const char *changes, struct progress *progress,
	struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_SCOPE, .text = changes};
	struct knowledge *k = net_source_knowledge(source);
	int err = store_log(store, &entry, why);

	if (progress)
		progress->total = store_pages(store);
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		if (progress && id % 1024 == 0)
			progress_tick(progress, id, "scope changed: pages judged again");
		err = judge_page(store, f, k, id, why);
	}
	return err;
}

int rescope_host(struct store *store, struct frontier *f, struct source *source, uint32_t host, const char *changes,
	struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_SCOPE, .text = changes};
	struct knowledge *k = net_source_knowledge(source);
	int err = store_log(store, &entry, why);

	for (uint32_t id = 0; !err && id < k->n; id++)
		if (knowledge_host(k, id) == host)
			err = judge_page(store, f, k, id, why);
	return err;
}
