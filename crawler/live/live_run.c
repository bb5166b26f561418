#include "base/clock.h"
#include "crawler/live/live_archive.h"
#include "crawler/live/live_exec.h"
#include "crawler/live/live_memory.h"
#include "crawler/live/live_parts.h"
#include "crawler/live/live_scores.h"
#include "crawler/live/live_seed.h"
#include "crawler/network/net_source.h"
#include "crawler/observers/stop_when.h"
#include "crawler/resume/resume.h"

#include <assert.h>

/* Closes the archive, when nothing is in flight any more, unless another crawl has lent it. */
static int close_archive(struct live *l, struct err_note *why)
{
	struct warc *archive = l->archive;

	if (l->settings.shared)
		return 0;
	l->archive = NULL;
	return warc_close(archive, why);
}

int live_commit(struct live *l, struct err_note *why)
{
	return recorder_finish(&l->recorder, why);
}

/* Makes the schedule of visits of crawled pages, with --refresh. */
static int make_revisit(struct live *l, struct crawl *c, struct err_note *why)
{
	const struct revisit_settings s = {l->store, l->frontier, l->source, live_config_of(l)};
	int err = 0;

	if (!live_config_of(l)->refresh)
		return 0;
	err = revisit_new(&l->revisit, &s, why);
	if (!err)
		c->revisits = revisit_hooks(l->revisit);
	return err;
}

/* Fetches the requisites of the pages, unless the crawl was stopped. A stop that comes meanwhile stops the crawl. */
static int finish_requisites(struct live *l, struct crawl *c, struct err_note *why)
{
	const int err = c->end == CRAWL_STOPPED ? 0 : live_requisites_finish(l->requisites, why);

	l->summary.has_requisites = 1;
	live_requisites_count(l->requisites, &l->summary.requisites);
	if (l->summary.requisites.end == CRAWL_STOPPED)
		c->end = CRAWL_STOPPED;
	return err;
}

/* What a run adds to the crawl: its observers, and the parts that belong to some of them. */
struct run {
	struct observer observers[12 + LIVE_OBSERVERS];
	size_t n;
	struct stop_when stop_when;
	struct snapshot_keeper keeper;
};

static void observe(struct run *r, struct observer observer)
{
	assert(r->n < sizeof r->observers / sizeof *r->observers);
	r->observers[r->n++] = observer;
}

/* Fills in the observers in the sequence in which they hear of an event. The recorder comes behind archive and log: a page is
 * committed only after they have it, and an uncommitted page is fetched again. */
static void add_observers(struct live *l, struct run *r)
{
	const struct live_config *settings = live_config_of(l);

	observe(r, live_memory_observer());
	observe(r, live_policy_observer(&l->policy));
	observe(r, live_scores_observer(l->scorer));
	observe(r, live_exec_observer(l->runner));
	if (l->archive)
		observe(r, live_archive_observer(l->archive));
	for (size_t i = 0; i < l->n_observers; i++)
		observe(r, l->observers[i]);
	if (l->agent)
		observe(r, live_agent_observer(l->agent));
	if (l->requisites)
		observe(r, live_requisites_observer(l->requisites));
	if (!l->settings.shared)
		observe(r, live_seed_observer(l));
	recorder_init(&l->recorder, l->store, r->observers, r->n);
	observe(r, recorder_observer(&l->recorder));
	if (l->agent)
		observe(r, live_agent_after(l->agent));
	keeper_init(&r->keeper, &l->snapshots, l->store, l->frontier, net_source_knowledge(l->source), l->source, &l->recorder,
		settings->batch);
	observe(r, keeper_observer(&r->keeper));
	stop_when_init(&r->stop_when, settings->stop_when, l->store, l->frontier);
	if (settings->stop_when > 0)
		observe(r, stop_when_observer(&r->stop_when));
}

/* Crawls, leaves the other agents, fetches the remaining requisites, and closes the archive. */
static int run_to_end(struct live *l, struct run *r, struct crawl *c, struct err_note *why)
{
	int err = make_revisit(l, c, why);

	if (!err)
		err = crawl_run(c, why);
	if (!err)
		err = keeper_finish(&r->keeper, why);
	if (!err && l->agent)
		err = live_agent_leave(l->agent, why);
	if (!err && l->requisites)
		err = finish_requisites(l, c, why);
	return err ? err : close_archive(l, why);
}

int live_run(struct live *l, struct err_note *why)
{
	const struct live_config *settings = live_config_of(l);
	struct run r = {.n = 0};
	struct crawl c = {.frontier = l->frontier,
		.source = l->source,
		.observers = r.observers,
		.max_pages = settings->max_pages,
		.max_time = settings->max_time,
		.max_bytes = settings->max_bytes,
		.stop = l->settings.stop,
		.paused = l->requisites ? live_requisites_paused(l->requisites) : l->settings.paused,
		.bytes_beside = l->requisites ? live_requisites_bytes(l->requisites) : NULL,
		.fleet = l->agent ? live_agent_fleet(l->agent) : NULL};
	struct frontier_counts before;
	const int64_t started = clock_ms();
	int err = l->settings.shared ? 0 : live_seed_check_private(l, why);

	if (!err)
		err = store_log(l->store, &(struct log_entry){.kind = LOG_SITTING, .time = clock_wall_ms()}, why);
	if (err)
		return err;
	add_observers(l, &r);
	live_queue_seeds(l);
	c.n_observers = r.n;
	c.enough = settings->stop_when > 0 ? &r.stop_when.enough : NULL;
	frontier_count(l->frontier, &before);
	err = run_to_end(l, &r, &c, why);
	l->summary.end = c.end;
	l->summary.gain = r.stop_when.gain;
	l->summary.bytes_now = c.bytes;
	l->summary.ms = clock_ms() - started;
	if (l->revisit)
		revisit_count(l->revisit, &l->summary.visits);
	frontier_count(l->frontier, &l->summary.pages);
	l->summary.crawled_now = l->summary.pages.crawled - before.crawled;
	l->summary.seeds = l->summary.seeds_failed = 0;
	return err;
}

/* --- what came of it */

static int count_seed(void *ctx, uint32_t id, struct err_note *why)
{
	struct live *l = ctx;
	const enum page_state state = frontier_state(l->frontier, id);

	(void)why;
	l->summary.seeds++;
	l->summary.seeds_failed += state == PAGE_FAILED || state == PAGE_REFUSED;
	return 0;
}

void live_summary(struct live *l, struct live_summary *out)
{
	l->summary.seeds = l->summary.seeds_failed = 0;
	if (resume_seeds(l->store, count_seed, l, NULL) < 0)
		l->summary.seeds = 0;
	*out = l->summary;
}
