#include "frontier/frontier_internal.h"
#include "base/mem.h"
#include "base/paged.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the seed's stream for the rests of hosts */
#define JITTER_STREAM 0x6a69747465720000u

/* --- arrays by id */

/* Shows the arrays to the policies that see them. */
static void show_arrays(struct frontier *f)
{
	for (size_t i = 0; i < f->n_turns; i++) {
		struct policy_view *view = &f->lead[i].view;
		view->state = f->pages.state;
		view->ids = f->pages.n;
		view->found = view->sees & POLICY_NEEDS_FOUND ? f->pages.found : NULL;
		view->order = view->sees & POLICY_SEES_ORDER ? f->pages.order : NULL;
		view->host = view->sees & POLICY_SEES_HOSTS ? f->pages.host : NULL;
	}
}

void frontier_need_ids(struct frontier *f, uint32_t ids)
{
	struct pages *p = &f->pages;
	uint32_t want = p->n;

	if (ids <= p->n)
		return;
	while (want < ids)
		want = want < 1024 ? 1024 : want > UINT32_MAX / 2 ? UINT32_MAX : want * 2;
	if (!p->n)
		want = ids; /* the first time it is known how many */
	if (queue_fifo(&f->queue))
		fifo_need(queue_fifo(&f->queue), want);
	p->state = paged_grow(p->state, p->n, want, sizeof *p->state);
	p->ignored = paged_grow(p->ignored, pages_words(p->n), pages_words(want), sizeof *p->ignored);
	if (f->world.host)
		p->host = paged_grow(p->host, p->n, want, sizeof *p->host);
	if (f->world.defers)
		p->deferred = paged_grow(p->deferred, pages_words(p->n), pages_words(want), sizeof *p->deferred);
	if (f->queue.share.is_on)
		p->proven = paged_grow(p->proven, pages_words(p->n), pages_words(want), sizeof *p->proven);
	if (f->sees & POLICY_NEEDS_FOUND)
		p->found = paged_grow(p->found, p->n, want, sizeof *p->found);
	if (f->sees & POLICY_SEES_ORDER)
		p->order = paged_grow(p->order, p->n, want, sizeof *p->order);
	if (f->world.rank)
		f->queue.by.rank = p->rank = paged_grow(p->rank, p->n, want, sizeof *p->rank);
	rankers_grow(f->lead, f->n_turns, p->n, want, f->pages_kept);
	p->page = f->lead->call.page;
	p->n = want;
	show_arrays(f);
}

void frontier_need_pages(struct frontier *f)
{
	struct ranker *lead = f->lead;

	if (f->pages_kept == RANKER_PAGES)
		return;
	f->pages_kept = RANKER_PAGES;
	if (!f->pages.n)
		return;
	assert(queue_fifo(&f->queue)->tail == f->next_seq);
	f->pages.page = lead->call.page = paged_new(f->pages.n, sizeof *f->pages.page);
	fifo_make_pages(queue_fifo(&f->queue), queue_order(&f->queue), lead->policy->first_key);
	frontier_show_crawled(f);
	frontier_show_seen(f);
}

/* --- making and freeing */

static size_t no_links(void *ctx, uint32_t u, const uint32_t **out)
{
	(void)ctx;
	(void)u;
	*out = NULL;
	return 0;
}

/* Returns the options of one turn. `opts` has those of all turns. */
static struct opt_set opts_of_turn(const struct policy_turn *t, const struct opt_set *opts)
{
	return (struct opt_set){t->policy->opts, t->policy->opts ? opts->value + t->opts_at : NULL, t->policy->name};
}

/* Returns what the world can show a policy (bits of enum policy_sight). Finders and order come from the frontier itself. */
static unsigned sights_of(const struct frontier_world *w)
{
	return POLICY_SEES_FINDERS | (w->is_remote ? 0u : POLICY_SEES_ORDER) | (w->host ? POLICY_SEES_HOSTS : 0u) |
		(w->url ? POLICY_SEES_URLS : 0u) | (w->has_kinds ? POLICY_SEES_KINDS : 0u) | (w->score ? POLICY_SEES_SCORES : 0u) |
		(w->anchor ? POLICY_SEES_ANCHORS : 0u);
}

/* Refuses a plan with a policy that needs more. */
static int check_sights(struct plan plan, unsigned sights, struct err_note *why)
{
	const struct policy_turn *t = plan.turns, *end = t + plan.n;

	while (t < end && !(t->policy->needs & ~sights))
		t++;
	if (t == end)
		return 0;
	const struct policy *p = t->policy;
	const unsigned missing = p->needs & ~sights;
	return err_set(why, ERR_USAGE, "the policy '%s' needs the %s, and this crawl does not know them", p->name,
		missing & POLICY_SEES_ORDER             ? "order of all agents' pages"
			: missing & POLICY_SEES_HOSTS   ? "hosts of pages"
			: missing & POLICY_SEES_URLS    ? "URLs of pages"
			: missing & POLICY_SEES_KINDS   ? "kinds of links"
			: missing & POLICY_SEES_ANCHORS ? "anchor texts of links, which --keep-anchors keeps"
							: "scores of pages");
}

/* Makes a ranker for each turn of the plan. Returns 0 or the error of a policy's init. */
static int init_rankers(struct frontier *f, struct plan plan, const struct frontier_settings *s, struct err_note *why)
{
	const unsigned sights = sights_of(&f->world);
	struct policy_view view = {.total = s->total,
		.rng_seed = s->rng_seed,
		.oracle = s->oracle,
		.links_of = f->world.ctx,
		.links = f->world.links ? f->world.links : no_links,
		.row = f->world.row,
		.target = f->world.target,
		.url = f->world.url,
		.score = f->world.score,
		.anchor = f->world.anchor};
	int err = 0;

	schedule_begin(&view, s->batch, s->growth);
	f->lead = f->rankers = mem_zero(plan.n, sizeof *f->rankers);
	while (!err && f->n_turns < plan.n) {
		const struct policy_turn *t = &plan.turns[f->n_turns];
		const struct opt_set own = opts_of_turn(t, s->opts);
		view.sees = (t->policy->needs | t->policy->wants) & sights;
		f->sees |= view.sees;
		err = ranker_init(&f->rankers[f->n_turns++], t->policy, t->until, &own, &view, why);
	}
	return err;
}

/* Returns the states (bits of enum page_state) of pages that a link may change: new and outside pages, and queued ones if a
 * policy computes keys from links, or hosts have shares, which go by links. */
static unsigned heard_states(struct plan plan, const struct share *share)
{
	unsigned heard = 1u << PAGE_UNSEEN | 1u << PAGE_OUTSIDE | (share->is_on ? 1u << PAGE_QUEUED : 0);

	for (size_t i = 0; i < plan.n; i++)
		if (plan.turns[i].policy->crawled)
			heard |= 1u << PAGE_QUEUED;
	return heard;
}

/* Says whether pages are taken in the order of their discovery: no key is ever written, and there is one host. */
static int is_fifo(const struct frontier *f)
{
	const struct policy *p = f->lead->policy;

	return f->n_turns == 1 && !f->sees && !p->seed && !p->crawled && !p->rerank && !p->host_key && !f->world.host &&
		!f->world.defers && !f->world.rank;
}

int frontier_new(struct frontier **out, const struct frontier_settings *s, const struct frontier_world *world, struct err_note *why)
{
	const struct politeness politeness = {.delay = s->delay_ms,
		.in_flight = s->per_host,
		.slow_factor = s->slow_factor,
		.jitter = s->jitter,
		.rng = {s->rng_seed ^ JITTER_STREAM}};
	struct policy_turn only;
	const struct plan plan = policy_plan(s->policy, &only);

	assert(s->per_host >= 1);
	*out = NULL;
	if (s->policy->oracle && !s->oracle)
		return err_set(why, ERR_USAGE,
			"the policy '%s' looks at the whole graph, which no crawl has seen; 'lycosa replay' can", s->policy->name);
	int err = check_sights(plan, sights_of(world), why);
	if (err)
		return err;
	struct frontier *f = mem_zero(1, sizeof *f);
	f->world = *world;
	queue_init(&f->queue, &f->pages, &f->count, &politeness, s->rng_seed);
	share_init(&f->queue.share, world->host ? &s->budget : &(struct frontier_budget){0});
	f->pages.heard = heard_states(plan, &f->queue.share);
	f->queue.deferred_last = s->deferred_last;
	err = init_rankers(f, plan, s, why);
	f->sees |= world->rank ? POLICY_SEES_FINDERS : 0u; /* for the depths */
	f->queue.by.weight = world->weights;
	queue_set_policy(&f->queue, f->lead->policy, &f->lead->call);
	if (is_fifo(f))
		queue_use_fifo(&f->queue, f->lead->policy->first_key);
	f->pages_kept = queue_fifo(&f->queue) && !world->outside && !world->is_remote && !f->lead->policy->value ? RANKER_NO_PAGES
														 : RANKER_PAGES;
	frontier_need_ids(f, s->ids);
	if (err) {
		frontier_free(f);
		f = NULL;
	}
	*out = f;
	return err;
}

void frontier_free(struct frontier *f)
{
	if (!f)
		return;
	queue_release(&f->queue);
	for (size_t i = 0; i < f->n_turns; i++)
		ranker_release(&f->lead[i], f->pages.n);
	free(f->rankers);
	paged_free(f->pages.state, f->pages.n, sizeof *f->pages.state);
	paged_free(f->pages.ignored, pages_words(f->pages.n), sizeof *f->pages.ignored);
	paged_free(f->pages.host, f->pages.n, sizeof *f->pages.host);
	paged_free(f->pages.found, f->pages.n, sizeof *f->pages.found);
	paged_free(f->pages.order, f->pages.n, sizeof *f->pages.order);
	paged_free(f->pages.rank, f->pages.n, sizeof *f->pages.rank);
	paged_free(f->pages.proven, pages_words(f->pages.n), sizeof *f->pages.proven);
	paged_free(f->pages.deferred, pages_words(f->pages.n), sizeof *f->pages.deferred);
	free(f->targets);
	free(f->old_key);
	free(f);
}

void frontier_next_turn(struct frontier *f)
{
	struct ranker *old = f->lead, *next = old + 1;
	struct page *from = old->call.page, *to = next->call.page;

	assert(f->n_turns > 1);
	for (uint32_t id = 0; id < f->pages.n; id++) {
		assert(to[id].seq == from[id].seq);
		to[id].slot = from[id].slot;
	}
	ranker_look(next, &old->view);
	next->work.pages += old->work.pages;
	next->work.arcs += old->work.arcs;
	f->lead = next;
	f->n_turns--;
	f->pages.page = to;
	ranker_release(old, f->pages.n);
	queue_set_policy(&f->queue, next->policy, &next->call);
	if (!f->restoring)
		queue_rebuild(&f->queue);
}

/* --- restoring from a log */

void frontier_restore_begin(struct frontier *f)
{
	assert(!f->count.seen);
	frontier_need_pages(f);
	f->restoring = 1;
}

void frontier_restore_end(struct frontier *f)
{
	uint32_t *by_seq = paged_new(f->next_seq, sizeof *by_seq);
	const struct page *page = f->pages.page;

	assert(f->restoring);
	f->restoring = 0;
	memset(by_seq, 0xff, f->next_seq * sizeof *by_seq);
	for (uint32_t id = 0; id < f->pages.n; id++)
		if (f->pages.state[id] == PAGE_QUEUED && page[id].slot != SLOT_DELAYED)
			by_seq[page[id].seq] = id;
	for (uint32_t seq = 0; seq < f->next_seq; seq++)
		if (by_seq[seq] != UINT32_MAX)
			queue_push(&f->queue, by_seq[seq]);
	paged_free(by_seq, f->next_seq, sizeof *by_seq);
}

/* --- what can be asked */

void frontier_count(const struct frontier *f, struct frontier_counts *out)
{
	*out = f->count;
	out->given_up = f->queue.given_up;
	out->hosts_given_up = f->queue.hosts_given_up;
	out->spent = f->queue.spent;
	out->hosts_spent = f->queue.hosts_spent;
	out->hosts_held = f->queue.hosts.n_held;
	out->hosts_ready = f->queue.hosts.ready.n;
	out->hosts_waiting = f->queue.hosts.waiting.n + f->queue.hosts.behind;
}

void frontier_work(const struct frontier *f, struct frontier_work *out)
{
	const struct policy *p = f->lead->policy;
	const struct policy_work *own = &f->lead->work;
	uint64_t moves = 0;

	for (size_t h = 0; h < f->queue.hosts.n; h++) {
		const struct host_pages *of = &f->queue.of[h];
		moves += pile_moves(&of->prompt) + (of->deferred ? pile_moves(of->deferred) : 0);
	}
	*out = (struct frontier_work){.targets = f->n_targets,
		.key_updates = f->queue.key_updates,
		.heap_moves = moves,
		.ranked_pages = own->pages,
		.ranked_arcs = own->arcs,
		.taking_part = own->part          ? own->part
			: p->crawled || p->rerank ? f->count.queued
						  : 0};
}

const struct policy *frontier_policy(const struct frontier *f)
{
	return f->lead->policy;
}

const struct opt_set *frontier_opts(const struct frontier *f)
{
	return &f->lead->opts;
}

uint64_t frontier_batches(const struct frontier *f)
{
	struct policy_view view = f->lead->view;

	schedule_pass(&view, f->count.crawled + f->elsewhere.crawled);
	return view.batches;
}

uint64_t frontier_in_flight(const struct frontier *f)
{
	return f->count.in_flight + f->visits;
}

enum page_state frontier_state(const struct frontier *f, uint32_t id)
{
	const uint8_t state = id < f->pages.n ? f->pages.state[id] : PAGE_UNSEEN;

	return state == PAGE_OUTSIDE ? PAGE_REFUSED : (enum page_state)state;
}

double frontier_key(const struct frontier *f, uint32_t id)
{
	assert(frontier_state(f, id) != PAGE_UNSEEN);
	return f->pages.page ? f->pages.page[id].key : f->lead->policy->first_key;
}

double frontier_taken_value(const struct frontier *f, uint32_t id)
{
	const struct ranker *lead = f->lead;

	return lead->policy->value ? lead->policy->value(&lead->call, id) : f->queue.taken_key;
}

const char *frontier_chosen_by(const struct frontier *f, uint32_t id)
{
	const struct ranker *lead = f->lead;

	return lead->policy->chosen_by && frontier_state(f, id) != PAGE_UNSEEN ? lead->policy->chosen_by(&lead->call, id) : NULL;
}

int64_t frontier_next_time(const struct frontier *f)
{
	const struct queue *q = &f->queue;
	const struct heap *ready = &q->hosts.ready;

	/* the first host has deferred pages alone only where all ready hosts do */
	if (ready->n && (q->of[ready->at[0].id].prompt.n || !queue_deferred_wait(q)))
		return q->hosts.now;
	const double time = fmin(hosts_next_time(&q->hosts), heap_next_key(&q->delayed));
	return time < INFINITY ? (int64_t)time : FRONTIER_NEVER;
}

size_t frontier_soon(const struct frontier *f, uint32_t id[FRONTIER_SOON])
{
	const struct heap *ready = &f->queue.hosts.ready;
	size_t n = 0;

	if (ready->n == 1)
		return pile_soon(&f->queue.of[ready->at[0].id].prompt, id, FRONTIER_SOON);
	for (size_t i = 0; i < ready->n && i < FRONTIER_SOON; i++)
		n += pile_soon(&f->queue.of[ready->at[i].id].prompt, &id[n], 1);
	return n;
}

int frontier_is_fifo(const struct frontier *f)
{
	return queue_fifo(&f->queue) != NULL;
}
