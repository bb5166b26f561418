/* The seeds of a live crawl as given: operands, then the lines of a file. */
#ifndef CLI_CRAWL_CRAWL_SEEDS_H
#define CLI_CRAWL_CRAWL_SEEDS_H

#include "cli/verb.h"

struct crawl_seeds {
	char **url; /* n texts, as given: not judged yet */
	size_t n, room;
};

/* ERR_USAGE for a line without a URL, ERR_FILE; the list is to be released in any case. */
int crawl_seeds_read(const struct command *, struct crawl_seeds *, struct err_note *why) MUST_USE;
void crawl_seeds_release(struct crawl_seeds *);

#endif
