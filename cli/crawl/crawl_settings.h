/* From the flags of `lycosa crawl`, and the store where there is one, to what holds for this sitting. */
#ifndef CLI_CRAWL_CRAWL_SETTINGS_H
#define CLI_CRAWL_CRAWL_SETTINGS_H

#include "cli/verb.h"
#include "crawler/live_decision.h"

/* Decides (crawler/live_decision.h), and checks what goes into requests. ERR_USAGE for what cannot be,
 * before anything is made of it. The decision is to be released in any case; it points into the
 * command's flags. */
int crawl_decide(const struct command *, struct live_decision *, struct err_note *why) MUST_USE;

#endif
