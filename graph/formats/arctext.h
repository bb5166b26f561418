/* Reads arcs from text with one arc on each line: two ids with blanks, tabs or a comma between them; the rest of
 * the line is ignored. Lines that begin with # or % are comments; empty lines are ignored. */
#ifndef GRAPH_FORMATS_ARCTEXT_H
#define GRAPH_FORMATS_ARCTEXT_H

#include "base/input.h"
#include "graph/formats/arcs.h"

struct arctext {
	struct arcs *arcs; /* the caller's; arcs are added to it */
	void *ctx;         /* for the hooks, either of which may be NULL */
	/* Receives a comment of n bytes, which begins with # or %, without the end of the line. Returns 0 or an
	 * error. */
	int (*comment)(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why);
	/* Receives the first line that is no comment. Returns 1 if the hook has used the line, 0 if the line is an
	 * arc, or an error. */
	int (*first)(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why);

	/* set by arctext_read() */
	const char *path;
	uint64_t number; /* the number of the current line, from 1 */
	int begun;       /* a line that is no comment has been read */
	uint64_t longer; /* the number of arcs with further text behind the two ids */
	int unended;     /* the last line has no LF at its end */
};

/* Reads a whole file, plain or compressed, or stdin ("-"). Returns 0; ERR_FILE; ERR_FORMAT, with file and line in
 * the note, for a line that is no arc; ERR_TOO_BIG for more than ARCS_MAX arcs or a line of more than
 * INPUT_LINE_MAX bytes; or the error of a hook. */
int arctext_read(struct arctext *t, const char *path, struct err_note *why) MUST_USE;

/* Parses a decimal number at *at, after blanks and tabs, and moves *at behind it. Returns 0, or -1 if there is no
 * number or it needs more than 64 bits. */
int arctext_number(const char **at, const char *end, uint64_t *number);

#endif
