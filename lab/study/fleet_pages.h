/* The pages of the agents of a simulated crawl. A node of the graph has one name between agents, its URL, and an id of its own at
 * each agent: an agent's own nodes have the ids 0, 1, 2 ... in the order of the graph, and pages of other agents the next ids, as
 * the agent hears of them. With one agent, ids are nodes.
 *
 *	fleet_names_make(&names, &data);
 *	fleet_pages_make(&pages, &names, &shares, agent);
 *	id = fleet_pages_id(&pages, node);
 *	n = fleet_pages_row(&pages, id, &row);                          the links of the page, as ids of the agent */
#ifndef LAB_STUDY_FLEET_PAGES_H
#define LAB_STUDY_FLEET_PAGES_H

#include "agents/exchange.h"
#include "lab/study/dataset.h"

/* What the nodes are called. All agents share it, and nothing changes it. */
struct fleet_names {
	const struct dataset *data;
	uint16_t *partition; /* of each node, by its host; 0 if the graph has no hosts */
	/* The name of node i is text + start[i], with a NUL behind it: its URL, if it is the first node with this URL; else one
	 * that is made of its URL or host and its number. */
	char *text;
	size_t *start;  /* nodes + 1 */
	uint32_t *slot; /* a hash table of nodes by name: node + 1, or 0 */
	size_t slots;   /* a power of two */
};

void fleet_names_make(struct fleet_names *, const struct dataset *);
void fleet_names_release(struct fleet_names *);

/* Returns the name of a node, n bytes. */
const char *fleet_names_of(const struct fleet_names *, uint32_t node, size_t *n);

/* Returns the node of a name, or UINT32_MAX if there is none. */
uint32_t fleet_names_find(const struct fleet_names *, const char *name, size_t n);

/* The pages of one agent. */
struct fleet_pages {
	const struct fleet_names *names;
	uint32_t *node; /* of each id */
	uint32_t n;     /* ids are below it */
	uint32_t own;   /* ids below it were the agent's own at the start */
	size_t room;
	uint32_t *slot; /* a hash table of ids by node: id + 1, or 0 */
	size_t slots;
	size_t *row; /* of each id: where its row begins in `links`, + 1; 0: it has not been asked for */
	uint32_t *links;
	size_t n_links, links_room;
};

/* Begins with the nodes that belong to the agent. */
void fleet_pages_make(struct fleet_pages *, const struct fleet_names *, const struct shares *, unsigned agent);
void fleet_pages_release(struct fleet_pages *);

/* Returns the id of a node, which is a new one if it had none. */
uint32_t fleet_pages_id(struct fleet_pages *, uint32_t node);

/* Gives the links of a page as ids, in link order, valid until the next call with a page whose row was not asked for before.
 * Returns their number. */
size_t fleet_pages_row(struct fleet_pages *, uint32_t id, const uint32_t **row);

#endif
