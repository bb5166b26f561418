/* Checks that a crawl which leaves this machine says who runs it (--contact). The check is made before the first
 * request, so that its message can name the seed. Independently, without a contact the guard (fetch/guard.h)
 * allows connections to loopback addresses only. */
#ifndef CLI_CRAWL_CRAWL_CONTACT_H
#define CLI_CRAWL_CRAWL_CONTACT_H

#include "base/err.h"

/* Checks n seeds. A seed is on this machine if its host has loopback addresses only, if its proxy has, or if a
 * rule of --connect-to leads to such an address. Returns 0; or ERR_USAGE if `contact` is NULL and a seed is not on
 * this machine, or if `contact` is neither a URL nor a mail address. */
int crawl_contact_check(const char *contact, const char *proxy, const char *const *connect_to, const char *const *seeds, size_t n,
	struct err_note *why) MUST_USE;

#endif
