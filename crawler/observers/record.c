#include "crawler/observers/record.h"
#include "base/clock.h"
#include "crawler/network/net_visits.h"
#include "fetch/answer.h"

#include <assert.h>

/* With fewer than COMMIT_EVENTS events, the interval between two commits is COMMIT_MS. With more, it is COMMIT_SHARE times the
 * duration of the last commit, so that a fast disk commits often, and a slow disk spends no more than a tenth of the time in
 * commits. */
#define COMMIT_EVENTS 32
#define COMMIT_MS     1000
#define COMMIT_SHARE  10

/* With so many bytes there is a commit whatever it costs: they are in memory, and the duration of a commit grows with them
 * anyway. */
#define COMMIT_BYTES ((size_t)64 << 20)

/* Of scrubbing: the bytes of a step, the time between two steps, and between two rounds. */
#define SCRUB_BYTES    ((size_t)128 << 10)
#define SCRUB_MS       100
#define SCRUB_ROUND_MS 60000

/* The kind of the entry of an event, by the page's state after it; LOG_SITTING, which is 0: no event leaves the state. */
static const enum log_kind kind_of[PAGE_STATES] = {
	[PAGE_CRAWLED] = LOG_CRAWLED,
	[PAGE_FAILED] = LOG_FAILED,
	[PAGE_QUEUED] = LOG_REQUEUED,
	[PAGE_REFUSED] = LOG_REFUSED,
	[PAGE_REDIRECTED] = LOG_REDIRECTED,
};

static enum log_kind entry_kind(const struct result *e)
{
	assert(outcome_may_leave(e->outcome, e->state) && kind_of[e->state]);
	return kind_of[e->state];
}

int recorder_event_of(const struct log_entry *entry, int64_t now, struct result *e)
{
	/* a clock that was ahead when the log was written makes no page wait for longer */
	const int64_t latest = now + ANSWER_MAX_DELAY;
	unsigned state = 0;

	while (state < PAGE_STATES && (!kind_of[state] || kind_of[state] != entry->kind))
		state++;
	if (state == PAGE_STATES)
		return 0;
	*e = (struct result){.id = entry->id,
		.outcome = (enum outcome)entry->outcome,
		.state = (enum page_state)state,
		.status = entry->status,
		.target = entry->target,
		.not_before = entry->time < latest ? entry->time : latest,
		.started = now,
		.ended = now,
		.host_delay = -1};
	return 1;
}

static int commit(struct recorder *r, struct err_note *why)
{
	int64_t started = clock_ms();
	int err = 0;

	for (size_t i = 0; !err && i < r->n_before; i++)
		if (r->before[i].sync)
			err = r->before[i].sync(r->before[i].ctx, why);
	if (!err)
		err = store_commit(r->store, why);
	r->committed = clock_ms();
	r->cost = r->committed - started;
	r->pages = 0;
	return err;
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct recorder *r = ctx;

	(void)key;
	const char *rule = r->frontier ? frontier_chosen_by(r->frontier, id) : NULL;
	return store_log(r->store, &(struct log_entry){.kind = LOG_TAKE, .id = id, .text = rule}, why);
}

/* Writes the result of an event. Tries are counted over the whole crawl, so they are added to those of the former result. */
static int put_result(struct store *store, const struct result *e, struct err_note *why)
{
	struct result before, result = *e;

	result.tries = store_result(store, e->id, &before) ? before.tries : 0;
	result.tries += (uint32_t)outcome_has(e->outcome, TRAIT_TRY);
	if (e->state != PAGE_REDIRECTED && e->state != PAGE_REFUSED)
		result.target = STORE_NO_PAGE;
	return store_put_result(store, e->id, &result, why);
}

int recorder_put(struct store *store, const struct result *e, struct err_note *why)
{
	TRY(put_result(store, e, why));
	if (e->state == PAGE_CRAWLED)
		TRY(store_put_links(store, e->id, e->links, e->kinds, e->anchors, e->n, why));
	return store_log(store,
		&(struct log_entry){.kind = entry_kind(e),
			.outcome = (uint8_t)e->outcome,
			.status = e->status,
			.id = e->id,
			.target = e->target,
			.time = e->not_before + e->ahead},
		why);
}

/* Records an event, with entries for the sitemaps that it names and the skipped pages that it frees, and commits if it is time. */
static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct recorder *r = ctx;
	int64_t now = clock_ms();
	int err = e->visit ? net_visits_record(r->store, e, why) : recorder_put(r->store, e, why);

	for (size_t i = 0; !err && e->outcome == OUTCOME_SITEMAPS && i < e->n; i++)
		err = store_log(r->store, &(struct log_entry){.kind = LOG_SITEMAP, .id = e->links[i]}, why);
	for (size_t i = 0; !err && e->freed && i < e->freed->skipped.n; i++)
		err = store_log(r->store, &(struct log_entry){.kind = LOG_ADMITTED, .id = e->freed->skipped.id[i]}, why);
	r->pages++;
	const int64_t interval = r->pages >= COMMIT_EVENTS ? COMMIT_SHARE * r->cost : COMMIT_MS;
	if (!err && (now - r->committed >= interval || store_uncommitted(r->store) >= COMMIT_BYTES))
		err = commit(r, why);
	return err;
}

static int scrub(struct recorder *r, int64_t now, struct err_note *why)
{
	if (now < r->scrub_at)
		return 0;
	const int end = store_scrub(r->store, SCRUB_BYTES, why);
	r->scrub_at = now + (end ? SCRUB_ROUND_MS : SCRUB_MS);
	return end < 0 ? end : 0;
}

static int idle(void *ctx, struct err_note *why)
{
	struct recorder *r = ctx;
	const int64_t now = clock_ms();

	if (!r->pages || now - r->committed < COMMIT_SHARE * (1 + r->cost))
		return scrub(r, now, why);
	return commit(r, why);
}

void recorder_init(struct recorder *r, struct store *store, const struct frontier *frontier, const struct observer *before,
	size_t n_before)
{
	*r = (struct recorder){.store = store,
		.frontier = frontier,
		.before = before,
		.n_before = n_before,
		.committed = clock_ms()};
}

struct observer recorder_observer(struct recorder *r)
{
	return (struct observer){.ctx = r, .taken = taken, .event = event, .visit = event, .idle = idle};
}

int recorder_finish(struct recorder *r, struct err_note *why)
{
	return commit(r, why);
}
