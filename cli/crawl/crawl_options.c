#include "cli/crawl/crawl_options.h"
#include "crawler/net_pages.h"
#include "storage/warc.h"

/* The words of --heed: the first ones in the order of enum fetch_heed's bits. */
const char *crawl_heed_word(size_t i)
{
	static const char *const words[] = {
		"nofollow", "meta-robots", "x-robots-tag", "canonical", "all", "none"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

#define OWN(field) offsetof(struct crawl_options, field)
static const struct flag input[] = {
	{"store", 0, FLAG_TEXT, OWN(store), "DIR", .help = "where it is kept; again: goes on",
		.required = 1},
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "FILE",
		.help = "URLs to start from, one a line ('-': stdin)"},
	{"previous", 0, FLAG_TEXT, OWN(previous), "DIR",
		.help = "an earlier crawl: ask for what has changed"},
	{"order", 0, FLAG_TEXT, OWN(order), "FILE", .help = "write the URLs in the order crawled"},
	{"warc", 0, FLAG_TEXT, OWN(warc), "PREFIX", .help = "keep all that comes in WARC files"},
	{"rejected", 0, FLAG_TEXT, OWN(rejected), "FILE",
		.help = "write the URLs left out, and why"},
	{"swap-policy", 0, FLAG_TEXT, OWN(swap_policy), "NAME",
		.help = "go on under another policy", .words = policy_word,
		.beside = policy_is_spec},
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
	{"accept-type", 0, FLAG_TEXT, OWN(types), "LIST", .help = "only these media types"},
	{"rules", 0, FLAG_TEXT, OWN(rules), "FILE", .help = "accept and reject, the first decides"},
	{"trap-opt", 0, FLAG_EACH, OWN(trap_opts), "KEY=VALUE",
		.help = "a limit of a kind of trap"},
	{"max-per-host", 0, FLAG_COUNT, OWN(host_pages), "N", .help = "pages of a host"},
	{"max-per-domain", 0, FLAG_COUNT, OWN(domain_pages), "N",
		.help = "pages of a registrable domain"},
	{"rescope", 0, FLAG_SWITCH, OWN(rescope), .help = "replace the scope that the store keeps"},
	{"normalise", 0, FLAG_TEXT, OWN(normalise), "RULES",
		.help = "make one of URLs that mean one page"},
	{.name = NULL},
};
static const struct flag manners[] = {
	{"delay", 0, FLAG_TIME, OWN(delay), "TIME",
		.help = "between two requests to a host or address"},
	{"delay-factor", 0, FLAG_REAL, OWN(delay_factor), "F",
		.help = "or F times what the last one took, if that is more", .max = 1000},
	{"per-host", 0, FLAG_COUNT, OWN(per_host), "N",
		.help = "requests to a host or address at once", .min = 1, .max = 1000},
	{"parallel", 0, FLAG_COUNT, OWN(parallel), "N", .help = "requests at once in all", .min = 1,
		.max = 10000},
	{"no-robots", 0, FLAG_SWITCH, OWN(no_robots),
		.help = "ignore robots.txt (your own server)"},
	{"heed", 0, FLAG_COMMAS, OWN(heed), "LIST", .help = "what pages say of their links",
		.words = crawl_heed_word},
	{"allow-private", 0, FLAG_SWITCH, OWN(allow_private),
		.help = "links may lead to private addresses"},
	{"contact", 0, FLAG_TEXT, OWN(contact), "URL",
		.help = "who to turn to; needed beyond this machine"},
	{"user-agent", 'U', FLAG_TEXT, OWN(user_agent), "TEXT", .help = "its name"},
	{.name = NULL},
};
static const struct flag fetching[] = {
	{"follow-sitemaps", 0, FLAG_SWITCH, OWN(follow_sitemaps),
		.help = "read what robots.txt names"},
	{"timeout", 0, FLAG_TIME, OWN(timeout), "TIME", .help = "of a transfer"},
	{"tries", 0, FLAG_COUNT, OWN(tries), "N", .help = "of a page", .min = 1,
		.max = NET_PAGES_MAX_TRIES},
	{"header", 0, FLAG_EACH, OWN(headers), "LINE", .help = "to send"},
	{"limit-rate", 0, FLAG_BYTES, OWN(limit_rate), "BYTES", .help = "a second, of a transfer"},
	{"connect-to", 0, FLAG_EACH, OWN(connect_to), "HOST:PORT:TO:PORT", .help = "as in curl"},
	{"proxy", 0, FLAG_TEXT, OWN(proxy), "URL", .help = "in place of http_proxy, https_proxy",
		.may_be_empty = 1},
	{"cacert", 0, FLAG_TEXT, OWN(cacert), "FILE", .help = "certificates to trust"},
	{"auth", 0, FLAG_TEXT, OWN(auth), "FILE", .help = "user and password, or token, by site"},
	{"load-cookies", 0, FLAG_TEXT, OWN(cookies), "FILE", .help = "cookies to send"},
	{"connect-timeout", 0, FLAG_TIME, OWN(connect_timeout), "TIME", .help = "until connected"},
	{"first-byte-timeout", 0, FLAG_TIME, OWN(first_byte_timeout), "TIME",
		.help = "until an answer begins"},
	{"read-timeout", 0, FLAG_TIME, OWN(read_timeout), "TIME", .help = "without a byte"},
	{"max-filesize", 0, FLAG_BYTES, OWN(max_filesize), "BYTES",
		.help = "of a page as it comes"},
	{"max-unpacked", 0, FLAG_BYTES, OWN(max_unpacked), "BYTES", .help = "of a page unpacked"},
	{"max-headers", 0, FLAG_BYTES, OWN(max_headers), "BYTES", .help = "of an answer"},
	{"max-redirect", 0, FLAG_COUNT, OWN(max_redirect), "N", .help = "in a row",
		.max = NET_PAGES_MAX_HOPS},
	{"warc-size", 0, FLAG_BYTES, OWN(warc_size), "BYTES", .help = "of a WARC file"},
	{"max-time", 0, FLAG_TIME, OWN(max_time), "TIME", .help = "end then"},
	{"max-bytes", 0, FLAG_BYTES, OWN(max_bytes), "BYTES", .help = "end then"},
	{"strict", 0, FLAG_SWITCH, OWN(strict), .help = "a limit reached is status 16"},
	{.name = NULL},
};

static const struct flag outside[] = {
	{"log", 0, FLAG_TEXT, OWN(log), "FILE", .help = "add a line of JSON for each page"},
	{"metrics", 0, FLAG_COUNT, OWN(metrics), "PORT", .help = "of this machine; 0: any",
		.max = 65535},
	{"dry-run", 0, FLAG_SWITCH, OWN(dry_run), .help = "tell what a crawl would begin with"},
	{"config", 0, FLAG_CONFIG, OWN(config), "FILE", .help = "read flags from it"},
	{"print-config", 0, FLAG_SWITCH, OWN(print_config), .help = "tell all settings"},
	{.name = NULL},
};

const struct flag_group crawl_groups[] = {
	{NULL, input, 0, FLAGS_A_LINE_EACH},
	{"Policy", policy_flags, OWN(policy), FLAGS_NAMES_ONLY},
	{"Scope", scope, 0, FLAGS_NAMES_ONLY},
	{"Manners", manners, 0, FLAGS_A_LINE_EACH},
	{"Fetching, limits", fetching, 0, FLAGS_NAMES_ONLY},
	{"Outside", outside, 0, FLAGS_NAMES_ONLY},
	{"Output", report_flags, OWN(report), FLAGS_NAMES_ONLY},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct crawl_options crawl_defaults = {
	.policy = POLICY_OPTIONS_DEFAULT,
	.delay = 1000,
	.delay_factor = 2,
	.per_host = 1,
	.parallel = 16,
	.timeout = 60000,
	.connect_timeout = 20000,
	.first_byte_timeout = 20000,
	.read_timeout = 20000,
	.max_filesize = 16u << 20,
	.max_unpacked = 16u << 20,
	.max_headers = 256u << 10,
	.max_redirect = 10,
	.warc_size = WARC_LIMIT,
	.tries = 3,
};
