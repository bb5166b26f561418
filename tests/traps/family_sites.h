/* The families of tests/traps/families.h as sites, each under a host name of its own, for tests/traps/trap_server.c. */
#ifndef TESTS_FAMILY_SITES_H
#define TESTS_FAMILY_SITES_H

#include "base/map.h"
#include "tests/traps/trap_sites.h"

#define FAMILY_PAGES 300 /* of a finite family */

/* Which page of its family a URL is: of the URLs that pages served so far lead to. */
struct family_urls {
	struct map n;
};

void family_urls_init(struct family_urls *);
void family_urls_release(struct family_urls *);

/* Writes "gallery-by-css-family.test" for a family of the name "gallery, by CSS". */
void family_host(const char *name, struct buf *out);

/* Answers a request: 1, or 0 if the host is that of no family. The path has its query. */
int family_answer(struct family_urls *, struct said *, const char *host, const char *path);

#endif
