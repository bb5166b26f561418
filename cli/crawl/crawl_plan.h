/* Prints how a crawl would begin, without a request and without changing a file: --print-config and --dry-run. */
#ifndef CLI_CRAWL_CRAWL_PLAN_H
#define CLI_CRAWL_CRAWL_PLAN_H

#include "cli/crawl/crawl_seeds.h"
#include "cli/verb.h"
#include "crawler/live/live.h"

/* --print-config: prints all settings on stdout in the form of a --config file, each under a comment that
 * says where it comes from: the command line, a line of a file, the store, the default. Returns 0 or ERR_RESULTS. */
int crawl_print_settings(const struct command *, struct err_note *why) MUST_USE;

/* --dry-run: prints the settings, the contents of the store, and a row for each seed. The caller has made the
 * crawl with live_new() and has not opened it. Returns 0 or an error. */
int crawl_plan(const struct command *, struct live *, const struct crawl_seeds *, struct err_note *why) MUST_USE;

#endif
