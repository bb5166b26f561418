/* The exchange between the agents of a crawl: one agent's end of it. It writes letters about the pages that the agent crawls, and
 * reads those of the other agents to its frontier.
 *
 *   agent A crawls page u                                     agent B owns partition p
 *
 *   exchange_page(A, u, links)
 *     frontier_describe()      key, depth, private bytes
 *     a letter to each partition of another agent that u
 *     links to: u, and the links there
 *        |
 *        +---- post.send(p, letter) ---- any way, late ---->  exchange_take(B, letter)
 *   frontier_ended(u)                                           URLs become B's own ids (pages.find)
 *     the policy hears crawled(u) with A's own targets          frontier_tell(): u is PAGE_REMOTE, and the
 *     and, every batch, reranks: shares of pages of             policy hears crawled(u) with B's own
 *     other agents are kept with these                          targets, of which new ones are queued
 *   exchange_seed(A): a sitemap on a site of B             exchange_take(B, letter)
 *     a letter  ----- post.send(p, letter) -------------->     pages.seed(): B queues it
 *   exchange_masses(A)
 *     if the policy has reranked: a letter to each
 *     partition with the shares of its pages
 *        |
 *        +---- post.send(p, letter) ------------------------>  exchange_take(B, letter)
 *                                                               frontier_add_mass()
 *
 * A letter is addressed to a partition, and whoever owns the partition when it arrives takes it. Letters of one sender must
 * arrive in the order in which they were sent, and once; letters of different senders may arrive in any order. One thread uses an
 * exchange and its frontier. */
#ifndef AGENTS_EXCHANGE_H
#define AGENTS_EXCHANGE_H

#include "agents/partition.h"
#include "frontier/remote.h"

/* A URL of a letter, of n bytes, and what the letter says of it. */
enum exchange_role {
	EXCHANGE_PAGE,   /* another agent has crawled it, or was redirected from it */
	EXCHANGE_LINK,   /* page `from` links to it */
	EXCHANGE_TARGET, /* page `from` was redirected to it */
	EXCHANGE_MASS,   /* it gets mass */
	EXCHANGE_SEED    /* it is a sitemap that a robots.txt names */
};
struct exchange_url {
	const char *url;
	size_t n;
	enum exchange_role role;
	uint32_t from;  /* LINK, TARGET */
	uint16_t depth; /* PAGE: its own; LINK, TARGET: that of page `from` */
};

/* The pages of an agent: its own, and those of other agents that it has heard of. An agent has ids of its own; between agents a
 * page goes by its URL. */
struct exchange_pages {
	void *ctx;
	/* Returns the URL of a page, n bytes that are valid until the next call. */
	const char *(*url)(void *ctx, uint32_t id, size_t *n);
	/* Finds the id of a URL that a letter has, and gives it a new one if it has none. Returns 0, or an error, with which the
	 * letter is not taken: the URL may be none, or too much. */
	int (*find)(void *ctx, const struct exchange_url *, uint32_t *id, struct err_note *why);
	/* Returns the partition of a page. */
	unsigned (*partition)(void *ctx, uint32_t id);
	/* Returns the depth of a page that is described to other agents. NULL: the frontier's is taken. */
	uint16_t (*depth)(void *ctx, uint32_t id);
	/* Page `id`, an own one, is a sitemap that the robots.txt of another agent's site names. NULL: such letters change
	 * nothing. */
	void (*seed)(void *ctx, uint32_t id);
};

/* Sends a letter to the owner of a partition. The bytes are borrowed for the call. Returns 0 or an error. */
struct exchange_post {
	void *ctx;
	int (*send)(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why);
	/* 1: letters about pages to other partitions of the agent itself are sent, too, which the agent need not take: they are for
	 * the logs of these partitions */
	int tells_self;
};

struct exchange;

/* Makes the end of agent `self`. The structs are copied; the frontier and the shares must outlive the exchange. The caller
 * frees it with exchange_free(). */
struct exchange *exchange_new(struct frontier *, const struct shares *, unsigned self, const struct exchange_pages *,
	const struct exchange_post *);

/* Bounds the letters about pages: the URLs of one have about so many bytes at most, and what is more goes into a second letter. */
void exchange_limit(struct exchange *, size_t bytes);

/* Frees it; NULL is allowed. */
void exchange_free(struct exchange *);

/* Sends what the other agents must know of page `id`, which is in flight and was crawled, with its n distinct links and their
 * kinds (NULL: all 0). The caller calls frontier_ended() next. Returns 0 or an error of post.send. */
int exchange_page(struct exchange *, uint32_t id, const uint32_t *links, const uint8_t *kinds, size_t n,
	struct err_note *why) MUST_USE;

/* Sends that page `id` is a sitemap that a robots.txt names, if it is another agent's. Returns 0 or an error of post.send. */
int exchange_seed(struct exchange *, uint32_t id, struct err_note *why) MUST_USE;

/* Sends that page `id`, which is in flight, was redirected to page `target`, if that is another agent's. The caller calls
 * frontier_ended() next. Returns 0 or an error of post.send. */
int exchange_target(struct exchange *, uint32_t id, uint32_t target, struct err_note *why) MUST_USE;

/* Sends the masses for pages of other agents, if the policy has reranked since the last call. The caller does so after
 * frontier_ended(). Returns 0 or an error of post.send. */
int exchange_masses(struct exchange *, struct err_note *why) MUST_USE;

/* Reads which partition a letter is to. Returns 0 or ERR_FORMAT. */
int exchange_partition(const void *letter, size_t n, unsigned *partition) MUST_USE;

/* Reads a letter to the frontier. Links of the letter that lead to pages of other agents (their partition has moved), and masses
 * for them, change nothing, and neither does a link that the letter names twice. Returns 0, ERR_FORMAT if it is no letter, or an
 * error of pages.find; the frontier then has heard nothing of it. */
int exchange_take(struct exchange *, const void *letter, size_t n, struct err_note *why) MUST_USE;

#endif
