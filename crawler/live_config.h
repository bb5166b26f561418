/* What a crawl of the live web can be told: one struct, and one table of rows in five sections.
 *
 * A row (base/flag.h) says how a setting is called, which values it takes, where in the struct it
 * lies, and whether a store keeps it and how it may change later. Flags, files of settings, the store
 * (crawler/live_decision.h) and --print-config go by the rows; nobody else turns settings into text
 * or text into settings.
 *
 *   struct live_config c = live_config_defaults;
 *   c.delay = 0;
 *   c.max_pages = 1000;
 *
 * A new setting is a field here, its default and a row in live_config.c, and whoever uses it. */
#ifndef CRAWLER_LIVE_CONFIG_H
#define CRAWLER_LIVE_CONFIG_H

#include "base/flag.h"
#include "crawler/outages.h"

struct live_config {
	/* policy */
	const char *policy;          /* a spec: see policy_find(); NULL: LIVE_POLICY */
	struct flag_list policy_opt; /* "key=value" each */
	uint64_t max_pages;          /* pages crawled in all; 0: any number */
	uint64_t batch;              /* pages between rerankings; 0: by total or max_pages */
	uint64_t total;              /* pages the crawl is about; 0: unknown */
	double tol; /* PageRank's; 0: not given. It becomes an option of the policy */
	uint64_t rng_seed;
	uint64_t threads; /* that fetch and parse; 0: one a processor */
	/* scope: which URLs belong to the crawl */
	int span_hosts, no_parent;
	const char *domains, *accept, *reject, *accept_regex, *reject_regex, *accept_type;
	const char *rules_file; /* as given */
	const char *rules;      /* what the file says; the store keeps this */
	const char *normalise;
	struct flag_list trap_opt;
	uint64_t max_depth; /* links from a seed; LIVE_ANY_DEPTH: any number */
	uint64_t max_per_host, max_per_domain;
	uint64_t year; /* in which the crawl began: calendars are judged by it. Nobody gives it */
	/* manners: how hosts are treated */
	int64_t delay; /* ms, as all times */
	double delay_factor;
	uint64_t parallel_per_host, parallel;
	int no_robots, allow_private;
	struct flag_list heed;
	const char *contact, *user_agent;
	/* transfers */
	int follow_sitemaps;
	int64_t timeout, connect_timeout, first_byte_timeout, read_timeout;
	uint64_t tries, limit_rate;
	struct flag_list headers, connect_to;
	const char *proxy; /* NULL: the environment's; "": none */
	const char *cacert, *auth, *cookies;
	uint64_t max_filesize, max_unpacked, max_memory, max_headers, max_redirect;
	int64_t max_time;   /* of a sitting */
	uint64_t max_bytes; /* likewise */
	int64_t give_up;    /* of silence: crawler/outages.h */
	/* files, and what is seen from outside */
	const char *previous, *warc, *log;
	uint64_t warc_size;
	uint64_t metrics; /* a port; LIVE_NO_METRICS: none */
};

#define LIVE_POLICY     "opic" /* of a crawl that names none */
#define LIVE_ANY_DEPTH  UINT32_MAX
#define LIVE_NO_METRICS UINT32_MAX

/* The defaults, as an initializer and as a struct. */
/* clang-format off */
#define LIVE_CONFIG_DEFAULTS { \
	.rng_seed = 1, \
	.max_depth = LIVE_ANY_DEPTH, \
	.delay = 1000, \
	.delay_factor = 2, \
	.parallel_per_host = 1, \
	.parallel = 16, \
	.timeout = 60000, \
	.connect_timeout = 20000, \
	.first_byte_timeout = 20000, \
	.read_timeout = 20000, \
	.max_filesize = 16u << 20, \
	.max_unpacked = 16u << 20, \
	.max_memory = 256u << 20, \
	.max_headers = 256u << 10, \
	.max_redirect = 10, \
	.warc_size = (uint64_t)1 << 30, \
	.tries = 3, \
	.give_up = OUTAGE_GIVE_UP_MS, \
	.metrics = LIVE_NO_METRICS, \
}
/* clang-format on */
extern const struct live_config live_config_defaults;

/* The sections of the table; each ends with a row without a name. */
extern const struct flag live_config_policy[], live_config_scope[], live_config_manners[],
	live_config_transfers[], live_config_files[];

/* Row i of all sections, and of the settings that no flag sets; NULL beyond the last. */
#define LIVE_CONFIG_ROWS 80 /* at least as many as there are */
const struct flag *live_config_row(size_t i);

/* Which of a page's words about its own links are heeded: bits of enum fetch_heed. */
unsigned live_config_heed(const struct live_config *);

/* Whether a setting holds a secret, which no store keeps: a file of credentials, a header such as
 * Authorization or Cookie, a proxy's password. */
int live_config_is_secret(const struct flag *row, const struct live_config *);

/* Frees the lists. */
void live_config_release(struct live_config *);

#endif
