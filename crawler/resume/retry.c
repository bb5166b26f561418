#include "crawler/resume/retry.h"
#include "base/progress.h"
#include "crawler/network/net_source.h"
#include "crawler/source.h"
#include "storage/store.h"
#include "traps/traps.h"

const char *retry_reason_word(size_t i)
{
	static const char *const words[] = {"dns", "connect", "timeout", "5xx", "all", "private"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

unsigned retry_reasons_of(unsigned outcome, unsigned status)
{
	switch (outcome) {
	case OUTCOME_DNS:
	case OUTCOME_DNS_LATER:
		return RETRY_DNS | RETRY_ALL;
	case OUTCOME_CONNECT:
	case OUTCOME_NO_ROUTE:
		return RETRY_CONNECT | RETRY_ALL;
	case OUTCOME_TIMEOUT:
		return RETRY_TIMEOUT | RETRY_ALL;
	case OUTCOME_PRIVATE:
		return RETRY_PRIVATE;
	case OUTCOME_ROBOTS_ELSEWHERE:
		return RETRY_PRIVATE | RETRY_CONNECT | RETRY_ALL;
	case OUTCOME_STATUS:
		return status >= 500 || status == 429 ? RETRY_5XX | RETRY_ALL : 0;
	default:
		return outcome_has(outcome, TRAIT_AGAIN) ? RETRY_ALL : 0;
	}
}

/* Queues a page again. Its result stays, but for the state and the target. */
static int queue_again(struct store *store, struct frontier *f, struct knowledge *k, uint32_t id, struct result *result,
	struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_ADMITTED, .id = id};

	result->state = PAGE_QUEUED;
	result->target = STORE_NO_PAGE;
	TRY(store_put_result(store, id, result, why));
	TRY(store_log(store, &entry, why));
	TRY(knowledge_apply_entry(k, &entry, NULL, 0, why));
	frontier_seed(f, &id, 1);
	return 0;
}

int retry_failed(struct store *store, struct frontier *f, struct source *source, unsigned reasons, uint32_t *pages,
	struct err_note *why)
{
	struct knowledge *k = net_source_knowledge(source);
	struct result result;
	int err = 0;

	*pages = 0;
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		if (frontier_state(f, id) != PAGE_FAILED || !store_result(store, id, &result))
			continue;
		if (!(reasons & retry_reasons_of(result.outcome, result.status)))
			continue;
		err = queue_again(store, f, k, id, &result, why);
		*pages += !err;
	}
	return err;
}

int retry_skipped(struct store *store, struct frontier *f, struct source *source, uint32_t *pages, struct err_note *why)
{
	struct knowledge *k = net_source_knowledge(source);
	struct result result;
	int err = 0;

	*pages = 0;
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		if (frontier_state(f, id) != PAGE_REFUSED || knowledge_refusal(k, id) || !store_result(store, id, &result) ||
			!(outcome_is_skip(result.outcome) || result.outcome == OUTCOME_BUDGET))
			continue;
		err = queue_again(store, f, k, id, &result, why);
		*pages += !err;
	}
	return err;
}

static int expel(struct store *store, struct frontier *f, const struct log_entry *e, struct err_note *why)
{
	struct result result; /* keeps the number of earlier tries and what the last one has shown */

	if (!store_result(store, e->id, &result))
		result = (struct result){.tries = 0};
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

	if (state != PAGE_QUEUED && state != PAGE_REFUSED)
		return 0;
	if (!knowledge_judge_again(k, id, state, &verdict))
		return 0;
	const struct log_entry entry = {.kind = verdict ? LOG_EXPELLED : LOG_ADMITTED, .outcome = (uint8_t)verdict, .id = id};
	if (verdict)
		TRY(expel(store, f, &entry, why));
	TRY(store_log(store, &entry, why));
	TRY(knowledge_apply_entry(k, &entry, NULL, 0, why));
	if (!verdict)
		frontier_seed(f, &id, 1);
	return 0;
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

	TRY(store_log(store, &entry, why));
	for (uint32_t id = 0; id < k->n; id++)
		if (knowledge_host(k, id) == host)
			TRY(judge_page(store, f, k, id, why));
	return 0;
}
