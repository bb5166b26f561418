#include "cli/crawl/crawl_options.h"
#include "crawler/resume/retry.h"

#define OWN(field) offsetof(struct crawl_options, field)
static const struct flag agents[] = {
	{"join", 0, FLAG_TEXT, OWN(join), "URL", .help = "be an agent of the crawl nats://HOST:PORT/NAME"},
	{"agents", 0, FLAG_COUNT, OWN(agents), "N", .help = "the agents with which the crawl begins", .min = 1, .max = 1024},
	TABLE_ROW(nats_flags, OWN(nats)),
	{.name = NULL},
};

static const struct flag input[] = {
	{"store", 0, FLAG_TEXT, OWN(store), "DIR", .help = "the store; resumes its crawl; by default HOST.crawl",
		.file = FLAG_WRITES_STORE},
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "FILE", .help = "seeds, one URL a line ('-': stdin)", .file = FLAG_READS},
	{"order", 0, FLAG_TEXT, OWN(order), "FILE", .help = "write the URLs in the order crawled", .file = FLAG_WRITES},
	{"rejected", 0, FLAG_TEXT, OWN(rejected), "FILE", .help = "write the URLs refused or skipped, and why",
		.file = FLAG_WRITES},
	{"seeds-out", 0, FLAG_TEXT, OWN(seeds_out), "FILE", .help = "write the seeds of the next crawl, and renew them",
		.file = FLAG_WRITES},
	{"seeds-every", 0, FLAG_COUNT, OWN(seeds_every), "N", .help = "renew them every N pages (10000)", .min = 1,
		.max = UINT32_MAX},
	{"swap-policy", 0, FLAG_TEXT, OWN(swap_policy), "NAME", .help = "resume under another policy", .words = policy_word,
		.beside = policy_is_spec, .file = FLAG_READS},
	{"rescope", 0, FLAG_SWITCH, OWN(rescope), .help = "resume with the scope of this command"},
	{.name = NULL},
};

static const struct flag call[] = {
	{"retry-failed", 0, FLAG_COMMAS, OWN(retry_failed), "LIST", .help = "try failed pages again: dns, connect ... (all)",
		.words = retry_reason_word, .bare = "all"},
	{"retry-skipped", 0, FLAG_SWITCH, OWN(retry_skipped), .help = "queue again the pages skipped as part of a trap"},
	{"config", 0, FLAG_CONFIG, OWN(config_file), "FILE", .help = "read flags from a file", .file = FLAG_READS},
	{"print-config", 0, FLAG_SWITCH, OWN(print_config), .help = "print all settings and the origin of each"},
	{"dry-run", 0, FLAG_SWITCH, OWN(dry_run), .help = "print how the crawl would begin"},
	{"keep", 0, FLAG_SWITCH, OWN(keep), .help = "store the settings of this command"},
	{"no-sandbox", 0, FLAG_SWITCH, OWN(no_sandbox), .help = "do not confine the crawl and its readers of pages"},
	{"strict", 0, FLAG_SWITCH, OWN(strict), .help = "exit with status 16 if a limit was reached"},
	{"retry-left", 0, FLAG_ALIAS, 0, "retry-skipped", .help = "queue them again"},
	{.name = NULL},
};

static const struct flag output[] = {
	JSON_ROW(OWN(report.json)),
	TIMING_ROW(OWN(report.timing)),
	PROGRESS_ROW(OWN(report.progress)),
	{"summary", 0, FLAG_CHOICE, OWN(summary), "auto|text|tsv", .help = "the form of the summary at the end"},
	{.name = NULL},
};

/* Flags of wget and curl that are called otherwise here. doc/man/lycosa-crawl.1 has the same table. */
/* clang-format off */
#define FOREIGN_ROW(names, program, instead) {names, 0, FLAG_FOREIGN, 0, program, .help = instead}
/* clang-format on */
static const struct flag foreign[] = {
	FOREIGN_ROW("r|recursive", "wget", "a crawl follows links without being told; --max-depth N bounds it"),
	FOREIGN_ROW("m|P|directory-prefix|k|convert-links", "wget", "--mirror DIR"),
	FOREIGN_ROW("l|level", "wget", "--max-depth N"),
	FOREIGN_ROW("np", "wget", "--no-parent"),
	FOREIGN_ROW("nc", "wget", "a store fetches a page once, but for --refresh"),
	FOREIGN_ROW("nv", "wget", "--quiet"),
	FOREIGN_ROW("N|timestamping", "wget", "--refresh asks for what has changed"),
	FOREIGN_ROW("c|continue", "wget", "the same command goes on where the crawl stopped"),
	FOREIGN_ROW("page-requisites", "wget", "--requisites"),
	FOREIGN_ROW("O|output-document", "wget", "--warc PREFIX keeps what comes"),
	FOREIGN_ROW("o|output-file", "wget", "--log FILE"),
	FOREIGN_ROW("a|append-output", "wget", "--log FILE, which adds to a file"),
	FOREIGN_ROW("i|input-file", "wget", "--seeds FILE"),
	FOREIGN_ROW("w|wait", "wget", "--delay TIME"),
	FOREIGN_ROW("random-wait", "wget", "rests vary by a fifth as it is; --delay TIME"),
	FOREIGN_ROW("waitretry", "wget", "a page that failed waits twice as long each time; --tries N"),
	FOREIGN_ROW("t", "wget", "--tries N"),
	FOREIGN_ROW("T", "wget", "--timeout TIME"),
	FOREIGN_ROW("dns-timeout", "wget", "--connect-timeout TIME"),
	FOREIGN_ROW("Q|quota", "wget", "--max-bytes BYTES"),
	FOREIGN_ROW("e|execute", "wget", "--config FILE; for 'robots=off' --no-robots"),
	FOREIGN_ROW("S|server-response", "wget", "--log FILE tells of each answer, --warc PREFIX keeps its headers"),
	FOREIGN_ROW("spider", "wget", "--dry-run tells what a crawl would begin with"),
	FOREIGN_ROW("exclude-domains", "wget", "--rules FILE, with 'reject domain NAME'"),
	FOREIGN_ROW("I|include-directories", "wget", "--rules FILE, with 'accept prefix URL'"),
	FOREIGN_ROW("X|exclude-directories", "wget", "--rules FILE, with 'reject prefix URL'"),
	FOREIGN_ROW("rejected-log", "wget", "--rejected FILE"),
	FOREIGN_ROW("warc-file", "wget", "--warc PREFIX"),
	FOREIGN_ROW("warc-max-size", "wget", "--warc-size BYTES"),
	FOREIGN_ROW("ca-certificate", "wget", "--cacert FILE"),
	FOREIGN_ROW("http-user|user|password", "wget", "--auth FILE, which keeps a password to its site"),
	FOREIGN_ROW("u", "curl", "--auth FILE, which keeps a password to its site"),
	FOREIGN_ROW("b|cookie", "curl", "--load-cookies FILE"),
	FOREIGN_ROW("x", "curl", "--proxy URL"),
	FOREIGN_ROW("max-redirs", "curl", "--max-redirect N"),
	FOREIGN_ROW("retry", "curl", "--tries N"),
	FOREIGN_ROW("insecure", "curl", "certificates are always checked; --cacert FILE names more"),
	{.name = NULL},
};

/* clang-format off */
const struct flag crawl_flags[] = {
	TABLE_ROW(input, 0),
	NAMES_ROW("Policy (" LIVE_POLICY " by default)"),
	TABLE_ROW(live_config_policy, OWN(config)),
	NAMES_ROW("Scope"),
	TABLE_ROW(live_config_scope, OWN(config)),
	NAMES_ROW("Manners"),
	TABLE_ROW(live_config_manners, OWN(config)),
	NAMES_ROW("Transfers, limits"),
	TABLE_ROW(live_config_transfers, OWN(config)),
	NAMES_ROW("Visits of crawled pages"),
	TABLE_ROW(live_config_refresh, OWN(config)),
	NAMES_ROW("Files"),
	TABLE_ROW(live_config_files, OWN(config)),
	NAMES_ROW("Agents"),
	TABLE_ROW(agents, 0),
	NAMES_ROW("Call"),
	TABLE_ROW(call, 0),
	NAMES_ROW("Output"),
	TABLE_ROW(output, 0),
	TABLE_ROW(foreign, 0),
	STANDARD_ROWS,
};

const struct crawl_options crawl_defaults = {.config = {
#define SETTING(kind, field, value, ...) .field = value,
#include "base/settings.h"
}};
/* clang-format on */
