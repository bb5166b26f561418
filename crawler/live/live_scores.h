/* The score command of a live crawl (--score-cmd): who may run it, and what its failure does. The scorer itself is
 * fetch/scorer.h. */
#ifndef CRAWLER_LIVE_SCORES_H
#define CRAWLER_LIVE_SCORES_H

#include "crawler/crawl.h"
#include "crawler/settings/live_decision.h"
#include "storage/store.h"

struct scorer;

/* Checks the score command of this sitting against the store, which has the settings of earlier sittings only. Returns 0; or
 * ERR_USAGE if the store names a command that the user has not named, since a store may come from elsewhere, or if the crawl
 * was begun without a score command, since then its pages have no scores. */
int live_scores_check(const struct live_decision *, struct store *, const char *dir, struct err_note *why) MUST_USE;

/* Says whether the pages of the crawl in a store are scored by a command. */
int live_scores_are_in(struct store *);

/* Makes the crawl's scorer; *out is NULL for a crawl without a score command, and after an error. Returns 0 or ERR_OTHER. */
int live_scores_open(struct scorer **out, const struct live_config *, struct err_note *why) MUST_USE;

/* Returns an observer that ends the crawl with the scorer's error when the scorer has failed; with NULL it does nothing. */
struct observer live_scores_observer(struct scorer *);

#endif
