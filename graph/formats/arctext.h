/* Arcs read from text, a line an arc: two ids with blanks, tabs or a comma between them, and
 * whatever behind. Lines that begin with # or % are comments, empty ones are nothing. */
#ifndef GRAPH_FORMATS_ARCTEXT_H
#define GRAPH_FORMATS_ARCTEXT_H

#include "base/input.h"
#include "graph/formats/arcs.h"

struct arctext {
	struct arcs *arcs; /* the caller's; what is there already stays */
	void *ctx;         /* for the hooks; a hook may be NULL */
	/* A comment, `n` bytes from its # or % on, without the end of the line. */
	int (*comment)(void *ctx, const struct arctext *t, const char *line, size_t n,
		struct err_note *why);
	/* The first other line: 1 where the hook took it, 0 where it is an arc as all others, or an
	 * error. */
	int (*first)(void *ctx, const struct arctext *t, const char *line, size_t n,
		struct err_note *why);

	/* arctext_read()'s own */
	const char *path;
	uint64_t number; /* of the line */
	int begun;       /* the first line that is no comment is past */
	uint64_t longer; /* lines of arcs that have more behind the two ids, but blanks */
	int unended;     /* the last line has no LF, or CR LF, at its end */
};

/* Reads all of a file, plain or packed, or of stdin ("-"). ERR_FILE, ERR_FORMAT with file and line where a line is no arc, ERR_TOO_BIG over ARCS_MAX
 * arcs or INPUT_LINE_MAX bytes a line. */
int arctext_read(struct arctext *t, const char *path, struct err_note *why) MUST_USE;

/* The decimal number at *at, behind blanks and tabs; *at then stands behind it. Returns 0, or -1
 * where there is none or it needs more than 64 bits. */
int arctext_number(const char **at, const char *end, uint64_t *number);

#endif
