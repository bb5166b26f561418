/* The struct of an agent of a live crawl, for its files: live_agent.c joins the parts and reads the log back, live_agent_letters.c
 * has the way of letters, and live_agent_news.c what the agents tell each other. Nobody else includes this header. */
#ifndef CRAWLER_LIVE_AGENT_PARTS_H
#define CRAWLER_LIVE_AGENT_PARTS_H

#include "agents/exchange.h"
#include "agents/post.h"
#include "crawler/agent/agent_elsewhere.h"
#include "crawler/agent/agent_pages.h"
#include "crawler/agent/agent_shares.h"
#include "crawler/agent/agent_turns.h"
#include "crawler/agent/live_agent.h"

#define LIVE_AGENT_HUNGRY 32 /* an agent with fewer pages queued is soon without work */

/* A round of the first agent. */
struct live_round {
	int was_idle;  /* all agents were */
	uint64_t sent; /* letters of all agents, all of which were confirmed if the agents were idle */
};

struct live_agent {
	struct member *member;
	unsigned agents, self;
	struct shares shares;
	struct agent_turns turns;
	struct store *store;
	struct frontier *frontier;
	struct source *source;
	struct exchange *exchange;
	struct post *post;
	struct post_log *post_log;
	int (*commit)(void *ctx, struct err_note *why);
	void *commit_ctx;
	int (*seed)(void *ctx, const char *url, size_t n, struct err_note *why); /* with commit_ctx */
	struct agent_pages pages;
	struct agent_shares *moves;
	struct roster *roster; /* as far as it is known */
	struct crawl_fleet fleet;
	int is_running; /* the agent may take pages */
	int is_leaving; /* logs and news are told at once */

	/* letters */
	struct member_parcel *next;  /* those that have come, oldest first */
	struct member_parcel *taken; /* of letters that are taken, and not committed yet */
	uint64_t at;                 /* the entry of the store's log that tells of the last event */
	struct buf own;              /* letters to own partitions about the page that ends: see live_agent_log_own() */
	int64_t committed, cost;
	unsigned char *is_away; /* NEWS_AGENTS: agents that have left, or have lost their lease: letters wait for them here */
	int has_marks;          /* marks have changed since the last news */

	/* news */
	struct agent_elsewhere elsewhere;
	int64_t looked;
	struct news mine, *news; /* the own ones; scratch for another's */
	uint64_t *run;           /* NEWS_AGENTS: the process of each agent that was seen last */
	unsigned char *has_told; /* NEWS_AGENTS: agents whose marks were heard since the resume */
	int64_t resumed;         /* when this process had read its log */
	int64_t speed_since;     /* from which the speed is counted: */
	uint64_t speed_from;     /* the pages crawled by then */
	int must_tell; /* the news are urgent: the process begins, and others wait for its marks, or the operator has added seeds */
	struct live_round before;
	uint64_t told; /* letters that the last urgent news have counted */
};

/* --- live_agent_letters.c */

/* Posts a letter to a partition of another agent: LOG_POSTED. A letter to an own partition waits for live_agent_log_own(). For
 * struct exchange_post, whose `ctx` is the agent. */
int live_agent_post(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why) MUST_USE;

/* Writes the letters from own partitions to other own partitions into the logs of these: the policy has heard of all links at once.
 * `at` is the number of the entry that tells of the page. */
void live_agent_log_own(struct live_agent *, uint64_t at);

/* Writes a letter to an own partition, which was taken in entry `at`, into the log of the partition. */
void live_agent_log_heard(struct live_agent *, unsigned from, uint64_t number, const void *letter, size_t n, uint64_t at);

/* Takes some of the letters that have come. Returns 0 or an error. */
int live_agent_take_letters(struct live_agent *, struct err_note *why) MUST_USE;

/* Commits the letters that were taken, if it is time: the recorder commits for events alone. Returns 0 or an error of the store. */
int live_agent_commit_letters(struct live_agent *, struct err_note *why) MUST_USE;

/* If everything is committed, sends what waited for the commit: letters, acknowledgements, records for the logs of partitions.
 * Returns 0 or an error of the store. */
int live_agent_settle(struct live_agent *, struct err_note *why) MUST_USE;

/* --- live_agent_news.c */

/* Looks at the news of the other agents and tells the own ones, if it is time. Returns 0 or an error of the store. */
int live_agent_look_at_news(struct live_agent *, struct err_note *why) MUST_USE;

#endif
