/* The resident part: the largest part stays folded (seeds/hits/fold.h) from one removal to the next.
 *
 * The rows of this part exist only once. They move from the pruned graph into the fold, where their targets are
 * places and the leaves of a row are neighbours; kept_out() and kept_in() read the links of a node there. The rows
 * move back when the part is to be split. */
#ifndef SEEDS_HITS_KEPT_H
#define SEEDS_HITS_KEPT_H

#include "seeds/hits/fold.h"

/* The caller zeroes the struct and sets `part` to PARTS_NONE before; it is released once. */
struct kept {
	struct fold fold;
	uint32_t part; /* the resident part; PARTS_NONE: there is none, and all rows are in the pruned graph */
};

/* Makes a part resident. `pruned` is the graph of p. Vectors by the part's places become invalid. Beside the fold, the
 * function needs memory for the rows of one direction only. */
void kept_take(struct kept *k, struct parts *p, struct pruned *pruned, uint32_t part);

/* Moves the rows back into the pruned graph, without the nodes that have been removed. Vectors by place stay valid. */
void kept_give_back(struct kept *k, const struct parts *p, struct pruned *pruned);

/* Frees the memory. */
void kept_release(struct kept *k);

/* Removes a node of the resident part. The caller calls this before parts_remove(). */
void kept_remove(struct kept *k, const struct parts *p, uint32_t node);

/* An iterator over the links of a node, in no particular order. */
struct links {
	const uint32_t *at, *end;
	const uint32_t *name; /* name[at[i]] is the node; NULL: at[i] is the node */
	const uint32_t *leaf, *leaf_end;
};

/* Returns the links of node u, which has not been removed; some may lead to removed nodes. */
struct links kept_out(const struct kept *k, const struct parts *p, uint32_t u);

/* Returns the links to node v, which has not been removed; some may come from removed nodes. */
struct links kept_in(const struct kept *k, const struct parts *p, uint32_t v);

/* Gives the next node. Returns 1 with *v, or 0 at the end. */
static inline int links_next(struct links *l, uint32_t *v)
{
	if (l->at < l->end) {
		*v = l->name ? l->name[*l->at] : *l->at;
		l->at++;
		return 1;
	}
	if (l->leaf == l->leaf_end)
		return 0;
	*v = *l->leaf++;
	return 1;
}

#endif
