#include "cli/crawl_options.h"

#define OWN(field) offsetof(struct crawl_options, field)
static const struct flag input[] = {
	{"store", 0, FLAG_TEXT, OWN(store), "DIR", .help = "where it is kept; again: goes on",
		.required = 1},
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "FILE",
		.help = "URLs to start from, one a line ('-': stdin)"},
	{"order", 0, FLAG_TEXT, OWN(order), "FILE", .help = "write the URLs in the order crawled"},
	{.name = NULL},
};
static const struct flag scope[] = {
	{"span-hosts", 'H', FLAG_SWITCH, OWN(span_hosts), .help = "go to every host"},
	{"domains", 'D', FLAG_TEXT, OWN(domains), "LIST",
		.help = "and to these domains, commas between"},
	{"max-depth", 0, FLAG_COUNT, OWN(max_depth), "N", .help = "links away from a seed",
		.max = 65535},
	{"accept", 'A', FLAG_TEXT, OWN(accept), "LIST", .help = "only these suffixes or globs"},
	{"reject", 'R', FLAG_TEXT, OWN(reject), "LIST", .help = "not these"},
	{"accept-regex", 0, FLAG_TEXT, OWN(accept_regex), "RE", .help = "only URLs that match"},
	{"reject-regex", 0, FLAG_TEXT, OWN(reject_regex), "RE", .help = "not URLs that match"},
	{"no-parent", 0, FLAG_SWITCH, OWN(no_parent), .help = "not above the seeds' folders"},
	{.name = NULL},
};
static const struct flag manners[] = {
	{"delay", 0, FLAG_TIME, OWN(delay), "TIME", .help = "between two requests to a host"},
	{"per-host", 0, FLAG_COUNT, OWN(per_host), "N", .help = "requests to a host at once",
		.min = 1, .max = 1000},
	{"parallel", 0, FLAG_COUNT, OWN(parallel), "N", .help = "requests at once in all", .min = 1,
		.max = 10000},
	{"no-robots", 0, FLAG_SWITCH, OWN(no_robots),
		.help = "ignore robots.txt (your own server)"},
	{"contact", 0, FLAG_TEXT, OWN(contact), "URL",
		.help = "who to turn to; needed beyond this machine"},
	{"user-agent", 'U', FLAG_TEXT, OWN(user_agent), "TEXT", .help = "its name"},
	{.name = NULL},
};
static const struct flag fetching[] = {
	{"follow-sitemaps", 0, FLAG_SWITCH, OWN(follow_sitemaps),
		.help = "read what robots.txt names"},
	{"timeout", 0, FLAG_TIME, OWN(timeout), "TIME", .help = "of a transfer"},
	{"tries", 0, FLAG_COUNT, OWN(tries), "N", .help = "of a page", .min = 1, .max = 100},
	{"header", 0, FLAG_EACH, OWN(headers), "LINE", .help = "to send"},
	{"limit-rate", 0, FLAG_BYTES, OWN(limit_rate), "BYTES", .help = "a second, of a transfer"},
	{"connect-to", 0, FLAG_EACH, OWN(connect_to), "HOST:PORT:TO:PORT", .help = "as in curl"},
	{"proxy", 0, FLAG_TEXT, OWN(proxy), "URL", .help = "in place of http_proxy, https_proxy"},
	{"cacert", 0, FLAG_TEXT, OWN(cacert), "FILE", .help = "certificates to trust"},
	{"max-time", 0, FLAG_TIME, OWN(max_time), "TIME", .help = "end then"},
	{"max-bytes", 0, FLAG_BYTES, OWN(max_bytes), "BYTES", .help = "end then"},
	{"strict", 0, FLAG_SWITCH, OWN(strict), .help = "a limit reached is status 16"},
	{.name = NULL},
};

const struct flag_group crawl_groups[] = {
	{NULL, input, 0, FLAGS_A_LINE_EACH},
	{"Policy", policy_flags, OWN(policy), FLAGS_NAMES_ONLY},
	{"Scope", scope, 0, FLAGS_NAMES_ONLY},
	{"Manners", manners, 0, FLAGS_A_LINE_EACH},
	{"Fetching, limits", fetching, 0, FLAGS_NAMES_ONLY},
	{"Output", report_flags, OWN(report), FLAGS_NAMES_ONLY},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct crawl_options crawl_defaults = {
	.policy = POLICY_OPTIONS_DEFAULT,
	.delay = 1000,
	.per_host = 1,
	.parallel = 16,
	.timeout = 60000,
	.tries = 3,
};
