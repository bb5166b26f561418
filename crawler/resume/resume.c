#include "crawler/resume/resume.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/paged.h"
#include "crawler/crawl.h"
#include "crawler/agent/live_agent.h"
#include "crawler/network/net_source.h"
#include "crawler/observers/record.h"
#include "crawler/resume/snapshot.h"
#include "fetch/answer.h"
#include "frontier/snapshot.h"

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
	uint8_t *kinds;  /* of these links */
	size_t n_links, links_room, kinds_room;
	enum resume_purpose purpose;
	struct live_agent *agent; /* may be NULL */
	struct snapshot snapshot;
	struct progress *progress;         /* may be NULL */
	const volatile sig_atomic_t *stop; /* may be NULL */
};

static int out_of_order(const struct log_entry *e, struct err_note *why)
{
	return err_set(why, ERR_DAMAGED,
		"the store's log is damaged: page %u has an event (%u) that cannot follow; see 'lycosa store verify'", e->id,
		(unsigned)e->kind);
}

static void queue_seeds(struct returning *r)
{
	if (r->n_seeds)
		frontier_seed(r->frontier, r->seeds, r->n_seeds);
	r->n_seeds = 0;
}

/* Reads the links of a page and their kinds into r. They are copied, since a policy may ask for links meanwhile, which moves
 * the store's arrays. */
static int read_links(struct returning *r, uint32_t id, struct err_note *why)
{
	const uint32_t *links;
	const uint8_t *kinds;

	r->n_links = store_links(r->store, id, &links, &kinds);
	for (size_t i = 0; i < r->n_links; i++)
		if (links[i] >= r->pages)
			return err_set(why, ERR_DAMAGED, "the store is damaged: page %u links to page %u of %u", id, links[i],
				r->pages);
	r->links = mem_grow(r->links, &r->links_room, r->n_links, sizeof *r->links);
	if (r->n_links)
		memcpy(r->links, links, r->n_links * sizeof *links);
	r->kinds = mem_grow(r->kinds, &r->kinds_room, r->n_links, sizeof *r->kinds);
	for (size_t i = 0; i < r->n_links; i++)
		r->kinds[i] = kinds ? kinds[i] : 0;
	return 0;
}

/* Applies an entry of the log to the frontier. Returns ERR_DAMAGED if the page is in a state in which the entry cannot occur. */
static int apply_entry(struct returning *r, const struct log_entry *entry, uint64_t at, struct err_note *why)
{
	const enum page_state state = entry->id < r->pages ? frontier_state(r->frontier, entry->id) : PAGE_UNSEEN;
	const struct places_freed *freed = r->knowledge->freed;
	struct result e;

	if (entry->kind == LOG_TAKE && state == PAGE_QUEUED) {
		frontier_retake(r->frontier, entry->id);
		return 0;
	}
	if ((entry->kind == LOG_REFUSED || entry->kind == LOG_EXPELLED) && state == PAGE_QUEUED) {
		frontier_refuse(r->frontier, entry->id);
		return 0;
	}
	const int is_heir = r->agent && agent_shares_is_heir(live_agent_moves(r->agent), entry->id);
	if ((state != PAGE_IN_FLIGHT && !is_heir) || !recorder_event_of(entry, r->now, &e) ||
		(e.state == PAGE_REDIRECTED && e.target >= r->pages))
		return out_of_order(entry, why);
	if (e.state == PAGE_CRAWLED) {
		e.links = r->links;
		e.kinds = r->kinds;
		e.n = r->n_links;
	}
	/* skipped pages that the event frees have LOG_ADMITTED entries of their own */
	e.freed = freed ? &(struct places_freed){.deferred = freed->deferred} : NULL;
	if (is_heir) {
		live_agent_inherit(r->agent, &e, at);
		return 0;
	}
	int err = r->agent ? live_agent_lands(r->agent, &e, at, why) : 0;
	if (!err)
		err = tell_frontier(r->frontier, &e);
	return err || !r->agent ? err : live_agent_landed(r->agent, why);
}

/* Applies a visit of a crawled page, which has discovered pages; the knowledge has them already. */
static int apply_visit(struct returning *r, const struct log_entry *e, struct err_note *why)
{
	if (frontier_state(r->frontier, e->id) != PAGE_CRAWLED)
		return out_of_order(e, why);
	r->links = mem_grow(r->links, &r->links_room, e->n_new, sizeof *r->links);
	for (uint32_t i = 0; i < e->n_new; i++)
		r->links[i] = e->first_new + i;
	frontier_learn(r->frontier, e->id, r->links, e->n_new);
	return 0;
}

/* Reads the knowledge from the snapshot, with the seeds of the entries that the snapshot has seen. Returns 1; 0 if that cannot be
 * done, and nothing has changed; or an error. */
static int load_knowledge(struct returning *r, struct err_note *why)
{
	const struct snapshot *s = &r->snapshot;
	const int loaded = s->bytes ? knowledge_load(r->knowledge, s->pages, s->knowledge, s->knowledge_n, why) : 0;

	for (size_t i = 0; loaded > 0 && i < s->n_seeds; i++)
		knowledge_add_seed(r->knowledge, s->seeds[i]);
	if (loaded > 0)
		log_detail("what is known of pages and traps is that of the snapshot, too");
	return loaded;
}

/* Loads the snapshot into the frontier. The caller has applied the entries before the snapshot to the knowledge. */
static void load_frontier(struct returning *r)
{
	const struct snapshot *s = &r->snapshot;

	frontier_load(r->frontier, r->now, r->now + ANSWER_MAX_DELAY, s->bytes, s->n);
}

/* Tells the frontier of an entry that the knowledge has. Seeds that follow one another are queued together. */
static int tell_frontier_of_entry(struct returning *r, const struct log_entry *e, uint64_t at, struct err_note *why)
{
	if ((e->kind == LOG_SEED || e->kind == LOG_SITEMAP) && e->id < r->pages) {
		r->seeds = mem_grow(r->seeds, &r->seeds_room, r->n_seeds + 1, sizeof *r->seeds);
		r->seeds[r->n_seeds++] = e->id;
		if (r->agent && e->kind == LOG_SITEMAP)
			agent_shares_queued(live_agent_moves(r->agent), e->id, at);
		return 0;
	}
	queue_seeds(r);
	switch (e->kind) {
	case LOG_SITTING:
	case LOG_POLICY:
	case LOG_SCOPE:
	case LOG_JUDGED:
		return 0;
	case LOG_VISITED:
		return apply_visit(r, e, why);
	case LOG_POSTED:
	case LOG_HEARD:
	case LOG_ELSEWHERE:
	case LOG_SHARES:
	case LOG_ADOPTED:
		return r->agent ? live_agent_entry(r->agent, e, at, why) : out_of_order(e, why);
	case LOG_ADMITTED:
		if (e->id >= r->pages)
			return out_of_order(e, why);
		frontier_seed(r->frontier, &e->id, 1); /* each alone, as in the crawl */
		if (r->agent)
			agent_shares_queued(live_agent_moves(r->agent), e->id, at);
		return 0;
	default:
		return apply_entry(r, e, at, why);
	}
}

/* Passes an entry to the knowledge, and to the frontier unless that is to be loaded with it. */
static int pass_entry(struct returning *r, const struct log_entry *e, uint64_t entries, struct err_note *why)
{
	r->n_links = 0;
	if (r->stop && *r->stop)
		return err_set(why, ERR_INTERRUPTED,
			"interrupted while coming back to where the crawl was; the same command goes on");
	if (r->progress && entries % 1024 == 0)
		progress_tick(r->progress, entries, NULL);
	int err = paged_settle(why);
	if (!err && e->kind == LOG_CRAWLED)
		err = read_links(r, e->id, why);
	if (!err)
		err = knowledge_apply_entry(r->knowledge, e, r->links, r->n_links, why);
	return err || entries < r->snapshot.entries ? err : tell_frontier_of_entry(r, e, entries, why);
}

static int read_log(struct returning *r, struct err_note *why)
{
	const int loaded = load_knowledge(r, why);
	struct store_log_cursor *c = loaded > 0 ? snapshot_take_log(&r->snapshot) : store_log_start(r->store);
	uint64_t entries = loaded > 0 ? r->snapshot.entries : 0;
	struct log_entry e;
	int err = loaded < 0 ? loaded : 0;

	for (; !err && (err = store_log_next(c, &e, why)) > 0; entries++) {
		if (r->snapshot.bytes && entries == r->snapshot.entries)
			load_frontier(r);
		err = pass_entry(r, &e, entries, why);
	}
	store_log_stop(c);
	if (!err && r->snapshot.bytes && entries == r->snapshot.entries)
		load_frontier(r);
	if (!err)
		queue_seeds(r);
	return err;
}

/* Queues the pages that were in flight at the end of the log again, with a LOG_REQUEUED entry for each, unless the crawl is only
 * viewed. */
static int queue_flights_again(struct returning *r, struct err_note *why)
{
	for (uint32_t id = 0; id < r->pages; id++) {
		if (frontier_state(r->frontier, id) != PAGE_IN_FLIGHT)
			continue;
		const struct log_entry e = {.kind = LOG_REQUEUED, .outcome = OUTCOME_ABORTED, .id = id, .time = r->now};
		int err = r->purpose == RESUME_TO_CRAWL ? store_log(r->store, &e, why) : 0;
		if (!err)
			err = knowledge_apply_entry(r->knowledge, &e, NULL, 0, why);
		if (!err)
			err = apply_entry(r, &e, store_log_length(r->store), why);
		if (err)
			return err;
	}
	return 0;
}

int resume_from_log(struct store *store, const struct snapshot_place *place, struct frontier *frontier, struct source *source,
	enum resume_purpose purpose, struct live_agent *agent, struct progress *progress, const volatile sig_atomic_t *stop,
	struct err_note *why)
{
	struct returning r = {.store = store,
		.frontier = frontier,
		.knowledge = net_source_knowledge(source),
		.now = source->ops->now(source),
		.pages = store_pages(store),
		.purpose = purpose,
		.agent = agent,
		.progress = progress,
		.stop = stop};

	if (progress)
		progress->total = store_log_length(store);

	if (!store_log_is_whole(store))
		return err_set(why, ERR_FILE,
			"the store has the first format, whose log does not tell the state of its crawl: export, rank "
			"and replay read its pages and links, and crawl --previous begins a crawl from it");
	frontier_restore_begin(frontier);
	int err = paged_settle(why);
	if (!err && place && place->dir && r.pages)
		err = snapshot_open(&r.snapshot, place, store, frontier, why);
	if (!err)
		err = read_log(&r, why);
	snapshot_close(&r.snapshot);
	if (!err && r.knowledge->n != r.pages)
		err = err_set(why, ERR_DAMAGED, "the store is damaged: of %u pages the log leads to %u; see 'lycosa store verify'",
			r.pages, r.knowledge->n);
	if (!err)
		err = queue_flights_again(&r, why);
	if (!err)
		frontier_restore_end(frontier);
	if (!err && agent)
		err = live_agent_resumed(agent, why);
	free(r.seeds);
	free(r.links);
	free(r.kinds);
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
