/* What an agent knows of the leases of the other agents, and as of when. All keys of a crawl are messages of one stream, so their
 * revisions have one order, and a watch of the bucket shows changes in it. The agent's own news, when the watch shows them, are a
 * mark in this order: whatever was written before them has been seen.
 *
 *   the server's order   ...  C's news   C takes an address   ...   the own news, sent at T   ...
 *                             41         52                         60: the mark
 *
 * Without a mark the absence of news means nothing. A watch that begins anew, since the server was killed and started again, shows
 * the last value of each key: "C holds the address" of revision 52 first, and C's last news, which are of revision 67, behind it.
 * In between the agent has not heard of C for as long as the server was away, and C asks at the address. So the own news are a mark
 * only if they were sent after the watch began: then they are behind all that it shows of the time before.
 *
 *	leases_listen(l, now);                          a watch has begun
 *	leases_wrote(l, revision, sent);                the bucket has taken the own news
 *	leases_heard(l, agent, revision, is_over, now); the watch has shown the news of an agent, the own ones included
 *	if (leases_is_over(l, holder, revision)) ...    what C has written with this revision, or before, binds nobody any more
 *
 * The caller has a lock. Times are in ms of clock_boot_ms(). */
#ifndef AGENTS_LEASES_H
#define AGENTS_LEASES_H

#include "agents/news.h"

struct leases {
	unsigned self;
	int64_t began, listened; /* the struct, and the watch */
	struct {
		uint64_t revision;
		int64_t sent;
	} wrote, mark;                /* the own news that were written last, and the last ones that the watch has shown */
	int64_t heard[NEWS_AGENTS];   /* when the last news of each agent were seen; 0: never */
	uint8_t is_over[NEWS_AGENTS]; /* it says that it has left, or another agent that it is gone */
};

/* Begins with nothing heard. The caller frees the struct with free(). */
struct leases *leases_new(unsigned self, int64_t now);

/* Notes that a watch of all keys has begun, and will show the last value of each key, and all changes since. */
void leases_listen(struct leases *, int64_t now);

/* Notes that the bucket has taken the own news, which were sent not before `sent`. */
void leases_wrote(struct leases *, uint64_t revision, int64_t sent);

/* Notes that the watch has shown news of an agent. */
void leases_heard(struct leases *, unsigned agent, uint64_t revision, int is_over, int64_t now);

/* Says whether an agent had no lease at the mark, and the mark is behind a change with this revision. Then the agent holds nothing
 * by this change or an earlier one: an agent that renews a lease that had ended writes what it holds again, with new revisions. */
int leases_is_over(const struct leases *, unsigned agent, uint64_t revision);

/* Says whether the mark is behind a change with this revision, and its news were sent at or after a time. */
int leases_is_marked(const struct leases *, uint64_t revision, int64_t time);

/* Says whether the agent hears changes: those of NEWS_LOST_MS ago, less `margin` ms, have all been seen. */
int leases_hears(const struct leases *, int64_t now, int64_t margin);

#endif
