/* What a store says, as text. */
#ifndef TESTS_TOLD_STORE_H
#define TESTS_TOLD_STORE_H

#include "base/buf.h"
#include "storage/store.h"
#include "storage/visits.h"

static inline int told_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c,
	struct err_note *why)
{
	(void)why;
	buf_format(ctx, "visits of %u: %u, now %d, change %d at %lld\n", id, v->visits, v->now, c ? c->now : -1,
		c ? (long long)c->at : 0);
	return 0;
}

static inline int told_line(void *ctx, const struct store_dump_line *line)
{
	buf_format(ctx, "%s %s %u %s\n", line->url, line->target ? line->target : "-", line->status,
		line->digest ? line->digest : "-");
	return 0;
}

static inline int told_log(struct store *s, struct buf *text, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	int got;

	while ((got = store_log_next(c, &e, why)) == 1)
		buf_format(text, "entry %d of %u, new %u+%u, %s\n", e.kind, e.id, e.first_new, e.n_new, e.text ? e.text : "-");
	store_log_stop(c);
	return got;
}

/* The dump, the log and the visits, from which a reader is told of every error. */
static inline int told_lists(struct store *s, struct buf *text, struct err_note *why)
{
	int err = store_dump_each(s, told_line, text, why);

	if (!err)
		err = told_log(s, text, why);
	return err ? err : store_visits_each(s, told_visit, text, why);
}

/* Every record by its number, also of those that the lists leave out. */
static inline void told_records(struct store *s, struct buf *text)
{
	struct store_page page;
	struct result r;
	const uint32_t *links;
	const uint8_t *kinds;
	uint32_t found;

	buf_format(text, "%u pages, %u hosts\n", store_pages(s), store_hosts(s));
	for (uint32_t id = 0; id < store_pages(s); id++) {
		if (store_page(s, id, &page))
			buf_format(text, "page %u %s %s %d %d %d\n", id, page.url, store_host_name(s, page.host), page.depth,
				page.refusal, store_find(s, page.url, page.url_length, &found) ? (int)found : -1);
		if (store_result(s, id, &r))
			buf_format(text, "result %u %d %d %d %u %lld %s\n", id, r.state, r.outcome, r.status, r.target,
				(long long)r.ended, r.title);
		const size_t n = store_links(s, id, &links, &kinds);
		for (size_t i = 0; i < n; i++)
			buf_format(text, "link %u %u %d\n", id, links[i], kinds ? kinds[i] : 0);
	}
}

#endif
