/* What `lycosa crawl` can be told: the flags' values, and the tables that fill them. */
#ifndef CLI_CRAWL_CRAWL_OPTIONS_H
#define CLI_CRAWL_CRAWL_OPTIONS_H

#include "cli/flags/options.h"

struct crawl_options {
	struct standard_options standard;
	struct policy_options policy;
	struct report_options report;
	const char *swap_policy;
	const char *seeds, *store, *order, *previous;
	/* seen from outside */
	const char *log, *config;
	uint64_t metrics;
	int dry_run, print_config;
	/* scope */
	uint64_t max_depth;
	int span_hosts, no_parent;
	const char *normalise;
	const char *types;
	const char *rules, *rejected, *warc;
	uint64_t warc_size;
	struct flag_list trap_opts;
	uint64_t host_pages, domain_pages;
	int rescope, allow_private;
	const char *domains, *accept, *reject, *accept_regex, *reject_regex;
	/* manners */
	int64_t delay;
	double delay_factor;
	uint64_t per_host, parallel;
	int no_robots, follow_sitemaps;
	const char *contact, *user_agent;
	struct flag_list heed;
	/* fetching */
	int64_t timeout;
	uint64_t tries, limit_rate;
	struct flag_list headers, connect_to;
	const char *proxy, *cacert, *auth, *cookies;
	int64_t connect_timeout, first_byte_timeout, read_timeout;
	uint64_t max_filesize, max_unpacked, max_headers, max_redirect;
	/* limits */
	int64_t max_time;
	uint64_t max_bytes;
	int strict;
};

/* What --heed can name. */
const char *crawl_heed_word(size_t i);

extern const struct crawl_options crawl_defaults;
extern const struct flag_group crawl_groups[];

#endif
