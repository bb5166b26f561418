/* The news of an agent: what it writes into the bucket, under the key agent.ID, every news_ms(). The writing renews the agent's
 * lease, too. A text with a line for each field, which begins with the field's name. */
#ifndef AGENTS_NEWS_H
#define AGENTS_NEWS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define NEWS_MS      2000  /* between two news of an agent, */
#define NEWS_FEW     8     /* if there are no more agents; and up to twice as long if there are */
#define NEWS_LOST_MS 10000 /* an agent without news for so long has lost its lease */
#define NEWS_AGENTS  1024  /* the most agents of a crawl */

struct news {
	uint64_t run; /* drawn by each process of the agent */
	uint64_t crawled, seen, queued, in_flight;
	uint64_t sent, taken; /* letters: see struct post_counts */
	uint64_t waiting;     /* bytes of letters that are not confirmed */
	uint64_t seeded;      /* the revision of the last seeds of the operator that the agent has taken; 0: none */
	uint64_t speed;       /* thousandths of a page a second, lately */
	uint64_t lag;         /* ms for which the oldest letter has waited for its confirmation */
	uint64_t again;       /* letters that this process has sent, and that were perhaps sent before */
	uint64_t aside;       /* messages that this process has put aside, since no agent of its version writes such */
	uint64_t generation;  /* of the bus (agents/member_past.h), whose logs have all that this agent has told; or 0 */
	uint64_t round;       /* the last round of agent 0 that the agent has seen (crawler/agent/live_agent.h) */
	int is_idle;          /* no page is queued or in flight, and everything is committed */
	int has_left;         /* the process has ended in good order */
	int is_gone;          /* another agent has taken the lease: the agent is none of the crawl's any more */
	int is_hungry;        /* the agent has nothing to do, or soon will have, and would take partitions of others */
	int is_passing;       /* it has sent letters on that its marks count, and whose new receivers have not confirmed them yet */
	uint64_t logged;      /* the agent's log is in the logs of its partitions up to this entry */
	size_t n_marks;       /* the agents of the crawl, or 0 */
	uint64_t mark[NEWS_AGENTS]; /* for each agent, the number of its last letter that is committed here */
};

/* Returns the ms between two news of an agent in a crawl of n agents. A lease lasts so long that one renewal may fail. */
static inline int64_t news_ms(unsigned n)
{
	return n <= NEWS_FEW ? NEWS_MS : n >= 2 * NEWS_FEW ? 2 * NEWS_MS : (int64_t)NEWS_MS * n / NEWS_FEW;
}

/* Writes the text of the news. */
void news_write(const struct news *, struct buf *);

/* Reads the text of n bytes. Fields of later versions are passed over. Returns 0, or -1 if the text is none. */
int news_read(struct news *, const char *text, size_t n);

#endif
