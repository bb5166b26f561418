/* Reads the seeds of a crawl (crawler/live/live.h) as the user types them. */
#ifndef CRAWLER_LIVE_SEED_H
#define CRAWLER_LIVE_SEED_H

#include "base/err.h"
#include "parser/url.h"

/* Parses a text of n bytes into *u. Returns 0, or ERR_USAGE if it is no http or https URL. */
int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why) MUST_USE;

#endif
