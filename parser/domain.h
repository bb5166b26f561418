/* Registrable domains, as the Public Suffix List has them ("example.co.uk" of "a.b.example.co.uk").
 * The only libpsl user. */
#ifndef PARSER_DOMAIN_H
#define PARSER_DOMAIN_H

#include <stddef.h>

/* Where in a host of n bytes (lower case, no port; at most DOMAIN_HOST_MAX) its registrable domain
 * begins: 0 for all of it, which is also the answer for what has none (an address, "localhost",
 * "co.uk") and for what is longer. Thread-safe. */
#define DOMAIN_HOST_MAX 255
size_t domain_start(const char *host, size_t n);

#endif
