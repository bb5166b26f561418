/* The table of graph formats: detects the format of a file, and reads or writes it.
 *
 *	const struct graph_load load = {.threads = 4};
 *	code = graph_open("cnr-2000.graph", &load, &g, &format, why);
 *	if (!code && graph_format_named("csr")->save)
 *		code = graph_format_named("csr")->save(&g, "cnr-2000.csr", why); */
#ifndef GRAPH_FORMATS_FORMAT_H
#define GRAPH_FORMATS_FORMAT_H

#include "graph/formats/names.h"

struct graph_load {
	/* The number of lines of --urls or --hosts, 0 without these files. If all ids are below it, the ids are the
	 * nodes, without labels. */
	uint32_t nodes_hint;
	unsigned threads;         /* >= 1; does not change the result */
	struct graph_space space; /* zeroed: no bound on memory; does not change the result */
	/* What happens with a file that has fewer arcs than it announces: it is read with a note in *odd, or
	 * it is ERR_FORMAT. */
	enum { GRAPH_AS_IT_IS, GRAPH_WHOLE } care;
	/* If not NULL, a note for the user about the file that was read, such as a heading that was guessed; it stays
	 * unchanged if there is nothing to note. */
	struct err_note *odd;
	/* If not NULL, a zeroed struct that receives the names which the file itself has, if it has some; the caller then
	 * calls names_arrange(), and names_release() also after an error. */
	struct names *names;
};

/* The functions of a format return 0 or an error with a note. */
struct graph_format {
	const char *name;    /* as users type it after --to: "edges", "bvgraph", "csr" ... */
	const char *summary; /* one line for `lycosa list formats` */
	/* Says whether a file has this format, by its contents or else by its name, reading only the start. NULL if
	 * the format is only written. */
	int (*detect)(const char *path);
	/* Reads a file; after an error `g` is zeroed. NULL if the format is only written. */
	int (*load)(const char *path, const struct graph_load *, struct graph *g, struct err_note *why);
	/* Writes a file. NULL if the format is only read. */
	int (*save)(const struct graph *g, const char *path, struct err_note *why);
	/* Checks what load() does not: ERR_FORMAT if the file contradicts a file beside it. NULL if load() checks
	 * everything. */
	int (*verify)(const char *path, struct err_note *why);
	unsigned losses; /* a mask of enum graph_loss: what save() loses */
	/* Writes a file in which each node has its URL. NULL if the format has no place for URLs. */
	int (*save_urls)(const struct graph *g, const struct names *names, const char *path, struct err_note *why);
};

/* What a graph has and a format cannot store. */
enum graph_loss {
	LOSES_LABELS = 1,   /* nodes are numbered anew, from 0 or from 1 */
	LOSES_ISOLATED = 2, /* nodes without arcs */
};

/* All formats, in the order of detection; the table ends with a row whose name is NULL. */
extern const struct graph_format graph_formats[];

/* Returns the format of this name, or NULL. */
const struct graph_format *graph_format_named(const char *name);

/* Detects the format of a file and reads it; the path "-" is an edge list on stdin. `format` may be NULL; else
 * *format is the format that was used. Returns 0; or ERR_FILE, ERR_FORMAT or ERR_TOO_BIG with the position in the
 * note. The caller frees the graph with graph_release(). */
int graph_open(const char *path, const struct graph_load *, struct graph *g, const struct graph_format **format,
	struct err_note *why) MUST_USE;

#endif
