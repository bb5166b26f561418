#include "simweb/endless_links.h"

#include "simweb/endless_draws.h"

void endless_links_begin(struct endless_links *l, const struct endless *e, const struct endless_host *h, uint32_t page,
	uint64_t version)
{
	*l = (struct endless_links){.web = e,
		.host = h,
		.stream = draw_bits(e->seed, DRAW_LINKS, h->content, page),
		.version = version,
		.child = (uint64_t)page * h->branches + 1,
		.has_calendar = page == 0 && h->trap == ENDLESS_CALENDAR};
	struct rng r = {l->stream};
	const uint32_t all = (uint32_t)draw_power(rng_unit(&r), ENDLESS_OUT_EXPONENT, e->links, ENDLESS_OUT_MOST);

	l->last_child = l->child + h->branches;
	if (l->last_child > h->pages)
		l->last_child = h->pages;
	const uint64_t children = l->last_child > l->child ? l->last_child - l->child : 0;
	l->left = all > children ? all - (uint32_t)children : 0;
	l->span = draw_span(ENDLESS_RANK_EXPONENT, h->pages);
}

/* Returns the random numbers of the next link: those of the page, or, for a share ENDLESS_FRESH of the links, those of the
 * page's version. */
static struct rng stream_of_next(const struct endless_links *l)
{
	struct rng r = {l->stream + (l->child + l->left) * 0xa24baed4963ee407u};

	const int is_fresh = rng_unit(&r) < ENDLESS_FRESH;

	if (is_fresh)
		r.state += l->version * 0x9fb21c651e98df25u;
	return r;
}

/* Draws one link: to another host (mostly its home page) with the probability `outside`, else to a page of the same host. Low
 * numbers of hosts and pages are drawn most often. */
static void draw_link(const struct endless_links *l, struct rng *r, struct endless_link *link)
{
	const struct endless *e = l->web;
	struct endless_host other;

	if (rng_unit(r) < e->outside) {
		link->host = draw_rank(rng_unit(r), ENDLESS_RANK_EXPONENT, e->host_span, e->hosts);
		const double u = rng_unit(r), v = rng_unit(r);
		link->page = 0;
		if (u < ENDLESS_HOME)
			return;
		endless_host_get(e, link->host, &other);
		link->page =
			(uint32_t)draw_rank(v, ENDLESS_RANK_EXPONENT, draw_span(ENDLESS_RANK_EXPONENT, other.pages), other.pages);
	} else {
		link->host = l->host->id;
		link->page = (uint32_t)draw_rank(rng_unit(r), ENDLESS_RANK_EXPONENT, l->span, l->host->pages);
	}
}

int endless_links_next(struct endless_links *l, struct endless_link *link)
{
	struct rng r = stream_of_next(l);

	*link = (struct endless_link){.host = l->host->id, .form = ENDLESS_PLAIN};
	if (l->child < l->last_child) {
		link->page = (uint32_t)l->child++;
	} else if (l->has_calendar) {
		l->has_calendar = 0;
		link->page = ENDLESS_MONTH;
		link->form = ENDLESS_MONTHLY;
		return 1;
	} else if (l->left) {
		l->left--;
		draw_link(l, &r, link);
		if (rng_unit(&r) < l->web->dead)
			link->form = ENDLESS_DEAD;
	} else {
		return 0;
	}
	if (rng_unit(&r) < l->web->moved && link->form == ENDLESS_PLAIN && link->page)
		link->form = ENDLESS_MOVED;
	return 1;
}

void endless_link_url(const struct endless *e, const struct endless_host *h, uint32_t page, const struct endless_link *link,
	struct buf *out)
{
	const struct endless_host *target = h;
	struct endless_host other;

	if (link->host != h->id) {
		endless_host_get(e, link->host, &other);
		target = &other;
		buf_text(out, endless_scheme(e));
		endless_host_name(e, link->host, out);
	}
	switch (link->form) {
	case ENDLESS_MONTHLY:
		buf_format(out, "/calendar/%04u-%02u", link->page / 12, link->page % 12 + 1);
		return;
	case ENDLESS_DEAD:
		buf_text(out, "/gone");
		endless_moved_path(link->page, out);
		return;
	case ENDLESS_MOVED:
		endless_moved_path(link->page, out);
		return;
	case ENDLESS_PLAIN:
		endless_path(e, target, link->page, out);
	}
	if (target == h && h->trap == ENDLESS_SESSIONS) {
		const uint64_t id = draw_bits(e->seed, DRAW_CALENDAR, h->id, page);
		const int has_query = h->style == ENDLESS_QUERY && link->page && endless_media_of(e, h, link->page) == ENDLESS_PAGE;
		buf_format(out, "%ssid=%016llx", has_query ? "&#38;" : "?", (unsigned long long)id);
	}
}
