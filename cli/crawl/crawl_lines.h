/* Checks, before the first request, the settings that go into requests or to libcurl unchanged: headers, rules of
 * --connect-to, the user agent, the file of certificates. */
#ifndef CLI_CRAWL_CRAWL_LINES_H
#define CLI_CRAWL_CRAWL_LINES_H

#include "cli/flags/flags.h"

/* Checks the settings; user_agent and cacert may be NULL. Returns 0; ERR_USAGE for a header that is not "Name:
 * value", a rule that is not HOST:PORT:TO:PORT, or a control character; ERR_FILE for a file of certificates that
 * cannot be read; or ERR_FORMAT for a file without a certificate. */
int crawl_lines_check(const struct flag_list *headers, const struct flag_list *connect_to, const char *user_agent,
	const char *cacert, struct err_note *why) MUST_USE;

#endif
