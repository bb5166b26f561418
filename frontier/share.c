#include "frontier/share.h"
#include "base/mem.h"
#include "base/paged.h"

#include <math.h>

void share_init(struct share *s, const struct frontier_budget *b)
{
	*s = (struct share){.budget = *b, .start = SHARE_NO_START};
	s->is_on = (b->pages || b->bytes) && b->most < 1;
}

void share_release(struct share *s)
{
	paged_free(s->at, s->room, sizeof *s->at);
}

static struct share_host *host_at(struct share *s, uint32_t host)
{
	if (host >= s->room) {
		const size_t room = mem_grown(s->room, (size_t)host + 1);
		s->at = paged_grow(s->at, s->room, room, sizeof *s->at);
		s->room = room;
	}
	return &s->at[host];
}

void share_starts(struct share *s, uint32_t id, uint32_t host)
{
	if (s->start == SHARE_NO_START) {
		s->start = id;
		s->start_host = host;
	} else if (s->start != SHARE_MANY_START && host != s->start_host) {
		s->start = SHARE_MANY_START;
	}
}

static int has_one_start(const struct share *s)
{
	return s->start != SHARE_NO_START && s->start != SHARE_MANY_START;
}

void share_redirects(struct share *s, uint32_t host, uint32_t target, uint32_t target_host)
{
	if (!has_one_start(s) || host != s->start_host || host_at(s, host)->crawled)
		return;
	s->start = target;
	s->start_host = target_host;
}

void share_meets(struct share *s, uint32_t host)
{
	struct share_host *h = host_at(s, host);

	s->hosts += !h->is_known;
	h->is_known = 1;
}

void share_proves(struct share *s, uint32_t host)
{
	host_at(s, host)->proven++;
}

void share_ends(struct share *s, uint32_t host, enum page_state state, uint64_t bytes)
{
	struct share_host *h = host_at(s, host);

	h->crawled += state == PAGE_CRAWLED;
	h->ended += bytes > 0;
	h->bytes += bytes;
}

/* Returns the limit of a host in a budget, of which a page of the host takes `page`. */
static double limit_of(const struct share *s, const struct share_host *h, uint64_t budget, double page)
{
	const double own = (double)budget / (s->hosts ? s->hosts : 1);
	const double rest = (double)budget - own, most = s->budget.most * rest, free = rest / SHARE_FREE;

	return fmax(SHARE_LEAST * page, own + fmin(most, free + h->proven * page));
}

int share_is_over(const struct share *s, uint32_t host, uint32_t in_flight)
{
	const struct share_host *h = &s->at[host];
	const double pages = (double)h->crawled + in_flight, mean = h->ended ? (double)h->bytes / h->ended : 0;

	if (has_one_start(s) && host == s->start_host)
		return 0;
	if (s->budget.pages && pages >= floor(limit_of(s, h, s->budget.pages, 1)))
		return 1;
	return s->budget.bytes && h->bytes && (double)h->bytes + in_flight * mean >= limit_of(s, h, s->budget.bytes, mean);
}
