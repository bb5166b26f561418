/* A crawl that leaves this machine says who is behind it. This is the early, friendly word; what is
 * connected to without a contact is held to loopback by crawler/guard.h. */
#ifndef CLI_CRAWL_CRAWL_CONTACT_H
#define CLI_CRAWL_CRAWL_CONTACT_H

#include "base/err.h"

/* ERR_USAGE where there is no contact (a URL or mail address) and some seed is not on this
 * machine: its host is no loopback address or name of one, and neither a loopback proxy nor
 * loopback --connect-to targets stand before it. ERR_USAGE, too, for a contact that is neither. */
int crawl_contact_check(const char *contact, const char *proxy, const char *const *connect_to,
	const char *const *seeds, size_t n, struct err_note *why) MUST_USE;

#endif
