#include "cli/lab/seeds_into.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int into_open(struct into *x, const char *path, const struct dataset *from, unsigned threads, struct err_note *why)
{
	const struct graph_options where = {.graph = path};
	int err = graph_options_open(&where, threads, &x->data, why);

	if (!err)
		err = relocation_init(&x->relocation, from, &x->data, threads, why);
	if (!err)
		x->taken = mem_zero(x->data.graph.nodes, 1);
	return err;
}

void into_release(struct into *x)
{
	relocation_release(&x->relocation);
	dataset_release(&x->data);
	free(x->seed);
	free(x->lost);
	free(x->taken);
	*x = (struct into){.wanted = 0};
}

static void look_at(struct into *x, uint32_t page, const struct seed_core *core)
{
	struct into_seed found = {.from = page};

	found.rule = relocate_find(&x->relocation, page, core, &found.node);
	if (found.rule == RELOCATE_LOST || (found.rule != RELOCATE_EXACT && x->lost_seeds == LOST_ARE_DROPPED)) {
		found.rule = RELOCATE_LOST;
		x->lost = mem_grow(x->lost, &x->lost_room, x->n_lost + 1, sizeof *x->lost);
		x->lost[x->n_lost++] = found;
	} else if (x->taken[found.node]) {
		x->doubles++;
	} else {
		x->taken[found.node] = 1;
		x->seed = mem_grow(x->seed, &x->room, x->n + 1, sizeof *x->seed);
		x->seed[x->n++] = found;
	}
}

int into_is_enough(void *ctx, const struct seed_output *found)
{
	struct into *x = ctx;

	for (; x->looked_at < found->n && x->n < x->wanted; x->looked_at++)
		look_at(x, found->seed[x->looked_at], found->cores ? &found->core[x->looked_at] : NULL);
	return x->n >= x->wanted;
}

static void page(struct results *r, const struct dataset *d, uint32_t v)
{
	struct buf url = BUF_EMPTY;

	relocate_url(d, v, &url);
	results_count(r, graph_label(&d->graph, v));
	results_text(r, url.at ? url.at : "");
	buf_release(&url);
}

void into_print(const struct into *x, struct results *r)
{
	static const char *const columns[] = {"id", "url", "rule", "old_id", "old_url", NULL};
	static const char *const lost[] = {"old_id", "old_url", NULL};

	results_list(r, columns);
	for (size_t i = 0; i < x->n && !results_stopped(r); i++) {
		page(r, &x->data, x->seed[i].node);
		results_text(r, relocate_rule_name(x->seed[i].rule));
		page(r, x->relocation.from, x->seed[i].from);
	}
	results_table(r, "lost", lost);
	for (size_t i = 0; i < x->n_lost && !results_stopped(r); i++)
		page(r, x->relocation.from, x->lost[i].from);
}

struct candidates_of {
	struct results *r;
	uint64_t id;
};

static void print_candidate(void *ctx, enum relocate_rule rule, const char *url)
{
	const struct candidates_of *c = ctx;

	results_count(c->r, c->id);
	results_text(c->r, url);
	results_text(c->r, relocate_rule_name(rule));
}

void into_print_candidates(const struct dataset *from, const struct seed_output *found, struct results *r)
{
	static const char *const columns[] = {"id", "url", "rule", NULL};

	results_list(r, columns);
	for (size_t i = 0; i < found->n && !results_stopped(r); i++) {
		struct candidates_of c = {r, graph_label(&from->graph, found->seed[i])};
		relocate_candidates(from, found->seed[i], found->cores ? &found->core[i] : NULL, print_candidate, &c);
	}
}
