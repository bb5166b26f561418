/* One crawl by several agents, simulated in one process: each agent has a frontier, and they tell each other what they crawl
 * through agents/exchange.h, by letters that arrive late.
 *
 *	replay.fleet = &(struct fleet_plan){.agents = 4, .lag = 10};
 *	err = fleet_run(&replay, data, seeds, why);        replay.order is that of the whole crawl
 *	... fleet_idle(replay.figures) ...
 *	replay_release(&replay);
 *
 * Time goes by in ticks. At each tick the agents take their turns, agent 0 first; an agent that has a queued page crawls one, any
 * other agent is idle. A letter that is sent at tick t is there before the turns of tick t + 1 + lag, and so are the counts of the
 * view (frontier_hear()). So with a lag of 0 all agents know at a tick what happened at the tick before; and with one agent the
 * crawl is that of replay_run(), page for page.
 *
 * Simulated are the division of the pages, the letters with all their bytes, and their lag. There is no network, no
 * politeness, no lease and no failure; an agent takes as long for a page as any other. */
#ifndef LAB_STUDY_FLEET_H
#define LAB_STUDY_FLEET_H

#include "agents/partition.h"
#include "lab/study/replay.h"

#include <stdlib.h>

#define FLEET_LAG_MOST 100000
#define FLEET_MOMENTS  50000000 /* the most agents * (lag + 1) */

/* Who owns which partition. */
enum fleet_shares {
	FLEET_FIXED, /* as shares_deal() has dealt them, to the end */
	/* Shares follow load: every FLEET_REST ticks each agent without a queued page takes a partition of the agent that has
	 * most pages queued, if this one keeps at least half of them. The move takes no time, and the bytes of the pages
	 * that move are not counted. */
	FLEET_LOAD
};
#define FLEET_REST 16

struct fleet_plan {
	uint64_t agents; /* 1 to PARTITIONS */
	uint64_t lag;    /* in ticks, up to FLEET_LAG_MOST */
	int shares;      /* enum fleet_shares */
};

/* What one agent did. */
struct fleet_share {
	uint32_t partitions; /* that it owned at the end */
	uint32_t pages;      /* of the graph in them */
	uint32_t crawled;
	uint64_t idle;           /* turns without a page */
	uint64_t letters, bytes; /* sent */
	uint64_t taken;          /* letters that arrived */
};

struct fleet_figures {
	uint64_t ticks;
	uint64_t moves, moved; /* partitions that moved, and pages in them */
	uint64_t twice;        /* pages that were asked for more than once, by any agents */
	unsigned agents;
	struct fleet_share *share; /* of each agent */
	struct fleet_share all;    /* the sums */
};

/* Returns the share of all turns that were idle. */
double fleet_idle(const struct fleet_figures *);

/* Crawls the graph by the agents of r->fleet and fills the struct as replay_run() does, and r->figures. Returns 0; ERR_USAGE for
 * a chain of policies, for virtual time, for a plan that is too large, or for several agents on a graph without hosts; or an error
 * of replay_run(). */
int fleet_run(struct replay *, const struct dataset *, const struct seedset *, struct err_note *why) MUST_USE;

/* Frees the figures; NULL is allowed. */
static inline void fleet_figures_free(struct fleet_figures *f)
{
	if (f)
		free(f->share);
	free(f);
}

#endif
