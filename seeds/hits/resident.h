/* The resident component: the largest component stays reduced (seeds/hits/degree_one.h) from one removal to the next.
 *
 * The rows of this component exist only once. They move from the pruned graph into the reduction, where their targets are
 * places and the leaves of a row are neighbours; resident_out() and resident_in() read the links of a node there. The rows
 * move back when the component is to be split. */
#ifndef SEEDS_HITS_RESIDENT_H
#define SEEDS_HITS_RESIDENT_H

#include "seeds/hits/degree_one.h"

/* The caller zeroes the struct and sets `component` to BICOVER_NONE before; it is released once. */
struct resident {
	struct degree_one reduced;
	uint32_t component; /* the resident component; BICOVER_NONE: there is none, and all rows are in the pruned graph */
};

/* Makes a component resident. `pruned` is the graph of p. Vectors by the component's places become invalid. Beside the reduction,
 * the function needs memory for the rows of one direction only. */
void resident_take(struct resident *k, struct bicover *p, struct pruned *pruned, uint32_t component);

/* Moves the rows back into the pruned graph, without the nodes that have been removed. Vectors by place stay valid. */
void resident_give_back(struct resident *k, const struct bicover *p, struct pruned *pruned);

/* Frees the memory. */
void resident_release(struct resident *k);

/* Removes a node of the resident component. The caller calls this before bicover_remove(). */
void resident_remove(struct resident *k, const struct bicover *p, uint32_t node);

/* An iterator over the links of a node, in no particular order. */
struct links {
	const uint32_t *at, *end;
	const uint32_t *name; /* name[at[i]] is the node; NULL: at[i] is the node */
	const uint32_t *leaf, *leaf_end;
};

/* Returns the links of node u, which has not been removed; some may lead to removed nodes. */
struct links resident_out(const struct resident *k, const struct bicover *p, uint32_t u);

/* Returns the links to node v, which has not been removed; some may come from removed nodes. */
struct links resident_in(const struct resident *k, const struct bicover *p, uint32_t v);

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
