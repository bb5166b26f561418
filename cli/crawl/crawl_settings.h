/* Decides the configuration of a sitting, from the flags of `lycosa crawl` and the store if there is one. */
#ifndef CLI_CRAWL_CRAWL_SETTINGS_H
#define CLI_CRAWL_CRAWL_SETTINGS_H

#include "cli/crawl/crawl_seeds.h"
#include "cli/verb.h"
#include "crawler/live/live.h"
#include "crawler/settings/live_decision.h"

/* Makes the decision (crawler/settings/live_decision.h), and checks the settings that go into requests. Returns 0, an error
 * of live_decide(), or ERR_USAGE for settings that contradict each other; nothing has been created by then. The
 * caller calls live_decision_release() in each case. The decision points into the command's flags. */
int crawl_decide(const struct command *, struct live_decision *, struct err_note *why) MUST_USE;

/* --- how a crawl would begin */

/* Prints how a crawl would begin, without a request and without changing a file: --print-config and --dry-run. */
/* --print-config: prints all settings on stdout in the form of a --config file, each under a comment that
 * says where it comes from: the command line, a line of a file, the store, the default. Returns 0 or ERR_RESULTS. */
int crawl_print_settings(const struct command *, struct err_note *why) MUST_USE;

/* --dry-run: prints the settings, the contents of the store, and a row for each seed. The caller has made the
 * crawl with live_new() and has not opened it. Returns 0 or an error. */
int crawl_plan(const struct command *, struct live *, const struct crawl_seeds *, struct err_note *why) MUST_USE;

#endif
