#include "crawler/live_kept.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* the batch of a crawl that knows neither its total nor its budget */
#define LIVE_BATCH "1000"

static const struct {
	const char *name; /* in the store, and of the flag */
	size_t at;        /* in struct live_kept */
	enum { FIXED, SCOPE, POLICY } kind;
} rows[] = {
	{"policy", offsetof(struct live_kept, policy), POLICY},
	{"policy-opt", offsetof(struct live_kept, options), POLICY},
	{"batch", offsetof(struct live_kept, batch), FIXED},
	{"total", offsetof(struct live_kept, total), FIXED},
	{"rng-seed", offsetof(struct live_kept, rng_seed), FIXED},
	{"span-hosts", offsetof(struct live_kept, span_hosts), SCOPE},
	{"domains", offsetof(struct live_kept, domains), SCOPE},
	{"accept", offsetof(struct live_kept, accept), SCOPE},
	{"reject", offsetof(struct live_kept, reject), SCOPE},
	{"accept-regex", offsetof(struct live_kept, accept_regex), SCOPE},
	{"reject-regex", offsetof(struct live_kept, reject_regex), SCOPE},
	{"no-parent", offsetof(struct live_kept, no_parent), SCOPE},
	{"max-depth", offsetof(struct live_kept, max_depth), SCOPE},
	{"normalise", offsetof(struct live_kept, normalise), FIXED},
	{"year", offsetof(struct live_kept, year), FIXED},
	{"accept-type", offsetof(struct live_kept, types), SCOPE},
	{"rules", offsetof(struct live_kept, rules), SCOPE},
	{"trap-opt", offsetof(struct live_kept, traps), SCOPE},
};

static const char **field(struct live_kept *k, size_t row)
{
	return (const char **)(void *)((char *)k + rows[row].at);
}

static const char *shown(const char *text)
{
	return *text ? text : "nothing";
}

/* Another value for a row. */
static void change(const char **value, const char *to, size_t row, struct buf *changes)
{
	if (strcmp(*value, to) == 0)
		return;
	free((char *)*value);
	*value = mem_text(to);
	buf_format(changes, "%s=%s\n", rows[row].name, to);
}

int live_kept_read(struct live_kept *kept, const struct live_kept *asked, struct store *store,
	const char *dir, struct buf *changes, struct buf *swap, struct err_note *why)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *given = *field((struct live_kept *)asked, i), **value = field(kept, i);
		const char *stored = store_get(store, rows[i].name);
		*value = mem_text(stored ? stored : "");
		struct buf *other = rows[i].kind == SCOPE    ? changes
				    : rows[i].kind == POLICY ? swap
							     : NULL;
		if (other)
			change(value, given ? given : "", i, other);
		else if (given && strcmp(given, *value) != 0)
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

static char *this_year(void)
{
	const time_t now = (time_t)(clock_read_ns(CLOCK_REALTIME) / 1000000000);
	struct buf text = BUF_EMPTY;
	struct tm tm;

	gmtime_r(&now, &tm);
	buf_format(&text, "%d", tm.tm_year + 1900);
	return buf_take(&text);
}

void live_kept_begin(struct live_kept *k, const struct live_kept *asked, uint64_t max_pages)
{
	char *batch = batch_of(asked, max_pages), *total = total_of(max_pages), *year = this_year();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *given = *field((struct live_kept *)asked, i), **value = field(k, i);
		const char *fallback = value == &k->policy     ? LIVE_POLICY
				       : value == &k->batch    ? batch
				       : value == &k->total    ? total
				       : value == &k->rng_seed ? "1"
				       : value == &k->year     ? year
							       : "";
		*value = mem_text(given ? given : fallback);
	}
	free(batch);
	free(total);
	free(year);
}

int live_kept_write(const struct live_kept *k, struct store *store, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof rows / sizeof *rows; i++)
		err = store_set(store, rows[i].name, *field((struct live_kept *)k, i), why);
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
