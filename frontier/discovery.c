/* Discovery: seeds, and the targets of links and redirects, are queued, and the hooks of the policies are called. */
#include "frontier/frontier_internal.h"

#include <assert.h>

void frontier_need_host(struct frontier *f, uint32_t host)
{
	struct frontier_manners manners;

	if (host >= f->queue.hosts.n)
		queue_need_host(&f->queue, host);
	for (; f->hosts_known <= host; f->hosts_known++)
		if (f->world.manners && f->world.manners(f->world.ctx, f->hosts_known, &manners))
			hosts_set_manners(&f->queue.hosts, f->hosts_known, &manners);
}

/* Makes a page PAGE_QUEUED and determines its host; frontier_enqueue() is still to be called. */
static inline void admit(struct frontier *f, uint32_t id)
{
	struct pages *p = &f->pages;

	if (p->host) {
		p->host[id] = f->world.host(f->world.ctx, id);
		if (p->host[id] >= f->hosts_known)
			frontier_need_host(f, p->host[id]);
		if (f->queue.share.is_on)
			share_meets(&f->queue.share, p->host[id]);
	}
	pages_set_state(p, id, PAGE_QUEUED);
	f->count.queued++;
	if (p->deferred)
		pages_set_deferred(p, id, 0);
}

/* Gives a page that is unseen, outside, refused or failed a new seq (F1), and takes it out of the count of its state. */
static inline void see(struct frontier *f, uint32_t id)
{
	const uint8_t state = f->pages.state[id];

	if (state == PAGE_REFUSED || state == PAGE_OUTSIDE)
		f->count.refused--;
	else if (state == PAGE_FAILED)
		f->count.failed--;
	else
		f->count.seen++;
	assert(f->next_seq < UINT32_MAX);
	if (f->pages_kept == RANKER_PAGES)
		rankers_see(f->lead, f->n_turns, id, f->next_seq);
	f->next_seq++;
	frontier_show_seen(f);
}

/* Admits a page that a link or redirect has found, deferred if the world says so. */
static inline void let_in(struct frontier *f, uint32_t id)
{
	admit(f, id);
	if (f->world.defers && f->world.defers(f->world.ctx, id))
		frontier_set_deferred(f, id);
}

static inline int is_outside(const struct frontier *f, uint32_t id)
{
	return f->world.outside && f->world.outside(f->world.ctx, id);
}

/* Makes an unseen page PAGE_REMOTE. It has no position in the order of discovery. */
static void see_remote(struct frontier *f, uint32_t id)
{
	f->pages.state[id] = PAGE_REMOTE;
	rankers_see(f->lead, f->n_turns, id, UINT32_MAX);
}

/* Discovers an unseen page. Returns 1 if it is queued now, or 0 if it is another agent's, or scope refuses it. */
static inline int discover(struct frontier *f, uint32_t id)
{
	if (f->world.is_remote && f->world.is_remote(f->world.ctx, id)) {
		see_remote(f, id);
		return 0;
	}
	see(f, id);
	if (is_outside(f, id)) {
		pages_set_state(&f->pages, id, PAGE_OUTSIDE);
		f->count.refused++;
		return 0;
	}
	let_in(f, id);
	return 1;
}

/* Handles an outside page that is found again. Returns 1 if scope now lets it in (a shorter path to it was found) and it is
 * queued, else 0. */
static int rediscover(struct frontier *f, uint32_t id)
{
	if (is_outside(f, id))
		return 0;
	see(f, id);
	let_in(f, id);
	return 1;
}

static inline void need_targets(struct frontier *f, size_t n)
{
	size_t room = f->targets_room;

	if (n <= room)
		return;
	f->targets = mem_grow(f->targets, &f->targets_room, n, sizeof *f->targets);
	f->old_key = mem_grow(f->old_key, &room, n, sizeof *f->old_key);
}

/* --- how pages are found */

/* Keeps how the new targets of page u were found. A target is new if it was discovered after the view's new_seq. */
static void keep_finder(struct frontier *f, uint32_t u, const uint32_t *links, const uint8_t *kinds, size_t n)
{
	const uint16_t depth = f->pages.found[u].depth;

	for (size_t i = 0; i < n; i++) {
		const uint32_t v = links[i];
		if (f->pages.state[v] != PAGE_QUEUED || f->pages.page[v].seq < f->lead->view.new_seq)
			continue;
		const struct policy_found how = {.finder = u,
			.link = (uint32_t)i,
			.when = (uint32_t)f->count.crawled,
			.depth = depth < UINT16_MAX ? (uint16_t)(depth + 1) : UINT16_MAX,
			.kind = kinds && f->sees & POLICY_SEES_KINDS ? kinds[i] : 0};
		frontier_set_found(f, v, &how);
	}
}

static void keep_seed(struct frontier *f, uint32_t id)
{
	frontier_set_found(f, id, &(struct policy_found){.finder = POLICY_NO_PAGE, .when = (uint32_t)f->count.crawled});
}

/* --- seeds */

static int may_be_seed(uint8_t state)
{
	return state == PAGE_UNSEEN || state == PAGE_REFUSED || state == PAGE_OUTSIDE || state == PAGE_FAILED;
}

size_t frontier_seed(struct frontier *f, const uint32_t *ids, size_t n)
{
	size_t found = 0;

	need_targets(f, n);
	for (size_t i = 0; i < n; i++) {
		assert(ids[i] < UINT32_MAX);
		frontier_need_ids(f, ids[i] + 1);
		const uint8_t state = f->pages.state[ids[i]];
		if (!may_be_seed(state))
			continue;
		if (state == PAGE_UNSEEN && f->world.is_remote && f->world.is_remote(f->world.ctx, ids[i])) {
			see_remote(f, ids[i]);
			continue;
		}
		if (f->pages.found && (state == PAGE_UNSEEN || state == PAGE_OUTSIDE))
			keep_seed(f, ids[i]);
		see(f, ids[i]);
		admit(f, ids[i]);
		if (f->queue.share.is_on && !f->count.crawled && !f->count.in_flight)
			share_starts(&f->queue.share, ids[i], f->pages.host[ids[i]]);
		f->targets[found++] = ids[i];
	}
	frontier_show_queued(f);
	for (size_t i = 0; found && i < f->n_turns; i++) {
		if (i)
			ranker_look(&f->lead[i], &f->lead->view);
		ranker_seeded(&f->lead[i], f->targets, found);
	}
	for (size_t i = 0; i < found; i++)
		frontier_enqueue(f, f->targets[i]);
	return found;
}

/* --- by links */

/* Notes that a further page leads to a page that was queued before, which is thereby proven (frontier/share.h). */
static inline void lead_again(struct frontier *f, uint32_t v)
{
	if (!f->pages.proven || pages_bit(f->pages.proven, v))
		return;
	f->pages.proven[v / 64] |= (uint64_t)1 << v % 64;
	share_proves(&f->queue.share, f->pages.host[v]);
	if (!f->restoring && f->queue.hosts.at[f->pages.host[v]].is_spent)
		queue_weigh_host(&f->queue, f->pages.host[v]);
}

/* Discovers the target of a link if it is new. Returns 1 if the target is queued now, else 0. */
static inline int reach(struct frontier *f, uint32_t v)
{
	const uint8_t state = f->pages.state[v];

	if (state == PAGE_UNSEEN)
		return discover(f, v);
	return state == PAGE_QUEUED || (state == PAGE_OUTSIDE && rediscover(f, v));
}

/* Writes those of n links that may change something into out[n], and fetches the memory of their targets. Returns their
 * number. Makes the arrays long enough for all links. Most links of a crawl lead to pages that are crawled, in no order
 * that a processor could guess: so the choice is made without a branch. */
static inline size_t choose_targets(struct frontier *f, const uint32_t *links, size_t n, uint32_t *out)
{
	const uint64_t *ignored = f->pages.ignored;
	uint32_t ids = f->pages.n;
	size_t chosen = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t v = links[i];
		if (v >= ids) {
			frontier_need_ids(f, v + 1);
			ignored = f->pages.ignored;
			ids = f->pages.n;
		}
		out[chosen] = v;
		chosen += ~ignored[v / 64] >> v % 64 & 1;
	}
	for (size_t i = 0; i < chosen; i++) {
		__builtin_prefetch(&f->pages.state[out[i]], 1);
		__builtin_prefetch(&f->pages.page[out[i]], 1);
	}
	return chosen;
}

/* Queues the new targets, for a policy without crawled(). */
static void queue_new_targets(struct frontier *f, const uint32_t *links, size_t n)
{
	need_targets(f, n);
	const size_t chosen = choose_targets(f, links, n, f->targets);
	for (size_t i = 0; i < chosen; i++) {
		const uint32_t v = f->targets[i];
		if (f->pages.state[v] == PAGE_QUEUED)
			lead_again(f, v);
		else if (reach(f, v))
			frontier_enqueue(f, v);
	}
}

/* Collects the targets that are queued now, new ones included, in f->targets. Returns their number. */
static size_t queued_targets(struct frontier *f, const uint32_t *links, size_t n)
{
	const struct heap *heap = f->pages.host ? NULL : &f->queue.of[0].prompt.top;
	size_t found = 0;

	need_targets(f, n);
	const size_t chosen = choose_targets(f, links, n, f->targets);
	for (size_t i = 0; i < chosen; i++) {
		const uint32_t v = f->targets[i];
		if (!reach(f, v))
			continue;
		if (f->pages.page[v].seq < f->lead->view.new_seq)
			lead_again(f, v);
		f->old_key[found] = f->pages.page[v].key;
		f->targets[found++] = v;
		/* its entry in the heap, where requeue() will go */
		if (heap && f->pages.page[v].slot < heap->n)
			__builtin_prefetch(&heap->at[f->pages.page[v].slot], 1);
		if (f->world.row) /* it may be the next page that is taken: see fetch_next_row() */
			__builtin_prefetch(&f->world.row[v]);
	}
	return found;
}

/* Fetches the memory of the links of the page that is likely to be taken next: in a graph without locality, to wait for them
 * takes longer than all else that is done for a page. */
static inline void fetch_next_row(const struct frontier *f)
{
	const struct heap *ready = &f->queue.hosts.ready;
	uint32_t next;

	if (!f->world.row || !ready->n || !pile_soon(&f->queue.of[ready->at[0].id].prompt, &next, 1))
		return;
	const uint32_t *row = f->world.target + f->world.row[next];
	__builtin_prefetch(row);
	__builtin_prefetch(row + 16);
}

/* Copies the changed keys of the n targets into the queue, and puts the new targets into it. */
static void requeue(struct frontier *f, size_t n)
{
	if (!f->restoring)
		queue_update(&f->queue, f->targets, f->old_key, n, f->lead->view.new_seq);
	fetch_next_row(f);
}

/* Calls the hooks of the policies whose turns come later. */
static int tell_others(struct frontier *f, uint32_t u, size_t n, size_t found)
{
	int err = 0;

	for (size_t i = 1; err >= 0 && i < f->n_turns; i++) {
		ranker_look(&f->lead[i], &f->lead->view);
		ranker_crawled(&f->lead[i], u, n, f->targets, found);
		err = ranker_rerank(&f->lead[i]);
	}
	return err < 0 ? err : 0;
}

/* Discovers the new targets of page u and tells the policies of it. Returns 0 or the error of a rerank of a policy whose turn is
 * still to come. */
static int found(struct frontier *f, uint32_t u, const struct frontier_remote *page)
{
	const uint32_t *links = page->links;
	const size_t n = page->n_links;
	struct ranker *lead = f->lead;

	lead->view.new_seq = f->next_seq;
	if (!lead->policy->crawled && f->n_turns == 1 && !f->pages.rank) {
		queue_new_targets(f, links, n);
		frontier_show_queued(f);
		if (f->pages.found)
			keep_finder(f, u, links, page->kinds, n);
		return 0;
	}
	const size_t queued = queued_targets(f, links, n);
	frontier_show_queued(f);
	f->n_targets += lead->policy->crawled ? queued : 0;
	if (f->pages.found)
		keep_finder(f, u, links, page->kinds, n);
	ranker_crawled(lead, u, page->outdegree, f->targets, queued);
	requeue(f, queued);
	return tell_others(f, u, n, queued);
}

int frontier_found(struct frontier *f, uint32_t u, const uint32_t *links, const uint8_t *kinds, size_t n)
{
	const struct frontier_remote page = {.outdegree = n, .links = links, .kinds = kinds, .n_links = n};
	int err = found(f, u, &page);

	if (err)
		return err;
	int changed = ranker_rerank(f->lead);
	f->reranks += (uint64_t)(changed > 0);
	if (changed > 0 && !f->restoring)
		queue_rebuild(&f->queue);
	return changed < 0 ? changed : 0;
}

void frontier_found_remote(struct frontier *f, uint32_t u, const struct frontier_remote *page)
{
	if (f->pages.state[u] == PAGE_UNSEEN)
		see_remote(f, u);
	if (f->pages.state[u] == PAGE_REMOTE) {
		ranker_remote(f->lead, u, page->key, page->private);
		if (f->pages.found)
			f->pages.found[u].depth = page->depth;
	}
	f->pages.state[u] = PAGE_REMOTE;
	frontier_found_elsewhere(f, u, page);
}

void frontier_found_elsewhere(struct frontier *f, uint32_t u, const struct frontier_remote *page)
{
	const int err = found(f, u, page);

	assert(!err); /* the policy is no chain */
	(void)err;
}

void frontier_meet(struct frontier *f, uint32_t id)
{
	frontier_need_ids(f, id + 1);
	if (f->pages.state[id] == PAGE_UNSEEN && f->world.is_remote(f->world.ctx, id))
		see_remote(f, id);
}

void frontier_take_over(struct frontier *f, uint32_t id, enum page_state state)
{
	const uint64_t seen = f->count.seen;

	see(f, id);
	f->count.seen = seen; /* it was counted where it was discovered */
	frontier_show_seen(f);
	if (state == PAGE_QUEUED)
		admit(f, id);
	else
		f->pages.state[id] = (uint8_t)state;
	frontier_show_queued(f);
}

void frontier_found_target(struct frontier *f, uint32_t id, uint32_t target)
{
	frontier_need_ids(f, target + 1);
	const uint8_t state = f->pages.state[target];
	if (state == PAGE_UNSEEN ? !discover(f, target) : state != PAGE_OUTSIDE || !rediscover(f, target))
		return;
	if (f->queue.share.is_on)
		share_redirects(&f->queue.share, f->pages.host[id], target, f->pages.host[target]);
	const uint32_t seq = f->pages.page[target].seq;
	rankers_take_over(f->lead, f->n_turns, id, target);
	if (f->pages.state[id] == PAGE_REMOTE)
		f->pages.page[target].seq = seq; /* a remote page has none to hand on */
	if (f->pages.found)
		frontier_set_found(f, target, &f->pages.found[id]);
	if (pages_is_deferred(&f->pages, id) && !pages_is_deferred(&f->pages, target))
		frontier_set_deferred(f, target);
	frontier_enqueue(f, target);
}
