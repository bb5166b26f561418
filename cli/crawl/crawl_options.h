/* The flags of `lycosa crawl`: those of the crawl's configuration (crawler/settings/live_config.h), and those of one
 * sitting only. */
#ifndef CLI_CRAWL_CRAWL_OPTIONS_H
#define CLI_CRAWL_CRAWL_OPTIONS_H

#include "agents/bus_access.h"
#include "cli/flags/options.h"
#include "crawler/settings/live_config.h"

struct crawl_options {
	struct standard_options standard;
	struct report_options report;
	struct live_config config; /* the settings that the command line gives; defaults otherwise */
	const char *store, *seeds;
	const char *order, *rejected; /* lists written at the end */
	const char *seeds_out;        /* see cli/crawl/crawl_watch.h; NULL: none */
	uint64_t seeds_every;         /* pages; 0: not given */
	const char *swap_policy;
	const char *join; /* the URL of a crawl of several agents (agents/bus_access.h) */
	uint64_t agents;  /* that it has; 0: not given */
	struct bus_access nats;
	struct flag_list retry_failed;
	int retry_skipped;
	int rescope, keep; /* which settings of the store this sitting replaces */
	int strict, no_sandbox;
	const char *config_file;
	int dry_run, print_config;
	int summary; /* see crawl_end_print() */
};

extern const struct crawl_options crawl_defaults;
extern const struct flag crawl_flags[];

#endif
