/* Derives the settings of the fetchers (fetch/fetch.h) and of the guard (fetch/guard.h) from the configuration of a live
 * crawl. */
#ifndef CRAWLER_LIVE_NETWORK_H
#define CRAWLER_LIVE_NETWORK_H

#include "crawler/settings/live_config.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"

struct live_network {
	struct fetch_settings fetch; /* the caller adds guard, archive, rules, fingerprints and simhash */
	struct guard_settings guard;
	regex_t *topic;              /* of --accept-text; NULL: none */
	struct host_settings *hosts; /* NULL: no host has settings of its own */
	/* private */
	char *user_agent, *agent_end;
	struct credentials *credentials;
};

/* Fills in the settings, which point into the configuration, and reads the files of credentials and cookies and the settings of
 * hosts. Returns 0, ERR_FILE, ERR_FORMAT or ERR_USAGE. The caller calls live_network_release() in each case. */
int live_network_make(struct live_network *, const struct live_config *, struct err_note *why) MUST_USE;

/* Frees the memory. */
void live_network_release(struct live_network *);

#endif
