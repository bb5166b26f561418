/* The .properties file of a BVGraph, in the format of Java properties. Keys that are not listed here are ignored. */
#ifndef GRAPH_FORMATS_BVPROPERTIES_H
#define GRAPH_FORMATS_BVPROPERTIES_H

#include "graph/formats/bits.h"

struct bvcodes {
	enum bits_code outdegree, reference, block_count, block, interval, residual, offset;
	unsigned zeta; /* k of every zeta code, 1..16 */
};

struct bvproperties {
	uint64_t nodes, arcs;
	uint64_t window;       /* the most rows that a reference goes back; 0: no references */
	uint64_t min_interval; /* the least length of an interval; 0: no intervals */
	uint64_t max_chain;    /* maxrefcount: the longest chain of references; only a writer uses it */
	uint64_t length;       /* the bits of all rows, if has_length */
	int has_length;
	struct bvcodes codes;
};

/* The default values: window 7, min_interval 4, max_chain 3; outdegrees, counts, blocks, intervals and offsets in
 * gamma, references in unary, residuals in zeta_3. */
extern const struct bvproperties bvproperties_default;

/* Reads a file. The keys may be in any order; a missing key has its default value, except nodes and arcs, which
 * must be there. A key that occurs twice must have the same value. Returns 0, ERR_FILE, or ERR_FORMAT with the key
 * in the note. */
int bvproperties_read(struct bvproperties *p, const char *path, struct err_note *why) MUST_USE;

/* Parses the text of such a file, n bytes. `path` is used in the note only. */
int bvproperties_parse(struct bvproperties *p, const char *path, const char *text, size_t n, struct err_note *why) MUST_USE;

#endif
