#include "crawler/revisit/revisit.h"
#include "base/mem.h"
#include "crawler/observers/stop_when.h"
#include "crawler/revisit/change_history.h"
#include "refresh/rates.h"
#include "storage/visits.h"

#include <assert.h>
#include <stdlib.h>

/* the most visits of the budget that are saved up while no visit is due */
#define SAVED 20

struct revisit {
	struct crawl_revisits hooks;
	struct revisit_settings settings;
	struct schedule *schedule;
	float *importance; /* by id, n; of pages that are found later `unknown` */
	uint32_t n;
	float unknown;
	double gap;  /* ms of the budget that a visit takes; 0: there is no budget */
	double next; /* the time at which the budget has the next visit */
	struct revisit_counts counts;
};

/* --- importance */

/* Sets the importance of each page to its PageRank, scaled so that the mean of the crawled pages is 1. */
static void rank(struct revisit *r)
{
	double sum = 0, others = 0;
	uint64_t crawled = 0;
	AUTO_FREE double *value = store_pagerank(r->settings.store);

	for (uint32_t id = 0; id < r->n; id++) {
		const int is = frontier_state(r->settings.frontier, id) == PAGE_CRAWLED;
		*(is ? &sum : &others) += value[id];
		crawled += (uint64_t)is;
	}
	/* if no page is crawled, all pages keep the importance 1 */
	for (uint32_t id = 0; crawled && id < r->n; id++)
		r->importance[id] = (float)(value[id] * (double)crawled / sum);
	if (crawled && crawled < r->n)
		r->unknown = (float)(others / (double)(r->n - crawled) * (double)crawled / sum);
}

static double importance_of(const struct revisit *r, uint32_t id)
{
	return (double)(id < r->n ? r->importance[id] : r->unknown);
}

/* --- history */

static int read_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c, struct err_note *why)
{
	struct change_history *history = ctx;

	(void)why;
	change_history_visit(&history[id], v, c);
	return 0;
}

static uint32_t host_of(const struct revisit *r, uint32_t id)
{
	struct store_page page;

	return store_page(r->settings.store, id, &page) ? page.host : 0; /* 0: a damaged store */
}

/* Fills the schedule with the crawled pages, but for addresses that lycosa made up, and the history of their visits. Without
 * --forever, pages that were visited within
 * --older-than are left out. */
static int fill(struct revisit *r, struct err_note *why)
{
	const struct live_config *c = r->settings.config;
	struct store *s = r->settings.store;
	const int64_t now = r->settings.source->ops->now(r->settings.source);
	AUTO_FREE struct change_history *h = mem_zero((size_t)r->n + 1, sizeof *h);

	for (uint32_t id = 0; id < r->n; id++)
		if (frontier_state(r->settings.frontier, id) == PAGE_CRAWLED)
			change_history_crawled(&h[id], s, id);
	const int err = store_visits_each(s, read_visit, h, why);
	AUTO_FREE uint8_t *made_up = store_made_up(s);
	for (uint32_t id = 0; !err && id < r->n; id++) {
		if (frontier_state(r->settings.frontier, id) != PAGE_CRAWLED || made_up[id])
			continue;
		r->counts.pages++;
		if (!c->forever && h[id].last > now - c->older_than)
			continue;
		change_history_end(&h[id], s, id);
		schedule_add(r->schedule, id,
			&(struct schedule_page){.host = host_of(r, id),
				.importance = importance_of(r, id),
				.last = h[id].last,
				.changes = h[id].changes,
				.is_sitemap = c->follow_sitemaps && store_is_sitemap(s, id)});
	}
	return err;
}

/* --- turns */

static int64_t host_time(void *ctx, uint32_t id)
{
	const struct revisit *r = ctx;
	const int64_t now = r->settings.source->ops->now(r->settings.source);
	const int64_t at = frontier_visit_time(r->settings.frontier, now, id);

	return at >= FRONTIER_FOR_GOOD ? SCHEDULE_NEVER : at;
}

static void spend(struct revisit *r, int64_t now)
{
	const double earliest = (double)now - SAVED * r->gap;

	r->next = (r->next > earliest ? r->next : earliest) + r->gap;
}

/* Gives a visit back to the budget: its page was put back before it was requested. */
static void refund(struct revisit *r)
{
	r->next -= r->gap;
}

/* Says whether the best of the new pages is worth more than a visit of page `old`. */
static int is_better(const struct revisit *r, uint32_t fresh, uint32_t old, int64_t now)
{
	return schedule_worth_new(r->schedule, host_of(r, fresh), importance_of(r, fresh)) > schedule_worth(r->schedule, old, now);
}

/* Chooses between the best new page and the next page of the schedule (struct crawl_revisits). Takes a visit from the budget for
 * the latter. */
static enum crawl_turn turn(void *ctx, int64_t now, int may_take_new, uint32_t *id, int64_t *until)
{
	struct revisit *r = ctx;
	struct frontier *f = r->settings.frontier;
	const int64_t next_new = may_take_new ? frontier_next_time(f) : FRONTIER_NEVER;
	uint32_t fresh;

	if (r->gap > 0 && (double)now < r->next) {
		*until = (int64_t)r->next + 1;
		return CRAWL_WAIT;
	}
	const int has_old = schedule_next(r->schedule, now, host_time, r, id);
	const int has_new = next_new <= now && frontier_upcoming(f, &fresh, 1) == 1;
	if (has_new && (!has_old || is_better(r, fresh, *id, now)))
		return CRAWL_NEW;
	if (!has_old) {
		const int64_t next_old = schedule_time(r->schedule, now);
		*until = next_old < next_new ? next_old : next_new;
		*until = *until > now ? *until : now + 1;
		return CRAWL_WAIT;
	}
	frontier_visit(f, now, *id);
	schedule_out(r->schedule, *id);
	spend(r, now);
	return CRAWL_REVISIT;
}

static void taken(void *ctx, int64_t now)
{
	spend(ctx, now);
}

/* Returns the time of the page's last change, in ms since 1970, if the change that a visit has found is dated; else 0. */
static int64_t changed_at(const struct revisit *r, uint32_t id)
{
	struct store_visited v;
	struct store_change c;

	if (!store_visited(r->settings.store, id, &v) || !v.changes || !store_change(r->settings.store, id, v.changes - 1, &c))
		return 0;
	return c.modified * 1000;
}

static void count(struct revisit_counts *n, const struct result *e)
{
	n->same += e->visit == VISIT_SAME;
	n->changed += e->visit == VISIT_CHANGED;
	n->gone += e->visit == VISIT_GONE;
	n->moved += e->visit == VISIT_MOVED;
	n->failed += e->visit == VISIT_FAILED;
	n->fresh += e->n;
}

static void visited(struct revisit *r, const struct result *e)
{
	const enum schedule_found found = e->visit == VISIT_SAME ? SCHEDULE_SAME
		: e->visit == VISIT_FAILED                       ? SCHEDULE_FAILED
								 : SCHEDULE_CHANGED;

	if (e->visit == VISIT_PUT_BACK) {
		schedule_put_back(r->schedule, e->id, e->not_before > e->ended ? e->not_before : e->ended);
		refund(r);
		return;
	}
	count(&r->counts, e);
	schedule_visited(r->schedule, e->id, e->ended, found, found == SCHEDULE_CHANGED ? changed_at(r, e->id) : 0);
}

/* Notes the end of a visit or of a new page. A page that was put back returns its visit to the budget; under --forever, a crawled
 * page is added to the schedule. */
static void event(void *ctx, const struct result *e)
{
	struct revisit *r = ctx;

	if (e->n_claims)
		schedule_claims(r->schedule, host_of(r, e->id), e->claims, e->n_claims, e->ended);
	if (e->visit) {
		visited(r, e);
	} else if (e->state == PAGE_QUEUED) {
		refund(r);
	} else if (e->state == PAGE_CRAWLED) {
		r->counts.pages++;
		if (r->settings.config->forever)
			schedule_add(r->schedule, e->id,
				&(struct schedule_page){.host = host_of(r, e->id),
					.importance = importance_of(r, e->id),
					.last = e->ended});
	}
}

static int is_over(void *ctx)
{
	return schedule_is_over(((const struct revisit *)ctx)->schedule);
}

/* --- making and freeing */

/* Returns the visits per day: the budget, or, without one, as many as there are crawled pages. */
static double visits_of(const struct revisit *r)
{
	const uint64_t asked = r->settings.config->visits;
	uint64_t crawled = 0;

	for (uint32_t id = 0; id < r->n; id++)
		crawled += frontier_state(r->settings.frontier, id) == PAGE_CRAWLED;
	return asked ? (double)asked : (double)(crawled ? crawled : 1);
}

int revisit_new(struct revisit **out, const struct revisit_settings *settings, struct err_note *why)
{
	struct revisit *r = mem_zero(1, sizeof *r);
	const struct live_config *c = settings->config;

	*r = (struct revisit){.settings = *settings, .n = store_pages(settings->store), .unknown = 1};
	r->hooks = (struct crawl_revisits){.ctx = r, .turn = turn, .taken = taken, .event = event, .is_over = is_over};
	r->gap = c->visits ? SCHEDULE_DAY / (double)c->visits : 0;
	r->next = (double)settings->source->ops->now(settings->source);
	schedule_new(&r->schedule,
		&(struct schedule_settings){.how = (enum schedule_how)c->visit_order,
			.course = c->forever ? SCHEDULE_FOR_EVER : SCHEDULE_ROUND,
			.visits = visits_of(r),
			.least = c->older_than,
			.prior = RATES_PRIOR});
	r->importance = mem_new((size_t)r->n + 1, sizeof *r->importance);
	for (uint32_t id = 0; id < r->n; id++)
		r->importance[id] = 1;
	if (c->visit_worth == REVISIT_BY_RANK && r->n)
		rank(r);
	const int err = fill(r, why);
	if (err)
		revisit_free(r);
	*out = err ? NULL : r;
	return err;
}

void revisit_free(struct revisit *r)
{
	if (!r)
		return;
	schedule_free(r->schedule);
	free(r->importance);
	free(r);
}

struct crawl_revisits *revisit_hooks(struct revisit *r)
{
	return &r->hooks;
}

void revisit_count(const struct revisit *r, struct revisit_counts *out)
{
	*out = r->counts;
}
