#include "lab/measure/op_counts.h"
#include "frontier/pile.h"
#include "lab/measure/throughput.h"
#include "policies/policies.h"

#include <math.h>

void op_counts_total(struct op_counts *w, const struct frontier *const *f, size_t n)
{
	struct frontier_work one;

	w->total = (struct frontier_work){0};
	for (size_t i = 0; i < n; i++) {
		frontier_work(f[i], &one);
		w->total.targets += one.targets;
		w->total.key_updates += one.key_updates;
		w->total.heap_moves += one.heap_moves;
		w->total.ranked_pages += one.ranked_pages;
		w->total.ranked_arcs += one.ranked_arcs;
		w->total.taking_part += one.taking_part;
	}
}

void op_counts_step_of_all(struct op_counts *w, const struct frontier *const *f, size_t n)
{
	uint64_t queued = 0;

	for (size_t i = 0; i < n; i++) {
		struct frontier_counts counts;
		frontier_count(f[i], &counts);
		/* pages in flight count as queued, except for one, as if pages were taken one by one */
		queued += counts.queued + counts.in_flight - (counts.in_flight > 0);
	}
	op_counts_total(w, f, n);
	w->queued[w->steps] = (uint32_t)queued;
	w->part[w->steps++] = (uint32_t)w->total.taking_part;
	if (queued > w->peak)
		w->peak = (uint32_t)queued;
}

void op_counts_step(struct op_counts *w, const struct frontier *f)
{
	op_counts_step_of_all(w, &f, 1);
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

/* Returns the bytes of a queue of so many pages: ids only for a FIFO, else heap entries for the first pile_top() pages and ids for
 * the others. */
static double queue_bytes(const struct policy *p, uint64_t pages)
{
	const int is_fifo = !p->plan.n && !p->crawled && !p->rerank && !p->host_key;
	const uint64_t in_heap = is_fifo ? 0 : pages < pile_top(pages) ? pages : pile_top(pages);

	return (double)(in_heap * sizeof(struct entry) + (pages - in_heap) * sizeof(uint32_t));
}

double op_counts_bytes_a_page(const struct op_counts *w, const struct policy *p, uint32_t nodes)
{
	const double a_page = (double)policy_page_bytes(p) + sizeof(uint8_t);

	return a_page + queue_bytes(p, w->peak) / nodes;
}
