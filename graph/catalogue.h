/* The catalogue of public web graphs: what each is, who publishes it, and where. `lycosa data get NAME` fetches the files of a
 * row into a folder of the user's, and "data:NAME" then stands for that graph wherever a graph is named.
 *
 *	const struct catalogue_row *row = catalogue_named("cnr-2000", why);
 *	char *path = row ? catalogue_path(row) : NULL;             "/home/me/.cache/lycosa/cnr-2000/cnr-2000" */
#ifndef GRAPH_CATALOGUE_H
#define GRAPH_CATALOGUE_H

#include "base/err.h"

#include <stdint.h>

struct catalogue_row {
	const char *name;     /* as it is typed after "data:" */
	const char *what;     /* one line: which part of the Web, and when it was crawled */
	uint64_t nodes, arcs; /* as the owner states them; 0 where the owner states rounded numbers only */
	const char *address;  /* the folder of the files, with a slash at the end */
	/* The names of the files, each behind a blank. A name with a question mark before it is of a file that may be missing at
	 * its owner's. The first file, without ".graph", is the path of the graph. */
	const char *files;
	const char *sums;    /* the name of the owner's list of MD5 sums, in the form of md5sum(1); NULL where there is none */
	const char *licence; /* as the owner states it */
	const char *cite;    /* the publication that the owner asks to cite */
};

/* All rows, in the order of `lycosa data list`; the table ends with a row whose name is NULL. */
extern const struct catalogue_row catalogue[];

/* Says whether a graph is named by the catalogue, as "data:NAME". */
int catalogue_is(const char *graph);

/* Returns the row of this name, which may begin with "data:"; NULL with the nearest name in the note if there is none. */
const struct catalogue_row *catalogue_named(const char *name, struct err_note *why);

/* Returns the folder with the files of a row: NAME in the folder that LYCOSA_DATA names, or else in lycosa/ of XDG_CACHE_HOME, or
 * of ~/.cache. The caller frees it with free(). */
char *catalogue_folder(const struct catalogue_row *row);

/* Returns the path of a row's graph, which need not be there. The caller frees it with free(). */
char *catalogue_path(const struct catalogue_row *row);

/* Says whether the files that no one may miss are there. */
int catalogue_is_here(const struct catalogue_row *row);

/* Finds the name of a row's file number i, from 0. Returns 1, and sets *length and *optional; or 0 behind the last one. */
int catalogue_file(const struct catalogue_row *row, size_t i, const char **name, size_t *length, int *optional);

#endif
