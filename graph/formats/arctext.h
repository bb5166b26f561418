/* Reads arcs from text with one arc on each line: two ids with blanks, tabs or a comma between them; the rest of
 * the line is ignored. Lines that begin with # or % are comments; empty lines are ignored. */
#ifndef GRAPH_FORMATS_ARCTEXT_H
#define GRAPH_FORMATS_ARCTEXT_H

#include "base/input.h"
#include "graph/formats/arcs.h"
#include "graph/formats/format.h"

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

/* Reads formats of text in which each line describes an arc or a node. The readers of such a format provide only
 * the function that parses a line. */

/* Parses a line that is neither empty nor a comment, without the blanks before it, and adds its arcs to `a`.
 * Returns NULL, or the position of an error within the line. */
typedef const char *lists_take(void *ctx, struct arcs *a, const char *line, const char *end);

/* Says whether take() accepts the first line of a file that is no comment. */
int lists_detect(const char *path, lists_take *take, void *ctx);

/* Passes each line of a file to take(). Returns 0; ERR_FILE; or ERR_FORMAT for a line that take() does not accept,
 * with the note "FILE:LINE: 'TEXT' COMPLAINT". */
int lists_read(const char *path, struct arcs *a, lists_take *take, void *ctx, const char *complaint, struct err_note *why) MUST_USE;

/* Reads a file as lists_read() does, and makes the graph. Returns 0, or an error of lists_read() or arcs_to_graph(). */
int lists_load(const char *path, const struct graph_load *load, lists_take *take, void *ctx, const char *complaint, struct graph *g,
	struct err_note *why) MUST_USE;

/* Returns the first position from p on that is no blank or tab, or `end`. */
const char *lists_skip_blanks(const char *p, const char *end);

#endif
