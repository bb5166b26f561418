#include "frontier/inside.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

int frontier_chain(struct frontier *f, const struct policy *chain, const struct opt_set *opts,
	struct err_note *why)
{
	int err = 0;

	f->until = chain->turns[0].until;
	f->opts = follower_opts(chain, opts, 0);
	f->view.opts = &f->opts;
	f->next = f->chain = mem_zero(chain->n_turns, sizeof *f->chain);
	while (!err && f->n_next + 1 < chain->n_turns) {
		err = follower_init(&f->next[f->n_next], chain, f->n_next + 1, opts, &f->view, why);
		f->n_next++;
	}
	return err;
}

void frontier_unchain(struct frontier *f)
{
	for (size_t i = 0; i < f->n_next; i++)
		follower_release(&f->next[i], f->ids);
	free(f->chain);
}

void frontier_take_over(struct frontier *f)
{
	struct follower *next = f->next;
	struct follower old = {.policy = f->policy,
		.call = f->call,
		.initialised = f->initialised,
		.private = f->private};

	assert(f->n_next);
	for (uint32_t id = 0; id < f->ids; id++) {
		assert(next->call.page[id].seq == old.call.page[id].seq);
		next->call.page[id].place = old.call.page[id].place;
	}
	f->policy = next->policy;
	f->until = next->until;
	f->opts = next->opts;
	f->call.state = next->call.state;
	f->initialised = next->initialised;
	f->page = f->call.page = next->call.page;
	f->private = next->private;
	f->view.private_pages = next->private;
	f->work.pages += next->work.pages;
	f->work.arcs += next->work.arcs;
	f->work.part = next->work.part;
	f->next++;
	f->n_next--;
	follower_release(&old, f->ids);

	f->queue.page = f->page;
	f->queue.sign = f->policy->order == POLICY_HIGHEST_FIRST ? -1 : 1;
	f->queue.host_key = f->policy->host_key;
	if (!f->restoring)
		queue_rebuild(&f->queue);
}
