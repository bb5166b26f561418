/* What holds for a sitting of a crawl: what is asked for now, what the store of an earlier sitting keeps,
 * and defaults, row by row of the table in crawler/live_config.h.
 *
 *   asked for now          -> holds; a row of FLAG_BY_SWAP, _BY_RESCOPE or _FIXED must not differ from
 *                             the store's, unless the swap or the rescope is asked for, too
 *   else kept in the store -> holds, but for a secret, which has to be given again
 *   else                   -> the default
 *
 * The store keeps what the first sitting was asked for, and every setting that a later one was the
 * first to ask for. A FLAG_FREE setting that the store keeps and a later sitting overrules holds for
 * that sitting alone; with `keep` it replaces the store's.
 *
 *   struct live_decision d;
 *   int err = live_decide(&d, &asked, store, why);      the store may be NULL: a new crawl
 *   if (!err) ... d.config.delay ...
 *   if (!err) err = live_decision_keep(&d, store, why);
 *   live_decision_release(&d); */
#ifndef CRAWLER_LIVE_DECISION_H
#define CRAWLER_LIVE_DECISION_H

#include "crawler/live_config.h"
#include "storage/store.h"

/* How a row was asked for: not at all, with a value, or to be what it is by default ("--no-warc"). */
enum live_asking { LIVE_UNASKED, LIVE_ASKED, LIVE_ASKED_DEFAULT };

/* What may be replaced in the store: bits. */
enum {
	LIVE_SWAP = 1 /* the policy */,
	LIVE_RESCOPE = 2 /* the scope */,
	LIVE_KEEP = 4 /* the rest */
};

struct live_asked {
	const char *dir;                  /* of the store, for messages */
	const struct live_config *config; /* defaults where nothing is asked */
	uint8_t row[LIVE_CONFIG_ROWS];    /* an enum live_asking each */
	unsigned replace;                 /* LIVE_SWAP and the like */
};

enum live_origin { LIVE_DEFAULT, LIVE_GIVEN, LIVE_KEPT };

struct live_decision {
	struct live_config config;
	uint8_t origin[LIVE_CONFIG_ROWS]; /* an enum live_origin a row */
	int resumed;                      /* the store has begun to crawl */
	struct buf changes;               /* of the scope: lines "name=value"; empty: none */
	int is_swap;                      /* another policy, or other options of it */
	struct buf overruled; /* what this sitting does otherwise, as text; empty: nothing */
	/* its own */
	char *keep[LIVE_CONFIG_ROWS]; /* a text for the store; NULL: it keeps what it has */
	char *secrets;                /* names of settings whose values it does not keep */
	struct flag_texts texts;
};

/* Decides. ERR_USAGE names both values where what is asked differs from what the store keeps, and the
 * way out; a setting that only a person can give again (a secret, a policy in a file); ERR_DAMAGED for a
 * text in the store that is no such setting; ERR_FILE. Release in any case. */
int live_decide(struct live_decision *, const struct live_asked *, struct store *,
	struct err_note *why) MUST_USE;

/* Whether the row of this name has this origin. */
enum live_origin live_decision_origin(const struct live_decision *, const char *name);

/* Whether files that a sitting is to go on with are where the store says they are: the archive and the
 * log of what was crawled before. ERR_FILE. */
int live_decision_check(
	const struct live_decision *, const char *dir, struct err_note *why) MUST_USE;

/* Writes into the store what it is to keep. */
int live_decision_keep(const struct live_decision *, struct store *, struct err_note *why) MUST_USE;

/* Whether a store keeps that a setting was given, but not what: a secret. */
int live_decision_is_withheld(struct store *, const char *name);

void live_decision_release(struct live_decision *);

#endif
