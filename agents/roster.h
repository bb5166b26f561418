/* The roster of a crawl: the agents, in the order in which they joined. It stands in the bucket under the key "roster". The first
 * agent says how many agents the crawl has; when so many have joined, or nobody else has for a minute (roster_begin()), the
 * partitions are dealt to them (shares_deal()), and the crawl begins. Neither changes any more; an agent that has ended comes back
 * with its store.
 *
 *	int err = roster_join(bus, id, 4, &roster, why);
 *	while (!err && !roster_is_complete(&roster)) ... wait ..., err = roster_look(bus, &roster, why);
 *	unsigned self = roster_find(&roster, id); */
#ifndef AGENTS_ROSTER_H
#define AGENTS_ROSTER_H

#include "agents/bus.h"
#include "agents/news.h"

#define ROSTER_ID   17 /* bytes of an agent's id: 16 hexadecimal digits and a NUL */
#define ROSTER_NONE UINT32_MAX

struct roster {
	unsigned agents; /* that the crawl has */
	unsigned n;      /* that have joined */
	char id[NEWS_AGENTS][ROSTER_ID];
};

/* Draws the id of a new agent. */
void roster_draw(char id[ROSTER_ID]);

/* Adds an agent to the roster of the crawl, unless it is there. If there is no roster, one for `agents` agents is made, unless that
 * is 0: then another agent makes it. If the roster is an earlier one than the one that *r has, since the bus has gone back, or if
 * there is none, that one is written again; r->n is 0 if the caller knows none. Returns 0; ERR_UNREACHABLE if the bus has lost the
 * roster; ERR_USAGE if the roster is full, or has another number of agents than `agents`, which is not 0; or an error of the
 * bus. */
int roster_join(struct bus *, const char *id, unsigned agents, struct roster *, struct err_note *why) MUST_USE;

/* Lets the crawl begin with the agents that have joined, unless more have than *r knows: later ones join a crawl that has begun.
 * Returns 0 with the *r that the bucket has then, or an error. */
int roster_begin(struct bus *, struct roster *, struct err_note *why) MUST_USE;

/* Reads the roster. Returns 1, 0 if there is none, or an error. */
int roster_look(struct bus *, struct roster *, struct err_note *why) MUST_USE;

/* Says whether a roster is another one that the bucket has had, or will have: it has the same agents in the same places, and
 * perhaps more behind them. */
int roster_extends(const struct roster *, const struct roster *earlier);

/* Says whether all agents have joined. */
int roster_is_complete(const struct roster *);

/* Returns the place of an agent, or ROSTER_NONE. */
unsigned roster_find(const struct roster *, const char *id);

/* Writes and reads its text. roster_read() returns 0, or -1 if the text is none. */
void roster_write(const struct roster *, struct buf *);
int roster_read(struct roster *, const char *text, size_t n);

#endif
