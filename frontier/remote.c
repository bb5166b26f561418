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
	assert(f->pages.state[id] == PAGE_UNSEEN || f->pages.state[id] == PAGE_REMOTE);
	frontier_found_remote(f, id, page);
}

void frontier_hear(struct frontier *f, const struct frontier_elsewhere *counts)
{
	assert(counts->crawled >= f->elsewhere.crawled && counts->seen >= f->elsewhere.seen);
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
