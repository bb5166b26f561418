/* The configuration of a live crawl: all settings of base/settings.h, and a row (base/flag.h) for each of them. Command-line flags,
 * configuration files, the store (crawler/settings/live_decision.h) and --print-config all use these rows; no other code converts
 * settings to text or back.
 *
 *   struct live_config c = live_config_defaults;
 *   c.delay = 0;
 *   c.max_pages = 1000; */
#ifndef CRAWLER_LIVE_CONFIG_H
#define CRAWLER_LIVE_CONFIG_H

#include "base/flag.h"
#include "crawler/knowledge/outages.h"
#include "storage/warc.h"

struct live_config {
#define SETTING(kind, field, ...) FLAG_TYPE_##kind field;
#include "base/settings.h"
};

#define LIVE_POLICY        "scout"            /* the policy of a crawl that names none */
#define LIVE_POLICY_SCORED "aim"              /* the same, with a score command */
#define LIVE_POLICY_JOINED "partial-pagerank" /* the same, by several agents: they keep its order */
#define LIVE_ANY_DEPTH     UINT32_MAX
#define LIVE_NO_METRICS    UINT32_MAX
#define LIVE_MIRROR_ARCHIVE \
	"archive" /* the prefix, in the folder of the store, of the archive of a mirror or a WACZ file without --warc */
/* What makes a page important, for --refresh. */
enum revisit_worth { REVISIT_BY_RANK, REVISIT_EQUAL };

#define LIVE_JITTER 0.2 /* the share by which a rest may be longer, so that crawls do not fall into step */

extern const struct live_config live_config_defaults;

/* The sections of the table; each ends with a row without a name. */
extern const struct flag live_config_policy[], live_config_scope[], live_config_manners[], live_config_transfers[],
	live_config_refresh[], live_config_files[], live_config_derived[];

/* The number of rows of all sections. */
enum {
	LIVE_CONFIG_ROWS = 0
#define SETTING(...) +1
#define ALIAS(...)   +1
#include "base/settings.h"
};

/* Returns row i of all sections in a row, followed by the settings that no flag sets; NULL beyond the last. */
const struct flag *live_config_row(size_t i);

/* Returns which directives of pages about their own links the crawl follows (--heed): a mask of enum fetch_heed. */
unsigned live_config_heed(const struct live_config *);

/* Returns which kinds of links the crawl follows (--follow, --follow-sitemaps): a mask of 1 << enum link_kind. */
unsigned live_config_kinds(const struct live_config *);

/* Says whether the value of a setting is a secret, which no store keeps: a file of credentials, a header such as
 * Authorization or Cookie, a proxy with a password. */
int live_config_is_secret(const struct flag *row, const struct live_config *);

/* Says how far the value of a setting is trusted that a store alone names (enum flag_trust): as the setting's row says, except that
 * a policy and its options are FLAG_TRUSTED if the policy is built in and no oracle, and a secret, which no store keeps, never
 * is. */
enum flag_trust live_config_trust(const struct flag *row, const struct live_config *);

/* Frees the lists of the configuration. */
void live_config_release(struct live_config *);

#endif
