#include "simweb/fault.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_MS     200
#define RETRY_AFTER 1
#define TIME_MAX    3600000 /* ms */

static const char *const names[FAULTS] = {
	[FAULT_404] = "404",
	[FAULT_500] = "500",
	[FAULT_503] = "503",
	[FAULT_BUSY] = "busy",
	[FAULT_REDIRECT] = "redirect",
	[FAULT_TRUNCATE] = "truncate",
	[FAULT_DROP] = "drop",
	[FAULT_TRANSIENT_500] = "transient-500",
	[FAULT_TRANSIENT_TRUNCATE] = "transient-truncate",
	[FAULT_TRANSIENT_DROP] = "transient-drop",
	[FAULT_SLOW] = "slow",
	[FAULT_GZIP] = "gzip",
};

static int unknown(const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (int i = FAULT_404; i < FAULTS; i++)
		nearest_try(name, names[i], &best, &distance);
	nearest_try(name, "seed", &best, &distance);
	return err_set(why, ERR_USAGE, "no fault '%s'; the nearest is '%s'", name, best);
}

static enum fault named(const char *name)
{
	int i = FAULT_404;

	while (i < FAULTS && strcmp(names[i], name) != 0)
		i++;
	return i < FAULTS ? (enum fault)i : FAULT_NONE;
}

int fault_is_name(const char *text)
{
	return strcmp(text, "seed") == 0 || named(text) != FAULT_NONE;
}

/* Takes the time behind the ':' of a fault: how slow an answer is, or after how long a 503 asks for a retry (in whole seconds,
 * rounded up).
 */
static int take_time(struct fault_settings *f, enum fault which, const char *text, struct err_note *why)
{
	int64_t ms;

	if (which != FAULT_SLOW && which != FAULT_503)
		return err_set(why, ERR_USAGE, "fault '%s' takes no time, but ':%s' was given", names[which], text);
	if (num_time(text, &ms) || ms > TIME_MAX)
		return err_set(why, ERR_USAGE, "fault '%s': '%s' is no time up to 1h", names[which], text);
	if (which == FAULT_SLOW)
		f->slow_ms = ms;
	else
		f->retry_after = (ms + 999) / 1000;
	return 0;
}

/* Reads one item "name=share[:time]", whose text is cut up. */
static int take(struct fault_settings *f, char *item, struct err_note *why)
{
	char *value = strchr(item, '=');
	double share;

	if (!value)
		return err_set(why, ERR_USAGE, "fault '%s' is not of the form name=share", item);
	*value++ = 0;
	if (strcmp(item, "seed") == 0) {
		if (num_count(value, UINT64_MAX, &f->seed))
			return err_set(why, ERR_USAGE, "the seed of faults is a whole number, not '%s'", value);
		return 0;
	}
	enum fault which = named(item);
	if (which == FAULT_NONE)
		return unknown(item, why);
	char *time = strchr(value, ':');
	if (time)
		*time++ = 0;
	if (num_real(value, &share) || !(share >= 0 && share <= 1))
		return err_set(why, ERR_USAGE, "fault '%s' takes a share of the pages from 0 to 1, not '%s'", item, value);
	f->share[which] = share;
	return time ? take_time(f, which, time, why) : 0;
}

int fault_parse(struct fault_settings *f, const char *text, struct err_note *why)
{
	double sum = 0;
	int err = 0;

	*f = (struct fault_settings){.slow_ms = SLOW_MS, .retry_after = RETRY_AFTER};
	if (!text || !*text)
		return 0;
	char *copy = mem_text(text);
	for (char *item = copy, *next; item && !err; item = next) {
		next = strchr(item, ',');
		if (next)
			*next++ = 0;
		err = take(f, item, why);
	}
	free(copy);
	for (int i = FAULT_404; i <= FAULT_TRANSIENT_DROP; i++)
		sum += f->share[i];
	/* a sum such as .3 + .3 + .4 may round a little beyond 1 */
	if (!err && sum > 1 + 1e-9)
		err = err_set(why, ERR_USAGE,
			"faults of %g of the pages; those that exclude each other (404, 500, 503, busy, "
			"redirect, truncate, drop, and the transient ones) go up to 1 together",
			sum);
	return err;
}

void fault_describe(const struct fault_settings *f, struct buf *out)
{
	const char *comma = "";

	for (int i = FAULT_404; i < FAULTS; i++) {
		if (f->share[i] == 0)
			continue;
		buf_format(out, "%s%s=", comma, names[i]);
		opt_shortest(out, f->share[i]);
		if (i == FAULT_SLOW)
			buf_format(out, ":%lldms", (long long)f->slow_ms);
		if (i == FAULT_503)
			buf_format(out, ":%llds", (long long)f->retry_after);
		comma = ",";
	}
	if (*comma && f->seed)
		buf_format(out, "%sseed=%llu", comma, (unsigned long long)f->seed);
}

/* The streams of the seed. */
enum stream {
	STREAM_ANSWER = 0,
	STREAM_SLOW = 7,
	STREAM_GZIP = 8,
	STREAM_LENGTH = 9, /* of transient faults */
};

/* Returns the page's own random number of a stream. */
static double draw(const struct fault_settings *f, uint32_t page, enum stream which)
{
	struct rng streams = {f->seed + which};
	struct rng r = {rng_next(&streams) ^ page};

	return rng_unit(&r);
}

enum fault fault_answer(const struct fault_settings *f, uint32_t page)
{
	double at = draw(f, page, STREAM_ANSWER), end = 0;

	for (int i = FAULT_404; i <= FAULT_TRANSIENT_DROP; i++) {
		end += f->share[i];
		if (at < end)
			return (enum fault)i;
	}
	return FAULT_NONE;
}

enum fault fault_now(const struct fault_settings *f, uint32_t page, unsigned answers)
{
	static const enum fault looks[FAULTS] = {
		[FAULT_TRANSIENT_500] = FAULT_500,
		[FAULT_TRANSIENT_TRUNCATE] = FAULT_TRUNCATE,
		[FAULT_TRANSIENT_DROP] = FAULT_DROP,
	};
	const enum fault fault = fault_answer(f, page);

	if (fault == FAULT_503)
		return answers ? FAULT_NONE : FAULT_503;
	if (!looks[fault])
		return fault;
	return answers < (draw(f, page, STREAM_LENGTH) < 0.5 ? 1 : FAULT_MAX_PASSING) ? looks[fault] : FAULT_NONE;
}

int fault_passes(const struct fault_settings *f)
{
	return f->share[FAULT_503] > 0 || f->share[FAULT_TRANSIENT_500] > 0 || f->share[FAULT_TRANSIENT_TRUNCATE] > 0 ||
		f->share[FAULT_TRANSIENT_DROP] > 0;
}

int fault_extra(const struct fault_settings *f, uint32_t page, enum fault which)
{
	assert(which == FAULT_SLOW || which == FAULT_GZIP);
	return f->share[which] > 0 && draw(f, page, which == FAULT_SLOW ? STREAM_SLOW : STREAM_GZIP) < f->share[which];
}

uint16_t fault_status(enum fault fault)
{
	switch (fault) {
	case FAULT_404:
		return 404;
	case FAULT_500:
		return 500;
	case FAULT_503:
	case FAULT_BUSY:
		return 503;
	case FAULT_REDIRECT:
		return 302;
	case FAULT_DROP:
		return 0;
	default:
		return 200;
	}
}
