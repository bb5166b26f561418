#include "cli/crawl/crawl_lists.h"

/* What became of a page that scope did not refuse when it was found, by its last result. */
static const struct {
	enum fetch_error error;
	const char *reason;
} late[] = {{FETCH_BUDGET, "budget"}, {FETCH_TRAP, "trap"}, {FETCH_SCOPE, "scope"}};

#define REASONS (REFUSALS + sizeof late / sizeof *late + 1) /* the last: robots */

static const char *reason_name(size_t reason)
{
	return reason < REFUSALS      ? refusal_name((enum refusal)reason)
	       : reason + 1 < REASONS ? late[reason - REFUSALS].reason
				      : "robots";
}

/* Why a page is refused; REASONS where it is not. */
static size_t reason_of(struct live *l, uint32_t id, struct store_page *page)
{
	struct store *store = live_store(l);
	struct store_result result = {.error = 0};

	if (frontier_state(live_frontier(l), id) != PAGE_REFUSED || !store_page(store, id, page))
		return REASONS;
	const int has_result = store_result(store, id, &result) && result.state == PAGE_REFUSED;
	for (size_t i = 0; has_result && i < sizeof late / sizeof *late; i++)
		if (result.error == late[i].error)
			return REFUSALS + i;
	return page->refusal && page->refusal < REFUSALS && !has_result ? page->refusal
									: REASONS - 1;
}

static int write_order(struct output *out, struct live *l, struct err_note *why)
{
	struct store *store = live_store(l);
	struct store_log_cursor *cursor = store_log_start(store);
	struct store_page page;
	struct log_entry e;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0)
		if (e.kind == LOG_CRAWLED && store_page(store, e.id, &page)) {
			output_text(out, page.url);
			output_text(out, "\n");
		}
	store_log_stop(cursor);
	return err;
}

static void write_rejected(struct output *out, struct live *l)
{
	struct store_page page;

	for (uint32_t id = 0; id < store_pages(live_store(l)); id++) {
		const size_t reason = reason_of(l, id, &page);
		if (reason == REASONS)
			continue;
		output_text(out, page.url);
		output_text(out, "\t");
		output_text(out, reason_name(reason));
		output_text(out, "\n");
	}
}

int crawl_lists_open(
	struct crawl_lists *lists, const char *order, const char *rejected, struct err_note *why)
{
	int err = order ? output_open(&lists->order, order, why) : 0;

	return !err && rejected ? output_open(&lists->rejected, rejected, why) : err;
}

void crawl_lists_abandon(struct crawl_lists *lists)
{
	output_abandon(lists->order);
	output_abandon(lists->rejected);
	*lists = (struct crawl_lists){NULL, NULL};
}

int crawl_lists_write(struct crawl_lists *lists, struct live *l, struct err_note *why)
{
	struct output *order = lists->order, *rejected = lists->rejected;
	int err = order ? write_order(order, l, why) : 0;

	if (!err && order) {
		lists->order = NULL;
		err = output_close(order, why);
	}
	if (!err && rejected) {
		write_rejected(rejected, l);
		lists->rejected = NULL;
		err = output_close(rejected, why);
	}
	crawl_lists_abandon(lists);
	return err;
}

void crawl_rejected_count(
	struct live *l, void (*tell)(void *ctx, const char *reason, uint64_t n), void *ctx)
{
	uint64_t count[REASONS + 1] = {0};
	struct store_page page;

	for (uint32_t id = 0; id < store_pages(live_store(l)); id++)
		count[reason_of(l, id, &page)]++;
	for (size_t i = 0; i < REASONS; i++)
		if (count[i])
			tell(ctx, reason_name(i), count[i]);
}
