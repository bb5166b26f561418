#include "crawler/record.h"
#include "base/clock.h"

/* A commit comes at the latest after a second, and may come after so many events, but no more than
 * a tenth of the time is spent in commits: a crash costs little, and the disk is not worn. */
#define COMMIT_EVENTS 32
#define COMMIT_MS     1000
#define COMMIT_SHARE  10

enum page_state event_state(enum event_kind kind)
{
	static const enum page_state state[] = {
		[EVENT_CRAWLED] = PAGE_CRAWLED,
		[EVENT_FAILED] = PAGE_FAILED,
		[EVENT_RETRY] = PAGE_QUEUED,
		[EVENT_REFUSED] = PAGE_REFUSED,
		[EVENT_REDIRECTED] = PAGE_REDIRECTED,
	};

	return state[kind];
}

enum log_kind event_log_kind(enum event_kind kind)
{
	static const enum log_kind log[] = {
		[EVENT_CRAWLED] = LOG_CRAWLED,
		[EVENT_FAILED] = LOG_FAILED,
		[EVENT_RETRY] = LOG_RETRY,
		[EVENT_REFUSED] = LOG_REFUSED,
		[EVENT_REDIRECTED] = LOG_REDIRECTED,
	};

	return log[kind];
}

static int commit(struct recorder *r, struct err_note *why)
{
	int64_t started = clock_ms();
	int err = store_commit(r->store, why);

	r->committed = clock_ms();
	r->cost = r->committed - started;
	r->pages = 0;
	return err;
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct recorder *r = ctx;

	(void)key;
	return store_log(r->store, &(struct log_entry){.kind = LOG_TAKE, .id = id}, why);
}

static int put_result(struct store *store, const struct event *e, struct err_note *why)
{
	struct store_result before = {0},
			    result = {
				    .state = (uint8_t)event_state(e->kind),
				    .error = (uint8_t)e->error,
				    .status = e->status,
				    .target =
					    e->kind == EVENT_REDIRECTED ? e->target : STORE_NO_PAGE,
				    .bytes = e->bytes,
				    .time = e->ended,
				    .digest = {e->digest[0], e->digest[1]},
				    .gist = e->gist,
				    .simhash = e->simhash,
				    .modified = e->validators.modified,
				    .etag = e->validators.etag,
				    .etag_length = e->validators.etag_length,
			    };

	store_result(store, e->id, &before);
	/* robots.txt is no try of the page */
	result.tries = before.tries + (e->error != FETCH_ROBOTS && e->error != FETCH_ABORTED &&
					      e->error != FETCH_ADDRESS);
	return store_put_result(store, e->id, &result, why);
}

static int event(void *ctx, const struct event *e, struct err_note *why)
{
	struct recorder *r = ctx;
	int64_t now = clock_ms();
	int err = put_result(r->store, e, why);

	if (!err && e->kind == EVENT_CRAWLED)
		err = store_put_links(r->store, e->id, e->links, e->kinds, e->n, why);
	if (!err)
		err = store_log(r->store,
			&(struct log_entry){.kind = event_log_kind(e->kind),
				.error = (uint8_t)e->error,
				.status = e->status,
				.id = e->id,
				.target = e->target,
				.time = e->not_before},
			why);
	for (size_t i = 0; !err && e->kind == EVENT_RETRY && i < e->n; i++)
		err = store_log(
			r->store, &(struct log_entry){.kind = LOG_SITEMAP, .id = e->links[i]}, why);
	r->pages++;
	if (!err && now - r->committed >=
			    (r->pages >= COMMIT_EVENTS ? COMMIT_SHARE * r->cost : COMMIT_MS))
		err = commit(r, why);
	return err;
}

static int idle(void *ctx, struct err_note *why)
{
	struct recorder *r = ctx;

	if (!r->pages || clock_ms() - r->committed < COMMIT_SHARE * (1 + r->cost))
		return 0;
	return commit(r, why);
}

void recorder_init(struct recorder *r, struct store *store)
{
	*r = (struct recorder){.store = store, .committed = clock_ms()};
}

struct observer recorder_observer(struct recorder *r)
{
	return (struct observer){r, taken, event, idle};
}

int recorder_finish(struct recorder *r, struct err_note *why)
{
	return commit(r, why);
}
