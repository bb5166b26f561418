/* The turns of an agent at addresses that hosts of several agents share, as a network source asks for them (struct net_permits). A
 * turn is asked of the member, and ends with the longest rest that the frontier of another agent could keep after the request.
 *
 *	struct agent_turns turns = {.member = member, .delay = 1000, .factor = 2};
 *	const struct net_permits permits = agent_turns_permits(&turns);
 *
 * The coordinator thread calls these functions. */
#ifndef CRAWLER_AGENT_TURNS_H
#define CRAWLER_AGENT_TURNS_H

#include "agents/member.h"
#include "crawler/network/net_fleet.h"

struct agent_turns {
	struct member *member; /* NULL: the crawl is only looked at, and asks no address */
	int is_shared;         /* 0: the agent is alone, and needs no turn */
	int64_t delay;         /* how long an address rests after a request: see struct frontier_settings */
	double factor;
};

/* Returns for how long an address rests, in ms, behind a request that took so many ms. `host_delay` is what its site asks for, or
 * less than 0. */
int64_t agent_turns_rest(const struct agent_turns *, int64_t took, int64_t host_delay);

/* Returns the functions for a network source. The turns must outlive the source. */
struct net_permits agent_turns_permits(struct agent_turns *);

#endif
