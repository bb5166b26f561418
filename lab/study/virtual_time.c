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

/* A value, and the field that it goes to. */
struct part {
	enum { NOTHING, TIME, REAL, COUNT, BYTES } unit; /* TIME: ms; REAL and COUNT: from `least` to `most` */
	enum { AS_INT64, AS_UINT64, AS_UINT32, AS_DOUBLE } type;
	size_t at;
	double least, most;
};

#define AT(field)             offsetof(struct virtual_time, field)
#define TIME_AT(field)        TIME, AS_INT64, AT(field), 0, 0
#define REAL_AT(field, most)  REAL, AS_DOUBLE, AT(field), 0, most
#define COUNT_AT(field, most) COUNT, AS_UINT64, AT(field), 1, most
#define NONE                  NOTHING, AS_INT64, 0, 0, 0

/* The settings; `second` stands behind a colon. A spread is 0 unless it is given. */
static const struct row {
	const char *name;
	struct part first, second;
} rows[] = {
	{"delay", {TIME_AT(delay_ms)}, {NONE}},
	{"delay-factor", {REAL_AT(slow_factor, 1e6)}, {NONE}},
	{"jitter", {REAL_AT(jitter, 1e6)}, {NONE}},
	{"per-host", {COUNT_AT(per_host, UINT32_MAX)}, {NONE}},
	{"parallel", {COUNT_AT(parallel, PARALLEL_MAX)}, {NONE}},
	{"tries", {COUNT_AT(tries, 100)}, {NONE}},
	{"timeout", {TIME_AT(timeout_ms)}, {NONE}},
	{"latency", {TIME, AS_DOUBLE, AT(web.latency.median), 0, 0}, {REAL_AT(web.latency.spread, SPREAD_MAX)}},
	{"bandwidth", {BYTES, AS_DOUBLE, AT(web.bandwidth.median), 0, 0}, {REAL_AT(web.bandwidth.spread, SPREAD_MAX)}},
	{"size", {BYTES, AS_DOUBLE, AT(web.size.median), 0, 0}, {REAL_AT(web.size.spread, SPREAD_MAX)}},
	{"addresses", {COUNT, AS_UINT32, AT(web.addresses), 0, UINT32_MAX - 1.0}, {NONE}},
	{"crawl-delay", {REAL_AT(web.crawl_delay, 1)}, {TIME_AT(web.crawl_delay_ms)}},
	{"disallow", {REAL_AT(web.disallow, 1)}, {NONE}},
	{"dead", {REAL_AT(web.dead, 1)}, {NONE}},
	{"outage", {REAL_AT(web.outage, 1)}, {TIME_AT(web.outage_ms)}},
	{"change-rate", {REAL_AT(change_rate, CHANGE_RATE_MAX)}, {NONE}},
	{"snapshot", {TIME_AT(snapshot_ms)}, {NONE}},
	{"clock", {TIME_AT(clock_ms)}, {NONE}},
};
#define ROWS (sizeof rows / sizeof *rows)

static void put(struct virtual_time *m, const struct part *p, double x)
{
	void *at = (char *)m + p->at;

	if (p->type == AS_INT64)
		*(int64_t *)at = (int64_t)x;
	else if (p->type == AS_UINT64)
		*(uint64_t *)at = (uint64_t)x;
	else if (p->type == AS_UINT32)
		*(uint32_t *)at = (uint32_t)x;
	else
		*(double *)at = x;
}

/* Takes one value of a setting. */
static int take_part(struct virtual_time *m, const struct row *row, const struct part *p, const char *text, struct err_note *why)
{
	char wanted[64] = "a time such as 500ms or 2s";
	uint64_t count = 0;
	int64_t ms = 0;
	double x = 0;
	int is_wrong = 0;

	if (p->unit == TIME) {
		is_wrong = num_time(text, &ms) != 0;
		x = (double)ms;
	} else if (p->unit == BYTES) {
		is_wrong = num_bytes(text, &count) != 0;
		x = (double)count;
		ascii_format(wanted, sizeof wanted, "a number of bytes such as 12K");
	} else if (p->unit == COUNT) {
		is_wrong = num_count(text, (uint64_t)p->most, &count) || (double)count < p->least;
		x = (double)count;
		ascii_format(wanted, sizeof wanted, "a whole number from %.0f to %.0f", p->least, p->most);
	} else {
		is_wrong = num_real(text, &x) || !(x >= p->least && x <= p->most);
		ascii_format(wanted, sizeof wanted, "a number from 0 to %g", p->most);
	}
	if (is_wrong)
		return err_set(why, ERR_USAGE, "politeness '%s' takes %s, not '%s'", row->name, wanted, text);
	put(m, p, x);
	return 0;
}

/* Takes a value, and what stands behind a colon, or NULL. */
static int take_value(struct virtual_time *m, const struct row *row, const char *text, const char *second, struct err_note *why)
{
	if (second && row->second.unit == NOTHING)
		return err_set(why, ERR_USAGE, "politeness '%s' takes one value, but ':%s' was given", row->name, second);
	const int err = take_part(m, row, &row->first, text, why);
	if (err || (!second && row->second.unit != REAL))
		return err;
	return take_part(m, row, &row->second, second ? second : "0", why);
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
	AUTO(buf) faults = BUF_EMPTY;
	AUTO_FREE char *copy = mem_text(list);
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
	AUTO(buf) list = BUF_EMPTY;

	buf_text(&list, "store");
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		const char *text = store_get(s, settings[i].kept);
		if (text && *text)
			buf_format(&list, ",%s=%s", settings[i].name, text);
	}
	return virtual_time_give(m, list.at, why);
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
	TRY(dated_snapshots(path, &snapshot, &n, why));
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
