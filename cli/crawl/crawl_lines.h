/* Texts of the command line that go into a request, or to curl, as they are. */
#ifndef CLI_CRAWL_CRAWL_LINES_H
#define CLI_CRAWL_CRAWL_LINES_H

#include "cli/flags/flags.h"

/* ERR_USAGE for a header that is not "Name: value", a rule that is not HOST:PORT:TO:PORT, a control
 * character; ERR_FILE for a file of certificates that cannot be read, ERR_FORMAT for one that has
 * none. The last two may be NULL. */
int crawl_lines_check(const struct flag_list *headers, const struct flag_list *connect_to,
	const char *user_agent, const char *cacert, struct err_note *why) MUST_USE;

#endif
