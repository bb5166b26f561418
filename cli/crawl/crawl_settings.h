/* From the flags of `lycosa crawl` to the settings of a live crawl. */
#ifndef CLI_CRAWL_CRAWL_SETTINGS_H
#define CLI_CRAWL_CRAWL_SETTINGS_H

#include "cli/verb.h"
#include "crawler/live.h"

/* Texts made on the way, which the settings point to. */
struct crawl_texts {
	char *rules, *traps;
	char *policy, *batch, *total, *rng_seed, *max_depth, *options, *user_agent;
	struct credentials *credentials;
};

/* All settings but `stop` and `observer`; they are good until the texts are released, which are to
 * be in any case. ERR_USAGE for what cannot be, before anything is made of it. */
int crawl_settings_of(const struct command *, struct live_settings *, struct crawl_texts *,
	struct err_note *why) MUST_USE;
void crawl_texts_release(struct crawl_texts *);

#endif
