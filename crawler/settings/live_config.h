/* The configuration of a live crawl: one struct with all settings, and one table of rows that describe them.
 *
 * A row (base/flag.h) says the name of a setting, the values that it takes, the field of the struct that holds it, whether
 * a store keeps it, and how it may change later. Command-line flags, configuration files, the store
 * (crawler/settings/live_decision.h) and --print-config all use these rows; no other code converts settings to text or back.
 *
 *   struct live_config c = live_config_defaults;
 *   c.delay = 0;
 *   c.max_pages = 1000;
 *
 * A new setting needs a field and its default here, a row in live_config.c, and the code that uses it. */
#ifndef CRAWLER_LIVE_CONFIG_H
#define CRAWLER_LIVE_CONFIG_H

#include "base/flag.h"
#include "crawler/knowledge/outages.h"
#include "storage/warc.h"

struct live_config {
	/* policy */
	const char *policy;          /* a name, a chain or a file: see policy_find(); NULL: LIVE_POLICY or LIVE_POLICY_SCORED */
	struct flag_list policy_opt; /* options of the policy, "key=value" each */
	double stop_when; /* the crawl ends if 1,000 more pages are expected to bring less than this share of the hot mass; 0: never */
	uint64_t max_pages; /* the most pages crawled in all sittings; 0: no limit */
	uint64_t batch;     /* pages crawled between two reranks; 0: derived from total or max_pages */
	uint64_t total;     /* the number of pages that the crawl is expected to find; 0: unknown */
	double tol;         /* PageRank's tolerance, an option of the policy; 0: not given */
	uint64_t rng_seed;
	const char *score_cmd; /* a command that scores crawled pages (fetch/scorer.h); NULL: pages have no scores */
	int64_t score_timeout; /* ms */
	int keep_anchors;      /* 1: the store keeps the anchor texts of links */
	uint64_t threads;      /* fetcher threads; 0: one for each processor */
	/* scope: which URLs belong to the crawl */
	int span_hosts, no_parent;
	const char *domains, *accept, *reject, *accept_regex, *reject_regex, *accept_type, *accept_text;
	const char *rules_file; /* the path that --rules was given */
	const char *rules;      /* the contents of that file; the store keeps these */
	const char *normalise;
	struct flag_list trap_opt;
	uint64_t max_depth;      /* links from a seed; LIVE_ANY_DEPTH: any number */
	const char *block_hosts; /* see struct scope_settings */
	uint64_t max_per_host, max_per_domain;
	uint64_t year; /* in which the crawl began, for the calendar detector; no flag sets it */
	/* manners: politeness, and which directives of sites are followed */
	int64_t delay; /* all times are in ms */
	double delay_factor;
	uint64_t parallel_per_host, parallel;
	int no_robots, allow_private;
	struct flag_list heed;
	const char *contact, *user_agent;
	const char *host_settings_file; /* the path that --host-settings was given */
	/* what that file sets for some hosts (parser/host_settings.h), by kinds; the store keeps these */
	const char *host_manners, *host_scope;
	/* transfers */
	int follow_sitemaps;
	int64_t timeout, connect_timeout, first_byte_timeout, read_timeout;
	uint64_t tries, limit_rate;
	struct flag_list headers, connect_to;
	const char *proxy; /* NULL: the environment's; "": none */
	const char *cacert, *auth, *cookies;
	uint64_t max_filesize, max_unpacked, max_headers, max_redirect;
	uint64_t max_memory; /* of the process; 0: by the machine (crawler/live/live_memory.h) */
	int64_t max_time;    /* of a sitting */
	uint64_t max_bytes;  /* of a sitting */
	int64_t give_up;     /* how long a host may be silent before it is given up: crawler/knowledge/outages.h */
	/* visits of pages that are crawled, in this sitting (crawler/revisit/revisit.h) */
	int refresh, forever;
	int64_t older_than; /* since the last visit of a page */
	uint64_t visits;    /* a day, first ones included; 0: no budget */
	int visit_order;    /* enum schedule_how */
	int visit_worth;    /* enum revisit_worth */
	int requisites;     /* 1: what pages need to be seen is fetched, too (crawler/live/live_requisites.h) */
	/* files, and the metrics server */
	const char *mirror; /* the folder for files with links between them; NULL: none. The caller of the crawl writes them */
	const char *previous, *warc, *log;
	const char *log_to;   /* a command that reads the lines of the log; NULL: none */
	const char *exec;     /* a command that is run for each crawled page (fetch/runner.h); NULL: none */
	int64_t exec_timeout; /* ms that this command may take; 0: no limit */
	uint64_t warc_size;   /* bytes at which the next file of the archive is begun */
	uint64_t warc_level;  /* see struct warc_settings */
	uint64_t metrics;     /* the port of the metrics server; LIVE_NO_METRICS: there is none */
	const char *monitor;  /* where the monitor listens: "PORT" or "ADDRESS:PORT"; NULL: there is none */
	const char *
		monitor_token; /* the file with the monitor's token; NULL: no token is needed on an address of this machine, and on any other the crawl makes a token (cli/crawl/crawl_monitor.c) */
};

#define LIVE_POLICY         "echo" /* the policy of a crawl that names none */
#define LIVE_POLICY_SCORED  "aim"  /* the same, with a score command */
#define LIVE_ANY_DEPTH      UINT32_MAX
#define LIVE_NO_METRICS     UINT32_MAX
#define LIVE_MIRROR_ARCHIVE "archive" /* the prefix, in the folder of the store, of the archive of a mirror without --warc */
/* What makes a page important, for --refresh. */
enum revisit_worth { REVISIT_BY_RANK, REVISIT_EQUAL };

#define LIVE_JITTER 0.2 /* the share by which a rest may be longer, so that crawls do not fall into step */

/* The defaults, as an initializer and as a struct. */
/* clang-format off */
#define LIVE_CONFIG_DEFAULTS { \
	.rng_seed = 1, \
	.score_timeout = 60000, \
	.exec_timeout = 600000, \
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
	.max_headers = 256u << 10, \
	.max_redirect = 10, \
	.warc_size = WARC_LIMIT, \
	.warc_level = WARC_LEVEL, \
	.tries = 3, \
	.give_up = OUTAGE_GIVE_UP_MS, \
	.metrics = LIVE_NO_METRICS, \
}
/* clang-format on */
extern const struct live_config live_config_defaults;

/* The sections of the table; each ends with a row without a name. */
extern const struct flag live_config_policy[], live_config_scope[], live_config_manners[], live_config_transfers[],
	live_config_refresh[], live_config_files[];

/* At least the number of rows of all sections. */
#define LIVE_CONFIG_ROWS 90

/* Returns row i of all sections in a row, followed by the settings that no flag sets; NULL beyond the last. */
const struct flag *live_config_row(size_t i);

/* Returns which directives of pages about their own links the crawl follows (--heed): a mask of enum fetch_heed. */
unsigned live_config_heed(const struct live_config *);

/* Says whether the value of a setting is a secret, which no store keeps: a file of credentials, a header such as
 * Authorization or Cookie, a proxy with a password. */
int live_config_is_secret(const struct flag *row, const struct live_config *);

/* Frees the lists of the configuration. */
void live_config_release(struct live_config *);

#endif
