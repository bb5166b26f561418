/* The table of graph formats: how a path becomes a graph, and a graph a file. */
#ifndef GRAPH_FORMATS_FORMAT_H
#define GRAPH_FORMATS_FORMAT_H

#include "graph/formats/names.h"

struct graph_load {
	/* The number of lines of --urls or --hosts, 0 for none: ids below it are taken as they are.
	 */
	uint32_t nodes_hint;
	unsigned threads; /* >= 1; never changes the result */
	/* Where the graph may lie; never changes the result, either. Without bound by default. */
	struct graph_space space;
	/* Whether a file with fewer arcs than it announces is odd, or ERR_FORMAT. */
	enum { GRAPH_AS_IT_IS, GRAPH_WHOLE } care;
	/* Where not NULL: filled with what a person should know of a file that was read, such as a
	 * heading that was guessed; stays as it is where there is nothing. */
	struct err_note *odd;
};

struct graph_format {
	const char *name;    /* as typed after --to: "edges", "bvgraph", "csr" ... */
	const char *summary; /* a line for `lycosa list formats` */
	/* Whether a path is of this format: from content first, the name second. Reads little. NULL
	 * where the format is only written. */
	int (*detect)(const char *path);
	/* NULL where it cannot be read / written. A failed load leaves `g` zeroed. */
	int (*load)(
		const char *path, const struct graph_load *, struct graph *g, struct err_note *why);
	int (*save)(const struct graph *g, const char *path, struct err_note *why);
	/* Compares what load() takes on trust: ERR_FORMAT where a file that was loaded does not fit
	 * the files beside it. NULL where load() compares everything there is. */
	int (*verify)(const char *path, struct err_note *why);
	/* What the nodes are called, where the file itself says so; else NULL. Follow with
	 * names_arrange(). */
	int (*names)(const char *path, struct names *names, struct err_note *why);
	unsigned losses; /* enum graph_loss, of save */
};

/* What a graph has and a format cannot keep. */
enum graph_loss {
	LOSES_LABELS = 1,   /* nodes are numbered anew, from 0 or from 1 */
	LOSES_ISOLATED = 2, /* nodes without arcs */
};

/* Ends with a row whose name is NULL; detection goes in this order. */
extern const struct graph_format graph_formats[];

/* The format of that name, NULL where there is none. */
const struct graph_format *graph_format_named(const char *name);

/* Finds the format of `path` ("-" is an edge list on stdin) and loads it. *format (may be NULL) is
 * set to the one used. ERR_FILE, ERR_FORMAT, ERR_TOO_BIG with a note that says where. */
int graph_open(const char *path, const struct graph_load *, struct graph *g,
	const struct graph_format **format, struct err_note *why) MUST_USE;

#endif
