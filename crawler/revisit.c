#include "crawler/revisit.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "storage/visits.h"

#include <assert.h>
#include <stdlib.h>

/* changes a day of a page of which nothing is known: one in a month */
#define PRIOR (1 / 30.0)

/* an idle budget is saved for so many visits, that a lull does not lose them */
#define SAVED 20

#define RANK_TOLERANCE 1e-6

struct revisit {
	struct crawl_again again;
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

/* The links of the crawled pages, as a graph of all pages. */
static void read_graph(struct store *s, struct graph *g)
{
	const uint32_t n = store_pages(s), *link;
	uint64_t *offset = mem_zero((size_t)n + 1, sizeof *offset), arcs = 0;
	size_t room = 0;
	uint32_t *target = mem_grow(NULL, &room, 1, sizeof *target);

	for (uint32_t u = 0; u < n; u++) {
		const size_t links = store_links(s, u, &link, NULL);
		target = mem_grow(target, &room, (size_t)arcs + links, sizeof *target);
		for (size_t i = 0; i < links; i++)
			if (link[i] < n)
				target[arcs++] = link[i];
		offset[u + 1] = arcs;
	}
	graph_take_rows(g, n, offset, target, 0);
}

/* The PageRank of all pages, 1 in the mean of the crawled ones. */
static void rank(struct revisit *r)
{
	struct pagerank p = PAGERANK_DEFAULT;
	struct graph g;
	double sum = 0, others = 0;
	uint64_t crawled = 0;
	double *value = mem_new(r->n, sizeof *value);

	read_graph(r->settings.store, &g);
	p.tolerance = RANK_TOLERANCE;
	pagerank(&g, &p, value);
	graph_release(&g);
	for (uint32_t id = 0; id < r->n; id++) {
		const int is = frontier_state(r->settings.frontier, id) == PAGE_CRAWLED;
		*(is ? &sum : &others) += value[id];
		crawled += (uint64_t)is;
	}
	/* without a crawled page all are worth the same, as they were to begin with */
	for (uint32_t id = 0; crawled && id < r->n; id++)
		r->importance[id] = (float)(value[id] * (double)crawled / sum);
	if (crawled && crawled < r->n)
		r->unknown = (float)(others / (double)(r->n - crawled) * (double)crawled / sum);
	free(value);
}

static double importance_of(const struct revisit *r, uint32_t id)
{
	return (double)(id < r->n ? r->importance[id] : r->unknown);
}

/* --- history */

struct history {
	struct revisit *r;
	struct schedule_page *page; /* by id */
	float *quiet;               /* by id: days in which the page has not changed */
};

static double days(double ms)
{
	return ms > 0 ? ms / SCHEDULE_DAY : 0;
}

static int read_visits(void *ctx, uint32_t id, const struct store_visited *v,
	const struct store_change *c, struct err_note *why)
{
	struct history *h = ctx;
	struct changes *to = &h->page[id].changes;

	(void)why;
	if (!c) {
		h->page[id].last = v->last;
		h->quiet[id] = (float)days((double)(v->last - v->first));
		return 0;
	}
	h->quiet[id] -= (float)days((double)(c->at - c->before));
	if (c->modified)
		changes_dated(to, days((double)(c->at - c->modified * 1000)));
	else
		changes_seen(to, days((double)(c->at - c->before)));
	return 0;
}

/* The days without a change, of a page that has more changes than are kept, but for those between the ones that are not. */
static void add_quiet(struct history *h, uint32_t id)
{
	struct store_visited v;
	double share = 1;

	if (store_visited(h->r->settings.store, id, &v) && v.changes > CHANGES_MOST)
		share = (double)CHANGES_MOST / v.changes;
	if (h->quiet[id] > 0)
		changes_same(&h->page[id].changes, share * (double)h->quiet[id]);
}

/* The crawl itself was a first visit; where the page said when it had changed before, that is known, too. */
static void read_crawl(struct history *h, uint32_t id)
{
	struct store *s = h->r->settings.store;
	struct schedule_page *page = &h->page[id];
	struct store_visited v;
	struct store_result result;

	if (!store_result(s, id, &result))
		return;
	page->last = result.time;
	const int is_undated = store_visited(s, id, &v) && v.is_undated;
	if (result.modified && !is_undated && result.modified * 1000 <= result.time)
		changes_dated(&page->changes, days((double)(result.time - result.modified * 1000)));
}

static uint32_t host_of(const struct revisit *r, uint32_t id)
{
	struct store_page page;

	return store_page(r->settings.store, id, &page) ? page.host : 0; /* 0: a damaged store */
}

static int fill(struct revisit *r, struct err_note *why)
{
	const struct live_config *c = r->settings.config;
	const int64_t now = r->settings.source->ops->now(r->settings.source);
	struct history h = {.r = r,
		.page = mem_zero((size_t)r->n + 1, sizeof *h.page),
		.quiet = mem_zero((size_t)r->n + 1, sizeof *h.quiet)};

	for (uint32_t id = 0; id < r->n; id++)
		if (frontier_state(r->settings.frontier, id) == PAGE_CRAWLED)
			read_crawl(&h, id);
	const int err = store_visits_each(r->settings.store, read_visits, &h, why);
	for (uint32_t id = 0; !err && id < r->n; id++) {
		if (frontier_state(r->settings.frontier, id) != PAGE_CRAWLED)
			continue;
		r->counts.pages++;
		if (!c->forever && h.page[id].last > now - c->older_than)
			continue;
		add_quiet(&h, id);
		h.page[id].host = host_of(r, id);
		h.page[id].importance = importance_of(r, id);
		schedule_add(r->schedule, id, &h.page[id]);
	}
	free(h.page);
	free(h.quiet);
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

/* A page was put back before it was asked for. */
static void refund(struct revisit *r)
{
	r->next -= r->gap;
}

/* Whether the best of the new pages is worth more than a visit of page `old`. */
static int is_better(const struct revisit *r, uint32_t fresh, uint32_t old, int64_t now)
{
	return schedule_worth_new(r->schedule, host_of(r, fresh), importance_of(r, fresh)) >
	       schedule_worth(r->schedule, old, now);
}

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
	return CRAWL_AGAIN;
}

static void taken(void *ctx, int64_t now)
{
	spend(ctx, now);
}

/* When the page changed last, if the change that a visit has found is dated; else 0. */
static int64_t changed_at(const struct revisit *r, uint32_t id)
{
	struct store_visited v;
	struct store_change c;

	if (!store_visited(r->settings.store, id, &v) || !v.changes ||
		!store_change(r->settings.store, id, v.changes - 1, &c))
		return 0;
	return c.modified * 1000;
}

static void count(struct revisit_counts *n, const struct event *e)
{
	n->same += e->visit == VISIT_SAME;
	n->changed += e->visit == VISIT_CHANGED;
	n->gone += e->visit == VISIT_GONE;
	n->moved += e->visit == VISIT_MOVED;
	n->failed += e->visit == VISIT_FAILED;
	n->fresh += e->n;
}

static void visited(struct revisit *r, const struct event *e)
{
	const enum schedule_found found = e->visit == VISIT_SAME     ? SCHEDULE_SAME
					  : e->visit == VISIT_FAILED ? SCHEDULE_FAILED
								     : SCHEDULE_CHANGED;

	if (e->visit == VISIT_PUT_BACK) {
		schedule_put_back(
			r->schedule, e->id, e->not_before > e->ended ? e->not_before : e->ended);
		refund(r);
		return;
	}
	count(&r->counts, e);
	schedule_visited(r->schedule, e->id, e->ended, found,
		found == SCHEDULE_CHANGED ? changed_at(r, e->id) : 0);
}

static void event(void *ctx, const struct event *e)
{
	struct revisit *r = ctx;

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

/* --- life and death */

/* Without a budget each page is visited once a day in the mean. */
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

	*r = (struct revisit){
		.settings = *settings, .n = store_pages(settings->store), .unknown = 1};
	r->again = (struct crawl_again){
		.ctx = r, .turn = turn, .taken = taken, .event = event, .is_over = is_over};
	r->gap = c->visits ? SCHEDULE_DAY / (double)c->visits : 0;
	r->next = (double)settings->source->ops->now(settings->source);
	schedule_new(
		&r->schedule, &(struct schedule_settings){.how = (enum schedule_how)c->visit_order,
				      .course = c->forever ? SCHEDULE_FOR_EVER : SCHEDULE_ROUND,
				      .visits = visits_of(r),
				      .least = c->older_than,
				      .prior = PRIOR});
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

struct crawl_again *revisit_again(struct revisit *r)
{
	return &r->again;
}

void revisit_count(const struct revisit *r, struct revisit_counts *out)
{
	*out = r->counts;
}
