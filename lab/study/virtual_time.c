#include "lab/study/virtual_time.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "crawler/settings/live_config.h"
#include "graph/formats/dated.h"
#include "storage/store.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARALLEL_MAX    (1u << 24)
#define SPREAD_MAX      8
#define CHANGE_RATE_MAX 100000 /* a day, as of an endless web */

static const struct virtual_time defaults = {
	.jitter = LIVE_JITTER,
	.change_rate = -1,
	.web = {.latency = {200, 0.8},
		.bandwidth = {1 << 20, 1},
		.size = {12 << 10, 1.2},
		.crawl_delay_ms = 10000,
		.outage_ms = 600000},
};

enum kind {
	TIME,         /* int64_t, ms */
	FACTOR,       /* double, 0 to `most` */
	COUNT,        /* uint64_t, 1 to `most` */
	NUMBER,       /* uint32_t, 0 to `most` */
	SHARE,        /* double, 0 to 1 */
	SHARE_TIME,   /* SHARE, and behind a colon the int64_t at `second` */
	TIME_SPREAD,  /* struct spread, of ms */
	BYTES_SPREAD, /* struct spread, of bytes */
};

#define AT(field) offsetof(struct virtual_time, field)
static const struct row {
	const char *name;
	enum kind kind;
	size_t at, second;
	double most;
} rows[] = {
	{"delay", TIME, AT(delay_ms), 0, 0},
	{"delay-factor", FACTOR, AT(slow_factor), 0, 1e6},
	{"jitter", FACTOR, AT(jitter), 0, 1e6},
	{"per-host", COUNT, AT(per_host), 0, UINT32_MAX},
	{"parallel", COUNT, AT(parallel), 0, PARALLEL_MAX},
	{"tries", COUNT, AT(tries), 0, 100},
	{"timeout", TIME, AT(timeout_ms), 0, 0},
	{"latency", TIME_SPREAD, AT(web.latency), 0, 0},
	{"bandwidth", BYTES_SPREAD, AT(web.bandwidth), 0, 0},
	{"size", BYTES_SPREAD, AT(web.size), 0, 0},
	{"addresses", NUMBER, AT(web.addresses), 0, UINT32_MAX - 1.0},
	{"crawl-delay", SHARE_TIME, AT(web.crawl_delay), AT(web.crawl_delay_ms), 0},
	{"disallow", SHARE, AT(web.disallow), 0, 0},
	{"dead", SHARE, AT(web.dead), 0, 0},
	{"outage", SHARE_TIME, AT(web.outage), AT(web.outage_ms), 0},
	{"change-rate", FACTOR, AT(change_rate), 0, CHANGE_RATE_MAX},
	{"snapshot", TIME, AT(snapshot_ms), 0, 0},
	{"clock", TIME, AT(clock_ms), 0, 0},
};
#define ROWS (sizeof rows / sizeof *rows)

static int wrong(const struct row *row, const char *text, const char *wanted, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "politeness '%s' takes %s, not '%s'", row->name, wanted, text);
}

static int take_time(const struct row *row, const char *text, int64_t *ms, struct err_note *why)
{
	return num_time(text, ms) ? wrong(row, text, "a time such as 500ms or 2s", why) : 0;
}

static int take_real(const struct row *row, const char *text, double most, double *out, struct err_note *why)
{
	char wanted[64];

	if (!num_real(text, out) && *out >= 0 && *out <= most)
		return 0;
	ascii_format(wanted, sizeof wanted, "a number from 0 to %g", most);
	return wrong(row, text, wanted, why);
}

static int take_count(const struct row *row, const char *text, uint64_t least, uint64_t *out, struct err_note *why)
{
	char wanted[64];

	if (!num_count(text, (uint64_t)row->most, out) && *out >= least)
		return 0;
	ascii_format(wanted, sizeof wanted, "a whole number from %llu to %.0f", (unsigned long long)least, row->most);
	return wrong(row, text, wanted, why);
}

/* Takes "median" or "median, spread", a time or a number of bytes by the kind of the row. */
static int take_spread(const struct row *row, const char *text, const char *second, struct spread *out, struct err_note *why)
{
	uint64_t bytes = 0;
	int64_t ms = 0;
	int err = 0;

	if (row->kind == TIME_SPREAD)
		err = take_time(row, text, &ms, why);
	else if (num_bytes(text, &bytes))
		err = wrong(row, text, "a number of bytes such as 12K", why);
	if (err)
		return err;
	*out = (struct spread){row->kind == TIME_SPREAD ? (double)ms : (double)bytes, 0};
	return second ? take_real(row, second, SPREAD_MAX, &out->spread, why) : 0;
}

/* Takes a value, and what stands behind a colon, or NULL. */
static int take_value(struct virtual_time *m, const struct row *row, const char *text, const char *second, struct err_note *why)
{
	char *at = (char *)m + row->at;
	uint64_t count;
	int err;

	if (second && row->kind < SHARE_TIME)
		return err_set(why, ERR_USAGE, "politeness '%s' takes one value, but ':%s' was given", row->name, second);
	switch (row->kind) {
	case TIME:
		return take_time(row, text, (int64_t *)(void *)at, why);
	case FACTOR:
		return take_real(row, text, row->most, (double *)(void *)at, why);
	case COUNT:
		return take_count(row, text, 1, (uint64_t *)(void *)at, why);
	case NUMBER:
		err = take_count(row, text, 0, &count, why);
		if (!err)
			*(uint32_t *)(void *)at = (uint32_t)count;
		return err;
	case SHARE:
	case SHARE_TIME:
		err = take_real(row, text, 1, (double *)(void *)at, why);
		return err || !second ? err : take_time(row, second, (int64_t *)(void *)((char *)m + row->second), why);
	default:
		return take_spread(row, text, second, (struct spread *)(void *)at, why);
	}
}

static int unknown(const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < ROWS; i++)
		nearest_try(name, rows[i].name, &best, &distance);
	return err_set(why, ERR_USAGE, "no politeness '%s'; the nearest is '%s'", name, best);
}

/* Reads one item of --politeness; an item of --faults is added to `faults`. */
static int take(struct virtual_time *m, char *item, struct buf *faults, struct err_note *why)
{
	if (strcmp(item, "live") == 0 || strcmp(item, "store") == 0)
		return 0;
	char *value = strchr(item, '=');
	if (!value)
		return err_set(why, ERR_USAGE, "politeness '%s' is not of the form name=value", item);
	*value++ = 0;
	if (fault_is_name(item)) {
		buf_format(faults, "%s%s=%s", faults->used ? "," : "", item, value);
		return 0;
	}
	char *second = strchr(value, ':');
	if (second)
		*second++ = 0;
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(item, rows[i].name) == 0)
			return take_value(m, &rows[i], value, second, why);
	return unknown(item, why);
}

void virtual_time_init(struct virtual_time *m)
{
	*m = defaults;
	m->delay_ms = live_config_defaults.delay;
	m->timeout_ms = live_config_defaults.timeout;
	m->slow_factor = live_config_defaults.delay_factor;
	m->per_host = live_config_defaults.parallel_per_host;
	m->parallel = live_config_defaults.parallel;
	m->tries = live_config_defaults.tries;
}

void virtual_time_release(struct virtual_time *m)
{
	free(m->bytes);
	m->bytes = NULL;
}

int virtual_time_give(struct virtual_time *m, const char *list, struct err_note *why)
{
	struct buf faults = BUF_EMPTY;
	char *copy = mem_text(list);
	int err = 0;

	for (char *item = copy, *next; item && !err; item = next) {
		next = item + strcspn(item, ",+");
		next = *next ? next : NULL;
		if (next)
			*next++ = 0;
		err = take(m, item, &faults, why);
	}
	if (!err && faults.used) {
		err = fault_parse(&m->web.faults, faults.at, why);
		m->web.seed = m->web.faults.seed;
	}
	buf_release(&faults);
	free(copy);
	return err;
}

int virtual_time_parse(struct virtual_time *m, const char *list, struct err_note *why)
{
	virtual_time_init(m);
	return virtual_time_give(m, list, why);
}

int virtual_time_wants_store(const char *list)
{
	const size_t n = strcspn(list, ",+");

	if (n == strlen("store") && memcmp(list, "store", n) == 0)
		return 1;
	return list[n] && virtual_time_wants_store(list + n + 1);
}

/* Applies the settings that a store keeps of its crawl, as if they were given as a list. */
static int give_settings(struct virtual_time *m, struct store *s, struct err_note *why)
{
	static const struct {
		const char *kept, *name;
	} settings[] = {{"delay", "delay"}, {"delay-factor", "delay-factor"}, {"parallel-per-host", "per-host"},
		{"parallel", "parallel"}, {"tries", "tries"}, {"timeout", "timeout"}};
	struct buf list = BUF_EMPTY;

	buf_text(&list, "store");
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const char *text = store_get(s, settings[i].kept);
		if (text && *text)
			buf_format(&list, ",%s=%s", settings[i].name, text);
	}
	const int err = virtual_time_give(m, list.at, why);
	buf_release(&list);
	return err;
}

int virtual_time_from_store(struct virtual_time *m, const char *dir, const struct dataset *data, struct err_note *why)
{
	struct err_note missing; /* told when the data set was opened */
	enum store_rest rest;
	struct result result;
	struct store *s;
	int err = data->rest ? store_open_rest(&s, dir, &rest, &missing, why) : store_open(&s, dir, STORE_READ, why);

	if (err)
		return err;
	m->bytes = mem_zero(data->graph.nodes, sizeof *m->bytes);
	for (uint32_t u = 0; u < data->graph.nodes; u++)
		if (store_result(s, u, &result))
			m->bytes[u] = result.bytes;
	m->web.bytes = m->bytes;
	err = give_settings(m, s, why);
	return store_close(s, err, why);
}

/* Makes a web that changes once every `ms`, to the links of the next month of the file. */
static int by_month(struct changing **web, const struct dataset *data, const char *path, int64_t ms, struct err_note *why)
{
	struct graph *snapshot;
	size_t n;

	if (strcmp(data->format, "dated") != 0)
		return err_set(why, ERR_USAGE, "--politeness snapshot: '%s' is no list of links by month", path);
	if (ms < 1000)
		return err_set(why, ERR_USAGE, "--politeness snapshot: a month lasts 1s at least");
	const int err = dated_snapshots(path, &snapshot, &n, why);
	if (err)
		return err;
	if (snapshot[0].nodes != data->graph.nodes) {
		const uint32_t nodes = snapshot[0].nodes;
		for (size_t i = 0; i < n; i++)
			graph_release(&snapshot[i]);
		free(snapshot);
		return err_set(why, ERR_USAGE,
			"--politeness snapshot: the months have %u pages, and the graph has %u: give --urls or --hosts as long as the graph",
			nodes, data->graph.nodes);
	}
	*web = changing_series(snapshot, n, ms / 1000);
	return 0;
}

int changing_web(struct changing **web, const struct dataset *data, const char *path, const struct virtual_time *m,
	struct err_note *why)
{
	const double own = data->part ? data->part->web.changes : 0, rate = m->change_rate >= 0 ? m->change_rate : own;

	*web = NULL;
	if ((rate > 0 || m->snapshot_ms) && data->crawled)
		return err_set(why, ERR_USAGE,
			"--politeness: the pages of a store do not change; change-rate and snapshot are for graphs");
	if (m->snapshot_ms && m->change_rate > 0)
		return err_set(why, ERR_USAGE, "--politeness: a web changes by snapshot or by change-rate, not by both");
	if (m->snapshot_ms)
		return by_month(web, data, path, m->snapshot_ms, why);
	if (rate > 0)
		*web = data->part ? changing_endless(data->part, rate)
				  : changing_by_rate(&data->graph, data->names.host, rate, m->web.seed);
	return 0;
}
