#include "cli/crawl/crawl_lists.h"
#include "crawler/resume/resume.h"

#include <stdlib.h>

static int write_order(struct output *out, struct live *l, struct err_note *why)
{
	struct store *store = live_store(l);
	struct store_log_cursor *cursor = store_log_start(store);
	struct store_page page;
	struct log_entry e;
	uint32_t adopted = STORE_NO_PAGE;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0) {
		/* what another agent has crawled stands in its order */
		if (e.kind == LOG_ADOPTED)
			adopted = e.id;
		if (e.kind == LOG_CRAWLED && e.id != adopted && store_page(store, e.id, &page)) {
			output_text(out, page.url);
			output_text(out, "\n");
		}
	}
	store_log_stop(cursor);
	return err;
}

static int write_rejected(struct output *out, struct live *l, struct err_note *why)
{
	struct store *store = live_store(l);
	struct store_page page;
	uint8_t *refusal;
	int err = endings_refusals(store, &refusal, why);

	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		const struct ending e = ending_of(store, id, refusal);
		if (e.state != PAGE_REFUSED || !store_page(store, id, &page))
			continue;
		output_text(out, page.url);
		output_text(out, "\t");
		output_text(out, outcome_word(e.outcome));
		output_text(out, "\n");
	}
	free(refusal);
	return err;
}

int crawl_lists_open(struct crawl_lists *lists, const char *order, const char *rejected, struct err_note *why)
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
		err = write_rejected(rejected, l, why);
	}
	if (!err && rejected) {
		lists->rejected = NULL;
		err = output_close(rejected, why);
	}
	crawl_lists_abandon(lists);
	return err;
}

struct seed_endings {
	struct endings *endings;
	struct store *store;
	uint8_t *refusal;
};

static int add_seed(void *ctx, uint32_t id, struct err_note *why)
{
	const struct seed_endings *s = ctx;
	const struct ending e = ending_of(s->store, id, s->refusal);

	(void)why;
	endings_add(s->endings, &e);
	return 0;
}

void crawl_endings_add_seeds(struct endings *e, struct live *l)
{
	struct seed_endings s = {e, live_store(l), NULL};

	if (endings_refusals(s.store, &s.refusal, NULL) == 0)
		(void)!resume_seeds(s.store, add_seed, &s, NULL);
	free(s.refusal);
}
