#include "policies/rerank.h"
#include "base/paged.h"

#include <string.h>

#define GROWTH 40

int rerank_is_due(const struct policy_view *view, uint64_t ranked)
{
	return view_batch_ended(view) && GROWTH * (view->crawled - ranked) >= view->crawled;
}

uint32_t *rerank_crawled(const struct policy_call *c, uint32_t *n)
{
	const struct policy_view *view = c->view;
	uint32_t *crawled = paged_new(view->ids, sizeof *crawled);
	size_t seqs = 0; /* more than there are pages, where pages were queued again */

	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_CRAWLED && c->page[u].seq >= seqs)
			seqs = (size_t)c->page[u].seq + 1;
	uint32_t *by_seq = paged_new(seqs, sizeof *by_seq);
	memset(by_seq, 0xff, seqs * sizeof *by_seq);
	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_CRAWLED)
			by_seq[c->page[u].seq] = u;
	*n = 0;
	for (size_t i = 0; i < seqs; i++)
		if (by_seq[i] != POLICY_NO_PAGE)
			crawled[(*n)++] = by_seq[i];
	paged_free(by_seq, seqs, sizeof *by_seq);
	return crawled;
}

void rerank_queued(const struct policy_call *c, double (*key_of)(const struct policy_call *, uint32_t v))
{
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = key_of(c, v);
	c->view->work->pages += c->view->queued;
}
