/* Decides the configuration of a sitting, from the flags of `lycosa crawl` and the store if there is one. */
#ifndef CLI_CRAWL_CRAWL_SETTINGS_H
#define CLI_CRAWL_CRAWL_SETTINGS_H

#include "cli/verb.h"
#include "crawler/settings/live_decision.h"

/* Makes the decision (crawler/settings/live_decision.h), and checks the settings that go into requests. Returns 0, an error
 * of live_decide(), or ERR_USAGE for settings that contradict each other; nothing has been created by then. The
 * caller calls live_decision_release() in each case. The decision points into the command's flags. */
int crawl_decide(const struct command *, struct live_decision *, struct err_note *why) MUST_USE;

#endif
