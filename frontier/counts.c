/* What a frontier holds. */
#include "frontier/inside.h"

#include <assert.h>

void frontier_count(const struct frontier *f, struct frontier_counts *out)
{
	*out = f->count;
	out->hosts_ready = f->queue.ready.n;
	out->hosts_waiting = f->queue.waiting.n + f->queue.servers.behind;
}

void frontier_work(const struct frontier *f, struct frontier_work *out)
{
	const struct policy *p = f->policy;

	*out = (struct frontier_work){.targets = f->n_targets,
		.key_updates = f->queue.key_updates,
		.heap_moves = queue_moves(&f->queue),
		.ranked_pages = f->work.pages,
		.ranked_arcs = f->work.arcs,
		.taking_part = f->work.part              ? f->work.part
			       : p->crawled || p->rerank ? f->count.queued
							 : 0};
}

const struct policy *frontier_policy(const struct frontier *f)
{
	return f->policy;
}

const struct opt_set *frontier_opts(const struct frontier *f)
{
	return f->view.opts;
}

uint64_t frontier_in_flight(const struct frontier *f)
{
	return f->count.in_flight;
}

enum page_state frontier_state(const struct frontier *f, uint32_t id)
{
	return id < f->ids ? (enum page_state)f->state[id] : PAGE_UNSEEN;
}

double frontier_key(const struct frontier *f, uint32_t id)
{
	assert(frontier_state(f, id) != PAGE_UNSEEN);
	return f->page ? f->page[id].key : f->policy->first_key;
}

double frontier_taken_value(const struct frontier *f, uint32_t id)
{
	return f->policy->value ? f->policy->value(&f->call, id) : f->queue.taken_key;
}

uint32_t frontier_ids(const struct frontier *f)
{
	return f->ids;
}

const struct page *frontier_pages(struct frontier *f)
{
	frontier_need_pages(f);
	return f->page;
}

int64_t frontier_next_time(const struct frontier *f)
{
	return queue_next_time(&f->queue);
}

size_t frontier_soon(const struct frontier *f, uint32_t id[FRONTIER_SOON])
{
	return queue_soon(&f->queue, id);
}

int frontier_is_fifo(const struct frontier *f)
{
	return f->queue.is_ring;
}
