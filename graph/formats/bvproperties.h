/* The .properties file beside a BVGraph: Java properties, of which these matter. */
#ifndef GRAPH_FORMATS_BVPROPERTIES_H
#define GRAPH_FORMATS_BVPROPERTIES_H

#include "graph/formats/bits.h"

struct bvcodes {
	enum bits_code outdegree, reference, block_count, block, interval, residual, offset;
	unsigned zeta; /* k of every zeta code, 1..16 */
};

struct bvproperties {
	uint64_t nodes, arcs;
	uint64_t window;       /* a reference goes back this far at most; 0: no references */
	uint64_t min_interval; /* 0: no intervals */
	uint64_t max_chain;    /* maxrefcount; what readers need not know */
	uint64_t length;       /* bits of all rows, where has_length */
	int has_length;
	struct bvcodes codes;
};

/* window 7, interval 4, chain 3; outdegrees, counts, blocks, intervals and offsets in gamma,
 * references in unary, residuals in zeta_3. */
extern const struct bvproperties bvproperties_default;

/* Reads the file. Keys in any order, unknown ones passed over, missing ones as in the default, but
 * nodes and arcs must be there, and a key that matters twice must have the same value. ERR_FILE,
 * ERR_FORMAT with the key in the note. */
int bvproperties_read(struct bvproperties *p, const char *path, struct err_note *why) MUST_USE;

/* Likewise, from its text. `path` is for the note. */
int bvproperties_parse(struct bvproperties *p, const char *path, const char *text, size_t n,
	struct err_note *why) MUST_USE;

#endif
