#include "monitor/discovery_paths.h"
#include "base/mem.h"

#include <stdlib.h>

struct discovery_paths {
	struct store *store;
	uint32_t *from; /* n, by id */
	size_t n, room;
};

struct discovery_paths *discovery_paths_new(struct store *store)
{
	struct discovery_paths *w = mem_zero(1, sizeof *w);

	w->store = store;
	return w;
}

void discovery_paths_free(struct discovery_paths *w)
{
	if (w)
		free(w->from);
	free(w);
}

static void put(struct discovery_paths *w, uint32_t id, uint32_t from)
{
	if (id < w->n)
		return;
	w->from = mem_grow(w->from, &w->room, (size_t)id + 1, sizeof *w->from);
	while (w->n < id)
		w->from[w->n++] = STORE_NO_PAGE;
	w->from[w->n++] = from;
}

int discovery_paths_read(struct discovery_paths *w, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(w->store);
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		const int is_seed = e.kind == LOG_SEED || e.kind == LOG_SITEMAP;
		for (uint32_t i = 0; e.n_new != STORE_NO_PAGE && i < e.n_new; i++)
			put(w, e.first_new + i, is_seed ? STORE_NO_PAGE : e.id);
	}
	store_log_stop(c);
	discovery_paths_found(w, STORE_NO_PAGE);
	return err;
}

void discovery_paths_found(struct discovery_paths *w, uint32_t from)
{
	const uint32_t n = store_pages(w->store);

	for (uint32_t id = (uint32_t)w->n; id < n; id++)
		put(w, id, from);
}

uint32_t discovery_paths_from(const struct discovery_paths *w, uint32_t id)
{
	return id < w->n ? w->from[id] : STORE_NO_PAGE;
}
