/* What a crawl would begin with, told without a request and without a change to any file: --print-config
 * and --dry-run. */
#ifndef CLI_CRAWL_CRAWL_PLAN_H
#define CLI_CRAWL_CRAWL_PLAN_H

#include "cli/crawl/crawl_seeds.h"
#include "cli/verb.h"
#include "crawler/live.h"

/* --print-config: prints all settings on stdout in the form of a --config file, each under a comment that
 * says where it comes from: the command line, a line of a file, the store, the default. ERR_FILE. */
int crawl_print_settings(const struct command *, struct err_note *why) MUST_USE;

/* --dry-run: the settings, what a store holds, and a row a seed. The crawl has been made by live_new()
 * and not been opened. */
int crawl_plan(const struct command *, struct live *, const struct crawl_seeds *,
	struct err_note *why) MUST_USE;

#endif
