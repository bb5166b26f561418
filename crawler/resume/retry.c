#include "crawler/resume/retry.h"
#include "crawler/network/net_source.h"

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
	int err = store_put_result(store, id, result, why);
	if (!err)
		err = store_log(store, &entry, why);
	if (!err)
		err = knowledge_apply_entry(k, &entry, NULL, 0, why);
	if (!err)
		frontier_seed(f, &id, 1);
	return err;
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
			!outcome_is_skip(result.outcome))
			continue;
		err = queue_again(store, f, k, id, &result, why);
		*pages += !err;
	}
	return err;
}
