/* The settings of a crawl: the one table of them, a row each. A row begins with who reads the setting: FETCH (struct fetch_settings
 * of fetch/fetch.h), SCOPE (struct scope_settings of scope/scope.h), or CRAWL (the crawler and the command line alone). Then:
 *
 *   kind       the type of the value and the arguments that the flag takes (enum flag_kind of base/flag.h); times are in ms
 *   field      of struct live_config (crawler/settings/live_config.h), which has them all, and of the reader's struct
 *   default
 *   name       as typed, in configuration files and in a store; letter, argument and help
 *   .keeping   how a store keeps the setting; .trust, whether a store alone can ask for it, which no setting can that loads, runs,
 *              writes or sends something; and further members of struct flag, such as its range
 *
 * The file may be included many times. It expands, and then undefines, the macros FETCH, SCOPE and CRAWL, or SETTING for the three
 * of them; SECTION(name) and END_OF_SECTION around the rows under one heading of --help; and ALIAS(old name, name, help). Macros
 * that are not defined expand to nothing. So the fields, their defaults, the flags and the copies from struct to struct are all
 * made here:
 *
 *   struct fetch_settings {
 *   #define FETCH(kind, field, ...) FLAG_TYPE_##kind field;
 *   #include "base/settings.h"
 *   };
 *
 * A new setting is a row, the code that uses the field, and a line in doc/man/lycosa-crawl.1. */
/* clang-format off */
#ifdef SETTING
#define FETCH SETTING
#define SCOPE SETTING
#define CRAWL SETTING
#endif
#ifndef FETCH
#define FETCH(...)
#endif
#ifndef SCOPE
#define SCOPE(...)
#endif
#ifndef CRAWL
#define CRAWL(...)
#endif
#ifndef SECTION
#define SECTION(...)
#endif
#ifndef END_OF_SECTION
#define END_OF_SECTION
#endif
#ifndef ALIAS
#define ALIAS(...)
#endif

SECTION(policy)
/* a name, a chain or a file: see policy_find(); NULL: LIVE_POLICY or LIVE_POLICY_SCORED */
CRAWL(TEXT, policy, NULL, "policy", 0, "NAME", "decides the next page (" LIVE_POLICY "); see 'lycosa list policies'",
	.keeping = FLAG_BY_SWAP, .trust = FLAG_ASKED_AGAIN, .words = policy_word, .beside = is_any_text, .file = FLAG_READS)
CRAWL(EACH, policy_opt, {0}, "policy-opt", 0, "KEY=VALUE", "an option of the policy",
	.keeping = FLAG_BY_SWAP, .trust = FLAG_ASKED_AGAIN, .file = FLAG_READS)
CRAWL(COUNT, max_pages, 0, "max-pages", 0, "N", "end after N crawled pages; 0: no limit", .keeping = FLAG_FREE)
CRAWL(REAL, host_share, 0.8, "host-share", 0, "X",
	"most of --max-pages or --max-bytes that a host takes beyond its own share; 1: all", .keeping = FLAG_FREE, .min = 0.001,
	.max = 1)
CRAWL(REAL, stop_when, 0, "stop-when", 0, "X",
	"end when 1,000 more pages are expected to bring less than X of the hot mass", .keeping = FLAG_FREE, .max = 1)
CRAWL(REAL, rerank_growth, 0.1, "rerank-growth", 0, "F", "policies rerank when the crawl has grown by this share", .keeping = FLAG_FIXED,
	.min = 0.001, .max = 1000)
CRAWL(COUNT, batch, 0, "batch", 0, "K", "they rerank every K pages instead, as in the papers; 0: by growth", .keeping = FLAG_FIXED)
CRAWL(COUNT, total, 0, "total", 0, "N", "pages the crawl is expected to find; 0: unknown", .keeping = FLAG_FIXED)
CRAWL(REAL, tol, 0, "tol", 0, "E", "PageRank stops at this L1 change", .keeping = FLAG_NOT_KEPT, .min = 1e-300, .max = 1)
CRAWL(COUNT, rng_seed, 1, "rng-seed", 0, "S", "seed of all random numbers", .keeping = FLAG_FIXED)
CRAWL(TEXT, score_cmd, NULL, "score-cmd", 0, "CMD",
	"a program that scores each crawled page, which policies see", .keeping = FLAG_FREE, .trust = FLAG_ASKED_AGAIN)
CRAWL(TIME, score_timeout, 60000, "score-timeout", 0, "TIME", "most time to score a page", .keeping = FLAG_FREE, .min = 1)
FETCH(SWITCH, keep_anchors, 0, "keep-anchors", 0, NULL, "keep the anchor texts of links, which policies see",
	.keeping = FLAG_FIXED)
END_OF_SECTION

SECTION(scope)
SCOPE(SWITCH, span_hosts, 0, "span-hosts", 'H', NULL, "crawl every host", .keeping = FLAG_BY_RESCOPE)
SCOPE(TEXT, domains, NULL, "domains", 'D', "LIST", "crawl these domains (A,B) and their subdomains", .keeping = FLAG_BY_RESCOPE)
/* UINT32_MAX: any number */
SCOPE(COUNT, max_depth, UINT32_MAX, "max-depth", 0, "N",
	"at most N links away from a seed", .keeping = FLAG_BY_RESCOPE, .max = 65535)
SCOPE(TEXT, accept, NULL, "accept", 'A', "LIST", "only paths with these suffixes or patterns", .keeping = FLAG_BY_RESCOPE)
SCOPE(TEXT, reject, NULL, "reject", 'R', "LIST", "no paths with these suffixes or patterns", .keeping = FLAG_BY_RESCOPE)
SCOPE(TEXT, accept_regex, NULL, "accept-regex", 0, "RE", "only URLs that match", .keeping = FLAG_BY_RESCOPE)
SCOPE(TEXT, reject_regex, NULL, "reject-regex", 0, "RE", "no URLs that match", .keeping = FLAG_BY_RESCOPE)
SCOPE(SWITCH, no_parent, 0, "no-parent", 0, NULL, "not above the seeds' folders", .keeping = FLAG_BY_RESCOPE)
FETCH(TEXT, accept_type, NULL, "accept-type", 0, "LIST", "only these media types", .keeping = FLAG_BY_RESCOPE)
CRAWL(TEXT, accept_text, NULL, "accept-text", 0, "RE",
	"only links of pages whose text matches are followed", .keeping = FLAG_BY_RESCOPE)
/* the path of the file; the store keeps the contents, which are the field `rules` */
CRAWL(TEXT, rules_file, NULL, "rules", 0, "FILE",
	"which pages, and which first: accept, reject, first, last, weight", .keeping = FLAG_NOT_KEPT, .file = FLAG_READS)
SCOPE(TEXT, block_hosts, NULL, "block-hosts", 0, "LIST", "no page of these hosts, not even a seed", .keeping = FLAG_BY_RESCOPE)
CRAWL(EACH, trap_opt, {0}, "trap-opt", 0, "KEY=VALUE",
	"a limit beyond which pages are taken for a trap", .keeping = FLAG_BY_RESCOPE)
SCOPE(COUNT, max_per_host, 0, "max-per-host", 0, "N", "pages of a host", .keeping = FLAG_FREE)
SCOPE(COUNT, max_per_domain, 0, "max-per-domain", 0, "N", "pages of a registrable domain", .keeping = FLAG_FREE)
CRAWL(TEXT, normalise, NULL, "normalise", 0, "RULES", "rewrite URLs that mean the same page into one", .keeping = FLAG_FIXED)
END_OF_SECTION

SECTION(manners)
CRAWL(TIME, delay, 1000, "delay", 0, "TIME", "pause between requests to a host or address", .keeping = FLAG_FREE)
CRAWL(REAL, delay_factor, 2, "delay-factor", 0, "F", "pause at least F times the last request", .keeping = FLAG_FREE, .max = 1000)
CRAWL(COUNT, parallel_per_host, 1, "parallel-per-host", 0, "N",
	"most requests to a host or address at once", .keeping = FLAG_FREE, .min = 1, .max = 1000)
FETCH(COUNT, parallel, 16, "parallel", 0, "N", "most requests at once in all", .keeping = FLAG_FREE, .min = 1, .max = 10000)
FETCH(SWITCH, no_robots, 0, "no-robots", 0, NULL, "ignore robots.txt (your own server)", .keeping = FLAG_FREE)
CRAWL(COMMAS, heed, {0}, "heed", 0, "LIST", "directives of pages about links to obey", .keeping = FLAG_FREE, .words = heed_word)
CRAWL(SWITCH, allow_private, 0, "allow-private", 0, NULL, "links may lead to private addresses",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT)
CRAWL(TEXT, contact, NULL, "contact", 0, "URL", "who runs the crawl; needed beyond this machine", .keeping = FLAG_FREE)
FETCH(TEXT, user_agent, NULL, "user-agent", 'U', "TEXT", "the crawler's name", .keeping = FLAG_FREE)
/* the path of the file; the store keeps the contents by kinds, which are the fields host_manners and host_scope */
CRAWL(TEXT, host_settings_file, NULL, "host-settings", 0, "FILE",
	"delay, budget, auth, agent, rules of some hosts", .keeping = FLAG_NOT_KEPT, .file = FLAG_READS)
/* crawler/knowledge/outages.h */
CRAWL(TIME, give_up_after, OUTAGE_GIVE_UP_MS, "give-up-after", 0, "TIME",
	"give up a host or network that was silent so long", .keeping = FLAG_FREE)
ALIAS("per-host", "parallel-per-host", "requests at once")
END_OF_SECTION

SECTION(transfers)
CRAWL(COMMAS, follow, {0}, "follow", 0, "LIST", "kinds of links to follow, too, or not (no-KIND)", .keeping = FLAG_FREE,
	.words = follow_word)
CRAWL(SWITCH, follow_sitemaps, 0, "follow-sitemaps", 0, NULL, "read the sitemaps that robots.txt names", .keeping = FLAG_FREE)
FETCH(TIME, timeout, 60000, "timeout", 0, "TIME", "most time of a transfer; 0: no limit", .keeping = FLAG_FREE)
FETCH(COUNT, tries, 3, "tries", 0, "N", "tries of a page", .keeping = FLAG_FREE, .min = 1, .max = FETCH_MAX_TRIES)
FETCH(EACH, header, {0}, "header", 0, "LINE", "send this header with each request", .keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT)
FETCH(BYTES, limit_rate, 0, "limit-rate", 0, "BYTES", "most bytes a second of a transfer", .keeping = FLAG_FREE)
FETCH(EACH, connect_to, {0}, "connect-to", 0, "HOST:PORT:TO:PORT", "connect to TO:PORT instead, as in curl",
	.keeping = FLAG_FREE, .trust = FLAG_ASKED_AGAIN)
/* NULL: as http_proxy, https_proxy and no_proxy in the environment say; "": none */
FETCH(TEXT, proxy, NULL, "proxy", 0, "URL",
	"proxy to use instead of http_proxy, https_proxy", .keeping = FLAG_FREE, .trust = FLAG_ASKED_AGAIN, .may_be_empty = 1)
FETCH(TEXT, cacert, NULL, "cacert", 0, "FILE", "certificates to trust",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_READS)
CRAWL(TEXT, auth, NULL, "auth", 0, "FILE", "passwords and tokens, by site",
	.keeping = FLAG_FREE, .trust = FLAG_ASKED_AGAIN, .file = FLAG_READS)
CRAWL(TEXT, load_cookies, NULL, "load-cookies", 0, "FILE", "cookies to send",
	.keeping = FLAG_FREE, .trust = FLAG_ASKED_AGAIN, .file = FLAG_READS)
FETCH(TIME, connect_timeout, 20000, "connect-timeout", 0, "TIME", "most time to connect", .keeping = FLAG_FREE, .min = 1)
FETCH(TIME, first_byte_timeout, 20000, "first-byte-timeout", 0, "TIME",
	"most time to the first byte of the answer", .keeping = FLAG_FREE, .min = 1)
FETCH(TIME, read_timeout, 20000, "read-timeout", 0, "TIME", "most time between two later bytes", .keeping = FLAG_FREE, .min = 1)
FETCH(BYTES, max_filesize, 16u << 20, "max-filesize", 0, "BYTES",
	"most bytes of a body as transferred", .keeping = FLAG_FREE, .min = 1, .max = MOST_BYTES)
FETCH(BYTES, max_unpacked, 16u << 20, "max-unpacked", 0, "BYTES",
	"most bytes of a decompressed body", .keeping = FLAG_FREE, .min = 1, .max = MOST_BYTES)
/* 0: one for each processor */
CRAWL(COUNT, threads, 0, "threads", 0, "T", "threads that fetch and parse", .keeping = FLAG_FREE, .max = 1024)
/* of the process; 0: by the machine (crawler/live/live_memory.h) */
CRAWL(BYTES, max_memory, 0, "max-memory", 0, "BYTES", "memory of the crawl; more of it lies on the disk", .keeping = FLAG_FREE)
FETCH(BYTES, max_headers, 256u << 10, "max-headers", 0, "BYTES",
	"most bytes of an answer's headers", .keeping = FLAG_FREE, .min = 1024, .max = ANSWER_MAX_HEADERS)
FETCH(COUNT, max_redirect, 10, "max-redirect", 0, "N", "most redirects in a row", .keeping = FLAG_FREE, .max = FETCH_MAX_REDIRECTS)
CRAWL(TIME, max_time, 0, "max-time", 0, "TIME", "end the sitting after this time", .keeping = FLAG_FREE)
CRAWL(BYTES, max_bytes, 0, "max-bytes", 0, "BYTES", "end the sitting after so many bytes", .keeping = FLAG_FREE)
END_OF_SECTION

SECTION(refresh)
/* visits of pages that are crawled, in this sitting (crawler/revisit/revisit.h) */
CRAWL(SWITCH, refresh, 0, "refresh", 0, NULL, "visit the crawled pages again, each once; sitemaps' dates order them", .keeping = FLAG_NOT_KEPT)
CRAWL(SWITCH, forever, 0, "forever", 0, NULL, "and again and again, each when it is worth most", .keeping = FLAG_NOT_KEPT)
CRAWL(TIME, older_than, 0, "older-than", 0, "TIME", "no page whose last visit is not so long ago", .keeping = FLAG_NOT_KEPT)
CRAWL(COUNT, visits, 0, "visits", 0, "N", "visits a day, those of new pages included", .keeping = FLAG_NOT_KEPT)
CRAWL(CHOICE, visit_order, 0, "visit-order", 0, "optimal|uniform|proportional",
	"how --forever divides the visits among the pages", .keeping = FLAG_NOT_KEPT)
CRAWL(CHOICE, visit_worth, 0, "visit-worth", 0, "rank|equal", "what makes a page important", .keeping = FLAG_NOT_KEPT)
END_OF_SECTION

SECTION(files)
CRAWL(SWITCH, requisites, 0, "requisites", 'p', NULL,
	"fetch also what pages need to be seen: images, styles, fonts", .keeping = FLAG_FREE)
/* the caller of the crawl writes the files */
CRAWL(TEXT, mirror, NULL, "mirror", 0, "DIR",
	"write files that a browser opens from the disk",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_WRITES_PAGES)
CRAWL(TEXT, warc, NULL, "warc", 0, "PREFIX",
	"write all requests and answers to WARC files",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_WRITES_ARCHIVE)
CRAWL(TEXT, wacz, NULL, "wacz", 0, "FILE",
	"write the archive as one WACZ file, too",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_WRITES)
CRAWL(BYTES, warc_size, WARC_LIMIT, "warc-size", 0, "BYTES", "size at which the next WARC file is begun", .keeping = FLAG_FREE)
CRAWL(COUNT, warc_level, WARC_LEVEL, "warc-level", 0, "N",
	"how hard WARC files are compressed", .keeping = FLAG_FREE, .min = 1, .max = 12)
CRAWL(CHOICE, warc_compress, 0, "warc-compress", 0, "gzip|zstd", "what packs the records of WARC files", .keeping = FLAG_FREE)
CRAWL(TEXT, warc_dedup, NULL, "warc-dedup", 0, "FILE",
	"do not write again what this index (CDXJ) or WACZ has",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_READS)
CRAWL(TEXT, previous, NULL, "previous", 0, "DIR",
	"fetch only what has changed since that crawl",
	.keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_READS_FOLDER)
CRAWL(TEXT, log, NULL, "log", 0, "FILE",
	"append a line of JSON for each event", .keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .is_path = 1, .file = FLAG_APPENDS)
CRAWL(BYTES, log_size, 0, "log-size", 0, "BYTES",
	"before the log has more, it becomes FILE.1, the next one FILE.2 ...; 0: never", .keeping = FLAG_FREE, .max = MOST_BYTES)
CRAWL(TEXT, log_to, NULL, "log-to", 0, "CMD", "a program that reads the lines of the log as they come", .keeping = FLAG_NOT_KEPT)
/* fetch/page_command.h */
CRAWL(TEXT, exec, NULL, "exec", 0, "CMD", "a program to run for each crawled page, whose body it reads", .keeping = FLAG_NOT_KEPT)
CRAWL(TIME, exec_timeout, 600000, "exec-timeout", 0, "TIME",
	"most time that this program may take; 0: no limit", .keeping = FLAG_NOT_KEPT)
/* fetch/page_command.h */
CRAWL(TEXT, render_cmd, NULL, "render-cmd", 0, "CMD", "a browser, which renders the pages that need one",
	.keeping = FLAG_NOT_KEPT)
CRAWL(TIME, render_timeout, 30000, "render-timeout", 0, "TIME", "most time that it may take; 0: no limit", .keeping = FLAG_NOT_KEPT)
/* UINT32_MAX: there is no metrics server */
CRAWL(COUNT, metrics, UINT32_MAX, "metrics", 0, "PORT",
	"serve metrics on this port; 0: any free port", .keeping = FLAG_FREE, .trust = FLAG_LEFT_OUT, .max = 65535)
CRAWL(TEXT, monitor, NULL, "monitor", 0, "[ADDRESS:]PORT",
	"serve a page to watch and steer the crawl; alone: any free port", .keeping = FLAG_NOT_KEPT, .bare = "0")
/* NULL: the crawl makes a token (cli/crawl/crawl_monitor.c) */
CRAWL(TEXT, monitor_token, NULL, "monitor-token", 0, "FILE",
	"the monitor answers who knows the token in FILE", .keeping = FLAG_NOT_KEPT, .is_path = 1, .file = FLAG_READS)
END_OF_SECTION

/* what a store keeps and no flag sets by itself */
SECTION(derived)
SCOPE(TEXT, rules, NULL, "rules", 0, "TEXT", "what the file of --rules says", .keeping = FLAG_BY_RESCOPE)
CRAWL(TEXT, host_manners, NULL, "host-settings", 0, "TEXT",
	"what the file of --host-settings says of manners", .keeping = FLAG_FREE)
CRAWL(TEXT, host_scope, NULL, "host-scope", 0, "TEXT", "what the file of --host-settings says of URLs", .keeping = FLAG_BY_RESCOPE)
/* for the calendar detector */
SCOPE(COUNT, year, 0, "year", 0, "N", "in which the crawl began", .keeping = FLAG_FIXED)
END_OF_SECTION

#undef SETTING
#undef FETCH
#undef SCOPE
#undef CRAWL
#undef SECTION
#undef END_OF_SECTION
#undef ALIAS
/* clang-format on */
