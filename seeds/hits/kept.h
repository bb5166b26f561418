/* The largest part, kept ready for HITS from one removal to the next.
 *
 * Its rows exist once: they move from the pruned graph into the fold (seeds/hits/fold.h), where a row's
 * targets are places and its leaves stand behind one another, and are looked up there by whoever
 * asks for the links of a node. They move back when the part is to be split. */
#ifndef SEEDS_HITS_KEPT_H
#define SEEDS_HITS_KEPT_H

#include "seeds/hits/fold.h"

/* Zeroed and of PARTS_NONE before; released once. */
struct kept {
	struct fold fold;
	uint32_t part; /* PARTS_NONE: none, all rows are in the pruned graph */
};

/* The pruned graph is that of p. Vectors by the part's places are void after the first; the second
 * leaves them. Beside the result the first needs no more than the rows of one direction; the
 * rows come back without the nodes that were removed. */
void kept_take(struct kept *k, struct parts *p, struct pruned *pruned, uint32_t part);
void kept_give_back(struct kept *k, const struct parts *p, struct pruned *pruned);
void kept_release(struct kept *k);

/* A node of the part is removed: to be called before parts_remove(). */
void kept_remove(struct kept *k, const struct parts *p, uint32_t node);

/* The links of a node, one after the other in some order; nodes that were removed may be among
 * them. */
struct links {
	const uint32_t *at, *end;
	const uint32_t *name; /* of the node at[] means; NULL: at[] are nodes */
	const uint32_t *leaf, *leaf_end;
};

/* From u, and to v: nodes that are left. */
struct links kept_out(const struct kept *k, const struct parts *p, uint32_t u);
struct links kept_in(const struct kept *k, const struct parts *p, uint32_t v);

/* 0 at the end. */
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
