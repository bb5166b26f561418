/* The pages that a replay starts from, in order, as --seeds names them.
 *
 * A file ("-" is stdin) has one a line: a node's id (the data set's own), a URL, or id TAB URL; a
 * line that starts with '#' is a comment. Where a URL is given and the graph has URLs, the URL
 * decides. Or a rule: random:N, random:F (a fraction, at least one page), hosts:N (the N lowest
 * ids of each host), roots (the lowest id of each strongly connected component that no other
 * links to), METHOD:N, the N best seeds of a method of `lycosa list methods` with its usual options ("hits:11"), or
 * sample:F:RULE, a random fraction F of the pages of a file or of another rule, at least one, in their order
 * ("sample:0.5:roots"): so a rule without chance has different draws, too.
 * Of a store a rule takes only pages that were fetched: a page that was merely linked to
 * has no links, and a crawl that begins there ends there. */
#ifndef LAB_STUDY_SEEDSET_H
#define LAB_STUDY_SEEDSET_H

#include "lab/study/dataset.h"
#include "seeds/method.h"

struct seedset {
	uint32_t *ids; /* distinct, in order */
	size_t n;
	size_t missing; /* lines of a file whose URL is not in the graph */
	size_t barred;  /* pages left out, which failed or were refused in the store */
	/* The ids together with the barred pages, in order: a replay of a store takes the barred seeds, too, as the crawl
	 * did. NULL if there are no barred pages. */
	uint32_t *tried;
	size_t n_tried;
};

/* Reads the seeds that `spec` names; `rng_seed` is the seed of random rules. Returns 0, ERR_USAGE for a malformed rule or
 * an id outside the graph, or ERR_NOTHING if no seed is left. Release with seedset_release(). */
int seedset_read(struct seedset *, const char *spec, const struct dataset *, uint64_t rng_seed, struct err_note *why) MUST_USE;
/* Makes a set of the nodes id[n], each below the number of nodes (asserted), in their order. ERR_NOTHING
 * if no seed is left. */
int seedset_take(struct seedset *, const uint32_t *id, size_t n, const struct dataset *, struct err_note *why) MUST_USE;
void seedset_release(struct seedset *);

/* Returns all pages that a replay takes: the barred ones, too. */
static inline const uint32_t *seedset_pages(const struct seedset *s, size_t *n)
{
	*n = s->tried ? s->n_tried : s->n;
	return s->tried ? s->tried : s->ids;
}

/* Says whether a spec draws other pages for another rng seed. */
int seedset_is_drawn(const char *spec);

/* An entry of a seed file; its pointers point into the line that was parsed. */
struct seed_line {
	const char *id, *url; /* NULL where absent */
};

/* Parses a line of a seed file, which it modifies. Returns 1 for an entry, 0 for a comment or a blank line, or ERR_FORMAT. */
int seed_line_parse(char *line, struct seed_line *out);

/* --- The seeds that a method of seeds/method.h finds in a data set, with the method's usual options. */

/* Fills *out with at most k seeds, the best first; the caller zeroes it before and releases it afterwards. Of `given` only the
 * fields host, value, barred, threads and rng_seed are read. If the method needs the transpose, it is the data set's if
 * dataset_reverse() has made it, else a temporary one. Returns 0 or an error of the method. */
int method_seeds(const struct seed_method *m, const struct dataset *data, const struct seed_input *given, size_t k,
	struct seed_output *out, struct err_note *why) MUST_USE;

#endif
