/* The seeds of a live crawl: operands, then the lines of a file. "example.org" stands for
 * "http://example.org", as in a browser of old; servers that want https lead there by a redirect. */
#ifndef CLI_CRAWL_CRAWL_SEEDS_H
#define CLI_CRAWL_CRAWL_SEEDS_H

#include "cli/verb.h"

struct crawl_seeds {
	char **url; /* n texts, which need not be valid URLs */
	size_t n, room;
	size_t named;    /* the first of them, which the user has named on the command line */
	int names_store; /* 1: the user has named no store, so that it bears the name of the first seed */
};

/* Adds a seed: a URL, or a host alone. */
void crawl_seeds_add(struct crawl_seeds *, const char *url);

/* Reads a file of seeds ("-": stdin). Returns 0; ERR_USAGE for a line without a URL; or ERR_FILE. */
int crawl_seeds_file(struct crawl_seeds *, const char *file, struct err_note *why) MUST_USE;

/* Reads the operands and the file of --seeds. Returns 0; ERR_USAGE for a line without a URL; or ERR_FILE. The
 * caller calls crawl_seeds_release() in each case. */
int crawl_seeds_read(const struct command *, struct crawl_seeds *, struct err_note *why) MUST_USE;

/* Returns the name of the store that a crawl of these seeds uses if --store names none: the host of the first seed, "-"
 * and the port if the seed has one, and ".crawl". The first seed exists and is a URL. The caller frees the text. */
char *crawl_seeds_store(const struct crawl_seeds *);

/* Frees the list. */
void crawl_seeds_release(struct crawl_seeds *);

#endif
