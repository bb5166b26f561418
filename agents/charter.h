/* The charter of a crawl of several agents: its settings and its seeds, under the key "settings" of the bucket. The first agent
 * writes it, once; the stores of the others begin with it.
 *
 *	charter_add(&charter, "policy", "opic");
 *	charter_add(&charter, CHARTER_SEED, "http://example.org/");
 *	written = charter_publish(bus, &charter, why);
 *	...
 *	found = charter_look(bus, &charter, why);
 *	err = charter_each(&charter, take, ctx, why);
 *
 * A text: a line with a version, then for each entry a line with its name and the number of bytes of its value, and the value with
 * a line feed behind it. */
#ifndef AGENTS_CHARTER_H
#define AGENTS_CHARTER_H

#include "agents/bus.h"

#define CHARTER_SEED  "seed"  /* the name of an entry that is a seed */
#define CHARTER_BYTES 900000u /* the most bytes of a charter */

/* Makes an empty charter of a buf. */
void charter_begin(struct buf *);

/* Adds an entry. The name has no blank and no line feed. */
void charter_add(struct buf *, const char *name, const char *value);

/* Calls a function for each entry, in order, until a call returns other than 0. Returns that, or 0, or ERR_FORMAT if the text is no
 * charter of this version. */
int charter_each(const struct buf *, int (*take)(void *ctx, const char *name, const char *value, struct err_note *why), void *ctx,
	struct err_note *why) MUST_USE;

/* Reads the crawl's charter. Returns 1, 0 if there is none, or an error of the bus. */
int charter_look(struct bus *, struct buf *, struct err_note *why) MUST_USE;

/* Writes the crawl's charter. Returns 1; 0 if there is one already; ERR_TOO_BIG; or an error of the bus. */
int charter_publish(struct bus *, const struct buf *, struct err_note *why) MUST_USE;

#define CHARTER_SEEDS "seeds." /* and a number: the key of seeds that were added later, a URL a line */

/* Adds seeds to the crawl while it runs: lines, each with a line feed. Returns 1; ERR_TOO_BIG; or an error of the bus. */
int charter_add_seeds(struct bus *, const struct buf *lines, struct err_note *why) MUST_USE;

#endif
