#include "lab/measure/op_counts.h"
#include "frontier/pile.h"
#include "lab/measure/throughput.h"
#include "policies/policies.h"

#include <math.h>

void op_counts_step(struct op_counts *w, const struct frontier *f)
{
	struct frontier_counts counts;

	frontier_count(f, &counts);
	frontier_work(f, &w->total);
	/* those in flight but for one were still queued had they been taken one by one */
	uint64_t queued = counts.queued + counts.in_flight - (counts.in_flight > 0);
	w->queued[w->steps] = (uint32_t)queued;
	w->part[w->steps++] = (uint32_t)w->total.taking_part;
	if (queued > w->peak)
		w->peak = (uint32_t)queued;
}

uint32_t op_counts_step_at(uint32_t i, uint32_t n)
{
	return throughput_k((i + 1.0) / OP_COUNTS_STEPS, n);
}

double op_counts_heap_bound(const struct op_counts *w, uint32_t nodes)
{
	return (double)w->links * log2(nodes > 1 ? nodes : 2);
}

double op_counts_rank_bound(const struct op_counts *w)
{
	return 50 * (double)w->links * ((double)w->batches + 1);
}

/* Of the queue: a list of ids, or the heap of a pile, and ids. */
static double queue_bytes(const struct policy *p, uint64_t pages)
{
	const int is_fifo = !p->plan.n && !p->crawled && !p->rerank && !p->host_key;
	const uint64_t in_heap = is_fifo ? 0 : pages < PILE_TOP ? pages : PILE_TOP;

	return (double)(in_heap * sizeof(struct entry) + (pages - in_heap) * sizeof(uint32_t));
}

double op_counts_bytes_a_page(const struct op_counts *w, const struct policy *p, uint32_t nodes)
{
	const double a_page = (double)policy_page_bytes(p) + sizeof(uint8_t);

	return a_page + queue_bytes(p, w->peak) / nodes;
}
