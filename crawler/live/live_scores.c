#include "crawler/live/live_scores.h"
#include "fetch/scorer.h"

#define SETTING "score-cmd"

int live_scores_are_in(struct store *store)
{
	const char *kept = store_get(store, SETTING);

	return kept && *kept;
}

int live_scores_check(const struct live_decision *d, struct store *store, const char *dir, struct err_note *why)
{
	const char *command = d->config.score_cmd;
	const int is_kept = live_scores_are_in(store);

	if (!d->resumed)
		return 0;
	if (is_kept && (!command || live_decision_origin(d, SETTING) == LIVE_KEPT))
		return err_set(why, ERR_USAGE,
			"the pages of the crawl in '%s' are scored by a command, which is only run when it is named: --score-cmd '%s'",
			dir, store_get(store, SETTING));
	if (!is_kept && command)
		return err_set(why, ERR_USAGE,
			"the crawl in '%s' was begun without --score-cmd, so its pages have no scores; leave it out, or use another --store",
			dir);
	return 0;
}

int live_scores_open(struct scorer **out, const struct live_config *c, struct err_note *why)
{
	*out = NULL;
	return c->score_cmd ? scorer_new(out, c->score_cmd, c->score_timeout, why) : 0;
}

static int event(void *scorer, const struct result *e, struct err_note *why)
{
	(void)e;
	return scorer_failed(scorer, why);
}

static int idle(void *scorer, struct err_note *why)
{
	return scorer_failed(scorer, why);
}

struct observer live_scores_observer(struct scorer *s)
{
	return (struct observer){.ctx = s, .event = event, .visit = event, .idle = idle};
}
