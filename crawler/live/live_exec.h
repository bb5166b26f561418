/* The command that a live crawl runs for each page (--exec, fetch/runner.h): opened with the other files of the crawl, and
 * watched. */
#ifndef CRAWLER_LIVE_EXEC_H
#define CRAWLER_LIVE_EXEC_H

#include "crawler/crawl.h"
#include "crawler/settings/live_config.h"

struct runner;

/* Makes the runner of the configuration; *out is NULL if it names no command, and after an error. Returns 0 or ERR_OTHER. */
int live_exec_open(struct runner **out, const struct live_config *, struct err_note *why) MUST_USE;

/* Returns the observer that ends the crawl if the runner, which may be NULL, has failed. */
struct observer live_exec_observer(struct runner *);

#endif
