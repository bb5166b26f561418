/* A policy of a chain whose turn is still to come. It is told of everything from the first seed on,
 * as the policy is whose turn it is, and keeps keys and private bytes of its own; so when its turn
 * comes it is where it would be had it been told of the same events alone. What it writes orders
 * nothing until then.
 *
 * The frontier's own: only frontier/ includes this. */
#ifndef FRONTIER_FOLLOWER_H
#define FRONTIER_FOLLOWER_H

#include "frontier/policy.h"

struct follower {
	const struct policy *policy;
	uint64_t until;          /* its turn ends when so many pages are crawled; 0: never */
	struct opt_set opts;     /* its part of the chain's; borrowed */
	struct policy_call call; /* state, &view, page: of `page` the place is not kept */
	int initialised;         /* policy->init went well: done is owed */
	unsigned char *private;  /* ids * policy->page_size */
	struct policy_view view;
	struct policy_work work;
};

/* The options of turn i of a chain, of which `opts` are all. */
struct opt_set follower_opts(const struct policy *chain, const struct opt_set *opts, size_t i);

/* Turn i of a chain follows; `view` is the view of who leads, before anything was seen. Errors are
 * those of its init; release in any case. Must not move afterwards but by take_over of swap.c. */
int follower_init(struct follower *, const struct policy *chain, size_t i, const struct opt_set *,
	const struct policy_view *view, struct err_note *why) MUST_USE;
void follower_release(struct follower *, uint32_t ids);

/* What the frontier does to pages, done to theirs: all n followers. */
void followers_grow(struct follower *, size_t n, uint32_t had, uint32_t want);
void followers_see(struct follower *, size_t n, uint32_t id, uint32_t seq);
void followers_redirected(struct follower *, size_t n, uint32_t id, uint32_t target);

/* What the leader was told, with the view that it was told it with. */
void followers_seed(struct follower *, size_t n, const struct policy_view *, const uint32_t *seeds,
	size_t n_seeds);
/* Reranks, too, where it is due; the first error of one. */
int followers_crawled(struct follower *, size_t n, const struct policy_view *, uint32_t u,
	size_t outdegree, const uint32_t *queued, size_t n_queued) MUST_USE;

#endif
