#include "frontier/inside.h"

#include <assert.h>

void frontier_need_pages(struct frontier *f)
{
	if (!f->is_plain)
		return;
	assert(f->queue.tail == f->next_seq);
	f->is_plain = 0;
	if (!f->ids)
		return;
	f->page = mem_big(f->ids, sizeof *f->page);
	for (uint32_t seq = 0; seq < f->next_seq; seq++)
		f->page[f->queue.ring[seq]] = (struct page){f->policy->first_key, seq, 0};
	f->queue.page = f->call.page = f->page;
	f->queue.ring_seq = f->next_seq - 1;
}

void frontier_queue_plain(struct frontier *f, const uint32_t *links, size_t n)
{
	size_t was = f->queue.tail, i = 0, found;

	while ((i += queue_push_unseen(&f->queue, links + i, n - i, f->state, f->ids)) < n)
		frontier_need_ids(f, links[i] + 1);
	found = f->queue.tail - was;
	assert(found <= UINT32_MAX - f->next_seq);
	f->next_seq += (uint32_t)found;
	f->count.queued += found;
	f->count.seen += found;
	f->view.seen = f->count.seen;
	f->view.queued = f->count.queued;
}
