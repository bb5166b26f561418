/* How a live crawl reaches the network: the settings of its transfers (fetch/fetch.h) and of its guard
 * (fetch/guard.h), made from its configuration. */
#ifndef CRAWLER_LIVE_NETWORK_H
#define CRAWLER_LIVE_NETWORK_H

#include "crawler/live_config.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"

struct live_network {
	struct fetch_settings fetch; /* without guard, archive, rules and simhash */
	struct guard_settings guard;
	/* its own */
	char *user_agent;
	struct credentials *credentials;
};

/* Reads the files of credentials and cookies. The settings point into the configuration. ERR_FILE;
 * ERR_FORMAT. Release in any case. */
int live_network_make(
	struct live_network *, const struct live_config *, struct err_note *why) MUST_USE;
void live_network_release(struct live_network *);

#endif
