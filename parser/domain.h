/* Registrable domains by the Public Suffix List: the registrable domain of "a.b.example.co.uk" is
 * "example.co.uk". No other file uses libpsl.
 *
 *	const char *domain = host + domain_start(host, n); */
#ifndef PARSER_DOMAIN_H
#define PARSER_DOMAIN_H

#include <stddef.h>

/* The longest host name, in bytes, whose domain is looked up. */
#define DOMAIN_HOST_MAX 255

/* Returns the offset at which the registrable domain begins within a host of n bytes, which is in
 * lower case and has no port. The result is 0, so that the whole host counts as the domain, if the
 * host has no registrable domain (an IP address, "localhost", "co.uk") or is longer than
 * DOMAIN_HOST_MAX. Any thread may call. */
size_t domain_start(const char *host, size_t n);

#endif
