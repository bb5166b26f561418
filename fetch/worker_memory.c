/* The transfers of a worker while memory for bodies is short (fetch/body_memory.h). */
#include "fetch/worker.h"

void worker_choose_first(struct worker *w)
{
	struct transfer *oldest = NULL;

	if (body_memory_is_held(w->options->memory) || (!body_memory_is_tight(w->options->memory) && !w->has_paused))
		return;
	for (size_t i = 0; i < w->n_active; i++) {
		if (w->active[i]->is_first)
			return;
		if (!oldest || w->active[i]->started < oldest->started)
			oldest = w->active[i];
	}
	if (oldest)
		oldest->is_first = 1;
}

void worker_share_memory(struct worker *w)
{
	if (!w->has_paused)
		return;
	w->has_paused = 0;
	for (size_t i = 0; i < w->n_active; i++) {
		if (w->active[i]->is_first || body_memory_has(w->options->memory, w->active[i]->body.room))
			transfer_go_on(w->active[i]);
		w->has_paused |= w->active[i]->paused;
	}
}

int worker_has_room(const struct worker *w)
{
	const struct body_memory *memory = w->options->memory;

	return w->n_active < w->most_active && !body_memory_is_held(memory) && (w->n_active == 0 || !body_memory_is_tight(memory));
}
