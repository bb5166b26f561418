#include "frontier/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void frontier_restore_begin(struct frontier *f)
{
	assert(!f->count.seen);
	frontier_need_pages(f);
	f->restoring = 1;
}

void frontier_retake(struct frontier *f, uint32_t id)
{
	assert(f->restoring && id < f->ids && f->state[id] == PAGE_QUEUED);
	frontier_goes_out(f, id);
	f->page[id].place = 0;
	queue_out(&f->queue, id);
}

void frontier_restore_end(struct frontier *f)
{
	uint32_t *by_seq = mem_new(f->next_seq, sizeof *by_seq);

	assert(f->restoring);
	f->restoring = 0;
	memset(by_seq, 0xff, f->next_seq * sizeof *by_seq);
	for (uint32_t id = 0; id < f->ids; id++)
		if (f->state[id] == PAGE_QUEUED && f->page[id].place != QUEUE_DELAYED)
			by_seq[f->page[id].seq] = id;
	for (uint32_t seq = 0; seq < f->next_seq; seq++)
		if (by_seq[seq] != UINT32_MAX)
			queue_push(&f->queue, by_seq[seq]);
	free(by_seq);
}
