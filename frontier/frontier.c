#include "frontier/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* the place of a page that scope refused, as against robots.txt */
#define PLACE_OUTSIDE (UINT32_MAX - 1)

/* the seed's stream for the delays of hosts */
#define JITTER_STREAM 0x6a69747465720000u

/* links ahead whose memory is fetched */
#define AHEAD 8

/* --- arrays by id */

void frontier_need_ids(struct frontier *f, uint32_t ids)
{
	uint32_t want = f->ids;

	if (ids <= f->ids)
		return;
	while (want < ids)
		want = want < 1024 ? 1024 : want > UINT32_MAX / 2 ? UINT32_MAX : want * 2;
	if (!f->ids)
		want = ids; /* the first time it is known how many */
	if (!f->is_plain)
		f->page = mem_big_grow(f->page, f->ids, want, sizeof *f->page);
	if (f->queue.is_ring)
		queue_need_ring(&f->queue, want);
	f->state = mem_big_grow(f->state, f->ids, want, sizeof *f->state);
	if (f->world.host)
		f->host_of = mem_big_grow(f->host_of, f->ids, want, sizeof *f->host_of);
	if (f->world.defers)
		f->is_late = mem_big_grow(f->is_late, f->ids, want, sizeof *f->is_late);
	if (f->policy->page_size)
		f->private = mem_big_grow(f->private, f->ids, want, f->policy->page_size);
	followers_grow(f->next, f->n_next, f->ids, want);
	f->ids = want;
	f->queue.page = f->call.page = f->page;
	f->queue.state = f->view.state = f->state;
	f->queue.host_of = f->host_of;
	f->queue.is_late = f->is_late;
	f->view.private_pages = f->private;
	f->view.ids = want;
}

/* --- life and death */

static size_t no_links(const void *ctx, uint32_t u, const uint32_t **out)
{
	(void)ctx;
	(void)u;
	*out = NULL;
	return 0;
}

int frontier_new(struct frontier **out, const struct frontier_settings *s,
	const struct frontier_world *world, struct err_note *why)
{
	const struct policy *chain = s->policy;
	const struct policy *p = chain->n_turns ? chain->turns[0].policy : chain;

	assert(s->batch >= 1 && s->per_host >= 1);
	*out = NULL;
	if (chain->oracle && !s->oracle)
		return err_set(why, ERR_USAGE,
			"the policy '%s' looks at the whole graph, which no crawl has seen; 'lycosa replay' can",
			chain->name);
	struct frontier *f = mem_zero(1, sizeof *f);
	f->policy = p;
	f->world = *world;
	f->call = (struct policy_call){
		.state = mem_zero(1, p->state_size), .view = &f->view, .why = why};
	f->view = (struct policy_view){.total = s->total,
		.batch = s->batch,
		.rng_seed = s->rng_seed,
		.opts = s->opts,
		.oracle = s->oracle,
		.work = &f->work,
		.links_of = world->ctx,
		.links = world->links ? world->links : no_links};
	/* keys that nobody ever writes leave the order of discovery: a ring will do */
	int is_ring = !p->seed && !p->crawled && !p->rerank && !p->host_key && !world->host &&
		      !chain->n_turns && !world->defers;
	queue_init(&f->queue, p->order, s->delay_ms, s->per_host);
	if (is_ring)
		queue_use_ring(&f->queue, p->first_key);
	f->is_plain = is_ring && !world->outside;
	f->queue.slow_factor = s->slow_factor;
	f->queue.jitter = s->jitter;
	f->queue.jitter_rng.state = s->rng_seed ^ JITTER_STREAM;
	f->queue.host_key = p->host_key;
	f->queue.call = &f->call;
	f->queue.count = &f->count;
	f->queue.draw_seed = s->rng_seed;
	int err = chain->n_turns ? frontier_chain(f, chain, s->opts, why) : 0;
	frontier_need_ids(f, s->ids);
	if (!err) {
		err = p->init ? p->init(&f->call) : 0;
		f->initialised = !err;
	}
	f->call.why = NULL;
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
	if (f->initialised && f->policy->done)
		f->policy->done(&f->call);
	queue_release(&f->queue);
	mem_big_free(f->page, f->ids, sizeof *f->page);
	mem_big_free(f->state, f->ids, sizeof *f->state);
	if (f->world.host)
		mem_big_free(f->host_of, f->ids, sizeof *f->host_of);
	if (f->world.defers)
		mem_big_free(f->is_late, f->ids, sizeof *f->is_late);
	if (f->policy->page_size)
		mem_big_free(f->private, f->ids, f->policy->page_size);
	frontier_unchain(f);
	free(f->call.state);
	free(f->targets);
	free(f->old_key);
	free(f);
}

/* --- discovery */

/* A page is queued, though not yet in the queue, and gets its host. */
static inline void admit(struct frontier *f, uint32_t id)
{
	if (f->host_of) {
		f->host_of[id] = f->world.host(f->world.ctx, id);
		queue_need_host(&f->queue, f->host_of[id]);
	}
	f->state[id] = PAGE_QUEUED;
	f->count.queued++;
	if (f->is_late)
		f->is_late[id] = 0;
}

/* A page unseen, or refused till now, gets its seq (F1). */
static inline void see(struct frontier *f, uint32_t id)
{
	if (f->state[id] == PAGE_REFUSED)
		f->count.refused--;
	else if (f->state[id] == PAGE_FAILED)
		f->count.failed--;
	else
		f->count.seen++;
	assert(f->next_seq < UINT32_MAX);
	if (!f->is_plain)
		f->page[id] = (struct page){f->policy->first_key, f->next_seq, 0};
	if (f->n_next)
		followers_see(f->next, f->n_next, id, f->next_seq);
	f->next_seq++;
	f->view.seen = f->count.seen;
}

/* A page that was just queued, though not yet in the queue, is deferred. */
static inline void set_late(struct frontier *f, uint32_t id)
{
	f->is_late[id] = 1;
	f->count.deferred++;
}

/* A page that a link or redirect has found is let in. */
static inline void let_in(struct frontier *f, uint32_t id)
{
	admit(f, id);
	if (f->world.defers && f->world.defers(f->world.ctx, id))
		set_late(f, id);
}

static inline int is_outside(const struct frontier *f, uint32_t id)
{
	return f->world.outside && f->world.outside(f->world.ctx, id);
}

/* An unseen page was found by a link: 1 where it is now queued, 0 where scope refuses it. */
static inline int discover(struct frontier *f, uint32_t id)
{
	see(f, id);
	if (is_outside(f, id)) {
		f->state[id] = PAGE_REFUSED;
		f->page[id].place = PLACE_OUTSIDE;
		f->count.refused++;
		return 0;
	}
	let_in(f, id);
	return 1;
}

/* A page that scope refused was found again: 1 where scope has changed its mind (a shorter way to
 * it was found), and it is now queued. */
static int rediscover(struct frontier *f, uint32_t id)
{
	if (f->page[id].place != PLACE_OUTSIDE || is_outside(f, id))
		return 0;
	see(f, id);
	let_in(f, id);
	return 1;
}

static inline void enqueue(struct frontier *f, uint32_t id)
{
	if (!f->restoring)
		queue_push(&f->queue, id);
}

static void need_targets(struct frontier *f, size_t n)
{
	size_t room = f->targets_room;

	f->targets = mem_grow(f->targets, &f->targets_room, n, sizeof *f->targets);
	f->old_key = mem_grow(f->old_key, &room, n, sizeof *f->old_key);
}

size_t frontier_seed(struct frontier *f, const uint32_t *ids, size_t n)
{
	size_t found = 0;

	need_targets(f, n);
	for (size_t i = 0; i < n; i++) {
		assert(ids[i] < UINT32_MAX);
		frontier_need_ids(f, ids[i] + 1);
		if (f->state[ids[i]] != PAGE_UNSEEN && f->state[ids[i]] != PAGE_REFUSED &&
			f->state[ids[i]] != PAGE_FAILED)
			continue;
		see(f, ids[i]);
		admit(f, ids[i]);
		f->targets[found++] = ids[i];
	}
	f->view.queued = f->count.queued;
	if (f->policy->seed && found)
		f->policy->seed(&f->call, f->targets, found);
	if (found)
		followers_seed(f->next, f->n_next, &f->view, f->targets, found);
	for (size_t i = 0; i < found; i++)
		enqueue(f, f->targets[i]);
	return found;
}

/* --- the arrows */

int frontier_take(struct frontier *f, int64_t now, uint32_t *id)
{
	if (!queue_take(&f->queue, now, id))
		return 0;
	assert(f->state[*id] == PAGE_QUEUED);
	frontier_goes_out(f, *id);
	return 1;
}

size_t frontier_take_run(struct frontier *f, int64_t now, uint32_t *ids, double *keys, size_t most)
{
	size_t n = queue_take_ring(&f->queue, now, ids, most);

	for (size_t i = 0; i < n; i++) {
		f->state[ids[i]] = PAGE_IN_FLIGHT;
		keys[i] = f->queue.taken_key;
	}
	f->count.queued -= n;
	f->count.in_flight += n;
	if (n) /* as many as can be */
		return n;
	while (n < most && frontier_take(f, now, &ids[n]))
		keys[n++] = f->queue.taken_key;
	return n;
}

static void back(
	struct frontier *f, uint32_t id, enum page_state state, enum queue_asked asked, int64_t now)
{
	assert(id < f->ids && f->state[id] == PAGE_IN_FLIGHT);
	f->state[id] = (uint8_t)state;
	f->count.in_flight--;
	queue_back(&f->queue, id, asked, now);
}

/* The same, to the queue. */
static void back_to_queue(struct frontier *f, uint32_t id, enum queue_asked asked, int64_t now)
{
	frontier_need_pages(f);
	back(f, id, PAGE_QUEUED, asked, now);
	f->count.queued++;
	if (f->is_late)
		f->count.deferred += f->is_late[id];
}

/* Sees the target of a link; whether it is queued now. */
static inline int reach(struct frontier *f, uint32_t v)
{
	if (v >= f->ids)
		frontier_need_ids(f, v + 1);
	if (f->state[v] == PAGE_UNSEEN)
		return discover(f, v);
	return f->state[v] == PAGE_QUEUED || (f->state[v] == PAGE_REFUSED && rediscover(f, v));
}

/* For a policy that does not look at links: queues the new targets. */
static void queue_new_targets(struct frontier *f, const uint32_t *links, size_t n)
{
	const unsigned may_be_new = 1u << PAGE_UNSEEN | 1u << PAGE_REFUSED;
	const uint8_t *state = f->state;
	uint32_t ids = f->ids;

	for (size_t i = 0; i < n; i++) {
		uint32_t v = links[i], seen = f->next_seq;
		if (v < ids && !(may_be_new >> state[v] & 1))
			continue;
		if (reach(f, v) && f->page[v].seq >= seen)
			enqueue(f, v);
		state = f->state;
		ids = f->ids;
	}
}

/* Gathers the targets that are queued, the new ones included. */
static size_t queued_targets(struct frontier *f, const uint32_t *links, size_t n)
{
	const struct heap *heap = f->host_of ? NULL : &f->queue.hosts[0].pages.top;
	size_t found = 0;

	need_targets(f, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t v = links[i];
		/* the state's byte and the page's line of what comes soon ... */
		if (i + AHEAD < n && links[i + AHEAD] < f->ids) {
			__builtin_prefetch(&f->state[links[i + AHEAD]]);
			__builtin_prefetch(&f->page[links[i + AHEAD]], 1);
		}
		if (!reach(f, v))
			continue;
		f->old_key[found] = f->page[v].key;
		f->targets[found++] = v;
		/* ... and its place in the heap, where requeue() will go */
		if (heap && f->page[v].place < heap->n)
			__builtin_prefetch(&heap->at[f->page[v].place], 1);
	}
	return found;
}

/* Puts the targets' keys into the queue, and the new ones with them. */
static void requeue(struct frontier *f, size_t n)
{
	if (f->restoring)
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t v = f->targets[i];
		if (f->page[v].seq >= f->view.new_seq)
			queue_push(&f->queue, v);
		else if (f->page[v].key != f->old_key[i])
			queue_rekey(&f->queue, v);
	}
}

static int is_due(const struct frontier *f)
{
	return f->policy->due ? f->policy->due(&f->call) : f->count.crawled % f->view.batch == 0;
}

/* u has n links, of which targets[found] are queued. */
static inline void tell_crawled(struct frontier *f, uint32_t u, size_t n, size_t found)
{
	f->n_targets += found;
	f->view.queued = f->count.queued;
	f->policy->crawled(&f->call, u, n, f->targets, found);
	requeue(f, found);
}

/* As long as others follow, who all want the targets, as the policy may or may not. */
static int chain_crawled(struct frontier *f, uint32_t u, const uint32_t *links, size_t n)
{
	size_t found = queued_targets(f, links, n);

	f->view.queued = f->count.queued;
	if (f->policy->crawled)
		tell_crawled(f, u, n, found);
	else
		requeue(f, found);
	return followers_crawled(f->next, f->n_next, &f->view, u, n, f->targets, found);
}

int frontier_crawled(struct frontier *f, uint32_t id, const uint32_t *links, size_t n, int64_t now)
{
	back(f, id, PAGE_CRAWLED, QUEUE_ASKED, now);
	f->view.crawled = ++f->count.crawled;
	f->view.new_seq = f->next_seq;
	if (f->is_plain) {
		frontier_queue_plain(f, links, n);
		return 0;
	}
	if (f->n_next) {
		int err = chain_crawled(f, id, links, n);
		if (err)
			return err;
	} else if (f->policy->crawled) {
		tell_crawled(f, id, n, queued_targets(f, links, n));
	} else {
		queue_new_targets(f, links, n);
		f->view.queued = f->count.queued;
	}
	if (f->policy->rerank && is_due(f)) {
		int changed = f->policy->rerank(&f->call);
		if (changed < 0)
			return changed;
		if (changed && !f->restoring)
			queue_rebuild(&f->queue);
	}
	while (f->until && f->count.crawled >= f->until)
		frontier_take_over(f);
	return 0;
}

void frontier_failed(struct frontier *f, uint32_t id, int64_t now)
{
	back(f, id, PAGE_FAILED, QUEUE_ASKED, now);
	f->count.failed++;
}

void frontier_retry(struct frontier *f, uint32_t id, int64_t not_before, int64_t now)
{
	back_to_queue(f, id, QUEUE_ASKED, now);
	/* while no queue is kept, what is still to come waits all the same */
	if (!f->restoring || not_before > now)
		queue_delay(&f->queue, id, not_before);
}

void frontier_put_back(struct frontier *f, uint32_t id, int64_t now)
{
	back_to_queue(f, id, QUEUE_NOT_ASKED, now);
	enqueue(f, id);
}

void frontier_redirected(struct frontier *f, uint32_t id, uint32_t target, int64_t now)
{
	size_t size = f->policy->page_size;

	frontier_need_pages(f);
	back(f, id, PAGE_REDIRECTED, QUEUE_ASKED, now);
	f->count.redirected++;
	frontier_need_ids(f, target + 1);
	if (f->state[target] == PAGE_UNSEEN
			? !discover(f, target)
			: f->state[target] != PAGE_REFUSED || !rediscover(f, target))
		return;
	f->page[target].key = f->page[id].key;
	f->page[target].seq = f->page[id].seq;
	if (size)
		memcpy(f->private + target * size, f->private + id * size, size);
	followers_redirected(f->next, f->n_next, id, target);
	if (f->is_late && f->is_late[id] && !f->is_late[target])
		set_late(f, target);
	enqueue(f, target);
}

void frontier_refuse(struct frontier *f, uint32_t id)
{
	frontier_need_pages(f);
	if (f->state[id] == PAGE_IN_FLIGHT) {
		back(f, id, PAGE_REFUSED, QUEUE_NOT_ASKED, f->queue.now);
	} else {
		assert(f->state[id] == PAGE_QUEUED);
		f->state[id] = PAGE_REFUSED;
		f->count.queued--;
		if (f->is_late)
			f->count.deferred -= f->is_late[id];
		if (!f->restoring)
			queue_drop(&f->queue, id);
	}
	f->page[id].place = 0;
	f->count.refused++;
}

/* --- time */

void frontier_host_news(struct frontier *f, uint32_t id, const struct frontier_host_news *news)
{
	const uint32_t host = f->host_of ? f->host_of[id] : 0;

	if (news->address != SERVER_NONE)
		queue_host_server(&f->queue, host, news->address);
	if (news->delay >= 0)
		queue_host_delay(&f->queue, host, news->delay);
	if (news->pause)
		queue_host_pause(&f->queue, host, news->pause);
	queue_took(&f->queue, news->took, news->hung);
}
