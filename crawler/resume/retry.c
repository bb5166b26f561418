#include "crawler/resume/retry.h"
#include "crawler/network/net_source.h"

const char *retry_reason_word(size_t i)
{
	static const char *const words[] = {"dns", "connect", "timeout", "5xx", "all", "private"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

/* Returns the bit of --retry-failed under which a failed page is tried again; 0 if it is not. */
static unsigned reason_of(const struct store_result *result)
{
	switch (result->outcome) {
	case OUTCOME_DNS:
	case OUTCOME_DNS_LATER:
		return RETRY_DNS;
	case OUTCOME_CONNECT:
	case OUTCOME_NO_ROUTE:
		return RETRY_CONNECT;
	case OUTCOME_TIMEOUT:
		return RETRY_TIMEOUT;
	case OUTCOME_PRIVATE:
		return RETRY_PRIVATE;
	case OUTCOME_STATUS:
		return result->status >= 500 || result->status == 429 ? RETRY_5XX : 0;
	default:
		return outcome_has(result->outcome, TRAIT_AGAIN) ? RETRY_ALL : 0;
	}
}

static int queue_again(
	struct store *store, struct frontier *f, struct knowledge *k, uint32_t id, struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_ADMITTED, .id = id};
	int err = store_log(store, &entry, why);

	if (!err)
		err = knowledge_apply_entry(k, &entry, NULL, 0, why);
	if (!err)
		frontier_seed(f, &id, 1);
	return err;
}

int retry_failed(struct store *store, struct frontier *f, struct source *source, unsigned reasons,
	uint32_t *pages, struct err_note *why)
{
	struct knowledge *k = net_source_knowledge(source);
	struct store_result result;
	int err = 0;

	*pages = 0;
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		if (frontier_state(f, id) != PAGE_FAILED || !store_result(store, id, &result))
			continue;
		const unsigned reason = reason_of(&result);
		if (!reason || !(reasons & (reason | RETRY_ALL)))
			continue;
		result.state = PAGE_QUEUED; /* the tries that it had stay counted */
		err = store_put_result(store, id, &result, why);
		if (!err)
			err = queue_again(store, f, k, id, why);
		*pages += !err;
	}
	return err;
}

int retry_skipped(
	struct store *store, struct frontier *f, struct source *source, struct err_note *why)
{
	struct knowledge *k = net_source_knowledge(source);
	int err = 0;

	for (uint32_t id = 0; !err && id < store_pages(store); id++)
		if (traps_kept(scope_traps(k->scope), id) == TRAPS_SKIP &&
			frontier_state(f, id) == PAGE_REFUSED)
			err = queue_again(store, f, k, id, why);
	return err;
}
