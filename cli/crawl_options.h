/* What `lycosa crawl` can be told: the flags' values, and the tables that fill them. */
#ifndef CLI_CRAWL_OPTIONS_H
#define CLI_CRAWL_OPTIONS_H

#include "cli/options.h"

struct crawl_options {
	struct standard_options standard;
	struct policy_options policy;
	struct report_options report;
	const char *seeds, *store, *order;
	/* scope */
	uint64_t max_depth;
	int span_hosts, no_parent;
	const char *domains, *accept, *reject, *accept_regex, *reject_regex;
	/* manners */
	int64_t delay;
	uint64_t per_host, parallel;
	int no_robots, follow_sitemaps;
	const char *contact, *user_agent;
	/* fetching */
	int64_t timeout;
	uint64_t tries, limit_rate;
	struct flag_list headers, connect_to;
	const char *proxy, *cacert;
	/* limits */
	int64_t max_time;
	uint64_t max_bytes;
	int strict;
};

extern const struct crawl_options crawl_defaults;
extern const struct flag_group crawl_groups[];

#endif
