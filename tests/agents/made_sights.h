/* What policies may see of a page besides its links: a URL, a score, anchor texts, and that a page is deferred. All are functions
 * of the ids, so that two crawls see the same. */
#ifndef TESTS_MADE_SIGHTS_H
#define TESTS_MADE_SIGHTS_H

#include "frontier/frontier.h"

#include <stdio.h>
#include <string.h>

static const uint32_t *sight_hosts; /* of the pages, by id; set by made_sights() */

static inline const char *sight_url(void *ctx, uint32_t id, size_t *n)
{
	static char text[64];

	(void)ctx;
	*n = (size_t)snprintf(text, sizeof text, "http://host%u.test/%s/%u", sight_hosts[id], id % 3 ? "news" : "archive", id);
	return text;
}

static inline double sight_score(void *ctx, uint32_t id)
{
	(void)ctx;
	return (double)(id * 53 % 97) / 97;
}

static inline const char *sight_anchor(void *ctx, uint32_t u, uint32_t place, size_t *n)
{
	static const char *const words[] = {"", "news of today", "archive", "next"};
	const char *text = words[(u + place) % 4];

	(void)ctx;
	*n = strlen(text);
	return text;
}

static inline int sight_is_deferred(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 9 == 4;
}

/* Lets the policies of a world see these. `hosts` has the host of each page, and stays the caller's. */
static inline void made_sights(struct frontier_world *world, const uint32_t *hosts)
{
	sight_hosts = hosts;
	world->defers = sight_is_deferred;
	world->url = sight_url;
	world->score = sight_score;
	world->anchor = sight_anchor;
	world->has_kinds = 1;
}

#endif
