#include "crawler/resume.h"
#include "fetch/answer.h"
#include "base/mem.h"
#include "crawler/net_source.h"

#include <stdlib.h>
#include <string.h>

struct returning {
	struct store *store;
	struct frontier *frontier;
	struct knowledge *knowledge;
	int64_t now;
	uint32_t pages;
	uint32_t *seeds; /* read one behind the other, queued together */
	size_t n_seeds, seeds_room;
	uint32_t *links; /* of the page last crawled */
	size_t n_links, links_room;
	struct progress *progress;         /* may be NULL */
	const volatile sig_atomic_t *stop; /* may be NULL */
};

static int illegal(const struct log_entry *e, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED,
		"the store's log is damaged: page %u has an event (%u) that cannot follow; see 'lycosa store verify'",
		e->id, (unsigned)e->kind);
}

static void queue_seeds(struct returning *r)
{
	if (r->n_seeds)
		frontier_seed(r->frontier, r->seeds, r->n_seeds);
	r->n_seeds = 0;
}

/* The links of a page into r->links: a policy may ask for some meanwhile, which moves the store's
 * array. */
static int read_links(struct returning *r, uint32_t id, struct err_note *why)
{
	const uint32_t *links;
	const uint8_t *kinds;

	r->n_links = store_links(r->store, id, &links, &kinds);
	for (size_t i = 0; i < r->n_links; i++)
		if (links[i] >= r->pages)
			return err_set(why, ERR_DAMAGED,
				"the store is damaged: page %u links to page %u of %u", id,
				links[i], r->pages);
	r->links = mem_grow(r->links, &r->links_room, r->n_links, sizeof *r->links);
	if (r->n_links)
		memcpy(r->links, links, r->n_links * sizeof *links);
	return 0;
}

/* Pages that the one crawled last has freed; those that were skipped are admitted by entries of their own. */
static void promote(struct returning *r, const struct places_freed *freed)
{
	for (size_t i = 0; freed && i < freed->put_off.n; i++)
		if (frontier_state(r->frontier, freed->put_off.id[i]) == PAGE_QUEUED)
			frontier_promote(r->frontier, freed->put_off.id[i]);
}

/* How a flight ended, by the entry of the log; 0 where the entry tells of no end. */
static int end_of(const struct returning *r, const struct log_entry *e, struct frontier_end *end)
{
	static const uint8_t state[LOG_KINDS] = {[LOG_CRAWLED] = PAGE_CRAWLED,
		[LOG_FAILED] = PAGE_FAILED,
		[LOG_RETRY] = PAGE_QUEUED,
		[LOG_REFUSED] = PAGE_REFUSED,
		[LOG_REDIRECTED] = PAGE_REDIRECTED};
	/* a clock that was ahead when the log was written makes no page wait for longer */
	const int64_t latest = r->now + ANSWER_MAX_DELAY;
	const int is_put_off = e->kind == LOG_RETRY && e->outcome == OUTCOME_SUSPECT;

	*end = (struct frontier_end){.state = e->kind < LOG_KINDS ? state[e->kind] : PAGE_UNSEEN,
		.request =
			e->kind == LOG_REFUSED || is_put_off ? FRONTIER_NOT_ASKED : FRONTIER_ASKED,
		.at = r->now,
		.links = r->links,
		.n_links = r->n_links,
		.target = e->target,
		.not_before = is_put_off         ? 0
			      : e->time < latest ? e->time
						 : latest,
		.is_deferred = is_put_off};
	return end->state != PAGE_UNSEEN &&
	       (end->state != PAGE_REDIRECTED || end->target < r->pages);
}

/* What an event of the log does to the frontier, once it is known to be possible. */
static int apply(struct returning *r, const struct log_entry *e, struct err_note *why)
{
	enum page_state state = e->id < r->pages ? frontier_state(r->frontier, e->id) : PAGE_UNSEEN;
	struct frontier_end end;

	if (e->kind == LOG_TAKE && state == PAGE_QUEUED) {
		frontier_retake(r->frontier, e->id);
		return 0;
	}
	if ((e->kind == LOG_REFUSED || e->kind == LOG_EXPELLED) && state == PAGE_QUEUED) {
		frontier_refuse(r->frontier, e->id);
		return 0;
	}
	if (state != PAGE_IN_FLIGHT || !end_of(r, e, &end))
		return illegal(e, why);
	return frontier_ended(r->frontier, e->id, &end);
}

static int read_log(struct returning *r, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(r->store);
	struct log_entry e;
	uint64_t entries = 0;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		r->n_links = 0;
		if (r->stop && *r->stop) {
			err = err_set(why, ERR_INTERRUPTED,
				"interrupted while coming back to where the crawl was; the same command goes on");
			break;
		}
		if (r->progress && ++entries % 1024 == 0)
			progress_tick(r->progress, entries, NULL);
		err = e.kind == LOG_CRAWLED ? read_links(r, e.id, why) : 0;
		if (!err)
			err = know_entry(r->knowledge, &e, r->links, r->n_links, why);
		if (err < 0)
			break;
		if ((e.kind == LOG_SEED || e.kind == LOG_SITEMAP || e.kind == LOG_ADMITTED) &&
			e.id < r->pages) {
			r->seeds = mem_grow(
				r->seeds, &r->seeds_room, r->n_seeds + 1, sizeof *r->seeds);
			r->seeds[r->n_seeds++] = e.id;
			continue;
		}
		queue_seeds(r);
		if (e.kind == LOG_SESSION || e.kind == LOG_POLICY || e.kind == LOG_SCOPE ||
			e.kind == LOG_JUDGED)
			continue;
		const struct places_freed *freed = r->knowledge->freed;
		err = apply(r, &e, why);
		if (err)
			break;
		promote(r, freed);
	}
	store_log_stop(c);
	if (!err)
		queue_seeds(r);
	return err;
}

/* Pages in flight when the log broke off. */
static int land(struct returning *r, struct err_note *why)
{
	for (uint32_t id = 0; id < r->pages; id++) {
		if (frontier_state(r->frontier, id) != PAGE_IN_FLIGHT)
			continue;
		struct log_entry e = {
			.kind = LOG_RETRY, .outcome = OUTCOME_ABORTED, .id = id, .time = r->now};
		struct frontier_end end = {.state = PAGE_QUEUED, .at = r->now};
		int err = frontier_ended(r->frontier, id, &end);
		if (!err)
			err = store_log(r->store, &e, why);
		if (!err)
			err = know_entry(r->knowledge, &e, NULL, 0, why);
		if (err)
			return err;
	}
	return 0;
}

int resume(struct store *store, struct frontier *frontier, struct source *source,
	struct progress *progress, const volatile sig_atomic_t *stop, struct err_note *why)
{
	struct returning r = {.store = store,
		.frontier = frontier,
		.knowledge = net_source_knowledge(source),
		.now = source->ops->now(source),
		.pages = store_pages(store),
		.progress = progress,
		.stop = stop};

	if (progress)
		progress->total = store_log_length(store);

	frontier_restore_begin(frontier);
	int err = read_log(&r, why);
	if (!err && r.knowledge->n != r.pages)
		err = err_set(why, ERR_DAMAGED,
			"the store is damaged: of %u pages the log leads to %u; see 'lycosa store verify'",
			r.pages, r.knowledge->n);
	if (!err)
		err = land(&r, why);
	if (!err)
		frontier_restore_end(frontier);
	free(r.seeds);
	free(r.links);
	return err;
}

int resume_seeds(struct store *store, resume_seed_fn *tell, void *ctx, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(store);
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0)
		if (e.kind == LOG_SEED && (err = tell(ctx, e.id, why)) < 0)
			break;
	store_log_stop(c);
	return err;
}
