/* The file with the seeds of the next crawl (--seeds-out), which a crawl renews every so many pages (--seeds-every), as `lycosa
 * seeds --method hits` extracts them from the store. A process of its own extracts them, so that the crawl does not wait, and the
 * file gets its name, in place of the earlier one, when it is whole.
 *
 *   crawl_seed_file_open(&f, "crawl", "next.seeds", 10000);
 *   observers[n++] = crawl_seed_file_observer(&f);
 *   ... live_run() ...
 *   crawl_seed_file_close(&f, CRAWL_SEEDS_LAST); */
#ifndef CLI_CRAWL_CRAWL_SEED_FILE_H
#define CLI_CRAWL_CRAWL_SEED_FILE_H

#include "crawler/crawl.h"

#include <sys/types.h>

#define CRAWL_SEEDS_EVERY 10000 /* pages, by default */
#define CRAWL_SEEDS_COUNT "100" /* the most seeds */

struct crawl_seed_file {
	const char *store, *path; /* borrowed; path is NULL if there is no such file */
	struct output *making;    /* while a child writes it */
	uint64_t every, pages;    /* crawled or visited since the last extraction began */
	pid_t child;              /* that extracts; 0: there is none */
};

/* Begins with no page; `path` may be NULL. */
void crawl_seed_file_open(struct crawl_seed_file *, const char *store, const char *path, uint64_t every);

/* Returns the observer that counts pages and starts extractions. An extraction that fails is told, and the crawl goes on. */
struct observer crawl_seed_file_observer(struct crawl_seed_file *);

/* What becomes of the pages since the last extraction. */
enum crawl_seed_last {
	CRAWL_SEEDS_LAST, /* the seeds are extracted once more, and the call waits for them */
	CRAWL_SEEDS_NONE  /* the sitting is broken off: an extraction that runs is, too */
};

/* Ends the extractions and frees the memory. A second call has no effect. */
void crawl_seed_file_close(struct crawl_seed_file *, enum crawl_seed_last);

#endif
