/* The struct of a live crawl, for its files: live.c puts the parts together, and live_run.c adds seeds and runs the crawl.
 * Nobody else includes this header. */
#ifndef CRAWLER_LIVE_PARTS_H
#define CRAWLER_LIVE_PARTS_H

#include "base/map.h"
#include "crawler/crawl.h"
#include "crawler/live/live.h"
#include "crawler/live/live_requisites.h"
#include "crawler/observers/record.h"
#include "crawler/resume/snapshot.h"
#include "crawler/settings/live_config.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"
#include "fetch/page_jail.h"
#include "fetch/page_command.h"
#include "fetch/scorer.h"
#include "storage/store.h"

/* Derives the settings of the fetchers (fetch/fetch.h) and of the guard (fetch/guard.h) from the configuration of a live
 * crawl. */
struct live_network {
	struct fetch_settings fetch; /* the caller adds guard, archive, rules, fingerprints and simhash */
	struct guard_settings guard;
	regex_t *topic;              /* of --accept-text; NULL: none */
	struct host_settings *hosts; /* NULL: no host has settings of its own */
	/* private */
	char *user_agent, *agent_end;
	struct page_jail *jail; /* NULL: none, or that of another crawl */
	struct credentials *credentials;
};

/* The policy of a live crawl: finds it by the configuration, and writes into the crawl log when the policy changes, by
 * --swap-policy or because a chain moves on to its next policy. */
struct live_policy {
	const struct policy *policy; /* a policy, or a chain of several */
	struct opt_set opts;
	/* private */
	struct store *store;
	const struct frontier *frontier;
	const struct policy *told; /* the policy in use by the last entry that the log has on this */
};

struct live {
	struct live_settings settings;
	struct live_network network;
	const struct observer *observers;
	size_t n_observers;
	struct progress *progress;
	struct store *store, *previous;
	struct scope *scope;
	struct source *source;
	struct live_policy policy;
	struct snapshot_place snapshots;
	struct frontier *frontier;
	struct recorder recorder;
	struct url url;  /* of the seed being added */
	uint32_t *seeds; /* to be queued */
	size_t n_seeds, seeds_room;
	struct map added; /* the ids in `seeds` */
	struct live_summary summary;
	struct warc *archive;
	struct live_agent *agent;      /* NULL: the crawl is not divided among agents */
	struct page_service *scorer;   /* NULL: pages have no scores */
	struct page_service *runner;   /* NULL: no command is run for pages */
	struct page_service *renderer; /* NULL: no page is rendered */
	struct guard *guard;
	size_t private_seeds;               /* of the guard's list of private seeds, those that the store has */
	struct revisit *revisit;            /* NULL: no page is visited again */
	struct live_requisites *requisites; /* NULL: none are fetched */
	int has_memory;                     /* 1: the paged memory of the process is this crawl's */
};

/* Returns the configuration of this sitting. */
static inline const struct live_config *live_config_of(const struct live *l)
{
	return &l->settings.decision->config;
}

/* Returns the observer that writes an entry of the log when the policy changes. */
struct observer live_policy_observer(struct live_policy *);

#endif
