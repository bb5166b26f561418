/* A crawl that leaves this machine must say who runs it: --contact. The check here comes before the first
 * request and names the seed. Whatever gets past it is stopped at the socket: without a contact the guard
 * (fetch/guard.h) connects to loopback addresses only. */
#ifndef CLI_CRAWL_CRAWL_CONTACT_H
#define CLI_CRAWL_CRAWL_CONTACT_H

#include "base/err.h"

/* Checks n seeds. A seed is on this machine where its host has loopback addresses only, where its proxy
 * has, or where a rule of --connect-to leads it to such an address. ERR_USAGE where `contact` is NULL and
 * a seed is elsewhere, and where `contact` is neither a URL nor a mail address. */
int crawl_contact_check(const char *contact, const char *proxy, const char *const *connect_to,
	const char *const *seeds, size_t n, struct err_note *why) MUST_USE;

#endif
