#include "crawler/settings/live_config.h"
#include "base/ascii.h"
#include "fetch/answer.h"
#include "fetch/fetch.h"
#include "parser/host_settings.h"
#include "policies/policies.h"
#include "storage/warc.h"

#include <string.h>

#define MOST_BYTES ((double)(1u << 30)) /* of a page, which is read in memory */
#define OWN(field) offsetof(struct live_config, field)

static const char *policy_word(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!policies[k])
			return NULL;
	return policies[i] ? policies[i]->name : NULL;
}

/* Accepts any text. The names of policies are listed for completion only: policy_find() says whether there is such a policy, file
 * or chain, and knows the nearest name. */
static int is_any_text(const char *text)
{
	(void)text;
	return 1;
}

const struct flag live_config_policy[] = {
	{"policy", 0, FLAG_TEXT, OWN(policy), "NAME", .help = "decides the next page (" LIVE_POLICY "); see 'lycosa list policies'",
		.words = policy_word, .beside = is_any_text, .keeping = FLAG_BY_SWAP, .file = FLAG_READS},
	{"policy-opt", 0, FLAG_EACH, OWN(policy_opt), "KEY=VALUE", .help = "an option of the policy", .keeping = FLAG_BY_SWAP,
		.file = FLAG_READS},
	{"max-pages", 0, FLAG_COUNT, OWN(max_pages), "N", .help = "end after N crawled pages; 0: no limit", .keeping = FLAG_FREE},
	{"stop-when", 0, FLAG_REAL, OWN(stop_when), "X",
		.help = "end when 1,000 more pages are expected to bring less than X of the hot mass", .max = 1,
		.keeping = FLAG_FREE},
	{"batch", 0, FLAG_COUNT, OWN(batch), "K", .help = "crawled pages between two reranks", .min = 1, .keeping = FLAG_FIXED},
	{"total", 0, FLAG_COUNT, OWN(total), "N", .help = "pages the crawl is expected to find; 0: unknown", .keeping = FLAG_FIXED},
	{"tol", 0, FLAG_REAL, OWN(tol), "E", .help = "PageRank stops at this L1 change", .min = 1e-300, .max = 1},
	{"rng-seed", 0, FLAG_COUNT, OWN(rng_seed), "S", .help = "seed of all random numbers", .keeping = FLAG_FIXED},
	{"score-cmd", 0, FLAG_TEXT, OWN(score_cmd), "CMD", .help = "a program that scores each crawled page, which policies see",
		.keeping = FLAG_FREE},
	{"score-timeout", 0, FLAG_TIME, OWN(score_timeout), "TIME", .help = "most time to score a page", .min = 1,
		.keeping = FLAG_FREE},
	{"keep-anchors", 0, FLAG_SWITCH, OWN(keep_anchors), .help = "keep the anchor texts of links, which policies see",
		.keeping = FLAG_FIXED},
	{"threads", 0, FLAG_COUNT, OWN(threads), "T", .help = "threads that fetch and parse", .max = 1024, .keeping = FLAG_FREE},
	{.name = NULL},
};

const struct flag live_config_scope[] = {
	{"span-hosts", 'H', FLAG_SWITCH, OWN(span_hosts), .help = "crawl every host", .keeping = FLAG_BY_RESCOPE},
	{"domains", 'D', FLAG_TEXT, OWN(domains), "LIST", .help = "crawl these domains (A,B) and their subdomains",
		.keeping = FLAG_BY_RESCOPE},
	{"max-depth", 0, FLAG_COUNT, OWN(max_depth), "N", .help = "at most N links away from a seed", .max = 65535,
		.keeping = FLAG_BY_RESCOPE},
	{"accept", 'A', FLAG_TEXT, OWN(accept), "LIST", .help = "only paths with these suffixes or patterns",
		.keeping = FLAG_BY_RESCOPE},
	{"reject", 'R', FLAG_TEXT, OWN(reject), "LIST", .help = "no paths with these suffixes or patterns",
		.keeping = FLAG_BY_RESCOPE},
	{"accept-regex", 0, FLAG_TEXT, OWN(accept_regex), "RE", .help = "only URLs that match", .keeping = FLAG_BY_RESCOPE},
	{"reject-regex", 0, FLAG_TEXT, OWN(reject_regex), "RE", .help = "no URLs that match", .keeping = FLAG_BY_RESCOPE},
	{"no-parent", 0, FLAG_SWITCH, OWN(no_parent), .help = "not above the seeds' folders", .keeping = FLAG_BY_RESCOPE},
	{"accept-type", 0, FLAG_TEXT, OWN(accept_type), "LIST", .help = "only these media types", .keeping = FLAG_BY_RESCOPE},
	{"accept-text", 0, FLAG_TEXT, OWN(accept_text), "RE", .help = "only links of pages whose text matches are followed",
		.keeping = FLAG_BY_RESCOPE},
	{"rules", 0, FLAG_TEXT, OWN(rules_file), "FILE", .help = "accept and reject, a line each; the first that matches decides",
		.file = FLAG_READS},
	{"block-hosts", 0, FLAG_TEXT, OWN(block_hosts), "LIST", .help = "no page of these hosts, not even a seed",
		.keeping = FLAG_BY_RESCOPE},
	{"trap-opt", 0, FLAG_EACH, OWN(trap_opt), "KEY=VALUE", .help = "a limit beyond which pages are taken for a trap",
		.keeping = FLAG_BY_RESCOPE},
	{"max-per-host", 0, FLAG_COUNT, OWN(max_per_host), "N", .help = "pages of a host", .keeping = FLAG_FREE},
	{"max-per-domain", 0, FLAG_COUNT, OWN(max_per_domain), "N", .help = "pages of a registrable domain", .keeping = FLAG_FREE},
	{"normalise", 0, FLAG_TEXT, OWN(normalise), "RULES", .help = "rewrite URLs that mean the same page into one",
		.keeping = FLAG_FIXED},
	{.name = NULL},
};

/* What --heed can name: the first words in the order of enum fetch_heed's bits. */
enum { HEED_ALL = 4, HEED_NONE = 5 };

static const char *heed_word(size_t i)
{
	static const char *const words[] = {"nofollow", "meta-robots", "x-robots-tag", "canonical", "all", "none"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

const struct flag live_config_manners[] = {
	{"delay", 0, FLAG_TIME, OWN(delay), "TIME", .help = "pause between requests to a host or address", .keeping = FLAG_FREE},
	{"delay-factor", 0, FLAG_REAL, OWN(delay_factor), "F", .help = "pause at least F times the last request", .max = 1000,
		.keeping = FLAG_FREE},
	{"parallel-per-host", 0, FLAG_COUNT, OWN(parallel_per_host), "N", .help = "most requests to a host or address at once",
		.min = 1, .max = 1000, .keeping = FLAG_FREE},
	{"parallel", 0, FLAG_COUNT, OWN(parallel), "N", .help = "most requests at once in all", .min = 1, .max = 10000,
		.keeping = FLAG_FREE},
	{"no-robots", 0, FLAG_SWITCH, OWN(no_robots), .help = "ignore robots.txt (your own server)", .keeping = FLAG_FREE},
	{"heed", 0, FLAG_COMMAS, OWN(heed), "LIST", .help = "directives of pages about links to obey", .words = heed_word,
		.keeping = FLAG_FREE},
	{"allow-private", 0, FLAG_SWITCH, OWN(allow_private), .help = "links may lead to private addresses", .keeping = FLAG_FREE},
	{"contact", 0, FLAG_TEXT, OWN(contact), "URL", .help = "who runs the crawl; needed beyond this machine",
		.keeping = FLAG_FREE},
	{"user-agent", 'U', FLAG_TEXT, OWN(user_agent), "TEXT", .help = "the crawler's name", .keeping = FLAG_FREE},
	{"host-settings", 0, FLAG_TEXT, OWN(host_settings_file), "FILE", .help = "delay, budget, auth, agent, rules of some hosts",
		.file = FLAG_READS},
	{"per-host", 0, FLAG_ALIAS, 0, "parallel-per-host", .help = "requests at once"},
	{.name = NULL},
};

const struct flag live_config_transfers[] = {
	{"follow-sitemaps", 0, FLAG_SWITCH, OWN(follow_sitemaps), .help = "read the sitemaps that robots.txt names",
		.keeping = FLAG_FREE},
	{"timeout", 0, FLAG_TIME, OWN(timeout), "TIME", .help = "most time of a transfer; 0: no limit", .keeping = FLAG_FREE},
	{"tries", 0, FLAG_COUNT, OWN(tries), "N", .help = "tries of a page", .min = 1, .max = FETCH_MAX_TRIES,
		.keeping = FLAG_FREE},
	{"header", 0, FLAG_EACH, OWN(headers), "LINE", .help = "send this header with each request", .keeping = FLAG_FREE},
	{"limit-rate", 0, FLAG_BYTES, OWN(limit_rate), "BYTES", .help = "most bytes a second of a transfer", .keeping = FLAG_FREE},
	{"connect-to", 0, FLAG_EACH, OWN(connect_to), "HOST:PORT:TO:PORT", .help = "connect to TO:PORT instead, as in curl",
		.keeping = FLAG_FREE},
	{"proxy", 0, FLAG_TEXT, OWN(proxy), "URL", .help = "proxy to use instead of http_proxy, https_proxy", .may_be_empty = 1,
		.keeping = FLAG_FREE},
	{"cacert", 0, FLAG_TEXT, OWN(cacert), "FILE", .help = "certificates to trust", .is_path = 1, .keeping = FLAG_FREE,
		.file = FLAG_READS},
	{"auth", 0, FLAG_TEXT, OWN(auth), "FILE", .help = "passwords and tokens, by site", .keeping = FLAG_FREE,
		.file = FLAG_READS},
	{"load-cookies", 0, FLAG_TEXT, OWN(cookies), "FILE", .help = "cookies to send", .keeping = FLAG_FREE, .file = FLAG_READS},
	{"connect-timeout", 0, FLAG_TIME, OWN(connect_timeout), "TIME", .help = "most time to connect", .min = 1,
		.keeping = FLAG_FREE},
	{"first-byte-timeout", 0, FLAG_TIME, OWN(first_byte_timeout), "TIME", .help = "most time to the first byte of the answer",
		.min = 1, .keeping = FLAG_FREE},
	{"read-timeout", 0, FLAG_TIME, OWN(read_timeout), "TIME", .help = "most time between two later bytes", .min = 1,
		.keeping = FLAG_FREE},
	{"max-filesize", 0, FLAG_BYTES, OWN(max_filesize), "BYTES", .help = "most bytes of a body as transferred", .min = 1,
		.max = MOST_BYTES, .keeping = FLAG_FREE},
	{"max-unpacked", 0, FLAG_BYTES, OWN(max_unpacked), "BYTES", .help = "most bytes of a decompressed body", .min = 1,
		.max = MOST_BYTES, .keeping = FLAG_FREE},
	{"max-memory", 0, FLAG_BYTES, OWN(max_memory), "BYTES", .help = "memory of the crawl; more of it lies on the disk",
		.keeping = FLAG_FREE},
	{"max-headers", 0, FLAG_BYTES, OWN(max_headers), "BYTES", .help = "most bytes of an answer's headers", .min = 1024,
		.max = ANSWER_MAX_HEADERS, .keeping = FLAG_FREE},
	{"max-redirect", 0, FLAG_COUNT, OWN(max_redirect), "N", .help = "most redirects in a row", .max = FETCH_MAX_REDIRECTS,
		.keeping = FLAG_FREE},
	{"max-time", 0, FLAG_TIME, OWN(max_time), "TIME", .help = "end the sitting after this time", .keeping = FLAG_FREE},
	{"max-bytes", 0, FLAG_BYTES, OWN(max_bytes), "BYTES", .help = "end the sitting after so many bytes", .keeping = FLAG_FREE},
	{"give-up-after", 0, FLAG_TIME, OWN(give_up), "TIME", .help = "give up a host or network that was silent so long",
		.keeping = FLAG_FREE},
	{.name = NULL},
};

const struct flag live_config_refresh[] = {
	{"refresh", 0, FLAG_SWITCH, OWN(refresh), .help = "visit the crawled pages again, each once"},
	{"forever", 0, FLAG_SWITCH, OWN(forever), .help = "and again and again, each when it is worth most"},
	{"older-than", 0, FLAG_TIME, OWN(older_than), "TIME", .help = "no page whose last visit is not so long ago"},
	{"visits", 0, FLAG_COUNT, OWN(visits), "N", .help = "visits a day, those of new pages included"},
	{"visit-order", 0, FLAG_CHOICE, OWN(visit_order), "optimal|uniform|proportional",
		.help = "how --forever divides the visits among the pages"},
	{"visit-worth", 0, FLAG_CHOICE, OWN(visit_worth), "rank|equal", .help = "what makes a page important"},
	{.name = NULL},
};

const struct flag live_config_files[] = {
	{"requisites", 'p', FLAG_SWITCH, OWN(requisites), .help = "fetch also what pages need to be seen: images, styles, fonts",
		.keeping = FLAG_FREE},
	{"mirror", 0, FLAG_TEXT, OWN(mirror), "DIR", .help = "write files that a browser opens from the disk", .is_path = 1,
		.keeping = FLAG_FREE, .file = FLAG_WRITES_PAGES},
	{"warc", 0, FLAG_TEXT, OWN(warc), "PREFIX", .help = "write all requests and answers to WARC files", .is_path = 1,
		.keeping = FLAG_FREE, .file = FLAG_WRITES_ARCHIVE},
	{"warc-size", 0, FLAG_BYTES, OWN(warc_size), "BYTES", .help = "size at which the next WARC file is begun",
		.keeping = FLAG_FREE},
	{"warc-level", 0, FLAG_COUNT, OWN(warc_level), "N", .help = "how hard WARC files are compressed", .min = 1, .max = 12,
		.keeping = FLAG_FREE},
	{"previous", 0, FLAG_TEXT, OWN(previous), "DIR", .help = "fetch only what has changed since that crawl", .is_path = 1,
		.keeping = FLAG_FREE, .file = FLAG_READS_FOLDER},
	{"log", 0, FLAG_TEXT, OWN(log), "FILE", .help = "append a line of JSON for each event", .is_path = 1, .keeping = FLAG_FREE,
		.file = FLAG_APPENDS},
	{"log-to", 0, FLAG_TEXT, OWN(log_to), "CMD", .help = "a program that reads the lines of the log as they come"},
	{"exec", 0, FLAG_TEXT, OWN(exec), "CMD", .help = "a program to run for each crawled page, whose body it reads"},
	{"exec-timeout", 0, FLAG_TIME, OWN(exec_timeout), "TIME", .help = "most time that this program may take; 0: no limit"},
	{"metrics", 0, FLAG_COUNT, OWN(metrics), "PORT", .help = "serve metrics on this port; 0: any free port", .max = 65535,
		.keeping = FLAG_FREE},
	{"monitor", 0, FLAG_TEXT, OWN(monitor), "[ADDRESS:]PORT",
		.help = "serve a page to watch and steer the crawl; alone: any free port", .bare = "0"},
	{"monitor-token", 0, FLAG_TEXT, OWN(monitor_token), "FILE", .help = "the monitor answers who knows the token in FILE",
		.is_path = 1, .file = FLAG_READS},
	{.name = NULL},
};

/* What a store keeps and no flag sets by itself. */
static const struct flag derived[] = {
	{"rules", 0, FLAG_TEXT, OWN(rules), "TEXT", .help = "what the file of --rules says", .keeping = FLAG_BY_RESCOPE},
	{"host-settings", 0, FLAG_TEXT, OWN(host_manners), "TEXT", .help = "what the file of --host-settings says of manners",
		.keeping = FLAG_FREE},
	{"host-scope", 0, FLAG_TEXT, OWN(host_scope), "TEXT", .help = "what the file of --host-settings says of URLs",
		.keeping = FLAG_BY_RESCOPE},
	{"year", 0, FLAG_COUNT, OWN(year), "N", .help = "in which the crawl began", .keeping = FLAG_FIXED},
	{.name = NULL},
};

_Static_assert((sizeof live_config_policy + sizeof live_config_scope + sizeof live_config_manners + sizeof live_config_transfers +
		       sizeof live_config_refresh + sizeof live_config_files + sizeof derived) /
			sizeof(struct flag) <=
		LIVE_CONFIG_ROWS,
	"live_config.h has room for every row");

const struct flag *live_config_row(size_t i)
{
	static const struct flag *const sections[] = {live_config_policy, live_config_scope, live_config_manners,
		live_config_transfers, live_config_refresh, live_config_files, derived};

	for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
		for (const struct flag *row = sections[k]; row->name; row++)
			if (!i--)
				return row;
	return NULL;
}

const struct live_config live_config_defaults = LIVE_CONFIG_DEFAULTS;

unsigned live_config_heed(const struct live_config *c)
{
	unsigned heed = 0;

	/* where nothing is said: robots.txt and its like are for all but one's own server */
	if (!c->heed.count)
		return c->no_robots ? 0 : fetch_defaults.heed;
	for (size_t i = 0; i < c->heed.count; i++)
		for (size_t k = 0; k < HEED_NONE; k++)
			if (strcmp(c->heed.at[i], heed_word(k)) == 0)
				heed |= k == HEED_ALL ? (1u << HEED_ALL) - 1 : 1u << k;
	return heed;
}

/* Says whether a header proves the identity of its sender, by the header's name. */
static int header_is_secret(const char *line)
{
	static const char *const words[] = {"auth", "cookie", "token", "secret", "password", "key", "session"};
	const size_t n = strcspn(line, ":");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t length = strlen(words[i]);
		for (size_t at = 0; at + length <= n; at++)
			if (ascii_same(line + at, words[i], length))
				return 1;
	}
	return 0;
}

int live_config_is_secret(const struct flag *row, const struct live_config *c)
{
	if (row->at == OWN(auth))
		return c->auth != NULL;
	if (row->at == OWN(cookies))
		return c->cookies != NULL;
	if (row->at == OWN(proxy))
		return c->proxy && strchr(c->proxy, '@');
	if (row->at == OWN(host_manners))
		return host_settings_has_secret(c->host_manners);
	for (size_t i = 0; row->at == OWN(headers) && i < c->headers.count; i++)
		if (header_is_secret(c->headers.at[i]))
			return 1;
	return 0;
}

void live_config_release(struct live_config *c)
{
	const struct flag *row;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		if (row->kind == FLAG_EACH || row->kind == FLAG_COMMAS)
			flag_list_release((struct flag_list *)(void *)((char *)c + row->at));
}
