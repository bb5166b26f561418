#include "simweb/changing.h"

#include "base/mem.h"
#include "simweb/endless_change.h"

struct part_web {
	struct changing web; /* the first field, so that see() can cast a struct changing to the struct part_web around it */
	const struct endless_part *part;
	struct endless endless; /* the part's, with the rate of this web */
};

/* The hook `see`: a page of the part is as the web without end would serve it at that time. */
static void see(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	const struct part_web *w = (const struct part_web *)(const void *)web;
	const uint32_t number = w->part->number[page];
	struct endless_host h;

	endless_host_get(&w->endless, w->part->host[page], &h);
	const struct endless_state s = endless_state(&w->endless, &h, number, now);
	look->version = s.version;
	look->modified = s.modified;
	look->is_there = s.is_there;
	if (s.is_there)
		look->n = (uint32_t)endless_part_links(w->part, page, s.version, &look->own, &look->room);
	look->links = look->own;
}

struct changing *changing_endless(const struct endless_part *part, double rate)
{
	struct part_web *w = mem_zero(1, sizeof *w);

	*w = (struct part_web){.web = {.pages = part->pages, .see = see}, .part = part, .endless = part->web};
	w->endless.changes = rate;
	return &w->web;
}
