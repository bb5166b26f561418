#include "crawler/live_kept.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* the batch of a crawl that knows neither its total nor its budget */
#define LIVE_BATCH "1000"

static const struct {
	const char *name; /* in the store, and of the flag */
	size_t at;        /* in struct live_kept */
} rows[] = {
	{"policy", offsetof(struct live_kept, policy)},
	{"policy-opt", offsetof(struct live_kept, options)},
	{"batch", offsetof(struct live_kept, batch)},
	{"total", offsetof(struct live_kept, total)},
	{"rng-seed", offsetof(struct live_kept, rng_seed)},
	{"span-hosts", offsetof(struct live_kept, span_hosts)},
	{"domains", offsetof(struct live_kept, domains)},
	{"accept", offsetof(struct live_kept, accept)},
	{"reject", offsetof(struct live_kept, reject)},
	{"accept-regex", offsetof(struct live_kept, accept_regex)},
	{"reject-regex", offsetof(struct live_kept, reject_regex)},
	{"no-parent", offsetof(struct live_kept, no_parent)},
	{"max-depth", offsetof(struct live_kept, max_depth)},
};

static const char **field(struct live_kept *k, size_t row)
{
	return (const char **)(void *)((char *)k + rows[row].at);
}

static const char *shown(const char *text)
{
	return *text ? text : "nothing";
}

int live_kept_read(struct live_kept *kept, const struct live_kept *asked, struct store *store,
	const char *dir, struct err_note *why)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *given = *field((struct live_kept *)asked, i), **value = field(kept, i);
		const char *stored = store_get(store, rows[i].name);
		*value = mem_text(stored ? stored : "");
		if (given && strcmp(given, *value) != 0)
			return err_set(why, ERR_USAGE,
				"the crawl in '%s' was begun with --%s %s, not %s; leave it out, or use another --store",
				dir, rows[i].name, shown(*value), shown(given));
	}
	return 0;
}

static char *batch_of(const struct live_kept *asked, uint64_t max_pages)
{
	struct buf text = BUF_EMPTY;
	uint64_t pages = max_pages;

	if (asked->total)
		num_count(asked->total, UINT64_MAX, &pages);
	if (!pages)
		return mem_text(LIVE_BATCH);
	buf_format(&text, "%llu", (unsigned long long)(pages / 40 + (pages % 40 != 0)));
	return buf_take(&text);
}

static char *total_of(uint64_t max_pages)
{
	struct buf text = BUF_EMPTY;

	buf_format(&text, "%llu", (unsigned long long)max_pages);
	return buf_take(&text);
}

int live_kept_write(struct live_kept *k, const struct live_kept *asked, uint64_t max_pages,
	struct store *store, struct err_note *why)
{
	char *batch = batch_of(asked, max_pages), *total = total_of(max_pages);
	int err = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *given = *field((struct live_kept *)asked, i), **value = field(k, i);
		const char *fallback = value == &k->policy     ? LIVE_POLICY
				       : value == &k->batch    ? batch
				       : value == &k->total    ? total
				       : value == &k->rng_seed ? "1"
							       : "";
		*value = mem_text(given ? given : fallback);
		if (!err)
			err = store_set(store, rows[i].name, *value, why);
	}
	free(batch);
	free(total);
	return err;
}

void live_kept_complete(struct live_kept *k)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!*field(k, i))
			*field(k, i) = "";
}

void live_kept_release(struct live_kept *k)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		free((char *)*field(k, i));
}
