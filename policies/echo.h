/* Echo (policies/echo.c) as the core of another policy, whose state begins with a struct echo, whose private bytes of a page are a
 * struct expected_page, and which calls echo's hooks. A page whose key is RERANK_FIRST_OF_ALL (policies/rerank.h) keeps it until
 * the next reranking. */
#ifndef POLICIES_ECHO_H
#define POLICIES_ECHO_H

#include "policies/expected_rank.h"
#include "policies/seed_bonus.h"

struct echo {
	struct expected_rank rank;
	struct seed_bonus seeds;
	struct name_prior names;
	double m, bonus;
	uint64_t seeds_crawled; /* of the first seeds */
	uint64_t ranked;        /* the pages that were crawled at the last reranking */
	uint32_t n_first_seeds; /* pages with a lower seq are the first seeds */
	int keys_are_K;         /* 1: the keys of all pages are K; 0: seeds come first, and other pages have temporary keys */
	int is_reranked;        /* 0: there was no reranking, and the field e of a page has its temporary value */
};

/* The hooks of the policy. */
void echo_seed(const struct policy_call *, const uint32_t *seeds, size_t n);
void echo_crawled(const struct policy_call *, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n);
int echo_due(const struct policy_call *);
int echo_rerank(const struct policy_call *);

#endif
