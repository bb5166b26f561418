/* `lycosa crawl --join nats://HOST:PORT/NAME`: makes this process an agent of a crawl of several. The first agent writes the
 * crawl's settings and seeds into the bucket, so that the others need --join alone:
 *
 *	err = crawl_join_open(&join, c, &seeds, why);             the crawl's settings come into the store, its seeds into the list
 *	if (!err) err = crawl_decide(c, &decision, why);
 *	if (!err) err = crawl_join_begin(&join, c, &decision, &seeds, &stop, why);    settings published, all agents there
 *	... live_new() with crawl_join_live(&join) ...
 *	crawl_join_close(&join);                                  after live_close()
 *	if (crawl_join_again(&join, err, &stop)) ... from the beginning ...
 *
 * Without --join, crawl_join_live() is NULL, and nothing happens. */
#ifndef CLI_CRAWL_CRAWL_JOIN_H
#define CLI_CRAWL_CRAWL_JOIN_H

#include "agents/roster.h"
#include "cli/crawl/crawl_seeds.h"
#include "crawler/live/live.h"

struct crawl_join {
	struct bus *bus; /* until the member takes it over */
	struct roster roster;
	struct live_join live;
	char id[ROSTER_ID];
	uint64_t log_length;     /* entries of the store's log */
	int has_settings;        /* the bucket has them already */
	struct member_past past; /* what the agent remembers of the bus, */
	int remembers;           /* by the process before, which was this one; else by its store */
	int begins_anew; /* the bus has gone back, or the store was put aside, and crawl_join_again() has not been asked yet */
	int is_confined; /* the process has entered its sandbox, which it cannot do again */
	int is_again;    /* an earlier try of this process has ended so */
	int64_t since, give_up_after; /* when it has; for how long a server is tried that does not answer then */
};

/* Connects to the server, if --join is given; before the first call *j is zero. Where the crawl has settings, they are written into the store, if there is none
 * yet, and its seeds are added to the list. Returns 0; ERR_USAGE; ERR_UNREACHABLE; or an error of the store. The caller calls
 * crawl_join_close() in each case. */
int crawl_join_open(struct crawl_join *, const struct command *, struct crawl_seeds *, struct err_note *why) MUST_USE;

/* Publishes settings and seeds if the crawl has none, or if the server has lost those of the crawl that the store is of; joins its agents, waits until all have joined, and takes the agent's lease.
 * Returns 0; ERR_USAGE if the crawl has other agents or settings; ERR_INTERRUPTED if *stop was set meanwhile; or an error of bus or
 * store. */
int crawl_join_begin(struct crawl_join *, const struct command *, const struct live_decision *, const struct crawl_seeds *,
	const volatile sig_atomic_t *stop, struct err_note *why) MUST_USE;

/* Returns the membership for struct live_settings, or NULL. */
const struct live_join *crawl_join_live(const struct crawl_join *);

/* Leaves the crawl and closes the connection. */
void crawl_join_close(struct crawl_join *);

/* Says, after crawl_join_close(), whether the agent is to begin anew with its store, because the bus has gone back, or with a new one, because
 * the other agents have taken its share; `err` is how it has ended. Waits a moment if the server does not answer. */
int crawl_join_again(struct crawl_join *, int err, const volatile sig_atomic_t *stop);

/* Returns the name of the store of an agent if --store names none: the crawl's name and ".crawl"; the caller frees it. Returns NULL
 * if the text is no URL of a crawl. */
char *crawl_join_store(const char *url);

#endif
