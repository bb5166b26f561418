/* What the frontier of a live crawl asks about pages (struct frontier_world of frontier/frontier.h), answered from the crawl's
 * store and knowledge.
 *
 *	source.world = (struct net_world){.store = store, .knowledge = &knowledge, .fleet = &fleet, ...};
 *	net_world_fill(&source.world, &world);        world is given to frontier_new()
 *	net_world_release(&source.world); */
#ifndef CRAWLER_NET_WORLD_H
#define CRAWLER_NET_WORLD_H

#include "crawler/knowledge/knowledge.h"
#include "crawler/network/distinct.h"
#include "crawler/network/net_fleet.h"
#include "frontier/frontier.h"
#include "parser/host_settings.h"
#include "storage/store.h"

/* All pointers are borrowed. */
struct net_world {
	struct store *store;
	struct knowledge *knowledge;
	struct net_fleet *fleet;
	const struct host_settings *host_settings; /* NULL: all hosts have the same settings */
	int is_scored;                             /* 1: a score command scores the pages, or has scored them */
	int has_anchors;                           /* 1: the anchor texts of links are kept */
	/* private: the links of the page that was asked for last */
	struct distinct distinct;
	uint32_t *links;
	size_t room;
};

/* Fills in the functions of *world, which call back to the struct: it must stay where it is as long as the frontier. */
void net_world_fill(struct net_world *, struct frontier_world *world);

/* Frees the memory of the struct. */
void net_world_release(struct net_world *);

#endif
