#include "simweb/changing.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void changing_free(struct changing *web)
{
	if (!web)
		return;
	if (web->release)
		web->release(web);
	free(web);
}

void changing_see(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	assert(page < web->pages && now >= 0);
	*look = (struct changing_look){.own = look->own, .room = look->room, .is_there = 1};
	web->see(web, page, now, look);
	if (!look->is_there)
		look->n = 0;
}

void changing_look_release(struct changing_look *look)
{
	free(look->own);
	*look = (struct changing_look){.links = NULL};
}

void changing_graph(const struct changing *web, int64_t now, struct graph *out)
{
	uint64_t *offset = mem_new((size_t)web->pages + 1, sizeof *offset), arcs = 0;
	unsigned char *is_there = mem_new((size_t)web->pages + 1, 1);
	struct changing_look look = {.links = NULL};
	uint32_t *target = NULL;
	size_t room = 0;

	for (uint32_t u = 0; u < web->pages; u++) {
		changing_see(web, u, now, &look);
		is_there[u] = (unsigned char)look.is_there;
		offset[u] = arcs;
		target = mem_grow(target, &room, arcs + look.n + 1, sizeof *target);
		if (look.n)
			memcpy(target + arcs, look.links, look.n * sizeof *target);
		arcs += look.n;
	}
	offset[web->pages] = arcs;
	changing_look_release(&look);
	/* links to pages that do not exist at this time are removed */
	for (uint64_t u = 0, from = 0, kept = 0; u < web->pages; u++) {
		for (; from < offset[u + 1]; from++)
			if (is_there[target[from]])
				target[kept++] = target[from];
		offset[u + 1] = kept;
	}
	free(is_there);
	graph_take_rows(out, web->pages, offset, target, GRAPH_ORDERED);
}
