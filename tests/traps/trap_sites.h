/* Sites for tests/traps/trap_server.c, each under a host name of its own: in tests/traps/trap_sites.c and
 * tests/traps/view_sites.c those with traps, in tests/traps/honest_sites.c those that look like one, in
 * tests/traps/twin_sites.c those of which many pages are alike, in tests/traps/kind_sites.c those that
 * programs in wide use make. All but what says otherwise have the same
 * frame: SITE_PAGES pages, a binary tree, each with a link to the trap. */
#ifndef TESTS_TRAP_SITES_H
#define TESTS_TRAP_SITES_H

#include "base/buf.h"

#include <stdint.h>

#define SITE_PAGES 63

struct ask {
	const char *host, *path, *query; /* the query without its '?' */
	uint64_t count;                  /* requests so far: what a program draws new links by */
};

/* What is answered. A page that belongs to the site has a name, the same whatever URL it was asked
 * for under; what a trap makes has none. Where nothing is written, there is no such page. */
struct said {
	struct buf page;
	char name[64];
	char redirect[256]; /* to there; or "" */
	char type[32];      /* its media type; "": HTML */
};

/* The site of a host, or NULL. */
struct site {
	const char *host; /* or, with a leading '.' or '-', what ends in it */
	void (*answer)(struct said *, const struct ask *);
};
/* up to one without a host */
extern const struct site trap_sites[], view_sites[], honest_sites[], twin_sites[], kind_sites[];

/* What is drawn: the same for the same seed. */
uint64_t site_draw(uint64_t seed);
/* So many words. */
void site_prose(struct buf *out, uint64_t seed, int words);
/* A page of the frame, with a link to the trap: 1, or 0 where the path is none of it. */
int site_frame(struct said *said, const struct ask *ask, const char *trap);
/* The value of a parameter of the query, 0 where there is none. */
long site_number(const struct ask *ask, const char *name);

#endif
