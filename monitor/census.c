#include "monitor/census.h"
#include "base/clock.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK        16384 /* pages of one step */
#define REST_MS      2000  /* ms between the beginnings of two passes */
#define COST_NS_A_MS 10000 /* ns that a pass may cost for each ms between two passes: 1% of the coordinator's time */

/* The counts of a pass. */
struct pass {
	struct census_figures depth[CENSUS_DEPTHS];
	struct census_figures *host; /* n */
	size_t n, room;
};

struct census {
	const struct frontier *frontier;
	const struct knowledge *knowledge;
	struct pass shown, counted;
	uint32_t next; /* the page that the pass has come to */
	int is_open;   /* 1: a pass is under way */
	int64_t began, ended, cost_ns;
};

struct census *census_new(const struct frontier *f, const struct knowledge *k)
{
	struct census *c = mem_zero(1, sizeof *c);

	c->frontier = f;
	c->knowledge = k;
	return c;
}

void census_free(struct census *c)
{
	if (!c)
		return;
	free(c->shown.host);
	free(c->counted.host);
	free(c);
}

static void count(struct census_figures *f, enum page_state state)
{
	static const uint8_t place[PAGE_STATES] = {[PAGE_UNSEEN] = 3,
		[PAGE_QUEUED] = 0,
		[PAGE_IN_FLIGHT] = 0,
		[PAGE_CRAWLED] = 1,
		[PAGE_FAILED] = 2,
		[PAGE_REFUSED] = 3,
		[PAGE_REDIRECTED] = 4};

	f->pages[place[state]]++;
}

static void begin(struct census *c, int64_t now)
{
	struct pass *p = &c->counted;

	memset(p->depth, 0, sizeof p->depth);
	p->n = 0;
	c->next = 0;
	c->cost_ns = 0;
	c->began = now;
	c->is_open = 1;
}

/* Makes figures for the hosts up to this one. */
static void need_host(struct pass *p, uint32_t host)
{
	if (host < p->n)
		return;
	p->host = mem_grow(p->host, &p->room, (size_t)host + 1, sizeof *p->host);
	memset(&p->host[p->n], 0, (host + 1 - p->n) * sizeof *p->host);
	p->n = (size_t)host + 1;
}

static void look_at(struct census *c, uint32_t id)
{
	const struct known_page *page = &c->knowledge->page[id];
	const enum page_state state = frontier_state(c->frontier, id);
	const uint32_t host = knowledge_host(c->knowledge, id);
	struct pass *p = &c->counted;

	need_host(p, host);
	count(&p->host[host], state);
	count(&p->depth[page->depth < CENSUS_DEPTHS ? page->depth : CENSUS_DEPTHS - 1], state);
}

static void end(struct census *c, int64_t now)
{
	const struct pass counted = c->counted;

	c->counted = c->shown;
	c->shown = counted;
	c->is_open = 0;
	c->ended = now > 0 ? now : 1;
}

static void count_some(struct census *c, uint32_t most, int64_t now)
{
	const int64_t started = clock_ns();

	for (uint32_t i = 0; i < most && c->next < c->knowledge->n; i++)
		look_at(c, c->next++);
	c->cost_ns += clock_ns() - started;
	if (c->next >= c->knowledge->n)
		end(c, now);
}

void census_step(struct census *c, int64_t now)
{
	const int64_t rest = c->cost_ns / COST_NS_A_MS;

	if (!c->is_open && c->ended && now - c->began < (rest > REST_MS ? rest : REST_MS))
		return;
	if (!c->is_open)
		begin(c, now);
	count_some(c, CHUNK, now);
}

void census_complete(struct census *c, int64_t now)
{
	begin(c, now);
	count_some(c, UINT32_MAX, now);
}

int64_t census_time(const struct census *c)
{
	return c->ended;
}

const struct census_figures *census_hosts(const struct census *c, uint32_t *n)
{
	*n = (uint32_t)c->shown.n;
	return c->shown.host;
}

const struct census_figures *census_depths(const struct census *c)
{
	return c->shown.depth;
}

/* --- the share of the hot pages */

#define PUT_OFF 0.1 /* what a page that is put off counts of one that waits */

/* By what the odds of the truth are greater than those of crawled to waiting pages: the 10th, 50th and 90th percentile. */
struct hot_odds {
	double low, middle, high;
};

static struct hot_odds odds_of(const char *policy)
{
	const int has_model = strcmp(policy, "echo") == 0 || strcmp(policy, "scout") == 0;

	return has_model ? (struct hot_odds){0.79, 4.58, 39.57} : (struct hot_odds){0.47, 1.43, 9.26};
}

static double share_of(double crawled, double rest)
{
	return crawled / (crawled + rest);
}

struct hot_share hot_share_of(const struct frontier_counts *n, uint64_t skipped, const char *policy)
{
	const double crawled = (double)n->crawled, put_off = (double)(n->deferred + skipped);
	const double waiting = (double)(n->queued - n->deferred + n->in_flight), rest = waiting + PUT_OFF * put_off;
	const struct hot_odds odds = odds_of(policy);

	if (!n->crawled)
		return (struct hot_share){(double)NAN, (double)NAN, (double)NAN};
	return (struct hot_share){.share = share_of(odds.middle * crawled, rest),
		.low = share_of(odds.low * crawled, waiting + put_off),
		.high = share_of(odds.high * crawled, rest)};
}
