/* Pages of other agents: descriptions of our own pages for them, what they tell of theirs, and mass that policies hand over. */
#include "frontier/frontier_internal.h"

#include <assert.h>

void frontier_describe(const struct frontier *f, uint32_t id, struct frontier_remote *page)
{
	const struct scorer *s = f->lead;

	assert(f->n_turns == 1 && id < f->pages.n && f->pages.state[id] == PAGE_IN_FLIGHT);
	page->key = f->pages.page[id].key;
	page->depth = f->pages.found ? f->pages.found[id].depth : 0;
	page->n_private = s->policy->page_sent;
	page->private = page->n_private ? s->private + id * s->policy->page_size : NULL;
}

void frontier_tell(struct frontier *f, uint32_t id, const struct frontier_remote *page)
{
	assert(f->n_turns == 1 && f->world.is_remote);
	assert(page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	const uint8_t state = f->pages.state[id];
	assert(state == PAGE_UNSEEN || state == PAGE_REMOTE || state == PAGE_CRAWLED);
	frontier_found_remote(f, id, page);
	if (state == PAGE_CRAWLED)
		f->pages.state[id] = PAGE_CRAWLED;
}

void frontier_tell_target(struct frontier *f, uint32_t id, uint32_t target, const struct frontier_remote *page)
{
	assert(f->n_turns == 1 && f->world.is_remote && page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	frontier_meet(f, id);
	if (f->pages.state[id] != PAGE_REMOTE)
		return;
	scorer_remote(f->lead, id, page->key, page->private);
	if (f->pages.found)
		f->pages.found[id].depth = page->depth;
	frontier_found_target(f, id, target);
}

void frontier_forget(struct frontier *f, uint32_t id)
{
	if (id < f->pages.n && f->pages.state[id] == PAGE_REMOTE)
		f->pages.state[id] = PAGE_UNSEEN;
}

enum page_state frontier_give(struct frontier *f, uint32_t id, struct frontier_remote *page, double *mass)
{
	const struct scorer *s = f->lead;
	const enum page_state state = id < f->pages.n ? (enum page_state)f->pages.state[id] : PAGE_UNSEEN;

	assert(f->n_turns == 1 && state != PAGE_IN_FLIGHT);
	if (state == PAGE_UNSEEN || state == PAGE_REMOTE)
		return state;
	page->key = f->pages.page[id].key;
	page->depth = f->pages.found ? f->pages.found[id].depth : 0;
	page->seq = f->pages.page[id].seq;
	page->n_private = s->policy->page_sent;
	page->private = page->n_private ? s->private + id * s->policy->page_size : NULL;
	*mass = s->policy->take_mass ? s->policy->take_mass(&s->call, id) : 0;
	if (state == PAGE_QUEUED) {
		assert(!pages_is_deferred(&f->pages, id));
		queue_drop(&f->queue, id);
		f->pages.page[id].place = PLACE_NONE;
		f->count.queued--;
		frontier_show_queued(f);
	}
	f->pages.state[id] = PAGE_REMOTE;
	return state;
}

void frontier_adopt(struct frontier *f, uint32_t id, enum page_state state, const struct frontier_remote *page, double mass)
{
	assert(f->n_turns == 1 && f->world.is_remote && page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	assert(f->pages.state[id] == PAGE_UNSEEN || f->pages.state[id] == PAGE_REMOTE);
	frontier_take_over(f, id, state);
	for (size_t i = 0; state == PAGE_CRAWLED && i < page->n_links; i++)
		frontier_meet(f, page->links[i]);
	scorer_remote(f->lead, id, page->key, page->private);
	if (f->pages.found)
		f->pages.found[id] = (struct policy_found){.finder = POLICY_NO_PAGE, .depth = page->depth};
	if (mass != 0)
		frontier_add_mass(f, id, mass);
	if (state == PAGE_QUEUED)
		frontier_enqueue(f, id);
}

void frontier_hear(struct frontier *f, const struct frontier_elsewhere *counts)
{
	assert(counts->crawled >= f->elsewhere.crawled);
	f->elsewhere = *counts;
	frontier_show_seen(f);
	frontier_show_queued(f);
}

uint64_t frontier_reranks(const struct frontier *f)
{
	return f->reranks;
}

void frontier_take_mass(
	struct frontier *f, void (*send)(void *ctx, uint32_t id, double mass), void *ctx)
{
	const struct scorer *s = f->lead;

	for (uint32_t id = 0; s->policy->take_mass && id < f->pages.n; id++) {
		if (f->pages.state[id] != PAGE_REMOTE)
			continue;
		const double mass = s->policy->take_mass(&s->call, id);
		if (mass != 0)
			send(ctx, id, mass);
	}
}

void frontier_add_mass(struct frontier *f, uint32_t id, double mass)
{
	const struct scorer *s = f->lead;

	if (s->policy->add_mass && id < f->pages.n && f->pages.state[id] != PAGE_UNSEEN)
		s->policy->add_mass(&s->call, id, mass);
}
