/* `lycosa seeds --into`: seeds of an older graph as pages of a newer one. */
#ifndef CLI_LAB_SEEDS_INTO_H
#define CLI_LAB_SEEDS_INTO_H

#include "cli/flags/options.h"
#include "lab/study/relocate.h"

enum lost_seeds { LOST_ARE_MAPPED, LOST_ARE_DROPPED };

struct into_seed {
	uint32_t from, node; /* in the older graph, in the newer one */
	enum relocate_rule rule;
};

struct into {
	struct dataset data; /* the newer graph */
	struct relocation relocation;
	enum lost_seeds lost_seeds;
	size_t wanted;
	size_t looked_at;       /* seeds of the older graph */
	struct into_seed *seed; /* distinct pages of the newer graph, in their order */
	struct into_seed *lost; /* without a page */
	size_t n, n_lost, doubles, room, lost_room;
	uint8_t *taken; /* of each node of the newer graph */
};

/* Opens the newer graph; the older one is borrowed. Follow with into_release() in any case. */
int into_open(struct into *x, const char *path, const struct dataset *from, unsigned threads, struct err_note *why) MUST_USE;
void into_release(struct into *x);

/* Looks up the newer graph's pages for the seeds that were found since the last call. Returns 1 if there are enough of them,
 * else 0. It is a seed_input.enough; `ctx` is a struct into. */
int into_is_enough(void *ctx, const struct seed_output *found);

/* Rows id, url, rule, old_id, old_url into a list; then those lost as a table. */
void into_print(const struct into *x, struct results *r);

/* Rows id, url, rule: what may be tried for each seed in place of a newer graph. */
void into_print_candidates(const struct dataset *from, const struct seed_output *found, struct results *r);

#endif
