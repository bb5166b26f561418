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
	struct member_past past; /* what is known of the bus */
	int remembers;           /* 1: `past` comes from an earlier try of this process; 0: from the store */
	int begins_anew;         /* 1: the bus has gone back, or the store was put aside; crawl_join_again() sets it to 0 */
	int is_confined;         /* the process has entered its sandbox, which it cannot do again */
	int is_again;            /* 1: an earlier try of this process has ended, because it had to begin anew */
	int64_t since;           /* the time of that end, in ms of clock_ms() */
	int64_t give_up_after;   /* for how many ms after it a server is tried that does not answer */
};

/* Connects to the server, if --join is given; before the first call *j is zero. If the bucket has settings, and there is no store
 * yet, the settings are written into a new store; the crawl's seeds are added to the list. Returns 0; ERR_USAGE; ERR_UNREACHABLE;
 * or an error of the store. The caller calls crawl_join_close() in each case. */
int crawl_join_open(struct crawl_join *, const struct command *, struct crawl_seeds *, struct err_note *why) MUST_USE;

/* Publishes settings and seeds if the crawl has none, or if the server has lost the settings of the crawl to which the store
 * belongs. Then joins the crawl's agents, waits until all have joined, and takes the agent's lease. Returns 0; ERR_USAGE if the
 * crawl has other agents or settings; ERR_INTERRUPTED if *stop was set meanwhile; or an error of bus or store. */
int crawl_join_begin(struct crawl_join *, const struct command *, const struct live_decision *, const struct crawl_seeds *,
	const volatile sig_atomic_t *stop, struct err_note *why) MUST_USE;

/* Returns the membership for struct live_settings, or NULL. */
const struct live_join *crawl_join_live(const struct crawl_join *);

/* Leaves the crawl and closes the connection. */
void crawl_join_close(struct crawl_join *);

/* Returns 1, after crawl_join_close(), if the caller must start over: with the same store if the bus has gone back, with a new one
 * if the other agents have taken the agent's share. `err` is the result of the try that has ended. Waits a moment if the server
 * does not answer. */
int crawl_join_again(struct crawl_join *, int err, const volatile sig_atomic_t *stop);

/* Returns the name of the store of an agent if --store names none: the crawl's name and ".crawl"; the caller frees it. Returns NULL
 * if the text is no URL of a crawl. */
char *crawl_join_store(const char *url);

#endif
