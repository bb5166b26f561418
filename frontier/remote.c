/* Pages of other agents: describes the agent's own pages to them, applies what they say about theirs, and exchanges the mass
 * that policies distribute. */
#include "base/mem.h"
#include "frontier/frontier_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void frontier_describe(const struct frontier *f, uint32_t id, struct frontier_remote *page)
{
	const struct ranker *s = f->lead;

	assert(f->n_turns == 1 && id < f->pages.n && f->pages.state[id] == PAGE_IN_FLIGHT);
	page->key = f->pages.page[id].key;
	page->depth = f->pages.found ? f->pages.found[id].depth : 0;
	page->n_private = s->policy->page_sent;
	page->private = page->n_private ? s->private + id * s->policy->page_size : NULL;
}

/* Tells the policy of a page of this frontier as a letter describes it, in the way in which the policy hears of a page of another
 * agent. The page itself stays as it is: its key, its state and its private bytes are restored, since a policy keeps other things
 * of a crawled page than of a queued one. */
static void tell_own(struct frontier *f, uint32_t id, const struct frontier_remote *page)
{
	const struct ranker *s = f->lead;
	const size_t size = s->policy->page_size;
	const double key = f->pages.page[id].key;
	const uint8_t state = f->pages.state[id];
	char *kept = mem_new(size + 1, 1);

	if (size)
		memcpy(kept, s->private + id * size, size);
	ranker_remote(f->lead, id, page->key, page->private);
	f->pages.state[id] = PAGE_REMOTE;
	frontier_found_elsewhere(f, id, page);
	f->pages.state[id] = state;
	f->pages.page[id].key = key;
	if (size)
		memcpy(s->private + id * size, kept, size);
	free(kept);
}

void frontier_tell(struct frontier *f, uint32_t id, const struct frontier_remote *page)
{
	assert(f->n_turns == 1 && f->world.is_remote);
	assert(page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	const uint8_t state = f->pages.state[id];
	const int is_own = state == PAGE_UNSEEN ? !f->world.is_remote(f->world.ctx, id) : state != PAGE_REMOTE;
	if (is_own)
		tell_own(f, id, page);
	else
		frontier_found_remote(f, id, page);
}

void frontier_tell_target(struct frontier *f, uint32_t id, uint32_t target, const struct frontier_remote *page)
{
	assert(f->n_turns == 1 && f->world.is_remote && page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	frontier_meet(f, id);
	if (f->pages.state[id] != PAGE_REMOTE)
		return;
	ranker_remote(f->lead, id, page->key, page->private);
	if (f->pages.found)
		f->pages.found[id].depth = page->depth;
	frontier_found_target(f, id, target);
}

void frontier_forget(struct frontier *f, uint32_t id)
{
	const struct ranker *s = f->lead;
	const size_t size = s->policy->page_size;

	if (id >= f->pages.n || f->pages.state[id] != PAGE_REMOTE)
		return;
	if (size)
		memset(s->private + id * size, 0, size);
	pages_set_state(&f->pages, id, PAGE_UNSEEN);
}

/* Takes a page out of the queue, before its state becomes another. */
static void unqueue(struct frontier *f, uint32_t id)
{
	if (!f->restoring)
		queue_drop(&f->queue, id);
	f->pages.page[id].slot = SLOT_NONE;
	f->count.queued--;
	f->count.deferred -= (uint64_t)pages_is_deferred(&f->pages, id);
	if (f->pages.deferred)
		pages_set_deferred(&f->pages, id, 0);
	pages_set_state(&f->pages, id, PAGE_REMOTE);
	frontier_show_queued(f);
}

enum page_state frontier_give(struct frontier *f, uint32_t id, struct frontier_remote *page, double *mass)
{
	const struct ranker *s = f->lead;
	const enum page_state state = id < f->pages.n ? (enum page_state)f->pages.state[id] : PAGE_UNSEEN;

	assert(f->n_turns == 1 && state != PAGE_IN_FLIGHT);
	if (state == PAGE_UNSEEN || state == PAGE_REMOTE)
		return state;
	frontier_need_pages(f);
	page->key = f->pages.page[id].key;
	page->depth = f->pages.found ? f->pages.found[id].depth : 0;
	page->seq = f->pages.page[id].seq;
	page->n_private = s->policy->page_sent;
	page->private = page->n_private ? s->private + id * s->policy->page_size : NULL;
	*mass = s->policy->take_mass ? s->policy->take_mass(&s->call, id) : 0;
	if (state == PAGE_QUEUED)
		unqueue(f, id);
	f->pages.state[id] = PAGE_REMOTE;
	return state;
}

/* Tells the policy of a page that another agent has crawled and counted, and makes the page PAGE_CRAWLED. */
static void inherit_crawled(struct frontier *f, uint32_t id, const struct frontier_end *end, size_t outdegree)
{
	const struct frontier_remote page = {.outdegree = outdegree,
		.links = end->links,
		.kinds = end->kinds,
		.n_links = end->n_links};

	f->pages.state[id] = PAGE_CRAWLED;
	frontier_found_elsewhere(f, id, &page);
}

void frontier_inherit(struct frontier *f, uint32_t id, const struct frontier_end *end, size_t outdegree)
{
	frontier_need_pages(f);
	assert(f->n_turns == 1 && f->world.is_remote && id < f->pages.n && f->pages.state[id] == PAGE_QUEUED);
	unqueue(f, id);
	if (end->state == PAGE_CRAWLED) {
		inherit_crawled(f, id, end, outdegree);
		return;
	}
	f->pages.state[id] = (uint8_t)end->state;
	frontier_count_end(f, id, end);
}

void frontier_rest(struct frontier *f, uint32_t id, int64_t until)
{
	if (!f->pages.host || id >= f->pages.n)
		return;
	const uint32_t host = f->world.host(f->world.ctx, id);
	if (host >= f->hosts_known)
		frontier_need_host(f, host);
	queue_pause(&f->queue, host, until);
}

void frontier_adopt(struct frontier *f, uint32_t id, enum page_state state, const struct frontier_remote *page, double mass)
{
	assert(f->n_turns == 1 && f->world.is_remote && page->n_private == f->lead->policy->page_sent);
	frontier_need_ids(f, id + 1);
	assert(f->pages.state[id] == PAGE_UNSEEN || f->pages.state[id] == PAGE_REMOTE);
	frontier_take_over(f, id, state);
	for (size_t i = 0; state == PAGE_CRAWLED && i < page->n_links; i++)
		frontier_meet(f, page->links[i]);
	ranker_remote(f->lead, id, page->key, page->private);
	if (f->pages.found)
		frontier_set_found(f, id, &(struct policy_found){.finder = POLICY_NO_PAGE, .depth = page->depth});
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

void frontier_take_mass(struct frontier *f, void (*send)(void *ctx, uint32_t id, double mass), void *ctx)
{
	const struct ranker *s = f->lead;

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
	const struct ranker *s = f->lead;

	if (s->policy->add_mass && id < f->pages.n && f->pages.state[id] != PAGE_UNSEEN)
		s->policy->add_mass(&s->call, id, mass);
}
