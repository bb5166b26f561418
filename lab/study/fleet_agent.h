/* An agent of a simulated crawl: a frontier, a source that answers from the graph, the crawl loop, and the agent's end of the
 * exchange.
 *
 *	err = fleet_agent_open(&a, &setting, self, why);
 *	n = crawl_step(&a.crawl, why);                    1: the agent has taken a page, 0: it has none
 *	err = exchange_masses(a.exchange, why);
 *	fleet_agent_close(&a); */
#ifndef LAB_STUDY_FLEET_AGENT_H
#define LAB_STUDY_FLEET_AGENT_H

#include "agents/exchange.h"
#include "crawler/crawl.h"
#include "lab/study/dataset.h"
#include "lab/study/replay.h"

/* --- The pages of the agents of a simulated crawl. A node of the graph has one name between agents, its URL, and an id of its own at
 * each agent: an agent's own nodes have the ids 0, 1, 2 ... in the order of the graph, and pages of other agents the next ids, as
 * the agent hears of them. With one agent, ids are nodes.
 *
 *	fleet_names_make(&names, &data);
 *	fleet_pages_make(&pages, &names, &shares, agent);
 *	id = fleet_pages_id(&pages, node);
 *	n = fleet_pages_row(&pages, id, &row);                          the links of the page, as ids of the agent */

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

/* What the agents have in common. */
struct fleet_setting {
	const struct dataset *data;
	const struct fleet_names *names;
	const struct shares *shares;
	const struct frontier_settings *frontier; /* `oracle` is by node; `ids` is ignored */
	const double *score;                      /* of each node; NULL: none */
	unsigned sees;                            /* bits of enum policy_sight that the policy asks for */
	struct exchange_post post;
	struct observer watch; /* `taken` and `event` are called with nodes in place of the agents' ids, and with the value
				  of a page in place of its key */
};

struct fleet_agent {
	struct source source; /* the first field, by which the source finds its agent */
	const struct fleet_setting *setting;
	unsigned self;
	struct fleet_pages pages;
	struct frontier *frontier;
	struct exchange *exchange;
	struct crawl crawl;
	struct observer observer;
	double *oracle;   /* by id; NULL: none */
	uint32_t oracles; /* ids whose value is known */
	uint32_t *host;   /* of the graph's hosts: the agent's number + 1, or 0; NULL: the policy does not see hosts */
	uint32_t hosts;
	uint32_t submitted; /* the page in flight */
	int is_busy;        /* whether there is one */
	struct result event;
};

/* Opens agent number `self`; the setting must outlive it. Returns 0 or an error of frontier_new(); the caller closes it in each
 * case. */
int fleet_agent_open(struct fleet_agent *, const struct fleet_setting *, unsigned self, struct err_note *why) MUST_USE;
void fleet_agent_close(struct fleet_agent *);

/* Counts the queued pages of an agent by partition, in queued[PARTITIONS]. */
void fleet_agent_tally(const struct fleet_agent *, uint32_t *queued);

/* Moves the pages of a partition that has moved, as shares->owner says, from one agent to another. Returns their number. */
uint32_t fleet_agent_move(struct fleet_agent *from, struct fleet_agent *to, unsigned partition);

/* Queues those of n nodes that belong to the agent as seeds, in their order. */
void fleet_agent_seed(struct fleet_agent *, const uint32_t *nodes, size_t n);

#endif
