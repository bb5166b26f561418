/* Puts the settings that a user asks for into the form in which a store keeps and compares them
 * (crawler/settings/live_decision.h). */
#ifndef CRAWLER_LIVE_ASKED_H
#define CRAWLER_LIVE_ASKED_H

#include "crawler/settings/live_config.h"

/* Settles what is asked for: names the policy, by `kept` if the user names none, with an absolute path if it is a file; leaves out
 * options of other policies; and reads the files of --rules and --host-settings, of which a store keeps the contents. The texts
 * are copied into `texts`. Returns 0; ERR_FILE for a file that cannot be read; or ERR_USAGE, with file and line, for settings of
 * hosts that are malformed. */
int live_asked_settle(struct live_config *, const struct live_config *kept, struct flag_texts *texts,
	struct err_note *why) MUST_USE;

#endif
