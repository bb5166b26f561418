#include "policies/rerank.h"

#define GROWTH 40

int rerank_is_due(const struct policy_view *view, uint64_t ranked)
{
	return view->crawled % view->batch == 0 && GROWTH * (view->crawled - ranked) >= view->crawled;
}

void rerank_queued(const struct policy_call *c, double (*key_of)(const struct policy_call *, uint32_t v))
{
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			c->page[v].key = key_of(c, v);
	c->view->work->pages += c->view->queued;
}
