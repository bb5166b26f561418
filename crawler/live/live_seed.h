/* Reads the seeds of a crawl (crawler/live/live.h) as the user types them. */
#ifndef CRAWLER_LIVE_SEED_H
#define CRAWLER_LIVE_SEED_H

#include "base/err.h"
#include "crawler/live/live.h"
#include "parser/url.h"

/* Parses a text of n bytes into *u. Returns 0, or ERR_USAGE if it is no http or https URL. */
int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why) MUST_USE;

/* Returns an observer that keeps in the store which seeds the guard allows at private addresses, for live_seed_check_private(). */
struct observer live_seed_observer(struct live *);

/* Checks, after all seeds of the sitting were added, that every seed which an earlier sitting has reached at a private address is
 * allowed there in this one: otherwise all its pages would fail. Returns 0 or ERR_USAGE. */
int live_seed_check_private(struct live *, struct err_note *why) MUST_USE;

#endif
